package sqllayer

// The rights that statements about definitions need: CREATE, ALTER, DROP and RENAME of everything
// but accounts, and SHOW of definitions.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// inNewView asks for some right on the rows of a table that a view is made of; which columns it
// reads the plan tells.
func (d *Demand) inNewView() error {
	if _, made := d.auth.Extra.(trees.Viewed); !made || len(d.S.views) > 0 || d.auth.AuthType == ast.AuthType_IGNORE {
		return nil
	}
	return d.tables(func(db, table string) error {
		if _, own := d.S.Temps.Lookup(db, table); own || IsInformationSchema(db) {
			return nil
		}
		kinds := []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert, sql.PrivilegeType_Update, sql.PrivilegeType_Delete}
		if slices.ContainsFunc(kinds, func(k sql.PrivilegeType) bool { return d.P.InTable(db, table, k) }) {
			return nil
		}
		return sqlerr.NewError(1142, "ANY command denied to user %s for table '%s'", d.S.EffectiveAccount().Quoted(), table)
	})
}

// definition asks for the rights of a statement that changes definitions.
func (d *Demand) definition() error {
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
		if err := d.tables(func(db, table string) error { return d.Table(db, table, sql.PrivilegeType_Alter) }); err != nil {
			return err
		}
		return d.parents(n.TableSpec, d.Database(n.Table.DbQualifier.String()))
	}
	if d.auth.AuthType == ast.AuthType_EVENT || d.auth.AuthType == ast.AuthType_CREATE_ROUTINE {
		return d.databases(needsOnDatabase[d.auth.AuthType])
	}
	kinds := needs[d.auth.AuthType]
	if len(kinds) == 0 || d.auth.TargetType == ast.AuthTargetType_Global || d.auth.TargetType == ast.AuthTargetType_Ignore {
		return OperationDenied("SUPER") // nothing is known of its objects
	}
	return d.tables(func(db, table string) error { return d.Table(db, table, kinds...) })
}

var needsOnDatabase = map[string]sql.PrivilegeType{ast.AuthType_EVENT: sql.PrivilegeType_Event, ast.AuthType_CREATE_ROUTINE: sql.PrivilegeType_CreateRoutine}

// databases asks for a right on each database that the grammar has noted.
func (d *Demand) databases(kind sql.PrivilegeType) error {
	for _, db := range d.auth.TargetNames {
		if err := d.onDatabase(db, kind); err != nil {
			return err
		}
	}
	return nil
}

func (d *Demand) onDatabase(db string, kind sql.PrivilegeType) error {
	if db = d.Database(db); db == "" || d.P.on(db, kind) && !IsInformationSchema(db) {
		return nil
	}
	return d.S.databaseDenied(db)
}

func (d *Demand) databaseDefinition(n *ast.DBDDL) error {
	kind := map[string]sql.PrivilegeType{ast.CreateStr: sql.PrivilegeType_Create, ast.DropStr: sql.PrivilegeType_Drop}
	if k, ok := kind[n.Action]; ok {
		return d.onDatabase(n.DBName, k)
	}
	return d.onDatabase(n.DBName, sql.PrivilegeType_Alter)
}

// partitions asks for what ALTER TABLE with a command on partitions needs.
func (d *Demand) partitions(n *ast.AlterTable) error {
	db, table := d.Database(n.Table.DbQualifier.String()), n.Table.Name.String()
	for _, spec := range n.PartitionSpecs {
		kinds := []sql.PrivilegeType{sql.PrivilegeType_Alter}
		switch spec.Action {
		case ast.TruncateStr:
			kinds = []sql.PrivilegeType{sql.PrivilegeType_Drop}
		case ast.DropStr:
			kinds = append(kinds, sql.PrivilegeType_Drop)
		case ast.ExchangeStr:
			kinds = append(kinds, sql.PrivilegeType_Drop, sql.PrivilegeType_Create, sql.PrivilegeType_Insert)
			if err := d.Table(db, table, kinds...); err != nil {
				return err
			}
			with := spec.TableName
			if err := d.Table(d.Database(with.DbQualifier.String()), with.Name.String(), kinds...); err != nil {
				return err
			}
		}
		if err := d.Table(db, table, kinds...); err != nil {
			return err
		}
	}
	if len(n.PartitionSpecs) > 0 {
		return nil
	}
	return d.Table(db, table, sql.PrivilegeType_Alter)
}

func (d *Demand) createTable(n *ast.DDL) error {
	db, name := d.Database(n.Table.DbQualifier.String()), n.Table.Name.String()
	var err error
	switch {
	case d.auth.AuthType == ast.AuthType_CREATE_TEMP:
		err = d.onDatabase(db, sql.PrivilegeType_CreateTempTable)
	case n.OptSelect != nil:
		err = d.Table(db, name, sql.PrivilegeType_Create, sql.PrivilegeType_Insert)
	default:
		err = d.Table(db, name, sql.PrivilegeType_Create)
	}
	if err != nil {
		return err
	}
	if n.OptLike != nil {
		for _, t := range n.OptLike.LikeTables {
			if err := d.Table(d.Database(t.DbQualifier.String()), t.Name.String(), sql.PrivilegeType_Select); err != nil {
				return err
			}
		}
	}
	return d.parents(n.TableSpec, db)
}

