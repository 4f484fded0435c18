package sqllayer

// The rights that statements about definitions need: CREATE, ALTER, DROP and RENAME of everything
// but accounts, and SHOW of definitions.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
)

// inNewView asks for some right on the rows of a table that a view is made of; which columns it
// reads the plan tells.
func (d *demand) inNewView() error {
	if _, made := d.auth.Extra.(viewed); !made || len(d.s.views) > 0 || d.auth.AuthType == ast.AuthType_IGNORE {
		return nil
	}
	return d.tables(func(db, table string) error {
		if _, own := d.s.temps.lookup(db, table); own || isInformationSchema(db) {
			return nil
		}
		kinds := []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert, sql.PrivilegeType_Update, sql.PrivilegeType_Delete}
		if slices.ContainsFunc(kinds, func(k sql.PrivilegeType) bool { return d.p.inTable(db, table, k) }) {
			return nil
		}
		return NewError(1142, "ANY command denied to user %s for table '%s'", d.s.account().quoted(), table)
	})
}

// definition asks for the rights of a statement that changes definitions.
func (d *demand) definition() error {
	switch n := d.auth.Extra.(type) {
	case *ast.DBDDL:
		return d.databaseDefinition(n)
	case *ast.AlterTable:
		return d.partitions(n)
	case *ast.DDL:
		switch d.auth.AuthType {
		case ast.AuthType_CREATE, ast.AuthType_CREATE_TEMP:
			return d.createTable(n)
		case ast.AuthType_CREATE_VIEW:
			return d.createView(n)
		case ast.AuthType_DROP:
			return d.drop(n)
		case ast.AuthType_RENAME:
			return d.rename()
		case ast.AuthType_TRIGGER:
			return d.trigger(n)
		case ast.AuthType_CREATE_ROUTINE, ast.AuthType_ALTER_ROUTINE:
			return d.routine(n)
		case ast.AuthType_EVENT:
			return d.event(n)
		}
		if err := d.tables(func(db, table string) error { return d.table(db, table, sql.PrivilegeType_Alter) }); err != nil {
			return err
		}
		return d.parents(n.TableSpec, d.database(n.Table.DbQualifier.String()))
	}
	if d.auth.AuthType == ast.AuthType_EVENT || d.auth.AuthType == ast.AuthType_CREATE_ROUTINE {
		return d.databases(needsOnDatabase[d.auth.AuthType])
	}
	kinds := needs[d.auth.AuthType]
	if len(kinds) == 0 || d.auth.TargetType == ast.AuthTargetType_Global || d.auth.TargetType == ast.AuthTargetType_Ignore {
		return operationDenied("SUPER") // nothing is known of its objects
	}
	return d.tables(func(db, table string) error { return d.table(db, table, kinds...) })
}

var needsOnDatabase = map[string]sql.PrivilegeType{ast.AuthType_EVENT: sql.PrivilegeType_Event, ast.AuthType_CREATE_ROUTINE: sql.PrivilegeType_CreateRoutine}

// databases asks for a right on each database that the grammar has noted.
func (d *demand) databases(kind sql.PrivilegeType) error {
	for _, db := range d.auth.TargetNames {
		if err := d.onDatabase(db, kind); err != nil {
			return err
		}
	}
	return nil
}

func (d *demand) onDatabase(db string, kind sql.PrivilegeType) error {
	if db = d.database(db); db == "" || d.p.on(db, kind) && !isInformationSchema(db) {
		return nil
	}
	return d.s.databaseDenied(db)
}

func (d *demand) databaseDefinition(n *ast.DBDDL) error {
	kind := map[string]sql.PrivilegeType{ast.CreateStr: sql.PrivilegeType_Create, ast.DropStr: sql.PrivilegeType_Drop}
	if k, ok := kind[n.Action]; ok {
		return d.onDatabase(n.DBName, k)
	}
	return d.onDatabase(n.DBName, sql.PrivilegeType_Alter)
}

