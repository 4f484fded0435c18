package server

import (
	"errors"
	"net"
	"sort"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/server/backend"
	"emberdb/server/grants"
	"emberdb/sqllayer"
	"emberdb/sqllayer/trees"
)

// accounts reads go-mysql-server's grant tables the way a login needs them, and keeps them durable
// through the backend.
//
// The account of a client is the most specific match of its user name and host, as in MySQL: a
// literal host before a network before a pattern before '%', and for equal hosts a named user
// before the anonymous one.
type accounts struct {
	db    *mysql_db.MySQLDb
	store backend.Backend
	// open: skip_grant_tables lets everybody in as everyman, whose rights are all there are.
	open atomic.Bool
}

// everyman is the account of every client under skip_grant_tables. No client's host has its name.
var everyman = clientAccount{user: "skip-grants user", host: "skip-grants host"}

// openToAll begins skip_grant_tables. The account is not kept.
func (a *accounts) openToAll() error {
	ed := a.db.Editor()
	defer ed.Close()
	a.db.AddEphemeralSuperUser(ed, everyman.user, everyman.host, "")
	u, _ := ed.GetUser(grants.KeyOf(everyman.name()))
	r := grants.RowOf(u)
	r.Grants = grants.Everything()
	u, err := r.Seal()
	if err != nil {
		return err
	}
	ed.RemoveUser(grants.KeyOf(everyman.name()))
	ed.PutUser(u)
	a.open.Store(true)
	return nil
}

// clientAccount is what a login needs of a row of mysql.user.
type clientAccount struct {
	user, host string
	plugin     string
	stored     string // hash of the password, "" = none
	changed    time.Time
	locked     bool
	isRole     bool
	sslType    string
	cipher     string
	issuer     string
	subject    string
	policy     account.Policy
}

func (a clientAccount) name() account.Name { return account.Name{User: a.user, Host: a.host} }

func (a clientAccount) key() string { return a.user + "\x00" + a.host }

func accountOf(u *mysql_db.User) clientAccount {
	a := clientAccount{user: u.User, host: u.Host, plugin: u.Plugin, stored: u.AuthString, changed: u.PasswordLastChanged, locked: u.Locked,
		isRole: u.IsRole, sslType: u.SslType, cipher: u.SslCipher, issuer: u.X509Issuer, subject: u.X509Subject}
	a.policy, _ = account.PolicyOf(u)
	return a
}

// loadAccounts fills the grant tables from the backend; a new data directory gets root@localhost
// without a password.
func loadAccounts(s *Server) (*accounts, error) {
	a := &accounts{db: s.sql.Analyzer.Catalog.MySQLDb, store: s.backend}
	a.db.SetPersister(a)
	data, err := a.store.LoadAccounts()
	if err != nil {
		return nil, err
	}
	ctx := sql.NewEmptyContext()
	a.db.SetEnabled(true)
	if data == nil {
		a.db.AddRootAccount()
	}
	ed := a.db.Editor()
	defer ed.Close()
	if data != nil {
		if err := a.db.OverwriteUsersAndGrantData(ctx, ed, data); err != nil {
			return nil, err
		}
		return a, grants.Restore(ed, data)
	}
	root, _ := ed.GetUser(mysql_db.UserPrimaryKey{User: "root", Host: "localhost"})
	root.Plugin = grants.PluginSha2
	if err := errors.Join(grants.Restore(ed, nil), grants.AddReserved(ed)); err != nil {
		return nil, err
	}
	return a, a.db.Persist(ctx, ed)
}

// Persist implements mysql_db.MySQLDbPersistence: it runs inside GRANT, CREATE USER and the like.
func (a *accounts) Persist(ctx *sql.Context, data []byte) error {
	return a.store.SaveAccounts(sqllayer.WithLog(ctx), data)
}

// named returns the account of a definer.
func (a *accounts) named(r trees.Role) (clientAccount, bool) {
	rd := a.db.Reader()
	defer rd.Close()
	u, ok := rd.GetUser(mysql_db.UserPrimaryKey{User: r.User, Host: r.Host})
	if !ok {
		return clientAccount{user: r.User, host: r.Host}, false
	}
	return accountOf(u), true
}

// find returns the account of a client.
func (a *accounts) find(user string, addr net.Addr) (clientAccount, bool) {
	host := hostOf(addr)
	ip := grants.IpOf(addr)
	rd := a.db.Reader()
	defer rd.Close()
	var matches []*mysql_db.User
	for _, name := range []string{user, ""} {
		for _, u := range rd.GetUsersByUsername(name) {
			if !u.IsRole && grants.HostMatches(u.Host, host, ip) {
				matches = append(matches, u)
			}
		}
		if user == "" {
			break
		}
	}
	if len(matches) == 0 {
		return clientAccount{user: user, host: host}, false
	}
	sort.SliceStable(matches, func(i, j int) bool {
		x, y := grants.Specificity(matches[i].Host), grants.Specificity(matches[j].Host)
		if x != y {
			return x > y
		}
		return matches[i].User != "" && matches[j].User == ""
	})
	return accountOf(matches[0]), true
}

// isAdmin reports whether the account may use the connection kept for administrators.
func (a *accounts) isAdmin(acct clientAccount) bool {
	rd := a.db.Reader()
	defer rd.Close()
	u, ok := rd.GetUser(mysql_db.UserPrimaryKey{User: acct.user, Host: acct.host})
	return ok && (u.PrivilegeSet.Has(sql.PrivilegeType_Super) || u.PrivilegeSet.HasDynamic("connection_admin"))
}

// rootWithoutPassword reports whether anybody could log in as an administrator without a password.
func (a *accounts) rootWithoutPassword() bool {
	rd := a.db.Reader()
	defer rd.Close()
	found := false
	rd.VisitUsers(func(u *mysql_db.User) {
		if u.AuthString == "" && !u.Locked && !u.IsRole && u.PrivilegeSet.Has(sql.PrivilegeType_Super) {
			found = true
		}
	})
	return found
}
