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

// StopWords are those nobody looks for, in the order MySQL lists them.
var StopWords = strings.Fields(`a about an are as at be by com de en for from how i in is it la of on or that the this to was what when where who will with
	und the www`)

// Collation makes equal words equal bytes, and the beginning of a word the beginning of its bytes.
type Collation struct {
	weights func(dst, s []byte) []byte
	stop    map[string]bool
}

// NewCollation takes the weight function of a collation.
func NewCollation(weights func(dst, s []byte) []byte) *Collation {
	c := &Collation{weights: weights, stop: make(map[string]bool, len(StopWords))}
	for _, w := range StopWords {
		c.stop[c.Key(w)] = true
	}
	return c
}

// Key is the word's form under the collation.
func (c *Collation) Key(word string) string { return string(c.weights(nil, []byte(word))) }

// indexed tells whether a word of this form and length is kept in an index.
func (c *Collation) indexed(word, key string) bool {
	n := utf8.RuneCountInString(word)
	return n >= MinLength && n <= MaxLength && !c.stop[key]
}

// isWord tells the characters of words from those between words.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// Split cuts a text into its words, whatever their length.
func Split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) })
}

// Count counts the words of a document that are indexed, by their forms.
func (c *Collation) Count(texts []string) map[string]uint32 {
	count := make(map[string]uint32)
	for _, text := range texts {
		for _, word := range Split(text) {
			if key := c.Key(word); c.indexed(word, key) {
				count[key]++
			}
		}
	}
	return count
}
