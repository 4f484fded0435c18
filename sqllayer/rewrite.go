package sqllayer

// Table rewrites: ALTER TABLE that changes rows or keys fills a new table beside the old one, which
// then takes its place in the DDL transaction.

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sqllayer/expr/spatial"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// RewriteInserter implements sql.RewritableTable. GMS streams the rows of t, in the new schema,
// into it.
func (t *Table) RewriteInserter(ctx *sql.Context, oldSchema, newSchema sql.PrimaryKeySchema, oldColumn, newColumn *sql.Column, keys []sql.IndexColumn) (sql.RowInserter, error) {
	if len(oldSchema.PkOrdinals) > 0 && len(newSchema.PkOrdinals) == 0 {
		if err := sql.ValidatePrimaryKeyDrop(ctx, t, oldSchema); err != nil {
			return nil, err
		}
		if err := t.primaryUnreferenced(ctx); err != nil {
			return nil, err
		}
	}
	if oldColumn != nil && newColumn == nil {
		if err := t.unreferenced(ctx, oldColumn.Name); err != nil {
			return nil, err
		}
	}
	t.AsGeometry = nil
	if oldColumn != nil && newColumn != nil && !oldColumn.Type.Equals(newColumn.Type) &&
		(types.IsGeometry(oldColumn.Type) || types.IsGeometry(newColumn.Type)) {
		t.AsGeometry = &geometryColumn{oldColumn.Name, newColumn.Type}
	}
	w := newRewriter(ctx, t)
	w.lacks = oldColumn == nil && newColumn != nil && newColumn.Default == nil && newColumn.Generated == nil && store.NeedsValue(newColumn)
	tree := runningTree(ctx)
	said, nulls := declaredPrimary(tree), mayBeNull(tree)
	if newColumn != nil {
		w.made, w.later = newColumn.Name, definedLater(tree, newColumn.Name)
	}
	start := func(d *definer) error {
		old, err := d.current(ctx, t.Def.Def.Schema, t.Def.Def.Name)
		if err != nil {
			return err
		}
		def, err := rewritten(ctx, old, newSchema, oldColumn, newColumn, keys)
		if err != nil {
			return err
		}
		if newColumn != nil && len(w.later) == 0 {
			if err := tabledef.CheckOrder(def); err != nil {
				return err
			}
		}
		if len(oldSchema.PkOrdinals) > 0 && len(newSchema.PkOrdinals) == 0 {
			dropPrimary(def, nulls)
		}
		describePrimary(def.Indexes[0], said)
		from, to := "", ""
		if oldColumn != nil && newColumn != nil {
			from, to = oldColumn.Name, newColumn.Name
		}
		place := places(old, def, from, to)
		if err := d.s.changesColumns(old, def, place); err != nil {
			return err
		}
		if err := w.prepare(ctx, d, old, def, place); err != nil {
			return err
		}
		switch {
		case t.AsGeometry != nil:
		case drops(oldColumn, newColumn):
			w.convert = without(columnAt(old, oldColumn.Name))
		default:
			from, fixed, ok := w.sources(ctx, old, oldColumn, newColumn)
			if ok && w.appends(old, from) {
				return w.append(ctx, d, old, fixed[len(old.Columns)])
			}
			w.plain(from, fixed, ok)
		}
		if err := w.begin(ctx, d, old, def); err != nil || w.convert == nil {
			return err // GMS fills the new table
		}
		t.built = true
		return w.copyRows(ctx)
	}
	if !t.Temporary {
		return w, t.define(ctx, start)
	}
	s := t.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	d := &definer{s.layer, s, s.layer.Eng, s.layer.Eng.BeginDDL()}
	s.adopt(d.tx)
	w.own = true
	if err := start(d); err != nil {
		if !w.done {
			err = rolledBack(err, d.eng.Rollback(d.tx))
		}
		return nil, s.Note(err)
	}
	return w, nil
}

// geometryColumn is a column that a rewrite gives the type of a geometry, or another. GMS converts
// the values between PartitionRows and Insert.
type geometryColumn struct {
	name string
	typ  sql.Type
}

// geometryRows reads the bytes of that column as geometries.
type geometryRows struct {
	sql.RowIter
	at  int
	typ sql.Type
}

// Next implements sql.RowIter.
func (i *geometryRows) Next(ctx *sql.Context) (sql.Row, error) {
	r, err := i.RowIter.Next(ctx)
	if err == nil && i.at >= 0 && i.at < len(r) && r[i.at] != nil {
		r[i.at], err = spatial.Geometry(ctx, i.typ, r[i.at])
	}
	return r, err
}

