package infoschema

// USER_PRIVILEGES and its kin of information_schema: what was granted to accounts and roles
// themselves. Who may not read the grant tables sees the own account's.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/sqllayer"
)

// eachAccount visits the accounts that the session sees in these tables, by name.
func eachAccount(ctx *sql.Context, visit func(grantee string, u *mysql_db.User)) {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return
	}
	all, own := sqllayer.PrivilegesOf(ctx).InTable("mysql", "user", sql.PrivilegeType_Select), s.EffectiveAccount()
	rd := s.Layer().Engine.Analyzer.Catalog.MySQLDb.Reader()
	defer rd.Close()
	var users []*mysql_db.User
	rd.VisitUsers(func(u *mysql_db.User) {
		if all || u.User == own.User && u.Host == own.Host {
			users = append(users, u)
		}
	})
	slices.SortFunc(users, func(a, b *mysql_db.User) int {
		return strings.Compare(a.User+"\x00"+a.Host, b.User+"\x00"+b.Host)
	})
	for _, u := range users {
		visit("'"+u.User+"'@'"+u.Host+"'", u)
	}
}

// addGrants adds a row for each privilege of a set; GRANT OPTION is told with the others.
func addGrants(kinds []sql.PrivilegeType, row func(kind, grantable string)) {
	grantable := map[bool]string{true: "YES", false: "NO"}[slices.Contains(kinds, sql.PrivilegeType_GrantOption)]
	names := make([]string, 0, len(kinds))
	for _, k := range kinds {
		if k != sql.PrivilegeType_GrantOption {
			names = append(names, k.String())
		}
	}
	if len(names) == 0 && len(kinds) > 0 {
		names = append(names, "USAGE")
	}
	for _, n := range names {
		row(n, grantable)
	}
}

func userPrivilegesRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	eachAccount(ctx, func(grantee string, u *mysql_db.User) {
		row := func(kind, grantable string) {
			add(map[string]any{"grantee": grantee, "table_catalog": "def", "privilege_type": kind, "is_grantable": grantable})
		}
		if u.PrivilegeSet.Count() == 0 {
			row("USAGE", "NO")
		}
		addGrants(u.PrivilegeSet.ToSlice(), row)
		for _, option := range []bool{false, true} {
			for _, d := range u.PrivilegeSet.ToSliceDynamic(option) {
				row(d, map[bool]string{true: "YES", false: "NO"}[option])
			}
		}
	})
	return nil
}

func schemaPrivilegesRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	eachAccount(ctx, func(grantee string, u *mysql_db.User) {
		for _, db := range u.PrivilegeSet.GetDatabases() {
			addGrants(db.ToSlice(), func(kind, grantable string) {
				add(map[string]any{"grantee": grantee, "table_catalog": "def", "table_schema": db.Name(), "privilege_type": kind, "is_grantable": grantable})
			})
		}
	})
	return nil
}

func tablePrivilegesRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	eachAccount(ctx, func(grantee string, u *mysql_db.User) {
		for _, db := range u.PrivilegeSet.GetDatabases() {
			for _, t := range db.GetTables() {
				addGrants(t.ToSlice(), func(kind, grantable string) {
					add(map[string]any{"grantee": grantee, "table_catalog": "def", "table_schema": db.Name(), "table_name": t.Name(), "privilege_type": kind, "is_grantable": grantable})
				})
			}
		}
	})
	return nil
}

func columnPrivilegesRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	eachAccount(ctx, func(grantee string, u *mysql_db.User) {
		for _, db := range u.PrivilegeSet.GetDatabases() {
			for _, t := range db.GetTables() {
				for _, c := range t.GetColumns() {
					addGrants(c.ToSlice(), func(kind, _ string) {
						grantable := map[bool]string{true: "YES", false: "NO"}[t.Has(sql.PrivilegeType_GrantOption)]
						add(map[string]any{"grantee": grantee, "table_catalog": "def", "table_schema": db.Name(), "table_name": t.Name(), "column_name": c.Name(),
							"privilege_type": kind, "is_grantable": grantable})
					})
				}
			}
		}
	})
	return nil
}
