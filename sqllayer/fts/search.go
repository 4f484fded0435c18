package fts

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Reader reads an index.
type Reader interface {
	// Postings gives the documents of a word, or of all words that begin so, in the order of the
	// words: each document's key and how often the word is in it.
	Postings(word string, prefix bool, each func(doc string, count uint32)) error
	// Texts gives the texts of a document.
	Texts(doc string) ([]string, error)
}

// Hit is a document that was found.
type Hit struct {
	Doc  string
	Rank float32
}

// Search is one search.
type Search struct {
	Collation *Collation
	Reader    Reader
	Documents uint64 // how many there are

	words []*word
	known map[string]int // word -> its number
	docs  map[string]*match
	must  bool // some + has narrowed docs down
}

// word is one the search has looked for.
type word struct {
	documents uint64
	counts    map[string]uint32 // by document
}

// match is a document on its way into the result.
type match struct {
	rank  float32
	words []int
}

// Run gives the documents, the most relevant ones first.
func (s *Search) Run(query string, mode Mode) ([]Hit, error) {
	read := parse
	if s.Collation.grams {
		read = parseGrams
	}
	list, err := read(query, mode)
	if err != nil {
		return nil, err
	}
	s.known, s.docs = make(map[string]int), make(map[string]*match)
	if err := s.all(list); err != nil {
		return nil, err
	}
	if mode == Expanded {
		if err := s.expand(); err != nil {
			return nil, err
		}
	}
	hits := make([]Hit, 0, len(s.docs))
	for doc, m := range s.docs {
		hits = append(hits, Hit{doc, s.rank(doc, m)})
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), strings.Compare(a.Doc, b.Doc))
	})
	return hits, nil
}

func (s *Search) rank(doc string, m *match) float32 {
	rank := m.rank
	slices.Sort(m.words)
	for _, at := range slices.Compact(m.words) {
		w := s.words[at]
		idf := math.Log10(1.0001)
		if w.documents != s.Documents {
			idf = math.Log10(float64(s.Documents) / float64(w.documents))
		}
		rank += float32(float64(w.counts[doc]) * idf * idf)
	}
	return rank
}

