package operand

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/vitess/go/mysql"
)

// A JSON text is read once, from its start to its end. What is no document is told in MySQL's words,
// with the place of the first fault. The reader looks at its statement between values, so that a
// text of any length ends with it.

// ParseDocument reads a JSON text: integers that no double holds are int64 or uint64, doubles that
// are whole keep a digit behind the point. The error is a *Fault, one of IsJSONDepth, or the
// statement's end. A context that is nil never ends.
func ParseDocument(ctx context.Context, text string) (any, error) {
	return (&jsonReader{text: text, steps: Interrupts{Ctx: ctx}}).document()
}

func (r *jsonReader) document() (any, error) {
	if r.space(); r.at == len(r.text) {
		return nil, r.fail("The document is empty.")
	}
	v, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.space(); r.at < len(r.text) {
		return nil, r.fail("The document root must not be followed by other values.")
	}
	return v, nil
}

// Fault is the first thing that is wrong with a text that is no JSON document.
type Fault struct {
	What string
	At   int
}

func (f *Fault) Error() string { return fmt.Sprintf("%s (position %d)", f.What, f.At) }

// InArgument is the fault of an argument of a function, counted from 0.
func (f *Fault) InArgument(at int, function string) error {
	return mysql.NewSQLError(mysql.ERInvalidJSONTextInParams, "22032", "Invalid JSON text in argument %d to function %s: \"%s\" at position %d.", at+1, function, f.What, f.At)
}

// jsonReader reads one text. depth counts the brackets around its place.
type jsonReader struct {
	text  string
	at    int
	depth int
	steps Interrupts
	kept  bool // the text is a document's: a number that no double is written as is a DECIMAL
}

func (r *jsonReader) fail(what string) error { return &Fault{what, r.at} }

// peek is the next byte; 0 at the end.
func (r *jsonReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *jsonReader) space() {
	for r.at < len(r.text) && isSpace(r.text[r.at]) {
		r.at++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// next takes a mark with the space around it.
func (r *jsonReader) next(c byte) bool {
	r.space()
	if r.peek() != c {
		return false
	}
	r.at++
	r.space()
	return true
}

func (r *jsonReader) value() (any, error) {
	if err := r.steps.Next(); err != nil {
		return nil, err
	}
	switch r.peek() {
	case '{':
		object := map[string]any{}
		return object, r.list('}', "Missing a comma or '}' after an object member.", func() error { return r.member(object) })
	case '[':
		array := []any{}
		err := r.list(']', "Missing a comma or ']' after an array element.", func() error {
			v, err := r.value()
			array = append(array, v)
			return err
		})
		return array, err
	case '"':
		return r.quoted()
	case 't':
		return true, r.word("true")
	case 'f':
		return false, r.word("false")
	case 'n':
		return nil, r.word("null")
	}
	return r.number()
}

// list reads what stands between brackets.
func (r *jsonReader) list(end byte, missing string, one func() error) error {
	if r.depth++; r.depth > MostJSONDepth {
		return ErrJSONDepth
	}
	r.at++
	if !r.next(end) {
		for {
			if err := one(); err != nil {
				return err
			}
			if r.next(',') {
				continue
			}
			if !r.next(end) {
				return r.fail(missing)
			}
			break
		}
	}
	r.depth--
	return nil
}

// member reads a name and its value. Of values of one name the last one stays.
func (r *jsonReader) member(object map[string]any) error {
	if r.peek() != '"' {
		return r.fail("Missing a name for object member.")
	}
	name, err := r.quoted()
	if err != nil {
		return err
	}
	if !r.next(':') {
		return r.fail("Missing a colon after a name of object member.")
	}
	object[name], err = r.value()
	return err
}

func (r *jsonReader) word(w string) error {
	for r.at++; len(w) > 1; r.at, w = r.at+1, w[1:] {
		if r.peek() != w[1] {
			return r.fail("Invalid value.")
		}
	}
	return nil
}

// quoted reads a string. What is no UTF-8 in it becomes U+FFFD.
func (r *jsonReader) quoted() (string, error) {
	r.at++
	start := r.at
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			out := r.text[start:r.at]
			r.at++
			return validText(out), nil
		case c == '\\':
			return r.escaped(start)
		case c < ' ':
			return "", r.fail("Invalid encoding in string.")
		}
	}
	return "", r.fail("Missing a closing quotation mark in string.")
}

