package multivalued

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// Array is CAST(document AS type ARRAY).
type Array struct {
	operand.One
	element string // its type, as it was written
	index   string // "": not known yet
	codec   store.Codec
}

func init() {
	operand.Register(sql.FunctionN{Name: operand.ArrayOf, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		words := [2]string{}
		for i := range words {
			l, ok := args[i+1].(*expression.Literal)
			if !ok {
				return nil, sql.ErrInvalidArgument.New("CAST")
			}
			words[i] = fmt.Sprint(l.Value())
		}
		typ, err := elementType(words[0])
		if err != nil {
			return nil, err
		}
		col, err := store.StorageColumn(typ, true)
		if err != nil {
			return nil, err
		}
		col.Codes = row.LongCodes // elements are stored
		return &Array{operand.Over(args[0]), words[0], words[1], store.Codec{Typ: typ, Col: col}}, nil
	}})
}

// elementType is the type of values that a text like decimal(5,1) means.
func elementType(text string) (sql.Type, error) {
	word, digits, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	first, second, _ := strings.Cut(digits, ",")
	n, _ := strconv.Atoi(first)
	scale, _ := strconv.Atoi(second)
	switch word {
	case "signed":
		return types.Int64, nil
	case "unsigned":
		return types.Uint64, nil
	case "decimal":
		if n == 0 {
			n = 10
		}
		return types.CreateDecimalType(uint8(n), uint8(scale))
	case "date":
		return types.Date, nil
	case "datetime":
		return types.CreateDatetimeType(sqltypes.Datetime, n)
	case "time":
		return types.Time, nil
	case "char":
		return types.CreateString(sqltypes.VarChar, int64(n), sql.Collation_utf8mb4_0900_bin)
	case "binary":
		return types.CreateBinary(sqltypes.VarBinary, int64(n))
	}
	return nil, sql.ErrInvalidType.New(text)
}

// Storage is the column that holds the list.
func (a *Array) Storage() row.Column {
	c := a.codec.Col
	c.Elements, c.Type, c.Nullable = c.Type, row.TBlob, true
	if c.Elements == row.TTime || c.Elements == row.TDateTime {
		c.Precision = uint8(a.fraction())
	}
	return c
}

// fraction is the number of digits of a fraction of seconds.
func (a *Array) fraction() int {
	_, digits, _ := strings.Cut(strings.TrimSuffix(a.element, ")"), "(")
	n, _ := strconv.Atoi(digits)
	return n
}

func (a *Array) String() string {
	return "cast(" + a.Child.String() + " as " + a.element + operand.ArrayWord + ")"
}

// Type implements sql.Expression.
func (*Array) Type(*sql.Context) sql.Type { return types.LongBlob }

// IsNullable implements sql.Expression.
func (*Array) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (*Array) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 2
}

// WithChildren implements sql.Expression.
func (a *Array) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(a, len(children), 1)
	}
	c := *a
	c.One = operand.Over(children[0])
	return &c, nil
}

// Eval implements sql.Expression.
func (a *Array) Eval(ctx *sql.Context, r sql.Row) (any, error) {
	v, err := a.Child.Eval(ctx, r)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	if types.IsJSON(a.Child.Type(ctx)) { // a row that is on its way in may have the text of a document
		if v, _, err = types.JSON.Convert(ctx, v); err != nil {
			return nil, err
		}
	}
	if j, ok := v.(sql.JSONWrapper); ok {
		if v, err = j.ToInterface(ctx); err != nil {
			return nil, err
		}
	}
	list, ok := v.([]any)
	switch v.(type) {
	case map[string]any:
		return nil, sqlerr.NewError(1235, "This version of MySQL doesn't yet support 'CAST-ing JSON OBJECT type to array'")
	case bool:
		return nil, sqlerr.NewError(1235, "This version of MySQL doesn't yet support 'CAST-ing JSON BOOLEAN type to array'")
	default:
		if !ok {
			list = []any{v}
		}
	}
	parts := make([][]byte, len(list))
	for i, one := range list {
		value, err := a.value(ctx, one)
		if err != nil {
			return nil, err
		}
		parts[i] = row.AppendKeyPart(nil, a.codec.Col, row.KeyPart{}, value)
	}
	return row.Sorted(parts), nil
}
