package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer/expr/operand"
)

// Which values the assignments of an UPDATE of several tables see. MySQL changes the table that it
// reads first while it reads, column by column as of one table. The others' new values it computes
// then, from rows in which only the first table has changed. If a change of the first table could
// make it read a row again, all new values are of the rows as they were read.

// assignmentOrder brings the assignments in MySQL's order.
func assignmentOrder(ctx *sql.Context, n *plan.UpdateSource) *plan.UpdateSource {
	explicit := n.UpdateExprs.ExplicitUpdateExprs()
	first := firstRead(n.Child)
	if !joins(n.Child) {
		return n
	}
	name := ""
	if first != nil {
		name = strings.ToLower(visibleName(first))
	}
	var early, late []sql.Expression
	for _, e := range explicit {
		if f := assigned(e); f != nil && strings.ToLower(f.Table()) == name {
			early = append(early, e)
		} else {
			late = append(late, e)
		}
	}
	if !changesWhileReading(ctx, first, early) {
		early, late = nil, explicit
	}
	read := &rowRead{}
	for i, e := range late {
		late = slices.Clone(late)
		if set, ok := e.(*expression.SetField); ok {
			late[i] = expression.NewSetField(set.LeftChild, &asRead{One: operand.Over(set.RightChild), read: read, first: i == 0})
		}
	}
	all := append(append(slices.Clone(early), late...), n.UpdateExprs.DerivedUpdateExprs()...)
	out := *n
	out.UpdateExprs = plan.NewUpdateExprs(all, len(explicit))
	return &out
}

// assigned is the column that an expression assigns to; nil if it is no assignment.
func assigned(e sql.Expression) *expression.GetField {
	set, ok := e.(*expression.SetField)
	if !ok {
		return nil
	}
	f, _ := set.LeftChild.(*expression.GetField)
	return f
}

// firstRead is the table of a join that is read first, with its alias.
func firstRead(n sql.Node) sql.Node {
	for {
		switch t := n.(type) {
		case *plan.TableAlias, *plan.ResolvedTable, *plan.IndexedTableAccess:
			return t
		}
		children := n.Children()
		if len(children) == 0 || sql.IsOpaque(n) {
			return nil
		}
		n = children[0]
	}
}

func visibleName(n sql.Node) string {
	if named, ok := n.(sql.Nameable); ok {
		return named.Name()
	}
	return ""
}

// changesWhileReading reports whether the table may be changed while it is read: no assignment
// changes the key that it is read by.
func changesWhileReading(ctx *sql.Context, table sql.Node, assignments []sql.Expression) bool {
	if len(assignments) == 0 {
		return false
	}
	if a, ok := table.(*plan.TableAlias); ok {
		table = a.Child
	}
	var key []string
	switch t := table.(type) {
	case *plan.IndexedTableAccess:
		for _, e := range t.Index().Expressions() {
			key = append(key, e[strings.LastIndexByte(e, '.')+1:])
		}
	case *plan.ResolvedTable:
		for _, c := range t.Schema(ctx) {
			if c.PrimaryKey {
				key = append(key, c.Name)
			}
		}
	default:
		return false
	}
	return !slices.ContainsFunc(assignments, func(e sql.Expression) bool {
		f := assigned(e)
		return f == nil || slices.ContainsFunc(key, func(c string) bool { return strings.EqualFold(c, f.Name()) })
	})
}

// rowRead is a row before the assignments that do not see each other.
type rowRead struct{ row sql.Row }

// asRead is the right side of one of these assignments.
type asRead struct {
	operand.One
	read  *rowRead
	first bool
}

// Type implements sql.Expression.
func (e *asRead) Type(ctx *sql.Context) sql.Type { return e.Child.Type(ctx) }

// WithChildren implements sql.Expression.
func (e *asRead) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *asRead) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if e.first {
		e.read.row = row
	}
	return e.Child.Eval(ctx, e.read.row)
}
