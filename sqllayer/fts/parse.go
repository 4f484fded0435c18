package fts

import (
	"errors"
	"strconv"
	"strings"
)

// Mode is the language of a search.
type Mode uint8

const (
	Natural Mode = iota
	Expanded
	Boolean
)

// node is a part of a search: words, a phrase or a group in parentheses.
type node struct {
	oper     byte   // + - < > ~, or 0
	word     string // with its neighbours in list if it holds several, see run
	prefix   bool
	phrase   string
	distance int // of a phrase's words; 0: they follow each other
	list     []node
	kind     kind
}

type kind uint8

const (
	term  kind = iota
	run        // several words written as one, such as a,b: each has the operator of all
	text       // a phrase
	group      // parentheses
)

// token is a sign, or one of the kinds below.
type token struct {
	kind  string // as errors name it
	value string
}

const (
	endToken  = "$end"
	wordToken = "FTS_TERM"
	numToken  = "FTS_NUMB"
	textToken = "FTS_TEXT"
)

// parser reads searches in boolean mode.
type parser struct {
	rest  string
	next  token
	depth int
}

// mostNested is how deep groups may stand in each other.
const mostNested = 32

// ErrNested says that they stand deeper.
var ErrNested = errors.New("full-text search: groups nest too deep")

// parse reads a search in an index over words. The error's text is MySQL's.
func parse(query string, mode Mode) ([]node, error) {
	if mode != Boolean {
		return parseNatural(query), nil
	}
	p := &parser{rest: query}
	p.advance()
	list, err := p.expressions()
	if err == nil && p.next.kind != endToken {
		err = p.unexpected("$end")
	}
	return list, err
}

// parseNatural takes a text as words and phrases.
func parseNatural(query string) (list []node) {
	for query != "" {
		var quoted string
		before, after, ok := strings.Cut(query, `"`)
		if ok {
			if quoted, query, ok = strings.Cut(after, `"`); !ok {
				before, quoted, query = before+" "+after, "", ""
			}
		} else {
			query = ""
		}
		for _, field := range strings.FieldsFunc(before, func(r rune) bool { return r == ' ' || r == '\n' || r == '%' }) {
			list = append(list, wordNode(field, false))
		}
		if quoted != "" {
			list = append(list, node{kind: text, phrase: quoted})
		}
	}
	return list
}

// wordNode makes the words of one token. Those behind the first must be long enough to count.
func wordNode(token string, prefix bool) node {
	var words []node
	for _, w := range split(token) {
		if n := len([]rune(w)); len(words) == 0 || n >= MinLength && n <= MaxLength {
			words = append(words, node{kind: term, word: w})
		}
	}
	if len(words) == 0 {
		return node{kind: run}
	}
	words[len(words)-1].prefix = prefix
	if len(words) == 1 {
		return words[0]
	}
	return node{kind: run, list: words}
}

const signs = "*()+-<>~@"

// advance reads the next token.
func (p *parser) advance() {
	p.rest = strings.TrimLeft(p.rest, " \t\n%")
	if p.rest == "" {
		p.next = token{kind: endToken}
		return
	}
	if c := p.rest[0]; c == '"' {
		if end := strings.IndexByte(p.rest[1:], '"'); end >= 0 {
			p.next = token{textToken, p.rest[1 : end+1]}
			p.rest = p.rest[end+2:]
			return
		}
		p.rest = p.rest[1:]
		p.advance()
		return
	} else if strings.IndexByte(signs, c) >= 0 {
		p.next, p.rest = token{kind: "'" + string(c) + "'", value: string(c)}, p.rest[1:]
		return
	}
	end := strings.IndexAny(p.rest, " \t\n%\""+signs)
	if end < 0 {
		end = len(p.rest)
	}
	p.next, p.rest = token{wordToken, p.rest[:end]}, p.rest[end:]
	if strings.Trim(p.next.value, "0123456789") == "" {
		p.next.kind = numToken
	}
}

// SyntaxError is what is wrong with a search.
type SyntaxError struct{ message string }

func (e *SyntaxError) Error() string { return e.message }

func (p *parser) unexpected(expecting string) error {
	message := "syntax error, unexpected " + p.next.kind
	if expecting != "" {
		message += ", expecting " + expecting
	}
	return &SyntaxError{message}
}

// expressions reads up to the end, or to what is none.
func (p *parser) expressions() (list []node, err error) {
	for {
		oper := byte(0)
		switch p.next.value {
		case "+", "-", "<", ">", "~":
			if p.next.kind != textToken {
				oper = p.next.value[0]
				p.advance()
			}
		}
		n, ok, err := p.operand()
		if err != nil {
			return nil, err
		}
		if !ok {
			if oper != 0 {
				return nil, p.unexpected("")
			}
			return list, nil
		}
		n.oper = oper
		list = append(list, n)
	}
}

// operand reads a word, a phrase or a group; ok is false if there is none.
func (p *parser) operand() (n node, ok bool, err error) {
	switch p.next.kind {
	case "'('":
		if p.depth++; p.depth > mostNested {
			return n, false, ErrNested
		}
		p.advance()
		list, err := p.expressions()
		p.depth--
		if err == nil && p.next.kind != "')'" {
			err = p.unexpected("")
		}
		p.advance()
		return node{kind: group, list: list}, true, err
	case textToken:
		n = node{kind: text, phrase: p.next.value}
		if p.advance(); p.next.kind != "'@'" {
			return n, true, nil
		}
		if p.advance(); p.next.kind != numToken {
			return n, false, p.unexpected(numToken)
		}
		n.distance, _ = strconv.Atoi(p.next.value) // too large a number is as good as none
		p.advance()
		return n, true, nil
	case "'*'": // before a word it means nothing
		for p.next.kind == "'*'" {
			p.advance()
		}
		if p.next.kind != wordToken && p.next.kind != numToken {
			return n, false, p.unexpected("FTS_TERM or FTS_NUMB or '*'")
		}
	case wordToken, numToken:
	default:
		return n, false, nil
	}
	word := p.next.value
	p.advance()
	prefix := p.next.kind == "'*'"
	if prefix {
		p.advance()
	}
	return wordNode(word, prefix), true, nil
}
