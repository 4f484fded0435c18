package differential

import (
	"fmt"
	"os"
	"strings"
)

// entry is a statement of a golden file with MySQL's answer, and Ember's where it differs.
type entry struct {
	text  string
	mysql []string
	ember []string
}

// emberMark stands before Ember's answer.
const emberMark = "= ember"

type golden struct {
	server  string
	entries []entry
}

func (g *golden) write(path string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "server %s\n", g.server)
	for _, e := range g.entries {
		b.WriteString("\n")
		for _, line := range strings.Split(e.text, "\n") {
			b.WriteString("> " + line + "\n")
		}
		for _, line := range e.mysql {
			b.WriteString(line + "\n")
		}
		if e.ember == nil {
			continue
		}
		b.WriteString(emberMark + "\n")
		for _, line := range e.ember {
			b.WriteString(line + "\n")
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func readGolden(path string) (*golden, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g := &golden{}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	g.server = strings.TrimPrefix(lines[0], "server ")
	for i := 1; i < len(lines); {
		if lines[i] == "" {
			i++
			continue
		}
		var e entry
		var script []string
		for ; i < len(lines) && strings.HasPrefix(lines[i], "> "); i++ {
			script = append(script, lines[i][2:])
		}
		if script == nil {
			return nil, fmt.Errorf("%s line %d: no statement: %q", path, i+1, lines[i])
		}
		e.text = strings.Join(script, "\n")
		to := &e.mysql
		for ; i < len(lines) && lines[i] != ""; i++ {
			if lines[i] == emberMark {
				e.ember = []string{}
				to = &e.ember
				continue
			}
			*to = append(*to, lines[i])
		}
		g.entries = append(g.entries, e)
	}
	return g, nil
}