// partitions asks for what ALTER TABLE with a command on partitions needs.
func (d *demand) partitions(n *ast.AlterTable) error {
	db, table := d.database(n.Table.DbQualifier.String()), n.Table.Name.String()
	for _, spec := range n.PartitionSpecs {
		kinds := []sql.PrivilegeType{sql.PrivilegeType_Alter}
		switch spec.Action {
		case ast.TruncateStr:
			kinds = []sql.PrivilegeType{sql.PrivilegeType_Drop}
		case ast.DropStr:
			kinds = append(kinds, sql.PrivilegeType_Drop)
		case ast.ExchangeStr:
			kinds = append(kinds, sql.PrivilegeType_Drop, sql.PrivilegeType_Create, sql.PrivilegeType_Insert)
			if err := d.table(db, table, kinds...); err != nil {
				return err
			}
			with := spec.TableName
			if err := d.table(d.database(with.DbQualifier.String()), with.Name.String(), kinds...); err != nil {
				return err
			}
		}
		if err := d.table(db, table, kinds...); err != nil {
			return err
		}
	}
	if len(n.PartitionSpecs) > 0 {
		return nil
	}
	return d.table(db, table, sql.PrivilegeType_Alter)
}

func (d *demand) createTable(n *ast.DDL) error {
	db, name := d.database(n.Table.DbQualifier.String()), n.Table.Name.String()
	var err error
	switch {
	case d.auth.AuthType == ast.AuthType_CREATE_TEMP:
		err = d.onDatabase(db, sql.PrivilegeType_CreateTempTable)
	case n.OptSelect != nil:
		err = d.table(db, name, sql.PrivilegeType_Create, sql.PrivilegeType_Insert)
	default:
		err = d.table(db, name, sql.PrivilegeType_Create)
	}
	if err != nil {
		return err
	}
	if n.OptLike != nil {
		for _, t := range n.OptLike.LikeTables {
			if err := d.table(d.database(t.DbQualifier.String()), t.Name.String(), sql.PrivilegeType_Select); err != nil {
				return err
			}
		}
	}
	return d.parents(n.TableSpec, db)
}

// parents asks for REFERENCES on the tables that foreign keys lead to.
func (d *demand) parents(spec *ast.TableSpec, db string) error {
	if spec == nil {
		return nil
	}
	var keys []*ast.ForeignKeyDefinition
	for _, c := range spec.Columns {
		if c.Type.ForeignKeyDef != nil {
			keys = append(keys, c.Type.ForeignKeyDef)
		}
	}
	for _, c := range spec.Constraints {
		if fk, ok := c.Details.(*ast.ForeignKeyDefinition); ok {
			keys = append(keys, fk)
		}
	}
	for _, fk := range keys {
		parent, table := db, fk.ReferencedTable.Name.String()
		if q := fk.ReferencedTable.DbQualifier.String(); q != "" {
			parent = q
		}
		if !d.p.onTable(parent, table, sql.PrivilegeType_References) {
			return d.s.commandDenied("REFERENCES", parent+"."+table)
		}
	}
	return nil
}

func (d *demand) createView(n *ast.DDL) error {
	if len(d.s.views) > 0 {
		return nil // a view that is planned is a CREATE VIEW to GMS
	}
	db, name := d.database(n.ViewSpec.ViewName.DbQualifier.String()), n.ViewSpec.ViewName.Name.String()
	if isInformationSchema(db) {
		return d.s.databaseDenied(db)
	}
	kinds := []sql.PrivilegeType{sql.PrivilegeType_CreateView, sql.PrivilegeType_Drop}
	if !n.OrReplace {
		kinds = kinds[:1]
	}
	for _, k := range kinds {
		if db != "" && !d.p.onTable(db, name, k) {
			return d.s.tableDenied(name, k)
		}
	}
	return nil
}

// drop asks for DROP on tables and views; a view of a definer who administers the server is dropped
// by those who do, too.
func (d *demand) drop(n *ast.DDL) error {
	if len(n.FromViews) == 0 {
		return d.tables(func(db, table string) error { return d.table(db, table, sql.PrivilegeType_Drop) })
	}
	for _, v := range n.FromViews {
		db, name := d.database(v.DbQualifier.String()), v.Name.String()
		if err := d.table(db, name, sql.PrivilegeType_Drop); err != nil {
			return err
		}
		found, err := d.s.layer.Provider.Database(d.ctx, db)
		own, ok := ownDatabase(found)
		if err != nil || !ok {
			continue // told later
		}
		stored, ok, err := find[storedView](d.ctx, own, catalog.KindView, name)
		if err != nil || !ok {
			continue
		}
		text, _ := parseView(stored.CreateViewStatement)
		if err := d.s.mayTouch(d.ctx, stored.completed(own, text.definer).Definer); err != nil {
			return err
		}
	}
	return nil
}

