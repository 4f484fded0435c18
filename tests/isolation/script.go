package isolation

import (
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
)

// script is a parsed test script.
type script struct {
	hash         string // of the text, to notice goldens that are out of date
	setup        []string
	sessions     []*session
	permutations [][]string
	all          int    // at most so many interleavings; 0: none
	races        int    // how often each permutation is recorded
	differs      string // why Ember's outcome is another one; empty: it is not
	alone        bool   // no other script may run meanwhile
	finally      []string
	steps        map[string]*step
}

type session struct {
	name  string
	init  []string
	steps []*step
}

type step struct {
	name       string
	session    int // index in script.sessions
	statements []string
}

// waitPrefix marks the word of a permutation that waits for a step to end.
const waitPrefix = "wait:"

// differsPrefix begins the line that tells why Ember differs.
const differsPrefix = "differs: "

// aloneLine marks a script that holds up the sessions of all others.
const aloneLine = "alone"

func parseFile(path string) (*script, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func parse(text string) (*script, error) {
	h := fnv.New64a()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, differsPrefix) && line != aloneLine+"\n" { // nothing that MySQL's golden depends on
			h.Write([]byte(line))
		}
	}
	s := &script{hash: fmt.Sprintf("%016x", h.Sum64()), races: 1, steps: map[string]*step{}}
	if !strings.HasPrefix(text, "# ") {
		return nil, fmt.Errorf("the script does not begin with a comment that tells the rule it guards")
	}
	section := ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		var err error
		if line[0] == ' ' || line[0] == '\t' {
			err = s.addLine(section, trimmed)
		} else {
			section, err = s.addHeading(trimmed)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return s, s.validate()
}

// addHeading takes a line that is not indented and returns the section that follows it.
func (s *script) addHeading(line string) (string, error) {
	words := strings.Fields(line)
	if reason, ok := strings.CutPrefix(line, differsPrefix); ok {
		s.differs = reason
		return "", nil
	}
	switch {
	case line == aloneLine:
		s.alone = true
		return "", nil
	case line == "setup" || line == "finally":
		return line, nil
	case words[0] == "session" && len(words) == 2:
		s.sessions = append(s.sessions, &session{name: words[1]})
		return "session", nil
	case words[0] == "permutation" && len(words) > 1:
		s.permutations = append(s.permutations, words[1:])
		return "", nil
	case words[0] == "all" && len(words) == 2:
		n, err := strconv.Atoi(words[1])
		s.all = n
		return "", err
	case words[0] == "races" && len(words) == 2:
		n, err := strconv.Atoi(words[1])
		s.races = n
		return "", err
	}
	return "", fmt.Errorf("not understood: %q", line)
}

// addLine takes an indented line of the section.
func (s *script) addLine(section, line string) error {
	switch section {
	case "setup":
		s.setup = append(s.setup, line)
		return nil
	case "finally":
		s.finally = append(s.finally, line)
		return nil
	case "session":
		name, text, ok := strings.Cut(line, ":")
		if !ok {
			return fmt.Errorf("a step looks like \"name: statement\", not %q", line)
		}
		cur := s.sessions[len(s.sessions)-1]
		statements := splitStatements(text)
		if name == "init" {
			cur.init = append(cur.init, statements...)
			return nil
		}
		if s.steps[name] != nil {
			return fmt.Errorf("step %s is there twice", name)
		}
		st := &step{name: name, session: len(s.sessions) - 1, statements: statements}
		s.steps[name] = st
		cur.steps = append(cur.steps, st)
		return nil
	}
	return fmt.Errorf("an indented line outside of a section: %q", line)
}

func splitStatements(text string) []string {
	var out []string
	for _, p := range strings.Split(text, ";") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func (s *script) validate() error {
	if len(s.permutations) == 0 && s.all == 0 {
		return fmt.Errorf("no permutation")
	}
	for _, p := range s.permutations {
		for _, word := range p {
			if s.steps[strings.TrimPrefix(word, waitPrefix)] == nil {
				return fmt.Errorf("permutation names an unknown step %q", word)
			}
		}
	}
	return nil
}

// orders returns the explicit permutations, then up to s.all interleavings, evenly spread over all
// there are.
func (s *script) orders() [][]string {
	out := s.permutations
	if s.all == 0 {
		return out
	}
	left := make([]int, len(s.sessions))
	for i, sess := range s.sessions {
		left[i] = len(sess.steps)
	}
	total := interleavings(left)
	n := min(total, s.all)
	for i := range n {
		out = append(out, s.interleaving(i*total/n, append([]int(nil), left...)))
	}
	return out
}

// interleavings counts the ways to merge sequences of the given lengths.
func interleavings(left []int) int {
	ways, placed := 1, 0
	for _, n := range left {
		for i := 1; i <= n; i++ {
			placed++
			ways = ways * placed / i
		}
	}
	return ways
}

// interleaving returns the k-th merge of the sessions' steps in lexicographic order of the
// sessions.
func (s *script) interleaving(k int, left []int) []string {
	var out []string
	for {
		chosen := -1
		for i := range left {
			if left[i] == 0 {
				continue
			}
			left[i]--
			n := interleavings(left)
			if k < n {
				chosen = i
				break
			}
			k -= n
			left[i]++
		}
		if chosen < 0 {
			return out
		}
		steps := s.sessions[chosen].steps
		out = append(out, steps[len(steps)-left[chosen]-1].name)
	}
}
