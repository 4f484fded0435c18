package sqllayer

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// How MySQL would run a statement that alters a table, see tabledef.AlterWay. Most of it the
// statement's tree tells before any work begins. Columns that change their types are looked at when
// their new definition is known.

// altering is such a statement.
type altering struct {
	tabledef.AlterWay
	s         *Session
	at, after tabledef.TableName // the table before and after the statement
	def       *catalog.Table     // before; nil: there is no such table of the engine
	temporary bool
	changed   []string // columns that the statement defines anew
	primary   bool     // the statement makes a primary key
	rename    bool     // all the statement does is to rename the table
	rows      int      // of the new table that was filled
}

// alterWay looks at a statement that is about to be planned.
func (s *Session) alterWay(ctx *sql.Context, tree ast.Statement) error {
	switch tree.(type) {
	case *ast.AlterTable, *ast.CreateTable:
		if err := checkEngine(ctx, tree); err != nil {
			return err
		}
	}
	w := &altering{s: s}
	var name ast.TableName
	var actions []ast.AlterAction
	switch n := tree.(type) {
	case *ast.AlterTable:
		name, actions = n.Table, n.Actions
		if n.Tail != nil || n.Partition != nil || n.Remove {
			s.altering = nil
			return s.baseTable(ctx, s.qualified(ctx, name))
		}
	case *ast.CreateIndex:
		name = n.Table
		actions = append(howActions(n.How), &ast.AddKey{Element: n.Key})
	case *ast.DropIndex:
		name = n.Table
		actions = append(howActions(n.How), &ast.DropObject{Object: ast.ObjectKey, Name: n.Name})
	case *ast.CreateTable:
		s.altering = nil
		if n.Like == nil {
			return nil
		}
		if at := s.qualified(ctx, *n.Like); MayOn(ctx, at.Schema, at.Name, sql.PrivilegeType_Select) {
			return s.baseTable(ctx, at)
		}
		return nil
	case *ast.CreateTrigger:
		return s.triggerSchema(ctx, n)
	default:
		return nil
	}
	s.altering = w
	for _, a := range actions {
		if how, ok := a.(*ast.AlterHow); ok {
			if err := w.Asked(how.Lock, how.Word.Name); err != nil {
				return err
			}
		}
	}
	w.at = s.qualified(ctx, name)
	w.after, w.rename = w.at, plainRename(actions)
	for _, a := range actions {
		if to, ok := a.(*ast.RenameTo); ok {
			if w.after.Name = to.Table.Name.Name; to.Table.Schema.Given() {
				w.after.Schema = to.Table.Schema.Name
			}
		}
	}
	if t := s.tableAt(ctx, w.at); t != nil {
		w.def, w.temporary = t.Def.Def, t.Temporary
	} else if !w.rename {
		if err := s.baseTable(ctx, w.at); err != nil {
			return err
		}
	}
	if w.Algorithm == "INSTANT" || w.def != nil {
		if err := w.Agree(); err != nil {
			return err
		}
	}
	return w.look(actions)
}

// qualified is the full name of a table of the statement.
func (s *Session) qualified(ctx *sql.Context, name ast.TableName) tabledef.TableName {
	at := tabledef.TableName{Schema: name.Schema.Name, Name: name.Name.Name}
	if at.Schema == "" {
		at.Schema = ctx.GetCurrentDatabase()
	}
	return at
}

// triggerSchema refuses a trigger of a system table, of a view, and of another schema than its
// table's. A table without a schema is in that of the trigger.
func (s *Session) triggerSchema(ctx *sql.Context, n *ast.CreateTrigger) error {
	own := s.qualified(ctx, n.Name).Schema
	of := own
	if n.Table.Schema.Given() {
		of = n.Table.Schema.Name
	}
	db, err := s.layer.Provider.Database(ctx, of)
	if err != nil || !MayOn(ctx, of, n.Table.Name.Name, sql.PrivilegeType_Trigger) {
		return nil // told where the table is looked for
	}
	if strings.EqualFold(of, "mysql") {
		return errSystemTrigger
	}
	if err := s.baseTable(ctx, tabledef.TableName{Schema: of, Name: n.Table.Name.Name}); err != nil {
		return err
	}
	_, found, err := db.GetTableInsensitive(ctx, n.Table.Name.Name)
	switch {
	case err != nil:
		return err
	case !found:
		return sqlerr.NewError(1146, "Table '%s.%s' doesn't exist", of, n.Table.Name.Name)
	case !strings.EqualFold(of, own):
		return sqlerr.NewError(1435, "Trigger in wrong schema")
	}
	return nil
}

// baseTable refuses a view.
func (s *Session) baseTable(ctx *sql.Context, at tabledef.TableName) error {
	db, err := s.layer.Provider.Database(ctx, at.Schema)
	if err != nil {
		return nil // told where the table is looked for
	}
	own, ok := OwnDatabase(db)
	if !ok {
		return nil
	}
	if _, ok := s.temporary(own.name, at.Name); ok {
		return nil
	}
	if _, view, err := own.GetViewDefinition(ctx, at.Name); err != nil || !view {
		return err
	}
	return sqlerr.NewError(1347, "'%s.%s' is not BASE TABLE", own.name, at.Name)
}

