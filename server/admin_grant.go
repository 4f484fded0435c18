package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
	tidb "github.com/pingcap/tidb/pkg/parser/mysql"

	"emberdb/sqllayer"
)

// GRANT and REVOKE of dynamic privileges, of which go-mysql-server knows two, and of rights on functions, of which it knows none. Statements without one are left to it,
// and so is the static part of a mixed one.

// dynamicPrivileges are MySQL's, as far as they mean something or are asked for by scripts.
var dynamicPrivileges = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`APPLICATION_PASSWORD_ADMIN AUDIT_ABORT_EXEMPT AUDIT_ADMIN AUTHENTICATION_POLICY_ADMIN BACKUP_ADMIN BINLOG_ADMIN
		BINLOG_ENCRYPTION_ADMIN CLONE_ADMIN CONNECTION_ADMIN ENCRYPTION_KEY_ADMIN FIREWALL_EXEMPT FLUSH_OPTIMIZER_COSTS FLUSH_PRIVILEGES FLUSH_STATUS FLUSH_TABLES
		FLUSH_USER_RESOURCES GROUP_REPLICATION_ADMIN GROUP_REPLICATION_STREAM INNODB_REDO_LOG_ARCHIVE INNODB_REDO_LOG_ENABLE OPTIMIZE_LOCAL_TABLE
		PASSWORDLESS_USER_ADMIN PERSIST_RO_VARIABLES_ADMIN REPLICATION_APPLIER REPLICATION_SLAVE_ADMIN RESOURCE_GROUP_ADMIN RESOURCE_GROUP_USER ROLE_ADMIN
		SENSITIVE_VARIABLES_OBSERVER SERVICE_CONNECTION_ADMIN SESSION_VARIABLES_ADMIN SET_ANY_DEFINER SET_USER_ID SHOW_ROUTINE SYSTEM_USER SYSTEM_VARIABLES_ADMIN
		TABLE_ENCRYPTION_ADMIN TELEMETRY_LOG_ADMIN TRANSACTION_GTID_TAG XA_RECOVER_ADMIN ALLOW_NONEXISTENT_DEFINER`) {
		m[n] = true
	}
	return m
}()

// grantStatement recognizes a GRANT or REVOKE that names a dynamic privilege.
func grantStatement(query string) adminFunc {
	words := leadingWords(query, 128)
	for i, w := range words {
		if w == "ON" && i+1 < len(words) && words[i+1] == "FUNCTION" {
			return (*execution).grantFunction
		}
		if w == "ON" || w == "TO" || w == "FROM" {
			return nil
		}
		if dynamicPrivileges[w] {
			return (*execution).grant
		}
	}
	return nil
}

// grant does the dynamic part itself and passes the rest on.
func (x *execution) grant(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil {
		return syntaxError(x.query, err)
	}
	var privs *[]*ast.PrivElem
	var level *ast.GrantLevel
	var users []*ast.UserSpec
	var change func(p mysql_db.PrivilegeSet, names []string)
	switch n := nodes[0].(type) {
	case *ast.GrantStmt:
		privs, level, users = &n.Privs, n.Level, n.Users
		change = func(p mysql_db.PrivilegeSet, names []string) { p.AddGlobalDynamic(n.WithGrant, names...) }
	case *ast.RevokeStmt:
		privs, level, users = &n.Privs, n.Level, n.Users
		change = func(p mysql_db.PrivilegeSet, names []string) { p.RemoveGlobalDynamic(names...) }
	default:
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, 0))
	}
	var static []*ast.PrivElem
	var dynamic []string
	for _, p := range *privs {
		if name := strings.ToUpper(p.Name); dynamicPrivileges[name] {
			dynamic = append(dynamic, strings.ToLower(name))
			continue
		}
		static = append(static, p)
	}
	if len(dynamic) > 0 && level.Level != ast.GrantLevelGlobal {
		return sqllayer.NewError(3619, "Illegal privilege level specified for %s", strings.ToUpper(dynamic[0]))
	}
	if err := x.need(ctx, "GRANT OPTION", sql.PrivilegeType_GrantOption); err != nil {
		return err
	}
	if len(static) > 0 {
		*privs = static
		if err := x.restored(ctx, nodes[0]); err != nil {
			return err
		}
	}
	return x.changePrivileges(ctx, users, func(p mysql_db.PrivilegeSet) { change(p, dynamic) })
}

