package server

// UPDATE and DELETE by the executor. Their rows are found by a query: FROM and WHERE are the
// statement's, the items are the values that columns get, and behind them stand the keys of the rows.
// All that the query reads is locked: rows that are going to be changed exclusively, the others shared.
// Then package compiled changes the rows in the order of their keys, each one once.
//
//	UPDATE t JOIN s ON s.id = t.id SET t.a = s.b + 1 WHERE s.c = 2
//	SELECT s.b + 1, key of t FROM t JOIN s ON s.id = t.id WHERE s.c = 2        sorted by the key
//
// Rows are read before the first one is changed, so no change is met again. Rows of one table, read
// without others in the order of its keys, are changed as they come: the scan has locked them ahead.
//
// What either side refuses is go-mysql-server's, and nothing of it stays.

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/compiled"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sql/ast"
	"emberdb/sql/bind"
	executor "emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/plan"
	"emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/sqlerr"
)

// rowChange is an UPDATE or a DELETE under way.
type rowChange struct {
	x       *execution
	ctx     *sql.Context
	s       *sqllayer.Session
	query   *ast.Query
	set     []ast.Assign
	deletes []ast.DeleteTarget // nil: UPDATE

	named []namedTable // in FROM
	of    []*changedTable
	cat   *executorCatalog
	bound *bind.Query
	order []int // the items with the keys of the other tables
	buf   []byte
}

// namedTable is a table in FROM.
type namedTable struct {
	alias, schema string
	aliased       bool // it has another name there
	def           *catalog.Table
}

// changedTable is a table whose rows are changed.
type changedTable struct {
	namedTable
	columns []int // that get values
	items   []int // with the values
	key     int   // the item with the keys
	types   []types.Type
	changer compiled.Changer
}

// changeOf reads a statement; nil: it is none of the executor's.
func (x *execution) changeOf(ctx *sql.Context, s *sqllayer.Session) *rowChange {
	r := &rowChange{x: x, ctx: ctx, s: s, cat: &executorCatalog{ctx: ctx, s: s}}
	sel := &ast.Select{}
	r.query = &ast.Query{Body: sel}
	switch n := x.stmt.Tree.(type) {
	case *ast.Update:
		if n.Ignore || n.Hints != nil || n.Limit != nil || len(n.OrderBy) > 0 || n.Priority != 0 {
			return nil
		}
		r.set, sel.From, sel.Where, r.query.With, r.query.Span, sel.Span = n.Set, n.Tables, n.Where, n.With, n.Span, n.Span
		for _, a := range n.Set {
			if _, usual := a.Value.(*ast.DefaultValue); usual {
				return nil
			}
			sel.Items = append(sel.Items, ast.SelectItem{Span: a.Span, X: a.Value})
		}
	case *ast.Delete:
		if n.Ignore || n.Quick || n.Hints != nil || n.Limit != nil || len(n.OrderBy) > 0 || n.Priority != 0 {
			return nil
		}
		r.deletes, sel.From, sel.Where, r.query.With, r.query.Span, sel.Span = n.Targets, n.Source, n.Where, n.With, n.Span, n.Span
		if n.Source == nil {
			t := n.Targets[0]
			sel.From = []ast.TableRef{&ast.TableSource{Span: t.Span, Name: t.Name, Partitions: t.Partitions, Alias: t.Alias}}
		}
		sel.Items = []ast.SelectItem{{Span: n.Span, X: &ast.Literal{Span: n.Span, Kind: ast.IntLiteral, Text: "1"}}}
	default:
		return nil
	}
	r.tables(sel.From)
	return r
}

// tables lists the tables that FROM names.
func (r *rowChange) tables(refs []ast.TableRef) {
	for _, ref := range refs {
		switch t := ref.(type) {
		case *ast.TableSource:
			n := namedTable{alias: t.Name.Name.Name, schema: t.Name.Schema.Name}
			if n.schema == "" {
				n.schema = r.ctx.GetCurrentDatabase()
			}
			n.def = r.s.Layer().StorageEngine().CachedTable(n.schema, t.Name.Name.Name)
			if t.Alias.Given() {
				n.alias, n.aliased = t.Alias.Name, true
			}
			r.named = append(r.named, n)
		case *ast.TableList:
			r.tables(t.Tables)
		case *ast.Join:
			r.tables([]ast.TableRef{t.L, t.R})
		}
	}
}

