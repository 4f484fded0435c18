package account

import "emberdb/sql/ast"

// usage is no privilege; it stands in a list where USAGE was written.
const usage Privileges = 1 << 63

// grant makes GRANT and REVOKE of privileges, roles and proxies.
func (r *reader) grant(n *ast.Grant) Statement {
	to := r.whos(n.To)
	switch {
	case n.Kind == ast.GrantProxy:
		return &GrantProxy{Revoke: n.Revoke, IfExists: n.IfExists, IgnoreUnknown: n.IgnoreUnknown, On: r.who(n.Proxy), To: to,
			WithGrant: n.Option}
	case n.Kind == ast.GrantRoles:
		return &GrantRoles{Revoke: n.Revoke, IfExists: n.IfExists, IgnoreUnknown: n.IgnoreUnknown, Roles: r.names(n.Roles),
			To: to, Admin: n.Option}
	case n.On == nil:
		return &RevokeAll{IfExists: n.IfExists, IgnoreUnknown: n.IgnoreUnknown, From: to}
	}
	s := &Grant{Revoke: n.Revoke, IfExists: n.IfExists, IgnoreUnknown: n.IgnoreUnknown, All: len(n.Privileges) == 0,
		On: r.object(n.On), To: to, WithGrant: n.Option}
	for i := range n.Privileges {
		s.Privileges = append(s.Privileges, r.privilege(&n.Privileges[i]))
	}
	if n.As != nil {
		as := r.who(n.As.User)
		s.As = &as
		if n.As.Roles != nil {
			c := r.choice(n.As.Roles)
			s.AsRoles = &c
		}
	}
	return s
}

func (r *reader) privilege(n *ast.Privilege) Privilege {
	p := Privilege{}
	for _, c := range n.Columns {
		p.Columns = append(p.Columns, c.Name)
	}
	if n.Dynamic {
		p.Dynamic = n.Name
		return p
	}
	p.Static = usage
	for _, s := range Statics {
		if s.Name == n.Name {
			p.Static = s.Is
		}
	}
	return p
}

// object is what stands behind ON.
func (r *reader) object(n *ast.GrantLevel) Object {
	o := Object{Level: OnTable, Database: n.Name.Schema.Name, Name: n.Name.Name.Name}
	switch {
	case n.AllSchema:
		o.Level = OnGlobal
	case n.All:
		o.Level = OnDatabase
	case n.Object == ast.GrantOnFunction:
		o.Level = OnFunction
	case n.Object == ast.GrantOnProcedure:
		o.Level = OnProcedure
	case n.Object == ast.GrantOnLibrary:
		o.Level = OnLibrary
	}
	return o
}
