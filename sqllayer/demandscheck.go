package sqllayer

// The second half of demands.go: what the walk has listed is asked for, on tables first, then on
// columns, then within views.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
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
		w.file(w.load, false, w.s.fileDenied())
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
		schema, name = u.through.schema, u.through.name
	}
	var kinds []sql.PrivilegeType
	switch u.role {
	case updating:
		kinds = append(kinds, sql.PrivilegeType_Update)
	case updatingSeveral:
		if !w.p.inTable(schema, name, sql.PrivilegeType_Update) {
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
	if !w.prepares && isInformationSchema(schema) && ofProcesses(name) && !w.p.global(sql.PrivilegeType_Process) {
		return operationDenied("PROCESS")
	}
	d := demand{ctx: w.ctx, s: w.s, p: w.p}
	if err := d.table(schema, name, kinds...); err != nil {
		return err
	}
	if strings.EqualFold(schema, "sys") {
		return w.sysView(schema, name)
	}
	locks := func(k sql.PrivilegeType) bool { return w.p.inTable(schema, name, k) }
	if u.locked && !slices.ContainsFunc([]sql.PrivilegeType{sql.PrivilegeType_Update, sql.PrivilegeType_Delete, sql.PrivilegeType_LockTables}, locks) {
		return w.s.commandDenied("SELECT with locking clause", name)
	}
	if u.locked && !w.prepares {
		return w.s.Layer().mayWrite(w.ctx)
	}
	return nil
}

// ofProcesses tells tables of information_schema that PROCESS opens: those of the engine, but its
// stop words.
func ofProcesses(table string) bool {
	table = strings.ToLower(table)
	return table == "files" || strings.HasPrefix(table, "innodb_") && table != "innodb_ft_default_stopword"
}

// columnRights asks for rights on single columns where the account has none on the table.
func (w *demands) columnRights(u *use) error {
	if isInformationSchema(u.schema) {
		return nil
	}
	if all := (whole{tableName{u.schema, u.name}, sql.PrivilegeType_Select}); u.view != nil && slices.Contains(w.s.wholes, all) {
		for _, c := range u.view.Schema(w.ctx) { // a star may stand for a view's columns without a field for each
			if !w.p.onColumn(u.schema, u.name, c.Name, all.kind) {
				return w.s.tableDenied(u.name, all.kind)
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
		if w.p.onColumn(u.schema, u.name, column, kind) {
			return nil
		}
		if slices.Contains(w.s.wholes, whole{tableName{u.schema, u.name}, kind}) {
			return w.s.tableDenied(u.name, kind)
		}
		return w.s.columnDenied(kind, column, u.name)
	}
	v := u.through
	if w.p.onTable(v.schema, v.name, kind) {
		return nil
	}
	for _, c := range v.columns { // others of the table are read for the view's condition
		if strings.EqualFold(c.base(), column) && !w.p.onColumn(v.schema, v.name, c.name, kind) {
			return w.s.columnDenied(kind, c.name, v.name)
		}
	}
	return nil
}

// levels asks that the definers of the views between may read the columns that a change through
// them reads.
func (w *demands) levels(u *use) error {
	rights := w.p
	for i := len(u.through.levels) - 1; i >= 0 && len(u.read) > 0; i-- {
		l := u.through.levels[i]
		if !l.invoker {
			rights = w.s.Layer().rightsOf(l.definer)
		}
		for _, c := range u.read {
			if i > 0 && !rights.inTable(l.on.schema, l.on.name, sql.PrivilegeType_Select) || i == 0 && !rights.onColumn(l.on.schema, l.on.name, c, sql.PrivilegeType_Select) {
				return invalidView(u.through.schema, u.through.name)
			}
		}
	}
	return nil
}
