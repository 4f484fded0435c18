package ast

// Grant is GRANT and REVOKE of privileges, roles and proxies.
type Grant struct {
	Span
	Revoke        bool
	IfExists      bool // REVOKE
	Kind          GrantKind
	Privileges    []Privilege // of GrantPrivileges; empty: ALL
	Roles         []Account   // of GrantRoles
	Proxy         *Account    // of GrantProxy
	On            *GrantLevel // of GrantPrivileges; nil: REVOKE ALL PRIVILEGES, GRANT OPTION
	To            []Account
	Option        bool // WITH GRANT OPTION, WITH ADMIN OPTION
	As            *GrantAs
	IgnoreUnknown bool // REVOKE ... IGNORE UNKNOWN USER
}

// GrantKind is what is granted.
type GrantKind uint8

const (
	GrantPrivileges GrantKind = iota
	GrantRoles
	GrantProxy
)

// Privilege is a privilege, with the columns it is for. Name is a static privilege in capitals, or
// a dynamic one as written.
type Privilege struct {
	Span
	Name    string
	Dynamic bool
	Columns []Ident
}

// GrantObject is the word in front of a GrantLevel.
type GrantObject uint8

const (
	GrantOnTable GrantObject = iota // not written
	GrantOnTableWord
	GrantOnFunction
	GrantOnProcedure
	GrantOnLibrary
)

// GrantLevel is what privileges are for: an object, schema.*, *.* or *.
type GrantLevel struct {
	Span
	Object    GrantObject
	AllSchema bool // *.*
	All       bool // schema.*, or * for the current one
	Name      TableName
}

// GrantAs is AS user [WITH ROLE roles].
type GrantAs struct {
	Span
	User  *Account
	Roles *RoleSet
}

func (*Grant) statement() {}
