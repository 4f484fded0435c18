package compiled

import (
	"math"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/numbers"
)

// A scalar is a value that has to be computed: arithmetic on columns and operands, the current
// time. It is evaluated by the SQL layer's own expressions, so results, types and errors are
// theirs; an error leaves the statement to GMS.
//
// The expression is made at every execution, for types of operands may differ; its row is the
// table's columns as they are, then those of the row that INSERT ... ON DUPLICATE KEY UPDATE could
// not insert.
type scalar struct {
	kind    scalarKind
	op      string // of scalarArithmetic
	a, b    *scalar
	col     int     // of scalarColumn, scalarInserted
	operand operand // of scalarOperand; of scalarNow the digits of seconds
}

type scalarKind uint8

const (
	scalarOperand scalarKind = iota
	scalarColumn
	scalarInserted // VALUES(column)
	scalarNow
	scalarArithmetic
)

var arithmetic = map[string]bool{ast.PlusStr: true, ast.MinusStr: true, ast.MultStr: true, ast.DivStr: true, ast.ModStr: true}

// scalar compiles an expression. columns: it may name columns of the table; c.inserted is what the
// row of VALUES goes by.
func (c *compiler) scalar(e ast.Expr, columns bool) *scalar {
	switch n := e.(type) {
	case *ast.ParenExpr:
		return c.scalar(n.Expr, columns)
	case *ast.BinaryExpr:
		need(arithmetic[n.Operator])
		return &scalar{kind: scalarArithmetic, op: n.Operator, a: c.scalar(n.Left, columns), b: c.scalar(n.Right, columns)}
	case *ast.ColName:
		need(columns)
		if c.inserted != "" && strings.EqualFold(n.Qualifier.Name.String(), c.inserted) {
			return &scalar{kind: scalarInserted, col: c.find(n.Name.String())}
		}
		return &scalar{kind: scalarColumn, col: c.column(n)}
	case *ast.ValuesFuncExpr:
		need(columns && c.p.verb == verbInsert)
		return &scalar{kind: scalarInserted, col: c.find(n.Name.Name.String())}
	case *ast.FuncExpr:
		return c.now(n)
	}
	return &scalar{operand: c.operand(e)}
}

// now takes NOW() and what else it is called.
func (c *compiler) now(e *ast.FuncExpr) *scalar {
	s := &scalar{kind: scalarNow, operand: operand{param: -1, value: Param{Kind: KindInt}}}
	need(e.Over == nil && !e.Distinct && e.Qualifier.IsEmpty())
	switch e.Name.Lowered() {
	case "now", "current_timestamp", "localtime", "localtimestamp":
	default:
		giveUp()
	}
	if len(e.Exprs) == 0 {
		return s
	}
	arg, ok := e.Exprs[0].(*ast.AliasedExpr)
	need(ok && len(e.Exprs) == 1)
	s.operand = c.operand(arg.Expr)
	need(!s.operand.negative)
	return s
}

// columns calls f for every column the scalar reads, inserted ones counted behind the table's.
func (s *scalar) columns(n int, f func(int)) {
	switch s.kind {
	case scalarColumn:
		f(s.col)
	case scalarInserted:
		f(n + s.col)
	case scalarArithmetic:
		s.a.columns(n, f)
		s.b.columns(n, f)
	}
}

// expression makes what evaluates s in this execution; nil if GMS has to.
func (x *Exec) expression(s *scalar) sql.Expression {
	switch s.kind {
	case scalarColumn, scalarInserted:
		at := s.col
		if s.kind == scalarInserted {
			at += len(x.p.cols)
		}
		col := &x.p.cols[s.col]
		return expression.NewGetField(at, x.p.info.Type(s.col), col.name, col.Nullable)
	case scalarNow:
		var args []sql.Expression
		switch n := x.param(&s.operand); {
		case n.Kind != KindInt || n.int() < 0 || n.int() > 6:
			return nil
		case n.int() > 0:
			args = append(args, expression.NewLiteral(int8(n.int()), types.Int8))
		}
		e, err := function.NewNow(x.sc, args...)
		if err != nil {
			return nil
		}
		return e
	case scalarArithmetic:
		if s.op == ast.DivStr && (x.isDouble(s.a) || x.isDouble(s.b)) {
			return nil // the quotient has more digits than that of a DECIMAL
		}
		a, b := x.expression(s.a), x.expression(s.b)
		if a == nil || b == nil {
			return nil
		}
		return numbers.NewArithmetic(s.op, a, b)
	}
	p := x.param(&s.operand)
	if s.operand.negative && p.Kind == KindString {
		return nil
	}
	if v, t, ok := literal(&p); ok {
		return expression.NewLiteral(v, t)
	}
	return nil
}