// changeRows runs an UPDATE or a DELETE if it is the executor's.
func (x *execution) changeRows(ctx *sql.Context, s *sqllayer.Session) (taken bool, err error) {
	r := x.changeOf(ctx, s)
	if mode := s.Text("ember_executor"); r == nil || mode == "OFF" || x.values != nil || x.w.inside || s.LogsText() {
		return false, nil
	}
	if err := x.usualText(s); err != nil {
		return false, err
	}
	if err := r.targets(); err != nil {
		return false, err
	}
	if !s.BeginDirect() {
		return false, fn.Refuse(fn.BySession, "state")
	}
	ended := false
	defer func() {
		if !ended { // refused, or a panic: the session goes on without the statement
			s.RetreatDirect()
		}
	}()
	counts, err := r.run()
	if compiled.IsNotMine(err) {
		return false, fn.Refuse(fn.ByRow, "a row that cannot be changed")
	}
	if _, refused := fn.IsRefusal(err); refused {
		return false, err
	}
	if fault := (*fn.Fault)(nil); errors.As(err, &fault) {
		err = sqlerr.NewError(fault.Code, "%s", fault.Text)
	}
	ended = true
	x.told = true
	if err = s.FinishDirect(ctx, memory.OverMemory(err)); err != nil {
		return true, err
	}
	return true, x.sendChanged(ctx, s, r.deletes != nil, counts)
}

// sendChanged tells the client how many rows were changed.
func (x *execution) sendChanged(ctx *sql.Context, s *sqllayer.Session, deleted bool, n compiled.Result) error {
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	info, text := s.GetLastQueryInfo(), ""
	if !deleted {
		info.FoundRows.Store(int64(n.Matched))
		if n.Affected = n.Changed; x.c.Capabilities&mysql.CapabilityClientFoundRows != 0 {
			n.Affected = n.Matched
		}
		text = fmt.Sprintf("Rows matched: %d  Changed: %d  Warnings: %d", n.Matched, n.Changed, s.WarningCount())
	}
	info.RowCount.Store(int64(n.Affected))
	return x.sendCounts(&sqltypes.Result{RowsAffected: n.Affected}, text)
}

// targets finds the tables that are changed, and compiles what changes them.
func (r *rowChange) targets() error {
	for i, n := range r.named {
		if slices.ContainsFunc(r.named[:i], func(m namedTable) bool { return strings.EqualFold(m.alias, n.alias) }) {
			return fn.Refuse(fn.ByName, "two tables of one name")
		}
	}
	for _, d := range r.deletes {
		at := slices.IndexFunc(r.named, func(n namedTable) bool { return r.deletesFrom(d, n) })
		if at < 0 || r.target(r.named[at]) < len(r.of)-1 {
			return fn.Refuse(fn.ByName, "a table to delete from")
		}
	}
	for i, a := range r.set {
		n, col := r.column(a.Column)
		if n == nil {
			return fn.Refuse(fn.ByName, "a column to set")
		}
		t := r.of[r.target(*n)]
		t.items, t.columns = append(t.items, i), append(t.columns, col)
	}
	for _, t := range r.of {
		if err := r.compile(t); err != nil {
			return err
		}
	}
	return nil
}

// deletesFrom tells whether a table of FROM is one that rows are deleted from. Without a schema a target
// is an alias, or a table of the current database.
func (r *rowChange) deletesFrom(d ast.DeleteTarget, n namedTable) bool {
	if d.Alias.Given() {
		return strings.EqualFold(n.alias, d.Alias.Name) // the only table
	}
	schema := d.Name.Schema.Name
	if !n.aliased && schema == "" {
		schema = r.ctx.GetCurrentDatabase()
	}
	return strings.EqualFold(n.alias, d.Name.Name.Name) && (n.aliased && schema == "" || !n.aliased && schema == n.schema)
}