// grantFunction changes rights on a function.
func (x *execution) grantFunction(ctx *sql.Context) error {
	nodes, err := parseFully(x.query)
	if err != nil {
		return syntaxError(x.query, err)
	}
	var privs []*ast.PrivElem
	var level *ast.GrantLevel
	var users []*ast.UserSpec
	change := mysql_db.PrivilegeSet.AddRoutine
	grantable := false
	switch n := nodes[0].(type) {
	case *ast.GrantStmt:
		privs, level, users, grantable = n.Privs, n.Level, n.Users, n.WithGrant
	case *ast.RevokeStmt:
		privs, level, users, change = n.Privs, n.Level, n.Users, mysql_db.PrivilegeSet.RemoveRoutine
	}
	if level == nil || level.TableName == "" {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, 0))
	}
	var rights []sql.PrivilegeType
	for _, p := range privs {
		switch p.Priv {
		case tidb.ExecutePriv:
			rights = append(rights, sql.PrivilegeType_Execute)
		case tidb.AlterRoutinePriv:
			rights = append(rights, sql.PrivilegeType_AlterRoutine)
		case tidb.GrantPriv:
			rights = append(rights, sql.PrivilegeType_GrantOption)
		case tidb.AllPriv:
			rights = append(rights, sql.PrivilegeType_Execute, sql.PrivilegeType_AlterRoutine)
		case tidb.UsagePriv:
		default:
			return sqllayer.NewError(1144, "Illegal GRANT/REVOKE command; please consult the manual to see which privileges can be used")
		}
	}
	if grantable {
		rights = append(rights, sql.PrivilegeType_GrantOption)
	}
	schema := level.DBName
	if schema == "" {
		if schema = ctx.GetCurrentDatabase(); schema == "" {
			return sqllayer.NewError(1046, "No database selected")
		}
	}
	if !sqllayer.MayGrantRoutine(ctx, schema, level.TableName) {
		return sqllayer.NewError(1370, "grant command denied to user '%s'@'%s' for routine '%s.%s'", x.w.account.user, x.w.account.host, schema, level.TableName)
	}
	known, err := sqllayer.HasFunction(ctx, schema, level.TableName)
	if err != nil || !known {
		if err == nil {
			err = sqllayer.NewError(1305, "FUNCTION %s does not exist", level.TableName)
		}
		return err
	}
	return x.changePrivileges(ctx, users, func(p mysql_db.PrivilegeSet) { change(p, schema, strings.ToLower(level.TableName), false, rights...) })
}

// restored runs a statement given by its tree.
func (x *execution) restored(ctx *sql.Context, n ast.StmtNode) error {
	var b strings.Builder
	if err := n.Restore(format.NewRestoreCtx(format.DefaultRestoreFlags, &b)); err != nil {
		return err
	}
	_, err := x.rowsOf(ctx, b.String())
	return err
}

// changePrivileges applies a change to accounts, all or none.
func (x *execution) changePrivileges(ctx *sql.Context, users []*ast.UserSpec, change func(mysql_db.PrivilegeSet)) error {
	db := x.h.s.accounts.db
	ed := db.Editor()
	defer ed.Close()
	var changed []*mysql_db.User
	for _, s := range users {
		key := userKey(s.User.Username, s.User.Hostname)
		if s.User.CurrentUser {
			key = userKey(x.w.account.user, x.w.account.host)
		}
		old, ok := ed.GetUser(key)
		if !ok {
			return sqllayer.NewError(1410, "You are not allowed to create a user with GRANT")
		}
		u := *old
		u.PrivilegeSet = old.PrivilegeSet.Copy()
		change(u.PrivilegeSet)
		changed = append(changed, &u)
	}
	replaceAccounts(ed, changed)
	return db.Persist(ctx, ed)
}
