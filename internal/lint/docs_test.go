package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The documentation is in plain English: subject first, at most 25 words a sentence, no words of
// another age, lines of at most 100 characters but in tables. Links lead somewhere.

const (
	sentenceWords = 25
	docsColumns   = 100
)

// bannedWords are archaic, or private to those who wrote the code.
var bannedWords = regexp.MustCompile(`(?i)\b(albeit|amongst|anew|betwixt|ere|hence|heretofore|hereby|herein|hitherto|lest|nought|naught|shall|thence|thereby|therefrom|therein|thereof|` +
	`upon|whence|whereby|wherein|whereof|whereupon|whilst|whither|gone on with|told of|tells of|goes with)\b`)

// page is a Markdown file: its text without code, as paragraphs and cells, its links and anchors.
type page struct {
	path    string
	lines   []docLine
	anchors map[string]bool
}

type docLine struct {
	number int
	text   string
	table  bool
	start  bool // begins a paragraph
}

var (
	docLink   = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)\)`)
	docCode   = regexp.MustCompile("`[^`]+`")
	docHead   = regexp.MustCompile(`^(#+) (.*)$`)
	docItem   = regexp.MustCompile(`^\s*([-*]|\d+\.) `)
	docEnd    = regexp.MustCompile(`[.!?]["')*]*(\s|$)`)
	docAnchor = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

func docPages(t *testing.T) (pages []*page) {
	dir := root(t)
	names, err := filepath.Glob(filepath.Join(dir, "docs", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range append(names, filepath.Join(dir, "README.md")) {
		path, err := filepath.Rel(dir, name)
		require.NoError(t, err)
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		pages = append(pages, parsePage(filepath.ToSlash(path), string(src)))
	}
	return pages
}

func parsePage(path, src string) *page {
	p := &page{path: path, anchors: map[string]bool{}}
	code, start := false, true
	for i, text := range strings.Split(src, "\n") {
		if strings.HasPrefix(strings.TrimSpace(text), "```") {
			code, start = !code, true
			continue
		}
		if code {
			continue
		}
		if m := docHead.FindStringSubmatch(text); m != nil {
			p.anchors[strings.ReplaceAll(docAnchor.ReplaceAllString(strings.ToLower(m[2]), ""), " ", "-")] = true
			start = true
			continue
		}
		if strings.TrimSpace(text) == "" {
			start = true
			continue
		}
		table := strings.HasPrefix(text, "|")
		p.lines = append(p.lines, docLine{i + 1, text, table, start || table || docItem.MatchString(text)})
		start = false
	}
	return p
}

// sentences calls f for each sentence with the line that it begins on.
func (p *page) sentences(f func(line int, words []string)) {
	cut := func(line int, text string) {
		text = docLink.ReplaceAllStringFunc(text, func(l string) string { return l[strings.Index(l, "[")+1 : strings.Index(l, "]")] })
		for _, s := range docEnd.Split(docCode.ReplaceAllString(text, "code"), -1) {
			words := slices.DeleteFunc(strings.Fields(s), func(w string) bool {
				return strings.IndexFunc(w, unicode.IsLetter) < 0 && strings.IndexFunc(w, unicode.IsDigit) < 0
			})
			if len(words) > 0 {
				f(line, words)
			}
		}
	}
	at, text := 0, ""
	for _, l := range p.lines {
		if l.start {
			cut(at, text)
			at, text = l.number, ""
		}
		if !l.table {
			text += " " + docItem.ReplaceAllString(l.text, "")
			continue
		}
		for cell := range strings.SplitSeq(l.text, "|") {
			cut(l.number, cell)
		}
	}
	cut(at, text)
}

func TestDocsArePlain(t *testing.T) {
	for _, p := range docPages(t) {
		p.sentences(func(line int, words []string) {
			if len(words) > sentenceWords {
				t.Errorf("%s:%d: a sentence of %d words: %s ...", p.path, line, len(words), strings.Join(words[:6], " "))
			}
		})
		for _, l := range p.lines {
			if n := utf8.RuneCountInString(l.text); n > docsColumns && !l.table && !strings.HasPrefix(l.text, "![") {
				t.Errorf("%s:%d: %d characters", p.path, l.number, n)
			}
			if w := bannedWords.FindString(docCode.ReplaceAllString(l.text, "")); w != "" {
				t.Errorf("%s:%d: the word %q", p.path, l.number, w)
			}
		}
	}
}

func TestDocsSentences(t *testing.T) {
	var got []string
	parsePage("x.md", "# Head\n\nOne `a. b` two.\nThree (four). Five\n- six [seven eight](x.md)\n\n```sh\nnot this\n```\n\n| a b | c. d |\n").sentences(func(_ int, words []string) {
		got = append(got, strings.Join(words, " "))
	})
	require.Equal(t, []string{"One code two", "Three (four)", "Five", "six seven eight", "a b", "c", "d"}, got)
}

// TestDocsLinks: each link to a file leads to one, and to a heading of it.
func TestDocsLinks(t *testing.T) {
	pages := docPages(t)
	byPath := map[string]*page{}
	for _, p := range pages {
		byPath[p.path] = p
	}
	for _, p := range pages {
		for _, l := range p.lines {
			for _, m := range docLink.FindAllStringSubmatch(docCode.ReplaceAllString(l.text, ""), -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				file, anchor, _ := strings.Cut(m[1], "#")
				target := p.path
				if file != "" {
					target = filepath.ToSlash(filepath.Join(filepath.Dir(p.path), file))
				}
				if _, err := os.Stat(filepath.Join(root(t), target)); err != nil {
					t.Errorf("%s:%d: link to %s: no such file", p.path, l.number, m[1])
				} else if anchor != "" && byPath[target] != nil && !byPath[target].anchors[anchor] {
					t.Errorf("%s:%d: link to %s: no such heading", p.path, l.number, m[1])
				}
			}
		}
	}
}

// TestDocsSite: the site's menu names each page, and only pages that exist.
func TestDocsSite(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(root(t), "mkdocs.yml"))
	require.NoError(t, err)
	var named []string
	for _, m := range regexp.MustCompile(`(?m): ([a-z-]+\.md)$`).FindAllStringSubmatch(string(src), -1) {
		named = append(named, "docs/"+m[1])
	}
	var there []string
	for _, p := range docPages(t) {
		if strings.HasPrefix(p.path, "docs/") {
			there = append(there, p.path)
		}
	}
	slices.Sort(named)
	slices.Sort(there)
	require.Equal(t, there, named)
}
