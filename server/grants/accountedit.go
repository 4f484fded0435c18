package grants

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
)

// AccountRow is an account of the grant tables, taken apart.
type AccountRow struct {
	User       *mysql_db.User
	Grants     *account.Grants
	Policy     account.Policy
	Attributes map[string]any // what users see; nil: none
}

func RowOf(u *mysql_db.User) *AccountRow {
	own := *u
	r := &AccountRow{User: &own, Grants: account.GrantsOf(u.PrivilegeSet)}
	r.Policy, r.Attributes = account.PolicyOf(u)
	return r
}

func (r *AccountRow) Name() account.Name { return account.Name{User: r.User.User, Host: r.User.Host} }

// Seal makes the row one for the grant tables.
func (r *AccountRow) Seal() (*mysql_db.User, error) {
	r.User.PrivilegeSet = r.Grants.Set()
	return r.User, account.SetPolicy(r.User, r.Policy, r.Attributes)
}

func KeyOf(n account.Name) mysql_db.UserPrimaryKey {
	return mysql_db.UserPrimaryKey{User: n.User, Host: n.Host}
}

func FromOf(r mysql_db.RoleEdge) account.Name {
	return account.Name{User: r.FromUser, Host: r.FromHost}
}

func ToOf(r mysql_db.RoleEdge) account.Name { return account.Name{User: r.ToUser, Host: r.ToHost} }

// NewAccount is an account without rights.
func NewAccount(n account.Name) *AccountRow {
	u := &mysql_db.User{User: n.User, Host: n.Host, Plugin: PluginSha2, PasswordLastChanged: time.Now().UTC()}
	return &AccountRow{User: u, Grants: account.NewGrants()}
}
