package sqllayer

// Types of the columns that CREATE TABLE ... SELECT makes of expressions: as package bind describes
// them, or, where it does not know the query, by the types of GMS.

import (
	"fmt"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/sql/ast"
	"emberdb/sql/bind"
	"emberdb/sql/fn"
	sqltype "emberdb/sql/types"
)

// longestVarchar is the greatest number of characters of an expression that MySQL stores as a
// VARCHAR; longer ones become TEXT.
const longestVarchar = 512

// boundItems are the types of the n columns of the query of the running CREATE TABLE ... SELECT,
// nil for those that package bind does not know. There are none if the statement is not the
// client's.
func boundItems(ctx *sql.Context, n int) []*sqltype.Type {
	s := sessionOf(ctx)
	if s == nil || s.program != nil {
		return nil
	}
	st := s.runningStatement(ctx)
	made, ok := st.Tree.(*ast.CreateTable)
	if !ok || made.Query == nil || st.Params > 0 {
		return nil
	}
	return queryTypes(ctx, made.Query, st.Text, n)
}

// queryTypes are the types of the n columns of a query, nil for those that package bind does not
// know.
func queryTypes(ctx *sql.Context, made *ast.Query, text string, n int) []*sqltype.Type {
	s := sessionOf(ctx)
	if s == nil {
		return nil
	}
	collation, err := sql.ParseCollation(s.Text("character_set_connection"), s.Text("collation_connection"), false)
	if err != nil {
		return nil
	}
	longest, _ := s.GetSessionVariable(ctx, "group_concat_max_len")
	most, _, _ := types.Int64.Convert(ctx, longest)
	bytes, _ := most.(int64)
	o := bind.Options{Catalog: definitions{ctx, s}, Text: text, Setting: fn.Setting{Collation: uint16(collation), Library: Library{ctx}}, Longest: int(bytes)}
	if bound := itemTypes(made, o); len(bound) == n {
		return bound
	}
	body, ok := made.Body.(*ast.Select)
	if !ok || len(body.Items) != n {
		return nil
	}
	out := make([]*sqltype.Type, n)
	for i := range body.Items { // each alone
		own, q := *body, *made
		own.Items, own.Having = body.Items[i:i+1], nil
		q.Body, q.OrderBy, q.Limit = &own, nil, nil
		if bound := itemTypes(&q, o); len(bound) == 1 {
			out[i] = bound[0]
		}
	}
	return out
}

// itemTypes are the types of a query's columns; nil if package bind does not know it.
func itemTypes(q *ast.Query, o bind.Options) (out []*sqltype.Type) {
	bound, err := bind.Bind(q, o)
	if err != nil {
		return nil
	}
	for i := range bound.Items {
		t := bound.Items[i].Expr.Type()
		if t.Wire == sqltype.WireYear && t.Coerce == sqltype.Implicit {
			out = append(out, nil) // a column of years
			continue
		}
		_, constant := bound.Items[i].Expr.(*fn.Const)
		if _, one := q.Body.(*ast.Select); one && t.Kind.Integer() { // a UNION's are as wide as the widest
			if t.Wire = sqltype.WireLong; t.Length > 11 || constant && t.Length > 10 {
				t.Wire = sqltype.WireLongLong
			}
		}
		out = append(out, &t)
	}
	return out
}

// definitions shows package bind the definitions of tables; it opens none.
type definitions struct {
	ctx *sql.Context
	s   *Session
}

// Open implements bind.Catalog.
func (c definitions) Open(schema, name string) (*bind.Table, error) {
	if schema == "" {
		schema = c.ctx.GetCurrentDatabase()
	}
	refused := fn.Refuse(fn.ByTable, name)
	db, err := c.s.layer.Provider.Database(c.ctx, schema)
	if err != nil {
		return nil, refused
	}
	own, ok := db.(*Database)
	if !ok {
		return nil, refused
	}
	found, ok, err := own.GetTableInsensitive(c.ctx, name)
	t, is := found.(*Table)
	if err != nil || !ok || !is {
		return nil, refused
	}
	return t.def.bound(), nil
}