// rename asks for what RENAME and ALTER TABLE ... RENAME need. The grammar notes groups of four
// names.
func (d *demand) rename() error {
	names := d.auth.TargetNames
	for i := 0; i+3 < len(names); i += 4 {
		from := d.database(names[i])
		if err := d.table(from, names[i+1], sql.PrivilegeType_Alter, sql.PrivilegeType_Drop); err != nil {
			return err
		}
		if err := d.table(d.database(names[i+2]), names[i+3], sql.PrivilegeType_Create, sql.PrivilegeType_Insert); err != nil {
			return err
		}
	}
	return nil
}

func (d *demand) trigger(n *ast.DDL) error {
	name := n.TriggerSpec.TrigName
	if n.Action == ast.DropStr {
		db := d.database(name.Qualifier.String())
		table, _, err := d.s.tableOfTrigger(d.ctx, db, name.Name.String())
		if err != nil || table == "" {
			return err // that there is none is told later
		}
		return d.table(db, table, sql.PrivilegeType_Trigger)
	}
	if d.s.describes {
		return nil // SHOW TRIGGERS reads the text
	}
	if err := d.s.mayCreateLogged(d.ctx); err != nil {
		return err
	}
	db := d.database(n.Table.DbQualifier.String())
	return d.table(db, n.Table.Name.String(), sql.PrivilegeType_Trigger)
}

func (d *demand) routine(n *ast.DDL) error {
	if n.ProcedureSpec == nil {
		return d.databases(sql.PrivilegeType_CreateRoutine)
	}
	db, name := d.database(n.ProcedureSpec.ProcName.Qualifier.String()), n.ProcedureSpec.ProcName.Name.String()
	if d.auth.AuthType == ast.AuthType_CREATE_ROUTINE {
		return d.onDatabase(db, sql.PrivilegeType_CreateRoutine)
	}
	function, _, isFunction := functionOf(name)
	if isFunction {
		name = function
	}
	if err := d.s.mayRoutine(d.ctx, "alter routine", sql.PrivilegeType_AlterRoutine, db, name, !isFunction); err != nil {
		return err
	}
	return d.s.mayTouchRoutine(d.ctx, db, name, !isFunction)
}

// mayTouchRoutine is mayTouch of a routine's definer; a routine that is not there is told of later.
func (s *Session) mayTouchRoutine(ctx *sql.Context, db, name string, procedure bool) error {
	found, err := s.layer.Provider.Database(ctx, db)
	own, ok := ownDatabase(found)
	if err != nil || !ok {
		return nil
	}
	if procedure {
		stored, ok, err := find[storedProcedure](ctx, own, catalog.KindProcedure, name)
		r := parseRoutine(stored.CreateStatement)
		if err != nil || !ok || r == nil {
			return err
		}
		return s.mayTouch(ctx, stored.completed(own, r.definer).Definer)
	}
	stored, ok, err := find[storedFunction](ctx, own, catalog.KindFunction, name)
	if err != nil || !ok {
		return err
	}
	return s.mayTouch(ctx, stored.Definer)
}

func (d *demand) event(n *ast.DDL) error {
	if n.EventSpec == nil {
		return d.databases(sql.PrivilegeType_Event)
	}
	if n.Action == ast.CreateStr {
		if err := d.s.mayName(d.ctx, definerOf(d.ctx, n.EventSpec.Definer)); err != nil {
			return err
		}
	}
	db := d.database(n.EventSpec.EventName.Qualifier.String())
	if err := d.onDatabase(db, sql.PrivilegeType_Event); err != nil {
		return err
	}
	if to := n.EventSpec.RenameName; !to.IsEmpty() && !to.Qualifier.IsEmpty() {
		if err := d.onDatabase(to.Qualifier.String(), sql.PrivilegeType_Event); err != nil {
			return err
		}
	}
	if n.Action == ast.CreateStr {
		return nil
	}
	found, err := d.s.layer.Provider.Database(d.ctx, db)
	own, ok := ownDatabase(found)
	if err != nil || !ok {
		return nil
	}
	stored, ok, err := find[storedEvent](d.ctx, own, catalog.KindEvent, n.EventSpec.EventName.Name.String())
	if err != nil || !ok {
		return err
	}
	return d.s.mayTouch(d.ctx, stored.Origin.Definer)
}

