package sqllayer

// NUL in texts that clients write. The layer's own names hold one (viewMark, functionMark, SystemSchema, ...), so a client's text may hold it in strings and comments alone.

import (
	"bytes"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// RefuseNUL is MySQL's error of a client's text with a NUL outside of its strings and comments; nil if there is none. The tokens are the grammar's own: what it would
// read as a name is looked at, whatever other readers of the text take it for.
func RefuseNUL(text string, o ast.ParserOptions) *mysql.SQLError {
	switch {
	case strings.IndexByte(text, 0) < 0:
		return nil
	case strings.HasSuffix(text, firedMark): // also of a comment
		return errNear(text, len(text)-1, "")
	}
	tokens := ast.NewStringTokenizer(text)
	if o.AnsiQuotes {
		tokens = ast.NewStringTokenizerForAnsiQuotes(text)
	}
	for at := 0; ; {
		typ, val := tokens.Scan()
		end := max(tokens.Position-1, at) // the tokenizer is one character ahead
		for at < end && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
			at++
		}
		nul := strings.IndexByte(text[at:min(end, len(text))], 0)
		switch named := bytes.IndexByte(val, 0); {
		case nul == 0:
			return errNear(text, at, "")
		case typ == 0:
			return nil
		case typ == ast.STRING || typ == ast.COMMENT || typ == ast.FOR || typ == ast.NOT: // these two bring the token behind them, which comes next
		case nul > 0:
			return errNear(text, at, text[at:at+nul])
		case named >= 0:
			return errNear(text, at, "`"+string(val[:named]))
		}
		at = end
	}
}

// errNear is the error of a text that goes wrong at a place, of which MySQL shows what stands there.
func errNear(text string, at int, near string) *mysql.SQLError {
	return NewError(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '%.80s' at line %d",
		near, 1+strings.Count(text[:at], "\n"))
}
