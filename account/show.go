package account

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"
)

// GrantLines are the lines of SHOW GRANTS that tell of privileges.
func (g *Grants) GrantLines(to Name) (lines []string) {
	line := func(what, on string, p Privileges) {
		lines = append(lines, "GRANT "+what+" ON "+on+" TO "+to.String()+when(p.Has(GrantOption), " WITH GRANT OPTION"))
	}
	line(privilegeText(g.Global, 0), "*.*", g.Global) // ALL PRIVILEGES is never written for *.*
	lines = append(lines, g.dynamicLines(to)...)
	for _, db := range sortedDatabases(g.Databases) {
		line(privilegeText(g.Databases[db], DatabaseLevel), QuoteName(db)+".*", g.Databases[db])
	}
	for _, t := range g.AllTables() {
		line(g.tableText(t), QuoteName(t.Database)+"."+QuoteName(t.Name), g.OnTable(t))
	}
	for _, r := range g.AllRoutines() {
		line(privilegeText(g.Routines[r], 0), r.Kind.String()+" "+QuoteName(r.Database)+"."+QuoteName(r.Name), g.Routines[r])
	}
	return lines
}

// privilegeText is the list of a GRANT; all is what ALL PRIVILEGES stands for.
func privilegeText(p, all Privileges) string {
	switch p &^= GrantOption; {
	case p == 0:
		return "USAGE"
	case all != 0 && p == all:
		return "ALL PRIVILEGES"
	}
	return strings.Join(p.Names(), ", ")
}

func (g *Grants) dynamicLines(to Name) (lines []string) {
	for _, may := range []bool{false, true} {
		var list []string
		for name, passed := range g.Dynamic {
			if passed == may {
				list = append(list, name)
			}
		}
		if slices.Sort(list); len(list) > 0 {
			lines = append(lines, "GRANT "+strings.Join(list, ",")+" ON *.* TO "+to.String()+when(may, " WITH GRANT OPTION"))
		}
	}
	return lines
}

// sortedDatabases puts patterns behind names.
func sortedDatabases(m map[string]Privileges) []string {
	return sortedKeys(m, func(db string) string { return strconv.FormatBool(IsPattern(db)) + db })
}

func sortedKeys[K comparable](m map[K]Privileges, by func(K) string) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return by(keys[i]) < by(keys[j]) })
	return keys
}

// AllDatabases lists the databases and patterns with grants.
func (g *Grants) AllDatabases() []string { return sortedDatabases(g.Databases) }

// AllTables lists the tables with grants on them or on their columns.
func (g *Grants) AllTables() []Table {
	all := map[Table]Privileges{}
	for t := range g.Tables {
		all[t] = 0
	}
	for c := range g.Columns {
		all[g.table(c.Table)] = 0
	}
	return sortedKeys(all, func(t Table) string { return t.Database + "\x00" + t.Name })
}

// AllColumns lists the columns with grants.
func (g *Grants) AllColumns() []Column {
	return sortedKeys(g.Columns, func(c Column) string { return c.Database + "\x00" + c.Name + "\x00" + c.Column })
}

// AllRoutines lists the routines with grants: procedures, functions, libraries.
func (g *Grants) AllRoutines() []Routine {
	order := [...]string{Procedure: "0", Function: "1", Library: "2"}
	return sortedKeys(g.Routines, func(r Routine) string { return order[r.Kind] + r.Database + "\x00" + r.Name })
}

