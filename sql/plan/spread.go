package plan

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// spread gives columns that are equal to others the conditions of these: from a = b and a = 5
// follows b = 5, so that an index of b's table finds its rows. rest are the conditions on several
// relations. What is added is no use of a column and says nothing new about how many rows there
// are.
func (p *planner) spread(rels []*relation, rest []fn.Expr) {
	equal := make(map[int][]*fn.Column) // to the column of this ID
	for _, c := range rest {
		a, b, ok := equality(c)
		x, isX := a.(*fn.Column)
		y, isY := b.(*fn.Column)
		if ok && isX && isY && alike(x.T, y.T) {
			equal[x.ID], equal[y.ID] = append(equal[x.ID], y), append(equal[y.ID], x)
		}
	}
	if len(equal) == 0 {
		return
	}
	owners := make(map[int]*relation)
	for _, r := range rels {
		for id := range r.set {
			owners[id] = r
		}
	}
	for _, r := range rels {
		for _, c := range r.own {
			if call, ok := c.(*fn.Call); ok && mirrored[call.Name] != "" {
				p.spreadOne(call, equal, owners)
			}
		}
	}
}

// spreadOne adds a comparison of a column with a value to all columns that are equal to it,
// directly or by others.
func (p *planner) spreadOne(call *fn.Call, equal map[int][]*fn.Column, owners map[int]*relation) {
	x, y, op := call.Args[0], call.Args[1], call.Name
	if column(x) == 0 {
		x, y, op = y, x, mirrored[op]
	}
	from, ok := x.(*fn.Column)
	if !ok || equal[from.ID] == nil || !p.known(y) {
		return
	}
	seen := map[int]bool{from.ID: true}
	for todo := equal[from.ID]; len(todo) > 0; todo = todo[1:] {
		to := todo[0]
		if seen[to.ID] {
			continue
		}
		seen[to.ID] = true
		todo = append(todo[:len(todo):len(todo)], equal[to.ID]...)
		if more, err := fn.Compare(op, fn.Clone(to), fn.Clone(y)); err == nil && owners[to.ID] != nil {
			owners[to.ID].conds = append(owners[to.ID].conds, more)
		}
	}
}

// alike tells types whose values are equal only if every value compares with them in the same way.
func alike(a, b types.Type) bool {
	switch {
	case a.Kind.Integer() && b.Kind.Integer():
		return true
	case a.Kind == types.String:
		return b.Kind == types.String && a.Collation == b.Collation
	}
	return a.Kind == b.Kind && a.Kind != types.Float && a.Scale == b.Scale
}
