package sqllayer

// Roles. GMS counts in what every role granted to an account may do. MySQL counts in the session's
// active roles: at login the account's default roles and the mandatory ones, or all that it has
// where activate_all_roles_on_login says so; then what SET ROLE chooses. So the set of rights that
// GMS works out for a session is put right where the session keeps it.
//
// The set is also where patterns of database names and partial revokes take effect: a grant on a
// pattern stands under the name of each database that it covers, and a global privilege with a
// restriction stands under every database but the restricted ones. [reach.know] does that for one
// name, before a statement's rights on it are looked up.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/in_mem_table"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/sqllayer/expr"
)

func init() {
	expr.CurrentRole = func(ctx *sql.Context) string {
		s := SessionOf(ctx)
		if s == nil {
			return "NONE"
		}
		var names []string
		for _, r := range s.ActiveRoles() {
			names = append(names, r.String())
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
	users in_mem_table.IndexedSet[*mysql_db.User]
	edges in_mem_table.IndexedSet[*mysql_db.RoleEdge]
}

// grants reads the grant tables without their lock.
// REQUIRES: a reader of them is open, also in the caller's caller, until the last use.
func (l *Layer) grants() grants {
	var g grants
	db := l.Engine.Analyzer.Catalog.MySQLDb
	if t, ok, _ := db.GetTableInsensitive(nil, "user"); ok {
		g.users = t.(interface {
			Set() in_mem_table.IndexedSet[*mysql_db.User]
		}).Set()
	}
	if t, ok, _ := db.GetTableInsensitive(nil, "role_edges"); ok {
		g.edges = t.(interface {
			Set() in_mem_table.IndexedSet[*mysql_db.RoleEdge]
		}).Set()
	}
	return g
}

// named finds an account or role by its very name.
func (g grants) named(n account.Name) (*mysql_db.User, bool) {
	if found := g.users.GetMany(mysql_db.UserPrimaryKeyer{}, mysql_db.UserPrimaryKey{User: n.User, Host: n.Host}); len(found) > 0 {
		return found[0], true
	}
	return nil, false
}

// account is the session's; nil if it has none, or it was dropped.
func (g grants) account(s *Session) *mysql_db.User {
	c := s.Client()
	u, _ := g.named(account.Name{User: c.User, Host: c.Address})
	return u
}

// graph is who has been given which roles.
func (g grants) graph() account.RoleGraph {
	var graph account.RoleGraph
	g.edges.VisitEntries(func(e *mysql_db.RoleEdge) { graph.Edges = append(graph.Edges, *e) })
	graph.Mandatory = slices.DeleteFunc(MandatoryRoles(), func(m account.Name) bool {
		_, exists := g.named(m)
		return !exists
	})
	return graph
}

// RoleGraph is who has been given which roles.
func RoleGraph(rd *mysql_db.Reader) account.RoleGraph {
	var graph account.RoleGraph
	rd.VisitRoleEdges(func(e *mysql_db.RoleEdge) { graph.Edges = append(graph.Edges, *e) })
	for _, m := range MandatoryRoles() {
		if _, ok := rd.GetUser(mysql_db.UserPrimaryKey{User: m.User, Host: m.Host}); ok {
			graph.Mandatory = append(graph.Mandatory, m)
		}
	}
	return graph
}

// MandatoryRoles are those of the system variable.
func MandatoryRoles() []account.Name {
	_, v, _ := sql.SystemVariables.GetGlobal("mandatory_roles")
	text, _ := v.(string)
	roles, _ := RolesIn(text) // they were read when the variable was set
	return roles
}

// RolesIn reads a list of roles as the system variable has them.
func RolesIn(text string) (roles []account.Name, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for _, name := range strings.Split(text, ",") {
		n, err := account.ParseName(name)
		if err != nil {
			return roles, err
		}
		roles = append(roles, n)
	}
	return roles, nil
}

// active lists the session's active roles. The first who asks finds those of a session that has
// just logged in.
func (g grants) active(s *Session, u *mysql_db.User, graph account.RoleGraph) []account.Name {
	granted := graph.Granted(account.Name{User: u.User, Host: u.Host})
	chosen := s.roles.Load()
	if chosen == nil {
		first := append(DefaultRolesOf(u), graph.Mandatory...)
		if _, v, _ := sql.SystemVariables.GetGlobal("activate_all_roles_on_login"); v == int8(1) || v == true {
			first = granted
		}
		chosen = &first
		s.roles.Store(chosen)
	}
	var active []account.Name
	for _, r := range *chosen {
		if slices.Contains(granted, r) && !slices.Contains(active, r) { // REVOKE takes it at once
			active = append(active, r)
		}
	}
	return active
}

// DefaultRolesOf gives the roles that are active when the account logs in, as far as they are
// granted then.
func DefaultRolesOf(u *mysql_db.User) []account.Name {
	p, _ := account.PolicyOf(u)
	return p.DefaultRoles
}

// ActiveRoles lists the session's active roles.
func (s *Session) ActiveRoles() []account.Name {
	rd := s.layer.Engine.Analyzer.Catalog.MySQLDb.Reader()
	defer rd.Close()
	g := s.layer.grants()
	u := g.account(s)
	if u == nil {
		return nil
	}
	return g.active(s, u, g.graph())
}

// SetPrivilegeSet implements sql.Session. GMS's planner lends a session further rights under the
// number that it has (see security.go); a later number comes with the rights that GMS has worked
// out from the grant tables, whose reader it holds. It goes on with the same maps: they are changed
// in place.
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

// keepActive makes rights those of the account and of its active roles, and of the roles that these
// have been given. An account that is gone has none.
func (s *Session) keepActive(set mysql_db.PrivilegeSet) {
	g := s.layer.grants()
	clearSet(set)
	u := g.account(s)
	if u == nil {
		return
	}
	graph := g.graph()
	set.UnionWith(g.effective(u, graph.Closure(g.active(s, u, graph))))
	openToAll(set)
	s.reach = findReach(set, u)
}

// effective unites the rights of an account with those of roles.
func (g grants) effective(u *mysql_db.User, roles []account.Name) mysql_db.PrivilegeSet {
	set := u.PrivilegeSet.Copy()
	for _, r := range roles {
		if role, ok := g.named(r); ok {
			set.UnionWith(role.PrivilegeSet)
		}
	}
	return set
}

func clearSet(set mysql_db.PrivilegeSet) {
	set.RemoveGlobalStatic(set.ToSlice()...)
	for _, may := range []bool{true, false} {
		for _, name := range set.ToSliceDynamic(may) {
			set.RemoveGlobalDynamic(strings.ToLower(name))
		}
	}
	for _, d := range set.GetDatabases() {
		set.ClearDatabase(d.Name())
	}
}

// reach is how far a session's rights go beyond the names in its set.
type reach struct {
	patterns     *account.Grants       // nil: no grant is on a pattern
	restrictions []account.Restriction // partial revokes
	known        map[string]bool       // databases that have been looked at, in lower case
}

// findReach notes the patterns and restrictions whose effect know works out. What is restricted
// anywhere holds database by database from then on.
func findReach(set mysql_db.PrivilegeSet, u *mysql_db.User) *reach {
	policy, _ := account.PolicyOf(u)
	g := account.GrantsOf(set)
	_, literal, _ := sql.SystemVariables.GetGlobal("partial_revokes")
	g.Literal = literal == int8(1) || literal == true
	patterns := false
	for db := range g.Databases {
		patterns = patterns || account.IsPattern(db)
	}
	if !patterns && len(policy.Restrictions) == 0 {
		return nil
	}
	for _, r := range policy.Restrictions {
		set.RemoveGlobalStatic(r.Privileges.Types()...)
	}
	return &reach{patterns: g, restrictions: policy.Restrictions, known: map[string]bool{}}
}

// know gives patterns and restrictions their effect on a database in a set.
func (r *reach) know(set mysql_db.PrivilegeSet, name string) {
	lower := strings.ToLower(name)
	if r == nil || name == "" || r.known[lower] {
		return
	}
	r.known[lower] = true
	p := r.patterns.Named(name)
	var lost account.Privileges
	for _, restriction := range r.restrictions {
		if p |= restriction.Privileges; strings.EqualFold(restriction.Database, name) {
			lost |= restriction.Privileges
		}
	}
	set.AddDatabase(name, (p &^ lost).Types()...)
}

// GrantedRoles lists the roles granted to an account, and its default roles.
func (s *Session) GrantedRoles(to account.Name) (granted, defaults []account.Name) {
	rd := s.layer.Engine.Analyzer.Catalog.MySQLDb.Reader()
	defer rd.Close()
	g := s.layer.grants()
	if u, ok := g.named(to); ok {
		defaults = DefaultRolesOf(u)
	}
	return g.graph().Granted(to), defaults
}

// ActivateRoles makes these, as far as they are granted, the session's active roles.
func (s *Session) ActivateRoles(ctx *sql.Context, roles []account.Name) {
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
