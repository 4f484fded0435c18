package compare

import (
	"encoding/binary"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// In is IN of a list.
type In struct {
	operand.Many // what is looked for, then the list
	cmp          []comparer
	known        map[string]bool // the list, if it is of literals that are texts
	null         bool            // there is a NULL in the list
	key          operand.Collated
	rows         *knownRows // nil: no part of the list is found by keys
}

var _ sql.Expression = (*In)(nil)
var _ sql.CollationCoercible = (*In)(nil)

// NewIn returns nil if go-mysql-server compares like MySQL.
func NewIn(ctx *sql.Context, left sql.Expression, list expression.Tuple) (sql.Expression, error) {
	args := []sql.Expression{left}
	for _, e := range list {
		args = append(args, readOnce(ctx, e, left))
	}
	list = args[1:]
	texts := operand.IsText(left.Type(ctx))
	if texts {
		for _, e := range list {
			if types.IsBinaryType(e.Type(ctx)) {
				return nil, nil // all of it is compared by bytes
			}
		}
	}
	in := &In{cmp: make([]comparer, len(list))}
	in.ChildExpressions = args
	own := types.IsTimespan(left.Type(ctx)) // go-mysql-server finds no text in a list of TIMEs
	common := operand.Collated{}
	if texts {
		common = operand.Collate(operand.CommonCollation(ctx, textsOf(ctx, args)))
	}
	for i, e := range list {
		if err := goesOn(ctx, i); err != nil {
			return nil, err
		}
		c := newComparer(ctx, left, e)
		if c.how == asText {
			c.text = common
		}
		in.cmp[i], own = c, own || c.own()
	}
	if !own {
		return nil, nil
	}
	return in, in.know(ctx)
}

// know makes what is known of the list beforehand.
func (in *In) know(ctx *sql.Context) error {
	in.known, in.null, in.rows = make(map[string]bool, len(in.cmp)), false, nil
	for i, e := range in.ChildExpressions[1:] {
		if err := goesOn(ctx, i); err != nil {
			return err
		}
		l, literal := e.(*expression.Literal)
		switch {
		case literal && l.Value() == nil:
			in.null = true
			continue
		case in.known == nil:
		case !literal || in.cmp[i].how != asText:
			in.known = nil
		default:
			in.key = in.cmp[i].text
			text, ok, err := operand.TextOf(ctx, l.Value())
			if !ok || err != nil {
				return err
			}
			in.known[string(in.key.Append(nil, text))] = true
		}
	}
	if !operand.IsText(in.ChildExpressions[0].Type(ctx)) {
		var err error
		if in.rows, err = newKnownRows(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// goesOn tells whether a statement with a long list goes on, each so many elements.
func goesOn(ctx *sql.Context, i int) error {
	if i%4096 != 4095 || ctx == nil {
		return nil
	}
	return ctx.Err()
}

func textsOf(ctx *sql.Context, args []sql.Expression) (out []sql.Expression) {
	for _, e := range args {
		if operand.IsText(e.Type(ctx)) {
			out = append(out, e)
		}
	}
	return out
}

func (in *In) String() string {
	return fmt.Sprintf("(%s IN %s)", in.ChildExpressions[0], expression.Tuple(in.ChildExpressions[1:]))
}

// Type implements sql.Expression.
func (*In) Type(*sql.Context) sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (*In) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression. A compiled statement has other literals each time.
func (in *In) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	changed, err := operand.WithChildren(in, children)
	if err != nil || sameLiterals(in.ChildExpressions, children) {
		return changed, err
	}
	return changed, changed.(*In).know(ctx)
}

// sameLiterals tells whether two lists as long as each other have the same literals, also in rows.
func sameLiterals(a, b []sql.Expression) bool {
	for i := range a {
		p, q := partsOf(a[i]), partsOf(b[i])
		if len(p) != len(q) {
			return false
		}
		for k := range p {
			l, _ := p[k].(*expression.Literal)
			r, _ := q[k].(*expression.Literal)
			if l != r {
				return false
			}
		}
	}
	return true
}

// Eval implements sql.Expression: NULL if nothing is equal and something is unknown.
func (in *In) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	l, err := in.ChildExpressions[0].Eval(ctx, row)
	if err != nil || l == nil {
		return nil, err
	}
	if in.known != nil {
		text, ok, err := operand.TextOf(ctx, l)
		if err != nil {
			return nil, err
		}
		if ok {
			return Aside(ctx, int64(len(text)), func(*sql.Context) (any, error) {
				return found(in.known[string(in.key.Append(nil, text))], in.null), nil
			})
		}
	}
	var m membership
	among, other := in.rows.find(ctx, l)
	if among {
		return true, nil
	}
	for i, e := range in.ChildExpressions[1:] {
		if other && in.rows.has[i] {
			continue
		}
		r, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if yes, err := m.meets(ctx, &in.cmp[i], l, r); yes || err != nil {
			return yes, err
		}
	}
	return found(false, m.unknown), nil
}

// membership is what is known of a value's being among others.
type membership struct{ unknown bool }

// meets compares the value with the next one.
func (m *membership) meets(ctx *sql.Context, c *comparer, l, r any) (bool, error) {
	n, null, err := c.compare(ctx, l, r)
	m.unknown = m.unknown || n == 0 && null
	return err == nil && n == 0 && !null, err
}

func found(yes, unknown bool) any {
	if !yes && unknown {
		return nil
	}
	return yes
}

// Row is the name of a function that makes a row of its operands. The planner does not know it as
// one.
const Row = "\x00row"

// RowOf is that function.
type RowOf struct{ operand.Many }

func init() {
	operand.Register(sql.FunctionN{Name: Row, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return &RowOf{operand.OverMany(args)}, nil
	}})
}

func (r *RowOf) String() string { return expression.Tuple(r.ChildExpressions).String() }

// Type implements sql.Expression.
func (r *RowOf) Type(ctx *sql.Context) sql.Type {
	return expression.Tuple(r.ChildExpressions).Type(ctx)
}

// WithChildren implements sql.Expression.
func (r *RowOf) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(r, children)
}

