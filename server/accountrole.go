package server

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/server/grants"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// Roles: GRANT and REVOKE, SET ROLE, SET DEFAULT ROLE. Which roles are active is the SQL layer's.

// checkAccountSetting refuses values of variables about accounts: roles for everybody are the
// affair of who may grant roles, and must not open the accounts that SYSTEM_USER protects.
func (s *Server) checkAccountSetting(ctx *sql.Context, name string, value any) error {
	switch name {
	case "mandatory_roles":
		set, _ := ctx.Session.GetPrivilegeSet()
		if p, ok := set.(mysql_db.PrivilegeSet); !ok || !p.HasDynamic(grants.RoleAdmin) && !p.Has(sql.PrivilegeType_Super) {
			return grants.Missing("SYSTEM_VARIABLES_ADMIN or SUPER privileges, as well as the ROLE_ADMIN")
		}
		text, _ := value.(string)
		roles, err := sqllayer.RolesIn(text)
		if err != nil {
			return sqlerr.NewError(1231, "Variable 'mandatory_roles' can't be set to the value of '%s'", text)
		}
		for _, role := range roles {
			if r := s.accounts.row(role); r != nil && r.Grants.Has(grants.SystemUser) {
				return sqlerr.NewError(3880, "Cannot set mandatory_roles: AuthId %s has 'SYSTEM_USER' privilege.", role)
			}
		}
	case "partial_revokes":
		if on, _ := value.(bool); !on && slices.ContainsFunc(s.accounts.all(), func(r *grants.AccountRow) bool { return len(r.Policy.Restrictions) > 0 }) {
			return sqlerr.NewError(3896, "At least one partial revoke exists on a database. The system variable '@@partial_revokes' must be set to ON.")
		}
	}
	return nil
}

// grantRoles is GRANT and REVOKE of roles.
func (x *execution) grantRoles(ctx *sql.Context, me grants.Caller, s *account.GrantRoles) error {
	grants.ResolveAll(me, s.To)
	me.Roles = x.activeRoles()
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	if err := e.mayGrantRoles(me, s.Roles); err != nil {
		return err
	}
	for _, to := range s.To {
		switch r := e.row(to.Name); {
		case r == nil && s.IgnoreUnknown:
			grants.Warn(ctx, 3162, "Authorization ID %s does not exist.", to.User)
		case r == nil:
			return grants.ErrUnknownID(to.Name)
		default:
			if err := me.MayTouch(r); err != nil {
				return err
			}
			if err := e.changeRoles(ctx, me, s, to.Name); err != nil {
				return err
			}
		}
	}
	return e.save(ctx, x.query)
}

// mayGrantRoles refuses who has not been given each role WITH ADMIN OPTION, itself or by an active
// role, and has not ROLE_ADMIN either.
func (e *accountEdit) mayGrantRoles(me grants.Caller, roles []account.Name) error {
	if me.Has(grants.RoleAdmin) || me.Global.Has(account.Super) {
		return nil
	}
	for _, role := range roles {
		given := func(to account.Name) bool {
			edge := e.edge(role, to)
			return edge != nil && edge.WithAdminOption
		}
		if !given(me.Name) && !slices.ContainsFunc(me.Roles, given) {
			return grants.Missing("WITH ADMIN, ROLE_ADMIN, SUPER")
		}
	}
	return nil
}

func (e *accountEdit) changeRoles(ctx *sql.Context, me grants.Caller, s *account.GrantRoles, to account.Name) error {
	for _, role := range s.Roles {
		r := e.row(role)
		if r == nil {
			if s.IfExists {
				grants.WarnOf(ctx, grants.ErrUnknownID(role))
				continue
			}
			return grants.ErrUnknownID(role)
		}
		switch {
		case s.Revoke && grants.IsMandatory(role):
			return grants.ErrMandatory(role)
		case s.Revoke:
			e.edges = slices.DeleteFunc(e.edges, func(g mysql_db.RoleEdge) bool { return grants.FromOf(g) == role && grants.ToOf(g) == to })
			owner := e.row(to)
			owner.Policy.DefaultRoles = slices.DeleteFunc(owner.Policy.DefaultRoles, func(d account.Name) bool { return d == role })
		default:
			if err := me.MayTouch(r); err != nil {
				return err
			}
			if e.reaches(to, role) {
				return sqlerr.NewError(4027, "User account %s is directly or indirectly granted to the role %s. The GRANT would create a loop", to, role)
			}
			e.grantRole(role, to, s.Admin)
		}
	}
	return nil
}

