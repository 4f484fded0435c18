package grants

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/server/virtual"
	"emberdb/sqllayer/infoschema"
)

// GrantTable is a table of the accounts.
type GrantTable struct {
	*infoschema.VirtualTable
	Columns sql.Schema
	Primary []int                                       // the columns of its primary key
	Given   []int                                       // the columns that the accounts have values for
	Of      func(r *AccountRow, add func(...any))       // the rows of an account
	Edges   func(r mysql_db.RoleEdge, add func(...any)) // the row of a role that was granted
}

func ColumnList(d *virtual.Database, table string) string {
	var names []string
	for _, c := range d.Tables[table].Schema(nil) {
		names = append(names, c.Name)
	}
	return strings.Join(names, ",")
}

func YesNo(b bool) string { return map[bool]string{true: "Y", false: "N"}[b] }

// UserRow is a row of mysql.user.
func UserRow(r *AccountRow, add func(...any)) {
	row := []any{r.User.Host, r.User.User}
	for _, s := range account.Statics[:len(account.Statics)-2] {
		row = append(row, YesNo(r.Grants.Global.Has(s.Is)))
	}
	p := &r.Policy
	row = append(row, r.User.SslType, r.User.SslCipher, r.User.X509Issuer, r.User.X509Subject, uint64(p.MaxQueries), uint64(p.MaxUpdates),
		uint64(p.MaxConnections), uint64(p.MaxUserConnections), r.User.Plugin, r.User.AuthString, YesNo(p.Expired), timeOrNull(r.User.PasswordLastChanged),
		numberOrNull(p.Lifetime), YesNo(r.User.Locked), YesNo(r.Grants.Global.Has(account.CreateRolePrivilege)), YesNo(r.Grants.Global.Has(account.DropRolePrivilege)),
		numberOrNull(p.History), numberOrNull(p.ReuseDays))
	var current any
	if p.RequireCurrent != nil {
		current = YesNo(*p.RequireCurrent != 0)
	}
	add(append(row, current, r.userAttributes())...)
}

func timeOrNull(t time.Time) any {
	if t.IsZero() || t.Unix() == 0 {
		return nil
	}
	return t
}

func numberOrNull(n *int) any {
	if n == nil {
		return nil
	}
	return uint64(*n)
}

// userAttributes is the column of mysql.user that holds what MySQL has added later, and the user's
// own attributes.
func (r *AccountRow) userAttributes() any {
	all := map[string]any{}
	p := &r.Policy
	if r.Attributes != nil {
		all["metadata"] = r.Attributes
	}
	if p.FailedAttempts != 0 || p.LockDays != 0 {
		all["Password_locking"] = map[string]any{"failed_login_attempts": p.FailedAttempts, "password_lock_time_days": p.LockDays}
	}
	if p.Second != "" {
		all["additional_password"] = p.Second
	}
	var restrictions []any
	for _, x := range p.Restrictions {
		var names []any
		for _, n := range x.Privileges.Names() {
			names = append(names, n)
		}
		restrictions = append(restrictions, map[string]any{"Database": x.Database, "Privileges": names})
	}
	if restrictions != nil {
		all["Restrictions"] = restrictions
	}
	if len(all) == 0 {
		return nil
	}
	return account.AttributeText(all)
}

// DbRows are the rows of mysql.db.
func DbRows(r *AccountRow, add func(...any)) {
	for _, db := range r.Grants.AllDatabases() {
		p, _ := r.Grants.OnDatabase(db)
		row := []any{r.User.Host, db, r.User.User}
		for _, is := range []account.Privileges{account.Select, account.Insert, account.Update, account.Delete, account.Create, account.Drop, account.GrantOption,
			account.References, account.Index, account.Alter, account.CreateTemporary, account.LockTables, account.CreateView, account.ShowView,
			account.CreateRoutine, account.AlterRoutine, account.Execute, account.Event, account.Trigger} {
			row = append(row, YesNo(p.Has(is)))
		}
		add(row...)
	}
}

// SortedEdges are granted roles in the order of role_edges.
func SortedEdges(edges []mysql_db.RoleEdge) []mysql_db.RoleEdge {
	edges = slices.Clone(edges)
	sort.Slice(edges, func(i, j int) bool {
		x, y := edges[i], edges[j]
		return strings.Join([]string{x.FromHost, x.FromUser, x.ToHost, x.ToUser}, "\x00") < strings.Join([]string{y.FromHost, y.FromUser, y.ToHost, y.ToUser}, "\x00")
	})
	return edges
}
