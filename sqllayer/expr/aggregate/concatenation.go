package aggregate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// GROUP_CONCAT. go-mysql-server's looks at its first operand only, leaves empty texts out, and
// tells equal texts by their bytes.

// GroupConcat is the name of the function that Replace puts in its place:
//
//	GROUP_CONCAT(DISTINCT a, b ORDER BY c DESC SEPARATOR ';')    group_concat('distinct', ';', 'd', c, a, b)
//
// with a letter for the direction of each operand of ORDER BY.
const GroupConcat = "\x00group_concat"

// GroupConcatCall is GROUP_CONCAT as that call.
func GroupConcatCall(e *ast.GroupConcatExpr) *ast.FuncExpr {
	separator := ","
	if !e.Separator.DefaultSeparator {
		separator = e.Separator.SeparatorString
	}
	var directions strings.Builder
	var order, operands []ast.Expr
	for _, o := range e.Exprs {
		if a, ok := o.(*ast.AliasedExpr); ok {
			operands = append(operands, operand.TextOperand(a.Expr))
		}
	}
	for _, o := range e.OrderBy {
		by := o.Expr
		if v, ok := by.(*ast.SQLVal); ok && v.Type == ast.IntVal {
			if at := place(v, len(e.Exprs)); at > 0 {
				by = e.Exprs[at-1].(*ast.AliasedExpr).Expr
			}
		}
		order = append(order, by)
		directions.WriteByte(map[bool]byte{true: 'd', false: 'a'}[o.Direction == ast.DescScr])
	}
	args := []ast.Expr{ast.NewStrVal([]byte(strings.TrimSpace(e.Distinct))), ast.NewStrVal([]byte(separator)), ast.NewStrVal([]byte(directions.String()))}
	return operand.CallOf(GroupConcat, slices.Concat(args, order, operands)...)
}

// place reads the number of a column; 0 if there is none of that number.
func place(v *ast.SQLVal, columns int) int {
	var at int
	if _, err := fmt.Sscan(string(v.Val), &at); err != nil || at < 1 || at > columns {
		return 0
	}
	return at
}

// Concatenation is a call of it.
type Concatenation struct {
	operand.Many
	settings int    // the operands before ORDER BY's
	order    []bool // descending
	distinct bool
	between  string
	most     int
	id       sql.ColumnId
}

var (
	_ sql.Aggregation        = (*Concatenation)(nil)
	_ sql.CollationCoercible = (*Concatenation)(nil)
)

func init() {
	builtins := planbuilder.IsAggregateFunc
	planbuilder.IsAggregateFunc = func(ctx *sql.Context, name string) (bool, error) {
		if name == GroupConcat {
			return true, nil
		}
		return builtins(ctx, name)
	}
	operand.Register(sql.FunctionN{Name: GroupConcat, Fn: newConcatenation})
}

func newConcatenation(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	c := &Concatenation{Many: operand.OverMany(args), settings: 3, most: 1024}
	var settings [3]string
	for i := range settings {
		l, ok := args[i].(*expression.Literal)
		if !ok {
			return nil, sql.ErrInvalidArgument.New("group_concat")
		}
		settings[i], _ = l.Value().(string)
	}
	c.distinct, c.between = settings[0] != "", settings[1]
	for _, direction := range settings[2] {
		c.order = append(c.order, direction == 'd')
	}
	v, err := ctx.GetSessionVariable(ctx, "group_concat_max_len")
	if n, ok := v.(uint64); ok && err == nil {
		c.most = int(min(n, uint64(operand.Most(ctx))))
	}
	return c, err
}

func (c *Concatenation) operands() []sql.Expression {
	return c.ChildExpressions[c.settings+len(c.order):]
}

func (c *Concatenation) keys() []sql.Expression {
	if c.distinct && len(c.order) == 0 {
		return c.operands() // MySQL keeps what it has seen in a tree, and reads that
	}
	return c.ChildExpressions[c.settings : c.settings+len(c.order)]
}

