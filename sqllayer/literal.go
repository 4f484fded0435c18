package sqllayer

import (
	"encoding/hex"
	"regexp"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// typedLiterals puts functions of package expr in the place of DATE '...', TIME '...' and TIMESTAMP '...'. Statements whose text is stored stay: it has to be
// shown as it was written.
func typedLiterals(query string) string {
	if !mayHaveLiteral(query) {
		return query
	}
	var out strings.Builder
	done := 0 // copied so far
	words := lexer{text: query}
	before := ""
	for word, at := words.next(); word != ""; {
		if before == "" && (strings.EqualFold(word, "create") || strings.EqualFold(word, "alter")) {
			return query
		}
		next, nextAt := words.next()
		if next != "" && next[0] == '\'' && before != "." && isLiteralWord(word) {
			out.WriteString(query[done:at])
			out.WriteString("`" + expr.TypedLiteral + query[at:nextAt] + "`(" + next + ")")
			done = nextAt + len(next)
		}
		before, word, at = word, next, nextAt
	}
	if done == 0 {
		return query
	}
	out.WriteString(query[done:])
	return out.String()
}

func isLiteralWord(word string) bool {
	return strings.EqualFold(word, "date") || strings.EqualFold(word, "time") || strings.EqualFold(word, "timestamp")
}

// mayHaveLiteral looks for the end of one of the words and a quote behind it.
func mayHaveLiteral(query string) bool {
	for i := 4; i < len(query); i++ {
		if query[i] != '\'' {
			continue
		}
		word := strings.TrimRight(query[:i], " \t\r\n")
		if len(word) >= 4 && (strings.EqualFold(word[len(word)-4:], "date") || strings.EqualFold(word[len(word)-4:], "time") ||
			len(word) >= 9 && strings.EqualFold(word[len(word)-9:], "timestamp")) {
			return true
		}
	}
	return false
}

// dialectCall finds the names that dialect gives.
var dialectCall = regexp.MustCompile("`\x00((?i)all|any|interval|default|json_value)`")

// dialectAsWritten undoes dialect in a text.
func dialectAsWritten(text string) string {
	text = nestedAsWritten.Replace(strings.Replace(existsAsWritten(text), alterMark, "", 1))
	text = unitName.ReplaceAllString(text, "$1")
	text = bitLiteral.ReplaceAllString(substringWord.ReplaceAllString(text, "$1"), "0b$1")
	if !strings.Contains(text, "`\x00") {
		return text
	}
	text = strings.NewReplacer(rollupMark, " WITH ROLLUP", "= `"+expr.InArray+"`", "member of").Replace(text)
	text = valueCall.ReplaceAllStringFunc(text, func(tail string) string {
		return " " + strings.NewReplacer("''", "'", `\\`, `\`).Replace(tail[len(valueTail):len(tail)-1])
	})
	return dialectCall.ReplaceAllString(text, "$1")
}

// These find the commas that dialect puts into SUBSTRING, the bits it puts in the place of 0b101, and the units that it makes names.
var (
	unitName      = regexp.MustCompile(regexp.QuoteMeta(unitMark) + "`(\\w+)`")
	substringWord = regexp.MustCompile(regexp.QuoteMeta(substringComma) + `(\w+)\*/`)
	bitLiteral    = regexp.MustCompile(`b'([01]+)'` + regexp.QuoteMeta(bitsMark))
)

// valueCall finds the texts that jsonValue makes.
var valueCall = regexp.MustCompile(valueTail + "(?:[^']|'')*'")

var literalCall = regexp.MustCompile("`" + expr.TypedLiteral + "([^`]*)`\\(('(?:[^'\\\\]|\\\\.|'')*')\\)")

// literalsAsWritten undoes typedLiterals in the text of an expression, which names its column.
func literalsAsWritten(text string) string {
	text = dialectAsWritten(text)
	if !strings.Contains(text, expr.TypedLiteral) {
		return text
	}
	return literalCall.ReplaceAllStringFunc(text, func(call string) string {
		m := literalCall.FindStringSubmatch(call)
		if strings.HasPrefix(m[1], "{") {
			m[2] += "}"
		}
		return m[1] + m[2]
	})
}

// introduced makes the hexadecimal bytes behind a character set's name the text that they are: GMS decodes them, but keeps them bytes, which a column would
// decode once more.
func introduced(n *ast.UnaryExpr) {
	operator := strings.ToLower(strings.TrimSpace(n.Operator))
	v, ok := n.Expr.(*ast.SQLVal)
	if !ok || !strings.HasPrefix(operator, "_") || operator == "_binary" || v.Type != ast.HexNum && v.Type != ast.HexVal {
		return
	}
	digits := string(v.Val)
	if v.Type == ast.HexNum {
		digits = digits[len("0x"):]
	}
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	if b, err := hex.DecodeString(digits); err == nil {
		n.Expr = ast.NewStrVal(b)
	}
}