// rewritten makes the new definition. Columns that the statement does not name keep theirs to the
// letter.
func rewritten(ctx *sql.Context, old *catalog.Table, schema sql.PrimaryKeySchema, oldColumn, newColumn *sql.Column, keys []sql.IndexColumn) (*catalog.Table, error) {
	def := copyOf(old)
	defer tabledef.RenewKeys(def)
	if drops(oldColumn, newColumn) { // GMS's schema may be of before the statement
		return def, dropColumn(def, columnAt(def, oldColumn.Name))
	}
	if newColumn != nil {
		schema = withoutGone(schema, old, newColumn.Name)
	}
	def.Columns = nil
	def.AutoInc = -1
	positions := make(map[int]int) // old position -> new one
	var made []int
	for i, c := range schema.Schema {
		from := slices.IndexFunc(old.Columns, func(o catalog.Column) bool {
			if newColumn != nil && c.Name == newColumn.Name {
				return oldColumn != nil && strings.EqualFold(o.Name, oldColumn.Name)
			}
			return strings.EqualFold(o.Name, c.Name)
		})
		if from >= 0 {
			positions[from] = i
		}
		col := catalog.Column{}
		if from < 0 || newColumn != nil && c.Name == newColumn.Name {
			var err error
			if col, err = newColumnOf(ctx, c, def); err != nil {
				return nil, err
			}
			made = append(made, i)
		} else {
			col = old.Columns[from]
		}
		if slices.Contains(schema.PkOrdinals, i) {
			col.Nullable = false
		}
		if c.AutoIncrement {
			def.AutoInc = i
		}
		def.Columns = append(def.Columns, col)
	}
	for _, i := range made {
		tabledef.SpellNames(def, i)
	}
	if oldColumn != nil && newColumn != nil {
		tabledef.RenameColumn(def, oldColumn.Name, newColumn.Name)
	}
	if len(made) > 0 {
		if err := tabledef.CheckGenerated(def); err != nil {
			return nil, err
		}
	}
	auto := def.AutoInc
	if err := tabledef.Remap(def, func(old int) int {
		if i, ok := positions[old]; ok {
			return i
		}
		return -1
	}); err != nil {
		return nil, err
	}
	def.AutoInc = auto
	// GMS names a dropped column of the primary key -1.
	primary := slices.DeleteFunc(slices.Clone(schema.PkOrdinals), func(at int) bool { return at < 0 })
	return def, setPrimary(def, primary, keys)
}

func newColumnOf(ctx *sql.Context, c *sql.Column, def *catalog.Table) (catalog.Column, error) {
	return tabledef.NewColumn(ctx, c, sql.CollationID(def.Collation))
}

// setPrimary gives def the primary key of these columns. Prefix lengths come from keys, or from the
// primary key there was.
func setPrimary(def *catalog.Table, ordinals []int, keys []sql.IndexColumn) error {
	before := def.Indexes[0]
	clustered := &catalog.Index{Clustered: true, Unique: true, Comment: before.Comment, Btree: before.Btree}
	for _, ord := range ordinals {
		part := row.KeyPart{Column: ord}
		for _, p := range before.Parts {
			if p.Column == ord {
				part.Prefix = p.Prefix
			}
		}
		for _, k := range keys {
			if strings.EqualFold(k.Name, def.Columns[ord].Name) {
				part.Prefix = tabledef.PrefixOf(&def.Columns[ord], k.Length)
			}
		}
		clustered.Name = "PRIMARY"
		clustered.Parts = append(clustered.Parts, part)
	}
	def.Indexes[0] = clustered
	return tabledef.CheckKey(def, clustered)
}

// rewriter fills the new table.
type rewriter struct {
	t       *Table
	picture *tabledef.TableDef // of the new table
	rebuild *engine.Rebuild
	tx      *txn.Trx
	own     bool   // tx is of a temporary table and ends with the rewrite
	next    uint64 // AUTO_INCREMENT value after the largest seen
	copies  bool   // the client is told how many rows there were, whatever the statement
	rows    int
	vals    []row.Value
	storer  store.Storer
	lacks   bool            // a column is added that old rows have no value for
	changes []changedColumn // columns whose values are made anew from the old ones

	// convert makes a row of the new table of one of the old, but for what changes and formulas
	// make of it; nil: GMS does.
	convert func(vals []row.Value) []row.Value
	refused error // of the first row, if there is one

	planner  *planbuilder.Builder
	made     string    // the column that the statement's part defines; "": none
	later    []string  // those that its later parts define anew
	formulas []formula // what is computed of each row
	reads    []int     // the columns that they read

	done bool
}

