package plan

import (
	"time"

	"emberdb/sql/exec"
	"emberdb/sql/explain"
)

// Measure makes the plan one that measures its operators when it runs. It must have been built
// without helpers.
func (p *Plan) Measure() { p.Root = exec.Measure(p.Root) }

// measured describes an operator that has run. An operator of several nodes is measured as a whole;
// what its inner nodes gave follows from what it counts.
func (d *describer) measured(m *exec.Measured) *explain.Node {
	n := d.node(m.In)
	actual := func(loops, rows int, first, all time.Duration) *explain.Actual {
		return &explain.Actual{Loops: loops, Rows: rows, First: first, All: all}
	}
	if n.Actual == nil {
		n.Actual = actual(m.Loops, m.Rows, m.First, m.All)
	}
	switch o := m.In.(type) {
	case *exec.Scan:
		if n.Kind == "filter" {
			n.Inputs[0].Actual = actual(m.Loops, o.Read, m.First, m.All)
		}
	case *exec.LookupJoin:
		l, right := o.L.(*exec.Measured), n.Inputs[1]
		rows := m.Rows
		if right.Kind == "filter" {
			right.Inputs[0].Actual = actual(o.Looks, o.Read, m.First-l.First, m.All-l.All)
		} else {
			rows = o.Read
		}
		right.Actual = actual(o.Looks, rows, m.First-l.First, m.All-l.All)
	case *exec.Distinct, *exec.Group, *exec.Recursion, *exec.SetOp:
		if n.Kind == "table" && len(n.Inputs) == 1 && n.Inputs[0].Actual == nil {
			n.Inputs[0].Actual = actual(m.Loops, m.Rows, m.First, m.First)
		}
	case *exec.HashJoin:
		if hash := n.Inputs[1]; hash.Kind == "hash" {
			hash.Actual = hash.Inputs[0].Actual
		}
	}
	return n
}
