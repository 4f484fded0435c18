package fn

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"emberdb/sql/types"
)

// Comparable brings two operands to one domain, or refuses them: numbers, strings of one collation,
// dates, times. A constant text beside a date becomes a date.
func Comparable(a, b Expr) (x, y Expr, collation uint16, err error) {
	if a, err = wordText(a); err != nil {
		return nil, nil, 0, err
	}
	if b, err = wordText(b); err != nil {
		return nil, nil, 0, err
	}
	ta, tb := a.Type(), b.Type()
	switch {
	case ta.Opaque() || tb.Opaque():
		return nil, nil, 0, Refuse(ByType, "a comparison of documents")
	case bareYear(ta, b), bareYear(tb, a):
		return nil, nil, 0, Refuse(ByType, "a year of two digits")
	case ta.Kind == types.Null || tb.Kind == types.Null, ta.Kind.Number() && tb.Kind.Number():
		return a, b, types.Binary, nil
	case ta.Kind == types.String && tb.Kind == types.String:
		a, b = asText(a, tb), asText(b, ta)
		collation, _, err = Collate(a.Type(), b.Type())
		return a, b, collation, err
	case ta.Kind.Temporal() && tb.Kind.Temporal():
		if (ta.Kind == types.Time) != (tb.Kind == types.Time) {
			return nil, nil, 0, Refuse(ByType, "a date beside a time")
		}
		return a, b, types.Binary, nil
	case ta.Kind.Temporal() && tb.Kind == types.String:
		y, err = momentConst(ta.Kind, b)
		return a, y, types.Binary, err
	case tb.Kind.Temporal() && ta.Kind == types.String:
		x, err = momentConst(tb.Kind, a)
		return x, b, types.Binary, err
	}
	if ta.Kind.Number() && tb.Kind == types.String {
		y, err = numberOf(ta, b)
		return a, y, types.Binary, err
	}
	if tb.Kind.Number() && ta.Kind == types.String {
		x, err = numberOf(tb, a)
		return x, b, types.Binary, err
	}
	return nil, nil, 0, Refuse(ByType, "a comparison of different kinds")
}

// asText makes constant bytes a text beside one that holds its collation more strongly, if they are
// one.
func asText(e Expr, beside types.Type) Expr {
	c, ok := e.(*Const)
	if !ok || c.IsNull() || c.T.Collation != types.Binary || beside.Collation == types.Binary || beside.Coerce >= c.T.Coerce || !utf8.Valid(c.V.S[0]) ||
		!types.UTF8(beside.Collation) && utf8.RuneCount(c.V.S[0]) != len(c.V.S[0]) {
		return e
	}
	t := c.T
	t.Collation = beside.Collation
	return NewConst(c.V, t)
}

// numberOf is a text as a number that is compared with one of another type: DOUBLE, or an integer
// if it is the constant text of one and is compared with one.
func numberOf(with types.Type, text Expr) (Expr, error) {
	text = numberOfDigits(text)
	if text.Type().Kind == types.Uint {
		return text, nil
	}
	if err := texts(text); err != nil || with.Wire == types.WireYear {
		return nil, Refuse(ByType, "a comparison of different kinds")
	}
	c, ok := text.(*Const)
	if !ok {
		return TextFloat(text), nil
	}
	if c.IsNull() {
		return NullConst(), nil
	}
	if n, err := strconv.ParseInt(string(c.V.S[0]), 10, 64); err == nil && with.Kind.Integer() {
		return IntConst(n), nil
	}
	f, ok := textFloat(c.V.S[0])
	if !ok {
		return nil, Refuse(ByType, "a text that is no number")
	}
	v := types.NewVec(types.Float, 1)
	v.F[0] = f
	return NewConst(v, types.FloatType(false)), nil
}

// wordText makes words of ENUM and SET texts.
func wordText(e Expr) (Expr, error) {
	if e.Type().Kind != types.Enum {
		return e, nil
	}
	return ToText(e, 0)
}

