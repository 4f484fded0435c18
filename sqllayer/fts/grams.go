package fts

import (
	"strings"
	"unicode/utf8"
)

// An index WITH PARSER ngram holds all runs of TokenSize characters of a text: its grams. So a text
// needs no blanks between its words to be searched. Grams do not reach over a blank or a sign of
// ASCII. One that contains a stop word is not in the index.
//
// A search in natural language is the grams of its text. A word of a boolean search that is longer
// than a gram is the phrase of its grams: they follow each other in the document, whatever stands
// between them. Boolean searches have no errors: one with a parenthesis too many finds nothing.

// grams cuts a text into its grams. short keeps words that are shorter than a gram.
func grams(text string, short bool) (out []string) {
	between := func(r rune) bool { return r < utf8.RuneSelf && !isWord(r) }
	for _, word := range strings.FieldsFunc(text, between) {
		start, end := 0, 0
		for range TokenSize {
			end += width(word, end)
		}
		if utf8.RuneCountInString(word) < TokenSize {
			if short {
				out = append(out, word)
			}
			continue
		}
		for out = append(out, word[:end]); end < len(word); out = append(out, word[start:end]) {
			start += width(word, start)
			end += width(word, end)
		}
	}
	return out
}

// width is how many bytes the character at a place has.
func width(text string, at int) int {
	_, n := utf8.DecodeRuneInString(text[at:])
	return n
}

// holdsStopWord tells whether a part of the gram is a stop word.
func (c *Collation) holdsStopWord(gram string) bool {
	for from := range gram {
		for to := from; to < len(gram); {
			if to += width(gram, to); c.isStopWord(gram[from:to]) {
				return true
			}
		}
	}
	return false
}

// parseGrams reads a search in an index over grams.
func parseGrams(query string, mode Mode) (list []node, err error) {
	if mode != Boolean {
		for _, gram := range grams(query, false) {
			list = append(list, node{kind: term, word: gram})
		}
		return list, nil
	}
	p := &gramParser{rest: query, before: ' '}
	list = p.expressions()
	switch {
	case p.deepest > mostNested:
		return nil, ErrNested
	case p.depth != 0:
		return nil, nil
	}
	return list, nil
}

// gramParser reads searches in boolean mode. A sign counts at the beginning and behind a blank or
// another sign; + and - no longer if a blank follows, and none if another character does.
type gramParser struct {
	rest    string
	before  rune // the last character that was none of those that count
	must    byte // + or -, or 0
	weight  int  // how many > there are more than <
	negated bool // an odd number of ~

	depth, deepest int
}

// expressions reads up to the end, or to the parenthesis that closes the group.
func (p *gramParser) expressions() (list []node) {
	for p.rest != "" && p.depth >= 0 && p.deepest <= mostNested {
		r, size := utf8.DecodeRuneInString(p.rest)
		switch {
		case isWord(r):
			list = append(list, p.word())
			continue
		case r == '"':
			phrase, rest, _ := strings.Cut(p.rest[size:], `"`)
			list = append(list, node{kind: text, phrase: phrase, oper: p.oper()})
			p.rest, p.before = rest, r
			continue
		}
		p.rest = p.rest[size:]
		switch r {
		case '(':
			p.depth++
			p.deepest = max(p.deepest, p.depth)
			n := node{kind: group, oper: p.oper()}
			n.list = p.expressions()
			list = append(list, n)
		case ')':
			p.depth--
			p.oper()
			return list
		default:
			if p.before != ' ' || !p.sign(r) {
				p.pass(r)
			}
		}
	}
	return list
}

// word reads a word and the * behind it.
func (p *gramParser) word() node {
	end := strings.IndexFunc(p.rest, func(r rune) bool { return !isWord(r) })
	if end < 0 {
		end = len(p.rest)
	}
	n := node{kind: term, word: p.rest[:end], oper: p.oper()}
	p.rest, p.before = p.rest[end:], 'a'
	p.rest, n.prefix = strings.CutPrefix(p.rest, "*")
	switch size := utf8.RuneCountInString(n.word); {
	case size > TokenSize:
		return node{kind: text, phrase: n.word, oper: n.oper}
	case size == TokenSize:
		n.prefix = false
	}
	return n
}

// sign notes a sign before a word, a phrase or a group.
func (p *gramParser) sign(r rune) bool {
	switch r {
	case '+', '-':
		p.must = byte(r)
	case '>':
		p.weight++
	case '<':
		p.weight--
	case '~':
		p.negated = !p.negated
	default:
		return false
	}
	return true
}

// pass notes a character that is none of a search.
func (p *gramParser) pass(r rune) {
	if r == ' ' {
		p.must = 0
	} else {
		p.oper()
	}
	p.before = r
}

// oper is the operator that the signs make, which are used up.
func (p *gramParser) oper() (oper byte) {
	switch {
	case p.must != 0:
		oper = p.must
	case p.weight > 0:
		oper = '>'
	case p.weight < 0:
		oper = '<'
	case p.negated:
		oper = '~'
	}
	p.must, p.weight, p.negated = 0, 0, false
	return oper
}
