package compiled

import (
	"bytes"
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
)

// A WHERE is a list of conditions that must all hold. A condition compares a column with operands;
// NULL on either side makes it not hold, but for <=> and IS NULL. What is no such comparison is a
// formula (formula.go).

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
	opLike // bounds a range; that it holds is for a formula to say
	opOr   // one of several comparisons of the column; in front of it stands the formula
)

type cond struct {
	op      op
	col     int
	args    []operand
	at      int    // first of its operands among the resolved ones
	refs    bool   // an operand is a column
	formula int    // it is the truth of this formula; -1
	spans   []int  // columns that each side of this OR compares: ranges of an index on one of them have all its rows
	sides   []side // of opOr
	twin    bool   // says the same as the condition before it, with the sides exchanged: for the choice of paths only
	on      int    // the outer table whose ON it is of, -1
	tables  tables
}

// side is a side of opOr: a comparison with the operands from args[from] on.
type side struct {
	op   op
	from int
}

// conditions takes WHERE, and the ONs of the joins.
func (c *compiler) conditions(w *ast.Where) {
	for _, e := range c.joined {
		c.and(e, -1)
	}
	for _, o := range c.ons {
		from := len(c.p.where)
		c.and(o.expr, o.table)
		for _, w := range c.p.where[from:] {
			c.p.tables[o.table].behind |= w.tables &^ (1 << o.table)
		}
		need(c.p.tables[o.table].behind.in(o.of))
	}
	if w != nil {
		c.and(w.Expr, -1)
	}
	at := 0
	for i := range c.p.where {
		c.p.where[i].at = at
		at += len(c.p.where[i].args)
	}
	c.p.operands = at
}

// and takes the conditions that e is made of.
func (c *compiler) and(e ast.Expr, on int) {
	for _, one := range conjuncts(e, nil) {
		c.condition(one, on)
	}
}

// conjuncts are the conditions that must all hold.
func conjuncts(e ast.Expr, to []ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.AndExpr:
		return conjuncts(e.Right, conjuncts(e.Left, to))
	case *ast.ParenExpr:
		return conjuncts(e.Expr, to)
	}
	return append(to, e)
}

func (c *compiler) condition(e ast.Expr, on int) {
	if c.subquery(e, on) {
		return
	}
	c.noZeroDates(e)
	from := len(c.p.where)
	if !c.attempt(func() { c.native(e) }) {
		c.p.where = c.p.where[:from]
		f := c.formula(e)
		c.p.where = append(c.p.where, cond{formula: f, tables: c.p.formulas[f].tables, spans: c.compared(e)})
		c.attempt(func() { c.like(e) })
		if n := len(c.p.where); !c.attempt(func() { c.either(e) }) {
			c.p.where = c.p.where[:n]
		}
	}
	for i := range c.p.where[from:] {
		w := &c.p.where[from+i]
		w.on = on
		if w.formula >= 0 {
			continue
		}
		w.tables |= 1 << c.p.cols[w.col].table
		for _, a := range w.args {
			if a.column > 0 {
				w.refs = true
				w.tables |= 1 << c.p.cols[a.column-1].table
			}
		}
	}
}

// compared are the columns that e compares with operands whenever it is true.
func (c *compiler) compared(e ast.Expr) (cols []int) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.compared(e.Expr)
	case *ast.AndExpr:
		return append(c.compared(e.Left), c.compared(e.Right)...)
	case *ast.OrExpr:
		right := c.compared(e.Right)
		return slices.DeleteFunc(c.compared(e.Left), func(col int) bool { return !slices.Contains(right, col) })
	}
	from := len(c.p.where)
	if c.attempt(func() { c.native(e) }) && c.p.where[from].op != opNe && !slices.ContainsFunc(c.p.where[from].args, func(a operand) bool { return a.column > 0 }) {
		cols = append(cols, c.p.where[from].col)
	}
	c.p.where = c.p.where[:from]
	return cols
}

// attempt tells whether f did not give up.
func (c *compiler) attempt(f func()) (ok bool) {
	at := c.at
	defer func() {
		if e := recover(); e != nil {
			if e != errNotMine {
				panic(e)
			}
			ok, c.at = false, at
		}
	}()
	f()
	return true
}