// escaped is quoted of a string that began at start and has an escape here.
func (r *jsonReader) escaped(start int) (string, error) {
	var out strings.Builder
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			out.WriteString(r.text[start:r.at])
			r.at++
			return validText(out.String()), nil
		case c == '\\':
			if err := r.steps.Next(); err != nil {
				return "", err
			}
			out.WriteString(r.text[start:r.at])
			char, err := r.escape()
			if err != nil {
				return "", err
			}
			out.WriteRune(char)
			start = r.at
		case c < ' ':
			return "", r.fail("Invalid encoding in string.")
		default:
			r.at++
		}
	}
	return "", r.fail("Missing a closing quotation mark in string.")
}

// escape reads a backslash and what it makes of the characters behind it.
func (r *jsonReader) escape() (rune, error) {
	rest := r.text[r.at+1:]
	if rest != "" {
		if i := strings.IndexByte(`"\/bfnrt`, rest[0]); i >= 0 {
			r.at += 2
			return rune("\"\\/\b\f\n\r\t"[i]), nil
		}
	}
	if rest == "" || rest[0] != 'u' {
		return 0, r.fail("Invalid escape character in string.")
	}
	first, ok := hexUnit(rest[1:])
	if !ok {
		return 0, r.fail("Incorrect hex digit after \\u escape in string.")
	}
	if !utf16.IsSurrogate(first) {
		r.at += len(`\u0000`)
		return first, nil
	}
	if rest = rest[len("u0000"):]; !strings.HasPrefix(rest, `\u`) {
		return 0, r.fail("The surrogate pair in string is invalid.")
	}
	second, ok := hexUnit(rest[2:])
	if !ok {
		return 0, r.fail("Incorrect hex digit after \\u escape in string.")
	}
	char := utf16.DecodeRune(first, second)
	if char == utf8.RuneError {
		return 0, r.fail("The surrogate pair in string is invalid.")
	}
	r.at += len(`\u0000\u0000`)
	return char, nil
}

// hexUnit is the number that four digits make.
func hexUnit(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(text[:4], 16, 16)
	return rune(n), err == nil && text[0] != '+' && text[0] != '_'
}

// validText is a text whose bytes that are no UTF-8 are characters U+FFFD.
func validText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// number reads a number; see NumberIn for its value.
func (r *jsonReader) number() (any, error) {
	start := r.at
	if r.peek() == '-' {
		r.at++
	}
	if r.peek() == '0' {
		r.at++
	} else if !r.digits() {
		return nil, r.fail("Invalid value.")
	}
	if r.peek() == '.' {
		if r.at++; !r.digits() {
			return nil, r.fail("Miss fraction part in number.")
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.at++
		if c := r.peek(); c == '+' || c == '-' {
			r.at++
		}
		if !r.digits() {
			return nil, r.fail("Miss exponent in number.")
		}
	}
	v := NumberIn(r.text[start:r.at])
	if f, ok := v.(float64); ok && math.IsInf(f, 0) {
		r.at = start
		return nil, r.fail("Number too big to be stored in double.")
	}
	if text := r.text[start:r.at]; r.kept && isDecimal(text, v) {
		d, _, err := apd.NewFromString(text)
		return d, err
	}
	return v, nil
}

// isDecimal tells whether the text of a number with a point is another than that of the double v.
func isDecimal(text string, v any) bool {
	if !strings.Contains(text, ".") || strings.ContainsAny(text, "eE") {
		return false
	}
	var digits [32]byte
	switch f := v.(type) {
	case float64:
		return string(AppendFloat(digits[:0], f, 64)) != text
	case *apd.Decimal:
		return f.Text('f') != text
	}
	return false
}

func (r *jsonReader) digits() bool {
	start := r.at
	for c := r.peek(); c >= '0' && c <= '9'; c = r.peek() {
		r.at++
	}
	return r.at > start
}
