package operand

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
)

// Functions that bring their texts to one character set. Bytes and constants among them are read as
// texts of that set; go-mysql-server takes each as it is.

// erCannotConvert is the error of bytes that are no text of the set.
const erCannotConvert = 3854

// subjects are those functions, with the position of the text whose set they work in; -1: that of
// the text that holds its set the most strongly.
var subjects = map[string]int{"insert": 0, "replace": 0, "locate": 1, "instr": 0, "lpad": 0, "rpad": 0, "substring_index": 0, "field": 0,
	TrimBoth: 0, TrimLeading: 0, TrimTrailing: 0, "concat": -1, "concat_ws": -1, "export_set": -1, "make_set": -1, "find_in_set": -1, "strcmp": -1}

// ofConstants is the coercibility of constants.
const ofConstants = 4

// agree wraps the texts of a function that are constants of another character set.
func agree(ctx *sql.Context, name, letters string, args []sql.Expression) {
	subject, ok := subjects[name]
	if !ok {
		return
	}
	collation, level := sql.Collation_binary, byte(ofConstants)
	for i, e := range args {
		if !e.Resolved() || OfSubquery(ctx, e) {
			return
		}
		if LetterOf(letters, i) == '.' || !IsText(e.Type(ctx)) {
			continue
		}
		c, n := sql.GetCoercibility(ctx, e)
		if i == subject || subject < 0 && n < level {
			collation, level = c, n
		}
	}
	if collation == sql.Collation_binary || collation == sql.Collation_Unspecified {
		return
	}
	for i, e := range args {
		if LetterOf(letters, i) != '.' && foreign(ctx, e, collation) {
			args[i] = &agreeing{LikeOf(e), collation}
		}
	}
}

// foreign tells constants that are to be converted: bytes, and texts of other sets.
func foreign(ctx *sql.Context, e sql.Expression, to sql.CollationID) bool {
	c, n := sql.GetCoercibility(ctx, e)
	if n < ofConstants {
		return false
	}
	if t := e.Type(ctx); !IsText(t) {
		return IsBinary(t)
	}
	return c.CharacterSet() != to.CharacterSet() && !SetOf(to.CharacterSet()).IsUnicode()
}

// BytesCast is the name of the function that Replace puts around CAST(x AS BINARY).
const BytesCast = "bytes cast of "

func init() {
	Register(sql.Function1{Name: BytesCast, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &bytesCast{LikeOf(e)} }})
}

// bytesCast is a CAST to bytes, which hold their set as those of a column do.
type bytesCast struct{ Like }

// CollationCoercibility implements sql.CollationCoercible.
func (*bytesCast) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, ofColumns
}

// WithChildren implements sql.Expression.
func (b *bytesCast) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(b, children)
}

// Eval implements sql.Expression.
func (b *bytesCast) Eval(ctx *sql.Context, row sql.Row) (any, error) { return b.Child.Eval(ctx, row) }

// agreeing is a constant as a text of a character set.
type agreeing struct {
	Like
	to sql.CollationID
}

// Type implements sql.Expression.
func (a *agreeing) Type(*sql.Context) sql.Type { return types.CreateLongText(a.to) }

// CollationCoercibility implements sql.CollationCoercible.
func (a *agreeing) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return a.to, ofConstants
}

// WithChildren implements sql.Expression.
func (a *agreeing) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(a, children)
}

// Eval implements sql.Expression.
func (a *agreeing) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := a.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	given, err := ShownText(ctx, v)
	if err != nil {
		return nil, err
	}
	set := SetOf(a.to.CharacterSet())
	if IsBinary(a.Child.Type(ctx)) {
		text, read := set.Decode(nil, []byte(given))
		if read < len(given) {
			return nil, cannotConvert(given, "binary", set.Name())
		}
		return string(text), nil
	}
	if from := CharsetOf(ctx, a.Child); !set.Holds(given) {
		return nil, cannotConvert(ownBytes(from, given), from.Name(), set.Name())
	}
	return given, nil
}

func cannotConvert(bytes, from, to string) error {
	shown := ShownBytes(bytes[:min(len(bytes), mostShown)])
	if len(bytes) > mostShown {
		shown += "..."
	}
	return mysql.NewSQLError(erCannotConvert, "HY000", "Cannot convert string '%s' from %s to %s", shown, from, to)
}

// mostShown is how many bytes errors show.
const mostShown = 6
