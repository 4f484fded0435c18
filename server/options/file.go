package options

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// maxIncludeDepth bounds !include nesting, so that a file including itself ends.
const maxIncludeDepth = 10

// assignment is one "name = value" as written, before the table is consulted.
type assignment struct {
	name     string // normalized
	text     string
	hasValue bool
	source   string // "file:line" or "command line"
}

// groups returns the group names read from option files.
func groups(suffix string) map[string]bool {
	m := map[string]bool{}
	for _, g := range []string{"server", "mysqld", "mysqld-8.4", "emberd"} {
		m[g] = true
		if suffix != "" {
			m[g+suffix] = true
		}
	}
	return m
}

// readFile appends the assignments of path's groups to out, following includes.
func readFile(path string, wanted map[string]bool, depth int, out []assignment) ([]assignment, error) {
	if depth > maxIncludeDepth {
		return nil, fmt.Errorf("%s: !include nested deeper than %d", path, maxIncludeDepth)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read option file: %w", err)
	}
	defer f.Close()
	return read(f, path, wanted, depth, out)
}

// ReadGroups returns what an option file sets in the named groups, by name with underscores. The
// later of two assignments counts, and an option without a value is left out.
func ReadGroups(r io.Reader, path string, names ...string) (map[string]string, error) {
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	list, err := read(r, path, wanted, 0, nil)
	out := map[string]string{}
	for _, a := range list {
		if a.hasValue {
			out[a.name] = a.text
		}
	}
	return out, err
}

func read(r io.Reader, path string, wanted map[string]bool, depth int, out []assignment) ([]assignment, error) {
	group := ""
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for line := 1; sc.Scan(); line++ {
		at := fmt.Sprintf("%s:%d", path, line)
		text := strings.TrimSpace(sc.Text())
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text[0] == '!':
			var err error
			if out, err = include(text, path, at, wanted, depth, out); err != nil {
				return nil, err
			}
		case text[0] == '[':
			end := strings.IndexByte(text, ']')
			if end < 0 {
				return nil, fmt.Errorf("%s: group header without ]", at)
			}
			group = strings.TrimSpace(text[1:end])
		case group == "":
			return nil, fmt.Errorf("%s: option before the first [group]", at)
		case wanted[group]:
			a, err := parseLine(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
			a.source = at
			out = append(out, a)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

func include(text, path, at string, wanted map[string]bool, depth int, out []assignment) ([]assignment, error) {
	verb, arg, _ := strings.Cut(text, " ")
	arg = strings.TrimSpace(arg)
	if arg != "" && !filepath.IsAbs(arg) {
		arg = filepath.Join(filepath.Dir(path), arg)
	}
	switch {
	case arg == "":
	case verb == "!include":
		return readFile(arg, wanted, depth+1, out)
	case verb == "!includedir":
		entries, err := os.ReadDir(arg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
		for _, e := range entries {
			if e.IsDir() || filepath.Ext(e.Name()) != ".cnf" {
				continue
			}
			if out, err = readFile(filepath.Join(arg, e.Name()), wanted, depth+1, out); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("%s: %q is neither !include FILE nor !includedir DIR", at, text)
}

// parseLine splits "name = value", strips comments and quotes and resolves escapes.
func parseLine(text string) (assignment, error) {
	name, value, has := strings.Cut(text, "=")
	if !has {
		if i := strings.IndexByte(name, '#'); i >= 0 {
			name = name[:i]
		}
	}
	a := assignment{name: normalize(strings.TrimSpace(name)), hasValue: has}
	if a.name == "" || strings.ContainsAny(a.name, " \t") {
		return a, fmt.Errorf("cannot understand %q", text)
	}
	if !has {
		return a, nil
	}
	value = strings.TrimSpace(value)
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		end := closingQuote(value)
		if end < 0 {
			return a, fmt.Errorf("option %q: missing closing quote", a.name)
		}
		if rest := strings.TrimSpace(value[end+1:]); rest != "" && rest[0] != '#' {
			return a, fmt.Errorf("option %q: text after the closing quote", a.name)
		}
		value = value[1:end]
	} else {
		value = stripComment(value)
	}
	a.text = unescape(value)
	return a, nil
}

func closingQuote(v string) int {
	for i := 1; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case v[0]:
			return i
		}
	}
	return -1
}

// stripComment cuts an unquoted value at a # that starts a word.
func stripComment(v string) string {
	for i := 0; i < len(v); i++ {
		if v[i] == '#' && (i == 0 || v[i-1] == ' ' || v[i-1] == '\t') {
			return strings.TrimSpace(v[:i])
		}
	}
	return v
}

// unescape resolves \b \t \n \r \s (space) and \\; another backslash stays as it is.
func unescape(v string) string {
	if !strings.Contains(v, `\`) {
		return v
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] != '\\' || i+1 == len(v) {
			b.WriteByte(v[i])
			continue
		}
		if j := strings.IndexByte(`btnrs\"'`, v[i+1]); j >= 0 {
			b.WriteByte("\b\t\n\r \\\"'"[j])
			i++
			continue
		}
		b.WriteByte('\\')
	}
	return b.String()
}
