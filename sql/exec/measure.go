package exec

import (
	"time"

	"emberdb/sql/types"
)

// Measured runs an operator and measures it, for EXPLAIN ANALYZE.
type Measured struct {
	In         Op
	Loops      int // how often it was opened
	Rows       int // that it gave
	First, All time.Duration

	given bool // rows of this loop
}

// Measure puts a Measured over every operator of a plan. The plan must not be divided among
// goroutines.
func Measure(op Op) *Measured {
	for _, in := range Inputs(op) {
		*in = Measure(*in)
	}
	return &Measured{In: op}
}

// Inputs returns where an operator keeps the operators that it reads.
func Inputs(op Op) []*Op {
	switch o := op.(type) {
	case *LookupJoin:
		return []*Op{&o.L}
	case *HashJoin:
		return []*Op{&o.L, &o.R}
	case *Filter:
		return []*Op{&o.In}
	case *Project:
		return []*Op{&o.In}
	case *Group:
		return []*Op{&o.In}
	case *Sort:
		return []*Op{&o.In}
	case *Window:
		return []*Op{&o.In}
	case *Distinct:
		return []*Op{&o.In}
	case *Limit:
		return []*Op{&o.In}
	case *SetOp:
		return []*Op{&o.L, &o.R}
	case *Lateral:
		return []*Op{&o.L, &o.Inner}
	case *Apply:
		return []*Op{&o.L, &o.Inner}
	case *Concat:
		return each(o.Ins)
	case *Recursion:
		return append([]*Op{&o.Start}, each(o.Steps)...)
	}
	return nil
}

func each(list []Op) []*Op {
	out := make([]*Op, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// IDs implements Op.
func (m *Measured) IDs() []int { return m.In.IDs() }

// Open implements Op.
func (m *Measured) Open(c *Ctx) error {
	m.Loops, m.given = m.Loops+1, false
	defer m.passed(time.Now())
	return m.In.Open(c)
}

// Next implements Op.
func (m *Measured) Next(c *Ctx) (*types.Batch, error) {
	begun := time.Now()
	b, err := m.In.Next(c)
	m.passed(begun)
	if b != nil {
		m.Rows += b.N
		m.given = true
	}
	return b, err
}

// passed adds the time since begun, until the first rows of a loop to First as well.
func (m *Measured) passed(begun time.Time) {
	spent := time.Since(begun)
	m.All += spent
	if !m.given {
		m.First += spent
	}
}

// Close implements Op.
func (m *Measured) Close(c *Ctx) { m.In.Close(c) }
