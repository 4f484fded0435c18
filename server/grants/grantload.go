package grants

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/server/virtual"
	"emberdb/sqllayer"
)

// HeldDraft is the draft, locked from before the accounts are to after them.
type HeldDraft struct {
	sqllayer.HeldRows
	Drafted bool
	Changed bool // keep what was changed
}

func (h *HeldDraft) IsDraft() bool { return h != nil && h.Drafted }

// Finish lets go of it.
func (h *HeldDraft) Finish() {
	if h != nil {
		_ = h.End(h.Changed) // a failed commit has failed the server
	}
}

// AccountLoad makes accounts of rows.
type AccountLoad struct {
	Rows  map[account.Name]*AccountRow
	Edges []mysql_db.RoleEdge
}

// Table reads a table; that of the users is the first.
func (l *AccountLoad) Table(t *GrantTable, h *HeldDraft) (err error) {
	return errors.Join(h.eachRow(t, func(r TextRow) {
		if err == nil {
			err = l.row(grantRow{t, r})
		}
	}), err)
}

func (h *HeldDraft) eachRow(t *GrantTable, add func(TextRow)) error {
	return t.Drafted(h.SystemRows, add)
}

// grantRow is a row that is read by the names of its columns.
type grantRow struct {
	t *GrantTable
	r TextRow
}

func (g grantRow) text(column string) string {
	i := g.t.column(column)
	if i < 0 {
		return ""
	}
	return g.r.text(i)
}

func (g grantRow) isNull(column string) bool { return g.r[g.t.column(column)] == nil }

func (g grantRow) yes(column string) bool { return g.text(column) == "Y" }

func (g grantRow) name(user, host string) account.Name {
	return account.Name{User: g.text(user), Host: strings.ToLower(g.text(host))}
}

func (g grantRow) number(column string) (uint32, error) {
	n, err := strconv.ParseUint(g.text(column), 10, 32)
	if err != nil {
		err = fmt.Errorf("mysql.%s.%s: %w", g.t.Name(), column, err)
	}
	return uint32(n), err
}

// optional is a number that may be NULL.
func (g grantRow) optional(column string) (*int, error) {
	if g.isNull(column) {
		return nil, nil
	}
	n, err := g.number(column)
	v := int(n)
	return &v, err
}

// time is a moment; NULL and what is none is zero.
func (g grantRow) time(column string) time.Time {
	at, _ := time.Parse(grantTime, g.text(column))
	return at
}

// privileges are those of the columns Select_priv and its kin.
func (g grantRow) privileges() (p account.Privileges) {
	for _, s := range account.Statics {
		if g.yes(s.Column) {
			p |= s.Is
		}
	}
	return p
}

// members are the privileges of a SET.
func (g grantRow) members(column string) (p account.Privileges) {
	for m := range strings.SplitSeq(g.text(column), ",") {
		for _, s := range account.Statics {
			if s.Member != "" && strings.EqualFold(s.Member, m) {
				p |= s.Is
			}
		}
	}
	return p
}

// row adds what a row says to the account that it is about; what is about none counts for nothing,
// as in MySQL.
func (l *AccountLoad) row(g grantRow) error {
	switch g.t.Name() {
	case "user":
		return l.user(g)
	case "role_edges":
		from, to := g.name("from_user", "from_host"), g.name("to_user", "to_host")
		if l.Rows[from] != nil && l.Rows[to] != nil {
			l.Edges = append(l.Edges, mysql_db.RoleEdge{FromUser: from.User, FromHost: from.Host, ToUser: to.User, ToHost: to.Host,
				WithAdminOption: g.yes("with_admin_option")})
		}
		return nil
	}
	r := l.Rows[g.name("user", "host")]
	if r == nil {
		return nil
	}
	table := account.Table{Database: g.text("db"), Name: g.text("table_name")}
	switch g.t.Name() {
	case "db":
		r.Grants.AddDatabase(g.text("db"), g.privileges()&(account.DatabaseLevel|account.GrantOption))
	case "tables_priv":
		r.Grants.AddTable(table, g.members("table_priv"))
	case "columns_priv":
		r.Grants.AddColumn(account.Column{Table: table, Column: g.text("column_name")}, g.members("column_priv"))
	case "procs_priv":
		kind := map[string]account.RoutineKind{"PROCEDURE": account.Procedure, "LIBRARY": account.Library}[g.text("routine_type")]
		r.Grants.AddRoutine(account.Routine{Database: g.text("db"), Name: g.text("routine_name"), Kind: kind}, g.members("proc_priv"))
	case "global_grants":
		if name := strings.ToUpper(g.text("priv")); account.IsDynamic(name) {
			r.Grants.Dynamic[name] = g.yes("with_grant_option")
		}
	case "default_roles":
		if role := g.name("default_role_user", "default_role_host"); l.Rows[role] != nil {
			r.Policy.DefaultRoles = append(r.Policy.DefaultRoles, role)
		}
	case "proxies_priv":
		r.Policy.Proxies = append(r.Policy.Proxies, account.Proxy{On: g.name("proxied_user", "proxied_host"), Grant: g.text("with_grant") != "0",
			Grantor: g.text("grantor"), At: g.time("timestamp")})
	case "password_history":
		r.Policy.Used = append(r.Policy.Used, account.Used{At: g.time("password_timestamp"), Hash: g.text("password")})
		slices.SortStableFunc(r.Policy.Used, func(a, b account.Used) int { return b.At.Compare(a.At) })
	}
	return nil
}

