package texts

import (
	"strings"
	"unicode"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/operand"
)

// soundexCodes are the codes of the letters A to Z; those of other letters are 0, as those of
// vowels.
const soundexCodes = "01230120022455012623010202"

func init() {
	operand.Register(operand.NewScalar("soundex", 1, 1, nil, func(ctx *sql.Context, a []any) (any, error) {
		text, err := operand.ShownText(ctx, a[0])
		return soundex(text), err
	}))
}

// soundex is a text's first letter and the codes of the others, equal neighbours once. It has at
// least four characters, or none if there is no letter.
func soundex(text string) string {
	var out strings.Builder
	last, letters := byte('0'), 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		code := byte('0')
		if r <= 'Z' {
			code = soundexCodes[r-'A']
		}
		if letters == 0 {
			out.WriteRune(r)
		} else if code != '0' && code != last {
			out.WriteByte(code)
		} else {
			continue
		}
		last = code
		letters++
	}
	if letters == 0 {
		return ""
	}
	return out.String() + strings.Repeat("0", max(0, 4-letters))
}