// sameWord compares an ENUM column with the constant text of a word by their numbers, as its
// indexes do; nil for anything else.
func sameWord(op string, a, b Expr) Expr {
	if a.Type().Kind != types.Enum {
		a, b = b, a
	}
	t := a.Type()
	c, constant := b.(*Const)
	if !constant || t.Kind != types.Enum || t.Words.Set || c.T.Kind != types.String || c.IsNull() || order[op][0] != order[op][2] {
		return nil
	}
	id, _, err := Collate(t, c.T)
	if err != nil {
		return nil
	}
	v := types.NewVec(types.Enum, 1)
	v.I[0] = -1
	for i, name := range t.Words.Names {
		if types.CollatorOf(id).Equal([]byte(name), c.V.S[0]) {
			v.I[0] = int64(i + 1)
			break
		}
	}
	if v.I[0] < 0 && len(c.V.S[0]) == 0 {
		v.I[0] = 0
	}
	word := t
	word.Nullable = false
	return call(op, comparison(op, t, word, id), types.BoolType(op != "<=>" && t.Nullable), a, NewConst(v, word))
}

// bareYear tells a column of years beside a number that stands for a year of two digits.
func bareYear(t types.Type, e Expr) bool {
	c, ok := e.(*Const)
	return ok && t.Wire == types.WireYear && t.Coerce == types.Implicit && (!c.T.Kind.Integer() || !c.IsNull() && c.V.I[0] < 100)
}

// Collate finds the collation of two strings that meet.
func Collate(a, b types.Type) (uint16, types.Coercibility, error) {
	bytes := a.Collation == types.Binary || b.Collation == types.Binary
	if bytes && !(types.UTF8(a.Collation) && types.UTF8(b.Collation)) {
		return 0, 0, Refuse(ByType, "bytes beside a text of another character set")
	}
	switch {
	case a.Collation == b.Collation || a.Coerce < b.Coerce:
	case b.Coerce < a.Coerce:
		a = b
	case a.Collation == types.Binary:
	case b.Collation == types.Binary:
		a = b
	case a.Coerce != types.Explicit && types.Wider(a.Collation, b.Collation):
	case a.Coerce != types.Explicit && types.Wider(b.Collation, a.Collation):
		a = b
	case a.Coerce == types.Explicit || !types.SameCharset(a.Collation, b.Collation):
		return 0, 0, Refuse(ByType, "strings of different collations")
	case types.ByCode(a.Collation) && types.ByCode(b.Collation):
		return 0, 0, Refuse(ByType, "strings of different collations")
	case types.ByCode(a.Collation):
	case types.ByCode(b.Collation):
		a = b
	default:
		return 0, 0, Refuse(ByType, "strings of different collations")
	}
	if types.CollatorOf(a.Collation) == nil {
		return 0, 0, Refuse(ByType, "a collation without weights")
	}
	if bytes && a.Collation != types.Binary {
		return 0, 0, Refuse(ByType, "bytes as a text")
	}
	return a.Collation, min(a.Coerce, b.Coerce), nil
}

// Compare is a op b for one of = <=> <> < <= > >=.
func Compare(op string, a, b Expr) (Expr, error) {
	if e := sameWord(op, a, b); e != nil {
		return e, nil
	}
	a, b = asDigits(a, b), asDigits(b, a)
	ta, tb := a.Type(), b.Type()
	if digits := shown(ta, tb); op != "<=>" && (rounds(ta, a) || rounds(tb, b)) && ta.Kind.Number() && tb.Kind.Number() && digits < types.NotFixed {
		return call(op+Rounded, compareRounded(order[op], 0.5*math.Pow10(-digits)), types.BoolType(ta.Nullable || tb.Nullable), a, b), nil
	}
	return compareExactly(op, a, b)
}

// compareExactly compares two values as they are.
func compareExactly(op string, a, b Expr) (Expr, error) {
	a, b, collation, err := Comparable(a, b)
	if err != nil {
		return nil, err
	}
	null := op != "<=>" && (a.Type().Nullable || b.Type().Nullable)
	if a.Type().Kind == types.Null || b.Type().Kind == types.Null {
		if op == "<=>" {
			return nil, Refuse(ByType, "<=> NULL")
		}
		return call(op, allNull, types.BoolType(true), a, b), nil
	}
	return call(op, comparison(op, a.Type(), b.Type(), collation), types.BoolType(null), a, b), nil
}

// Rounded stands behind the operator in the name of a comparison of numbers as they are shown.
const Rounded = " rounded"

// rounds tells a DOUBLE of a fixed number of digits whose value may be another one than is shown.
func rounds(t types.Type, e Expr) bool {
	_, column := e.(*Column)
	return t.Kind == types.Float && t.Scale < types.NotFixed && !(column && t.Wire == types.WireDouble)
}

