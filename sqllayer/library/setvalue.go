package library

// SET of a system variable that is a number: a literal out of its range is cut, with a warning, and
// one that is no integer refused, as in MySQL. GMS refuses both.

import (
	"math/big"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/texts"
	"emberdb/sqllayer/sqlerr"
)

// Numeric tells system variables that are numbers.
func Numeric(variable string) bool {
	_, _, ok := rangeOfVariable(variable)
	return ok
}

// Cut is the number nearest to n that a system variable takes; cut tells that it is another one.
func Cut(variable string, n int64) (nearest any, cut bool) {
	lower, upper, ok := rangeOfVariable(variable)
	if !ok {
		return n, false
	}
	given := big.NewInt(n)
	to := within(given, lower, upper)
	if to.IsInt64() {
		return to.Int64(), to != given
	}
	return to.Uint64(), true
}

// within is n, or the end of a range that it is beyond.
func within(n, lower, upper *big.Int) *big.Int {
	if n.Cmp(lower) < 0 {
		return lower
	}
	if n.Cmp(upper) > 0 {
		return upper
	}
	return n
}

// SetNumbers looks at the literals of SET.
func SetNumbers(n *ast.Set) error {
	for _, e := range n.Exprs {
		name := strings.ToLower(e.Name.Name.String())
		if strings.HasPrefix(name, "@") && !strings.HasPrefix(name, "@@") || e.Scope == ast.SetScope_User {
			continue
		}
		name = name[strings.LastIndexByte(name, '.')+1:]
		name = strings.TrimPrefix(name, "@@")
		lower, upper, ok := rangeOfVariable(name)
		if !ok {
			continue
		}
		literal, ok := numberLiteral(e.Expr)
		if !ok {
			continue
		}
		if literal == nil {
			return sqlerr.NewError(1232, "Incorrect argument type to variable '%s'", name)
		}
		if cut := within(literal, lower, upper); cut != literal {
			e.Expr = texts.CutCall(name, literal.String(), cut)
		}
	}
	return nil
}

// numberLiteral gives an integer's value, nil for a literal of another kind; ok is false for what
// is computed.
func numberLiteral(e ast.Expr) (v *big.Int, ok bool) {
	negative := false
	if u, is := e.(*ast.UnaryExpr); is && (u.Operator == ast.UMinusStr || u.Operator == ast.UPlusStr) {
		e, negative = u.Expr, u.Operator == ast.UMinusStr
	}
	switch n := e.(type) {
	case *ast.NullVal:
		return nil, true
	case *ast.SQLVal:
		switch n.Type {
		case ast.IntVal:
			if v, ok = new(big.Int).SetString(string(n.Val), 10); ok && negative {
				v.Neg(v)
			}
			return v, ok
		case ast.FloatVal, ast.StrVal:
			return nil, true
		}
	}
	return nil, false
}

// rangeOfVariable gives the bounds of a variable whose type is one of GMS's types of whole numbers,
// which keep them to themselves.
func rangeOfVariable(name string) (lower, upper *big.Int, ok bool) {
	v, _, ok := sql.SystemVariables.GetGlobal(name)
	if !ok || v.IsReadOnly() {
		return nil, nil, false
	}
	t := reflect.ValueOf(v.GetType())
	if t.Kind() != reflect.Struct {
		return nil, nil, false
	}
	switch from, to := t.FieldByName("lowerbound"), t.FieldByName("upperbound"); {
	case from.IsValid() && from.CanInt():
		if minusOne := t.FieldByName("negativeOne"); minusOne.IsValid() && minusOne.Bool() {
			return big.NewInt(min(from.Int(), -1)), big.NewInt(to.Int()), true
		}
		return big.NewInt(from.Int()), big.NewInt(to.Int()), true
	case from.IsValid() && from.CanUint():
		return new(big.Int).SetUint64(from.Uint()), new(big.Int).SetUint64(to.Uint()), true
	}
	return nil, nil, false
}
