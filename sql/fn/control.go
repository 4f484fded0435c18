package fn

import (
	"emberdb/sql/types"
)

// Case is CASE WHEN ... END: the value of the first branch whose condition holds. A branch is
// computed for the rows alone that take it.
type Case struct {
	Conds []Expr
	Thens []Expr // one more than conditions: the last is ELSE
	T     types.Type

	out       types.Vec
	hit, miss []int32
	rest      []int32
}

// NewCase makes a CASE. Without ELSE the last branch is NULL.
func NewCase(conds, thens []Expr) (Expr, error) {
	for _, c := range conds {
		if err := Condition(c); err != nil {
			return nil, err
		}
	}
	if len(thens) == len(conds) {
		thens = append(thens, NullConst())
	}
	t, err := Unify(thens)
	if err != nil {
		return nil, err
	}
	if t.Kind == types.String {
		for i := range thens {
			thens[i] = Convert(thens[i], t)
		}
	}
	return fold(&Case{Conds: conds, Thens: thens, T: t}), nil
}

// Unify finds the type that holds the values of all expressions.
func Unify(all []Expr) (t types.Type, err error) {
	first := true
	for _, e := range all {
		o := e.Type()
		switch {
		case o.Opaque():
			return t, Refuse(ByType, "branches that are documents")
		case o.Kind == types.Null:
			t.Nullable = true
		case first:
			null := t.Nullable
			t, first = o.Nullify(null), false
		default:
			if t, err = unify(t, o); err != nil {
				return t, err
			}
		}
	}
	if first {
		return t, Refuse(ByType, "branches that are all NULL")
	}
	switch t.Kind {
	case types.Enum:
		return t, Refuse(ByType, "branches that are words")
	case types.String:
		t.Scale = types.NotFixed
	case types.Float:
		t.Length = 23
	}
	return t, nil
}

// widestText is the type of the protocol for texts of two: CHAR only if no text of both is another,
// TEXT if one is.
func widestText(a, b types.Type) uint8 {
	switch {
	case b.Kind != types.String:
		return a.Wire
	case a.Kind != types.String:
		return b.Wire
	case a.Wire == b.Wire:
		return a.Wire
	case a.Wire == types.WireBlob || b.Wire == types.WireBlob:
		return types.WireBlob
	}
	return types.WireVarString
}

// integerBytes are the integers of the protocol and how many bytes they have.
var integerBytes = map[uint8]int{types.WireTiny: 1, types.WireShort: 2, types.WireInt24: 3, types.WireLong: 4, types.WireLongLong: 8}

// widest is the type of the protocol for integers of two.
func widest(a, b uint8) uint8 {
	switch {
	case a == b:
		return a
	case a == types.WireYear && integerBytes[b] >= 4:
		return b
	case b == types.WireYear && integerBytes[a] >= 4:
		return a
	case integerBytes[a] == 0 || integerBytes[b] == 0:
		return types.WireLongLong
	case integerBytes[a] > integerBytes[b]:
		return a
	}
	return b
}

// shortNumber tells numbers beside which a FLOAT stays one.
func shortNumber(t types.Type) bool {
	return t.Wire == types.WireFloat || t.Kind.Integer() && t.Wire != types.WireDouble
}

// textOfWords is the type of the text that a word, or a set of words, is beside other values.
func textOfWords(t types.Type) types.Type {
	if t.Kind != types.Enum {
		return t
	}
	return types.StringType(t.Length, t.Collation, t.Coerce, t.Nullable)
}

