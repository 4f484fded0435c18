package sqllayer

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// Rebuild writes the rows into a new table of the same definition: what deleted rows have left is gone.
func (t *Table) Rebuild(ctx *sql.Context) error {
	return t.rebuild(ctx, func(*catalog.Table) error { return nil }, nil)
}

// rebuild changes the definition and copies the rows itself; convert turns an old row into a new
// one; nil: they are alike.
func (t *Table) rebuild(ctx *sql.Context, change func(def *catalog.Table) error, convert func(vals []row.Value) []row.Value) error {
	w := newRewriter(ctx, t)
	return t.define(ctx, func(d *definer) error {
		old, err := d.current(ctx, t.Def.Def.Schema, t.Def.Def.Name)
		if err != nil {
			return err
		}
		def := copyOf(old)
		tabledef.RenewKeys(def)
		if err := change(def); err != nil {
			return err
		}
		place := places(old, def, "", "")
		if err := d.s.changesColumns(old, def, place); err != nil {
			return err
		}
		w.copies = tabledef.Repartitions(old.Partitioning, def.Partitioning)
		if w.convert = convert; convert == nil {
			w.convert = func(vals []row.Value) []row.Value { return vals }
		}
		if err := w.prepare(ctx, d, old, def, place); err != nil {
			return err
		}
		if err := w.begin(ctx, d, old, def); err != nil {
			return err
		}
		if err := w.copyRows(ctx); err != nil {
			return err
		}
		w.done, d.s.Stmt.rebuild = true, nil
		return w.finish(ctx)
	})
}

// prepare looks at the new definition, and finds what is made of rows.
func (w *rewriter) prepare(ctx *sql.Context, d *definer, old, def *catalog.Table, place func(from int) int) (err error) {
	if err := tabledef.CheckParts(old, def); err != nil {
		return err
	}
	if err := d.s.checkShown(def, nil); err != nil {
		return err
	}
	if err := d.checkSystems(ctx, def); err != nil {
		return err
	}
	if w.picture, err = tabledef.NewTableDef(def, w.t.Def.Database); err != nil {
		return err
	}
	w.storer = store.NewStorer(ctx, false)
	w.copies = w.copies || len(w.picture.Words) > 0
	w.tx = d.tx
	return w.recompute(ctx, old, place)
}

// begin starts the rebuild.
func (w *rewriter) begin(ctx *sql.Context, d *definer, old, def *catalog.Table) (err error) {
	if def.AutoInc >= 0 && old.AutoInc >= 0 {
		h, err := d.eng.Table(d.s.Patient(ctx), d.tx, old.Schema, old.Name)
		if err != nil {
			return err
		}
		if w.next, err = h.PeekAutoInc(); err != nil {
			return err
		}
	}
	if w.rebuild, err = d.eng.NewRebuild(d.s.Patient(ctx), d.tx, old, def, w.online(ctx, old)); err != nil {
		return err
	}
	d.s.Stmt.rebuild = w
	return nil
}

// online is what lets writers go on: where MySQL does, if rows are copied with the values they
// have.
func (w *rewriter) online(ctx *sql.Context, old *catalog.Table) *engine.Online {
	a := w.t.S.altering
	if a == nil || a.Keeps() || w.copies || w.own || w.convert == nil || old.Options[tabledef.SpecialOption] != "" {
		return nil
	}
	if slices.ContainsFunc(w.changes, func(c changedColumn) bool { return c.typ }) {
		return nil
	}
	_, most, _ := sql.SystemVariables.GetGlobal("innodb_online_alter_log_max_size")
	bytes, _, _ := types.Uint64.Convert(ctx, most)
	limit, _ := bytes.(uint64)
	return &engine.Online{LogBytes: int(min(limit, math.MaxInt)), Convert: func(vals []row.Value) ([]row.Value, error) { return w.row(ctx, old, vals) }}
}

// plain copies rows of which nothing is computed, see sources.
func (w *rewriter) plain(from []int, fixed []row.Value, ok bool) {
	if !ok {
		w.changes = nil
		return
	}
	vals := make([]row.Value, len(from))
	w.convert = func(was []row.Value) []row.Value {
		for i, j := range from {
			if vals[i] = fixed[i]; j >= 0 {
				vals[i] = was[j]
			}
		}
		return vals
	}
}

// implied is the value in old rows of a new column that is NOT NULL and has no default. A date of
// zeros may be no value for any row.
func (w *rewriter) implied(ctx *sql.Context, at int, c *sql.Column) (v row.Value, ok bool) {
	if store.NeedsValue(c) {
		return v, false
	}
	if w.storer.Strict && types.IsTime(c.Type) && !types.IsTimestampType(c.Type) && w.t.S.SQLMode().ModeEnabled("NO_ZERO_DATE") {
		kind, text := "datetime", "0000-00-00 00:00:00"
		if types.IsDateType(c.Type) {
			kind, text = "date", "0000-00-00"
		}
		w.refused = sqlerr.NewError(mysql.ERTruncatedWrongValue, "Incorrect %s value: '%s' for column '%s' at row 1", kind, text, c.Name)
	}
	v, err := w.picture.Codecs[at].Encode(ctx, store.Implied(c))
	return v, err == nil
}

