package plan

import (
	"emberdb/sql/exec"
)

// parallelRows is from how many rows of the table that is read on goroutines share a plan's work.
const parallelRows = 50_000

// parallel lets goroutines make the rows of operators that read large tables. drained tells that
// all rows of op are read. Plans that run once for each row are left alone.
func (p *planner) parallel(op exec.Op, drained bool) exec.Op {
	if drained && p.divided(op) {
		p.builds(op)
		return &exec.Parallel{In: op}
	}
	switch o := op.(type) {
	case *exec.Group:
		if !p.divided(o.In) {
			o.In = p.parallel(o.In, true)
			break
		}
		p.builds(o.In)
		var two *exec.TwoSteps
		if two, p.last = exec.Split(o, p.last); two != nil {
			return two
		}
		o.In = &exec.Parallel{In: o.In}
	case *exec.Sort:
		o.In = p.parallel(o.In, true)
	case *exec.Window:
		o.In = p.parallel(o.In, true)
	case *exec.Limit:
		o.In = p.parallel(o.In, false)
	case *exec.Filter:
		o.In = p.parallel(o.In, drained)
	case *exec.Project:
		o.In = p.parallel(o.In, drained)
	case *exec.Distinct:
		o.In = p.parallel(o.In, drained)
	case *exec.LookupJoin:
		o.L = p.parallel(o.L, drained)
	case *exec.HashJoin:
		o.L, o.R = p.parallel(o.L, drained || o.LeftFirst), p.parallel(o.R, true)
	case *exec.Apply:
		o.L = p.parallel(o.L, drained)
		if len(o.Bind) == 0 && o.Given == nil {
			o.Inner = p.parallel(o.Inner, o.Kind == exec.ApplyScalar)
		}
	case *exec.SetOp:
		o.L, o.R = p.parallel(o.L, drained), p.parallel(o.R, true)
	case *exec.Concat:
		for i := range o.Ins {
			o.Ins[i] = p.parallel(o.Ins[i], drained)
		}
	}
	return op
}

// divided tells whether goroutines can make the rows of an operator, and are worth it.
func (p *planner) divided(op exec.Op) bool {
	scan := exec.Divisible(op)
	return scan != nil && p.inScan(scan) >= parallelRows
}

// inScan is about how many rows a scan reads.
func (p *planner) inScan(s *exec.Scan) float64 {
	n, err := s.Estimate(p.c)
	if err != nil {
		return 0
	}
	return n
}

// builds does what parallel does for the sides that hash joins of a divisible operator keep.
func (p *planner) builds(op exec.Op) {
	switch o := op.(type) {
	case *exec.Filter:
		p.builds(o.In)
	case *exec.Project:
		p.builds(o.In)
	case *exec.LookupJoin:
		p.builds(o.L)
	case *exec.HashJoin:
		p.builds(o.L)
		o.R = p.parallel(o.R, true)
	}
}
