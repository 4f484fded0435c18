package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
)

// WireValue is a value as its type writes it. Question marks stand for characters that the character set of results lacks, which is an error to GMS.
func WireValue(ctx *sql.Context, t sql.Type, dest []byte, v any) (sqltypes.Value, error) {
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
