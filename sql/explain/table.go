package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Row is a row of the traditional form. Pointers and strings that are nil or empty are NULL.
type Row struct {
	ID         *uint64
	Select     string
	Table      string
	Partitions string
	Access     string
	Possible   string
	Key        string
	Length     string
	Ref        string
	Rows       *uint64
	Filtered   *float64
	Extra      string
}

// rows collects the rows.
type rows struct {
	out    []Row
	later  []func() // blocks that are told of behind the one at hand
	last   int      // the highest number of a block
	before string   // the table that was told of last

	changes []string // tables that the statement changes
	joined  bool     // it reads several
}

// Rows writes the description in the traditional form. kind is what the statement is if it is no
// query: INSERT, REPLACE, UPDATE or DELETE.
func Rows(b *Block, kind string) []Row {
	w := &rows{}
	if kind == "" {
		if kind = "SIMPLE"; b.inner() {
			kind = "PRIMARY"
		}
	}
	w.block(b, kind)
	return w.out
}

// inner tells whether there are other blocks in a block.
func (b *Block) inner() bool {
	return len(b.Subs) > 0 || b.Root.inner()
}

func (n *Node) inner() bool {
	if len(n.Subs) > 0 || len(n.Blocks) > 0 {
		return true
	}
	for _, in := range n.Inputs {
		if in.inner() {
			return true
		}
	}
	return false
}

func (w *rows) block(b *Block, kind string) {
	w.last = max(w.last, b.ID)
	was := w.later
	w.later = nil
	w.node(&reading{id: uint64(b.ID), kind: kind}, b.Root)
	w.subs(b.Subs)
	later := w.later
	w.later = was
	for _, f := range later {
		f()
	}
}

// subs tells of subqueries later.
func (w *rows) subs(list []*Sub) {
	for _, s := range list {
		w.later = append(w.later, func() {
			kind := "SUBQUERY"
			if s.Dependent {
				kind = "DEPENDENT SUBQUERY"
			}
			w.block(s.Block, kind)
		})
	}
}

// reading is what is known on the way down to a table.
type reading struct {
	id      uint64
	kind    string
	where   bool
	changes bool    // rows of the one table that the statement reads and changes
	share   float64 // of the rows that pass
	extra   []string
	behind  []string // extras that stand last
	most    float64  // rows that are wanted, if a limit stands right above
}

// take returns what is known, and forgets what only the first table is told with.
func (r *reading) take() reading {
	was := *r
	r.where, r.share, r.extra, r.behind, r.most = false, 0, nil, nil, 0
	return was
}

func (r *reading) add(extra string) {
	for _, have := range r.extra {
		if have == extra {
			return
		}
	}
	r.extra = append(r.extra, extra)
}

// first puts an extra before the others.
func (r *reading) first(extra string) {
	at := slices.Index(r.extra, extra)
	if at >= 0 {
		r.extra = slices.Delete(r.extra, at, at+1)
	}
	r.extra = slices.Insert(r.extra, 0, extra)
}

// node walks down from an operator.
func (w *rows) node(r *reading, n *Node) {
	w.subs(n.Subs)
	if n.Kind != "limit" && n.Kind != "index" {
		r.most = 0
	}
	switch n.Kind {
	case "sort":
		r.first("Using filesort")
	case "window":
		if n.Sorts {
			r.first("Using filesort")
		}
	case "temp_table", "temp_table_aggregate":
		r.first("Using temporary")
	case "limit":
		r.most = n.Rows
	case "filter":
		if r.where = true; len(n.Inputs) > 0 && n.Inputs[0].Rows > 0 && n.Estimated {
			r.share = n.Rows / n.Inputs[0].Rows
		}
	case "update", "delete":
		w.changes = n.Changes
	case "join":
		w.joined = true
		l, right := n.Inputs[0], n.Inputs[1]
		w.node(r, l)
		if right.Kind == "hash" {
			r.behind = append(r.behind, "Using join buffer (hash join)")
			r.where = n.Fields["hash_condition"] != nil || n.Fields["extra_condition"] != nil
		}
		switch n.Fields["join_type"] {
		case joinWords[Semi]:
			r.behind = append([]string{"FirstMatch(" + w.before + ")"}, r.behind...)
		case joinWords[Anti]:
			r.add("Not exists")
		}
		w.node(r, right)
		return
	case "rows_fetched_before_execution":
		if n.Table != nil {
			w.table(r, n)
			return
		}
		w.message(r, "No tables used")
		return
	case "zero_rows", "zero_rows_aggregated":
		w.message(r, fmt.Sprint(n.Fields["zero_rows_cause"]))
		return
	case "count_rows":
		w.message(r, "Select tables optimized away")
		return
	case "union", "intersect", "except", "append":
		w.set(r, n)
		return
	case "insert", "replace":
		w.out = append(w.out, Row{ID: &r.id, Select: r.kind, Table: fmt.Sprint(n.Fields["table_name"]), Access: "ALL"})
		if len(n.Inputs) > 0 && n.Inputs[0].Kind != "rows_fetched_before_execution" {
			r.kind = "SIMPLE"
			w.node(r, n.Inputs[0])
		}
		return
	}
	if n.Table != nil {
		w.table(r, n)
		return
	}
	for _, in := range n.Inputs {
		w.node(r, in)
	}
}

