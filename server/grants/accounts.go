package grants

import (
	"errors"
	"net"
	"regexp"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/mysql_db/serial"

	"emberdb/account"
)

// reservedHash is the password of accounts that nobody logs in to.
const reservedHash = "$A$005$THISISACOMBINATIONOFINVALIDSALTANDPASSWORDTHATMUSTNEVERBRBEUSED"

// AddReserved adds the locked accounts that MySQL has for objects of its own: servers that restore a
// dump of this one need them.
func AddReserved(ed *mysql_db.Editor) error {
	rows := map[string]*AccountRow{}
	for _, name := range []string{"mysql.infoschema", "mysql.session", "mysql.sys"} {
		r := NewAccount(account.Name{User: name, Host: "localhost"})
		r.User.Locked, r.User.AuthString = true, reservedHash
		for _, d := range []string{"AUDIT_ABORT_EXEMPT", "FIREWALL_EXEMPT", SystemUser} {
			r.Grants.Dynamic[d] = false
		}
		rows[name] = r
	}
	rows["mysql.infoschema"].Grants.Global = account.Select
	session := rows["mysql.session"].Grants
	session.Global = account.Shutdown | account.Super
	for d := range strings.FieldsSeq("AUTHENTICATION_POLICY_ADMIN BACKUP_ADMIN CLONE_ADMIN CONNECTION_ADMIN PERSIST_RO_VARIABLES_ADMIN " +
		"SESSION_VARIABLES_ADMIN SYSTEM_VARIABLES_ADMIN") {
		session.Dynamic[d] = false
	}
	session.AddDatabase("performance_schema", account.Select)
	session.AddTable(account.Table{Database: "mysql", Name: "user"}, account.Select)
	sys := rows["mysql.sys"].Grants
	sys.AddDatabase("sys", account.Trigger)
	sys.AddTable(account.Table{Database: "sys", Name: "sys_config"}, account.Select)
	for _, r := range rows {
		u, err := r.Seal()
		if err != nil {
			return err
		}
		ed.PutUser(u)
	}
	return nil
}

// Restore puts right what go-mysql-server loses when it reads its own format: names are found
// without case again, and roles keep WITH ADMIN OPTION. Accounts of a data directory in which
// nobody has SYSTEM_USER come from before dynamic privileges counted: those that could do
// everything then get all of them.
func Restore(ed *mysql_db.Editor, data []byte) error {
	var rows []*AccountRow
	upgrade := true
	ed.VisitUsers(func(u *mysql_db.User) {
		r := RowOf(u)
		rows = append(rows, r)
		upgrade = upgrade && !r.Grants.Has(SystemUser)
	})
	all := account.Super | account.CreateUserPrivilege | account.GrantOption
	for _, r := range rows {
		if upgrade && r.Grants.Global.Has(all) {
			r.Grants.Dynamic = Everything().Dynamic
			r.Policy.Proxies = append(r.Policy.Proxies, account.Proxy{Grant: true, Grantor: "boot@", At: time.Now().UTC()})
		}
		u, err := r.Seal()
		if err != nil {
			return err
		}
		ed.RemoveUser(KeyOf(r.Name()))
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

func IpOf(addr net.Addr) net.IP {
	if t, ok := addr.(*net.TCPAddr); ok {
		return t.IP
	}
	return nil
}

// HostMatches reports whether an account's host pattern covers a client.
func HostMatches(pattern, host string, ip net.IP) bool {
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

// Specificity orders host patterns: the longer the part before the first wildcard, the more
// specific; no wildcard beats all.
func Specificity(pattern string) int {
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