// column finds a column that is set, in the one table that has it.
func (r *rowChange) column(n *ast.Column) (of *namedTable, col int) {
	for i := range r.named {
		t := &r.named[i]
		if n.Table.Given() && !strings.EqualFold(t.alias, n.Table.Name) || n.Schema.Given() && n.Schema.Name != t.schema || t.def == nil {
			continue
		}
		if at := slices.IndexFunc(t.def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, n.Name.Name) }); at >= 0 {
			if of != nil {
				return nil, 0
			}
			of, col = t, at
		}
	}
	return of, col
}

// target is the place of a table among those that are changed.
func (r *rowChange) target(n namedTable) int {
	at := slices.IndexFunc(r.of, func(t *changedTable) bool { return strings.EqualFold(t.alias, n.alias) })
	if at < 0 {
		at = len(r.of)
		r.of = append(r.of, &changedTable{namedTable: n})
	}
	return at
}

// compile compiles what changes a table.
func (r *rowChange) compile(t *changedTable) error {
	right := sql.PrivilegeType_Update
	if r.deletes != nil {
		right = sql.PrivilegeType_Delete
	}
	if t.def == nil || !mayRead(r.ctx, t.def.Schema, t.def.Name, right) {
		return fn.Refuse(fn.ByRights, t.alias)
	}
	p, why := compiled.Changing(r.ctx, r.s, t.def.Schema, t.def.Name, t.columns, r.deletes != nil)
	if why == compiled.Mine && !t.changer.Prepare(r.ctx, r.ctx, r.s, p) {
		why = compiled.ByGenerated
	}
	if why != compiled.Mine {
		return fn.Refuse(fn.ByTable, "a change that no program makes: "+why.String())
	}
	return nil
}

// run finds the rows and changes them.
func (r *rowChange) run() (n compiled.Result, err error) {
	if err := r.bind(); err != nil {
		return n, err
	}
	c := r.cat.context()
	c.Rounds, c.Limits, c.Scratch = setting(r.s, "cte_max_recursion_depth"), r.x.h.s.operatorLimits(r.s), r.x.h.s.scratch()
	defer c.Scratch.Close()
	counts := c.Tx.Counts
	c.Tx.Counts = nil // what the planner reads is not the statement's
	p, err := plan.Build(r.bound, c)
	c.Tx.Counts = counts
	if err != nil {
		return n, r.cat.failed(err)
	}
	c.Lock, c.Still = table.Shared, true
	for _, k := range p.Reads {
		r.s.Count(k, 1)
	}
	for _, t := range r.of {
		if err := t.changer.Begin(); err != nil {
			return n, err
		}
	}
	if len(r.of) == 1 && plan.InKeyOrder(p) {
		return r.each(c, r.of[0], p.Root, r.of[0].key, r.of[0].items)
	}
	return r.apart(c, p.Root)
}

// bind binds the query.
func (r *rowChange) bind() error {
	o, err := r.x.bindOptions(r.ctx, r.s, r.cat)
	if err != nil {
		return err
	}
	if r.bound, err = bind.Bind(r.query, o); err != nil {
		if fault := (*fn.Fault)(nil); errors.As(err, &fault) || r.ctx.Err() != nil {
			return fn.Refuse(fn.ByStatement, "an error of the statement") // whose place it names
		}
		return r.cat.failed(err)
	}
	if r.cat.trx == nil || r.cat.trx.Isolation() != txn.RepeatableRead {
		return fn.Refuse(fn.BySession, "isolation")
	}
	if r.bound.Grouped || len(r.bound.Windows) > 0 {
		return fn.Refuse(fn.ByStatement, "a change of groups")
	}
	for _, t := range r.of {
		b := r.bound.Base(t.alias)
		if b == nil || b.Table.Def.ID != t.def.ID || r.cat.opened[t.def.ID] > 1 {
			return fn.Refuse(fn.ByTable, "a table that is read and changed")
		}
		t.types = b.Table.Types
		if err := r.unread(b); err != nil {
			return err
		}
		t.key = r.bound.Change(b)
	}
	for _, n := range r.named {
		b := r.bound.Base(n.alias)
		if b != nil && b.KeyID == 0 && len(r.named) > 1 {
			r.order = append(r.order, r.bound.Key(b))
		}
	}
	return nil
}

