package store

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sql/charset"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/spatial"
	"emberdb/sqllayer/expr/texts"
)

// YearZero is how the YEAR 0 of a table is shown: GMS writes one digit.
const YearZero = "0000"

// OwnMoment tells dates that GMS does not write as MySQL does: it writes no zeros in front of a year,
// and has no dates that the calendar lacks.
func OwnMoment(at time.Time) bool {
	return at.Year() > 0 && at.Year() < 1000 || operand.Unreal(at)
}

// WireValue is a value as its type writes it. Question marks stand for characters that the
// character set of results lacks, which is an error to GMS.
func WireValue(ctx *sql.Context, t sql.Type, dest []byte, v any) (sqltypes.Value, error) {
	if at, ok := v.(time.Time); ok && OwnMoment(at) && types.IsTime(t) {
		return sqltypes.MakeTrusted(t.Type(), []byte(MomentText(t, at))), nil
	}
	v, err := spatial.Geometry(ctx, t, v)
	if err != nil {
		return sqltypes.Value{}, err
	}
	v = unicodeValue(ctx, t, v)
	out, err := t.SQL(ctx, dest, v)
	if err == nil || !sql.ErrCharSetFailedToEncode.Is(err) {
		return out, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return sqltypes.Value{}, err
	}
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	case uint16:
		text, _ = t.(sql.EnumType).At(int(v))
	case uint64:
		if text, err = t.(sql.SetType).BitsToString(v); err != nil {
			return sqltypes.Value{}, err
		}
	}
	encoder := ctx.GetCharacterSetResults().Encoder()
	var known []byte
	for _, r := range text {
		if b, ok := encoder.Encode([]byte(string(r))); ok {
			known = append(known, b...)
		} else {
			known = append(known, '?')
		}
	}
	return sqltypes.MakeTrusted(t.Type(), known), nil
}

// unicodeValue is a text that goes to a client in another character set than its own: see
// expr.Unicode.
func unicodeValue(ctx *sql.Context, t sql.Type, v any) any {
	text, ok := v.(string)
	if !ok || !OwnForms(t) {
		return v
	}
	from := t.(sql.TypeWithCollation).Collation().CharacterSet()
	switch ctx.GetCharacterSetResults() {
	case from, sql.CharacterSet_Unspecified, sql.CharacterSet_binary:
		return v
	}
	return texts.Unicode(from, text)
}

// OwnForms reports whether texts of a type may have characters that only their character set knows.
func OwnForms(t sql.Type) bool {
	c, ok := t.(sql.TypeWithCollation)
	if !ok || types.IsBinaryType(t) {
		return false
	}
	set := charset.Find(c.Collation().CharacterSet().Name())
	return set != nil && set.OwnForms()
}