// parents asks for REFERENCES on the tables that foreign keys lead to.
func (d *Demand) parents(spec *ast.TableSpec, db string) error {
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
		if !d.P.OnTable(parent, table, sql.PrivilegeType_References) {
			return d.S.CommandDenied("REFERENCES", parent+"."+table)
		}
	}
	return nil
}

func (d *Demand) createView(n *ast.DDL) error {
	if len(d.S.views) > 0 {
		return nil // a view that is planned is a CREATE VIEW to GMS
	}
	db, name := d.Database(n.ViewSpec.ViewName.DbQualifier.String()), n.ViewSpec.ViewName.Name.String()
	if IsInformationSchema(db) {
		return d.S.databaseDenied(db)
	}
	kinds := []sql.PrivilegeType{sql.PrivilegeType_CreateView, sql.PrivilegeType_Drop}
	if !n.OrReplace {
		kinds = kinds[:1]
	}
	for _, k := range kinds {
		if db != "" && !d.P.OnTable(db, name, k) {
			return d.S.TableDenied(name, k)
		}
	}
	return nil
}

// drop asks for DROP on tables and views; a view of a definer who administers the server is dropped
// by those who do, too.
func (d *Demand) drop(n *ast.DDL) error {
	if len(n.FromViews) == 0 {
		return d.tables(func(db, table string) error { return d.Table(db, table, sql.PrivilegeType_Drop) })
	}
	for _, v := range n.FromViews {
		db, name := d.Database(v.DbQualifier.String()), v.Name.String()
		if err := d.Table(db, name, sql.PrivilegeType_Drop); err != nil {
			return err
		}
		found, err := d.S.layer.Provider.Database(d.Ctx, db)
		own, ok := OwnDatabase(found)
		if err != nil || !ok {
			continue // told later
		}
		stored, ok, err := Find[StoredView](d.Ctx, own, catalog.KindView, name)
		if err != nil || !ok {
			continue
		}
		text, _ := ParseView(stored.CreateViewStatement)
		if err := d.S.mayTouch(d.Ctx, stored.Completed(own, text.Definer).Definer); err != nil {
			return err
		}
	}
	return nil
}

// rename asks for what RENAME and ALTER TABLE ... RENAME need. The grammar notes groups of four
// names.
func (d *Demand) rename() error {
	names := d.auth.TargetNames
	for i := 0; i+3 < len(names); i += 4 {
		from := d.Database(names[i])
		if err := d.Table(from, names[i+1], sql.PrivilegeType_Alter, sql.PrivilegeType_Drop); err != nil {
			return err
		}
		if err := d.Table(d.Database(names[i+2]), names[i+3], sql.PrivilegeType_Create, sql.PrivilegeType_Insert); err != nil {
			return err
		}
	}
	return nil
}

func (d *Demand) trigger(n *ast.DDL) error {
	name := n.TriggerSpec.TrigName
	if n.Action == ast.DropStr {
		db := d.Database(name.Qualifier.String())
		table, _, err := d.S.tableOfTrigger(d.Ctx, db, name.Name.String())
		if err != nil || table == "" {
			return err // that there is none is told later
		}
		return d.Table(db, table, sql.PrivilegeType_Trigger)
	}
	if d.S.describes {
		return nil // SHOW TRIGGERS reads the text
	}
	if err := d.S.mayCreateLogged(d.Ctx); err != nil {
		return err
	}
	db, table := d.Database(n.Table.DbQualifier.String()), n.Table.Name.String()
	if err := d.Table(db, table, sql.PrivilegeType_Trigger); err != nil {
		return err
	}
	if d.S.IsTemporary(db, table) {
		return sqlerr.NewError(1361, "Trigger's '%s' is view or temporary table", table)
	}
	return nil
}

func (d *Demand) routine(n *ast.DDL) error {
	if n.ProcedureSpec == nil {
		return d.databases(sql.PrivilegeType_CreateRoutine)
	}
	db, name := d.Database(n.ProcedureSpec.ProcName.Qualifier.String()), n.ProcedureSpec.ProcName.Name.String()
	if d.auth.AuthType == ast.AuthType_CREATE_ROUTINE {
		return d.onDatabase(db, sql.PrivilegeType_CreateRoutine)
	}
	function, _, isFunction := programs.FunctionOf(name)
	if isFunction {
		name = function
	}
	if err := d.S.mayRoutine(d.Ctx, "alter routine", sql.PrivilegeType_AlterRoutine, db, name, !isFunction); err != nil {
		return err
	}
	return d.S.mayTouchRoutine(d.Ctx, db, name, !isFunction)
}