// unread refuses statements whose values depend on the order in which columns are set.
func (r *rowChange) unread(b *bind.Base) error {
	if len(r.set) < 2 {
		return nil
	}
	for _, t := range r.of {
		if !strings.EqualFold(t.alias, b.Alias) {
			continue
		}
		for i := range r.set {
			reads := false
			fn.Walk(r.bound.Items[i].Expr, func(e fn.Expr) bool {
				c, is := e.(*fn.Column)
				_, query := e.(*bind.Subquery)
				reads = reads || query || is && slices.Contains(t.columns, c.ID-b.First)
				return true
			})
			if reads {
				return fn.Refuse(fn.ByStatement, "a value of a column that is set")
			}
		}
	}
	return nil
}

// apart reads all rows before the first one is changed, and changes those of each table in the order
// of their keys. Of several rows with one key the first counts: by the keys of the other tables, as
// MySQL meets them where it looks those up.
func (r *rowChange) apart(c *executor.Ctx, root executor.Op) (n compiled.Result, err error) {
	rows := make([]*executor.KeptRows, len(r.of))
	for i, t := range r.of {
		rows[i] = &executor.KeptRows{}
		for id := range 1 + len(t.items) + len(r.order) {
			rows[i].Ids = append(rows[i].Ids, id+1)
		}
		defer rows[i].Close(c)
	}
	err = executor.Drain(c, root, func(b *types.Batch) error {
		for i, t := range r.of {
			part := types.Batch{N: b.N, Cols: []*types.Vec{b.Cols[t.key]}}
			for _, at := range append(slices.Clip(r.order), t.items...) {
				part.Cols = append(part.Cols, b.Cols[at])
			}
			if err := rows[i].Add(c, &part); err != nil {
				return err
			}
		}
		return nil
	})
	for i, t := range r.of {
		if err != nil {
			return n, err
		}
		sort := &executor.Sort{In: rows[i], Most: -1}
		for k := range 1 + len(r.order) {
			sort.Keys, sort.Desc = append(sort.Keys, &fn.Column{ID: k + 1, At: k, T: bind.KeyType()}), append(sort.Desc, false)
		}
		items := make([]int, len(t.items))
		for k := range items {
			items[k] = 1 + len(r.order) + k
		}
		var some compiled.Result
		some, err = r.each(c, t, sort, 0, items)
		n.Affected, n.Matched, n.Changed = n.Affected+some.Affected, n.Matched+some.Matched, n.Changed+some.Changed
	}
	return n, err
}

// each changes rows of a table: those whose keys are column key of an operator, and whose values are
// its columns items.
func (r *rowChange) each(c *executor.Ctx, t *changedTable, op executor.Op, key int, items []int) (compiled.Result, error) {
	var last []byte
	err := executor.Drain(c, op, func(b *types.Batch) error {
		for i := range b.N {
			k := b.Cols[key]
			if k.IsNull(i) || last != nil && bytes.Equal(last, k.S[i]) {
				continue // made up by an outer join, or joined again
			}
			last = append(last[:0], k.S[i]...)
			r.buf = r.buf[:0]
			for at, item := range items {
				if err := r.value(t, at, b.Cols[item], i); err != nil {
					return err
				}
			}
			if err := t.changer.Change(last); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return compiled.Result{}, err
	}
	return t.changer.Finish()
}

// value gives the at-th column that is set the i-th value of v.
func (r *rowChange) value(t *changedTable, at int, v *types.Vec, i int) error {
	var out row.Value
	var ok bool
	col := t.columns[at]
	digits := int(t.types[col].Scale)
	if out, r.buf, ok = executor.StoredValue(t.changer.Column(at), digits, v, i, r.buf); !ok {
		d := r.bound.Items[t.items[at]].Described()
		if d.Kind == types.Decimal && v.Kind == types.Decimal {
			d.Scale = uint8(v.Scale)
		}
		given, err := library.Value(&d, v, i)
		if err != nil {
			return err
		}
		if out, ok = t.changer.Stored(at, given); !ok {
			return fn.Refuse(fn.ByRow, "a value that is not stored as it stands")
		}
	}
	if !t.changer.Set(at, out) {
		return fn.Refuse(fn.ByRow, "NULL in a column that has none")
	}
	return nil
}
