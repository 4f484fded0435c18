package server

// GRANT and REVOKE of privileges, and of PROXY.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/account"
	"emberdb/server/grants"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// grant is GRANT and REVOKE in all their forms.
func (x *execution) grant(ctx *sql.Context) error {
	s, err := parseAccount[account.Statement](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	switch s := s.(type) {
	case *account.Grant:
		if s.Revoke && s.All && s.On.Level == account.OnGlobal {
			return x.revokeAll(ctx, me, &account.RevokeAll{IfExists: s.IfExists, IgnoreUnknown: s.IgnoreUnknown, From: s.To})
		}
		return x.grantPrivileges(ctx, me, s)
	case *account.GrantRoles:
		return x.grantRoles(ctx, me, s)
	case *account.GrantProxy:
		return x.grantProxy(ctx, me, s)
	case *account.RevokeAll:
		return x.revokeAll(ctx, me, s)
	}
	return x.unsupported()
}

// grantPrivileges is GRANT and REVOKE of privileges on something.
func (x *execution) grantPrivileges(ctx *sql.Context, me grants.Caller, s *account.Grant) error {
	grants.ResolveAll(me, s.To)
	if s.On.Database == "" && s.On.Level != account.OnGlobal {
		if s.On.Database = ctx.GetCurrentDatabase(); s.On.Database == "" {
			return sqlerr.NewError(1046, "No database selected")
		}
	}
	if err := x.checkPrivileges(ctx, s); err != nil {
		return err
	}
	if err := me.MayGrant(s, s.On); err != nil {
		return err
	}
	if err := x.checkObject(ctx, s); err != nil {
		return err
	}
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	var missing error // the first of REVOKE, which tells it of every account
	for _, to := range s.To {
		switch r := e.row(to.Name); {
		case r == nil && s.IgnoreUnknown:
			grants.Warn(ctx, 3162, "Authorization ID %s does not exist.", to.User)
		case r == nil && !s.Revoke:
			return sqlerr.NewError(1410, "You are not allowed to create a user with GRANT")
		case r == nil:
			missing = cmp.Or(missing, e.lacks(ctx, s, to.Name))
		default:
			if err := me.MayTouch(r); err != nil {
				return err
			}
			if s.Revoke && !e.granted(r, s) {
				missing = cmp.Or(missing, e.lacks(ctx, s, to.Name))
			}
			if err := e.change(r, s); err != nil {
				return err
			}
		}
	}
	if missing != nil {
		return missing
	}
	return e.save(ctx, s.String())
}

// lacks tells that REVOKE is of what an account was not granted: a warning with IF EXISTS, but for
// an account that does not exist.
func (e *accountEdit) lacks(ctx *sql.Context, s *account.Grant, n account.Name) error {
	err := e.noGrant(s, n)
	if s.IfExists && e.row(n) != nil {
		grants.WarnOf(ctx, err)
		return nil
	}
	ctx.Session.Warn(&sql.Warning{Level: "Error", Code: err.Num, Message: err.Message})
	return err
}

// checkPrivileges refuses privileges that do not exist, or cannot be granted at the level.
func (x *execution) checkPrivileges(ctx *sql.Context, s *account.Grant) error {
	known := s.Privileges[:0]
	for _, p := range s.Privileges {
		switch {
		case p.Dynamic == "" || account.IsDynamic(p.Dynamic):
			known = append(known, p)
		case s.Revoke:
			grants.Warn(ctx, 3929, "Dynamic privilege '%s' is not registered with the server.", strings.ToUpper(p.Dynamic))
		default:
			return sqlerr.NewError(1149, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use")
		}
	}
	s.Privileges = known
	for _, p := range s.Privileges {
		if p.Dynamic != "" && s.On.Level != account.OnGlobal {
			return sqlerr.NewError(3619, "Illegal privilege level specified for %s", strings.ToUpper(p.Dynamic))
		}
		if len(p.Columns) > 0 && s.On.Level != account.OnTable {
			return grants.ErrIllegalGrant
		}
		if p.Dynamic != "" || (grants.LevelOf(s.On) | account.GrantOption).Has(p.Static&(account.GlobalLevel|account.GrantOption)) {
			continue
		}
		if s.On.Level == account.OnDatabase {
			return sqlerr.NewError(1221, "Incorrect usage of DB GRANT and GLOBAL PRIVILEGES")
		}
		return grants.ErrIllegalGrant
	}
	return nil
}

// checkObject refuses grants on tables, columns and routines that do not exist. CREATE may be
// granted on a table to come.
func (x *execution) checkObject(ctx *sql.Context, s *account.Grant) error {
	if s.Revoke {
		return nil
	}
	switch s.On.Level {
	case account.OnTable:
		return x.checkGranted(ctx, s)
	case account.OnFunction, account.OnProcedure, account.OnLibrary:
		kind := grants.RoutineOf(s.On).Kind
		has := [...]func(*sql.Context, string, string) (bool, error){account.Function: sqllayer.HasFunction,
			account.Procedure: sqllayer.HasProcedure, account.Library: sqllayer.HasLibrary}[kind]
		known, err := has(ctx, s.On.Database, s.On.Name)
		if err == nil && !known {
			err = sqlerr.NewError(1305, "%s %s does not exist", kind, s.On.Name)
		}
		return err
	}
	return nil
}

func (x *execution) checkGranted(ctx *sql.Context, s *account.Grant) error {
	creates := s.All
	for _, p := range s.Privileges {
		creates = creates || p.Static.Has(account.Create)
	}
	var columns sql.Schema
	if db, err := x.h.e.Analyzer.Catalog.Database(ctx, s.On.Database); err == nil {
		t, ok, err := db.GetTableInsensitive(ctx, s.On.Name)
		if err != nil {
			return err
		}
		if ok {
			columns, creates = t.Schema(ctx), true
		} else if v, ok := db.(sql.ViewDatabase); ok && !creates {
			if _, creates, err = v.GetViewDefinition(ctx, s.On.Name); err != nil {
				return err
			}
		}
	}
	if !creates {
		return sqlerr.NewError(1146, "Table '%s.%s' doesn't exist", s.On.Database, s.On.Name)
	}
	for _, p := range s.Privileges {
		for _, c := range p.Columns {
			if columns != nil && columns.IndexOfColName(strings.ToLower(c)) < 0 {
				return sqlerr.NewError(1054, "Unknown column '%s' in '%s'", c, s.On.Name)
			}
		}
	}
	return nil
}

// change applies the statement to an account.
func (e *accountEdit) change(r *grants.AccountRow, s *account.Grant) error {
	for _, p := range s.Privileges {
		switch {
		case p.Dynamic == "":
			r.ChangeStatic(s, p)
			if p.Static.Has(account.GrantOption) && s.On.Level == account.OnGlobal && !s.Revoke {
				for d := range r.Grants.Dynamic { // what it has, it may pass on from now on
					r.Grants.Dynamic[d] = true
				}
			}
		case s.Revoke:
			delete(r.Grants.Dynamic, strings.ToUpper(p.Dynamic))
		default:
			name := strings.ToUpper(p.Dynamic)
			if name == grants.SystemUser && grants.IsMandatory(r.Name()) {
				return sqlerr.NewError(3897, "AuthId %s is set as mandatory_roles. Cannot grant the 'SYSTEM_USER' privilege.", r.Name())
			}
			r.Grants.Dynamic[name] = r.Grants.Dynamic[name] || s.WithGrant
		}
	}
	if s.All {
		r.ChangeStatic(s, account.Privilege{Static: grants.LevelOf(s.On)})
	}
	if s.All && s.On.Level == account.OnGlobal {
		r.ChangeDynamics(s)
	}
	if s.WithGrant && (s.All || slices.ContainsFunc(s.Privileges, func(p account.Privilege) bool { return p.Dynamic == "" })) {
		r.ChangeStatic(s, account.Privilege{Static: account.GrantOption})
	}
	return nil
}

// granted tells whether the account has on the object what REVOKE is to take.
func (e *accountEdit) granted(r *grants.AccountRow, s *account.Grant) bool {
	want := grants.Wanted(s)
	switch s.On.Level {
	case account.OnDatabase:
		has, ok := r.Grants.OnDatabase(s.On.Database)
		if grants.PartialRevokes() {
			has, ok = has|r.Grants.Global, ok || r.Grants.Global != 0
		}
		return has.Has(want) && (ok || !s.All)
	case account.OnTable:
		return r.GrantedOnTable(s, account.Table{Database: s.On.Database, Name: s.On.Name})
	case account.OnFunction, account.OnProcedure, account.OnLibrary:
		has, ok := r.Grants.OnRoutine(grants.RoutineOf(s.On))
		return ok && has.Has(want)
	}
	return true
}

// noGrant is the error of a REVOKE of what was not granted.
func (e *accountEdit) noGrant(s *account.Grant, n account.Name) *mysql.SQLError {
	switch s.On.Level {
	case account.OnTable:
		return sqlerr.NewError(1147, "There is no such grant defined for user '%s' on host '%s' on table '%s'", n.User, n.Host, s.On.Name)
	case account.OnFunction, account.OnProcedure, account.OnLibrary:
		return sqlerr.NewError(1403, "There is no such grant defined for user '%s' on host '%s' on routine '%s'", n.User, n.Host, s.On.Name)
	}
	return grants.ErrNoGrant(n)
}

// revokeAll is REVOKE ALL PRIVILEGES, GRANT OPTION.
func (x *execution) revokeAll(ctx *sql.Context, me grants.Caller, s *account.RevokeAll) error {
	grants.ResolveAll(me, s.From)
	if err := me.May(account.Update); err != nil {
		return err
	}
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	for _, from := range s.From {
		r := e.row(from.Name)
		switch {
		case r == nil && s.IgnoreUnknown:
			grants.Warn(ctx, 3162, "Authorization ID %s does not exist.", from.User)
			continue
		case r == nil:
			return sqlerr.NewError(1269, "Can't revoke all privileges for one or more of the requested users")
		}
		if err := me.MayTouch(r); err != nil {
			return err
		}
		r.Grants, r.Policy.Restrictions = account.NewGrants(), nil
	}
	return e.save(ctx, x.query)
}

// grantProxy is GRANT PROXY and REVOKE PROXY.
func (x *execution) grantProxy(ctx *sql.Context, me grants.Caller, s *account.GrantProxy) error {
	grants.ResolveAll(me, s.To)
	on := me.Resolve(s.On)
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	if !x.w.inside && on != me.Name && !e.mayProxy(me.Name, on) {
		return sqlerr.NewError(1698, "Access denied for user '%s'@'%s'", me.User, me.From)
	}
	for _, to := range s.To {
		r := e.row(to.Name)
		switch {
		case r == nil && s.IgnoreUnknown:
			grants.Warn(ctx, 3162, "Authorization ID %s does not exist.", to.User)
			continue
		case r == nil && s.Revoke:
			return grants.ErrNoGrant(to.Name)
		case r == nil:
			return sqlerr.NewError(1410, "You are not allowed to create a user with GRANT")
		}
		if err := me.MayTouch(r); err != nil {
			return err
		}
		at := slices.IndexFunc(r.Policy.Proxies, func(p account.Proxy) bool { return p.On == on })
		switch {
		case !s.Revoke && at < 0:
			r.Policy.Proxies = append(r.Policy.Proxies, account.Proxy{On: on, Grant: s.WithGrant, Grantor: me.User + "@" + me.Host, At: time.Now().UTC()})
		case !s.Revoke:
			r.Policy.Proxies[at].Grant = r.Policy.Proxies[at].Grant || s.WithGrant
		case at >= 0:
			r.Policy.Proxies = slices.Delete(r.Policy.Proxies, at, at+1)
		case s.IfExists:
			grants.WarnOf(ctx, grants.ErrNoGrant(to.Name))
		default:
			return grants.ErrNoGrant(to.Name)
		}
	}
	s.On = account.Who{Name: on}
	return e.save(ctx, s.String())
}

// mayProxy tells whether an account may let others act for another one.
func (e *accountEdit) mayProxy(me, on account.Name) bool {
	r := e.row(me)
	return r != nil && slices.ContainsFunc(r.Policy.Proxies, func(p account.Proxy) bool {
		return p.Grant && (p.On == on || p.On == account.Name{})
	})
}
