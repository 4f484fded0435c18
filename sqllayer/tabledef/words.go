package tabledef

import (
	"iter"
	"strings"

	sqltoken "emberdb/sql/token"
)

// Word is a token of a text.
type Word struct {
	Text     string
	From, To int
}

func (w Word) Is(words ...string) bool {
	for _, s := range words {
		if strings.EqualFold(w.Text, s) {
			return true
		}
	}
	return false
}

// WordsOf gives the tokens of a text from a place on.
func WordsOf(text string, from int) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		l := sqltoken.NewLexer(text, 0, nil)
		l.SetVersion(VersionNumber)
		l.Seek(from)
		for t := l.Next(); t.Kind != sqltoken.EOF && t.Kind != sqltoken.Invalid; t = l.Next() {
			if !yield(Word{text[t.From:t.To], int(t.From), int(t.To)}) {
				return
			}
		}
	}
}