// isDouble tells what is computed of a parameter that came as a DOUBLE.
func (x *Exec) isDouble(s *scalar) bool {
	switch s.kind {
	case scalarArithmetic:
		return x.isDouble(s.a) || x.isDouble(s.b)
	case scalarOperand:
		return s.operand.param >= 0 && x.params[s.operand.param].Double
	}
	return false
}

// literal is a parameter as GMS's literal.
func literal(p *Param) (v any, t sql.Type, ok bool) {
	switch p.Kind {
	case KindNull:
		return nil, types.Null, true
	case KindInt:
		return p.int(), types.Int64, true
	case KindUint:
		return p.N, types.Uint64, true
	case KindDecimal:
		text := string(p.B)
		precision, scale := expression.GetDecimalPrecisionAndScale(text)
		d, _, err := apd.NewFromString(text)
		return d, types.CreateLiteralDecimalType(precision, scale), err == nil
	case KindString:
		return string(p.B), types.LongText, true
	case KindFloat:
		return math.Float64frombits(p.N), types.Float64, true
	}
	return nil, nil, false
}

// compute evaluates s and makes it the value of a column; false if GMS has to.
func (x *Exec) compute(s *scalar, col int, vals, inserted []row.Value) (out row.Value, ok bool) {
	n := len(x.p.cols)
	if cap(x.eval) < 2*n {
		x.eval = make(sql.Row, 2*n)
	}
	r := x.eval[:2*n]
	ok = true
	s.columns(n, func(i int) {
		var v row.Value
		at := i % n
		if i >= n {
			v = inserted[at]
		} else {
			v = vals[at]
		}
		var err error
		r[i], err = x.p.info.Decode(x.session.Zone(), at, v)
		ok = ok && err == nil
	})
	e := x.expression(s)
	if !ok || e == nil {
		return out, false
	}
	v, err := e.Eval(x.sc, r)
	if err != nil || x.sc.Session.WarningCount() > 0 {
		return out, false
	}
	return x.storeComputed(col, v)
}

// storeComputed makes a value that was computed of the statement's operands that of a column.
func (x *Exec) storeComputed(col int, v any) (out row.Value, ok bool) {
	if x.half(col, v) {
		return out, false
	}
	return x.storeGenerated(col, v)
}

// half tells a value that goes to the even neighbour if it is a double, away from zero if it is a
// decimal: a parameter may be either.
func (x *Exec) half(col int, v any) bool {
	d, ok := v.(*apd.Decimal)
	if !ok || !x.p.cols[col].Type.Integer() {
		return false
	}
	_, fraction, _ := strings.Cut(d.Text('f'), ".")
	return strings.TrimRight(fraction, "0") == "5"
}

// storeGenerated is storeComputed of columns alone.
func (x *Exec) storeGenerated(col int, v any) (out row.Value, ok bool) {
	switch v.(type) {
	case *apd.Decimal, float32, float64: // how many digits its text has depends on how the statement came
		c := &x.p.cols[col]
		switch c.Type {
		case row.TBinary, row.TVarbinary, row.TBlob, row.TDate, row.TDateTime, row.TTimestamp, row.TTime:
			return out, false
		}
		if c.character {
			return out, false
		}
	}
	return x.store(col, v)
}

// store makes a value of GMS that of a column.
func (x *Exec) store(col int, v any) (out row.Value, ok bool) {
	switch v.(type) {
	case int64, uint64, nil:
	default:
		// INSERT and UPDATE round BIT differently; a YEAR is rounded of a decimal, cut of a double,
		// and a parameter was one of them.
		if t := x.p.cols[col].Type; t == row.TBit || t == row.TYear {
			return out, false
		}
	}
	out, ok = x.p.info.Store(x.sc, col, v)
	if out.IsNull() && !x.p.cols[col].Nullable {
		return out, false
	}
	return out, ok
}