// message is a row that tells why there is no table.
func (w *rows) message(r *reading, extra string) {
	w.out = append(w.out, Row{ID: &r.id, Select: r.kind, Extra: extra})
}

// set tells of the queries of a set operation, and of their result.
func (w *rows) set(r *reading, n *Node) {
	kind := strings.ToUpper(n.Kind)
	if n.Kind == "append" {
		kind = "UNION"
	}
	ids := make([]string, len(n.Blocks))
	for i, b := range n.Blocks {
		ids[i] = fmt.Sprint(b.ID)
		if i == 0 {
			w.block(b, r.kind)
		} else {
			w.block(b, kind)
		}
	}
	var extra []string
	if n.Kind == "append" {
		if len(r.extra) == 0 {
			return
		}
		n.Kind = "union"
	} else {
		extra = append(extra, "Using temporary")
	}
	extra = append(extra, r.extra...)
	w.last++
	id := uint64(w.last)
	w.out = append(w.out, Row{ID: &id, Select: kind + " RESULT", Table: "<" + n.Kind + strings.Join(ids, ",") + ">", Access: "ALL", Extra: strings.Join(extra, "; ")})
}

// changed tells of the table of an UPDATE or DELETE as MySQL does, which reads ranges there; one that
// is only read beside it is of a plain query.
func (w *rows) changed(k *reading, n *Node) {
	if !slices.Contains(w.changes, n.Table.Name) {
		k.kind = "SIMPLE"
		return
	}
	if t := n.Table; len(w.changes) == 1 && !w.joined {
		if k.share, k.changes = 0, true; t.Access != "ALL" && t.Access != "index" {
			t.Access, t.Ref, k.where = "range", []string{"const"}, true
		}
	}
}

// table adds the row of a table.
func (w *rows) table(r *reading, n *Node) {
	t, k := n.Table, r.take()
	w.before = t.Name
	if k.kind == "UPDATE" || k.kind == "DELETE" {
		w.changed(&k, n)
	}
	out := Row{ID: &k.id, Select: k.kind, Table: t.Name, Partitions: strings.Join(t.Partitions, ","), Access: t.Access, Possible: strings.Join(t.Possible, ","),
		Key: t.Key, Ref: strings.Join(t.Ref, ",")}
	blocks := n.Blocks
	if len(n.Inputs) == 1 && n.Inputs[0].Kind == "materialize" {
		blocks = n.Inputs[0].Blocks
	}
	if len(blocks) > 0 {
		out.Table = fmt.Sprintf("<derived%d>", blocks[0].ID)
		w.later = append(w.later, func() {
			kind := "DERIVED"
			for _, b := range blocks {
				w.block(b, kind)
				kind = "UNION"
			}
		})
	}
	if t.Key != "" {
		out.Length = fmt.Sprint(t.Length)
	}
	if n.Estimated || t.Rows > 0 {
		count, filtered := uint64(max(math.Round(t.Rows), 1)), 100.0
		if k.most > 0 && t.Access == "index" {
			count = uint64(min(float64(count), k.most))
		}
		if k.share > 0 {
			filtered = math.Round(min(k.share, 1)*10000) / 100
		}
		out.Rows, out.Filtered = &count, &filtered
	}
	extra := t.Extra
	if t.Access == "range" && !k.changes { // the bounds are asked about entries of the index
		if t.Covering || t.Clustered {
			k.where = true
		} else {
			extra = append(extra, "Using index condition")
		}
	}
	if k.where {
		extra = append(extra, "Using where")
	}
	if t.Backward {
		extra = append(extra, "Backward index scan")
	}
	if t.Covering {
		extra = append(extra, "Using index")
	}
	extra = append(append(extra, k.extra...), k.behind...)
	out.Extra = strings.Join(extra, "; ")
	w.out = append(w.out, out)
}