func (c *Concatenation) String() string {
	var b strings.Builder
	b.WriteString("group_concat(")
	if c.distinct {
		b.WriteString("distinct ")
	}
	for i, e := range c.operands() {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(e.String())
	}
	for i, desc := range c.order {
		b.WriteString(map[bool]string{true: " order by ", false: ","}[i == 0] + c.ChildExpressions[c.settings+i].String() + map[bool]string{true: " DESC", false: " ASC"}[desc])
	}
	b.WriteString(" separator '" + strings.ReplaceAll(c.between, "'", "''") + "')")
	return b.String()
}

// Id implements sql.IdExpression.
func (c *Concatenation) Id() sql.ColumnId { return c.id }

// WithId implements sql.IdExpression.
func (c *Concatenation) WithId(id sql.ColumnId) sql.IdExpression {
	out := *c
	out.id = id
	return &out
}

// Window implements sql.WindowAdaptableExpression: there is none.
func (*Concatenation) Window() *sql.WindowDefinition { return nil }

// WithWindow implements sql.WindowAdaptableExpression.
func (c *Concatenation) WithWindow(*sql.Context, *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return c
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (*Concatenation) NewWindowFunction(*sql.Context) (sql.WindowFunction, error) {
	return nil, sql.ErrWindowUnsupported.New("GROUP_CONCAT")
}

// IsNullable implements sql.Expression.
func (*Concatenation) IsNullable(*sql.Context) bool { return true }

// Type implements sql.Expression.
func (c *Concatenation) Type(ctx *sql.Context) sql.Type {
	binary := false
	for _, e := range c.operands() {
		binary = binary || operand.IsBinary(e.Type(ctx))
	}
	collation, _ := c.CollationCoercibility(ctx)
	switch {
	case binary && c.most <= 512:
		return types.MustCreateString(sqltypes.VarBinary, 512, sql.Collation_binary)
	case binary:
		return types.Blob
	case c.most <= 512:
		return types.MustCreateString(sqltypes.VarChar, 512, collation)
	}
	return types.MustCreateString(sqltypes.Text, types.TextBlobMax/collation.CharacterSet().MaxLength(), collation)
}

// CollationCoercibility implements sql.CollationCoercible.
func (c *Concatenation) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	collation, n := sql.Collation_binary, byte(6)
	for _, e := range c.operands() {
		if _, ok := e.Type(ctx).(sql.StringType); !ok {
			continue
		}
		other, m := sql.GetCoercibility(ctx, e)
		collation, n = sql.ResolveCoercibility(collation, n, other, m)
	}
	if n >= 5 || collation == sql.Collation_Unspecified {
		return ctx.GetCollation(), 4
	}
	return collation, n
}

// WithChildren implements sql.Expression.
func (c *Concatenation) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (*Concatenation) Eval(*sql.Context, sql.Row) (any, error) {
	return nil, mysql.NewSQLError(1111, "HY000", "Invalid use of group function")
}