func unify(a, b types.Type) (types.Type, error) {
	null := a.Nullable || b.Nullable
	a, b = textOfWords(a), textOfWords(b)
	switch {
	case a.Kind == types.String && b.Kind == types.String:
		coll, c, err := Collate(a, b)
		t := types.StringType(max(a.Length, b.Length), coll, c, null)
		t.Wire = widestText(a, b)
		return t, err
	case a.Kind == types.String || b.Kind == types.String:
		text, other := a, b
		if b.Kind == types.String {
			text, other = b, a
		}
		length, err := textLength(other)
		t := types.StringType(max(text.Length, length), text.Collation, text.Coerce, null)
		t.Wire = widestText(a, b)
		return t, err
	case a.Kind == b.Kind && a.Kind.Integer():
		a.Length, a.Wire = max(a.Length, b.Length), widest(a.Wire, b.Wire)
		return a.Nullify(null), nil
	case a.Kind == b.Kind && a.Kind.Temporal():
		if a.Scale, a.Length = max(a.Scale, b.Scale), max(a.Length, b.Length); a.Wire != b.Wire {
			a.Wire = types.WireDateTime // beside a TIMESTAMP
		}
		return a.Nullify(null), nil
	case a.Kind.Temporal() && b.Kind.Temporal() && a.Kind != types.Time && b.Kind != types.Time:
		return types.DateTimeType(max(a.Scale, b.Scale), null), nil // of a date there is midnight
	case a.Kind.Integer() && b.Kind.Integer():
		return a, Refuse(ByType, "signed and unsigned branches")
	case !a.Kind.Number() || !b.Kind.Number():
		return a, Refuse(ByType, "branches of different kinds")
	case a.Kind == types.Float || b.Kind == types.Float:
		t := types.FixedFloat(shown(a, b), null)
		if a.Wire == types.WireFloat && shortNumber(b) || b.Wire == types.WireFloat && shortNumber(a) {
			t.Wire = types.WireFloat
		}
		return t, nil
	}
	scale := max(a.Decimals(), b.Decimals())
	whole := max(a.Digits()-a.Decimals(), b.Digits()-b.Decimals())
	if whole+scale > types.MaxPrecision {
		return a, Refuse(ByType, "a DECIMAL with more digits than MySQL keeps")
	}
	return types.DecimalType(whole+scale, scale, null), nil
}

// Type implements Expr.
func (e *Case) Type() types.Type { return e.T }

// Parts implements Expr.
func (e *Case) Parts() []Expr { return append(append([]Expr(nil), e.Conds...), e.Thens...) }

// With implements Expr.
func (e *Case) With(parts []Expr) Expr {
	n := len(e.Conds)
	return &Case{Conds: parts[:n:n], Thens: parts[n:], T: e.T}
}

// KeyName names the node in keys.
func (e *Case) KeyName() string { return "case" + itoa(len(e.Conds)) }

// Eval implements Expr.
func (e *Case) Eval(c *Context, b *types.Batch) (*types.Vec, error) {
	c = c.quiet()
	e.out.Reset(e.T.Kind, b.N)
	e.out.Scale = int(e.T.Scale)
	clear(e.out.I) // of a DECIMAL, all values are rescaled
	e.rest = e.rest[:0]
	for i := range b.N {
		e.rest = append(e.rest, int32(i))
	}
	for k := 0; k <= len(e.Conds) && len(e.rest) > 0; k++ {
		rows := e.rest
		if k < len(e.Conds) {
			v, at, err := e.on(c, e.Conds[k], b, e.rest)
			if err != nil {
				return nil, err
			}
			e.split(v, at)
			rows = e.hit
		}
		if len(rows) == 0 {
			continue
		}
		v, at, err := e.on(c, e.Thens[k], b, rows)
		if err != nil {
			return nil, err
		}
		if err := scatter(&e.out, v, at, rows); err != nil {
			return nil, err
		}
	}
	return &e.out, nil
}

// split parts the rows that are left by a condition.
func (e *Case) split(v *types.Vec, at []int32) {
	e.hit, e.miss = e.hit[:0], e.miss[:0]
	for j, row := range e.rest {
		i := j
		if at != nil {
			i = int(at[j])
		}
		if v.Kind != types.Null && !v.IsNull(i) && truth(v, i) {
			e.hit = append(e.hit, row)
		} else {
			e.miss = append(e.miss, row)
		}
	}
	e.rest, e.miss = e.miss, e.rest
}

