package explain

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"emberdb/sql/token"
)

// Tree writes the description as FORMAT=TREE does.
func Tree(b *Block) string {
	var out strings.Builder
	b.tree(&out, 0)
	return out.String()
}

const indent = "    "

func (b *Block) tree(out *strings.Builder, depth int) {
	b.Root.tree(out, depth)
	for _, s := range b.Subs {
		s.tree(out, depth)
	}
}

// heading names the subquery.
func (s *Sub) heading() string {
	how := "run only once"
	if s.Dependent {
		how = "dependent"
	}
	return fmt.Sprintf("Select #%d (subquery in %s; %s)", s.Block.ID, s.Where, how)
}

func (s *Sub) tree(out *strings.Builder, depth int) {
	out.WriteString(strings.Repeat(indent, depth) + "-> " + s.heading() + "\n")
	s.Block.tree(out, depth+1)
}

func (n *Node) tree(out *strings.Builder, depth int) {
	out.WriteString(strings.Repeat(indent, depth) + "-> " + n.Text)
	if n.Estimated {
		cost := Number(n.Cost)
		if n.First > 0 || n.Cost == 0 {
			cost = Number(n.First) + ".." + cost
		}
		out.WriteString("  (cost=" + cost + " rows=" + Number(n.Rows) + ")")
	}
	if n.Actual != nil {
		out.WriteString(n.Actual.text())
	}
	out.WriteString("\n")
	for _, in := range n.Inputs {
		in.tree(out, depth+1)
	}
	for _, b := range n.Blocks {
		b.tree(out, depth+1)
	}
	for _, s := range n.Subs {
		s.tree(out, depth+1)
	}
}

func (a *Actual) text() string {
	if a.Loops == 0 {
		return " (never executed)"
	}
	first, all, rows := a.perLoop()
	return fmt.Sprintf(" (actual time=%s..%s rows=%s loops=%d)", Number(first), Number(all), Number(rows), a.Loops)
}

// Number is a number with three digits, as MySQL shows costs, times and rows.
func Number(v float64) string {
	switch {
	case v >= 1e6:
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "e+0", "e+", 1)
	case v >= 999.5:
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// Name is a name as the tree form shows it: in quotes where it is no plain word.
func Name(s string) string {
	if s == "" || !utf8.ValidString(s) || strings.HasPrefix(s, "<") {
		return s
	}
	if token.PlainWord(s, true) {
		return s
	}
	return string(token.AppendIdent(nil, s, token.UTF8MB4))
}
