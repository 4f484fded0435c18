package fts

import (
	"errors"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// library is an index in memory.
type library map[string]string

func lower(dst, s []byte) []byte { return append(dst, strings.ToLower(string(s))...) }

var collation = NewCollation(lower, false, StopWords)

func (l library) Postings(word string, prefix bool, each func(doc string, count uint32)) error {
	type posting struct {
		word, doc string
		count     uint32
	}
	var all []posting
	for doc, text := range l {
		for w, n := range collation.Count([]string{text}) {
			if w == word || prefix && strings.HasPrefix(w, word) {
				all = append(all, posting{w, doc, n})
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].word+"\x00"+all[i].doc < all[j].word+"\x00"+all[j].doc })
	for _, p := range all {
		each(p.doc, p.count)
	}
	return nil
}

func (l library) Texts(doc string) ([]string, error) { return []string{l[doc]}, nil }

var books = library{
	"1": "the quick brown fox jumps over the lazy dog", "2": "quick fox brown jumps", "3": "brown of the quick fox", "4": "a quick, brown; fox",
	"5": "quick.quick quick", "6": "", "7": "", "8": "nothing here", "9": "foo-bar and bar foo ab cd quick",
}

func find(t *testing.T, query string, mode Mode) ([]Hit, error) {
	t.Helper()
	s := Search{Collation: collation, Reader: books, Documents: uint64(len(books))}
	return s.Run(query, mode)
}

// TestRanks: the numbers are MySQL 9.7's.
func TestRanks(t *testing.T) {
	for _, c := range []struct {
		query string
		mode  Mode
		hits  []Hit
	}{
		{"foo-bar", Natural, []Hit{{"9", 3.642315149307251}}},
		{"foo-bar", Boolean, nil},
		{"the", Natural, nil},
		{`"quick brown"`, Boolean, []Hit{{"1", 0.1550406515598297}, {"4", 0.1550406515598297}}},
		{`"quick quick"`, Boolean, []Hit{{"5", 0.046829063445329666}}},
		{`"quick dog" @7`, Boolean, nil},
		{`"quick fox" @2`, Boolean, []Hit{{"2", 0.1550406515598297}, {"3", 0.1550406515598297}}},
		{"+quick -(fox lazy)", Boolean, []Hit{{"5", 0.09302439540624619}, {"9", 0.031008131802082062}}},
		{"(brown) lazy", Boolean, []Hit{{"1", 1.0346113443374634}, {"2", 0.12403252720832825}, {"3", 0.12403252720832825}, {"4", 0.12403252720832825}}},
		{"brown ~quick", Boolean, []Hit{{"1", -0.8449593782424927}, {"2", -0.8449593782424927}, {"3", -0.8449593782424927}, {"4", -0.8449593782424927}}},
		{">brown >(quick fox) <lazy", Boolean, []Hit{{"2", 1.2790731191635132}, {"3", 1.2790731191635132}, {"4", 1.2790731191635132},
			{"1", 1.1896519660949707}, {"5", 1.0930243730545044}, {"9", 1.0310081243515015}}},
		{"quick fox", Expanded, []Hit{{"9", 4.583901882171631}, {"1", 3.4374959468841553}, {"2", 0.7057597637176514}, {"3", 0.27907317876815796},
			{"4", 0.27907317876815796}, {"5", 0.09302439540624619}}},
	} {
		hits, err := find(t, c.query, c.mode)
		require.NoError(t, err, c.query)
		require.Len(t, hits, len(c.hits), c.query)
		for i, h := range c.hits {
			require.Equal(t, h.Doc, hits[i].Doc, c.query)
			require.InDelta(t, h.Rank, hits[i].Rank, 1e-6, c.query)
		}
	}
}

// Whoever nests groups without end gets MySQL's error, not the end of the stack.
func TestNestedGroups(t *testing.T) {
	for n, want := range map[int]error{32: nil, 33: ErrNested, 1 << 22: ErrNested} {
		_, err := parse(strings.Repeat("(", n)+"foo"+strings.Repeat(")", n), Boolean)
		require.Equal(t, want, err, "%d groups", n)
		_, err = parseGrams(strings.Repeat("(", n)+"foo"+strings.Repeat(")", n), Boolean)
		require.Equal(t, want, err, "%d groups", n)
	}
}

func TestGrams(t *testing.T) {
	defer func(n int) { TokenSize = n }(TokenSize)
	for _, c := range []struct {
		size  int
		text  string
		short bool
		want  []string
	}{
		{2, "xyz d", false, []string{"xy", "yz"}},
		{2, "xyz d", true, []string{"xy", "yz", "d"}},
		{2, "x,yz", false, []string{"yz"}},
		{2, "全，文", false, []string{"全，", "，文"}},
		{1, "x_全", false, []string{"x", "_", "全"}},
		{3, "xyzé zz", true, []string{"xyz", "yzé", "zz"}},
		{3, "", true, nil},
	} {
		TokenSize = c.size
		require.Equal(t, c.want, grams(c.text, c.short), "%q by %d", c.text, c.size)
	}
}

// One that contains a stop word is not in an index.
func TestGramsOfStopWords(t *testing.T) {
	c := NewCollation(lower, true, StopWords)
	require.Equal(t, map[string]uint32{"dx": 1, "xy": 2, "bé": 1}, c.Count([]string{"badxy", "BY xy", "bé by"}))
}

func TestSyntaxErrors(t *testing.T) {
	for query, message := range map[string]string{
		"+-foo":       "unexpected '-'",
		"+":           "unexpected $end",
		"foo @3":      "unexpected '@', expecting $end",
		"(foo":        "unexpected $end",
		"foo )":       "unexpected ')', expecting $end",
		`"a b"@`:      "unexpected $end, expecting FTS_NUMB",
		`("foo" @x)`:  "unexpected FTS_TERM, expecting FTS_NUMB",
		"foo**":       "unexpected $end, expecting FTS_TERM or FTS_NUMB or '*'",
		`*"a b"`:      "unexpected FTS_TEXT, expecting FTS_TERM or FTS_NUMB or '*'",
		"(foo*@)":     "unexpected '@'",
		"+quick +>fo": "unexpected '>'",
	} {
		_, err := find(t, query, Boolean)
		var syntax *SyntaxError
		require.True(t, errors.As(err, &syntax), query)
		require.Equal(t, "syntax error, "+message, err.Error(), query)
	}
}

// FuzzSearch: whatever is searched for, no search fails but by its syntax or its depth, and none
// but a boolean one does.
func FuzzSearch(f *testing.F) {
	grams := NewCollation(lower, true, StopWords)
	for _, q := range []string{`+a -(b "c d" @3) >e* <f~`, `"`, `()`, "foo,bar*", "\x00%@"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if !utf8.ValidString(query) {
			return
		}
		for _, mode := range []Mode{Natural, Expanded, Boolean} {
			if _, err := parseGrams(query, mode); err != nil && !errors.Is(err, ErrNested) {
				t.Fatal(query, mode, err)
			}
			grams.Count([]string{query})
			_, err := find(t, query, mode)
			var syntax *SyntaxError
			if err != nil && (mode != Boolean || !errors.As(err, &syntax) && !errors.Is(err, ErrNested)) {
				t.Fatal(query, mode, err)
			}
		}
	})
}