// on evaluates an expression for some rows. The value of the j-th is at at[j], or at j if at is
// nil.
func (e *Case) on(c *Context, x Expr, b *types.Batch, rows []int32) (v *types.Vec, at []int32, err error) {
	switch x.(type) {
	case *Column, *Const:
		v, err = x.Eval(c, b)
		return v, rows, err
	}
	if len(rows) == b.N {
		v, err = x.Eval(c, b)
		return v, nil, err
	}
	sub := &types.Batch{N: len(rows), Cols: make([]*types.Vec, len(b.Cols))}
	Walk(x, func(p Expr) bool {
		if col, ok := p.(*Column); ok && sub.Cols[col.At] == nil {
			sub.Cols[col.At] = &types.Vec{}
			b.Cols[col.At].Gather(sub.Cols[col.At], rows)
		}
		return true
	})
	v, err = x.Eval(c, sub)
	return v, nil, err
}

// scatter puts the values of some rows into their places.
func scatter(out, v *types.Vec, at, rows []int32) error {
	if out.Kind == types.Decimal {
		return scatterExact(out, v, at, rows)
	}
	for j, row := range rows {
		i := j
		if at != nil {
			i = int(at[j])
		}
		switch {
		case v.Kind == types.Null || v.IsNull(i):
			out.SetNull(int(row))
		case out.Kind == types.Float:
			out.F[row] = floatAt(v, i)
		case out.Kind == types.String:
			out.S[row] = v.S[i]
		default:
			out.I[row] = v.I[i]
		}
	}
	return nil
}

func scatterExact(out, v *types.Vec, at, rows []int32) error {
	if v.Scale > out.Scale { // a quotient: what is there already gets its digits
		scale := out.Scale
		out.Widen()
		out.Scale = v.Scale
		for i := range out.W {
			w, ok := types.Rescale(out.W[i], scale, v.Scale)
			if !ok && !out.IsNull(i) {
				return types.ErrRange
			}
			out.W[i] = w
		}
	}
	for j, row := range rows {
		i := j
		if at != nil {
			i = int(at[j])
		}
		if v.Kind == types.Null || v.IsNull(i) {
			out.SetNull(int(row))
			continue
		}
		if out.W == nil && v.W == nil && v.Scale == out.Scale && v.Kind != types.Uint {
			out.I[row] = v.I[i]
			continue
		}
		w, ok := types.Rescale(v.Wide(i), v.Scale, out.Scale)
		if !ok {
			return types.ErrRange
		}
		if n, small := w.Int64(); small && out.W == nil {
			out.I[row] = n
			continue
		}
		out.Widen()
		out.W[row] = w
	}
	return nil
}

// If is IF(c, a, b).
func If(c, a, b Expr) (Expr, error) { return NewCase([]Expr{c}, []Expr{a, b}) }

// Coalesce is COALESCE(a, ...).
func Coalesce(args []Expr) (Expr, error) {
	var conds, thens []Expr
	for _, a := range args[:len(args)-1] {
		conds, thens = append(conds, IsNotNull(a)), append(thens, Clone(a))
	}
	last := args[len(args)-1]
	e, err := NewCase(conds, append(thens, last))
	if err != nil {
		return nil, err
	}
	if c, ok := e.(*Case); ok {
		c.T.Nullable = true
		for _, a := range args {
			c.T.Nullable = c.T.Nullable && a.Type().Nullable
		}
	}
	return e, nil
}

// NullIf is NULLIF(a, b).
func NullIf(a, b Expr) (Expr, error) {
	eq, err := Compare("=", Clone(a), b)
	if err != nil {
		return nil, err
	}
	if a.Type().Kind == types.Enum {
		if a, err = ToText(a, a.Type().Collation); err != nil {
			return nil, err
		}
		a.(*Call).T.Wire = types.WireString
	}
	e, err := NewCase([]Expr{eq}, []Expr{NullConst(), a})
	if c, ok := e.(*Case); ok && c.T.Kind == types.Float {
		c.T.Length = a.Type().Length
	}
	return e, err
}

// Uneven tells a CASE of DECIMALs whose branches have different scales: what MySQL shows of it
// depends on the branch.
func Uneven(e Expr) bool {
	c, ok := e.(*Case)
	if !ok || c.T.Kind != types.Decimal {
		return false
	}
	for _, t := range c.Thens {
		if o := t.Type(); o.Kind != types.Null && o.Decimals() != int(c.T.Scale) || Uneven(t) {
			return true
		}
	}
	return false
}
