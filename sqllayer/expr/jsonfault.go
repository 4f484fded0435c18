package expr

// Why a text is no JSON document, and where, in MySQL's words.

import "strings"

// fault reads a document up to the first thing that is wrong with it.
type fault struct {
	text string
	at   int
	what string
}

// DocumentFault finds the first fault of a text that is no JSON document, and its place.
func DocumentFault(text string) (what string, at int) {
	f := &fault{text: text}
	if f.space(); f.at == len(text) {
		return "The document is empty.", f.at
	}
	if f.value() {
		if f.space(); f.at < len(text) {
			return "The document root must not be followed by other values.", f.at
		}
		return "Invalid value.", 0 // this reader found nothing wrong
	}
	return f.what, f.at
}

func (f *fault) fail(what string) bool {
	f.what = what
	return false
}

func (f *fault) peek() byte {
	if f.at < len(f.text) {
		return f.text[f.at]
	}
	return 0
}

func (f *fault) space() {
	for strings.IndexByte(" \t\r\n", f.peek()) >= 0 && f.at < len(f.text) {
		f.at++
	}
}

func (f *fault) next(c byte) bool {
	f.space()
	if f.peek() != c {
		return false
	}
	f.at++
	f.space()
	return true
}

func (f *fault) value() bool {
	switch c := f.peek(); {
	case c == '{':
		return f.list('}', "Missing a comma or '}' after an object member.", f.member)
	case c == '[':
		return f.list(']', "Missing a comma or ']' after an array element.", f.value)
	case c == '"':
		return f.quoted()
	case c == 't':
		return f.word("true")
	case c == 'f':
		return f.word("false")
	case c == 'n':
		return f.word("null")
	}
	return f.number()
}

// list reads what stands between brackets.
func (f *fault) list(end byte, missing string, one func() bool) bool {
	f.at++
	if f.next(end) {
		return true
	}
	for one() {
		if f.next(',') {
			continue
		}
		return f.next(end) || f.fail(missing)
	}
	return false
}

func (f *fault) member() bool {
	if f.peek() != '"' {
		return f.fail("Missing a name for object member.")
	}
	if !f.quoted() {
		return false
	}
	if !f.next(':') {
		return f.fail("Missing a colon after a name of object member.")
	}
	return f.value()
}

func (f *fault) quoted() bool {
	for f.at++; f.at < len(f.text); f.at++ {
		switch c := f.text[f.at]; {
		case c == '"':
			f.at++
			return true
		case c < ' ':
			return f.fail("Invalid encoding in string.")
		case c == '\\':
			f.at++
			if strings.IndexByte(`"\/bfnrtu`, f.peek()) < 0 {
				f.at--
				return f.fail("Invalid escape character in string.")
			}
		}
	}
	f.at = len(f.text)
	return f.fail("Missing a closing quotation mark in string.")
}

func (f *fault) word(w string) bool {
	for f.at++; len(w) > 1; f.at, w = f.at+1, w[1:] {
		if f.peek() != w[1] {
			return f.fail("Invalid value.")
		}
	}
	return true
}

func (f *fault) number() bool {
	digits := func() bool {
		start := f.at
		for f.peek() >= '0' && f.peek() <= '9' {
			f.at++
		}
		return f.at > start
	}
	if f.peek() == '-' {
		f.at++
	}
	if f.peek() == '0' {
		f.at++
	} else if !digits() {
		return f.fail("Invalid value.")
	}
	if f.peek() == '.' {
		if f.at++; !digits() {
			return f.fail("Miss fraction part in number.")
		}
	}
	if c := f.peek(); c == 'e' || c == 'E' {
		f.at++
		if c := f.peek(); c == '+' || c == '-' {
			f.at++
		}
		if !digits() {
			return f.fail("Miss exponent in number.")
		}
	}
	return true
}