// mayTouch refuses to change an object whose definer has SYSTEM_USER to those who have not.
func (s *Session) mayTouch(ctx *sql.Context, definer string) error {
	if privilegesOf(ctx).systemUser() || !s.layer.isSystemUser(roleOf(definer)) {
		return nil
	}
	return operationDenied("SYSTEM_USER")
}

// show asks for what SHOW needs beyond what it lists.
func (d *demand) show(n *ast.Show) error {
	db := n.Database
	if db == "" {
		db = n.Table.DbQualifier.String()
	}
	if o := n.ShowTablesOpt; db == "" && o != nil {
		db = o.DbName
	}
	db = d.database(db)
	table := n.Table.Name.String()
	if db == "" {
		return nil // that none is selected is told later
	}
	switch kind := strings.ToLower(n.Type); kind {
	case "create database", "create schema":
		if !d.p.seesDatabase(n.Database) {
			return NewError(1044, "Access denied for user %s to database '%s'", d.s.accessing().quoted(), n.Database)
		}
	case "triggers":
		d.s.describes = true
		fallthrough
	case "tables", "table status":
		if !d.p.seesDatabase(db) {
			return d.s.databaseDenied(db)
		}
	case "columns", "fields", "index", "indexes", "keys":
		if d.p.in(db).Table(table).HasPrivileges() {
			return nil
		}
		return d.table(db, table, sql.PrivilegeType_Select)
	case ast.CreateTableStr:
		if !d.p.definesTable(db, table) {
			return d.s.commandDenied("SHOW", table)
		}
		if view, err := d.isView(db, table); !view || err != nil {
			return err
		}
		return d.showView(db, table)
	case ast.CreateViewStr:
		return d.showView(db, table)
	case ast.CreateEventStr, "events":
		return d.onDatabase(db, sql.PrivilegeType_Event)
	case ast.CreateTriggerStr:
		on, _, err := d.s.tableOfTrigger(d.ctx, db, table)
		if err != nil || on == "" || d.p.onTable(db, on, sql.PrivilegeType_Trigger) {
			return err
		}
		return operationDenied("TRIGGER")
	case ast.CreateProcedureStr:
		return d.showProcedure(db, table)
	}
	return nil
}

// showView asks for SELECT and SHOW VIEW.
func (d *demand) showView(db, view string) error {
	for _, k := range []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_ShowView} {
		if !isInformationSchema(db) && !d.p.onTable(db, view, k) {
			return d.s.tableDenied(view, k)
		}
	}
	return nil
}

func (d *demand) isView(db, name string) (bool, error) {
	found, err := d.s.layer.Provider.Database(d.ctx, db)
	own, ok := ownDatabase(found)
	if err != nil || !ok {
		return false, nil // told later
	}
	_, ok, err = find[storedView](d.ctx, own, catalog.KindView, name)
	return ok, err
}

// showProcedure hides a procedure that the session must not know of.
func (d *demand) showProcedure(db, name string) error {
	found, err := d.s.layer.Provider.Database(d.ctx, db)
	own, ok := ownDatabase(found)
	if err != nil || !ok {
		return NewError(1305, "PROCEDURE %s does not exist", name)
	}
	stored, ok, err := find[storedProcedure](d.ctx, own, catalog.KindProcedure, name)
	if err != nil {
		return err
	}
	definer := ""
	if r := parseRoutine(stored.CreateStatement); ok && r != nil {
		definer = stored.completed(own, r.definer).Definer
	}
	if !ok || !d.s.seesRoutine(d.ctx, db, name, true, definer) {
		return NewError(1305, "PROCEDURE %s does not exist", name)
	}
	return nil
}
