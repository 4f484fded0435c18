package multivalued

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/store"
)

// Text is a list as the error of a duplicate shows it: a document, cut to the length of an element.
func Text(ctx *sql.Context, c *row.Column, v row.Value) string {
	e := c.Element()
	list := []string{}
	for part, rest, ok := row.NextElement(v.B); ok; part, rest, ok = row.NextElement(rest) {
		value, _, _, err := row.DecodeKeyPart(part, e, row.KeyPart{}, nil)
		if err != nil {
			return "?"
		}
		list = append(list, elementText(ctx, &e, value))
	}
	text := "[" + strings.Join(list, ", ") + "]"
	return text[:min(len(text), shownBytes(&e))]
}

func elementText(ctx *sql.Context, c *row.Column, v row.Value) string {
	codec := store.Codec{Col: *c}
	value, err := codec.Decode(store.ZoneOf(ctx), v)
	if err != nil {
		return "?"
	}
	switch c.Type {
	case row.TInt64, row.TUint64, row.TDecimal:
		return fmt.Sprint(value)
	case row.TVarbinary:
		return strconv.Quote("base64:type15:" + base64.StdEncoding.EncodeToString(v.B))
	case row.TVarchar:
		b, err := operand.AppendDocument(ctx, nil, string(v.B))
		if err != nil {
			return "?"
		}
		return string(b)
	}
	return strconv.Quote(fmt.Sprint(value))
}

// shownBytes is how much of a list is shown.
func shownBytes(c *row.Column) int {
	fraction := (int(c.Precision) + 1) / 2
	switch c.Type {
	case row.TDecimal:
		return row.DecimalWidth(c.Precision, c.Scale)
	case row.TDate:
		return 3
	case row.TTime:
		return 3 + fraction
	case row.TDateTime:
		return 5 + fraction
	case row.TVarchar:
		return min(4*int(c.Length), 64)
	case row.TVarbinary:
		return min(int(c.Length), 64)
	}
	return 8
}
