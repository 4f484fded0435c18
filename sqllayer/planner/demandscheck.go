package planner

// The second half of demands.go: what the walk has listed is asked for, on tables first, then on
// columns, then within views.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// check asks for the rights.
func (w *demands) check() error {
	for _, f := range w.fields {
		if u := w.useOf(f); u != nil {
			u.read = append(u.read, f.Name())
		}
	}
	for _, f := range w.written {
		if u := w.useOf(f); u != nil {
			u.updated = append(u.updated, f.Name())
		}
	}
	for _, u := range w.uses {
		w.fail(w.tableRights(u))
	}
	for _, u := range w.uses {
		w.fail(w.columnRights(u))
	}
	for _, u := range w.uses {
		if u.through != nil && w.err == nil {
			w.fail(w.levels(u))
		}
		if u.view != nil && w.err == nil {
			w.fail(w.body(u))
		}
	}
	if w.load != nil && w.err == nil {
		w.file(w.load, false, w.s.FileDenied())
	}
	return w.err
}

// useOf finds whose column a field is; nil: that of no table. Fields of the row that INSERT would
// insert bear the numbers of the table's.
func (w *demands) useOf(f *expression.GetField) *use {
	for _, u := range w.uses {
		if u.columns.Contains(f.Id()) && (!u.updates || strings.EqualFold(f.Table(), u.called)) {
			return u
		}
	}
	return nil
}

// tableRights asks for rights that hold for the table or for some of its columns.
func (w *demands) tableRights(u *use) error {
	schema, name := u.schema, u.name
	if u.through != nil {
		schema, name = u.through.Schema, u.through.Name
	}
	var kinds []sql.PrivilegeType
	switch u.role {
	case updating:
		kinds = append(kinds, sql.PrivilegeType_Update)
	case updatingSeveral:
		if !w.p.InTable(schema, name, sql.PrivilegeType_Update) {
			kinds = append(kinds, sql.PrivilegeType_Select)
		}
	case deleting:
		kinds = append(kinds, sql.PrivilegeType_Delete)
	case reading:
		if !u.inserts {
			kinds = append(kinds, sql.PrivilegeType_Select)
		}
	}
	if u.inserts {
		kinds = append(kinds, sql.PrivilegeType_Insert)
	}
	if u.updates {
		kinds = append(kinds, sql.PrivilegeType_Update)
	}
	if u.deleted {
		kinds = append(kinds, sql.PrivilegeType_Delete)
	}
	if w.asksProcess(schema, name) && !w.p.Global(sql.PrivilegeType_Process) {
		return sqllayer.OperationDenied("PROCESS")
	}
	d := sqllayer.Demand{Ctx: w.ctx, S: w.s, P: w.p}
	if err := d.Table(schema, name, kinds...); err != nil {
		return err
	}
	if strings.EqualFold(schema, "sys") {
		return w.sysView(schema, name)
	}
	locks := func(k sql.PrivilegeType) bool { return w.p.InTable(schema, name, k) }
	if u.locked && !slices.ContainsFunc([]sql.PrivilegeType{sql.PrivilegeType_Update, sql.PrivilegeType_Delete, sql.PrivilegeType_LockTables}, locks) {
		return w.s.CommandDenied("SELECT with locking clause", name)
	}
	if u.locked && !w.prepares {
		return w.s.Layer().CheckWrite(w.ctx)
	}
	return nil
}

// asksProcess reports whether a table needs PROCESS. Only FILES needs it already when a statement is
// prepared.
func (w *demands) asksProcess(schema, name string) bool {
	if !sqllayer.IsInformationSchema(schema) || w.prepares && !strings.EqualFold(name, "files") {
		return false
	}
	return ofProcesses(name)
}

// ofProcesses tells tables of information_schema that PROCESS opens: those of the engine, but its
// stop words.
func ofProcesses(table string) bool {
	table = strings.ToLower(table)
	return table == "files" || strings.HasPrefix(table, "innodb_") && table != "innodb_ft_default_stopword"
}

// columnRights asks for rights on single columns where the account has none on the table.
func (w *demands) columnRights(u *use) error {
	if sqllayer.IsInformationSchema(u.schema) {
		return nil
	}
	if all := (sqllayer.Whole{Table: tabledef.TableName{Schema: u.schema, Name: u.name}, Kind: sql.PrivilegeType_Select}); u.view != nil && slices.Contains(w.s.Wholes, all) {
		for _, c := range u.view.Schema(w.ctx) { // a star may stand for a view's columns without a field for each
			if !w.p.OnColumn(u.schema, u.name, c.Name, all.Kind) {
				return w.s.TableDenied(u.name, all.Kind)
			}
		}
	}
	for _, of := range []struct {
		kind    sql.PrivilegeType
		columns []string
	}{{sql.PrivilegeType_Insert, u.inserted}, {sql.PrivilegeType_Update, u.updated}, {sql.PrivilegeType_Select, u.read}} {
		for _, c := range of.columns {
			if err := w.column(u, c, of.kind); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *demands) column(u *use, column string, kind sql.PrivilegeType) error {
	if u.through == nil {
		if w.p.OnColumn(u.schema, u.name, column, kind) {
			return nil
		}
		if slices.Contains(w.s.Wholes, sqllayer.Whole{Table: tabledef.TableName{Schema: u.schema, Name: u.name}, Kind: kind}) {
			return w.s.TableDenied(u.name, kind)
		}
		return w.s.ColumnDenied(kind, column, u.name)
	}
	v := u.through
	if w.p.OnTable(v.Schema, v.Name, kind) {
		return nil
	}
	for _, c := range v.Columns { // others of the table are read for the view's condition
		if strings.EqualFold(c.Base(), column) && !w.p.OnColumn(v.Schema, v.Name, c.Name, kind) {
			return w.s.ColumnDenied(kind, c.Name, v.Name)
		}
	}
	return nil
}

// levels asks that the definers of the views between may read the columns that a change through
// them reads.
func (w *demands) levels(u *use) error {
	rights := w.p
	for i := len(u.through.Levels) - 1; i >= 0 && len(u.read) > 0; i-- {
		l := u.through.Levels[i]
		if !l.Invoker {
			rights = w.s.Layer().RightsOf(l.Definer)
		}
		for _, c := range u.read {
			if i > 0 && !rights.InTable(l.On.Schema, l.On.Name, sql.PrivilegeType_Select) || i == 0 && !rights.OnColumn(l.On.Schema, l.On.Name, c, sql.PrivilegeType_Select) {
				return sqllayer.InvalidView(u.through.Schema, u.through.Name)
			}
		}
	}
	return nil
}
