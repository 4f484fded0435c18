package server

// REPLACE ... SELECT and INSERT ... SELECT ... ON DUPLICATE KEY UPDATE by the executor. It runs the
// query, and locks what that reads as the library would. Package compiled stores each row as it
// comes, or changes the one that is there already. A plain INSERT ... SELECT has a way of its own
// (executorselect.go): rows that may end the statement go in many at a time.
//
// What either side refuses is go-mysql-server's, and nothing of it stays.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/compiled"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/ast"
	"emberdb/sql/bind"
	executor "emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
)

// rowInsert is such a statement under way.
type rowInsert struct {
	x        *execution
	ctx      *sql.Context
	s        *sqllayer.Session
	stmt     *ast.Insert
	def      *catalog.Table // of the table that rows go into
	inserter compiled.Inserter
	cat      *executorCatalog
	bound    *bind.Query
	types    []types.Type // of the table's columns
	given    []types.Type // of the query's items
	buf      []byte
}

// insertRows runs a statement if it is one of these, and the executor's.
func (x *execution) insertRows(ctx *sql.Context, s *sqllayer.Session, n *ast.Insert) (taken bool, err error) {
	if n.Query == nil || !n.Replace && len(n.OnConflict) == 0 || n.Ignore || n.Hints != nil || n.Priority != 0 || len(n.Partitions) > 0 || n.Alias != nil ||
		s.Text("ember_executor") == "OFF" || x.w.inside || s.LogsText() {
		return false, nil
	}
	r := &rowInsert{x: x, ctx: ctx, s: s, stmt: n, cat: &executorCatalog{ctx: ctx, s: s}}
	counts, taken, err := x.storeRows(ctx, s, r)
	if !taken || err != nil {
		return taken, err
	}
	return true, x.sendInserted(ctx, s, n.Replace, counts)
}

// ended implements rowsStored.
func (r *rowInsert) ended(stays bool) {
	if stays {
		r.inserter.Finish()
	} else {
		r.inserter.Retreat()
	}
}

// sendInserted tells the client how many rows were stored.
func (x *execution) sendInserted(ctx *sql.Context, s *sqllayer.Session, replace bool, n compiled.Result) error {
	if err := x.statusFlags(ctx); err != nil {
		return err
	}
	if n.InsertID = n.GeneratedID; n.InsertID == 0 && n.Affected > 0 && replace {
		n.InsertID = n.LastValue
	}
	if x.c.Capabilities&mysql.CapabilityClientFoundRows != 0 {
		n.Affected += n.Matched
	}
	s.GetLastQueryInfo().RowCount.Store(int64(n.Affected))
	text := fmt.Sprintf("Records: %d  Duplicates: %d  Warnings: %d", n.Records, n.Duplicates, s.WarningCount())
	return x.sendCounts(&sqltypes.Result{RowsAffected: n.Affected, InsertID: n.InsertID}, text)
}

// prepare implements rowsStored: it compiles what stores the rows.
func (r *rowInsert) prepare() error {
	n := *r.stmt
	schema := n.Table.Schema.Name
	if schema == "" {
		schema = r.ctx.GetCurrentDatabase()
	}
	if r.def = r.s.Layer().StorageEngine().CachedTable(schema, n.Table.Name.Name); r.def == nil {
		return fn.Refuse(fn.ByTable, "a table to insert into")
	}
	for _, right := range r.rights() {
		if !mayRead(r.ctx, r.def.Schema, r.def.Name, right) {
			return fn.Refuse(fn.ByRights, r.def.Name)
		}
	}
	values := len(n.Columns)
	for i := range r.def.Columns {
		if len(n.Columns) == 0 && r.def.Columns[i].Listed() {
			values++
		}
	}
	for _, a := range n.OnConflict {
		at := slices.IndexFunc(r.def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, a.Column.Name.Name) })
		if _, usual := a.Value.(*ast.DefaultValue); !usual && at >= 0 && r.def.Columns[at].Generated != "" {
			return sql.ErrGeneratedColumnValue.New(r.def.Columns[at].Name, r.def.Name)
		}
	}
	n.Query, n.Rows = nil, []ast.ValuesRow{{}}
	stmt, err := lower.Statement(r.x.stmt.Text, &n, lower.Options{Plain: true})
	into, ok := stmt.(*vt.Insert)
	if err != nil || !ok {
		return fn.Refuse(fn.ByStatement, "an INSERT that is not lowered")
	}
	p, why := compiled.Inserting(r.ctx, r.s, r.ctx.GetCurrentDatabase(), into, values)
	if why == compiled.Mine && !r.inserter.Prepare(r.ctx, r.ctx, r.s, p) {
		why = compiled.ByGenerated
	}
	if why != compiled.Mine {
		return fn.Refuse(fn.ByTable, "an insertion that no program makes: "+why.String())
	}
	return nil
}

