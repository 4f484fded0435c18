package trees

import (
	"emberdb/sqllayer/tabledef"
)

// Role names a role, or the account that it is granted to.
type Role struct{ User, Host string }

func (r Role) String() string { return tabledef.QuoteName(r.User) + "@" + tabledef.QuoteName(r.Host) }

func (r Role) Quoted() string { return "'" + r.User + "'@'" + r.Host + "'" }
