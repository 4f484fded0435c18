package store

// How errors of storing show the value (see store.go).

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// maxShown is how many bytes of a value an error shows.
const maxShown = 128

// shownClock is a value that is no date or time, for a column of dates or times.
func (s *Storer) shownClock(c *sql.Column, v any) string {
	digits := 0
	if d, ok := c.Type.(sql.DatetimeType); ok {
		digits = d.Precision()
	}
	switch v := v.(type) {
	case time.Time:
		if s.from != nil && types.IsDateType(s.from) {
			return MomentText(s.from, v)
		}
		return MomentText(types.MustCreateDatetimeType(types.Datetime.Type(), digits), v)
	case float64:
		return string(operand.AppendFloat(nil, v, 64))
	case *apd.Decimal:
		return v.Text('f')
	case []byte:
		return shownBytes(string(v))
	case string:
		return shownText(v)
	}
	return fmt.Sprint(v)
}

// shownBytes escapes everything but printable ASCII.
func shownBytes(b string) string {
	var out strings.Builder
	for i := range min(len(b), maxShown) {
		if ch := b[i]; ch >= ' ' && ch < 0x7f {
			out.WriteByte(ch)
		} else {
			fmt.Fprintf(&out, "\\x%02X", ch)
		}
	}
	return out.String()
}

// shownText shows a text up to the first byte that is no character, with a question mark for what
// has four bytes.
func shownText(text string) string {
	var out strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case i >= maxShown || r == 0 || r == utf8.RuneError && size == 1:
			return out.String()
		case size > 3:
			out.WriteByte('?')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// clockLost notes that a DATE is made of more than a date: at is what v was read as.
func (s *Storer) clockLost(ctx *sql.Context, c *sql.Column, at, v any) {
	if !types.IsDateType(c.Type) {
		return
	}
	read, ok := at.(time.Time)
	if !ok || read.Equal(types.ZeroTime) || read.Equal(read.Truncate(24*time.Hour)) {
		return
	}
	if !s.Strict {
		s.note(ctx, c)
		return
	}
	ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysql.ERTruncatedWrongValue,
		Message: fmt.Sprintf("Incorrect date value: '%s' for column '%s' at row %d", s.shownClock(c, v), c.Name, s.Row)})
}
