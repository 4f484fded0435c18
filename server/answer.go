package server

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/sql/charset"
)

// column describes a column of a result set that the server makes itself, as MySQL describes it:
// clients that ask for its type get numbers for numbers.
type column struct {
	name  string
	typ   querypb.Type // 0: a text
	width uint32       // characters of a text, digits of a number; 0: a text of any length
	null  bool         // it may be NULL
}

// longText is the width of a text of any length.
const longText = 1024

func textColumns(names ...string) []column {
	out := make([]column, len(names))
	for i, n := range names {
		out[i].name = n
	}
	return out
}

// field describes the column in the character set that the client gets results in.
func (c *column) field(set sql.CharacterSetID) *querypb.Field {
	f := &querypb.Field{Name: c.name, Type: c.typ, Charset: mysql.CharacterSetBinary, ColumnLength: c.width}
	var flags querypb.MySqlFlag
	if !c.null {
		flags |= querypb.MySqlFlag_NOT_NULL_FLAG
	}
	switch c.typ {
	case 0, querypb.Type_TEXT:
		if f.Type == 0 {
			f.Type = querypb.Type_VARCHAR
		}
		if c.width == 0 {
			f.ColumnLength = longText
		}
		f.Charset = uint32(set.DefaultCollation())
		f.ColumnLength *= uint32(set.MaxLength())
	case querypb.Type_UINT32, querypb.Type_UINT64:
		flags |= querypb.MySqlFlag_BINARY_FLAG | querypb.MySqlFlag_UNSIGNED_FLAG
	default:
		flags |= querypb.MySqlFlag_BINARY_FLAG
	}
	f.Flags = uint32(flags)
	return f
}

// table answers with a result set. Values are printed; nil is NULL.
func (x *execution) table(ctx *sql.Context, cols []column, rows [][]any) error {
	set := ctx.GetCharacterSetResults()
	if set == sql.CharacterSet_Unspecified {
		set = sql.CharacterSet_utf8mb3 // that of names and messages
	}
	r := &sqltypes.Result{RowsAffected: uint64(len(rows))}
	for i := range cols {
		r.Fields = append(r.Fields, cols[i].field(set))
	}
	encoder := charset.Find(set.Name())
	for _, row := range rows {
		out := make([]sqltypes.Value, len(row))
		for i, v := range row {
			if v == nil {
				continue
			}
			b := fmt.Append(nil, v)
			if encoder != nil && !encoder.IsUTF8() && r.Fields[i].Charset != mysql.CharacterSetBinary {
				b, _ = encoder.Encode(nil, b)
			}
			out[i] = sqltypes.MakeTrusted(r.Fields[i].Type, b)
		}
		r.Rows = append(r.Rows, out)
	}
	x.rows = int64(len(rows))
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	return x.send(r)
}
