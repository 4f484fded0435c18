package sqllayer

// Roles. GMS counts in what every role granted to an account may do. MySQL counts in the session's active roles: at login the account's default roles and the
// mandatory ones, or all that it has where activate_all_roles_on_login says so; then what SET ROLE chooses. So the set of rights that GMS works out for a session is put right where the
// session keeps it. Default roles stand in the account's attributes.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/in_mem_table"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/sqllayer/expr"
)

// Role names a role, or the account that it is granted to.
type Role struct{ User, Host string }

func (r Role) String() string { return quoteName(r.User) + "@" + quoteName(r.Host) }

// DefaultRoles is the attribute of an account that lists its default roles as Role.String writes them.
const DefaultRoles = "ember_default_roles"

func init() {
	expr.CurrentRole = func(ctx *sql.Context) string {
		s := sessionOf(ctx)
		if s == nil {
			return "NONE"
		}
		rd := s.layer.Engine.Analyzer.Catalog.MySQLDb.Reader()
		defer rd.Close()
		g := s.layer.grants()
		var names []string
		if account := g.account(s); account != nil {
			for _, r := range g.active(s, account) {
				names = append(names, r.String())
			}
		}
		if len(names) == 0 {
			return "NONE"
		}
		slices.Sort(names)
		return strings.Join(names, ",")
	}
}

// grants looks accounts and roles up.
type grants struct {
	db    *mysql_db.MySQLDb
	users in_mem_table.IndexedSet[*mysql_db.User]
	edges in_mem_table.IndexedSet[*mysql_db.RoleEdge]
}

var _ mysql_db.UserFetcher = grants{}

// grants reads the grant tables without their lock. REQUIRES: a reader of them is open, also in the caller's caller, until the last use.
func (l *Layer) grants() grants {
	g := grants{db: l.Engine.Analyzer.Catalog.MySQLDb}
	if t, ok, _ := g.db.GetTableInsensitive(nil, "user"); ok {
		g.users = t.(interface {
			Set() in_mem_table.IndexedSet[*mysql_db.User]
		}).Set()
	}
	if t, ok, _ := g.db.GetTableInsensitive(nil, "role_edges"); ok {
		g.edges = t.(interface {
			Set() in_mem_table.IndexedSet[*mysql_db.RoleEdge]
		}).Set()
	}
	return g
}

// GetUser implements mysql_db.UserFetcher.
func (g grants) GetUser(key mysql_db.UserPrimaryKey) (*mysql_db.User, bool) {
	if found := g.users.GetMany(mysql_db.UserPrimaryKeyer{}, key); len(found) > 0 {
		return found[0], true
	}
	return nil, false
}

// GetUsersByUsername implements mysql_db.UserFetcher.
func (g grants) GetUsersByUsername(name string) []*mysql_db.User {
	return g.users.GetMany(mysql_db.UserSecondaryKeyer{}, mysql_db.UserSecondaryKey{User: name})
}

// account is the session's; nil if it has none, or it was dropped.
func (g grants) account(s *Session) *mysql_db.User {
	c := s.Client()
	return g.db.GetUser(g, c.User, c.Address, false)
}

// granted lists the roles that an account or role has been given itself, and for an account those that all have.
func (g grants) granted(to Role) (roles []Role) {
	for _, e := range g.edges.GetMany(mysql_db.RoleEdgeToKeyer{}, mysql_db.RoleEdgesToKey{ToHost: to.Host, ToUser: to.User}) {
		roles = append(roles, Role{e.FromUser, e.FromHost})
	}
	for _, r := range mandatoryRoles() {
		if _, exists := g.GetUser(mysql_db.UserPrimaryKey{User: r.User, Host: r.Host}); exists && r != to && !slices.Contains(roles, r) {
			roles = append(roles, r)
		}
	}
	return roles
}

// mandatoryRoles are those of the system variable.
func mandatoryRoles() (roles []Role) {
	_, v, _ := sql.SystemVariables.GetGlobal("mandatory_roles")
	text, _ := v.(string)
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			user, host, _ := strings.Cut(accountOf(name), "@")
			roles = append(roles, Role{user, host})
		}
	}
	return roles
}

