package server

// CREATE, ALTER, DROP and RENAME USER; CREATE and DROP ROLE. Each changes all its accounts or none.

import (
	"slices"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/account"
	"emberdb/sqllayer/sqlerr"
)

// createUser is CREATE USER.
func (x *execution) createUser(ctx *sql.Context) error {
	s, err := parseAccount[*account.CreateUser](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	if err := me.may(account.Insert); err != nil {
		return err
	}
	if err := x.keepsDefiners(ctx, "CREATE USER", whosOf(me, s.Specs)...); err != nil {
		return err
	}
	me.roles = x.activeRoles()
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	if err := e.mayGrantRoles(me, s.Roles); err != nil {
		return err
	}
	var made []*accountRow
	var failed []string
	var random randomPasswords
	for i := range s.Specs {
		spec := &s.Specs[i]
		spec.Who = account.Who{Name: me.resolve(spec.Who)}
		switch {
		case spec.User == "" && spec.Auth != nil && spec.Auth.Kind == account.AuthRandom:
			failed = append(failed, "anonymous user")
		case e.row(spec.Name) == nil:
			r := newAccount(spec.Name)
			e.rows[spec.Name], made = r, append(made, r)
			s.Options.Apply(r.user, &r.policy)
			if err := x.setCredentials(r, spec.Auth, &random); err != nil {
				return err
			}
			if err := r.setAttributes(&s.Options); err != nil {
				return err
			}
		case s.IfNotExists:
			note(ctx, 3163, "Authorization ID %s already exists.", spec.Quoted())
		default:
			failed = append(failed, alreadyExists(spec.Name))
		}
	}
	if len(failed) > 0 {
		return failedFor("CREATE USER", failed)
	}
	for _, role := range s.Roles {
		if e.row(role) == nil {
			return sqlerr.NewError(3162, "Authorization ID %s does not exist.", role)
		}
	}
	for _, r := range made {
		r.policy.DefaultRoles = slices.Clone(s.Roles)
		for _, role := range s.Roles {
			e.grantRole(role, r.name(), false)
		}
	}
	hashed(s.Specs, made, true)
	if err := e.save(ctx, s.String()); err != nil {
		return err
	}
	return random.send(x, ctx)
}

// whosOf lists the accounts of a statement.
func whosOf(me caller, specs []account.Spec) (names []account.Name) {
	for _, s := range specs {
		names = append(names, me.resolve(s.Who))
	}
	return names
}

// hashed puts hashes in the place of passwords, for the binary log, and names the plugin of
// accounts that are made.
func hashed(specs []account.Spec, rows []*accountRow, made bool) {
	for i := range specs {
		spec := &specs[i]
		switch {
		case spec.Auth == nil && made:
			spec.Auth = &account.Auth{Kind: account.AuthPlugin, Plugin: pluginSha2}
		case spec.Auth == nil || spec.Auth.Kind == account.AuthDiscard || spec.Auth.Kind == account.AuthPlugin && made:
		default:
			retain := spec.Auth.Retain
			spec.Auth = &account.Auth{Kind: account.AuthPlugin, Plugin: pluginSha2} // of an account that stays as it was
			for _, r := range rows {
				if r.name() == spec.Name {
					spec.Auth = &account.Auth{Kind: account.AuthAs, Plugin: r.user.Plugin, Hash: r.user.AuthString, Retain: retain}
				}
			}
		}
	}
}

// setAttributes is COMMENT and ATTRIBUTE: given keys replace those before, null takes a key.
func (r *accountRow) setAttributes(o *account.Options) error {
	given := map[string]any{}
	switch {
	case o.Comment != nil:
		given["comment"] = *o.Comment
	case o.Attribute != nil:
		v, err := account.DecodeJSON(*o.Attribute)
		object, ok := v.(map[string]any)
		if err != nil || !ok {
			return sqlerr.NewError(3982, "The user attribute must be a valid JSON object")
		}
		given = object
	default:
		return nil
	}
	if r.attributes == nil {
		r.attributes = map[string]any{}
	}
	for k, v := range given {
		if r.attributes[k] = v; v == nil {
			delete(r.attributes, k)
		}
	}
	return nil
}

// alterUser is ALTER USER and SET PASSWORD.
func (x *execution) alterUser(ctx *sql.Context) error {
	s, err := parseAccount[*account.AlterUser](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	for i := range s.Specs {
		s.Specs[i].Who = account.Who{Name: me.resolve(s.Specs[i].Who)}
	}
	if x.w.sandbox && len(s.Specs) > 0 && (len(s.Specs) > 1 || s.Specs[0].Name != me.Name || s.Specs[0].Auth == nil) {
		if err := mayAlter(me, s); err != nil && x.stmt.Command != "set_password" {
			return err
		}
		return errExpired
	}
	if err := mayAlter(me, s); err != nil {
		return err
	}
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	for _, spec := range s.Specs {
		if err := me.mayTouch(e.row(spec.Name)); err != nil {
			return err
		}
	}
	if s.Roles != nil {
		return e.setDefaultRoles(ctx, s.String(), *s.Roles, whosOf(me, s.Specs))
	}
	var failed []string
	var changed []*accountRow
	var random randomPasswords
	for i := range s.Specs {
		r := e.row(s.Specs[i].Name)
		switch {
		case r == nil && s.IfExists:
			note(ctx, 3162, "Authorization ID %s does not exist.", s.Specs[i].Quoted())
			continue
		case r == nil:
			failed = append(failed, doesNotExist(s.Specs[i].Name))
			continue
		}
		if err := x.alterRow(me, r, s, s.Specs[i].Auth, &random); err != nil {
			return err
		}
		changed = append(changed, r)
	}
	if len(failed) > 0 && s.Set {
		return sqlerr.NewError(1133, "Can't find any matching row in the user table")
	} else if len(failed) > 0 {
		return failedFor("ALTER USER", failed)
	}
	hashed(s.Specs, changed, false)
	if err := e.save(ctx, s.String()); err != nil {
		return err
	}
	x.altered(me, s, changed)
	return random.send(x, ctx)
}

// mayAlter refuses who may not: everybody may give himself another password and other default
// roles.
func mayAlter(me caller, s *account.AlterUser) error {
	for _, spec := range s.Specs {
		own := spec.Name == me.Name
		a := spec.Auth
		switch {
		case s.Set && !own:
			if !me.onMySQL(account.Update) {
				return me.noDatabase("mysql")
			}
		case own && s.Roles != nil:
		case !own || a == nil || s.Options != (account.Options{}) || a.Kind == account.AuthPlugin || a.Kind == account.AuthAs || a.Plugin != "":
			if err := me.may(account.Update); err != nil {
				return err
			}
		case a.Retain || a.Kind == account.AuthDiscard:
			if me.may(account.Update) != nil && !me.Has(passwordAdmin) {
				return missing("CREATE USER or " + passwordAdmin)
			}
		}
	}
	return nil
}

// alterRow changes one account.
func (x *execution) alterRow(me caller, r *accountRow, s *account.AlterUser, a *account.Auth, random *randomPasswords) error {
	if a != nil && a.Kind != account.AuthDiscard {
		if err := x.checkCurrent(me, r, a); err != nil {
			return err
		}
	}
	if a != nil && a.Kind != account.AuthDiscard {
		r.policy.Expired = false // unless the statement says so
	}
	s.Options.Apply(r.user, &r.policy)
	if err := x.setCredentials(r, a, random); err != nil {
		return err
	}
	return r.setAttributes(&s.Options)
}

// altered tells the rest of the server of changed accounts.
func (x *execution) altered(me caller, s *account.AlterUser, changed []*accountRow) {
	o := &s.Options
	for _, spec := range s.Specs {
		if spec.Auth != nil && spec.Name == me.Name && (o.Expire == nil || !o.Expire.Now) {
			x.w.sandbox = false
		}
	}
	for _, r := range changed {
		if o.Lock != nil || o.FailedAttempts != nil || o.LockDays != nil {
			x.h.s.usage.forgive(r.name())
		}
		if o.MaxQueries != nil || o.MaxUpdates != nil || o.MaxConnections != nil || o.MaxUserConnections != nil {
			x.h.s.usage.of(r.name()).limit(r.policy.Limits)
		}
	}
}

// createRole is CREATE ROLE. A role is an account that nobody can log in to.
func (x *execution) createRole(ctx *sql.Context) error {
	s, err := parseAccount[*account.CreateRole](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	if me.Global&(account.CreateUserPrivilege|account.CreateRolePrivilege) == 0 {
		return missing("CREATE USER, CREATE ROLE")
	}
	if err := x.keepsDefiners(ctx, "CREATE ROLE", s.Roles...); err != nil {
		return err
	}
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	var failed []string
	for _, n := range s.Roles {
		switch {
		case n.User == "":
			failed = append(failed, "anonymous user")
		case e.row(n) == nil:
			r := newAccount(n)
			r.user.Locked, r.policy.Expired = true, true
			e.rows[n] = r
		case s.IfNotExists:
			note(ctx, 3163, "Authorization ID %s already exists.", n.Quoted())
		default:
			failed = append(failed, alreadyExists(n))
		}
	}
	if len(failed) > 0 {
		return failedFor("CREATE ROLE", failed)
	}
	return e.save(ctx, x.query)
}

// dropAccounts is DROP USER and DROP ROLE.
func (x *execution) dropAccounts(ctx *sql.Context) error {
	s, err := parseAccount[*account.DropAccounts](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	operation := "DROP USER"
	if s.Role {
		operation = "DROP ROLE"
		if me.Global&(account.CreateUserPrivilege|account.DropRolePrivilege) == 0 {
			return missing("CREATE USER, DROP ROLE")
		}
	} else if err := me.may(account.Delete); err != nil {
		return err
	}
	var names []account.Name
	for i := range s.Accounts {
		s.Accounts[i] = account.Who{Name: me.resolve(s.Accounts[i])}
		names = append(names, s.Accounts[i].Name)
	}
	if err := x.keepsDefiners(ctx, operation, names...); err != nil {
		return err
	}
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	var failed []string
	for _, n := range names {
		r := e.row(n)
		if err := me.mayTouch(r); err != nil {
			return err
		}
		if isMandatory(n) {
			return errMandatory(n)
		}
		switch {
		case r != nil:
			e.drop(n)
		case s.IfExists:
			note(ctx, 3162, "Authorization ID %s does not exist.", n.Quoted())
		default:
			failed = append(failed, doesNotExist(n))
		}
	}
	if len(failed) > 0 {
		return failedFor(operation, failed)
	}
	return e.save(ctx, x.query)
}

// renameUser is RENAME USER: one account after the other.
func (x *execution) renameUser(ctx *sql.Context) error {
	s, err := parseAccount[*account.RenameUser](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	if err := me.may(account.Update); err != nil {
		return err
	}
	var names []account.Name
	for i := range s.From {
		s.From[i], s.To[i] = account.Who{Name: me.resolve(s.From[i])}, account.Who{Name: me.resolve(s.To[i])}
		names = append(names, s.From[i].Name, s.To[i].Name)
	}
	if err := x.keepsDefiners(ctx, "RENAME USER", names...); err != nil {
		return err
	}
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	var failed []string
	for i := range s.From {
		if err := me.mayTouch(e.row(s.From[i].Name)); err != nil {
			return err
		}
		if isMandatory(s.From[i].Name) {
			return sqlerr.NewError(3521, "Renaming of a role identifier is forbidden")
		}
		if !e.rename(s.From[i].Name, s.To[i].Name) {
			failed = append(failed, s.From[i].Quoted())
		}
	}
	if len(failed) > 0 {
		return failedFor("RENAME USER", failed)
	}
	return e.save(ctx, x.query)
}

// rename gives an account, and what is granted to and by it as a role, another name.
func (e *accountEdit) rename(from, to account.Name) bool {
	r := e.row(from)
	if r == nil || e.row(to) != nil {
		return false
	}
	r.user.User, r.user.Host = to.User, to.Host
	e.rows[from], e.rows[to] = nil, r
	for i := range e.edges {
		edge := &e.edges[i]
		if fromOf(*edge) == from {
			edge.FromUser, edge.FromHost = to.User, to.Host
		}
		if toOf(*edge) == from {
			edge.ToUser, edge.ToHost = to.User, to.Host
		}
	}
	for _, other := range e.all() {
		for i, d := range other.policy.DefaultRoles {
			if d == from {
				other.policy.DefaultRoles[i] = to
			}
		}
	}
	return true
}

// passwordChanged notes when an account got the password that it has.
func (r *accountRow) passwordChanged() { r.user.PasswordLastChanged = time.Now().UTC() }
