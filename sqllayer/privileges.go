package sqllayer

// What the session may do: every question about rights ends in one of these functions. A right
// holds where it was granted and on everything below: server, database, table or routine, column. A
// session of the server itself may do everything. A session of a client whose account is gone may
// do nothing.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/sqlerr"
)

// Privileges are the rights of an account with its active roles. The zero value holds none.
type Privileges struct {
	set   mysql_db.PrivilegeSet
	reach *reach // of patterns and partial revokes
	All   bool   // the server itself, or a layer without accounts
}

// PrivilegesOf gives the rights that count in the session now: those of a definer while its program
// runs or its view is planned.
func PrivilegesOf(ctx *sql.Context) Privileges {
	s := SessionOf(ctx)
	if s == nil || s.internal || !s.layer.checksRights() {
		return Privileges{All: true}
	}
	set := s.layer.Engine.Analyzer.Catalog.MySQLDb.UserActivePrivilegeSet(ctx)
	return Privileges{set: set, reach: s.reach}
}

// Kinds of privileges: those that make an object visible when they are held on it.
var (
	databaseKinds = []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert, sql.PrivilegeType_Update, sql.PrivilegeType_Delete, sql.PrivilegeType_Create,
		sql.PrivilegeType_Drop, sql.PrivilegeType_GrantOption, sql.PrivilegeType_References, sql.PrivilegeType_Index, sql.PrivilegeType_Alter, sql.PrivilegeType_CreateTempTable,
		sql.PrivilegeType_LockTables, sql.PrivilegeType_Execute, sql.PrivilegeType_CreateView, sql.PrivilegeType_ShowView, sql.PrivilegeType_CreateRoutine,
		sql.PrivilegeType_AlterRoutine, sql.PrivilegeType_Event, sql.PrivilegeType_Trigger}
	tableKinds = []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert, sql.PrivilegeType_Update, sql.PrivilegeType_Delete, sql.PrivilegeType_Create,
		sql.PrivilegeType_Drop, sql.PrivilegeType_GrantOption, sql.PrivilegeType_References, sql.PrivilegeType_Index, sql.PrivilegeType_Alter, sql.PrivilegeType_CreateView,
		sql.PrivilegeType_ShowView, sql.PrivilegeType_Trigger}
	columnKinds  = []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert, sql.PrivilegeType_Update, sql.PrivilegeType_References}
	routineKinds = []sql.PrivilegeType{sql.PrivilegeType_Execute, sql.PrivilegeType_CreateRoutine, sql.PrivilegeType_AlterRoutine}
)

// Global tells a right on the whole server.
func (p Privileges) Global(kind sql.PrivilegeType) bool { return p.All || p.set.Has(kind) }

// admin tells SUPER or one of some dynamic privileges.
func (p Privileges) admin(dynamic ...string) bool {
	return p.Global(sql.PrivilegeType_Super) || slices.ContainsFunc(dynamic, func(d string) bool { return p.set.HasDynamic(d) })
}

// hasDynamic tells a dynamic privilege.
func (p Privileges) hasDynamic(name string) bool {
	return p.All || p.set.HasDynamic(strings.ToLower(name))
}

// systemUser tells an account that others protect themselves from without being one.
func (p Privileges) systemUser() bool { return p.hasDynamic("SYSTEM_USER") }

// in gives the rights on a database and what is in it.
func (p Privileges) in(db string) sql.PrivilegeSetDatabase {
	p.reach.know(p.set, db)
	return p.set.Database(db)
}

// on tells a right on a database.
func (p Privileges) on(db string, kind sql.PrivilegeType) bool {
	return p.Global(kind) || p.in(db).Has(kind)
}

// OnTable tells a right on a table or view as a whole.
func (p Privileges) OnTable(db, table string, kind sql.PrivilegeType) bool {
	return p.on(db, kind) || p.in(db).Table(table).Has(kind)
}

// OnColumn tells a right on a column.
func (p Privileges) OnColumn(db, table, column string, kind sql.PrivilegeType) bool {
	return p.OnTable(db, table, kind) || p.in(db).Table(table).Column(column).Has(kind)
}

// InTable tells a right on a table or on one of its columns at least.
func (p Privileges) InTable(db, table string, kind sql.PrivilegeType) bool {
	if p.OnTable(db, table, kind) {
		return true
	}
	return slices.ContainsFunc(p.in(db).Table(table).GetColumns(), func(c sql.PrivilegeSetColumn) bool { return c.Has(kind) })
}

// OnRoutine tells a right on a procedure or function.
func (p Privileges) OnRoutine(db, name string, procedure bool, kind sql.PrivilegeType) bool {
	return p.on(db, kind) || p.in(db).Routine(strings.ToLower(name), procedure).Has(kind)
}

// lacking lists what is missing of rights on a table, in MySQL's order.
func (p Privileges) lacking(db, table string, kinds ...sql.PrivilegeType) (missing []sql.PrivilegeType) {
	for _, k := range kinds {
		if !p.InTable(db, table, k) {
			missing = append(missing, k)
		}
	}
	slices.Sort(missing)
	return missing
}

func IsInformationSchema(db string) bool {
	return strings.EqualFold(db, sql.InformationSchemaDatabaseName)
}

// seesDatabase tells whether a database may be used and looked into.
func (p Privileges) seesDatabase(db string) bool {
	if p.All || IsInformationSchema(db) {
		return true
	}
	return slices.ContainsFunc(databaseKinds, p.Global) || p.in(db).HasPrivileges()
}

