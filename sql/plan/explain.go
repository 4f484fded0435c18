package plan

import (
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/explain"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Names are what the columns of a query are called. They are taken before Build, which changes the
// query.
type Names struct {
	columns map[int]string
	bases   map[int]*bind.Base // of columns of tables
	derived map[int]string     // of columns of derived tables and recursions: the alias
}

// NamesOf takes the names of a query.
func NamesOf(q *bind.Query) *Names {
	n := &Names{make(map[int]string), make(map[int]*bind.Base), make(map[int]string)}
	n.query(q)
	return n
}

func (n *Names) query(q *bind.Query) {
	var from func(s bind.Source)
	from = func(s bind.Source) {
		switch s := s.(type) {
		case *bind.Base:
			for i, name := range s.Table.Names {
				n.columns[s.First+i], n.bases[s.First+i] = explain.Name(s.Alias)+"."+explain.Name(name), s
			}
		case *bind.Derived:
			for i := range s.Query.Items {
				n.columns[s.First+i] = explain.Name(s.Alias) + "." + explain.Name(s.Query.Items[i].Name)
				n.derived[s.First+i] = s.Alias
			}
			n.query(s.Query)
		case *bind.Join:
			from(s.L)
			from(s.R)
		}
	}
	from(q.From)
	q.EachExpr(func(e fn.Expr) {
		fn.Walk(e, func(x fn.Expr) bool {
			if s, ok := x.(*bind.Subquery); ok {
				n.query(s.Query)
			}
			return true
		})
	})
	for _, in := range inner(q) {
		n.query(in)
	}
	if len(inner(q)) > 0 {
		for i := range q.Items {
			n.columns[q.First+i] = explain.Name(q.Items[i].Name)
		}
	}
}

// describer describes the operators of a plan.
type describer struct {
	*Names
	c      *exec.Ctx
	stats  *statistics
	length func(*catalog.Table, []row.KeyPart) int64
	tables map[*bind.Base]*explain.Table
	blocks int
	round  string // the name of the recursion whose steps are described
	subs   *[]*explain.Sub
	err    error
}

// Explain describes the plan. Rows are estimated as MySQL does where it has no histogram.
// length is the length of parts of a key, as MySQL counts it.
func (p *Plan) Explain(c *exec.Ctx, names *Names, length func(*catalog.Table, []row.KeyPart) int64) (*explain.Block, error) {
	d := &describer{Names: names, c: c, stats: newStatistics(c), length: length, tables: make(map[*bind.Base]*explain.Table)}
	b := d.block(p.Root)
	return b, d.err
}

func (d *describer) block(root exec.Op) *explain.Block {
	was := d.subs
	d.blocks++
	b := &explain.Block{ID: d.blocks}
	d.subs = &b.Subs
	b.Root = d.node(root)
	d.subs = was
	return b
}

// node describes an operator, whose columns have names afterwards.
func (d *describer) node(op exec.Op) *explain.Node {
	switch o := op.(type) {
	case *exec.Scan:
		return d.scan(o)
	case *exec.LookupJoin:
		return d.lookupJoin(o)
	case *exec.HashJoin:
		return d.hashJoin(o)
	case *exec.Measured:
		return d.measured(o)
	case *exec.Parallel:
		return d.node(o.In)
	case *exec.TwoSteps:
		return d.node(o.One)
	case *exec.Filter:
		in := d.node(o.In)
		return d.filter(o.Conds, in)
	case *exec.Project:
		if name, ok := d.derived[o.Ids[0]]; ok && column(o.Exprs[0]) != o.Ids[0] {
			return d.source(name, o.In)
		}
		in := d.node(o.In)
		for i, e := range o.Exprs {
			if d.columns[o.Ids[i]] == "" {
				d.columns[o.Ids[i]] = d.text(e)
			}
		}
		return in
	case *exec.Group:
		return d.group(o)
	case *exec.Sort:
		in := d.node(o.In)
		keys := make([]string, len(o.Keys))
		for i, k := range o.Keys {
			if keys[i] = d.text(k); o.Desc[i] {
				keys[i] += " DESC"
			}
		}
		return explain.Sort(keys, o.Most, in)
	case *exec.Window:
		return d.window(o)
	case *exec.Distinct:
		if u, all := unmeasured(o.In).(*exec.Concat); all {
			return explain.Set("union", true, d.parts(u))
		}
		return explain.Distinct(d.node(o.In))
	case *exec.Limit:
		return explain.Limit(o.Count, o.Offset, d.node(o.In))
	case *exec.Concat:
		return explain.Append(d.parts(o))
	case *exec.SetOp:
		d.blocks--
		l := d.block(o.L)
		parts := []*explain.Block{l, d.block(o.R)}
		d.pass(o.L.IDs(), o.Ids)
		return explain.Set(map[bool]string{true: "except", false: "intersect"}[o.Except], !o.All, parts)
	case *exec.Recursion:
		return d.recursion("<recursive>", o)
	case *exec.Lateral:
		l := d.node(o.L)
		r := d.node(o.Inner)
		kind := explain.Inner
		if o.Left {
			kind = explain.Left
		}
		return explain.NestedLoop(kind, d.all(o.On), l, r)
	case *exec.WorkScan:
		return explain.NewRecords(d.round)
	case *exec.Apply:
		return d.apply(o)
	case *exec.Given:
		return explain.Outer()
	}
	return explain.RowsBefore()
}

// parts describes the queries of a union, of which the first is the block itself.
func (d *describer) parts(o *exec.Concat) (all []*explain.Block) {
	d.blocks--
	for _, in := range o.Ins {
		all = append(all, d.block(in))
	}
	d.pass(o.Ins[0].IDs(), o.Ids)
	return all
}

// source describes a derived table.
func (d *describer) source(name string, op exec.Op) *explain.Node {
	if m, ok := op.(*exec.Measured); ok {
		op = m.In
	}
	if r, ok := op.(*exec.Recursion); ok {
		return d.recursion(name, r)
	}
	return explain.Stream(name, d.block(op))
}

func (d *describer) recursion(name string, o *exec.Recursion) *explain.Node {
	parts := []*explain.Block{d.block(o.Start)}
	was := d.round
	d.round = name
	for _, s := range o.Steps {
		parts = append(parts, d.block(s))
	}
	d.round = was
	return explain.Recursive(name, parts)
}

// unmeasured is the operator below a measurement.
func unmeasured(op exec.Op) exec.Op {
	if m, ok := op.(*exec.Measured); ok {
		return m.In
	}
	return op
}

// pass gives columns the names of others.
func (d *describer) pass(from, to []int) {
	for i, id := range to {
		if i < len(from) && d.columns[id] == "" {
			d.columns[id] = d.columns[from[i]]
		}
	}
}

// apply describes a subquery that runs for rows.
func (d *describer) apply(o *exec.Apply) *explain.Node {
	in := d.node(o.L)
	if o.Given != nil {
		for i, e := range o.Exprs {
			d.columns[o.Given.Ids[i]] = d.text(e)
		}
	}
	b := d.block(o.Inner)
	sub := &explain.Sub{Block: b, Where: "condition", Dependent: len(o.Bind) > 0 || o.Given != nil}
	name := "(select #" + itoa(b.ID) + ")"
	switch o.Kind {
	case exec.ApplySemi, exec.ApplyAnti:
		condition := "exists" + name
		if o.Kind == exec.ApplyAnti {
			condition = "(not exists" + name + ")"
		}
		out := explain.Filter(condition, in)
		out.Subs = []*explain.Sub{sub}
		return out
	case exec.ApplyMark:
		name = "exists" + name
	}
	if ids := o.Ids; len(ids) > 0 {
		d.columns[ids[len(ids)-1]] = name
	}
	sub.Where = "projection"
	*d.subs = append(*d.subs, sub)
	return in
}

func (d *describer) filter(conds []fn.Expr, in *explain.Node) *explain.Node {
	if len(conds) == 0 {
		return in
	}
	if in.Kind == "rows_fetched_before_execution" && d.never(conds) {
		return explain.ZeroRows("Impossible WHERE")
	}
	out := explain.Filter(d.all(conds), in)
	out.Rows = explain.Passing(in.Rows, d.passing(conds))
	return out
}

// never tells whether conditions without columns do not hold.
func (d *describer) never(conds []fn.Expr) bool {
	for _, c := range conds {
		fixed := true
		fn.Walk(c, func(e fn.Expr) bool {
			call, ok := e.(*fn.Call)
			_, value := e.(*fn.Const)
			fixed = fixed && (value || ok && (sargable[call.Name] || wordOperators[call.Name] != ""))
			return true
		})
		if !fixed {
			continue
		}
		if v, err := fn.Clone(c).Eval(&d.c.Fn, &types.Batch{N: 1}); err == nil && len(fn.Passes(nil, v, 1)) == 0 {
			return true
		}
	}
	return false
}

// passing is the part of rows that conditions let pass, by histograms, else by their forms.
func (d *describer) passing(conds []fn.Expr) float64 {
	s := spreads{d.stats, func(id int) *bind.Base { return d.bases[id] }}
	return s.all(conds, d.passingOne)
}

// passingOne is the part of rows that a condition lets pass, by its form.
func (d *describer) passingOne(c fn.Expr) float64 {
	call, ok := c.(*fn.Call)
	if !ok {
		return 1
	}
	switch call.Name {
	case "=", "isnull", "<=>":
		return explain.PassEqual
	case "<>":
		return 1 - explain.PassEqual
	case "<", "<=", ">", ">=":
		return explain.PassRange
	case "and":
		return d.passing(call.Args)
	case "or":
		none := 1.0
		for _, a := range call.Args {
			none *= 1 - d.passing([]fn.Expr{a})
		}
		return 1 - none
	}
	return 1
}

var joinKinds = map[exec.JoinKind]explain.JoinKind{exec.Inner: explain.Inner, exec.Left: explain.Left, exec.Semi: explain.Semi, exec.Anti: explain.Anti, exec.NotIn: explain.Anti}

func (d *describer) lookupJoin(o *exec.LookupJoin) *explain.Node {
	l := d.node(o.L)
	def := o.Table.Def()
	t := d.table(o.Table, o.Index, o.Ids[min(len(o.L.IDs()), len(o.Ids)):], o.Cols)
	d.key(t, def, o.Index, len(o.Keys))
	for _, k := range o.Keys {
		t.Ref = append(t.Ref, d.reference(k))
		if o.Kind == exec.Inner || o.Kind == exec.Semi {
			d.mentionColumn(k)
		}
	}
	d.mention(o.On)
	single := o.Index.Unique && len(o.Keys) == len(o.Index.Parts)
	r := explain.IndexLookup(t, d.equalText(t.Parts, o.Keys), single)
	rows, err := d.stats.fanout(o.Table, o.Index, len(o.Keys))
	if err != nil && d.err == nil {
		d.err = err
	}
	r.Rows, r.Cost, r.Estimated, t.Rows = max(rows, 1), explain.CostLookup(max(rows, 1), t.Covering), true, max(rows, 1)
	return explain.NestedLoop(joinKinds[o.Kind], "", l, d.filter(o.On, r))
}

func (d *describer) hashJoin(o *exec.HashJoin) *explain.Node {
	l := d.node(o.L)
	r := d.node(o.R)
	var keys, more []string
	d.mention(o.On)
	for i := range o.LKeys {
		if o.Kind == exec.Inner || o.Kind == exec.Semi {
			d.mentionColumn(o.LKeys[i])
		}
		d.mentionColumn(o.RKeys[i])
		if _, every := o.LKeys[i].(*fn.Const); !every {
			keys = append(keys, "("+d.text(o.RKeys[i])+" = "+d.text(o.LKeys[i])+")")
		}
	}
	for _, c := range o.On {
		more = append(more, d.text(c))
	}
	return explain.HashJoin(joinKinds[o.Kind], keys, more, l, r)
}

func (d *describer) group(o *exec.Group) *explain.Node {
	_, ends := unmeasured(o.In).(*exec.Concat) // of indexes: see extremes
	in := explain.RowsBefore()
	if !ends {
		in = d.node(o.In)
	}
	for i, k := range o.Keys {
		if d.columns[o.Ids[i]] == "" {
			d.columns[o.Ids[i]] = d.text(k)
		}
	}
	var functions []string
	ids := o.Ids[len(o.Ids)-len(o.Aggs):]
	for i := range o.Aggs {
		text := d.aggregate(&o.Aggs[i])
		d.columns[ids[i]] = text
		functions = append(functions, text)
	}
	if ends {
		return in
	}
	if len(o.Keys) == 0 {
		return explain.Aggregate(functions, in)
	}
	return explain.Group(max(in.Rows/10, 1), in)
}

func (d *describer) window(o *exec.Window) *explain.Node {
	in := d.node(o.In)
	ids := o.Ids[len(o.Ids)-len(o.Funcs):]
	var functions []string
	for i := range o.Funcs {
		f := &o.Funcs[i]
		text := windowNames[f.Kind] + "()"
		if f.Kind == fn.Aggregated {
			text = aggregateNames[f.Agg] + "()"
		}
		text += " OVER () "
		d.columns[ids[i]] = text
		functions = append(functions, text)
	}
	return explain.Window(functions, true, len(o.Partition)+len(o.Order) > 0, in)
}