// rights are those that the statement needs on the table.
func (r *rowInsert) rights() []sql.PrivilegeType {
	if r.stmt.Replace {
		return []sql.PrivilegeType{sql.PrivilegeType_Insert, sql.PrivilegeType_Delete}
	}
	return []sql.PrivilegeType{sql.PrivilegeType_Insert, sql.PrivilegeType_Update, sql.PrivilegeType_Select}
}

// run implements rowsStored.
func (r *rowInsert) run() (compiled.Result, error) {
	err := r.store()
	return r.inserter.Result(), err
}

// store stores the rows of the query.
func (r *rowInsert) store() error {
	if err := r.bind(); err != nil {
		return err
	}
	c := r.cat.context()
	r.x.limit(c, r.s)
	defer c.Scratch.Close()
	p, err := planned(r.bound, c)
	if err != nil {
		return r.cat.failed(err)
	}
	c.Lock = r.s.SelectedLock(r.cat.trx)
	for _, k := range p.Reads {
		r.s.Count(k, 1)
	}
	if err := r.inserter.Begin(); err != nil {
		return err
	}
	whole := r.bound.Averages()
	for i := range r.bound.Items {
		r.given = append(r.given, r.bound.Items[i].Described())
	}
	return executor.Drain(c, p.Root, func(b *types.Batch) (err error) {
		if b, err = rounded(b, r.given, whole); err != nil {
			return err
		}
		for i := range b.N {
			if err := r.row(b, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// bind binds the query.
func (r *rowInsert) bind() error {
	o, err := r.x.bindOptions(r.ctx, r.s, r.cat)
	if err != nil {
		return err
	}
	o.Unseen = true
	if r.bound, err = bind.Bind(r.stmt.Query, o); err != nil {
		if r.ctx.Err() != nil {
			return fn.Refuse(fn.ByStatement, "a statement that ends")
		}
		return r.cat.failed(err)
	}
	switch {
	case r.cat.trx == nil: // no table is read
		return fn.Refuse(fn.ByShort, "constants")
	case r.cat.opened[r.def.ID] > 0:
		return fn.Refuse(fn.ByTable, "a table that is read and inserted into")
	case len(r.bound.Items) != r.inserter.Values():
		return fn.Refuse(fn.ByStatement, "columns and values that are not as many")
	case r.s.SelectedLock(r.cat.trx) != table.None && r.bound.Limit >= 0 && len(r.bound.Order) == 0 && !r.bound.Grouped:
		return fn.Refuse(fn.ByStatement, "a LIMIT behind which no row may be locked")
	}
	t, err := r.s.Layer().BoundTable(r.def)
	if err != nil {
		return fn.Refuse(fn.ByTable, err.Error())
	}
	r.types = t.Types
	return r.unlike()
}

// unlike refuses names in ON DUPLICATE KEY UPDATE that may be columns of the query's tables. One that
// the table has as well is an error.
func (r *rowInsert) unlike() error {
	for _, a := range r.stmt.OnConflict {
		var err error
		ast.Inspect(a.Value, func(n ast.Node) bool {
			switch e := n.(type) {
			case *ast.Column:
				if !e.Table.Given() && err == nil {
					err = r.own(e.Name.Name)
				}
			case *ast.ValuesOf:
				return false
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// own tells that a column is the table's, and none of the query's.
func (r *rowInsert) own(name string) error {
	theirs, known := hasColumn(r.bound.From, name)
	if !known || r.bound.Grouped || r.bound.Union != nil || theirs && !defHas(r.def, name) {
		return fn.Refuse(fn.ByName, "a column of the query in ON DUPLICATE KEY UPDATE")
	}
	if theirs {
		return sqlerr.NewError(1052, "Column '%s' in field list is ambiguous", name)
	}
	return nil
}

// hasColumn tells whether a source of tables has a column of this name.
func hasColumn(from bind.Source, name string) (has, known bool) {
	switch s := from.(type) {
	case *bind.Base:
		return defHas(s.Table.Def, name), true
	case *bind.Join:
		l, known1 := hasColumn(s.L, name)
		r, known2 := hasColumn(s.R, name)
		return l || r, known1 && known2
	}
	return false, false
}

func defHas(def *catalog.Table, name string) bool {
	return slices.ContainsFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) })
}

// row stores the i-th row of a batch.
func (r *rowInsert) row(b *types.Batch, i int) error {
	r.inserter.Row()
	r.buf = r.buf[:0]
	for at := range r.given {
		col, to := r.inserter.Place(at)
		d := r.given[at]
		v, buf, err := storedAs(to, &r.types[col], &d, b.Cols[at], i, r.buf, func(v any) (row.Value, bool) { return r.inserter.Stored(at, v) })
		if r.buf = buf; err == nil && !r.inserter.Set(at, v) {
			err = fn.Refuse(fn.ByRow, "NULL in a column that has none")
		}
		if err != nil {
			return err
		}
	}
	return r.inserter.Insert()
}
