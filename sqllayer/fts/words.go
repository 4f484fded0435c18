package fts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths of words in characters, shorter and longer ones are not indexed. Set before the first
// index is read.
var (
	MinLength = 3
	MaxLength = 84
)

// TokenSize is the length of grams in characters. Set as the lengths above are.
var TokenSize = 2

// StopWords are those nobody looks for, unless a table has a list of its own, in the order MySQL lists
// them.
var StopWords = strings.Fields(`a about an are as at be by com de en for from how i in is it la of on or that the this to was what when where who will with
	und the www`)

// Collation makes equal words equal bytes, and the beginning of a word the beginning of its bytes.
// The words of an index are those of the language, or the grams of its texts, see grams.go.
type Collation struct {
	weights func(dst, s []byte) []byte
	stop    map[string]bool
	grams   bool
}

// NewCollation takes the weight function of a collation, and the stop words.
func NewCollation(weights func(dst, s []byte) []byte, grams bool, stop []string) *Collation {
	c := &Collation{weights: weights, stop: make(map[string]bool, len(stop)), grams: grams}
	for _, w := range stop {
		c.stop[strings.ToLower(w)] = true
	}
	return c
}

// Key is the word's form under the collation.
func (c *Collation) Key(word string) string { return string(c.weights(nil, []byte(word))) }

// indexed tells whether a word is kept in an index.
func (c *Collation) indexed(word string) bool {
	if c.grams {
		return !c.holdsStopWord(word)
	}
	n := utf8.RuneCountInString(word)
	return n >= MinLength && n <= MaxLength && !c.isStopWord(word)
}

// isStopWord minds no case, but accents, whatever the collation.
func (c *Collation) isStopWord(word string) bool { return c.stop[strings.ToLower(word)] }

// isWord tells the characters of words from those between words.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// split cuts a text into its words, whatever their length.
func split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) })
}

// words are what an index holds of a document's text.
func (c *Collation) words(text string) []string {
	if c.grams {
		return grams(text, false)
	}
	return split(text)
}

// phrase are the words of a phrase that is searched for.
func (c *Collation) phrase(text string) []string {
	if c.grams {
		return grams(text, true)
	}
	return split(text)
}

// Count counts the words of a document that are indexed, by their forms.
func (c *Collation) Count(texts []string) map[string]uint32 {
	count := make(map[string]uint32)
	for _, text := range texts {
		for _, word := range c.words(text) {
			if c.indexed(word) {
				count[c.Key(word)]++
			}
		}
	}
	return count
}