// native takes a condition whose truth is told without GMS.
func (c *compiler) native(e ast.Expr) {
	switch e := e.(type) {
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
	_, left := e.Left.(*ast.ColName)
	_, right := e.Right.(*ast.ColName)
	switch {
	case left && right:
		c.add(o, e.Left, e.Right)
		c.add(mirrored[o], e.Right, e.Left)
		c.p.where[len(c.p.where)-1].twin = true
	case left:
		c.add(o, e.Left, e.Right)
	default:
		c.add(mirrored[o], e.Right, e.Left)
	}
}

// like notes the beginning of a pattern, for the choice of paths.
func (c *compiler) like(e ast.Expr) {
	l, ok := e.(*ast.ComparisonExpr)
	need(ok && l.Operator == ast.LikeStr && l.Escape == nil)
	name, ok := l.Left.(*ast.ColName)
	need(ok)
	col := c.column(name)
	need(c.p.cols[col].character)
	pattern := c.operand(l.Right)
	c.p.where = append(c.p.where, cond{op: opLike, col: col, args: []operand{pattern}, formula: -1, twin: true})
}

// either notes an OR of comparisons of one column, for the choice of paths.
func (c *compiler) either(e ast.Expr) {
	from := len(c.p.where)
	c.sides(e)
	sides := slices.Clone(c.p.where[from:])
	need(len(sides) > 1)
	n := cond{op: opOr, col: sides[0].col, formula: -1, twin: true}
	for _, s := range sides {
		need(s.col == n.col && !slices.ContainsFunc(s.args, func(a operand) bool { return a.column > 0 }))
		switch s.op {
		case opEq, opLt, opLe, opGt, opGe, opBetween:
			n.sides = append(n.sides, side{s.op, len(n.args)})
		case opIn:
			for i := range s.args {
				n.sides = append(n.sides, side{opEq, len(n.args) + i})
			}
		default:
			giveUp()
		}
		n.args = append(n.args, s.args...)
	}
	c.p.where = append(c.p.where[:from], n)
}

func (c *compiler) sides(e ast.Expr) {
	switch e := e.(type) {
	case *ast.OrExpr:
		c.sides(e.Left)
		c.sides(e.Right)
	case *ast.ParenExpr:
		c.sides(e.Expr)
	default:
		c.native(e)
	}
}

func (c *compiler) add(o op, col ast.Expr, args ...ast.Expr) {
	name, ok := col.(*ast.ColName)
	need(ok)
	n := cond{op: o, col: c.column(name), formula: -1}
	k := &c.p.cols[n.col]
	for _, a := range args {
		if other, ok := a.(*ast.ColName); ok {
			need(o != opIn && o != opBetween)
			at := c.column(other)
			need(k.likeOf(&c.p.cols[at]))
			n.args = append(n.args, operand{param: -1, column: at + 1})
			continue
		}
		need(k.comparable(o))
		n.args = append(n.args, c.operand(a))
	}
	c.p.where = append(c.p.where, n)
}

// comparable tells columns whose values compare with literals as their stored form does.
func (c *column) comparable(o op) bool {
	switch c.Type {
	case row.TFloat32, row.TTime, row.TBit, row.TSet, row.TJSON, row.TGeometry:
		return false
	case row.TEnum:
		return o == opEq
	}
	return o != opNullEq || !c.character // GMS compares bytes there
}

// likeOf tells columns that compare with c's values as the stored forms do.
func (c *column) likeOf(other *column) bool {
	a, b := c.Type, other.Type
	switch {
	case a.Integer() && b.Integer():
		return true
	case c.character:
		return other.character && c.Collation == other.Collation
	case a != b:
		return false
	}
	switch a {
	case row.TDecimal:
		return c.Precision == other.Precision && c.Scale == other.Scale
	case row.TDate, row.TDateTime, row.TTimestamp, row.TFloat64, row.TVarbinary:
		return true
	}
	return false
}

// refer gives the operands of a condition that are columns their values in the row under way.
func (x *Exec) refer(w *cond) {
	if !w.refs {
		return
	}
	col := &x.p.cols[w.col]
	for i := range w.args {
		if w.args[i].column == 0 {
			continue
		}
		v := &x.values[w.at+i]
		v.v, v.fit = x.cur[w.args[i].column-1], fitValue
		switch {
		case v.v.IsNull():
			v.fit = fitNull
		case col.character:
			v.mem = row.AppendKeyPart(v.mem[:0], col.Column, col.key, v.v)
			v.key = v.mem
		case col.Type.Integer():
			v.v, v.fit = col.number(v.v)
		}
	}
}

// number gives an integer the form of the column.
func (c *column) number(v row.Value) (row.Value, fit) {
	p := Param{Kind: KindInt, N: v.N}
	if v.Kind == row.Uint && v.Int() < 0 {
		p.Kind = KindUint
	}
	if c.Type >= row.TUint8 {
		return c.unsigned(&p)
	}
	return c.integer(&p)
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
	mem []byte // of key
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

// matches tells whether a row fulfils the conditions of a table that its path does not make sure
// of.
func (x *Exec) matches(l *level, list []int) (bool, error) {
	for _, i := range list {
		if slices.Contains(l.path.sure, i) {
			continue
		}
		if ok, err := x.holds(&x.p.where[i]); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// holds tells whether the row under way fulfils a condition.
func (x *Exec) holds(c *cond) (bool, error) {
	if c.formula >= 0 {
		return x.truth(c.formula)
	}
	x.refer(c)
	return x.compares(c, x.cur[c.col]), nil
}

func (x *Exec) compares(c *cond, v row.Value) bool {
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