func howActions(how []ast.AlterHow) (out []ast.AlterAction) {
	for i := range how {
		out = append(out, &how[i])
	}
	return out
}

// look refuses what the tree tells the statement's client does not accept.
func (w *altering) look(actions []ast.AlterAction) error {
	if w.def == nil || w.rename && !w.temporary && w.Algorithm != "COPY" {
		return nil
	}
	var goes tabledef.Departures
	for _, a := range actions {
		departs(&goes, a)
		if _, adds := a.(*ast.AddColumns); adds {
			goes.Adds = true
		}
	}
	if err := goes.Check(w.def); err != nil {
		return err
	}
	if err := w.knownKeys(actions); err != nil {
		return err
	}
	if w.temporary || w.s.flag("old_alter_table") && (w.Algorithm == "" || w.Algorithm == "DEFAULT") {
		if err := w.Outside(); err != nil {
			return err
		}
	}
	if w.losesPrimary(actions) {
		if err := w.Require(tabledef.Copy, tabledef.ReasonPrimary); err != nil {
			return err
		}
	}
	for _, a := range actions {
		if err := w.action(a); err != nil {
			return err
		}
	}
	return nil
}

// plainRename tells whether a statement only renames its table.
func plainRename(actions []ast.AlterAction) bool {
	renames := false
	for _, a := range actions {
		switch a.(type) {
		case *ast.RenameTo:
			renames = true
		case *ast.AlterHow:
		default:
			return false
		}
	}
	return renames
}

// action notes what an action needs, as far as its tree tells.
func (w *altering) action(a ast.AlterAction) error {
	switch a := a.(type) {
	case *ast.AddColumns:
		for _, e := range a.Elements {
			if err := w.element(e); err != nil {
				return err
			}
		}
	case *ast.AddKey:
		return w.element(a.Element)
	case *ast.ChangeColumn:
		if w.changed = append(w.changed, a.Def.Name.Name); a.Old.Given() {
			w.changed = append(w.changed, a.Old.Name)
		}
		w.Moves = w.Moves || a.Place != nil
		return w.checked(a.Def)
	case *ast.DropObject:
		if a.Object != ast.ObjectColumn && a.Object != ast.ObjectCheck && a.Object != ast.ObjectConstraint {
			return w.Require(tabledef.InPlace, "")
		}
	case *ast.RenameObject:
		if a.Object != ast.ObjectColumn {
			return w.Require(tabledef.InPlace, "")
		}
	case *ast.AlterChange:
		if a.Object == ast.ObjectKey {
			return w.Require(tabledef.InPlace, "")
		}
		i := slices.IndexFunc(w.def.Checks, func(c catalog.Check) bool { return strings.EqualFold(c.Name, a.Name.Name) })
		if a.Change == ast.SetEnforced && i >= 0 && !w.def.Checks[i].Enforced {
			return w.Outside()
		}
	case *ast.AlterOptions, *ast.AlterFlag, *ast.ConvertCharset:
		return w.Require(tabledef.InPlace, "")
	case *ast.OrderTable:
		return w.Outside()
	}
	return nil
}

// element notes what a new part of the table needs.
func (w *altering) element(e ast.TableElement) error {
	switch e := e.(type) {
	case *ast.ColumnDef:
		if err := w.checked(e); err != nil {
			return err
		}
		switch {
		case e.Generated != nil && e.Generated.Storage == ast.StoredStorage:
			return w.Require(tabledef.Copy, "")
		case hasAttribute(e, ast.AttrAutoIncrement):
			return w.Locks(tabledef.ReasonAutoInc)
		case hasAttribute(e, ast.AttrPrimaryKey) || hasAttribute(e, ast.AttrUnique):
			w.primary = w.primary || hasAttribute(e, ast.AttrPrimaryKey)
			return w.Require(tabledef.InPlace, "")
		}
	case *ast.Check:
		if e.Enforced != ast.NotEnforced {
			return w.Outside()
		}
	case *ast.ForeignKey:
		if w.s.flag("foreign_key_checks") {
			return w.Require(tabledef.Copy, tabledef.ReasonForeignKey)
		}
		return w.Require(tabledef.InPlace, "")
	case *ast.KeyDef:
		w.primary = w.primary || e.Kind == ast.PrimaryKey
		return w.Require(tabledef.InPlace, "")
	}
	return nil
}

// checked notes the checks that are written with a column.
func (w *altering) checked(c *ast.ColumnDef) error {
	for i := range c.Attributes {
		if k := c.Attributes[i].Check; k != nil && k.Enforced != ast.NotEnforced {
			return w.Outside()
		}
	}
	return nil
}

