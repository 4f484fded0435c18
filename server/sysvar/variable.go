package sysvar

import (
	"context"
	"math"
	"math/big"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/server/options"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/sqlerr"
)

// Variable is a system variable that a definition describes.
type Variable struct {
	*sql.MysqlSystemVariable
	def *options.Def
	own OwnValue            // nil for most
	now atomic.Pointer[any] // the global value; the registry of variables is locked while one is set
}

// OwnValue replaces what a definition's kind does with a value of SET. all is the global value that
// the variable has, global whether the value is for all.
type OwnValue func(ctx *sql.Context, value, all any, global bool) (any, error)

// New makes the variable called name of a definition. value is its first global value as package
// options has it.
func New(d *options.Def, name string, value any) *Variable {
	scope := sql.SystemVariableScope_Global
	if d.Session {
		scope = sql.SystemVariableScope_Both
	}
	v := &Variable{def: d, MysqlSystemVariable: &sql.MysqlSystemVariable{
		Name: name, Type: typeOf(d, name), Default: Kept(d, value), Scope: sql.GetMysqlScope(scope),
		Dynamic: d.Dynamic, SetVarHintApplies: d.Session,
	}}
	v.now.Store(&v.Default)
	return v
}

// Own gives the variable a function of its own for the values of SET.
func (v *Variable) Own(f OwnValue) *Variable {
	v.own = f
	return v
}

// Scopes tells which values a system variable has: one for all, one for each session.
func Scopes(v sql.SystemVariable) (global, session bool) {
	m, ok := v.(*sql.MysqlSystemVariable)
	if own, is := v.(*Variable); is {
		m, ok = own.MysqlSystemVariable, true
	}
	if !ok || m.Scope == nil {
		return true, true
	}
	return m.Scope.Type != sql.SystemVariableScope_Session, m.Scope.Type != sql.SystemVariableScope_Global
}

// Of finds the Variable called name.
func Of(name string) (*Variable, bool) {
	found, _, _ := sql.SystemVariables.GetGlobal(name)
	v, ok := found.(*Variable)
	return v, ok
}

// SetValue implements sql.SystemVariable. It is what SET does.
func (v *Variable) SetValue(ctx *sql.Context, value any, global bool) (sql.SystemVarValue, error) {
	if v.IsReadOnly() || global && v.Scope.IsSessionOnly() || !global && v.IsGlobalOnly() {
		return v.MysqlSystemVariable.SetValue(ctx, value, global) // refuses it
	}
	value = v.defaulted(value, global)
	taken, cut, err := v.Take(ctx, value, global)
	if err != nil {
		return sql.SystemVarValue{}, err
	}
	if cut != "" && ctx.Session != nil {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: erTruncated, Message: v.Truncated(cut)})
	}
	return v.keep(ctx, taken, global)
}

// InitValue implements sql.SystemVariable. The server itself gives the value.
func (v *Variable) InitValue(ctx *sql.Context, value any, global bool) (sql.SystemVarValue, error) {
	taken, _, err := v.Take(ctx, value, global)
	if err != nil {
		return sql.SystemVarValue{}, err
	}
	return v.keep(ctx, taken, global)
}

// keep makes a value that was taken the variable's.
func (v *Variable) keep(ctx *sql.Context, taken any, global bool) (sql.SystemVarValue, error) {
	set, err := v.MysqlSystemVariable.InitValue(ctx, taken, global)
	if err != nil {
		return set, err
	}
	if set.Var = v; global {
		v.now.Store(&set.Val)
	}
	return set, nil
}

// Truncated is the text of warning 1292 for a value that was cut.
func (v *Variable) Truncated(given string) string {
	return "Truncated incorrect " + v.Name + " value: '" + given + "'"
}

// Takes is nil if SET would take the value.
func (v *Variable) Takes(ctx *sql.Context, value any, global bool) error {
	_, _, err := v.Take(ctx, v.defaulted(value, global), global)
	return err
}

// defaulted is the value that DEFAULT stands for: the global value for a session, and for all the
// one that the definition has.
func (v *Variable) defaulted(value any, global bool) any {
	if _, is := value.(library.DefaultValue); !is {
		return value
	}
	if !global {
		return *v.now.Load()
	}
	return Kept(v.def, v.def.Default)
}

const erTruncated = 1292

// WrongType is the error of a value whose kind a variable does not take.
func WrongType(variable string) error {
	return sqlerr.NewError(1232, "Incorrect argument type to variable '%s'", variable)
}

// WrongValue is the error of a value that a variable does not take.
func WrongValue(variable, text string) error {
	return sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", variable, text)
}

// Kept is a setting's value in the form that variables keep: booleans as int8, NULL as nil, no limit
// as the largest uint64.
func Kept(d *options.Def, value any) any {
	switch n := value.(type) {
	case bool:
		if n {
			return int8(1)
		}
		return int8(0)
	case int64:
		if d.Unsigned {
			return unlimited(d, uint64(n))
		}
	case string:
		if d.Null && n == "" {
			return nil
		}
	}
	return value
}

// unlimited is the number that a variable without a sign shows: the largest one in its steps for no
// limit.
func unlimited(d *options.Def, n uint64) uint64 {
	if n < math.MaxInt64 {
		if d.Step == 0 || n < math.MaxInt64-uint64(d.Step) {
			return n
		}
	}
	if d.Step > 1 {
		return math.MaxUint64 - uint64(d.Step) + 1
	}
	return math.MaxUint64
}

// Setting undoes Kept.
func Setting(d *options.Def, value any) any {
	switch n := value.(type) {
	case int8:
		if d.Kind == options.Bool {
			return n != 0
		}
		return int64(n)
	case uint64:
		return int64(min(n, math.MaxInt64))
	case nil:
		return ""
	}
	return value
}

// typeOf is the type of a variable's value. Only booleans let go-mysql-server read what SET is given:
// it makes numbers of texts.
func typeOf(d *options.Def, name string) sql.Type {
	switch d.Kind {
	case options.Bool:
		return types.NewSystemBoolType(name)
	case options.Int:
		if d.Min >= 0 && !d.Signed {
			return number{types.NewSystemUintType(name, 0, math.MaxUint64).(numberType)}
		}
		return number{types.NewSystemIntType(name, d.Min, d.Max, false).(numberType)}
	case options.Float:
		return number{types.NewSystemDoubleType(name, float64(d.Min), float64(d.Max)).(numberType)}
	case options.Enum:
		return choice{types.NewSystemEnumType(name, d.Values...)}
	}
	return text{types.NewSystemStringType(name).(stringType)}
}

// The types of variables whose values have been read: they let go-mysql-server change nothing.
type (
	text   struct{ stringType }
	number struct{ numberType }
	choice struct{ sql.SystemVariableType }
)

type stringType interface {
	sql.SystemVariableType
	sql.StringType
}

type numberType interface {
	sql.SystemVariableType
	sql.NumberType
}

// Convert implements sql.Type.
func (text) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	return v, sql.InRange, nil
}

// Convert implements sql.Type.
func (choice) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	return v, sql.InRange, nil
}

// Convert implements sql.Type.
func (number) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	return v, sql.InRange, nil
}

// bounds are the ends of an integer's range.
func bounds(d *options.Def) (lower, upper *big.Int) {
	lower, upper = big.NewInt(d.Min), big.NewInt(d.Max)
	if d.Unsigned && d.Max == math.MaxInt64 {
		upper.SetUint64(math.MaxUint64)
	}
	return lower, upper
}
