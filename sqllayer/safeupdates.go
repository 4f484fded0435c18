package sqllayer

// sql_safe_updates: an UPDATE or DELETE needs LIMIT, or conditions that give a range of a key of each
// table that it changes. MySQL takes such a range then whatever it costs, so the text decides. In a
// join, a table may also be found by a key that is compared with a column of another table, if that
// one is found without it.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// erUnsafeUpdate is ER_UPDATE_WITHOUT_KEY_IN_SAFE_MODE.
const erUnsafeUpdate = 1175

// CheckSafeUpdate refuses a statement that sql_safe_updates forbids.
func (s *Session) CheckSafeUpdate(ctx *sql.Context, tree ast.Statement) error {
	if tree == nil || !s.Flag("sql_safe_updates") {
		return nil
	}
	c := s.joinedChange(ctx, tree)
	if c == nil || !c.unsafe() {
		return nil
	}
	return sqlerr.NewError(erUnsafeUpdate, "You are using safe update mode and you tried to update a table without a WHERE that uses a KEY column. ")
}

// joinedChange is an UPDATE or DELETE: its tables, and conditions.
type joinedChange struct {
	tables []keyedTable
	conds  []heldCond
}

// heldCond is a condition that all rows meet which are found of some tables.
type heldCond struct {
	ast.Expr
	from, to int // the tables
}

// keyedTable tells conditions that give ranges of its keys.
type keyedTable struct {
	in      *joinedChange
	name    string         // or alias
	def     *catalog.Table // nil: no table of the engine's, as a view
	changed bool
	found   bool // by a key, or it does not matter how
}

// joinedChange is what a statement changes; nil: it is no UPDATE or DELETE, or has a LIMIT.
func (s *Session) joinedChange(ctx *sql.Context, tree ast.Statement) *joinedChange {
	c := &joinedChange{}
	switch n := tree.(type) {
	case *ast.Update:
		if n.Limit != nil {
			return nil
		}
		for _, t := range n.Tables {
			c.add(ctx, s, t)
		}
		for i := range n.Set {
			c.assigned(&n.Set[i])
		}
		c.also(n.Where, 0)
	case *ast.Delete:
		if n.Limit != nil {
			return nil
		}
		for _, t := range n.Source {
			c.add(ctx, s, t)
		}
		for i := range n.Targets {
			t := &n.Targets[i]
			if n.Source == nil {
				c.table(ctx, s, t.Name, t.Alias)
			}
			c.change(t.Name.Name.Name)
		}
		if n.Source == nil {
			c.tables[0].changed = true
		}
		c.also(n.Where, 0)
	default:
		return nil
	}
	return c
}

// add adds a table reference, and the conditions of joins in it.
func (c *joinedChange) add(ctx *sql.Context, s *Session, t ast.TableRef) {
	switch n := t.(type) {
	case *ast.TableSource:
		c.table(ctx, s, n.Name, n.Alias)
	case *ast.Join:
		from, outer := len(c.tables), n.Kind == ast.LeftJoin || n.Kind == ast.RightJoin
		first, second := n.L, n.R
		if n.Kind == ast.RightJoin {
			first, second = n.R, n.L
		}
		c.add(ctx, s, first)
		if outer { // whose rows all come
			from = len(c.tables)
		}
		c.add(ctx, s, second)
		c.also(n.On, from)
		for _, name := range n.Using {
			column := &ast.Column{Name: name}
			c.also(&ast.BinaryExpr{Op: ast.Equal, L: column, R: column}, from)
		}
	case *ast.TableList:
		for _, t := range n.Tables {
			c.add(ctx, s, t)
		}
	}
}

func (c *joinedChange) table(ctx *sql.Context, s *Session, name ast.TableName, alias ast.Ident) {
	t := keyedTable{in: c, name: cmp.Or(alias.Name, name.Name.Name)}
	if own := s.TableOf(ctx, name.Schema.Name, name.Name.Name); own != nil {
		t.def = own.Def.Def
	}
	c.tables = append(c.tables, t)
}

// also adds a condition that holds for the tables from one on.
func (c *joinedChange) also(e ast.Expr, from int) {
	if n, ok := e.(*ast.Logical); ok && !n.Or {
		for _, item := range n.Items {
			c.also(item, from)
		}
	} else if e != nil {
		c.conds = append(c.conds, heldCond{e, from, len(c.tables)})
	}
}

// finds tells whether a condition for a table passes a test.
func (c *joinedChange) finds(at int, test func(t *keyedTable, e ast.Expr) bool) bool {
	return slices.ContainsFunc(c.conds, func(h heldCond) bool { return h.from <= at && at < h.to && test(&c.tables[at], h.Expr) })
}

