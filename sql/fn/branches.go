package fn

import (
	"bytes"
	"strings"
)

// CountBranches is how many branches a condition has of which one must hold; 0: it is no OR and no
// IN of a list.
func CountBranches(e Expr) int {
	c, ok := e.(*Call)
	switch {
	case !ok:
		return 0
	case c.Name == "or":
		return len(c.Args)
	case strings.HasPrefix(c.Name, "in,"), strings.HasPrefix(c.Name, "rowin,"):
		return len(c.list)
	}
	return 0
}

// Branch is a branch of such a condition, as conditions that all hold.
func Branch(e Expr, i int) ([]Expr, error) {
	c := e.(*Call)
	if c.Name == "or" {
		return Conjuncts(nil, c.Args[i]), nil
	}
	return rowParts(c.Args, c.list[i])
}

// Beginning is what the texts begin with that a LIKE lets pass, and its pattern; nil: it says
// nothing about that, or is no LIKE.
func Beginning(e Expr) (text []byte, pattern *Const) {
	c, ok := e.(*Call)
	if !ok || !strings.HasPrefix(c.Name, "like") || len(c.list) != 1 {
		return nil, nil
	}
	pattern = c.list[0][0].(*Const)
	text = pattern.V.S[0]
	if n := bytes.IndexAny(text, `%_\`); n >= 0 {
		text = text[:n]
	}
	if text = bytes.TrimRight(text, " "); len(text) == 0 {
		return nil, nil
	}
	return text, pattern
}