func (e *accountEdit) grantRole(role, to account.Name, admin bool) {
	if edge := e.edge(role, to); edge != nil {
		edge.WithAdminOption = edge.WithAdminOption || admin
		return
	}
	e.edges = append(e.edges, mysql_db.RoleEdge{FromUser: role.User, FromHost: role.Host, ToUser: to.User, ToHost: to.Host, WithAdminOption: admin})
}

// reaches tells whether a role has been given to an account, also through others, or is it.
func (e *accountEdit) reaches(role, to account.Name) bool {
	seen := map[account.Name]bool{}
	next := []account.Name{to}
	for len(next) > 0 {
		n := next[0]
		if next = next[1:]; n == role {
			return true
		}
		if seen[n] {
			continue
		}
		seen[n] = true
		for _, g := range e.edges {
			if grants.ToOf(g) == n {
				next = append(next, grants.FromOf(g))
			}
		}
	}
	return false
}

// setRole is SET ROLE.
func (x *execution) setRole(ctx *sql.Context) error {
	n, err := parseAccount[*account.SetRole](x)
	if err != nil {
		return err
	}
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return nil // a session of another kind has no account
	}
	me := x.caller(ctx)
	granted, defaults := s.GrantedRoles(me.Name)
	roles, err := grants.ChosenRoles(me.Name, n.RoleChoice, granted, defaults)
	if err == nil {
		s.ActivateRoles(ctx, roles)
	}
	return err
}

