package server

import (
	"errors"
	"net"
	"regexp"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/mysql_db/serial"

	"emberdb/account"
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
	store Backend
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
	u, _ := ed.GetUser(keyOf(everyman.name()))
	r := rowOf(u)
	r.grants = everything()
	u, err := r.seal()
	if err != nil {
		return err
	}
	ed.RemoveUser(keyOf(everyman.name()))
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
		return a, restore(ed, data)
	}
	root, _ := ed.GetUser(mysql_db.UserPrimaryKey{User: "root", Host: "localhost"})
	root.Plugin = pluginSha2
	if err := errors.Join(restore(ed, nil), addReserved(ed)); err != nil {
		return nil, err
	}
	return a, a.db.Persist(ctx, ed)
}

// reservedHash is the password of accounts that nobody logs in to.
const reservedHash = "$A$005$THISISACOMBINATIONOFINVALIDSALTANDPASSWORDTHATMUSTNEVERBRBEUSED"

// addReserved adds the locked accounts that MySQL has for objects of its own: servers that restore a
// dump of this one need them.
func addReserved(ed *mysql_db.Editor) error {
	rows := map[string]*accountRow{}
	for _, name := range []string{"mysql.infoschema", "mysql.session", "mysql.sys"} {
		r := newAccount(account.Name{User: name, Host: "localhost"})
		r.user.Locked, r.user.AuthString = true, reservedHash
		for _, d := range []string{"AUDIT_ABORT_EXEMPT", "FIREWALL_EXEMPT", systemUser} {
			r.grants.Dynamic[d] = false
		}
		rows[name] = r
	}
	rows["mysql.infoschema"].grants.Global = account.Select
	session := rows["mysql.session"].grants
	session.Global = account.Shutdown | account.Super
	for d := range strings.FieldsSeq("AUTHENTICATION_POLICY_ADMIN BACKUP_ADMIN CLONE_ADMIN CONNECTION_ADMIN PERSIST_RO_VARIABLES_ADMIN " +
		"SESSION_VARIABLES_ADMIN SYSTEM_VARIABLES_ADMIN") {
		session.Dynamic[d] = false
	}
	session.AddDatabase("performance_schema", account.Select)
	session.AddTable(account.Table{Database: "mysql", Name: "user"}, account.Select)
	sys := rows["mysql.sys"].grants
	sys.AddDatabase("sys", account.Trigger)
	sys.AddTable(account.Table{Database: "sys", Name: "sys_config"}, account.Select)
	for _, r := range rows {
		u, err := r.seal()
		if err != nil {
			return err
		}
		ed.PutUser(u)
	}
	return nil
}

// restore puts right what go-mysql-server loses when it reads its own format: names are found
// without case again, and roles keep WITH ADMIN OPTION. Accounts of a data directory in which
// nobody has SYSTEM_USER come from before dynamic privileges counted: those that could do
// everything then get all of them.
func restore(ed *mysql_db.Editor, data []byte) error {
	var rows []*accountRow
	upgrade := true
	ed.VisitUsers(func(u *mysql_db.User) {
		r := rowOf(u)
		rows = append(rows, r)
		upgrade = upgrade && !r.grants.Has(systemUser)
	})
	all := account.Super | account.CreateUserPrivilege | account.GrantOption
	for _, r := range rows {
		if upgrade && r.grants.Global.Has(all) {
			r.grants.Dynamic = everything().Dynamic
			r.policy.Proxies = append(r.policy.Proxies, account.Proxy{Grant: true, Grantor: "boot@", At: time.Now().UTC()})
		}
		u, err := r.seal()
		if err != nil {
			return err
		}
		ed.RemoveUser(keyOf(r.name()))
		ed.PutUser(u)
	}
	if data == nil {
		return nil
	}
	return restoreEdges(ed, serial.GetRootAsMySQLDb(data, 0))
}

func restoreEdges(ed *mysql_db.Editor, from *serial.MySQLDb) (err error) {
	defer func() {
		if recover() != nil { // the library checks no offset
			err = errors.New("role_edges of the accounts cannot be read")
		}
	}()
	for i := range from.RoleEdgesLength() {
		var e serial.RoleEdge
		if from.RoleEdges(&e, i) && e.WithAdminOption() {
			edge := mysql_db.RoleEdge{FromUser: string(e.FromUser()), FromHost: string(e.FromHost()), ToUser: string(e.ToUser()), ToHost: string(e.ToHost())}
			ed.RemoveRoleEdge(mysql_db.RoleEdgesPrimaryKey{FromHost: edge.FromHost, FromUser: edge.FromUser, ToHost: edge.ToHost, ToUser: edge.ToUser})
			edge.WithAdminOption = true
			ed.PutRoleEdge(&edge)
		}
	}
	return nil
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
	ip := ipOf(addr)
	rd := a.db.Reader()
	defer rd.Close()
	var matches []*mysql_db.User
	for _, name := range []string{user, ""} {
		for _, u := range rd.GetUsersByUsername(name) {
			if !u.IsRole && hostMatches(u.Host, host, ip) {
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
		x, y := specificity(matches[i].Host), specificity(matches[j].Host)
		if x != y {
			return x > y
		}
		return matches[i].User != "" && matches[j].User == ""
	})
	return accountOf(matches[0]), true
}

func ipOf(addr net.Addr) net.IP {
	if t, ok := addr.(*net.TCPAddr); ok {
		return t.IP
	}
	return nil
}

// hostMatches reports whether an account's host pattern covers a client.
func hostMatches(pattern, host string, ip net.IP) bool {
	pattern = strings.ToLower(pattern)
	if pattern == "%" || pattern == "" || pattern == strings.ToLower(host) {
		return true
	}
	if ip != nil {
		if p := net.ParseIP(pattern); p != nil {
			return p.Equal(ip)
		}
		if _, network, err := net.ParseCIDR(pattern); err == nil {
			return network.Contains(ip)
		}
		if base, mask, ok := strings.Cut(pattern, "/"); ok {
			return maskMatches(base, mask, ip)
		}
	}
	if !strings.ContainsAny(pattern, "%_") {
		return false
	}
	re := regexp.MustCompile("^" + strings.NewReplacer("%", ".*", "_", ".").Replace(regexp.QuoteMeta(pattern)) + "$")
	return re.MatchString(strings.ToLower(host)) || ip != nil && re.MatchString(ip.String())
}

// maskMatches compares under a dotted netmask: 10.1.0.0/255.255.0.0.
func maskMatches(base, mask string, ip net.IP) bool {
	b, m, ip4 := net.ParseIP(base).To4(), net.ParseIP(mask).To4(), ip.To4()
	if b == nil || m == nil || ip4 == nil {
		return false
	}
	return b.Equal(ip4.Mask(net.IPMask(m)))
}

// specificity orders host patterns: the longer the part before the first wildcard, the more
// specific; no wildcard beats all.
func specificity(pattern string) int {
	switch i := strings.IndexAny(pattern, "%_"); {
	case pattern == "":
		return -1
	case i >= 0:
		return i
	case strings.Contains(pattern, "/"):
		return 1 << 10
	}
	return 1 << 20
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
