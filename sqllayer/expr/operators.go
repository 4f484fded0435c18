package expr

import (
	"context"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/temporal"
	"emberdb/sqllayer/expr/texts"
)

// operators are the names of the functions that Replace calls.
var operators = map[string]string{ast.PlusStr: "+", ast.MinusStr: "-", ast.MultStr: "*", ast.DivStr: "/", ast.ModStr: "%", ast.IntDivStr: "div "}

// Replace makes arithmetic operators in a parsed statement calls of functions, in place. Dates with
// intervals stay. A statement that ends meanwhile is left half done.
func Replace(ctx context.Context, stmt ast.Statement) error {
	found := false
	if err := ast.Walk(func(n ast.SQLNode) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || operators[strings.ToLower(n.Operator)] != "" || numbers.BitOperators[n.Operator] || isInterval(n.Left) || isInterval(n.Right) ||
				n.Operator == ast.JSONExtractOp || n.Operator == ast.JSONUnquoteExtractOp
		case *ast.CharExpr:
			found = found || n.Type != ""
		case *ast.CaseExpr, *ast.ConvertUsingExpr, *ast.ConvertExpr, *ast.TrimExpr, *ast.GroupConcatExpr, *ast.ExtractFuncExpr,
			*ast.TimestampFuncExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Operator == ast.TildaStr || numbers.IsNegation(n)
		case *ast.ComparisonExpr, *ast.NotExpr:
			c, compares := n.(*ast.ComparisonExpr)
			found = found || compares && texts.RegexpOperator(c) != nil || compare.NotInCall(n.(ast.Expr)) != nil || compare.IsQuantified(n) || documents.IsMemberOf(n)
		case *ast.FuncExpr:
			found = found || temporal.IsTyped(n)
		case *ast.SQLVal:
			found = found || numbers.IsBits(n)
		case *ast.MatchExpr:
			found = true
		case *ast.DDL, *ast.Explain:
			found = true // the walk does not enter definitions and explained statements
		}
		return !found, nil
	}, stmt); err != nil {
		return err
	}
	if found {
		(&replacer{ctx: ctx, seen: map[uintptr]bool{}, conditions: map[*ast.MatchExpr]bool{}}).value(reflect.ValueOf(stmt))
	}
	return ctx.Err()
}

// replacer walks the tree by reflection: the parser has no way to exchange a node whatever holds
// it.
type replacer struct {
	ctx        context.Context
	seen       map[uintptr]bool
	conditions map[*ast.MatchExpr]bool // those that a full-text index may serve
	defines    bool                    // in the definition of columns
}

func (r *replacer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		r.value(v.Elem())
		if v.Type() != operand.ExprType || !v.CanSet() {
			return
		}
		numbers.OperandLiterals(v.Interface().(ast.Expr))
		switch e := v.Interface().(type) {
		case *ast.SQLVal:
			if numbers.IsBits(e) && !r.defines {
				v.Set(reflect.ValueOf(numbers.BytesLiteral(e)))
			}
		case *ast.ComparisonExpr, *ast.NotExpr:
			if call := compare.NotInCall(e.(ast.Expr)); call != nil {
				v.Set(reflect.ValueOf(call))
			} else if c, ok := e.(*ast.ComparisonExpr); ok {
				if call := texts.RegexpOperator(c); call != nil {
					v.Set(reflect.ValueOf(call))
				} else if query := compare.Quantified(c); query != nil {
					v.Set(reflect.ValueOf(query))
				} else if call := documents.MemberOf(c); call != nil {
					v.Set(reflect.ValueOf(call))
				} else {
					numbers.ComparedLiterals(c)
				}
			}
		case *ast.BinaryExpr:
			if call := call(e); call != nil {
				v.Set(reflect.ValueOf(call))
			}
		case *ast.CaseExpr:
			v.Set(reflect.ValueOf(operand.CallOf(numbers.CaseResult, e)))
		case *ast.RangeCond:
			numbers.ComparedLiterals(e)
		case *ast.FuncExpr:
			numbers.ArgumentLiterals(e)
		case *ast.ConvertExpr:
			operand.WantsText(e)
			if call := castCall(e); call != nil {
				v.Set(reflect.ValueOf(call))
				return
			}
			switch strings.ToLower(e.Type.Type) {
			case "char", "nchar":
				e.Expr = texts.CastOperand(e)
				v.Set(reflect.ValueOf(texts.InCharset(operand.CallOf(operand.ResultText, operand.ShortenedCast(e)), e.Type)))
			case "binary":
				if e.Type.Length != nil {
					v.Set(reflect.ValueOf(operand.FilledCast(e)))
				} else {
					v.Set(reflect.ValueOf(operand.CallOf(operand.BytesCast, e)))
				}
			case "date":
				e.Expr = operand.CallOf(temporal.WantsDate, e.Expr)
				v.Set(reflect.ValueOf(operand.CallOf(temporal.CastDate, e)))
			case "datetime":
				e.Expr = operand.CallOf(temporal.WantsMoment, e.Expr)
				v.Set(reflect.ValueOf(operand.CallOf(temporal.CastMoment(digitsOf(e.Type)), e)))
			case "time":
				e.Expr = operand.CallOf(temporal.WantsTime+digitsOf(e.Type), e.Expr)
			}
		case *ast.ExtractFuncExpr:
			unit := strings.ToLower(e.Unit)
			if temporal.OfClock(unit) {
				v.Set(reflect.ValueOf(operand.CallOf(temporal.ExtractClock+unit, e.Expr)))
			} else {
				e.Expr = operand.CallOf(temporal.DatesParted, e.Expr)
				v.Set(reflect.ValueOf(operand.CallOf(temporal.DateParts+unit, e)))
			}
		case *ast.TimestampFuncExpr:
			if e.Expr2 = operand.CallOf(temporal.WantsMoment, e.Expr2); e.Name == "timestampdiff" {
				e.Expr1 = operand.CallOf(temporal.WantsMoment, e.Expr1)
				v.Set(reflect.ValueOf(operand.CallOf(temporal.DateParts+e.Name, e)))
			}
		case *ast.ConvertUsingExpr:
			v.Set(reflect.ValueOf(texts.UsingCall(e)))
		case *ast.CharExpr:
			if set := e.Type; set != "" {
				e.Type = ""
				v.Set(reflect.ValueOf(texts.UsingCall(&ast.ConvertUsingExpr{Expr: e, Type: set})))
			}
		case *ast.TrimExpr:
			v.Set(reflect.ValueOf(texts.TrimCall(e)))
		case *ast.GroupConcatExpr:
			v.Set(reflect.ValueOf(aggregate.GroupConcatCall(e)))
		case *ast.MatchExpr:
			if language(e); !r.conditions[e] {
				v.Set(reflect.ValueOf(operand.CallOf(relevance, e)))
			}
		case *ast.UnaryExpr:
			if e.Operator == ast.TildaStr {
				v.Set(reflect.ValueOf(operand.CallOf(numbers.Invert, numbers.BitLiteral(e.Expr))))
			} else if numbers.IsNegation(e) {
				v.Set(reflect.ValueOf(operand.CallOf(numbers.Negate, numbers.NumberLiteral(e.Expr))))
			}
		}
	case reflect.Pointer:
		if v.IsNil() || r.seen[v.Pointer()] || r.ctx.Err() != nil {
			return
		}
		r.seen[v.Pointer()] = true
		if s, ok := v.Interface().(*ast.Select); ok {
			hoist(s)
		}
		if w, ok := v.Interface().(*ast.Where); ok && w.Type == ast.WhereStr {
			r.condition(w.Expr)
		}
		outer := r.defines
		switch v.Interface().(type) {
		case *ast.TableSpec, *ast.DefaultSpec:
			r.defines = true
		}
		r.value(v.Elem())
		r.defines = outer
		numbers.StoredLiterals(v.Interface())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.value(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		if v.Type().Elem() == statementType && v.CanSet() {
			splitSets(v)
		}
		for i := 0; i < v.Len() && r.ctx.Err() == nil; i++ {
			r.value(v.Index(i))
		}
	}
}