// Eval implements sql.Expression.
func (r *RowOf) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	return expression.Tuple(r.ChildExpressions).Eval(ctx, row)
}

// knownRows are the rows of a list that are found by their keys: rows of literals, none of them
// NULL, whose parts are integers or texts as those of what is looked for. A number is a row of one.
// The others are compared one by one.
type knownRows struct {
	keys  map[string]bool
	has   []bool // by place in the list
	parts []keyOfPart
}

// keyOfPart makes a part of the key of a row.
type keyOfPart struct {
	typ       sql.Type
	isText    bool
	collation sql.CollationID
	text      operand.Collated
}

// newKnownRows returns nil if no row of the list is found by its key.
func newKnownRows(ctx *sql.Context, in *In) (*knownRows, error) {
	left := partsOf(in.ChildExpressions[0])
	k := &knownRows{keys: map[string]bool{}, has: make([]bool, len(in.cmp))}
	for i, e := range in.ChildExpressions[1:] {
		if err := goesOn(ctx, i); err != nil {
			return nil, err
		}
		list := partsOf(e)
		values, ok := literals(list)
		if !ok || len(list) != len(left) || !k.suits(ctx, left, list) {
			continue
		}
		if key, ok := k.key(ctx, values); ok {
			k.keys[key], k.has[i] = true, true
		}
	}
	if len(k.keys) == 0 {
		return nil, nil
	}
	return k, nil
}

// partsOf are the parts of a row.
func partsOf(e sql.Expression) expression.Tuple {
	switch row := e.(type) {
	case expression.Tuple:
		return row
	case *RowOf:
		return row.ChildExpressions
	}
	return expression.Tuple{e}
}

// literals are the values of a row of literals.
func literals(list expression.Tuple) ([]any, bool) {
	values := make([]any, len(list))
	for i, e := range list {
		l, ok := e.(*expression.Literal)
		if !ok {
			return nil, false
		}
		values[i] = l.Value()
	}
	return values, true
}

// suits tells whether a row of the list compares with what is looked for by keys. The first one
// that does says how the keys are made.
func (k *knownRows) suits(ctx *sql.Context, left, list expression.Tuple) bool {
	parts := make([]keyOfPart, len(left))
	for i, l := range left {
		lt, rt := l.Type(ctx), list[i].Type(ctx)
		switch {
		case types.IsInteger(lt) && types.IsInteger(rt):
			parts[i].typ = lt
		case operand.IsText(lt) && operand.IsText(rt):
			id := operand.CollationOf(ctx, l, list[i])
			parts[i] = keyOfPart{typ: lt, isText: true, collation: id, text: operand.Collate(id)}
		default:
			return false
		}
		if k.parts != nil && (k.parts[i].isText != parts[i].isText || k.parts[i].collation != parts[i].collation) {
			return false
		}
	}
	if k.parts == nil {
		k.parts = parts
	}
	return true
}

// key is the key of a row; false: it has a NULL, or a value of another kind.
func (k *knownRows) key(ctx *sql.Context, values []any) (string, bool) {
	if len(values) != len(k.parts) {
		return "", false
	}
	var key []byte
	for i, v := range values {
		if v == nil {
			return "", false
		}
		if p := k.parts[i]; p.isText {
			text, ok, err := operand.TextOf(ctx, v)
			if !ok || err != nil {
				return "", false
			}
			key = p.text.Append(key, text)
			continue
		}
		n, null, err := operand.NumberOf(ctx, v, k.parts[i].typ)
		if err != nil || null || n.Kind != operand.Integer {
			return "", false
		}
		key = binary.BigEndian.AppendUint64(key, uint64(n.Whole))
		if n.Large {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	return string(key), true
}

// find looks for a row. among: it is in the list; other: it is none of the rows that have keys.
func (k *knownRows) find(ctx *sql.Context, row any) (among, other bool) {
	if k == nil {
		return false, false
	}
	values, ok := row.([]any)
	if !ok {
		values = []any{row}
	}
	key, ok := k.key(ctx, values)
	return ok && k.keys[key], ok
}
