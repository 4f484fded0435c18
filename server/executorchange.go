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
	keys  []tableKey // of the tables of FROM
	buf   []byte
}

// namedTable is a table in FROM.
type namedTable struct {
	alias, schema string
	aliased       bool // it has another name there
	def           *catalog.Table
}

// tableKey is the item with the keys of a table.
type tableKey struct {
	base *bind.Base
	item int
}

// changedTable is a table whose rows are changed.
type changedTable struct {
	namedTable
	columns []int // that get values
	items   []int // with the values, or null
	base    *bind.Base
	changer compiled.Changer
}

// changeRows runs an UPDATE or a DELETE if it is the executor's.
func (x *execution) changeRows(ctx *sql.Context, s *sqllayer.Session) (taken bool, err error) {
	r := x.changeOf(ctx, s)
	if mode := s.Text("ember_executor"); r == nil || mode == "OFF" || x.w.inside || s.LogsText() {
		return false, nil
	}
	counts, taken, err := x.storeRows(ctx, s, r)
	if !taken || err != nil {
		return taken, err
	}
	return true, x.sendChanged(ctx, s, r.deletes != nil, counts)
}

// rowsStored is a statement that stores rows by compiled programs.
type rowsStored interface {
	// prepare compiles the programs, before the statement begins.
	prepare() error
	run() (compiled.Result, error)
	// ended tells whether anything of the statement stays.
	ended(stays bool)
}

// storeRows runs a statement between its beginning and its answer.
func (x *execution) storeRows(ctx *sql.Context, s *sqllayer.Session, r rowsStored) (counts compiled.Result, taken bool, err error) {
	if err := x.usualText(s); err != nil {
		return counts, false, err
	}
	if err := r.prepare(); err != nil {
		_, refused := fn.IsRefusal(err)
		return counts, !refused, err
	}
	if !s.BeginDirect() {
		return counts, false, fn.Refuse(fn.BySession, "state")
	}
	ended := false
	defer func() {
		if !ended { // refused, or a panic: the session goes on without the statement
			s.RetreatDirect()
			r.ended(false)
		}
	}()
	counts, err = r.run()
	if compiled.IsNotMine(err) {
		return counts, false, fn.Refuse(fn.ByRow, "a row that cannot be stored")
	}
	if _, refused := fn.IsRefusal(err); refused {
		return counts, false, err
	}
	ended = true
	x.told = true
	r.ended(true)
	if counts.GeneratedID > 0 { // by a row that came in, whatever came of the statement
		s.GetLastQueryInfo().LastInsertId.Store(int64(counts.GeneratedID))
	}
	return counts, true, s.FinishDirect(ctx, memory.OverMemory(toldFault(err)))
}

// ended implements rowsStored.
func (r *rowChange) ended(bool) {}

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

// run finds the rows and changes them.
func (r *rowChange) run() (n compiled.Result, err error) {
	if err := r.bind(); err != nil {
		return n, err
	}
	c := r.cat.context()
	r.x.limit(c, r.s)
	defer c.Scratch.Close()
	c.Still = true
	p, err := planned(r.bound, c)
	if err != nil {
		return n, r.cat.failed(err)
	}
	c.Lock = table.Shared
	for _, k := range p.Reads {
		r.s.Count(k, 1)
	}
	for _, t := range r.of {
		if err := t.changer.Begin(); err != nil {
			return n, err
		}
	}
	if len(r.of) == 1 && plan.InKeyOrder(p) {
		return r.each(c, r.of[0], p.Root, r.order(r.of[0])[0], r.of[0].items)
	}
	return r.apart(c, p.Root)
}

// bind binds the query.
func (r *rowChange) bind() error {
	o, err := r.x.bindOptions(r.ctx, r.s, r.cat)
	if err != nil {
		return err
	}
	o.SameNames = true
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
		b := r.bound.Base(t.schema, t.alias)
		if b == nil || b.Table.Def.ID != t.def.ID || r.cat.opened[t.def.ID] > 1 {
			return fn.Refuse(fn.ByTable, "a table that is read and changed")
		}
		t.base, b.Locking.Lock = b, table.Exclusive
	}
	if err := r.unread(); err != nil {
		return err
	}
	for _, n := range r.named {
		if b := r.bound.Base(n.schema, n.alias); b != nil {
			r.keys = append(r.keys, tableKey{b, r.bound.Key(b)})
		}
	}
	return nil
}

