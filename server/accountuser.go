package server

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/account"
	"emberdb/server/grants"
	"emberdb/sqllayer/sqlerr"
)

// CREATE, ALTER, DROP and RENAME USER; CREATE and DROP ROLE. Each changes all its accounts or none.

// createUser is CREATE USER.
func (x *execution) createUser(ctx *sql.Context) error {
	s, err := parseAccount[*account.CreateUser](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	if err := me.May(account.Insert); err != nil {
		return err
	}
	if err := x.keepsDefiners(ctx, "CREATE USER", grants.WhosOf(me, s.Specs)...); err != nil {
		return err
	}
	me.Roles = x.activeRoles()
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	if err := e.mayGrantRoles(me, s.Roles); err != nil {
		return err
	}
	var made []*grants.AccountRow
	var failed []string
	var random randomPasswords
	for i := range s.Specs {
		spec := &s.Specs[i]
		spec.Who = account.Who{Name: me.Resolve(spec.Who)}
		switch {
		case spec.User == "" && (s.Options.Expire != nil || spec.Auth != nil && spec.Auth.Kind == account.AuthRandom):
			failed = append(failed, "anonymous user")
		case e.row(spec.Name) == nil:
			r := grants.NewAccount(spec.Name)
			e.rows[spec.Name], made = r, append(made, r)
			s.Options.Apply(r.User, &r.Policy)
			if err := x.setCredentials(r, spec.Auth, &random); err != nil {
				return err
			}
			if err := r.SetAttributes(&s.Options); err != nil {
				return err
			}
		case s.IfNotExists:
			grants.Note(ctx, 3163, "Authorization ID %s already exists.", spec.Quoted())
		default:
			failed = append(failed, grants.AlreadyExists(spec.Name))
		}
	}
	if len(failed) > 0 {
		return grants.FailedFor("CREATE USER", failed)
	}
	for _, role := range s.Roles {
		if e.row(role) == nil {
			return sqlerr.NewError(3162, "Authorization ID %s does not exist.", role)
		}
	}
	for _, r := range made {
		r.Policy.DefaultRoles = slices.Clone(s.Roles)
		for _, role := range s.Roles {
			e.grantRole(role, r.Name(), false)
		}
	}
	grants.Hashed(s.Specs, made, true)
	if err := e.save(ctx, s.String()); err != nil {
		return err
	}
	return random.send(x, ctx)
}

// alteration is an ALTER USER or SET PASSWORD, whose accounts are named in full, and who gives it.
func (x *execution) alteration(ctx *sql.Context) (grants.Caller, *account.AlterUser, error) {
	me := x.caller(ctx)
	s, err := parseAccount[*account.AlterUser](x)
	if err != nil {
		return me, nil, err
	}
	for i := range s.Specs {
		s.Specs[i].Who = account.Who{Name: me.Resolve(s.Specs[i].Who)}
	}
	return me, s, nil
}

// mayAlter asks for the rights of ALTER USER and SET PASSWORD.
func (x *execution) mayAlter(ctx *sql.Context) error {
	me, s, err := x.alteration(ctx)
	if err != nil {
		return err
	}
	return grants.MayAlter(me, s)
}

// alterUser is ALTER USER and SET PASSWORD.
func (x *execution) alterUser(ctx *sql.Context) error {
	me, s, err := x.alteration(ctx)
	if err != nil {
		return err
	}
	if x.w.sandbox && len(s.Specs) > 0 && (len(s.Specs) > 1 || s.Specs[0].Name != me.Name || s.Specs[0].Auth == nil) {
		if err := grants.MayAlter(me, s); err != nil && x.stmt.Command != "set_password" {
			return err
		}
		return errExpired
	}
	if err := grants.MayAlter(me, s); err != nil {
		return err
	}
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	for _, spec := range s.Specs {
		if err := me.MayTouch(e.row(spec.Name)); err != nil {
			return err
		}
	}
	if s.Roles != nil {
		return e.setDefaultRoles(ctx, s.String(), *s.Roles, grants.WhosOf(me, s.Specs))
	}
	var failed []string
	var changed []*grants.AccountRow
	var random randomPasswords
	for i := range s.Specs {
		r := e.row(s.Specs[i].Name)
		switch {
		case r == nil && s.IfExists:
			grants.Note(ctx, 3162, "Authorization ID %s does not exist.", s.Specs[i].Quoted())
			continue
		case r == nil:
			failed = append(failed, grants.DoesNotExist(s.Specs[i].Name))
			continue
		}
		if r.Name().User == "" && s.Options.Expire != nil && s.Options.Expire.Now {
			return sqlerr.NewError(3016, "The password for anonymous user cannot be expired.")
		}
		if err := x.alterRow(me, r, s, s.Specs[i].Auth, &random); err != nil {
			return err
		}
		changed = append(changed, r)
	}
	if len(failed) > 0 && s.Set {
		return sqlerr.NewError(1133, "Can't find any matching row in the user table")
	} else if len(failed) > 0 {
		return grants.FailedFor("ALTER USER", failed)
	}
	grants.Hashed(s.Specs, changed, false)
	if err := e.save(ctx, s.String()); err != nil {
		return err
	}
	x.altered(me, s, changed)
	return random.send(x, ctx)
}

// alterRow changes one account.
func (x *execution) alterRow(me grants.Caller, r *grants.AccountRow, s *account.AlterUser, a *account.Auth, random *randomPasswords) error {
	if a != nil && a.Kind != account.AuthDiscard {
		if err := x.checkCurrent(me, r, a); err != nil {
			return err
		}
	}
	if a != nil && a.Kind != account.AuthDiscard {
		r.Policy.Expired = false // unless the statement says so
	}
	s.Options.Apply(r.User, &r.Policy)
	if err := x.setCredentials(r, a, random); err != nil {
		return err
	}
	return r.SetAttributes(&s.Options)
}

// altered tells the rest of the server of changed accounts.
func (x *execution) altered(me grants.Caller, s *account.AlterUser, changed []*grants.AccountRow) {
	o := &s.Options
	for _, spec := range s.Specs {
		if spec.Auth != nil && spec.Name == me.Name && (o.Expire == nil || !o.Expire.Now) {
			x.w.sandbox = false
		}
	}
	for _, r := range changed {
		if o.Lock != nil || o.FailedAttempts != nil || o.LockDays != nil {
			x.h.s.usage.Forgive(r.Name())
		}
		if o.MaxQueries != nil || o.MaxUpdates != nil || o.MaxConnections != nil || o.MaxUserConnections != nil {
			x.h.s.usage.Of(r.Name()).Limit(r.Policy.Limits)
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
		return grants.Missing("CREATE USER, CREATE ROLE")
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
			r := grants.NewAccount(n)
			r.User.Locked, r.Policy.Expired = true, true
			e.rows[n] = r
		case s.IfNotExists:
			grants.Note(ctx, 3163, "Authorization ID %s already exists.", n.Quoted())
		default:
			failed = append(failed, grants.AlreadyExists(n))
		}
	}
	if len(failed) > 0 {
		return grants.FailedFor("CREATE ROLE", failed)
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
			return grants.Missing("CREATE USER, DROP ROLE")
		}
	} else if err := me.May(account.Delete); err != nil {
		return err
	}
	var names []account.Name
	for i := range s.Accounts {
		s.Accounts[i] = account.Who{Name: me.Resolve(s.Accounts[i])}
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
		if err := me.MayTouch(r); err != nil {
			return err
		}
		if grants.IsMandatory(n) {
			return grants.ErrMandatory(n)
		}
		switch {
		case r != nil:
			e.drop(n)
		case s.IfExists:
			grants.Note(ctx, 3162, "Authorization ID %s does not exist.", n.Quoted())
		default:
			failed = append(failed, grants.DoesNotExist(n))
		}
	}
	if len(failed) > 0 {
		return grants.FailedFor(operation, failed)
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
	if err := me.May(account.Update); err != nil {
		return err
	}
	var names []account.Name
	for i := range s.From {
		s.From[i], s.To[i] = account.Who{Name: me.Resolve(s.From[i])}, account.Who{Name: me.Resolve(s.To[i])}
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
		if err := me.MayTouch(e.row(s.From[i].Name)); err != nil {
			return err
		}
		if grants.IsMandatory(s.From[i].Name) {
			return sqlerr.NewError(3521, "Renaming of a role identifier is forbidden")
		}
		if !e.rename(s.From[i].Name, s.To[i].Name) {
			failed = append(failed, s.From[i].Quoted())
		}
	}
	if len(failed) > 0 {
		return grants.FailedFor("RENAME USER", failed)
	}
	return e.save(ctx, x.query)
}

// rename gives an account, and what is granted to and by it as a role, another name.
func (e *accountEdit) rename(from, to account.Name) bool {
	r := e.row(from)
	if r == nil || e.row(to) != nil {
		return false
	}
	r.User.User, r.User.Host = to.User, to.Host
	e.rows[from], e.rows[to] = nil, r
	for i := range e.edges {
		edge := &e.edges[i]
		if grants.FromOf(*edge) == from {
			edge.FromUser, edge.FromHost = to.User, to.Host
		}
		if grants.ToOf(*edge) == from {
			edge.ToUser, edge.ToHost = to.User, to.Host
		}
	}
	for _, other := range e.all() {
		for i, d := range other.Policy.DefaultRoles {
			if d == from {
				other.Policy.DefaultRoles[i] = to
			}
		}
	}
	return true
}

// Passwords of accounts: hashes, the password before, those used earlier, and random ones.

// setCredentials gives an account what an IDENTIFIED clause says.
func (x *execution) setCredentials(r *grants.AccountRow, a *account.Auth, random *randomPasswords) error {
	if a == nil {
		return nil
	}
	if a.Kind == account.AuthDiscard {
		r.Policy.Second = ""
		return nil
	}
	if a.Kind == account.AuthRandom {
		password, err := x.randomPassword()
		if err != nil {
			return err
		}
		a.Kind, a.Password = account.AuthBy, password
		random.add(r.Name(), password)
	}
	if err := r.CheckHistory(a); err != nil {
		return err
	}
	plugin, stored, err := grants.Credentials(a, r.User.Plugin)
	if err != nil {
		return err
	}
	if err := r.Retain(a, plugin, stored); err != nil {
		return err
	}
	r.User.Plugin, r.User.AuthString = plugin, stored
	r.PasswordChanged()
	r.Remember(stored)
	return nil
}

// checkCurrent compares the REPLACE clause with the password before, and misses it where the
// account needs one.
func (x *execution) checkCurrent(me grants.Caller, r *grants.AccountRow, a *account.Auth) error {
	own := r.Name() == me.Name
	if a.Replace == nil {
		required := grants.GlobalNumber("password_require_current") != 0
		if r.Policy.RequireCurrent != nil {
			required = *r.Policy.RequireCurrent != 0
		}
		if own && required && me.May(account.Update) != nil && r.User.AuthString != "" {
			return sqlerr.NewError(3892, "Current password needs to be specified in the REPLACE clause in order to change it.")
		}
		return nil
	}
	if !own {
		return sqlerr.NewError(3893, "Do not specify the current password while changing it for other users.")
	}
	if !grants.StoredMatches(r.User.Plugin, r.User.AuthString, *a.Replace) {
		return sqlerr.NewError(3891, "Incorrect current password. Specify the correct password which has to be replaced.")
	}
	return nil
}

// randomPasswords are those that a statement has made, for its result.
type randomPasswords struct{ rows [][]any }

func (r *randomPasswords) add(n account.Name, password string) {
	r.rows = append(r.rows, []any{n.User, n.Host, password, 1})
}

// send answers with them, if there are any.
func (r *randomPasswords) send(x *execution, ctx *sql.Context) error {
	if len(r.rows) == 0 {
		return nil
	}
	return x.table(ctx, []column{{name: "user", width: 4}, {name: "host", width: 4}, {name: "generated password", width: 18}, {name: "auth_factor", typ: querypb.Type_UINT64, width: 13}}, r.rows)
}

// randomPassword makes a password of generated_random_password_length characters.
func (x *execution) randomPassword() (string, error) {
	ctx := sql.NewEmptyContext()
	v, err := x.w.session.GetSessionVariable(ctx, "generated_random_password_length")
	if err != nil {
		return "", err
	}
	n, _, err := types.Int64.Convert(ctx, v)
	if err != nil {
		return "", err
	}
	length, _ := n.(int64)
	if length < 5 {
		length = 20
	}
	return grants.RandomText(int(length), grants.PasswordLetters)
}
