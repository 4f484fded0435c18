package sqllayer

// What is compiled of a stored program: its expressions here, its SQL statements in programstep.go.
// A statement of a program runs many times,
// in loops and in calls. GMS plans it when it runs for the first time; what can be taken out of
// that plan is run from then on without planning.
//
// An expression is one of GMS's, in which variables of the program are fields of a row. Those of
// integers alone become functions over the row, see programnumber.go.
//
// Invariants:
//
//	(1) Code belongs to one parsed body, which runs once at a time: each call of a procedure parses
//	    its own.
//	(2) Code was made under the settings that the session has: others empty it.
//	(3) What is evaluated without a plan neither reads tables nor changes anything but the
//	    session's state. Everything else goes to GMS.

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/trees"
)

// program is the body of a stored program. The parser wraps it: GMS takes the whole for one
// statement that it has no operation for.
type program struct {
	ast.Statement
	read   map[ast.Statement]ast.Statement // its SQL statements, before the layer changed them
	source programSource
	code   code
	cases  map[*ast.CaseStatement][]ast.Expr // comparisons with the value of CASE
}

// code is what was compiled of a program.
type code struct {
	version  uint64 // of the session's variables
	settings string
	safe     bool // sql_safe_updates
	exprs    map[ast.Expr]*computed
	steps    map[ast.Statement]*directStatement
}

// computed is an expression of a program.
type computed struct {
	expr   sql.Expression // nil: GMS plans it each time
	typ    sql.Type
	slots  []slot
	row    sql.Row // values of the slots
	users  []programs.UserVariable
	number programs.Integers // nil: not only integers

	plans   int  // that were made of it
	refused bool // it has a part that code does not deal with
}

// slot is a variable of the program in an expression.
type slot struct {
	name  *ast.ColName
	typ   sql.Type
	frame *frame // that was running when the variable was found
	found *programs.Variable
}

// current is the code as the session's settings want it.
func (a *activation) current() *code {
	c := &a.body.code
	if version := a.s.variables.Load(); c.version != version || c.exprs == nil {
		var b strings.Builder
		for _, name := range programs.CodeSettings {
			v, _ := a.s.GetSessionVariable(nil, name)
			fmt.Fprintf(&b, "%v\x00", v)
		}
		if settings := b.String(); c.settings != settings || c.exprs == nil {
			*c = code{settings: settings, exprs: make(map[ast.Expr]*computed), steps: make(map[ast.Statement]*directStatement)}
		}
		c.version, c.safe = version, a.s.Flag("sql_safe_updates")
	}
	return c
}

// computed finds an expression's code. learn is true if GMS is going to plan it for the first time:
// then the code is to be completed by learned.
func (a *activation) computed(e ast.Expr) (c *computed, learn bool) {
	code := a.current()
	if reflect.TypeOf(e).Kind() != reflect.Pointer {
		return nil, false // it has no identity
	}
	if c = code.exprs[e]; c == nil {
		c = &computed{refused: !programs.MayCompute(e)}
		code.exprs[e] = c
	}
	switch {
	case c.expr != nil && c.fits(a):
		return c, false
	case c.refused || c.plans == programs.MostPlans:
		c.expr = nil
		return c, false
	}
	*c = computed{plans: c.plans + 1}
	return c, true
}

// fits finds the variables, and tells whether they are of the types for which the expression was
// planned.
func (c *computed) fits(a *activation) bool {
	for i := range c.slots {
		s := &c.slots[i]
		if s.frame == a.frame {
			continue
		}
		v := a.named(s.name)
		if v == nil || v.Column.Type != s.typ && !v.Column.Type.Equals(s.typ) {
			return false
		}
		s.frame, s.found = a.frame, v
	}
	for i := range c.users {
		t, _, err := a.s.GetUserVariable(nil, c.users[i].Name)
		if err != nil || t != c.users[i].Typ {
			return false
		}
	}
	return true
}

// evaluate computes the value. The warnings of the statement before stay where it leaves none.
func (c *computed) evaluate(a *activation) (v any, err error) {
	for i := range c.slots {
		c.row[i] = c.slots[i].found.Value
	}
	if c.number != nil {
		if n, null, ok := c.number(c.row); ok {
			if null {
				return nil, nil
			}
			return n, nil
		}
	}
	var before []*sql.Warning
	if a.s.WarningCount() > 0 {
		before = a.s.noWarnings()
	}
	ctx := a.evaluating()
	if v, err = c.expr.Eval(ctx, c.row); err == nil {
		v, err = sql.UnwrapAny(ctx, v)
	}
	if err == nil {
		err = a.warned(ctx)
	}
	if before != nil || a.s.WarningCount() > 0 {
		a.s.keep(before)
	}
	return v, err
}

// evaluating is the context of expressions that have no plan.
func (a *activation) evaluating() *sql.Context {
	if a.eval == nil {
		a.eval = a.context()
	}
	return a.eval
}

// place adds a variable to an expression that is planned for the first time; nil if its type is
// none that code deals with.
func (c *computed) place(name *ast.ColName, v *programs.Variable) ast.Expr {
	if !programs.CodeType(v.Column.Type) {
		return nil
	}
	c.slots = append(c.slots, slot{name: name, typ: v.Column.Type})
	value := &programs.PlacedValue{Literal: *expression.NewLiteral(v.Value, v.Column.Type), Slot: len(c.slots) - 1}
	return ast.InjectedExpr{Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}, Expression: value}
}

// learned takes the expression out of the plan that has just run.
func (c *computed) learned(ctx *sql.Context, a *activation) {
	p, ok := a.s.Root().(*plan.Project)
	if c.refused = c.refused || !ok || len(p.Projections) != 1; c.refused {
		return
	}
	if t, ok := p.Child.(*plan.ResolvedTable); !ok || !plan.IsDualTable(t.Table) {
		c.refused = true
		return
	}
	pure := true
	out, _, err := transform.Expr(ctx, p.Projections[0], func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch n := e.(type) {
		case *programs.PlacedValue:
			s := &c.slots[n.Slot]
			return expression.NewGetField(n.Slot, s.typ, s.name.Name.String(), true), transform.NewTree, nil
		case *expression.UserVar:
			t, _, err := a.s.GetUserVariable(ctx, n.Name)
			c.users = append(c.users, programs.UserVariable{Name: n.Name, Typ: t})
			pure = pure && err == nil && t != nil
		case *plan.Subquery, *functionCall, sql.Aggregation, sql.WindowAggregation, *expression.BindVar, *expression.GetField:
			pure = false
		}
		return e, transform.SameTree, nil
	})
	if c.refused = err != nil || !pure; c.refused {
		return
	}
	if alias, ok := out.(*expression.Alias); ok {
		out = alias.Child
	}
	mended, err := trees.AsRun(ctx, []sql.Expression{out})
	if c.refused = err != nil; c.refused {
		return
	}
	c.number = programs.IntegersOf(ctx, out)
	c.expr, c.typ, c.row = mended[0], mended[0].Type(ctx), make(sql.Row, len(c.slots))
}
