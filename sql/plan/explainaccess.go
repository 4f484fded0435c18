package plan

import (
	"math"
	"slices"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/sql/exec"
	"emberdb/sql/explain"
	"emberdb/sql/fn"
)

// table describes the table that an operator reads.
func (d *describer) table(h *table.Table, ix *catalog.Index, ids, cols []int) *explain.Table {
	def := h.Def()
	t := &explain.Table{Name: def.Name, Base: def.Name, Schema: def.Schema}
	for _, id := range ids {
		if b := d.bases[id]; b != nil && b.Table.Def == def {
			t.Name = b.Alias
			d.tables[b] = t
		}
	}
	for _, c := range cols {
		t.Columns = append(t.Columns, def.Columns[c].Name)
	}
	if ix != nil {
		t.Key, t.Clustered, t.Covering = ix.Name, ix.Clustered, !ix.Clustered && covers(def, ix, cols)
	}
	return t
}

// sargable are calls that compare a column with something an index can be asked for.
var sargable = map[string]bool{"=": true, "<=>": true, "<>": true, "<": true, "<=": true, ">": true, ">=": true, "in": true, "isnull": true, "isnotnull": true, "like": true}

// mention notes the indexes that conditions could use.
func (d *describer) mention(conds []fn.Expr) {
	for _, c := range conds {
		call, ok := c.(*fn.Call)
		if !ok {
			continue
		}
		if call.Name == "and" || call.Name == "or" {
			d.mention(call.Args)
		} else if sargable[call.Name] {
			for _, a := range call.Args {
				d.mentionColumn(a)
			}
		}
	}
}

func (d *describer) mentionColumn(e fn.Expr) {
	if b := d.bases[column(e)]; b != nil && d.tables[b] != nil {
		d.tables[b].MayUse(b.Table.Def, column(e)-b.First)
	}
}

// reference names what a column of an index is compared with.
func (d *describer) reference(e fn.Expr) string {
	if _, fixed := e.(*fn.Const); fixed {
		return "const"
	}
	id := column(e)
	if p, outer := e.(*exec.Param); outer {
		id = p.ID
	}
	if b := d.bases[id]; b != nil {
		return b.Table.Def.Schema + "." + b.Alias + "." + b.Table.Names[id-b.First]
	}
	if name := d.columns[id]; name != "" {
		return name
	}
	return "func"
}

// key notes how many columns of the index are used.
func (d *describer) key(t *explain.Table, def *catalog.Table, ix *catalog.Index, n int) {
	if n > 0 {
		t.MayUse(def, ix.Parts[0].Column)
	}
	for _, p := range ix.Parts[:n] {
		t.Parts = append(t.Parts, def.Columns[p.Column].Name)
	}
	t.Length = d.length(def, ix.Parts[:n])
}

func (d *describer) size(h *table.Table) float64 {
	n, err := d.stats.size(h)
	if err != nil && d.err == nil {
		d.err = err
	}
	return max(n, 1)
}

func (d *describer) scan(o *exec.Scan) *explain.Node {
	a := &o.Access
	t := d.table(o.Table, a.Index, o.Ids, o.Cols)
	d.mention(o.Conds)
	def, total := o.Table.Def(), d.size(o.Table)
	rows := total
	pages := math.Ceil(total * 100 / (16 << 10))
	if a.Index != nil {
		if r, err := o.Estimate(d.c); err == nil {
			rows = max(r, 1)
		}
		d.key(t, def, a.Index, len(a.Equal))
		for _, e := range a.Equal {
			t.Ref = append(t.Ref, d.reference(e))
		}
	}
	t.Backward = a.Descending
	conds := d.besideRange(o)
	var n *explain.Node
	var cost float64
	switch {
	case a.Index == nil:
		n, cost = explain.Scan(t), explain.CostScan(pages, rows)
	case a.Branches != nil:
		texts := make([]string, len(a.Branches))
		most := 0
		for i := range a.Branches {
			b := &a.Branches[i]
			n := len(b.Equal)
			if b.Ranged() {
				n++
			}
			if n > most {
				t.Parts, most = nil, n
				d.key(t, def, a.Index, n)
			}
			texts[i] = d.branchText(def, b)
		}
		n = explain.IndexRange(t, texts)
		cost = explain.CostRange(float64(len(texts)), rows, total, pages, a.Index.Clustered, t.Covering)
	case a.Ranged():
		t.Ref, t.Parts = nil, nil
		d.key(t, def, a.Index, len(a.Equal)+1)
		n = explain.IndexRange(t, []string{d.rangeText(t.Parts, a)})
		cost = explain.CostRange(1, rows, total, pages, a.Index.Clustered, t.Covering)
	case len(a.Equal) == 0:
		n, cost = explain.IndexScan(t), explain.CostScan(pages, rows)
	default:
		single := a.Index.Unique && len(a.Equal) == len(a.Index.Parts)
		n, cost = explain.IndexLookup(t, d.equalText(t.Parts, a.Equal), single), explain.CostLookup(rows, t.Covering)
		if single && !slices.ContainsFunc(t.Ref, func(r string) bool { return r != "const" }) {
			t.Access = "const"
		}
	}
	n.Rows, n.Cost, n.Estimated, t.Rows = rows, cost, true, rows
	return d.filter(conds, n)
}

