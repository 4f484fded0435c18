package plan

import (
	"fmt"
	"strings"

	"emberdb/sql/exec"
)

// String is the plan as a tree, one operator a line.
func (p *Plan) String() string {
	var b strings.Builder
	describe(&b, p.Root, 0)
	return b.String()
}

func describe(b *strings.Builder, op exec.Op, depth int) {
	line := func(format string, args ...any) {
		b.WriteString(strings.Repeat("  ", depth))
		fmt.Fprintf(b, format+"\n", args...)
	}
	below := func(ops ...exec.Op) {
		for _, o := range ops {
			describe(b, o, depth+1)
		}
	}
	switch o := op.(type) {
	case *exec.Scan:
		if n := len(o.Conds); n > 0 {
			line("filter %d", n)
			depth++
		}
		if o.Access.Index == nil {
			line("scan %s", o.Table.Def().Name)
			return
		}
		line("range %s.%s equal %d low %t high %t", o.Table.Def().Name, o.Access.Index.Name, len(o.Access.Equal), o.Access.Low != nil, o.Access.High != nil)
	case *exec.LookupJoin:
		line("%s look-up %s.%s keys %d on %d", joinNames[o.Kind], o.Table.Def().Name, o.Index.Name, len(o.Keys), len(o.On))
		below(o.L)
	case *exec.HashJoin:
		line("%s hash keys %d on %d", joinNames[o.Kind], len(o.LKeys), len(o.On))
		below(o.L, o.R)
	case *exec.Filter:
		line("filter %d", len(o.Conds))
		below(o.In)
	case *exec.Project:
		line("project %d", len(o.Exprs))
		below(o.In)
	case *exec.Group:
		line("group keys %d aggregates %d", len(o.Keys), len(o.Aggs))
		below(o.In)
	case *exec.TwoSteps:
		line("in two steps")
		below(o.One)
	case *exec.Parallel:
		line("parallel")
		below(o.In)
	case *exec.Sort:
		line("sort keys %d first %d", len(o.Keys), o.Most)
		below(o.In)
	case *exec.Window:
		line("window partition %d order %d functions %d", len(o.Partition), len(o.Order), len(o.Funcs))
		below(o.In)
	case *exec.Distinct:
		line("distinct")
		below(o.In)
	case *exec.Limit:
		line("limit %d offset %d", o.Count, o.Offset)
		below(o.In)
	case *exec.Concat:
		line("union")
		below(o.Ins...)
	case *exec.SetOp:
		line("%s", map[bool]string{true: "except", false: "intersect"}[o.Except])
		below(o.L, o.R)
	case *exec.Recursion:
		line("recursion")
		below(o.Start)
		below(o.Steps...)
	case *exec.Lateral:
		line("lateral %d outer on %d", len(o.Exprs), len(o.On))
		below(o.L, o.Inner)
	case *exec.WorkScan:
		line("rows of the last round")
	case *exec.OneRow:
		line("one row")
	case *exec.Given:
		line("given %d", len(o.Ids))
	case *exec.Apply:
		line("apply %d outer together %t", len(o.Exprs), o.Given != nil)
		below(o.L, o.Inner)
	}
}

var joinNames = map[exec.JoinKind]string{exec.Inner: "inner", exec.Left: "left", exec.Semi: "semi", exec.Anti: "anti", exec.NotIn: "not in"}