// digitsOf is the number of digits of TIME(n), as it is written.
func digitsOf(t *ast.ConvertType) string {
	if t.Length == nil {
		return "0"
	}
	return string(t.Length.Val)
}

var statementType = reflect.TypeFor[ast.Statement]()

// splitSets makes SET of several variables several SETs in a list of a stored program's statements:
// go-mysql-server takes only one there.
func splitSets(list reflect.Value) {
	out := reflect.MakeSlice(list.Type(), 0, list.Len())
	split := false
	for i := range list.Len() {
		set, ok := list.Index(i).Interface().(*ast.Set)
		if !ok || len(set.Exprs) < 2 {
			out = reflect.Append(out, list.Index(i))
			continue
		}
		split = true
		for _, e := range set.Exprs {
			one := *set
			one.Exprs = ast.SetVarExprs{e}
			out = reflect.Append(out, reflect.ValueOf(&one))
		}
	}
	if split {
		list.Set(out)
	}
}

func call(b *ast.BinaryExpr) *ast.FuncExpr {
	name := operators[strings.ToLower(b.Operator)]
	switch b.Operator {
	case ast.JSONExtractOp:
		return operand.CallOf("json_extract", b.Left, b.Right)
	case ast.JSONUnquoteExtractOp:
		return operand.CallOf("json_unquote", operand.CallOf("json_extract", b.Left, b.Right))
	}
	if isInterval(b.Left) || isInterval(b.Right) {
		return shift(b)
	}
	if numbers.BitOperators[b.Operator] {
		return operand.CallOf(b.Operator, numbers.BitLiteral(b.Left), numbers.BitLiteral(b.Right))
	}
	if name == "" {
		return nil
	}
	return operand.CallOf(name, numbers.NumberLiteral(b.Left), numbers.NumberLiteral(b.Right))
}

// shift makes a date plus or minus an interval a call of DATE_ADD or DATE_SUB.
func shift(b *ast.BinaryExpr) *ast.FuncExpr {
	date, by := b.Left, b.Right
	name := "date_add"
	switch {
	case b.Operator == ast.PlusStr && isInterval(date):
		date, by = by, date
	case b.Operator == ast.MinusStr && isInterval(by):
		name = "date_sub"
	case b.Operator != ast.PlusStr:
		return nil
	}
	return operand.CallOf(name, date, by)
}

func isInterval(e ast.Expr) bool {
	_, ok := e.(*ast.IntervalExpr)
	return ok
}

func init() {
	for _, name := range operators {
		op := strings.TrimSpace(name)
		operand.Register(sql.Function2{Name: name, Fn: func(_ *sql.Context, l, r sql.Expression) sql.Expression { return numbers.NewArithmetic(op, l, r) }})
	}
	operand.Register(sql.Function2{Name: "mod", Fn: func(_ *sql.Context, l, r sql.Expression) sql.Expression { return numbers.NewArithmetic("%", l, r) }})
}