// besideRange are the conditions of a scan but for those that its range fulfils.
func (d *describer) besideRange(o *exec.Scan) (rest []fn.Expr) {
	a := &o.Access
	if a.Index == nil {
		return o.Conds
	}
	ids := make([]int, len(a.Index.Parts)) // of the columns of the index, if they are read
	for i, p := range a.Index.Parts {
		if k := slices.Index(o.Cols, p.Column); k >= 0 {
			ids[i] = o.Ids[k]
		}
	}
	met := func(c fn.Expr) bool {
		call, ok := c.(*fn.Call)
		if !ok || mirrored[call.Name] == "" {
			return false
		}
		x, y, name := call.Args[0], call.Args[1], call.Name
		if column(x) == 0 {
			x, y, name = y, x, mirrored[name]
		}
		at := slices.Index(ids, column(x))
		same := func(bound fn.Expr) bool { return bound != nil && fn.Key(bound) == fn.Key(y) }
		switch {
		case at < 0 || column(x) == 0 || a.Index.Parts[at].Prefix > 0:
			return false
		case at < len(a.Equal):
			return name == "=" && same(a.Equal[at])
		case at > len(a.Equal):
			return false
		}
		return (name == ">=" && !a.LowExcl || name == ">" && a.LowExcl) && same(a.Low) || (name == "<=" && !a.HighExcl || name == "<" && a.HighExcl) && same(a.High)
	}
	for _, c := range o.Conds {
		if !met(c) {
			rest = append(rest, c)
		}
	}
	return rest
}

func (d *describer) equalText(parts []string, values []fn.Expr) (out string) {
	for i, e := range values {
		if i > 0 {
			out += ", "
		}
		out += explain.Name(parts[i]) + " = " + d.text(e)
	}
	return out
}

// branchText is the text of one of several ranges.
func (d *describer) branchText(def *catalog.Table, a *exec.Access) string {
	var parts []string
	for _, p := range a.Index.Parts {
		parts = append(parts, def.Columns[p.Column].Name)
	}
	if a.Ranged() {
		return d.rangeText(parts, a)
	}
	return strings.ReplaceAll(d.equalText(parts[:len(a.Equal)], a.Equal), ", ", " AND ")
}

func (d *describer) rangeText(parts []string, a *exec.Access) (out string) {
	n := len(a.Equal)
	for i, e := range a.Equal {
		out += explain.Name(parts[i]) + " = " + d.text(e) + " AND "
	}
	if a.Null {
		return out + explain.Name(parts[n]) + " = NULL"
	}
	if a.Begin != nil {
		return out + explain.Name(parts[n]) + " LIKE '" + string(a.Begin) + "%'"
	}
	less := map[bool]string{true: " < ", false: " <= "}
	if a.Low != nil {
		out += d.text(a.Low) + less[a.LowExcl]
	}
	out += explain.Name(parts[n])
	if a.High != nil {
		out += less[a.HighExcl] + d.text(a.High)
	}
	return out
}