// active lists the session's active roles. The first who asks finds those of a session that has just logged in.
func (g grants) active(s *Session, account *mysql_db.User) []Role {
	granted := g.granted(Role{account.User, account.Host})
	chosen := s.roles.Load()
	if chosen == nil {
		first := append(DefaultRolesOf(account), mandatoryRoles()...)
		if _, v, _ := sql.SystemVariables.GetGlobal("activate_all_roles_on_login"); v == int8(1) || v == true {
			first = granted
		}
		chosen = &first
		s.roles.Store(chosen)
	}
	var active []Role
	for _, r := range *chosen {
		if slices.Contains(granted, r) && !slices.Contains(active, r) { // REVOKE takes it at once
			active = append(active, r)
		}
	}
	return active
}

// DefaultRolesOf gives the roles that are active when the account logs in, as far as they are granted then.
func DefaultRolesOf(account *mysql_db.User) (roles []Role) {
	var attributes struct {
		Roles []string `json:"ember_default_roles"`
	}
	if account.Attributes == nil || json.Unmarshal([]byte(*account.Attributes), &attributes) != nil {
		return nil
	}
	for _, name := range attributes.Roles {
		user, host, _ := strings.Cut(accountOf(name), "@")
		roles = append(roles, Role{user, host})
	}
	return roles
}

// SetPrivilegeSet implements sql.Session. GMS's planner lends a session further rights under the number that it has (see security.go); a later number comes with the rights that
// GMS has worked out from the grant tables, whose reader it holds. It goes on with the same maps: they are changed in place.
func (s *Session) SetPrivilegeSet(set sql.PrivilegeSet, counter uint64) {
	if rights, ok := set.(mysql_db.PrivilegeSet); ok && s.layer != nil {
		switch _, before := s.BaseSession.GetPrivilegeSet(); {
		case counter > before:
			s.keepActive(rights)
		case s.lend(rights, counter):
			return
		default:
			s.closeView()
		}
	}
	s.BaseSession.SetPrivilegeSet(set, counter)
}

// keepActive makes rights those of the account and of its active roles, and of the roles that these have been given.
func (s *Session) keepActive(rights mysql_db.PrivilegeSet) {
	g := s.layer.grants()
	account := g.account(s)
	if account == nil {
		return
	}
	open := g.active(s, account)
	if len(open) == 0 && len(g.granted(Role{account.User, account.Host})) == 0 {
		return
	}
	rights.RemoveGlobalStatic(rights.ToSlice()...)
	rights.RemoveGlobalDynamic(rights.ToSliceDynamic(true)...)
	rights.RemoveGlobalDynamic(rights.ToSliceDynamic(false)...)
	for _, d := range rights.GetDatabases() {
		rights.ClearDatabase(d.Name())
	}
	rights.UnionWith(account.PrivilegeSet)
	seen := make(map[Role]bool)
	for len(open) > 0 {
		r := open[0]
		open = open[1:]
		if seen[r] {
			continue
		}
		seen[r] = true
		if role, ok := g.GetUser(mysql_db.UserPrimaryKey{User: r.User, Host: r.Host}); ok {
			rights.UnionWith(role.PrivilegeSet)
			open = append(open, g.granted(r)...)
		}
	}
}

// GrantedRoles lists the roles granted to an account, and its default roles.
func (s *Session) GrantedRoles(to Role) (granted, defaults []Role) {
	rd := s.layer.Engine.Analyzer.Catalog.MySQLDb.Reader()
	defer rd.Close()
	g := s.layer.grants()
	if account, ok := g.GetUser(mysql_db.UserPrimaryKey{User: to.User, Host: to.Host}); ok {
		defaults = DefaultRolesOf(account)
	}
	return g.granted(to), defaults
}

// ActivateRoles makes these, as far as they are granted, the session's active roles.
func (s *Session) ActivateRoles(ctx *sql.Context, roles []Role) {
	s.roles.Store(&roles)
	s.BaseSession.SetPrivilegeSet(nil, 0)
	s.layer.Engine.Analyzer.Catalog.MySQLDb.UserActivePrivilegeSet(ctx)
}

// WithAllRights runs f with every right, for what the session may see of itself.
func (s *Session) WithAllRights(f func() error) error {
	rights, counter := s.GetPrivilegeSet()
	s.BaseSession.SetPrivilegeSet(mysql_db.NewPrivilegeSetWithAllPrivileges(), counter)
	defer s.BaseSession.SetPrivilegeSet(rights, counter)
	return f()
}
