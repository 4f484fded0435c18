package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	gms "github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/server/sysvar"
	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/library"
)

// Variables in the executor's statements.

// systemVariable is a system variable as a constant of the statement. One that cannot be read, or
// is no integer and no text, is the library's.
func systemVariable(ctx *sql.Context, n *ast.SystemVar, collation uint16) (fn.Expr, error) {
	refused := fn.Refuse(fn.ByVariable, "@@"+n.Name.Name)
	v, err := foundVariable(n.Component, n.Name)
	if err != nil || ofDiagnostics(n.Name.Name) {
		return nil, refused
	}
	global, session := sysvar.Scopes(v)
	scope := sql.SystemVariableScope_Session
	switch n.Scope {
	case ast.GlobalScope:
		session = false
	case ast.SessionScope, ast.LocalScope:
		global = false
	case ast.NoScope:
	default:
		return nil, refused
	}
	if !session {
		scope = sql.SystemVariableScope_Global
	}
	if !session && !global {
		return nil, refused
	}
	value, err := expression.NewSystemVar(strings.ToLower(v.GetName()), sql.GetMysqlScope(scope), "").Eval(ctx, nil)
	if err != nil {
		return nil, refused
	}
	out, err := valueOfVariable(gms.LongText, value)
	c, ok := out.(*fn.Const)
	if err != nil || !ok {
		return nil, refused
	}
	switch c.T.Kind {
	case types.Int, types.Uint:
		if sqltypes.IsUnsigned(v.GetType().Type()) && c.T.Kind == types.Int {
			c.V.Kind, c.T = types.Uint, types.UintType(21, true)
		}
		if _, switches := v.GetType().(gms.SystemBoolType); switches {
			c.T.Length = 1
		}
	case types.String:
		c.T = types.StringType(longestSetting, collation, types.Sysconst, true)
	default:
		return nil, refused
	}
	return c, nil
}

// ofDiagnostics tells variables that read what a statement has left, and leave it.
func ofDiagnostics(name string) bool {
	return strings.EqualFold(name, "warning_count") || strings.EqualFold(name, "error_count")
}

// longestSetting is how many characters a text in a system variable is described to have.
const longestSetting = 21845

// userVariable is a user variable as a constant. A DECIMAL is described with more digits than it
// has, which is the library's to tell.
func userVariable(s *sqllayer.Session, name string, collation uint16) (fn.Expr, error) {
	t, v, err := s.GetUserVariable(nil, strings.ToLower(name))
	if err != nil {
		return nil, err
	}
	if v != nil {
		out, err := valueOfVariable(t, v)
		if err == nil && out.Type().Kind == types.Decimal {
			return nil, fn.Refuse(fn.ByVariable, name)
		}
		return out, err
	}
	none := types.StringType(unsetVariable, collation, types.Implicit, true)
	switch {
	case gms.IsUnsigned(t):
		none = types.UintType(21, true)
	case gms.IsInteger(t):
		none = types.IntType(21, true)
	case gms.IsFloat(t):
		none = types.FloatType(true)
	case gms.IsDecimal(t):
		return nil, fn.Refuse(fn.ByVariable, name)
	}
	null := types.NewVec(none.Kind, 1)
	null.SetNull(0)
	return fn.NewConst(null, none), nil
}

// unsetVariable is how many characters a variable is described to have that has not been set.
const unsetVariable = 16383

// assignable are the user variables of a session, for a statement that assigns some.
type assignable struct {
	ctx       *sql.Context
	s         *sqllayer.Session
	collation uint16
}

var _ fn.Variables = assignable{}

// Get implements fn.Variables.
func (a assignable) Get(name string) (fn.Expr, error) {
	t, v, err := a.s.GetUserVariable(nil, name)
	if err != nil || v == nil {
		return userVariable(a.s, name, a.collation)
	}
	return valueOfVariable(t, v)
}

// Set implements fn.Variables.
func (a assignable) Set(name string, t types.Type, v *types.Vec, i int) error {
	if v.Kind == types.Decimal {
		t.Scale = uint8(min(v.Scale, int(t.Scale)))
	}
	typ, err := library.TypeOf(t)
	if err != nil {
		return err
	}
	value, err := library.Value(&t, v, i)
	if err != nil {
		return err
	}
	return a.ctx.SetUserVariable(a.ctx, name, value, typ)
}

// keptVariable is what a user variable was before a statement.
type keptVariable struct {
	name  string
	typ   sql.Type
	value any
}

type keptVariables []keptVariable

// variablesBefore keeps the variables that a statement assigns, which another way may run yet.
func variablesBefore(s *sqllayer.Session, names []string) (out keptVariables, err error) {
	for _, name := range names {
		t, v, err := s.GetUserVariable(nil, name)
		if err != nil {
			return nil, err
		}
		out = append(out, keptVariable{name, t, v})
	}
	return out, nil
}

// restore brings them back.
func (k keptVariables) restore(ctx *sql.Context) error {
	for _, v := range k {
		if err := ctx.SetUserVariable(ctx, v.name, v.value, v.typ); err != nil {
			return err
		}
	}
	return nil
}