// compareRounded compares numbers, which are equal if they are nearer to each other than a limit.
func compareRounded(holds [3]bool, limit float64) Kernel {
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		x, y := floats(args[0], n), floats(args[1], n)
		for i := range n {
			near := x[i] == y[i] || math.Abs(x[i]-y[i]) < limit
			out.I[i] = bit(near && holds[1] || !near && (x[i] < y[i] && holds[0] || x[i] > y[i] && holds[2]))
		}
		return nil
	}
}

func allNull(_ *Context, n int, _ []*types.Vec, _ *types.Type, out *types.Vec) error {
	for i := range n {
		out.SetNull(i)
	}
	return nil
}

// order are the results of a comparison (-1, 0, 1) for which an operator holds.
var order = map[string][3]bool{"=": {false, true, false}, "<=>": {false, true, false}, "<>": {true, false, true}, "<": {true, false, false},
	"<=": {true, true, false}, ">": {false, false, true}, ">=": {false, true, true}}

// comparison is the kernel of an operator.
func comparison(op string, a, b types.Type, collation uint16) Kernel {
	holds := order[op]
	base := comparer(holds, op, a, b, collation)
	if op != "<=>" {
		return func(c *Context, n int, args []*types.Vec, t *types.Type, out *types.Vec) error {
			nulls(n, args, out)
			return base(c, n, args, t, out)
		}
	}
	return func(c *Context, n int, args []*types.Vec, t *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		if err := base(c, n, args, t, out); err != nil {
			return err
		}
		out.Null = nil
		for i := range n {
			if x, y := args[0].IsNull(i), args[1].IsNull(i); x || y {
				out.I[i] = bit(x && y)
			}
		}
		return nil
	}
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func sign(n int) int { return max(min(n, 1), -1) }

// comparer computes an operator where no operand is NULL.
func comparer(holds [3]bool, op string, a, b types.Type, collation uint16) Kernel {
	switch {
	case a.Kind == types.String:
		return compareStrings(holds, types.CollatorOf(collation))
	case a.Kind == types.Float || b.Kind == types.Float:
		return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
			x, y := floats(args[0], n), floats(args[1], n)
			for i := range n {
				out.I[i] = bit(x[i] < y[i] && holds[0] || x[i] == y[i] && holds[1] || x[i] > y[i] && holds[2])
			}
			return nil
		}
	case a.Kind == b.Kind && a.Kind != types.Decimal && a.Kind != types.Uint || a.Kind.Temporal():
		return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
			compareInts(op, args[0].I[:n], args[1].I[:n], out.I[:n])
			return nil
		}
	}
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		x, y := args[0], args[1]
		scale := max(x.Scale, y.Scale)
		if narrow(n, args) && x.Scale == y.Scale {
			compareInts(op, x.I[:n], y.I[:n], out.I[:n])
			return nil
		}
		for i := range n {
			if out.IsNull(i) || x.IsNull(i) || y.IsNull(i) {
				continue
			}
			p, ok1 := types.Rescale(x.Wide(i), x.Scale, scale)
			q, ok2 := types.Rescale(y.Wide(i), y.Scale, scale)
			if !ok1 || !ok2 {
				return types.ErrRange
			}
			out.I[i] = bit(holds[1+p.Cmp(q)])
		}
		return nil
	}
}

func compareStrings(holds [3]bool, coll *types.Collator) Kernel {
	equality := holds[0] == holds[2]
	return func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		x, y := args[0], args[1]
		for i := range n {
			if x.IsNull(i) || y.IsNull(i) {
				continue
			}
			p, q := x.S[i], y.S[i]
			switch {
			case equality && !coll.Begins(p, q):
				out.I[i] = bit(holds[0])
			case equality && bytes.Equal(p, q):
				out.I[i] = bit(holds[1])
			default:
				out.I[i] = bit(holds[1+sign(coll.Compare(p, q))])
			}
		}
		return nil
	}
}