// ListsDatabase tells whether a database is listed.
func (p Privileges) ListsDatabase(db string) bool {
	return p.Global(sql.PrivilegeType_ShowDB) || p.seesDatabase(db)
}

// ListsDatabase tells whether the session sees a database in lists of them.
func ListsDatabase(ctx *sql.Context, db string) bool { return PrivilegesOf(ctx).ListsDatabase(db) }

// SeesDatabase tells whether the session may use a database.
func SeesDatabase(ctx *sql.Context, db string) bool { return PrivilegesOf(ctx).seesDatabase(db) }

// SeesTable tells whether the session's account has any right that was granted on the very table.
func SeesTable(ctx *sql.Context, db, table string) bool {
	return PrivilegesOf(ctx).in(db).Table(table).HasPrivileges()
}

// MayOnTable refuses who lacks rights on a table, or on all of its columns.
func MayOnTable(ctx *sql.Context, db, table string, kinds ...sql.PrivilegeType) error {
	s := SessionOf(ctx)
	if s == nil {
		return nil
	}
	d := Demand{Ctx: ctx, S: s, P: PrivilegesOf(ctx)}
	return d.Table(db, table, kinds...)
}

// MayOnDatabase refuses who lacks a right on a database.
func MayOnDatabase(ctx *sql.Context, db string, kind sql.PrivilegeType) error {
	s := SessionOf(ctx)
	if s == nil || PrivilegesOf(ctx).on(db, kind) {
		return nil
	}
	return s.databaseDenied(db)
}

// MayRun tells whether the session has rights on tables as a whole.
func MayRun(ctx *sql.Context, needed []sql.PrivilegedOperation) bool {
	p := PrivilegesOf(ctx)
	for i := range needed {
		for _, k := range needed[i].StaticPrivileges {
			if !p.OnTable(needed[i].Database, needed[i].Table, k) {
				return false
			}
		}
	}
	return true
}

// SeesTable tells whether a table or view is listed.
func (p Privileges) SeesTable(db, table string) bool {
	if p.All || IsInformationSchema(db) {
		return true
	}
	return slices.ContainsFunc(tableKinds, func(k sql.PrivilegeType) bool { return p.InTable(db, table, k) })
}

// definesTable tells whether the whole definition of a table is shown.
func (p Privileges) definesTable(db, table string) bool {
	if IsInformationSchema(db) {
		return true
	}
	return slices.ContainsFunc(tableKinds, func(k sql.PrivilegeType) bool { return p.OnTable(db, table, k) })
}

// SeesColumn tells whether a column is listed.
func (p Privileges) SeesColumn(db, table, column string) bool {
	if IsInformationSchema(db) {
		return true
	}
	return slices.ContainsFunc(columnKinds, func(k sql.PrivilegeType) bool { return p.OnColumn(db, table, column, k) })
}

// readsRoutines tells whether the text of every routine is shown.
func (p Privileges) readsRoutines() bool {
	return p.Global(sql.PrivilegeType_Select) || p.hasDynamic("SHOW_ROUTINE")
}

// seesRoutine tells whether a routine is listed.
func (p Privileges) seesRoutine(db, name string, procedure bool) bool {
	return p.readsRoutines() || slices.ContainsFunc(routineKinds, func(k sql.PrivilegeType) bool { return p.OnRoutine(db, name, procedure, k) })
}

const PerformanceSchema = "performance_schema"

// openTables are the tables of performance_schema that every account may read.
var openTables = []string{"global_status", "global_variable_attributes", "global_variables", "persisted_variables", "processlist", "session_account_connect_attrs", "session_status",
	"session_variables", "variables_info", "variables_metadata"}

// usage is held by every account. GMS opens databases to those who hold something on the server;
// what they see of them is decided here.
const usage = sql.PrivilegeType(1 << 20)

// openToAll adds what every account may do.
func openToAll(set mysql_db.PrivilegeSet) {
	set.AddGlobalStatic(usage)
	for _, t := range openTables {
		set.AddTable(PerformanceSchema, t, sql.PrivilegeType_Select)
	}
}

// TableDenied is the error of rights on a table that are missing.
func (s *Session) TableDenied(table string, missing ...sql.PrivilegeType) *mysql.SQLError {
	names := make([]string, len(missing))
	for i, k := range missing {
		names[i] = k.String()
	}
	return s.CommandDenied(strings.Join(names, ", "), table)
}

func (s *Session) CommandDenied(command, table string) *mysql.SQLError {
	return sqlerr.NewError(1142, "%s command denied to user %s for table '%s'", command, s.accessing().Quoted(), table)
}

// ColumnDenied is the error of a right on a column that is missing.
func (s *Session) ColumnDenied(kind sql.PrivilegeType, column, table string) *mysql.SQLError {
	return sqlerr.NewError(1143, "%s command denied to user %s for column '%s' in table '%s'", kind, s.accessing().Quoted(), column, table)
}

// databaseDenied is the error of a right on a database that is missing.
func (s *Session) databaseDenied(db string) *mysql.SQLError {
	return sqlerr.NewError(1044, "Access denied for user %s to database '%s'", s.EffectiveAccount().Quoted(), db)
}

func init() {
	expr.MayReplicate = func(ctx *sql.Context) error {
		if PrivilegesOf(ctx).admin("replication_slave_admin") {
			return nil
		}
		return OperationDenied("SUPER or REPLICATION_SLAVE_ADMIN")
	}
}

// OperationDenied is the error of a right on the whole server that is missing.
func OperationDenied(needed string) *mysql.SQLError {
	return sqlerr.NewError(1227, "Access denied; you need (at least one of) the %s privilege(s) for this operation", needed)
}
