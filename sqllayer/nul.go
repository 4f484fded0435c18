package sqllayer

// NUL in texts that clients write. The layer's own names hold one (viewMark, functionMark,
// SystemSchema, ...), so a client's text may hold it in strings and comments alone.

import (
	"context"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqltoken "emberdb/sql/token"
)

// RefuseNUL is MySQL's error of a client's text with a NUL outside of its strings and comments; nil
// if there is none.
func RefuseNUL(text string, o ast.ParserOptions) *mysql.SQLError {
	switch {
	case strings.IndexByte(text, 0) < 0:
		return nil
	case strings.HasSuffix(text, firedMark): // also of a comment
		return errNear(text, len(text)-1, "")
	}
	l := sqltoken.NewLexer(text, readMode(context.Background(), o), nil)
	l.SetVersion(VersionNumber)
	for {
		t := l.Next()
		from, to := int(t.From), int(t.To)
		if t.Kind == sqltoken.Invalid && to < len(text) {
			to++
		}
		written := text[from:to]
		nul := strings.IndexByte(written, 0)
		switch {
		case t.Kind == sqltoken.EOF:
			return nil
		case nul >= 0 && !isString(t.Kind):
			return errNear(text, from, written[:nul])
		case t.Kind == sqltoken.Invalid: // a syntax error behind which nothing is read
			return errNear(text, from, text[from:])
		}
	}
}

func isString(k sqltoken.Kind) bool {
	return k == sqltoken.String || k == sqltoken.NString || k == sqltoken.DollarString
}

// errNear is the error of a text that goes wrong at a place, of which MySQL shows what stands
// there.
func errNear(text string, at int, near string) *mysql.SQLError {
	return NewError(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '%.80s' at line %d",
		near, 1+strings.Count(text[:at], "\n"))
}