// NewBuffer implements sql.Aggregation.
func (c *Concatenation) NewBuffer(ctx *sql.Context) (sql.AggregationBuffer, error) {
	clone := func(of []sql.Expression) ([]sql.Expression, error) {
		out := make([]sql.Expression, len(of))
		for i, e := range of {
			var err error
			if out[i], err = transform.Clone(ctx, e); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	b := &concatBuffer{of: c}
	var err error
	if b.operands, err = clone(c.operands()); err != nil {
		return nil, err
	}
	if b.keys, err = clone(c.keys()); err != nil {
		return nil, err
	}
	for i, e := range b.keys {
		if w, ok := e.(*operand.Text); ok && len(c.order) == 0 {
			e = w.Child // dates sort as dates
		}
		b.keys[i] = operand.ByWeight(ctx, operand.InCollation(ctx, e))
		b.types = append(b.types, b.keys[i].Type(ctx))
	}
	if c.distinct {
		b.seen = map[string]bool{}
		for _, e := range b.operands {
			collation, _ := sql.GetCoercibility(ctx, e)
			b.texts = append(b.texts, operand.Collate(collation))
		}
	}
	return b, nil
}

// concatBuffer gathers the texts of a group; it implements sql.AggregationBuffer.
type concatBuffer struct {
	of             *Concatenation
	operands, keys []sql.Expression
	types          []sql.Type         // of keys
	texts          []operand.Collated // of operands, for DISTINCT
	seen           map[string]bool
	parts          []concatPart
	size           int // of the parts and what stands between them
}

type concatPart struct {
	text string
	keys []any
}

// Update implements sql.AggregationBuffer.
func (b *concatBuffer) Update(ctx *sql.Context, row sql.Row) error {
	var part concatPart
	var key []byte
	for i, e := range b.operands {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return err
		}
		t := e.Type(ctx)
		if b.seen != nil {
			if key, err = AppendKey(ctx, key, v, t, b.texts[i]); err != nil {
				return err
			}
		}
		text, ok, err := operand.TextOf(ctx, v)
		if err != nil {
			return err
		}
		if !ok {
			shown, err := t.SQL(ctx, nil, v)
			if err != nil {
				return err
			}
			text = shown.ToString()
		}
		if len(part.text)+len(text) > b.of.most {
			text = text[:b.of.most-len(part.text)+1] // it is cut, and the last byte shows that
		}
		part.text += text
	}
	if b.seen != nil {
		if b.seen[string(key)] {
			return nil
		}
		b.seen[string(key)] = true
	}
	for _, e := range b.keys {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return err
		}
		part.keys = append(part.keys, v)
	}
	if b.size > b.of.most && len(b.of.order) == 0 && !b.of.distinct {
		return nil // what follows is cut
	}
	b.size += len(part.text) + len(b.of.between)
	b.parts = append(b.parts, part)
	return nil
}

// Eval implements sql.AggregationBuffer.
func (b *concatBuffer) Eval(ctx *sql.Context) (any, error) {
	if len(b.parts) == 0 {
		return nil, nil
	}
	var failed error
	slices.SortStableFunc(b.parts, func(x, y concatPart) int {
		for i, t := range b.types {
			c, err := CompareKeys(ctx, t, x.keys[i], y.keys[i])
			if err != nil && failed == nil {
				failed = err
			}
			if c != 0 {
				if i < len(b.of.order) && b.of.order[i] {
					return -c
				}
				return c
			}
		}
		return 0
	})
	if failed != nil {
		return nil, failed
	}
	var out strings.Builder
	out.Grow(min(b.size, b.of.most+len(b.of.between)+len(b.parts[len(b.parts)-1].text)))
	for i, p := range b.parts {
		if len(p.text) >= longText && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i > 0 {
			out.WriteString(b.of.between)
		}
		if out.WriteString(p.text); out.Len() > b.of.most {
			ctx.Warn(1260, "Row %d was cut by GROUP_CONCAT()", i+1)
			return wholeCharacters(out.String()[:b.of.most]), nil
		}
	}
	return out.String(), nil
}

// longText is a length from which on a statement may end between two texts.
const longText = 64 << 10

// CompareKeys compares values of ORDER BY: NULL comes first.
func CompareKeys(ctx *sql.Context, t sql.Type, x, y any) (int, error) {
	switch {
	case x == nil && y == nil:
		return 0, nil
	case x == nil:
		return -1, nil
	case y == nil:
		return 1, nil
	}
	return t.Compare(ctx, x, y)
}

// wholeCharacters leaves out a character that was cut at the end.
func wholeCharacters(text string) string {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

// Dispose implements sql.Disposable.
func (b *concatBuffer) Dispose(ctx *sql.Context) {
	for _, e := range slices.Concat(b.operands, b.keys) {
		expression.Dispose(ctx, e)
	}
}
