package expr

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Text gives a date, a time or a JSON document as MySQL writes it: go-mysql-server writes every date with a time, and its functions of texts know no documents.
type Text struct{ One }

var _ sql.CollationCoercible = (*Text)(nil)

// text wraps an expression that is a date, a time or, for functions of texts, a document.
func text(ctx *sql.Context, e sql.Expression, documents bool) sql.Expression {
	if !e.Resolved() {
		return e
	}
	if t := e.Type(ctx); types.IsTime(t) || types.IsTimespan(t) || documents && types.IsJSON(t) {
		return &Text{Over(e)}
	}
	return e
}

// texts does so with all arguments.
func texts(ctx *sql.Context, args []sql.Expression, documents bool) []sql.Expression {
	out := make([]sql.Expression, len(args))
	for i, e := range args {
		out[i] = text(ctx, e, documents)
	}
	return out
}

// Type implements sql.Expression.
func (t *Text) Type(*sql.Context) sql.Type { return types.LongText }

// CollationCoercibility implements sql.CollationCoercible.
func (t *Text) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if types.IsJSON(t.Child.Type(ctx)) {
		return sql.Collation_utf8mb4_bin, 2
	}
	return ctx.GetCollation(), 4
}

// WithChildren implements sql.Expression.
func (t *Text) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(t, children)
}

// Eval implements sql.Expression.
func (t *Text) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	typ := t.Child.Type(ctx)
	switch v := v.(type) {
	case time.Time:
		if v.Equal(types.ZeroTime) {
			break
		}
		layout := "2006-01-02 15:04:05"
		if d, ok := typ.(sql.DatetimeType); types.IsDateType(typ) {
			layout = "2006-01-02"
		} else if ok && d.Precision() > 0 && v.Nanosecond() != 0 {
			layout += ".000000"[:d.Precision()+1]
		}
		return v.Format(layout), nil
	case types.Timespan:
		if int64(v)%1e6 == 0 {
			return v.String()[:len(v.String())-len(fractionOf(v.String()))], nil
		}
	}
	out, err := typ.SQL(ctx, nil, v)
	return out.ToString(), err
}

// fractionOf is the point and what stands behind it.
func fractionOf(text string) string {
	for i := range text {
		if text[i] == '.' {
			return text[i:]
		}
	}
	return ""
}

// textFunctions take texts in all arguments, or numbers, which stay what they are.
var textFunctions = []string{"aes_decrypt", "aes_encrypt", "ascii", "bit_length", "char_length", "character_length", "compress", "concat", "concat_ws", "crc32", "elt", "export_set", "field", "find_in_set",
	"hex", "insert", "instr", "lcase", "left", "length", "locate", "lower", "lpad", "ltrim", "make_set", "md5", "mid", "octet_length", "ord", "quote",
	"regexp_instr", "regexp_like", "regexp_replace", "regexp_substr", "repeat", "replace", "reverse", "right", "rpad", "rtrim", "sha", "sha1", "sha2", "soundex", "strcmp",
	"substr", "substring", "substring_index", "to_base64", "ucase", "upper"}

// writtenText is the name of the function that Replace puts around operands that are texts and stand where no function is called.
const writtenText = "text of "

func init() {
	for _, name := range textFunctions {
		takeTexts(name, true)
	}
	takeTexts("json_array", false)
	takeTexts("json_object", false)
	quote := functions["quote"]
	register(sql.Function1{Name: "quote", Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		quoted, err := quote.NewInstance(ctx, []sql.Expression{e})
		if err != nil {
			return e
		}
		return &Quoted{likeOf(quoted)}
	}})
	makesText(textFunctions...)
	makesText("coalesce", "convert", "date_format", "dayname", "monthname", "time_format", "ifnull", "if", "nullif", "char", "uuid", "json_unquote", "json_quote", "format")
	register(sql.Function1{Name: resultText, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression { return inCollation(ctx, e) }})
	register(sql.Function1{Name: writtenText, Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
		return text(ctx, e, true)
	}})
}

// takeTexts makes texts of the arguments of a function, one of this package that is registered already, or one of go-mysql-server's if it has it.
func takeTexts(name string, documents bool) {
	f, ok := functions[name]
	if !ok {
		f, ok = builtin(name)
	}
	if !ok {
		return
	}
	register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		args = texts(ctx, args, documents)
		if name == "concat" || name == "concat_ws" {
			args = numberTexts(ctx, args)
		}
		return f.NewInstance(ctx, args)
	}})
}

// numberTexts makes texts of columns of numbers, which have go-mysql-server take what they are joined with for binary.
func numberTexts(ctx *sql.Context, args []sql.Expression) []sql.Expression {
	for i, e := range args {
		if f, ok := e.(*expression.GetField); ok && types.IsNumber(f.Type(ctx)) && !types.IsFloat(f.Type(ctx)) {
			args[i] = &Text{Over(e)}
		}
	}
	return args
}

// textOperand is e where a text is wanted.
func textOperand(e ast.Expr) ast.Expr {
	return callOf(writtenText, e)
}

// wantsText makes texts of the operands of an expression that is no call, in place.
func wantsText(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ConvertUsingExpr:
		e.Expr = textOperand(e.Expr)
	case *ast.ConvertExpr:
		switch strings.ToLower(e.Type.Type) {
		case "char", "nchar", "binary":
			e.Expr = textOperand(e.Expr)
		}
	case *ast.TrimExpr:
		e.Str = textOperand(e.Str)
	}
}

// substring is SUBSTRING(e FROM n FOR m) as a call.
func substring(e *ast.SubstrExpr) *ast.FuncExpr {
	args := []ast.Expr{e.StrVal, e.From}
	if e.Name != nil {
		args[0] = e.Name
	}
	if e.To != nil {
		args = append(args, e.To)
	}
	return callOf("substring", args...)
}

// Quoted is QUOTE: what it gives for NULL is the word.
type Quoted struct{ like }

// WithChildren implements sql.Expression.
func (q *Quoted) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(q, children)
}

// Eval implements sql.Expression.
func (q *Quoted) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := q.Child.Eval(ctx, row)
	if v == nil && err == nil {
		return "NULL", nil
	}
	return v, err
}
