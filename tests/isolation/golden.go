package isolation

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// event is one line of an outcome: a step returned at once (": result"), waits (": waiting"), or
// returned after another step let it go on ("<- result").
type event struct {
	step   string
	late   bool // the step was waiting before
	result string
}

const (
	waiting      = "waiting"
	stillWaiting = "still waiting at the end"
)

func (e event) String() string {
	if e.late {
		return e.step + " <- " + e.result
	}
	return e.step + ": " + e.result
}

// outcome is what happened in one permutation.
type outcome []event

func (o outcome) String() string {
	var b strings.Builder
	for _, e := range o {
		fmt.Fprintf(&b, "%s\n", e)
	}
	return b.String()
}

// permutation is an order of steps with its outcome; with several where the script says that
// sessions race.
type permutation struct {
	order    []string
	outcomes []outcome
}

func (p permutation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "permutation %s\n", strings.Join(p.order, " "))
	for i, o := range p.outcomes {
		if i > 0 {
			b.WriteString(alternative + "\n")
		}
		b.WriteString(o.String())
	}
	return b.String()
}

// alternative separates outcomes of one permutation.
const alternative = "or"

// allows reports whether o is one of the permutation's outcomes.
func (p permutation) allows(o outcome) bool {
	return slices.ContainsFunc(p.outcomes, func(a outcome) bool { return slices.Equal(a, o) })
}

// begins reports whether one of the permutation's outcomes begins like o.
func (p permutation) begins(o outcome) bool {
	return slices.ContainsFunc(p.outcomes, func(a outcome) bool { return len(a) >= len(o) && slices.Equal(a[:len(o)], o) })
}

// next returns the event that an outcome which began like o goes on with.
func (p permutation) next(o outcome) (event, bool) {
	for _, a := range p.outcomes {
		if len(a) > len(o) && slices.Equal(a[:len(o)], o) {
			return a[len(o)], true
		}
	}
	return event{}, false
}

// golden is the content of a golden file.
type golden struct {
	script       string // hash
	server       string
	permutations []permutation
}

func (g golden) write(path string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "script %s\nserver %s\n", g.script, g.server)
	for _, p := range g.permutations {
		fmt.Fprintf(&b, "\n%s", p)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func readGolden(path string) (golden, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return golden{}, err
	}
	var g golden
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "permutation "); ok {
			g.permutations = append(g.permutations, permutation{order: strings.Fields(rest), outcomes: make([]outcome, 1)})
			continue
		}
		if len(g.permutations) == 0 {
			g.header(line)
			continue
		}
		last := &g.permutations[len(g.permutations)-1]
		if line == alternative {
			last.outcomes = append(last.outcomes, nil)
			continue
		}
		e, err := parseEvent(line)
		if err != nil {
			return golden{}, fmt.Errorf("%s line %d: %w", path, i+1, err)
		}
		o := &last.outcomes[len(last.outcomes)-1]
		*o = append(*o, e)
	}
	return g, nil
}

func (g *golden) header(line string) {
	switch key, value, _ := strings.Cut(line, " "); key {
	case "script":
		g.script = value
	case "server":
		g.server = value
	}
}

func parseEvent(line string) (event, error) {
	word, rest, ok := strings.Cut(line, " ")
	if step, isNow := strings.CutSuffix(word, ":"); ok && isNow {
		return event{step: step, result: rest}, nil
	}
	if result, isLate := strings.CutPrefix(rest, "<- "); ok && isLate {
		return event{step: word, late: true, result: result}, nil
	}
	return event{}, fmt.Errorf("not an event: %q", line)
}
