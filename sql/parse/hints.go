package parse

import (
	"fmt"
	"slices"
	"strings"
)

// Optimizer hints. A text that is no list of hints leaves a warning, and the statement goes on:
// https://dev.mysql.com/doc/refman/9.7/en/optimizer-hints.html

// hintForm is what stands between the parentheses of a hint.
type hintForm uint8

const (
	hintTables    hintForm = iota + 1 // tables, or a block and tables
	hintSomeTable                     // the same, at least one
	hintIndexes                       // a table and indexes
	hintBlock                         // a block, or nothing
	hintSemijoin                      // a block and strategies of semi joins
	hintSubquery                      // a block and a strategy of subqueries
	hintNumber
	hintName
	hintVariable
)

// hintForms are the hints. Those with a NO_ beside them are named without it.
var hintForms = map[string]hintForm{
	"BKA": hintTables, "BNL": hintTables, "HASH_JOIN": hintTables, "MERGE": hintTables, "DERIVED_CONDITION_PUSHDOWN": hintTables,
	"GROUP_INDEX": hintIndexes, "INDEX": hintIndexes, "INDEX_MERGE": hintIndexes, "JOIN_INDEX": hintIndexes, "MRR": hintIndexes, "ORDER_INDEX": hintIndexes,
	"SKIP_SCAN": hintIndexes, "NO_ICP": hintIndexes, "NO_RANGE_OPTIMIZATION": hintIndexes, "JOIN_FIXED_ORDER": hintBlock,
	"JOIN_ORDER": hintSomeTable, "JOIN_PREFIX": hintSomeTable, "JOIN_SUFFIX": hintSomeTable, "SEMIJOIN": hintSemijoin, "SUBQUERY": hintSubquery,
	"MAX_EXECUTION_TIME": hintNumber, "RESOURCE_GROUP": hintName, "QB_NAME": hintName, "SET_VAR": hintVariable,
}

// hintReader reads a list of hints.
type hintReader struct {
	text string
	at   int
}

// checkHints warns of a list of hints, which ends with the comment, that is none.
func (p *parser) checkHints(from, to uint32) {
	text := p.lex.Text()
	r := hintReader{text: text[from:to]}
	for {
		if !r.hint() {
			break
		}
		if r.skip(); r.at == len(r.text) {
			return
		}
	}
	at := int(from) + r.at
	near := p.near(text[at:])
	if r.at == len(r.text) {
		near = "*/"
	}
	p.warn(1064, fmt.Sprintf("Optimizer hint syntax error near '%s' at line %d", near, 1+strings.Count(text[:at], "\n")))
}

// inHint tells the bytes of names and numbers.
func inHint(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func (r *hintReader) skip() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n\f\v", r.text[r.at]) >= 0 {
		r.at++
	}
}

// sign passes a sign by.
func (r *hintReader) sign(c byte) bool {
	if r.skip(); r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// next tells whether a sign follows.
func (r *hintReader) next(c byte) bool {
	r.skip()
	return r.at < len(r.text) && r.text[r.at] == c
}

// name passes a name by: written as it is, or in quotes.
func (r *hintReader) name() (string, bool) {
	r.skip()
	from := r.at
	if r.next('`') || r.next('"') {
		end := strings.IndexByte(r.text[from+1:], r.text[from])
		if end < 1 {
			return "", false
		}
		r.at += end + 2
		return r.text[from+1 : r.at-1], true
	}
	digits := true
	for ; r.at < len(r.text) && inHint(r.text[r.at]); r.at++ {
		digits = digits && r.text[r.at] >= '0' && r.text[r.at] <= '9'
	}
	if digits {
		r.at = from
	}
	return r.text[from:r.at], !digits
}

// number passes digits by.
func (r *hintReader) number() bool {
	r.skip()
	from := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	return r.at > from
}

// hint passes one hint by.
func (r *hintReader) hint() bool {
	r.skip()
	from := r.at
	if r.next('`') || r.next('"') {
		return false
	}
	name, ok := r.name()
	name = strings.ToUpper(name)
	form := hintForms[name]
	if rest, no := strings.CutPrefix(name, "NO_"); form == 0 && no && !slices.Contains([]hintForm{hintBlock, hintSomeTable, hintSubquery, hintNumber, hintName, hintVariable}, hintForms[rest]) {
		form = hintForms[rest]
	}
	if !ok || form == 0 {
		r.at = from
		return false
	}
	return r.sign('(') && r.arguments(form) && r.sign(')')
}

func (r *hintReader) arguments(form hintForm) bool {
	switch form {
	case hintNumber:
		return r.number()
	case hintName:
		_, ok := r.name()
		return ok
	case hintVariable:
		return r.variable()
	}
	block := r.next('@')
	if block && !r.block() {
		return false
	}
	switch form {
	case hintBlock:
		return true
	case hintSemijoin:
		return r.next(')') || r.words("FIRSTMATCH", "LOOSESCAN", "MATERIALIZATION", "DUPSWEEDOUT")
	case hintSubquery:
		return r.word("INTOEXISTS", "MATERIALIZATION")
	case hintIndexes:
		return r.table(block) && (r.next(')') || r.list(func() bool { _, ok := r.name(); return ok }))
	case hintTables:
		if r.next(')') {
			return true
		}
	}
	return r.list(func() bool { return r.table(block) })
}

// block passes the name of a query block by.
func (r *hintReader) block() bool {
	r.at++
	if r.at == len(r.text) || !inHint(r.text[r.at]) && r.text[r.at] != '`' && r.text[r.at] != '"' {
		return false
	}
	_, ok := r.name()
	return ok
}

// table passes a table by, and the block that it is in, which named: is named before.
func (r *hintReader) table(named bool) bool {
	if _, ok := r.name(); !ok {
		if r.next('@') {
			r.at++
		}
		return false
	}
	return named || r.at == len(r.text) || r.text[r.at] != '@' || r.block()
}

func (r *hintReader) list(item func() bool) bool {
	for item() {
		if !r.sign(',') {
			return true
		}
	}
	return false
}

// word passes one of some words by.
func (r *hintReader) word(words ...string) bool {
	r.skip()
	from := r.at
	if name, ok := r.name(); ok && slices.Contains(words, strings.ToUpper(name)) {
		return true
	}
	r.at = from
	return false
}

func (r *hintReader) words(words ...string) bool {
	return r.list(func() bool { return r.word(words...) })
}

// variable passes name = value by.
func (r *hintReader) variable() bool {
	if r.next('@') {
		r.at++
		return false
	}
	if _, ok := r.name(); !ok || !r.sign('=') {
		return false
	}
	if r.next('\'') {
		end := strings.IndexByte(r.text[r.at+1:], '\'')
		if end < 1 {
			return false
		}
		r.at += end + 2
		return true
	}
	from := r.at
	if r.number() && (r.at == len(r.text) || !inHint(r.text[r.at])) {
		return true
	}
	if r.at > from && r.at < len(r.text) && strings.IndexByte("kKmMgG", r.text[r.at]) >= 0 {
		r.at++
		return true
	}
	r.at = from
	_, ok := r.name()
	return ok
}
