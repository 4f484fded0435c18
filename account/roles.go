package account

import (
	"slices"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"
)

// RoleGraph tells which roles have been given to whom.
type RoleGraph struct {
	Edges     []mysql_db.RoleEdge
	Mandatory []Name // given to every account
}

// Granted lists the roles that an account or role has been given itself.
func (g RoleGraph) Granted(to Name) (roles []Name) {
	for _, e := range g.Edges {
		if e.ToUser == to.User && e.ToHost == to.Host {
			roles = append(roles, Name{e.FromUser, e.FromHost})
		}
	}
	for _, m := range g.Mandatory {
		if m != to && !slices.Contains(roles, m) {
			roles = append(roles, m)
		}
	}
	return roles
}

// Closure lists roles and those that they have been given.
func (g RoleGraph) Closure(roles []Name) (all []Name) {
	next := slices.Clone(roles)
	for len(next) > 0 {
		r := next[0]
		if next = next[1:]; slices.Contains(all, r) {
			continue
		}
		all = append(all, r)
		next = append(next, g.Granted(r)...)
	}
	return all
}

// Lines are the lines of SHOW GRANTS that tell of roles.
func (g RoleGraph) Lines(to Name) (lines []string) {
	for _, admin := range []bool{false, true} {
		var names []string
		for _, e := range g.Edges {
			if e.ToUser == to.User && e.ToHost == to.Host && e.WithAdminOption == admin {
				names = append(names, Name{e.FromUser, e.FromHost}.String())
			}
		}
		if sort.Strings(names); len(names) > 0 {
			lines = append(lines, "GRANT "+strings.Join(names, ",")+" TO "+to.String()+when(admin, " WITH ADMIN OPTION"))
		}
	}
	return lines
}
