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
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// program is the body of a stored program. The parser wraps it: GMS takes the whole for one
// statement that it has no operation for.
type program struct {
	ast.Statement
	read  map[ast.Statement]ast.Statement // its SQL statements, before the layer changed them
	code  code
	cases map[*ast.CaseStatement][]ast.Expr // comparisons with the value of CASE
}

// code is what was compiled of a program.
type code struct {
	version  uint64 // of the session's variables
	settings string
	exprs    map[ast.Expr]*computed
	steps    map[ast.Statement]*directStatement
}

// computed is an expression of a program.
type computed struct {
	expr   sql.Expression // nil: GMS plans it each time
	typ    sql.Type
	slots  []slot
	row    sql.Row // values of the slots
	users  []userVariable
	number integers // nil: not only integers

	plans   int  // that were made of it
	refused bool // it has a part that code does not deal with
}

// slot is a variable of the program in an expression.
type slot struct {
	name  *ast.ColName
	typ   sql.Type
	frame *frame // that was running when the variable was found
	found *variable
}

// userVariable is one of the session with the type for which an expression was planned.
type userVariable struct {
	name string
	typ  sql.Type
}

// codeSettings are the variables that planning depends on.
var codeSettings = []string{"sql_mode", "character_set_client", "character_set_connection", "collation_connection", "character_set_results", "div_precision_increment"}

// current is the code as the session's settings want it.
func (a *activation) current() *code {
	c := &a.body.code
	if version := a.s.variables.Load(); c.version != version || c.exprs == nil {
		var b strings.Builder
		for _, name := range codeSettings {
			v, _ := a.s.GetSessionVariable(nil, name)
			fmt.Fprintf(&b, "%v\x00", v)
		}
		if settings := b.String(); c.settings != settings || c.exprs == nil {
			*c = code{settings: settings, exprs: make(map[ast.Expr]*computed), steps: make(map[ast.Statement]*directStatement)}
		}
		c.version = version
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
		c = &computed{refused: !mayCompute(e)}
		code.exprs[e] = c
	}
	switch {
	case c.expr != nil && c.fits(a):
		return c, false
	case c.refused || c.plans == mostPlans:
		c.expr = nil
		return c, false
	}
	*c = computed{plans: c.plans + 1}
	return c, true
}

// mostPlans is how often an expression is planned in vain: it fails, or the types of what it reads
// change.
const mostPlans = 8

// fits finds the variables, and tells whether they are of the types for which the expression was
// planned.
func (c *computed) fits(a *activation) bool {
	for i := range c.slots {
		s := &c.slots[i]
		if s.frame == a.frame {
			continue
		}
		v := a.named(s.name)
		if v == nil || v.column.Type != s.typ && !v.column.Type.Equals(s.typ) {
			return false
		}
		s.frame, s.found = a.frame, v
	}
	for i := range c.users {
		t, _, err := a.s.GetUserVariable(nil, c.users[i].name)
		if err != nil || t != c.users[i].typ {
			return false
		}
	}
	return true
}

// evaluate computes the value. The warnings of the statement before stay where it leaves none.
func (c *computed) evaluate(a *activation) (v any, err error) {
	for i := range c.slots {
		c.row[i] = c.slots[i].found.value
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

// impure are functions of which a call is more than a value of its arguments, or that are about
// rows.
var impure = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`sleep benchmark get_lock release_lock release_all_locks is_free_lock is_used_lock load_file
		source_pos_wait master_pos_wait wait_for_executed_gtid_set values name_const default setval nextval
		count sum avg min max bit_and bit_or bit_xor std stddev stddev_pop stddev_samp variance var_pop var_samp group_concat json_arrayagg
		json_objectagg any_value grouping st_collect first last row_number rank dense_rank percent_rank ntile lag lead cume_dist
		first_value last_value nth_value`) {
		m[name] = true
	}
	return m
}()

// mayCompute tells whether the value of an expression may come without a plan. What a plan has made
// of it is looked at, too.
func mayCompute(e ast.Expr) bool {
	ok := true
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.ExistsExpr, *ast.AssignmentExpr, *ast.MatchExpr, *ast.Default, *ast.ValuesFuncExpr, *ast.GroupConcatExpr:
			ok = false
		case *ast.FuncExpr:
			name := n.Name.Lowered()
			if n.Over != nil || !n.Qualifier.IsEmpty() || impure[name] || name == "last_insert_id" && len(n.Exprs) > 0 {
				ok = false
			} else if _, ok = expr.Lookup(name); !ok {
				_, ok = builtIn.Function(nil, "", name)
			}
		}
		return ok, nil
	}, e)
	return ok
}

// placedValue stands for a variable in an expression that GMS plans for the first time.
type placedValue struct {
	expression.Literal
	slot int
}

var (
	_ ast.Injectable         = (*placedValue)(nil)
	_ sql.Expression         = (*placedValue)(nil)
	_ sql.CollationCoercible = (*placedValue)(nil)
)

// WithResolvedChildren implements ast.Injectable.
func (p *placedValue) WithResolvedChildren(context.Context, []any) (any, error) { return p, nil }

// WithChildren implements sql.Expression.
func (p *placedValue) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(p, len(children), 0)
	}
	return p, nil
}

// IsNullable implements sql.Expression.
func (*placedValue) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible: that of a variable is a column's.
func (p *placedValue) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if !types.IsText(p.Typ) {
		return sql.Collation_binary, 5
	}
	collation, _ := p.Typ.CollationCoercibility(ctx)
	return collation, 2
}

// place adds a variable to an expression that is planned for the first time; nil if its type is
// none that code deals with.
func (c *computed) place(name *ast.ColName, v *variable) ast.Expr {
	if !codeType(v.column.Type) {
		return nil
	}
	c.slots = append(c.slots, slot{name: name, typ: v.column.Type})
	value := &placedValue{*expression.NewLiteral(v.value, v.column.Type), len(c.slots) - 1}
	return ast.InjectedExpr{Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}, Expression: value}
}

// codeType tells types whose values are to GMS in a row what they are in a variable.
func codeType(t sql.Type) bool {
	switch {
	case types.IsYear(t), types.IsBit(t), types.IsTimestampType(t), types.IsEnum(t), types.IsSet(t), types.IsJSON(t), types.IsGeometry(t):
		return false
	}
	return types.IsInteger(t) || types.IsDecimal(t) || types.IsFloat(t) || types.IsText(t) || types.IsTime(t) || types.IsTimespan(t)
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
		case *placedValue:
			s := &c.slots[n.slot]
			return expression.NewGetField(n.slot, s.typ, s.name.Name.String(), true), transform.NewTree, nil
		case *expression.UserVar:
			t, _, err := a.s.GetUserVariable(ctx, n.Name)
			c.users = append(c.users, userVariable{n.Name, t})
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
	mended, err := asRun(ctx, []sql.Expression{out})
	if c.refused = err != nil; c.refused {
		return
	}
	c.number = integersOf(ctx, out)
	c.expr, c.typ, c.row = mended[0], mended[0].Type(ctx), make(sql.Row, len(c.slots))
}