// appends tells whether all that is new is a column behind the others.
func (w *rewriter) appends(old *catalog.Table, from []int) bool {
	def, last := w.picture.Def, len(old.Columns)
	if w.own || w.refused != nil || len(from) != last+1 || from[last] >= 0 || len(w.formulas)+len(w.changes) > 0 {
		return false
	}
	for i, j := range from[:last] {
		if i != j || def.Columns[i].Nullable != old.Columns[i].Nullable {
			return false
		}
	}
	return slices.Equal(def.Indexes[0].Parts, old.Indexes[0].Parts)
}

// append adds that column without a look at the rows, which have this value.
func (w *rewriter) append(ctx *sql.Context, d *definer, old *catalog.Table, value row.Value) error {
	c := w.picture.Def.Columns[len(old.Columns)]
	if !value.IsNull() {
		c.Missing = &value
	}
	def := copyOf(old)
	def.Columns = append(def.Columns, c)
	w.done, w.t.built = true, true
	if err := d.eng.AlterTable(d.s.Patient(ctx), d.tx, old, def); err != nil {
		return err
	}
	return w.t.refresh(ctx, d)
}

// sources tells for each column of the new table which one of old's it is, or its value where that
// is -1.
func (w *rewriter) sources(ctx *sql.Context, old *catalog.Table, oldColumn, newColumn *sql.Column) (from []int, fixed []row.Value, ok bool) {
	def := w.picture.Def
	d := &DirectTable{Def: def, TableDef: w.picture}
	for i := range def.Columns {
		c, name := &def.Columns[i], def.Columns[i].Name
		generated := c.Generated != ""
		if generated && w.t.S.layer.Opts.Plain {
			return nil, nil, false
		}
		added := newColumn != nil && strings.EqualFold(name, newColumn.Name)
		if added && oldColumn != nil {
			name, added = oldColumn.Name, false
		}
		j := slices.IndexFunc(old.Columns, func(o catalog.Column) bool { return strings.EqualFold(o.Name, name) })
		value := row.NullValue
		switch {
		case generated && slices.ContainsFunc(w.formulas, func(f formula) bool { return f.check == "" && f.at == i }):
			j = -1
		case added:
			if j = -1; i == def.AutoInc {
				return nil, nil, false
			}
			if newColumn.Default == nil && !c.Nullable {
				value, ok = w.implied(ctx, i, newColumn)
			} else {
				value, ok = d.SameDefault(ctx, i, newColumn.Default)
			}
			if !ok {
				return nil, nil, false
			}
		case j < 0 || i == def.AutoInc && j != old.AutoInc:
			return nil, nil, false
		case !unchanged(&old.Columns[j], c):
			if !w.change(old, j, i) {
				return nil, nil, false
			}
		}
		from, fixed = append(from, j), append(fixed, value)
	}
	return from, fixed, true
}

// source is the old table, and the transaction that sees its rows: those of a temporary table may
// be the running transaction's.
func (w *rewriter) source(ctx *sql.Context) (*table.Table, *txn.Trx, error) {
	if w.own {
		return w.t.open(ctx)
	}
	h, tx := w.rebuild.Source()
	return h, tx, nil
}

// copyRows fills the new table. GMS then finds no rows to copy.
func (w *rewriter) copyRows(ctx *sql.Context) (err error) {
	defer func() {
		if err != nil {
			w.abort()
		}
	}()
	h, tx, err := w.source(ctx)
	if err != nil {
		return err
	}
	scan := h.NewScan(tx, table.ScanOptions{})
	defer scan.Close()
	for {
		vals, err := scan.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if vals, err = w.row(ctx, h.Def(), vals); err != nil {
			return err
		}
		w.count()
		if err := w.insert(ctx, vals); err != nil {
			return err
		}
	}
}

// row makes a row of the new table of one of the old.
func (w *rewriter) row(ctx *sql.Context, old *catalog.Table, vals []row.Value) ([]row.Value, error) {
	if w.refused != nil {
		return nil, w.refused
	}
	vals = w.convert(vals[:len(old.Columns)])
	w.storer.Row++
	if err := w.changed(ctx, vals); err != nil {
		return nil, err
	}
	if err := w.computed(ctx, vals); err != nil {
		return nil, err
	}
	for i := range w.picture.Def.Columns {
		if vals[i].IsNull() && !w.picture.Def.Columns[i].Nullable {
			return nil, w.refusedNull(&w.picture.Def.Columns[i])
		}
	}
	return vals, nil
}

// refusedNull is the error of a NULL in a row that is copied as it stands.
func (w *rewriter) refusedNull(c *catalog.Column) error {
	if c.Type == row.TGeometry {
		return errNullValue()
	}
	return sql.ErrInsertIntoNonNullableProvidedNull.New(c.Name)
}