// tableText lists the privileges on a table, each followed by that on columns.
func (g *Grants) tableText(t Table) string {
	own := g.OnTable(t)
	if own&^GrantOption == TableLevel {
		return "ALL PRIVILEGES"
	}
	var parts []string
	for _, s := range Statics {
		if s.Is != GrantOption && own.Has(s.Is) {
			parts = append(parts, s.Name)
		}
		var columns []string
		for c, p := range g.Columns {
			if c.same(t) && p.Has(s.Is) {
				columns = append(columns, QuoteName(c.Column))
			}
		}
		if slices.Sort(columns); len(columns) > 0 {
			parts = append(parts, s.Name+" ("+strings.Join(columns, ", ")+")")
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "USAGE")
}

// RestrictionLines are the lines of SHOW GRANTS that tell of partial revokes.
func (p *Policy) RestrictionLines(to Name) (lines []string) {
	for _, r := range p.Restrictions {
		lines = append(lines, "REVOKE "+strings.Join(r.Privileges.Names(), ", ")+" ON "+QuoteName(r.Database)+".* FROM "+to.String())
	}
	slices.Sort(lines)
	return lines
}

// ProxyLines are the lines of SHOW GRANTS that tell of accounts that this one may act for.
func (p *Policy) ProxyLines(to Name) (lines []string) {
	for _, x := range p.SortedProxies() {
		lines = append(lines, "GRANT PROXY ON "+x.On.String()+" TO "+to.String()+when(x.Grant, " WITH GRANT OPTION"))
	}
	return lines
}

// SortedProxies puts literal hosts before patterns, and the empty name last.
func (p *Policy) SortedProxies() []Proxy {
	rank := func(x Proxy) int {
		switch {
		case x.On.Host == "":
			return 2
		case strings.ContainsAny(x.On.Host, "%_"):
			return 1
		}
		return 0
	}
	sorted := slices.Clone(p.Proxies)
	slices.SortStableFunc(sorted, func(a, b Proxy) int { return cmp.Compare(rank(a), rank(b)) })
	return sorted
}

// CreateUserText is the statement that makes an account; hash is whether it shows the password's.
func CreateUserText(u *mysql_db.User, hexHash bool) string {
	p, attributes := PolicyOf(u)
	text := "CREATE USER " + Name{u.User, u.Host}.String() + " IDENTIFIED WITH '" + u.Plugin + "'"
	if u.AuthString != "" {
		text += " AS " + hashText(u.AuthString, hexHash)
	}
	if len(p.DefaultRoles) > 0 {
		var roles []string
		for _, r := range p.DefaultRoles {
			roles = append(roles, r.String())
		}
		slices.Sort(roles)
		text += " DEFAULT ROLE " + strings.Join(roles, ",")
	}
	text += p.createOptions(u)
	if attributes != nil {
		text += " ATTRIBUTE " + quoteShown(AttributeText(attributes))
	}
	return text
}

func hashText(hash string, hexHash bool) string {
	if hexHash {
		return fmt.Sprintf("0x%X", hash)
	}
	return strings.ReplaceAll(quoteShown(hash), `"`, `\"`)
}

func (p *Policy) createOptions(u *mysql_db.User) string {
	require := Require{u.SslType, u.SslCipher, u.X509Issuer, u.X509Subject}
	o := Options{Require: &require, Expire: &Expire{Now: p.Expired, Days: settingOf(p.Lifetime)}, Lock: &u.Locked}
	for _, l := range []struct {
		n  *uint32
		to **uint32
	}{{&p.MaxQueries, &o.MaxQueries}, {&p.MaxUpdates, &o.MaxUpdates}, {&p.MaxConnections, &o.MaxConnections}, {&p.MaxUserConnections, &o.MaxUserConnections}} {
		if *l.n != 0 {
			*l.to = l.n
		}
	}
	history, reuse, current := settingOf(p.History), settingOf(p.ReuseDays), settingOf(p.RequireCurrent)
	o.History, o.ReuseDays, o.RequireCurrent = &history, &reuse, &current
	if p.FailedAttempts != 0 {
		o.FailedAttempts = &p.FailedAttempts
	}
	if p.LockDays != 0 {
		o.LockDays = &p.LockDays
	}
	return o.sql()
}

func settingOf(n *int) Setting {
	if n == nil {
		return Setting{Default: true}
	}
	return Setting{N: *n}
}

// AttributeText writes the user's attributes as MySQL prints JSON: keys by their length, then by
// their bytes.
func AttributeText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Slice(keys, func(i, j int) bool {
			return cmp.Or(cmp.Compare(len(keys[i]), len(keys[j])), cmp.Compare(keys[i], keys[j])) < 0
		})
		var parts []string
		for _, k := range keys {
			parts = append(parts, jsonText(k)+": "+AttributeText(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, AttributeText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return jsonText(v)
}

func jsonText(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