// setDefaultRole is SET DEFAULT ROLE.
func (x *execution) setDefaultRole(ctx *sql.Context) error {
	n, err := parseAccount[*account.SetDefaultRole](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	for _, to := range n.To {
		if err := me.MayTouch(e.row(to)); err != nil {
			return err
		}
		if to != me.Name {
			if err := me.May(account.Update); err != nil {
				return err
			}
		}
	}
	return e.setDefaultRoles(ctx, x.query, n.RoleChoice, n.To)
}

// setDefaultRoles writes which roles are active after the next login.
func (e *accountEdit) setDefaultRoles(ctx *sql.Context, log string, choice account.RoleChoice, accounts []account.Name) error {
	for _, to := range accounts {
		r := e.row(to)
		var granted []account.Name
		for _, g := range e.edges {
			if grants.ToOf(g) == to {
				granted = append(granted, grants.FromOf(g))
			}
		}
		for _, m := range sqllayer.MandatoryRoles() {
			if !slices.Contains(granted, m) && e.row(m) != nil {
				granted = append(granted, m)
			}
		}
		roles, err := grants.ChosenRoles(to, choice, granted, nil)
		if err != nil {
			return err
		}
		if r == nil {
			return grants.ErrUnknownID(to)
		}
		r.Policy.DefaultRoles = roles
	}
	return e.save(ctx, log)
}

// SHOW GRANTS and SHOW CREATE USER.

// showGrants is SHOW GRANTS. Everybody may see what the own account has.
func (x *execution) showGrants(ctx *sql.Context) error {
	s, err := parseAccount[*account.ShowGrants](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	of := me.Resolve(s.For)
	if of != me.Name && !me.OnMySQL(account.Select) {
		return me.NoTable("SELECT", "user")
	}
	using := s.Using
	if session, ok := x.w.session.(*sqllayer.Session); ok && s.For.Current && using == nil {
		using = session.ActiveRoles()
	}
	lines, err := x.grantLines(of, using, s.For.Current)
	if err != nil {
		return err
	}
	var rows [][]any
	names := sqllayer.NameStyle(ctx)
	for _, l := range lines {
		rows = append(rows, []any{names.In(l)})
	}
	return x.table(ctx, textColumns(fmt.Sprintf("Grants for %s@%s", of.User, of.Host)), rows)
}

// grantLines lists what an account has, with that of the roles it uses. Mandatory roles are told to
// the account itself.
func (x *execution) grantLines(of account.Name, using []account.Name, own bool) ([]string, error) {
	rd := x.h.s.accounts.db.Reader()
	defer rd.Close()
	u, ok := rd.GetUser(grants.KeyOf(of))
	if !ok {
		return nil, grants.ErrNoGrant(of)
	}
	r := grants.RowOf(u)
	graph := sqllayer.RoleGraph(rd)
	for _, name := range using {
		if !slices.Contains(graph.Granted(of), name) {
			return nil, grants.ErrNotGranted(name, of)
		}
	}
	for _, name := range graph.Closure(using) {
		if role, ok := rd.GetUser(grants.KeyOf(name)); ok {
			r.Grants.Union(account.GrantsOf(role.PrivilegeSet))
		}
	}
	lines := r.Grants.GrantLines(of)
	lines = append(lines, r.Policy.RestrictionLines(of)...)
	lines = append(lines, r.Policy.ProxyLines(of)...)
	if own {
		for _, m := range graph.Mandatory {
			if m != of && !slices.ContainsFunc(graph.Edges, func(e mysql_db.RoleEdge) bool { return grants.FromOf(e) == m && grants.ToOf(e) == of }) {
				graph.Edges = append(graph.Edges, mysql_db.RoleEdge{FromUser: m.User, FromHost: m.Host, ToUser: of.User, ToHost: of.Host})
			}
		}
	}
	return append(lines, graph.Lines(of)...), nil
}

// showCreateUser prints the statement that makes an account.
func (x *execution) showCreateUser(ctx *sql.Context) error {
	s, err := parseAccount[*account.ShowCreateUser](x)
	if err != nil {
		return err
	}
	me := x.caller(ctx)
	of := me.Resolve(s.Of)
	if of != me.Name && !me.OnMySQL(account.Select) {
		return me.NoDatabase("mysql")
	}
	rd := x.h.s.accounts.db.Reader()
	defer rd.Close()
	u, ok := rd.GetUser(grants.KeyOf(of))
	if !ok {
		return grants.FailedFor("SHOW CREATE USER", []string{grants.DoesNotExist(of)})
	}
	text := sqllayer.NameStyle(ctx).In(account.CreateUserText(u, x.sessionSwitch(ctx, "print_identified_with_as_hex")))
	return x.table(ctx, textColumns(fmt.Sprintf("CREATE USER for %s@%s", of.User, of.Host)), [][]any{{text}})
}

// sessionSwitch is the value of a switch of the session.
func (x *execution) sessionSwitch(ctx *sql.Context, name string) bool {
	v, err := ctx.GetSessionVariable(ctx, name)
	return err == nil && (v == int8(1) || v == true || v == "ON")
}

// showPrivileges is SHOW PRIVILEGES: the static ones as the SQL layer describes them, then the
// dynamic ones.
func (x *execution) showPrivileges(ctx *sql.Context) error {
	known, err := x.rowsOf(ctx, "SHOW PRIVILEGES")
	if err != nil {
		return err
	}
	var rows [][]any
	for _, r := range known {
		if name, _ := r[0].(string); strings.ToUpper(name) != name { // dynamic ones are in upper case
			rows = append(rows, []any(r))
		}
	}
	for _, d := range account.Dynamics {
		rows = append(rows, []any{d, "Server Admin", ""})
	}
	return x.table(ctx, textColumns("Privilege", "Context", "Comment"), rows)
}