// newRewriter returns a rewriter of a table that is not begun. What plans takes s.Mu here.
// REQUIRES: s.mu is free.
func newRewriter(ctx *sql.Context, t *Table) *rewriter {
	return &rewriter{t: t, planner: planbuilder.New(ctx, t.S.layer.Engine.Analyzer.Catalog, nil)}
}

// StatementBegin implements sql.EditOpenerCloser.
func (w *rewriter) StatementBegin(*sql.Context) {}

// StatementComplete implements sql.EditOpenerCloser.
func (w *rewriter) StatementComplete(*sql.Context) error { return nil }

// DiscardChanges implements sql.EditOpenerCloser.
func (w *rewriter) DiscardChanges(*sql.Context, error) error {
	w.t.S.Mu.Lock()
	defer w.t.S.Mu.Unlock()
	w.t.S.Stmt.Failed = true
	w.abort()
	return nil
}

// abort gives the new table up. REQUIRES: s.mu.
func (w *rewriter) abort() {
	if !w.done {
		w.done = true
		_ = w.rebuild.Close()           // who gives up has another error
		if w.own || w.t.S.Trx == w.tx { // else the transaction has ended, and the storage gone with it
			_ = w.rebuild.Abort(context.Background())
		}
		if w.own {
			_ = w.t.S.layer.Eng.Rollback(w.tx) // the new table never was
		}
	}
	if w.t.S.Stmt.rebuild == w {
		w.t.S.Stmt.rebuild = nil
	}
}

// Insert implements sql.RowInserter.
func (w *rewriter) Insert(ctx *sql.Context, r sql.Row) (err error) {
	if w.lacks {
		return errNullValue()
	}
	s := w.t.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	w.count()
	w.storer.Row++
	for i, c := range w.picture.Attributed {
		if c != nil && r[i] != nil {
			if r[i], err = w.storer.Value(ctx, c, r[i]); err != nil {
				return err
			}
		}
	}
	if w.vals, err = w.picture.EncodeRow(ctx, r, w.vals); err != nil {
		return err
	}
	if err := w.computed(ctx, w.vals); err != nil {
		return s.Note(err)
	}
	return s.Note(w.insert(ctx, w.vals))
}

// count notes a row. A statement of several changes makes the table once in MySQL.
func (w *rewriter) count() {
	w.rows++
	w.t.S.fills(w.rows)
	if t := &w.t.S.Stmt.Tally; w.copies {
		t.copied = max(t.copied, w.rows)
	}
}

// insert adds a row to the new table.
func (w *rewriter) insert(ctx *sql.Context, vals []row.Value) error {
	if auto := w.picture.Def.AutoInc; auto >= 0 && !vals[auto].IsNull() {
		v := vals[auto]
		if v.Kind == row.Uint || v.Kind == row.Int && v.Int() > 0 {
			w.next = max(w.next, v.N+1)
		}
	}
	err := w.rebuild.Add(ctx, vals)
	if dup := w.picture.Violated(ctx, err, vals); dup != nil {
		return dup
	}
	return err
}

// Close implements sql.Closer: the new table takes the old one's place.
func (w *rewriter) Close(ctx *sql.Context) error {
	if w.done {
		return nil
	}
	return w.replace(ctx)
}

func (w *rewriter) replace(ctx *sql.Context) error {
	s := w.t.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	w.done, s.Stmt.rebuild = true, nil
	err := w.finish(ctx)
	if w.own {
		eng := s.layer.Eng
		if err != nil {
			return s.Note(errors.Join(err, eng.Rollback(w.tx)))
		}
		err = eng.Commit(ctx, w.tx)
	}
	return s.Note(err)
}

// finish puts the new table in place. Its full-text indexes are made anew: they know rows by their
// keys.
func (w *rewriter) finish(ctx *sql.Context) error {
	before := w.t.Def.Def
	h, err := w.rebuild.Finish(w.t.S.Patient(ctx))
	if dup := w.picture.Violated(ctx, err, nil); dup != nil {
		return dup
	}
	if err != nil {
		return err
	}
	if err := w.settle(h); err != nil || before.Options[tabledef.SpecialOption] == "" {
		return err
	}
	d := &definer{w.t.S.layer, w.t.S, w.t.S.layer.Eng, w.tx}
	if err := d.rebuildWords(ctx, before, w.t.Def.Def); err != nil {
		return err
	}
	return w.t.refresh(ctx, d)
}

// settle carries the AUTO_INCREMENT counter over and makes t show the new table.
func (w *rewriter) settle(h *table.Table) error {
	if h.Def().AutoInc >= 0 && w.next > 0 {
		if err := h.SetAutoInc(w.next); err != nil {
			return err
		}
	}
	return w.t.adopt(h.Def())
}