// change notes that a table is changed.
func (c *joinedChange) change(name string) {
	for i := range c.tables {
		c.tables[i].changed = c.tables[i].changed || strings.EqualFold(c.tables[i].name, name)
	}
}

// assigned notes the table of a column that is set.
func (c *joinedChange) assigned(a *ast.Assign) {
	for i := range c.tables {
		if t := &c.tables[i]; len(c.tables) == 1 || t.owns(a.Column) {
			t.changed = true
		}
	}
}

// unsafe tells whether a table that is changed is found by none of its keys.
func (c *joinedChange) unsafe() bool {
	for i := range c.tables {
		t := &c.tables[i]
		t.found = !t.changed || t.def == nil && len(c.conds) > 0 || c.finds(i, func(t *keyedTable, e ast.Expr) bool { return t.ranges(e) != "" })
	}
	for again := true; again; { // what is found may find others
		again = false
		for i := range c.tables {
			t := &c.tables[i]
			if !t.found && c.finds(i, c.joins) {
				t.found, again = true, true
			}
		}
	}
	return slices.ContainsFunc(c.tables, func(t keyedTable) bool { return !t.found })
}

// joins tells whether a condition compares a key of a table with a column of one that is found.
func (c *joinedChange) joins(t *keyedTable, e ast.Expr) bool {
	n, ok := e.(*ast.BinaryExpr)
	if !ok || n.Op != ast.Equal {
		return false
	}
	ofFound := func(e ast.Expr) bool {
		column, ok := e.(*ast.Column)
		return ok && slices.ContainsFunc(c.tables, func(other keyedTable) bool {
			return other.found && other.name != t.name && other.owns(column)
		})
	}
	return t.keyed(n.L) != "" && ofFound(n.R) || t.keyed(n.R) != "" && ofFound(n.L)
}

// owns tells whether a column may be one of the table.
func (t *keyedTable) owns(c *ast.Column) bool {
	if c.Table.Given() {
		return strings.EqualFold(c.Table.Name, t.name)
	}
	return t.def == nil || slices.ContainsFunc(t.def.Columns, func(own catalog.Column) bool { return strings.EqualFold(own.Name, c.Name.Name) })
}

// ranges is the column that a condition gives ranges of, "" for none. MySQL merges no ranges of two
// keys here.
func (t *keyedTable) ranges(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Logical:
		first := ""
		for i, item := range n.Items {
			switch of := t.ranges(item); {
			case !n.Or && of != "":
				return of
			case n.Or && (of == "" || i > 0 && !strings.EqualFold(of, first)):
				return ""
			case n.Or:
				first = of
			}
		}
		return first
	case *ast.BinaryExpr:
		switch {
		case n.Op < ast.Equal || n.Op > ast.GreaterEqual:
		case t.known(n.R):
			return t.keyed(n.L)
		case t.known(n.L):
			return t.keyed(n.R)
		}
	case *ast.Between:
		if t.known(n.Low) && t.known(n.High) {
			return t.keyed(n.X)
		}
	case *ast.In:
		if n.Query == nil && !slices.ContainsFunc(n.List, func(e ast.Expr) bool { return !t.known(e) }) {
			return t.keyed(n.X)
		}
	case *ast.Is:
		if n.What == ast.IsNull {
			return t.keyed(n.X)
		}
	case *ast.Like:
		p, text := n.Pattern.(*ast.Literal)
		if !n.Not && (!text && t.known(n.Pattern) || text && p.Text != "" && !strings.ContainsAny(p.Text[:1], "%_")) {
			return t.keyed(n.X)
		}
	}
	return ""
}

// keyed is the name of a column with which a key begins, "" of all else.
func (t *keyedTable) keyed(e ast.Expr) string {
	c, is := e.(*ast.Column)
	if is && t.def != nil && t.owns(c) && slices.ContainsFunc(t.def.Indexes, func(i *catalog.Index) bool {
		return i.Kind == "" && !i.Invisible && !i.Building && len(i.Parts) > 0 && strings.EqualFold(t.def.Columns[i.Parts[0].Column].Name, c.Name.Name)
	}) {
		return c.Name.Name
	}
	return ""
}

// known tells a value that is the same for all rows. A column of no table is a variable of a
// program.
func (t *keyedTable) known(e ast.Expr) bool {
	same := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Column:
			same = same && !slices.ContainsFunc(t.in.tables, func(t keyedTable) bool { return t.owns(n) })
		case *ast.Query:
			return false
		}
		return same
	})
	return same
}