// all runs the parts of a list: those without + and - first, then +, then -. Runs of words take
// their turn where they stand.
func (s *Search) all(list []node) error {
	for _, turn := range []byte{0, '+', '-'} {
		for i := range list {
			n := &list[i]
			at := byte(0)
			if n.kind != run && (n.oper == '+' || n.oper == '-') {
				at = n.oper
			}
			if at != turn {
				continue
			}
			if err := s.one(n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Search) one(n *node) error {
	switch n.kind {
	case group:
		return s.group(n)
	case run:
		for i := range n.list {
			part := n.list[i]
			part.oper = n.oper
			if err := s.one(&part); err != nil {
				return err
			}
		}
		return nil
	case text:
		return s.phrase(n)
	}
	at, found, err := s.look(n.word, n.prefix, n.oper != '-')
	if err != nil {
		return err
	}
	matches := make(map[string]*match, len(found))
	for doc := range found {
		matches[doc] = &match{words: []int{at}}
	}
	s.merge(n.oper, matches)
	return nil
}

// look reads a word's documents. counted: they count for its rarity.
func (s *Search) look(text string, prefix, counted bool) (at int, found map[string]uint32, err error) {
	key := s.Collation.Key(text)
	name := key
	if prefix {
		name += "*"
	}
	found = make(map[string]uint32)
	documents := uint64(0)
	err = s.Reader.Postings(key, prefix, func(doc string, count uint32) {
		documents++
		if _, ok := found[doc]; !ok {
			found[doc] = count
		}
	})
	at, ok := s.known[name]
	if !ok {
		at = len(s.words)
		s.known[name] = at
		s.words = append(s.words, &word{counts: found})
	}
	if counted {
		s.words[at].documents += documents
	}
	return at, found, err
}

// merge lets an operator take what was found into the result.
func (s *Search) merge(oper byte, found map[string]*match) {
	switch oper {
	case '-':
		for doc := range found {
			delete(s.docs, doc)
		}
		return
	case '+':
		both := make(map[string]*match)
		for doc, m := range found {
			if old, ok := s.docs[doc]; ok {
				old.words, old.rank = append(old.words, m.words...), between(old.rank+m.rank)
				both[doc] = old
			} else if !s.must {
				both[doc] = m
			}
		}
		s.docs, s.must = both, true
		return
	}
	for doc, m := range found {
		old, ok := s.docs[doc]
		switch {
		case ok:
			old.words = append(old.words, m.words...)
		case oper == '~':
			continue
		default:
			old = m
			s.docs[doc] = old
		}
		switch oper {
		case '>':
			old.rank = between(old.rank + 1)
		case '<', '~':
			old.rank = between(old.rank - 1)
		}
	}
}

func between(rank float32) float32 { return max(-1, min(1, rank)) }

// group runs what stands in parentheses on its own.
func (s *Search) group(n *node) error {
	docs, must := s.docs, s.must
	s.docs, s.must = make(map[string]*match), false
	err := s.all(n.list)
	found := s.docs
	s.docs, s.must = docs, must
	if err == nil {
		s.merge(n.oper, found)
	}
	return err
}

// phrase finds the documents in which all words stand as in the phrase, which begins with its first
// word that is in the index.
func (s *Search) phrase(n *node) error {
	var keys, kept []string
	for _, w := range s.Collation.phrase(n.phrase) {
		if s.Collation.indexed(w) {
			kept = append(kept, w)
		}
		if kept != nil {
			keys = append(keys, s.Collation.Key(w))
		}
	}
	found := make(map[string]*match)
	for i, w := range kept {
		at, docs, err := s.look(w, false, true)
		if err != nil {
			return err
		}
		both := make(map[string]*match)
		for doc := range docs {
			if m, ok := found[doc]; ok {
				m.words = append(m.words, at)
				both[doc] = m
			} else if i == 0 {
				both[doc] = &match{words: []int{at}}
			}
		}
		if found = both; len(found) == 0 {
			break
		}
	}
	var err error
	switch {
	case n.distance > 0 && len(kept) > 1:
		for i, w := range kept {
			kept[i] = s.Collation.Key(w)
		}
		err = s.sift(found, func(words []string) bool { return near(words, kept, n.distance) })
	case n.distance == 0 && len(keys) > 1:
		err = s.sift(found, func(words []string) bool { return follows(words, keys) })
	}
	s.merge(n.oper, found)
	return err
}

// sift leaves documents out of which no text is as wanted.
func (s *Search) sift(found map[string]*match, want func(words []string) bool) error {
	for doc := range found {
		texts, err := s.Reader.Texts(doc)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(texts, func(text string) bool {
			words := s.Collation.words(text)
			for i, w := range words {
				words[i] = s.Collation.Key(w)
			}
			return want(words)
		}) {
			delete(found, doc)
		}
	}
	return nil
}

// follows tells whether the phrase stands in the text.
func follows(words, phrase []string) bool {
	for i := 0; i+len(phrase) <= len(words); i++ {
		if slices.Equal(words[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// near tells whether distance words in a row hold all the wanted ones.
func near(words, wanted []string, distance int) bool {
	for i := range words {
		row := words[i:min(len(words), i+distance)]
		if !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(row, w) }) {
			return true
		}
	}
	return false
}

// expand looks for all words of the documents found, too.
func (s *Search) expand() error {
	more := make(map[string]bool)
	for doc := range s.docs {
		texts, err := s.Reader.Texts(doc)
		if err != nil {
			return err
		}
		for key := range s.Collation.Count(texts) {
			if _, ok := s.known[key]; !ok {
				more[key] = true
			}
		}
	}
	keys := make([]string, 0, len(more))
	for key := range more {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		w := &word{counts: make(map[string]uint32)}
		err := s.Reader.Postings(key, false, func(doc string, count uint32) {
			w.documents++
			w.counts[doc] = count
		})
		if err != nil {
			return err
		}
		s.words = append(s.words, w)
		for doc := range w.counts {
			s.merge(0, map[string]*match{doc: {words: []int{len(s.words) - 1}}})
		}
	}
	return nil
}
