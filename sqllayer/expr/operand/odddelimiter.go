package operand

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	own "emberdb/sql/types"
)

// Codes of warnings of delimiters.
const (
	oddDelimiter         = 4095
	superfluousDelimiter = 4096
)

// WarnOfDelimiter warns of a text that is read as a date and has another delimiter than the standard,
// or more than one.
func WarnOfDelimiter(ctx *sql.Context, text string, row int64) {
	if strings.Trim(text, "0123456789") == "" {
		return
	}
	m, ok := own.ReadMoment(text)
	if !ok || m.Odd.Char == 0 || !DatesOf(ctx).Take(m.Moment) {
		return
	}
	shown := string(rune(m.Odd.Char))
	if escaped := strings.IndexByte("\t\n\v\f\r", m.Odd.Char); escaped >= 0 {
		shown = `\` + "tnvfr"[escaped:escaped+1]
	}
	if m.Odd.Standard == 0 {
		ctx.Warn(superfluousDelimiter, "Delimiter '%s' in position %d in datetime value '%s' at row %d is superfluous and is deprecated. Please remove.", shown, m.Odd.At, text, max(row, 1))
		return
	}
	ctx.Warn(oddDelimiter, "Delimiter '%s' in position %d in datetime value '%s' at row %d is deprecated. Prefer the standard '%c'.", shown, m.Odd.At, text, max(row, 1), m.Odd.Standard)
}