func compareInts(op string, a, b, out []int64) {
	b, out = b[:len(a)], out[:len(a)]
	switch op {
	case "=", "<=>":
		for i, x := range a {
			out[i] = bit(x == b[i])
		}
	case "<>":
		for i, x := range a {
			out[i] = bit(x != b[i])
		}
	case "<":
		for i, x := range a {
			out[i] = bit(x < b[i])
		}
	case "<=":
		for i, x := range a {
			out[i] = bit(x <= b[i])
		}
	case ">":
		for i, x := range a {
			out[i] = bit(x > b[i])
		}
	default:
		for i, x := range a {
			out[i] = bit(x >= b[i])
		}
	}
}

// Between is low <= x AND x <= high.
func Between(x, low, high Expr) (Expr, error) {
	a, err := Compare(">=", x, low)
	if err != nil {
		return nil, err
	}
	b, err := Compare("<=", Clone(x), high)
	if err != nil {
		return nil, err
	}
	return And(a, b), nil
}

// fewItems is how long a list may be to be tried item by item.
const fewItems = 4

// In is x IN (list).
func In(x Expr, list []Expr) (Expr, error) {
	var ors, consts []Expr
	null := false
	for _, item := range list {
		if eq := sameWord("=", Clone(x), item); eq != nil {
			ors = append(ors, eq)
			continue
		}
		if t := item.Type(); len(list) > 1 && t.Kind == types.String && t.Coerce == types.Explicit && t.Collation != x.Type().Collation {
			return nil, Refuse(ByType, "a collation for one of several items")
		}
		a, b, _, err := Comparable(Clone(x), item)
		if err != nil {
			return nil, err
		}
		c, constant := b.(*Const)
		if constant && c.IsNull() {
			null = true
			continue
		}
		if constant && len(list) > fewItems && sameDomain(a.Type(), b.Type()) {
			consts = append(consts, b)
			continue
		}
		eq, err := compareExactly("=", a, b)
		if err != nil {
			return nil, err
		}
		ors = append(ors, eq)
	}
	if len(consts) > 0 {
		set, err := inSet(Clone(x), consts)
		if err != nil {
			return nil, err
		}
		ors = append(ors, set)
	}
	if null {
		ors = append(ors, call("null", allNull, types.BoolType(true), NullConst()))
	}
	return Or(ors...), nil
}

// sameDomain tells whether keys of the two types compare as the values do.
func sameDomain(a, b types.Type) bool {
	switch {
	case a.Kind == types.String:
		return b.Kind == types.String && (a.Collation == b.Collation || a.Coerce < b.Coerce)
	case a.Kind.Integer():
		return b.Kind.Integer()
	case a.Kind.Temporal():
		return b.Kind.Temporal()
	}
	return a.Kind == types.Decimal && b.Kind == types.Decimal && b.Scale <= a.Scale
}

// inSet looks values up in a set of keys.
func inSet(x Expr, consts []Expr) (Expr, error) {
	k := types.KeyerOf(x.Type())
	set := make(map[string]bool, len(consts))
	for _, c := range consts {
		key, err := k.Append(nil, c.(*Const).V, 0)
		if err != nil {
			return nil, err
		}
		set[string(key)] = true
	}
	ints := integersOf(x, consts)
	f := func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) (err error) {
		nulls(n, args, out)
		if ints != nil && args[0].Kind == types.Int {
			for i, v := range args[0].I[:n] {
				out.I[i] = bit(slices.Contains(ints, v))
			}
			return nil
		}
		var scratch []byte // of the batch: parallel workers share the closure
		for i := range n {
			if scratch, err = k.Append(scratch[:0], args[0], i); err != nil {
				return err
			}
			out.I[i] = bit(set[string(scratch)])
		}
		return nil
	}
	name := "in"
	for _, c := range consts {
		name += "," + constKey(c.(*Const))
	}
	list := make([][]Expr, len(consts))
	for i := range consts {
		list[i] = consts[i : i+1]
	}
	return listed(call(name, f, types.BoolType(x.Type().Nullable), x), list), nil
}

// fewInts is how many integers are compared one after the other in less time than a map takes.
const fewInts = 16

// integersOf are the integers with which one is compared; nil: they are of other types, or many.
func integersOf(x Expr, consts []Expr) []int64 {
	out := make([]int64, 0, len(consts))
	for _, c := range consts {
		v := c.(*Const).V
		if x.Type().Kind != types.Int || v.Kind != types.Int || v.IsNull(0) || len(out) == fewInts {
			return nil
		}
		out = append(out, v.I[0])
	}
	return out
}