// unread refuses values that read a column which another assignment sets: MySQL sets the columns of a
// row one after the other, and those of the table that it reads first before it goes on.
func (r *rowChange) unread() error {
	set := make(map[int]int) // by ID: the item
	for _, t := range r.of {
		for n, col := range t.columns {
			set[t.base.First+col] = t.items[n]
		}
	}
	for i := range r.set {
		reads := false
		fn.Walk(r.bound.Items[i].Expr, func(e fn.Expr) bool {
			if c, is := e.(*fn.Column); is {
				item, is := set[c.ID]
				reads = reads || is && item != i
			}
			_, query := e.(*bind.Subquery)
			reads = reads || query && len(r.set) > 1
			return true
		})
		if reads {
			return fn.Refuse(fn.ByStatement, "a value of a column that is set")
		}
	}
	return nil
}

// apart reads all rows before the first one is changed, and changes those of each table in the order
// of their keys. Of several rows with one key the first counts: by the keys of the other tables, as
// MySQL meets them where it looks those up.
func (r *rowChange) apart(c *executor.Ctx, root executor.Op) (n compiled.Result, err error) {
	rows, kept := make([]*executor.KeptRows, len(r.of)), make([][]int, len(r.of))
	for i, t := range r.of {
		rows[i], kept[i] = &executor.KeptRows{}, append(r.order(t), t.items...)
		for id := range len(r.keys) + len(t.items) {
			rows[i].Ids = append(rows[i].Ids, id+1)
		}
		defer rows[i].Close(c)
	}
	err = executor.Drain(c, root, func(b *types.Batch) error {
		for i := range r.of {
			part := types.Batch{N: b.N}
			for _, at := range kept[i] {
				if at == null {
					at = 0 // not read
				}
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
		for k := range r.keys {
			sort.Keys, sort.Desc = append(sort.Keys, &fn.Column{ID: k + 1, At: k, T: bind.KeyType()}), append(sort.Desc, false)
		}
		items := make([]int, len(t.items))
		for k, item := range t.items {
			if items[k] = len(r.keys) + k; item == null {
				items[k] = null
			}
		}
		var some compiled.Result
		some, err = r.each(c, t, sort, 0, items)
		n.Affected, n.Matched, n.Changed = n.Affected+some.Affected, n.Matched+some.Matched, n.Changed+some.Changed
	}
	return n, err
}

// order are the items with the keys by which the rows of a table are ordered: its own ones first.
func (r *rowChange) order(t *changedTable) (items []int) {
	for _, k := range r.keys {
		if k.base == t.base {
			items = slices.Insert(items, 0, k.item)
		} else {
			items = append(items, k.item)
		}
	}
	return items
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
				v, err := row.NullValue, error(nil)
				if item != null {
					v, err = r.value(t, at, b.Cols[item], i)
				}
				if err == nil && !t.changer.Set(at, v) {
					err = fn.Refuse(fn.ByRow, "NULL in a column that has none")
				}
				if err != nil {
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

// value makes the i-th value of v what the at-th column that is set stores.
func (r *rowChange) value(t *changedTable, at int, v *types.Vec, i int) (out row.Value, err error) {
	d := r.bound.Items[t.items[at]].Described()
	out, r.buf, err = storedAs(t.changer.Column(at), &t.base.Table.Types[t.columns[at]], &d, v, i, r.buf, func(v any) (row.Value, bool) { return t.changer.Stored(at, v) })
	return out, err
}

// storedAs makes the i-th value of v, which an item of type d has given, what a column of type t
// stores. Where it is not stored as it stands, store makes it of the library's value.
func storedAs(c *row.Column, t, d *types.Type, v *types.Vec, i int, buf []byte, store func(any) (row.Value, bool)) (row.Value, []byte, error) {
	out, buf, ok := executor.StoredValue(c, int(t.Scale), v, i, buf)
	if ok {
		return out, buf, nil
	}
	if d.Kind == types.Decimal && v.Kind == types.Decimal {
		d.Scale = uint8(v.Scale)
	}
	given, err := library.Value(d, v, i)
	if err != nil {
		return out, buf, err
	}
	if out, ok = store(given); !ok {
		return out, buf, fn.Refuse(fn.ByRow, "a value that is not stored as it stands")
	}
	return out, buf, nil
}