// columnOfType is the column that MySQL makes of an expression of a type; nil if the type is none
// that package bind knows whole.
func columnOfType(t sqltype.Type) *sql.Column {
	var typ sql.Type
	var err error
	switch t.Kind {
	case sqltype.Int:
		typ = widthOf(t, types.Int32, types.Int64)
	case sqltype.Uint:
		typ = widthOf(t, types.Uint32, types.Uint64)
	case sqltype.Float:
		if typ = types.Float64; t.Scale != sqltype.NotFixed {
			return nil
		}
		if t.Wire == sqltype.WireFloat {
			typ = types.Float32
		}
	case sqltype.Decimal:
		typ, err = types.CreateDecimalType(max(t.Precision, 1), t.Scale)
	case sqltype.String:
		collation, binary := sql.CollationID(t.Collation), t.Collation == sqltype.Binary
		switch {
		case t.Wire == sqltype.WireBlob && !binary: // its characters are reckoned by the bytes it holds
			typ, err = types.CreateString(sqltypes.Text, textCapacity(int64(t.Length)/collation.CharacterSet().MaxLength()), collation)
		case t.Length > types.TextBlobMax/4 && !binary:
			return nil
		default:
			typ, err = stringColumn(int64(t.Length), collation)
		}
	case sqltype.Null:
		typ, err = types.CreateBinary(sqltypes.VarBinary, 0)
		t.Nullable = true
	case sqltype.Date:
		typ = types.Date
	case sqltype.DateTime:
		base := sqltypes.Datetime
		if t.Wire == sqltype.WireTimestamp {
			base = sqltypes.Timestamp
		}
		typ, err = types.CreateDatetimeType(base, int(t.Scale))
	case sqltype.Time:
		c := newSelected(types.Time, t.Nullable)
		if t.Scale > 0 {
			c.Extra = fmt.Sprintf("%stime(%d)", attributeMark, t.Scale)
		}
		return c
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return newSelected(typ, t.Nullable)
}

func widthOf(t sqltype.Type, short, long sql.Type) sql.Type {
	if t.Wire == sqltype.WireLongLong {
		return long
	}
	return short
}

// stringColumn is the type of a column for texts of so many characters.
func stringColumn(length int64, collation sql.CollationID) (sql.Type, error) {
	if length <= longestVarchar {
		kind := sqltypes.VarChar
		if collation == sql.Collation_binary {
			kind = sqltypes.VarBinary
		}
		return types.CreateString(kind, length, collation)
	}
	kind := sqltypes.Text
	if collation == sql.Collation_binary {
		kind = sqltypes.Blob
	}
	return types.CreateString(kind, textCapacity(length*collation.CharacterSet().MaxLength()), collation)
}

// textCapacity is how much the least TEXT or BLOB holds that has place for so many bytes.
func textCapacity(bytes int64) int64 {
	for _, most := range []int64{types.TinyTextBlobMax, types.TextBlobMax, types.MediumTextBlobMax} {
		if bytes <= most {
			return most
		}
	}
	return types.LongTextBlobMax
}

// columnOfExpression is the column of an expression by its type in GMS; e may be nil.
func columnOfExpression(ctx *sql.Context, c *sql.Column, e sql.Expression) *sql.Column {
	t := c.Type
	if own, ok := t.(sql.SystemVariableType); ok {
		t = own.UnderlyingType()
	}
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	switch {
	case t == types.Null:
		t, _ = types.CreateBinary(sqltypes.VarBinary, 0)
		return newSelected(t, true)
	case isLiteralText(e, t):
		text := fmt.Sprintf("%s", e.(*expression.Literal).Value())
		collation, _ := sql.GetCoercibility(ctx, e)
		if types.IsBinaryType(t) {
			collation = sql.Collation_binary
		}
		length := int64(utf8.RuneCountInString(text))
		if collation == sql.Collation_binary {
			length = int64(len(text))
		}
		if made, err := stringColumn(length, collation); err == nil {
			t = made
		}
	case types.IsBit(t), types.IsYear(t):
	case types.IsUnsigned(t):
		t = types.Uint64
	case types.IsInteger(t) || types.IsBoolean(t):
		t = integerOf(t.Type(), e)
	}
	return newSelected(t, c.Nullable)
}

// isLiteralText tells constants that are texts or bytes.
func isLiteralText(e sql.Expression, t sql.Type) bool {
	l, ok := e.(*expression.Literal)
	return ok && l.Value() != nil && (types.IsTextOnly(t) || types.IsBinaryType(t))
}

// integerOf is INT for constants and conditions, BIGINT for what is computed.
func integerOf(t query.Type, e sql.Expression) sql.Type {
	if _, constant := e.(*expression.Literal); t == sqltypes.Int64 || !constant && t != sqltypes.Int8 && t != sqltypes.Int32 {
		return types.Int64
	}
	return types.Int32
}
