package plan

import (
	"emberdb/engine/table"
	"emberdb/sql/exec"
)

// InKeyOrder tells a plan that does nothing but read one table in the order of its keys. Rows that it
// has given may be changed while it goes on.
func InKeyOrder(p *Plan) bool {
	op := p.Root
	if project, ok := op.(*exec.Project); ok {
		op = project.In
	}
	s, ok := op.(*exec.Scan)
	return ok && s.Locking.Lock == table.Exclusive && (s.Access.Index == nil || s.Access.Index.Clustered) && !s.Access.Descending
}