// mayTouchRoutine is mayTouch of a routine's definer; a routine that is not there is told of later.
func (s *Session) mayTouchRoutine(ctx *sql.Context, db, name string, procedure bool) error {
	found, err := s.layer.Provider.Database(ctx, db)
	own, ok := OwnDatabase(found)
	if err != nil || !ok {
		return nil
	}
	if procedure {
		stored, ok, err := Find[StoredProcedure](ctx, own, catalog.KindProcedure, name)
		r := ParseRoutine(stored.CreateStatement)
		if err != nil || !ok || r == nil {
			return err
		}
		return s.mayTouch(ctx, stored.Completed(own, r.Definer).Definer)
	}
	stored, ok, err := Find[StoredFunction](ctx, own, catalog.KindFunction, name)
	if err != nil || !ok {
		return err
	}
	return s.mayTouch(ctx, stored.Definer)
}

func (d *Demand) event(n *ast.DDL) error {
	if n.EventSpec == nil {
		return d.databases(sql.PrivilegeType_Event)
	}
	if n.Action == ast.CreateStr {
		if err := d.S.mayName(d.Ctx, programs.DefinerOf(d.Ctx, n.EventSpec.Definer)); err != nil {
			return err
		}
	}
	db := d.Database(n.EventSpec.EventName.Qualifier.String())
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
	found, err := d.S.layer.Provider.Database(d.Ctx, db)
	own, ok := OwnDatabase(found)
	if err != nil || !ok {
		return nil
	}
	stored, ok, err := Find[StoredEvent](d.Ctx, own, catalog.KindEvent, n.EventSpec.EventName.Name.String())
	if err != nil || !ok {
		return err
	}
	return d.S.mayTouch(d.Ctx, stored.Origin.Definer)
}

// mayTouch refuses to change an object whose definer has SYSTEM_USER to those who have not.
func (s *Session) mayTouch(ctx *sql.Context, definer string) error {
	if PrivilegesOf(ctx).systemUser() || !s.layer.isSystemUser(RoleOf(definer)) {
		return nil
	}
	return OperationDenied("SYSTEM_USER")
}

// show asks for what SHOW needs beyond what it lists.
func (d *Demand) show(n *ast.Show) error {
	db := n.Database
	if db == "" {
		db = n.Table.DbQualifier.String()
	}
	if o := n.ShowTablesOpt; db == "" && o != nil {
		db = o.DbName
	}
	db = d.Database(db)
	table := n.Table.Name.String()
	if db == "" {
		return nil // that none is selected is told later
	}
	switch kind := strings.ToLower(n.Type); kind {
	case "create database", "create schema":
		if !d.P.seesDatabase(n.Database) {
			return sqlerr.NewError(1044, "Access denied for user %s to database '%s'", d.S.accessing().Quoted(), n.Database)
		}
	case "triggers":
		d.S.describes = true
		fallthrough
	case "tables", "table status":
		if !d.P.seesDatabase(db) {
			return d.S.databaseDenied(db)
		}
	case "columns", "fields", "index", "indexes", "keys":
		if d.P.in(db).Table(table).HasPrivileges() {
			return nil
		}
		return d.Table(db, table, sql.PrivilegeType_Select)
	case ast.CreateTableStr:
		if !d.P.definesTable(db, table) {
			return d.S.CommandDenied("SHOW", table)
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
		on, _, err := d.S.tableOfTrigger(d.Ctx, db, table)
		if err != nil || on == "" || d.P.OnTable(db, on, sql.PrivilegeType_Trigger) {
			return err
		}
		return OperationDenied("TRIGGER")
	case ast.CreateProcedureStr:
		return d.showProcedure(db, table)
	}
	return nil
}

// showView asks for SELECT and SHOW VIEW.
func (d *Demand) showView(db, view string) error {
	for _, k := range []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_ShowView} {
		if !IsInformationSchema(db) && !d.P.OnTable(db, view, k) {
			return d.S.TableDenied(view, k)
		}
	}
	return nil
}

func (d *Demand) isView(db, name string) (bool, error) {
	found, err := d.S.layer.Provider.Database(d.Ctx, db)
	own, ok := OwnDatabase(found)
	if err != nil || !ok {
		return false, nil // told later
	}
	_, ok, err = Find[StoredView](d.Ctx, own, catalog.KindView, name)
	return ok, err
}

// showProcedure hides a procedure that the session must not know of.
func (d *Demand) showProcedure(db, name string) error {
	found, err := d.S.layer.Provider.Database(d.Ctx, db)
	own, ok := OwnDatabase(found)
	if err != nil || !ok {
		return sqlerr.NewError(1305, "PROCEDURE %s does not exist", name)
	}
	stored, ok, err := Find[StoredProcedure](d.Ctx, own, catalog.KindProcedure, name)
	if err != nil {
		return err
	}
	definer := ""
	if r := ParseRoutine(stored.CreateStatement); ok && r != nil {
		definer = stored.Completed(own, r.Definer).Definer
	}
	if !ok || !d.S.SeesRoutine(d.Ctx, db, name, true, definer) {
		return sqlerr.NewError(1305, "PROCEDURE %s does not exist", name)
	}
	return nil
}