// losesPrimary tells whether the key goes by which MySQL keeps the rows, and no other takes its
// place.
func (w *altering) losesPrimary(actions []ast.AlterAction) bool {
	x := tabledef.EffectivePrimary(w.def)
	if x == nil {
		return false
	}
	loses := false
	for _, a := range actions {
		switch a := a.(type) {
		case *ast.DropObject:
			switch a.Object {
			case ast.ObjectPrimaryKey:
				loses = loses || x.Clustered
			case ast.ObjectKey:
				loses = loses || strings.EqualFold(a.Name.Name, x.Name)
			case ast.ObjectColumn:
				at := columnAt(w.def, a.Name.Name)
				loses = loses || len(x.Parts) == 1 && x.Parts[0].Column == at
			}
		case *ast.AddKey:
			if k, ok := a.Element.(*ast.KeyDef); ok && w.mayCluster(k) {
				return false
			}
		case *ast.AddColumns:
			for _, e := range a.Elements {
				if c, ok := e.(*ast.ColumnDef); ok && hasAttribute(c, ast.AttrPrimaryKey) {
					return false
				}
			}
		}
	}
	return loses
}

// mayCluster tells whether MySQL may keep the rows by a new key.
func (w *altering) mayCluster(k *ast.KeyDef) bool {
	if k.Kind == ast.PrimaryKey {
		return true
	}
	return k.Kind == ast.UniqueKey && !slices.ContainsFunc(k.Parts, func(p ast.KeyPart) bool {
		at := columnAt(w.def, p.Column.Name)
		return at < 0 || w.def.Columns[at].Nullable
	})
}

// changesColumns looks at the columns of a new definition; place tells where a column has gone, -1:
// nowhere. REQUIRES: s.mu.
func (s *Session) changesColumns(old, def *catalog.Table, place func(from int) int) error {
	w := s.altering
	if w == nil || w.def == nil || w.def.Schema != old.Schema || w.def.Name != old.Name {
		return nil
	}
	for i := range old.Columns {
		name := old.Columns[i].Name
		named := slices.ContainsFunc(w.changed, func(c string) bool { return strings.EqualFold(c, name) })
		if at := place(i); at >= 0 {
			if !tabledef.SameSRID(old.Columns[i].SRID, def.Columns[at].SRID) && hasSpatialKey(old, name) {
				return sqlerr.NewError(3644, "The SRID specification on the column '%s' cannot be changed because there is a spatial index on the column. "+
					"Please remove the spatial index before altering the SRID specification.", name)
			}
			if old.Columns[i].Virtual != def.Columns[at].Virtual {
				return sqlerr.NewError(3106, "'Changing the STORED status' is not supported for generated columns.")
			}
			if err := w.Column(old, def, i, at, named); err != nil {
				return err
			}
		}
	}
	return nil
}

// places tells where the columns of a definition stand in another; the one named from is named to
// there.
func places(old, def *catalog.Table, from, to string) func(int) int {
	return func(i int) int {
		name := old.Columns[i].Name
		if strings.EqualFold(name, from) {
			name = to
		}
		return columnAt(def, name)
	}
}

// copying tells whether MySQL would copy the table of the running statement. REQUIRES: s.mu.
func (s *Session) copying() bool { return s.altering != nil && s.altering.Copies }

// fills counts a row of a new table that takes the place of the statement's. REQUIRES: s.mu.
func (s *Session) fills(rows int) {
	if s.altering != nil { // a statement of several changes makes the table once in MySQL
		s.altering.rows = max(s.altering.rows, rows)
	}
}

// copiedRows is how many rows MySQL would have copied in the statement that has run. REQUIRES: s.mu.
func (s *Session) copiedRows(ctx *sql.Context) int {
	w := s.altering
	if w == nil || !w.Copies || w.def == nil {
		return 0
	}
	if w.rows > 0 {
		return w.rows
	}
	rows, err := s.countRows(ctx, w.after)
	if err != nil { // the change is committed: it is told without a count
		return 0
	}
	return rows
}

// countRows counts the rows of a table. REQUIRES: s.mu.
func (s *Session) countRows(ctx *sql.Context, at tabledef.TableName) (n int, err error) {
	eng, tx := s.layer.Eng, s.Trx
	if tx == nil {
		tx = eng.Begin(txn.ReadCommitted, true)
		s.adopt(tx)
		defer func() { _ = eng.Rollback(tx) }()
	}
	tx.StartStatement()
	if own, ok := s.Temps.Lookup(at.Schema, at.Name); ok {
		at = tabledef.TableName{Schema: own.Schema, Name: own.Name}
	}
	// The statement's own context has ended. One that is told to end now is done, and has no count.
	whole, err := ctx.ProcessList.BeginOperation(ctx.WithContext(context.WithoutCancel(ctx)))
	if err != nil {
		return 0, err
	}
	defer ctx.ProcessList.EndOperation(whole)
	h, err := eng.Table(s.Patient(whole), tx, at.Schema, at.Name)
	if err != nil {
		return 0, err
	}
	scan := h.NewScan(tx, table.ScanOptions{Columns: []int{}})
	defer scan.Close()
	for {
		if _, err := scan.Next(whole); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		n++
	}
}

func hasAttribute(c *ast.ColumnDef, kind ast.ColumnAttributeKind) bool {
	return slices.ContainsFunc(c.Attributes, func(a ast.ColumnAttribute) bool { return a.Kind == kind })
}