// user makes an account.
func (l *AccountLoad) user(g grantRow) (err error) {
	r := NewAccount(g.name("user", "host"))
	u, p := r.User, &r.Policy
	r.Grants.Global = g.privileges()
	u.SslType, u.SslCipher, u.X509Issuer, u.X509Subject = g.text("ssl_type"), g.text("ssl_cipher"), g.text("x509_issuer"), g.text("x509_subject")
	u.Plugin, u.AuthString, u.PasswordLastChanged = g.text("plugin"), g.text("authentication_string"), g.time("password_last_changed")
	u.Locked, p.Expired = g.yes("account_locked"), g.yes("password_expired")
	for column, to := range map[string]*uint32{"max_questions": &p.MaxQueries, "max_updates": &p.MaxUpdates, "max_connections": &p.MaxConnections,
		"max_user_connections": &p.MaxUserConnections} {
		if *to, err = g.number(column); err != nil {
			return err
		}
	}
	for column, to := range map[string]**int{"password_lifetime": &p.Lifetime, "password_reuse_history": &p.History, "password_reuse_time": &p.ReuseDays} {
		if *to, err = g.optional(column); err != nil {
			return err
		}
	}
	if !g.isNull("password_require_current") {
		n := virtual.B2i(g.yes("password_require_current"))
		p.RequireCurrent = &n
	}
	if !g.isNull("user_attributes") {
		if err := r.readAttributes(g.text("user_attributes")); err != nil {
			return fmt.Errorf("mysql.user.User_attributes of %s: %w", r.Name(), err)
		}
	}
	l.Rows[r.Name()] = r
	return nil
}

// readAttributes is the inverse of userAttributes.
func (r *AccountRow) readAttributes(text string) error {
	v, err := account.DecodeJSON(text)
	if err != nil {
		return err
	}
	all, ok := v.(map[string]any)
	if !ok {
		return errors.New("no object")
	}
	p := &r.Policy
	if m, has := all["metadata"]; has {
		if r.Attributes, ok = m.(map[string]any); !ok {
			return errors.New("metadata is no object")
		}
	}
	if m, has := all["Password_locking"]; has {
		locking, ok := m.(map[string]any)
		attempts, err := wholeNumber(locking["failed_login_attempts"])
		days, daysErr := wholeNumber(locking["password_lock_time_days"])
		if !ok || err != nil || daysErr != nil || attempts < 0 || days < -1 {
			return errors.New("Password_locking")
		}
		p.FailedAttempts, p.LockDays = attempts, days
	}
	if m, has := all["additional_password"]; has {
		if p.Second, ok = m.(string); !ok {
			return errors.New("additional_password")
		}
	}
	restrictions, _ := all["Restrictions"].([]any)
	for _, m := range restrictions {
		one, _ := m.(map[string]any)
		db, ok := one["Database"].(string)
		names, listed := one["Privileges"].([]any)
		if !ok || !listed {
			return errors.New("Restrictions")
		}
		p.Restrict(db, namedPrivileges(names))
	}
	return nil
}

func wholeNumber(v any) (int, error) {
	n, err := strconv.Atoi(fmt.Sprint(v))
	if n > math.MaxInt16 {
		err = strconv.ErrRange
	}
	return n, err
}

func namedPrivileges(names []any) (p account.Privileges) {
	for _, n := range names {
		for _, s := range account.Statics {
			if n == s.Name {
				p |= s.Is
			}
		}
	}
	return p
}

// HasAdministrator tells whether anybody could log in and mend the accounts.
func (l *AccountLoad) HasAdministrator() bool {
	for _, r := range l.Rows {
		if !r.User.Locked && r.Grants.Global.Has(account.CreateUserPrivilege|account.GrantOption) {
			return true
		}
	}
	return false
}
