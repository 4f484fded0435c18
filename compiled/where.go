package compiled

import (
	"bytes"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
)

// A WHERE is a list of conditions that must all hold. A condition compares a column with operands; NULL on either side makes it not hold,
// but for <=> and IS NULL.

type op uint8

const (
	opEq op = iota
	opNullEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opIn
	opBetween
	opIsNull
	opIsNotNull
)

type cond struct {
	op   op
	col  int
	args []operand
	path bool // the access path makes sure of it
	at   int  // first of its operands among the resolved ones
}

func (c *compiler) conditions(w *ast.Where) {
	if w == nil {
		return
	}
	c.and(w.Expr)
	at := 0
	for i := range c.p.where {
		c.p.where[i].at = at
		at += len(c.p.where[i].args)
	}
}

func (c *compiler) and(e ast.Expr) {
	switch e := e.(type) {
	case *ast.AndExpr:
		c.and(e.Left)
		c.and(e.Right)
	case *ast.ParenExpr:
		c.and(e.Expr)
	case *ast.ComparisonExpr:
		c.comparison(e)
	case *ast.RangeCond:
		need(e.Operator == ast.BetweenStr)
		c.add(opBetween, e.Left, e.From, e.To)
	case *ast.IsExpr:
		switch e.Operator {
		case ast.IsNullStr:
			c.add(opIsNull, e.Expr)
		case ast.IsNotNullStr:
			c.add(opIsNotNull, e.Expr)
		default:
			giveUp()
		}
	default:
		giveUp()
	}
}

var comparisons = map[string]op{
	ast.EqualStr: opEq, ast.NullSafeEqualStr: opNullEq, ast.NotEqualStr: opNe, "<>": opNe,
	ast.LessThanStr: opLt, ast.LessEqualStr: opLe, ast.GreaterThanStr: opGt, ast.GreaterEqualStr: opGe,
}

var mirrored = map[op]op{opEq: opEq, opNullEq: opNullEq, opNe: opNe, opLt: opGt, opLe: opGe, opGt: opLt, opGe: opLe}

func (c *compiler) comparison(e *ast.ComparisonExpr) {
	need(e.Escape == nil)
	if e.Operator == ast.InStr {
		list, ok := e.Right.(ast.ValTuple)
		need(ok && len(list) > 0)
		c.add(opIn, e.Left, list...)
		return
	}
	o, ok := comparisons[e.Operator]
	need(ok)
	if _, left := e.Left.(*ast.ColName); left {
		c.add(o, e.Left, e.Right)
		return
	}
	c.add(mirrored[o], e.Right, e.Left)
}

func (c *compiler) add(o op, col ast.Expr, args ...ast.Expr) {
	name, ok := col.(*ast.ColName)
	need(ok)
	n := cond{op: o, col: c.column(name)}
	switch c.p.cols[n.col].Type {
	case row.TFloat32, row.TTimestamp, row.TTime, row.TYear, row.TBit, row.TEnum, row.TSet, row.TJSON, row.TGeometry:
		need(len(args) == 0)
	}
	need(o != opNullEq || !c.p.cols[n.col].character) // GMS compares bytes there
	for _, a := range args {
		n.args = append(n.args, c.operand(a))
	}
	c.p.where = append(c.p.where, n)
}

func parseExpr(text string) (ast.Expr, error) {
	stmt, err := ast.Parse("SELECT " + text)
	if err != nil {
		return nil, err
	}
	if s, ok := stmt.(*ast.Select); ok && len(s.SelectExprs) == 1 && s.Where == nil {
		if e, ok := s.SelectExprs[0].(*ast.AliasedExpr); ok {
			return e.Expr, nil
		}
	}
	return nil, errNotMine
}

// value is an operand at run time.
type value struct {
	fit fit
	v   row.Value
	key []byte // of a character column: its key, which is what is compared
}

// compare compares a column's value, which is not NULL, with an operand.
func (x *Exec) compare(c *column, v row.Value, to *value) int {
	switch to.fit {
	case fitBelow:
		return 1
	case fitAbove:
		return -1
	}
	switch v.Kind {
	case row.Int:
		return cmp3(v.Int() < to.v.Int(), v.Int() > to.v.Int())
	case row.Uint:
		return cmp3(v.N < to.v.N, v.N > to.v.N)
	case row.Float:
		return cmp3(v.Float() < to.v.Float(), v.Float() > to.v.Float())
	}
	if !c.character {
		return bytes.Compare(v.B, to.v.B)
	}
	x.key = row.AppendKeyPart(x.key[:0], c.Column, c.key, v)
	return bytes.Compare(x.key, to.key)
}

func cmp3(less, more bool) int {
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

// matches tells whether a row fulfils the conditions the path does not make sure of.
func (x *Exec) matches(vals []row.Value) bool {
	for i := range x.p.where {
		c := &x.p.where[i]
		if !c.path && !x.holds(c, vals[c.col]) {
			return false
		}
	}
	return true
}

func (x *Exec) holds(c *cond, v row.Value) bool {
	args := x.values[c.at : c.at+len(c.args)]
	col := &x.p.cols[c.col]
	switch c.op {
	case opIsNull:
		return v.IsNull()
	case opIsNotNull:
		return !v.IsNull()
	case opNullEq:
		if v.IsNull() || args[0].fit == fitNull {
			return v.IsNull() && args[0].fit == fitNull
		}
		return x.compare(col, v, &args[0]) == 0
	}
	if v.IsNull() {
		return false
	}
	if c.op == opIn {
		for i := range args {
			if args[i].fit != fitNull && x.compare(col, v, &args[i]) == 0 {
				return true
			}
		}
		return false
	}
	for i := range args {
		if args[i].fit == fitNull {
			return false
		}
	}
	n := x.compare(col, v, &args[0])
	switch c.op {
	case opEq:
		return n == 0
	case opNe:
		return n != 0
	case opLt:
		return n < 0
	case opLe:
		return n <= 0
	case opGt:
		return n > 0
	case opGe:
		return n >= 0
	}
	return n >= 0 && x.compare(col, v, &args[1]) <= 0
}
