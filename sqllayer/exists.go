package sqllayer

import "strings"

// EXISTS (SELECT ...) is a condition to the library's grammar, and no operand: beside an operator it gets parentheses, with a mark by which the names of columns lose them again.

const existsMark = "(/*\x00*/"

// operators are the tokens beside which EXISTS (SELECT ...) is an operand.
var operators = "= < > ! + - * / % & | ^ ~ <= >= <> != <=> << >> || && div mod is in not between like regexp rlike case when xor"

func isOperator(t token) bool {
	return t.text != "" && strings.Contains(" "+operators+" ", " "+strings.ToLower(t.text)+" ")
}

// exists looks at the token EXISTS before a parenthesis.
func (d *dialectWriter) exists(i int) {
	end := d.closing(i + 1)
	before, behind := d.at(i-1), d.at(end+1)
	if end == 0 || !isOperator(behind) && (!isOperator(before) || before.is("when", "not", "xor")) {
		return
	}
	open := existsMark
	if d.stored {
		open = "("
	}
	d.replace(i, i, open+d.tokens[i].text)
	d.close(end)
}

// existsAsWritten takes the parentheses away.
func existsAsWritten(text string) string {
	for {
		before, rest, found := strings.Cut(text, existsMark)
		if !found {
			return text
		}
		depth, words := 0, lexer{text: rest}
		for word, at := words.next(); word != ""; word, at = words.next() {
			if word == "(" {
				depth++
			} else if word == ")" {
				depth--
			}
			if depth < 0 {
				rest = rest[:at] + rest[at+1:]
				break
			}
		}
		text = before + rest
	}
}
