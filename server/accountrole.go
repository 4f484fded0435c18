package server

// Roles: GRANT and REVOKE, SET ROLE, SET DEFAULT ROLE. Which roles are active is the SQL layer's.

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/account"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

func warnOf(ctx *sql.Context, err error) {
	if e, ok := err.(*mysql.SQLError); ok {
		warn(ctx, e.Num, "%s", e.Message)
	}
}

func errUnknownID(n account.Name) error {
	return sqlerr.NewError(3523, "Unknown authorization ID %s", n)
}

func errMandatory(n account.Name) error {
	return sqlerr.NewError(3628, "The role %s is a mandatory role and can't be revoked or dropped. The restriction can be lifted by excluding the role identifier from the global variable mandatory_roles.", n)
}

func errNotGranted(role, to account.Name) error {
	return sqlerr.NewError(3530, "%s is not granted to %s", role, to)
}

func isMandatory(n account.Name) bool { return slices.Contains(sqllayer.MandatoryRoles(), n) }

// checkAccountSetting refuses values of variables about accounts: roles for everybody are the
// affair of who may grant roles, and must not open the accounts that SYSTEM_USER protects.
func (s *Server) checkAccountSetting(ctx *sql.Context, name string, value any) error {
	switch name {
	case "mandatory_roles":
		set, _ := ctx.Session.GetPrivilegeSet()
		if p, ok := set.(mysql_db.PrivilegeSet); !ok || !p.HasDynamic(roleAdmin) && !p.Has(sql.PrivilegeType_Super) {
			return missing("SYSTEM_VARIABLES_ADMIN or SUPER privileges, as well as the ROLE_ADMIN")
		}
		text, _ := value.(string)
		roles, err := sqllayer.RolesIn(text)
		if err != nil {
			return sqlerr.NewError(1231, "Variable 'mandatory_roles' can't be set to the value of '%s'", text)
		}
		for _, role := range roles {
			if r := s.accounts.row(role); r != nil && r.grants.Has(systemUser) {
				return sqlerr.NewError(3880, "Cannot set mandatory_roles: AuthId %s has 'SYSTEM_USER' privilege.", role)
			}
		}
	case "partial_revokes":
		if on, _ := value.(bool); !on && slices.ContainsFunc(s.accounts.all(), func(r *accountRow) bool { return len(r.policy.Restrictions) > 0 }) {
			return sqlerr.NewError(3896, "At least one partial revoke exists on a database. The system variable '@@partial_revokes' must be set to ON.")
		}
	}
	return nil
}

// grantRoles is GRANT and REVOKE of roles.
func (x *execution) grantRoles(ctx *sql.Context, me caller, s *account.GrantRoles) error {
	resolveAll(me, s.To)
	me.roles = x.activeRoles()
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
			warn(ctx, 3162, "Authorization ID %s does not exist.", to.User)
		case r == nil:
			return errUnknownID(to.Name)
		default:
			if err := me.mayTouch(r); err != nil {
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
func (e *accountEdit) mayGrantRoles(me caller, roles []account.Name) error {
	if me.Has(roleAdmin) || me.Global.Has(account.Super) {
		return nil
	}
	for _, role := range roles {
		given := func(to account.Name) bool {
			edge := e.edge(role, to)
			return edge != nil && edge.WithAdminOption
		}
		if !given(me.Name) && !slices.ContainsFunc(me.roles, given) {
			return missing("WITH ADMIN, ROLE_ADMIN, SUPER")
		}
	}
	return nil
}

func (e *accountEdit) changeRoles(ctx *sql.Context, me caller, s *account.GrantRoles, to account.Name) error {
	for _, role := range s.Roles {
		r := e.row(role)
		if r == nil {
			if s.IfExists {
				warnOf(ctx, errUnknownID(role))
				continue
			}
			return errUnknownID(role)
		}
		switch {
		case s.Revoke && isMandatory(role):
			return errMandatory(role)
		case s.Revoke:
			e.edges = slices.DeleteFunc(e.edges, func(g mysql_db.RoleEdge) bool { return fromOf(g) == role && toOf(g) == to })
			owner := e.row(to)
			owner.policy.DefaultRoles = slices.DeleteFunc(owner.policy.DefaultRoles, func(d account.Name) bool { return d == role })
		default:
			if err := me.mayTouch(r); err != nil {
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
			if toOf(g) == n {
				next = append(next, fromOf(g))
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
	roles, err := chosenRoles(me.Name, n.RoleChoice, granted, defaults)
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
		if err := me.mayTouch(e.row(to)); err != nil {
			return err
		}
		if to != me.Name {
			if err := me.may(account.Update); err != nil {
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
			if toOf(g) == to {
				granted = append(granted, fromOf(g))
			}
		}
		for _, m := range sqllayer.MandatoryRoles() {
			if !slices.Contains(granted, m) && e.row(m) != nil {
				granted = append(granted, m)
			}
		}
		roles, err := chosenRoles(to, choice, granted, nil)
		if err != nil {
			return err
		}
		if r == nil {
			return errUnknownID(to)
		}
		r.policy.DefaultRoles = roles
	}
	return e.save(ctx, log)
}

// chosenRoles are the roles that a statement names, all of them granted to the account.
func chosenRoles(to account.Name, choice account.RoleChoice, granted, defaults []account.Name) ([]account.Name, error) {
	for _, r := range choice.Roles {
		if choice.Kind != account.RolesAll && !slices.Contains(granted, r) {
			return nil, errNotGranted(r, to)
		}
	}
	switch choice.Kind {
	case account.RolesDefault:
		return defaults, nil
	case account.RolesAll:
		return slices.DeleteFunc(slices.Clone(granted), func(r account.Name) bool { return slices.Contains(choice.Roles, r) }), nil
	}
	return choice.Roles, nil // none with NONE
}
