package account

// Statement is one of the pointer types below.
type Statement interface{ String() string }

// Name is the name of an account or role.
type Name struct{ User, Host string }

// String writes the name as SHOW GRANTS does.
func (n Name) String() string { return QuoteName(n.User) + "@" + QuoteName(n.Host) }

// Quoted writes the name as error messages do.
func (n Name) Quoted() string { return quoteShown(n.User) + "@" + quoteShown(n.Host) }

// Who is an account in a statement.
type Who struct {
	Name
	Current bool // CURRENT_USER
}

// AuthKind tells where the password of an account comes from.
type AuthKind int

// The forms of IDENTIFIED.
const (
	AuthPlugin  AuthKind = iota // IDENTIFIED WITH plugin
	AuthBy                      // ... BY 'password'
	AuthRandom                  // ... BY RANDOM PASSWORD
	AuthAs                      // ... AS 'hash'
	AuthDiscard                 // DISCARD OLD PASSWORD
)

// Auth is what a statement says of an account's password.
type Auth struct {
	Kind     AuthKind
	Plugin   string // "" where the statement names none
	Password string // BY
	Hash     string // AS
	Replace  *string
	Retain   bool
}

// Spec is an account in CREATE USER and ALTER USER.
type Spec struct {
	Who
	Auth *Auth
}

// Setting is a number that may be DEFAULT.
type Setting struct {
	Default bool
	N       int
}

// Require is the REQUIRE clause. Kind is a value of mysql.user.ssl_type.
type Require struct {
	Kind                    string
	Cipher, Issuer, Subject string
}

// Options are what CREATE USER and ALTER USER set beside the password. What is nil stays.
type Options struct {
	Require                                                    *Require
	MaxQueries, MaxUpdates, MaxConnections, MaxUserConnections *uint32
	Expire                                                     *Expire
	Lock                                                       *bool
	History, ReuseDays                                         *Setting
	RequireCurrent                                             *Setting // N is 1 with PASSWORD REQUIRE CURRENT, 0 with OPTIONAL
	FailedAttempts, LockDays                                   *int     // LockDays -1: UNBOUNDED
	Comment, Attribute                                         *string
}

// Expire is PASSWORD EXPIRE: at once, or after a number of days, of which 0 is NEVER.
type Expire struct {
	Now  bool
	Days Setting
}

// CreateUser is CREATE USER.
type CreateUser struct {
	IfNotExists bool
	Specs       []Spec
	Roles       []Name // DEFAULT ROLE
	Options
}

// AlterUser is ALTER USER and SET PASSWORD.
type AlterUser struct {
	IfExists bool
	Specs    []Spec
	Roles    *RoleChoice // DEFAULT ROLE
	Set      bool        // written as SET PASSWORD
	Options
}

// CreateRole is CREATE ROLE.
type CreateRole struct {
	IfNotExists bool
	Roles       []Name
}

// DropAccounts is DROP USER and DROP ROLE.
type DropAccounts struct {
	Role     bool
	IfExists bool
	Accounts []Who
}

// RenameUser is RENAME USER.
type RenameUser struct{ From, To []Who }

// RoleKind tells how a statement chooses roles.
type RoleKind int

// The choices.
const (
	RolesListed RoleKind = iota
	RolesNone
	RolesAll // except those listed
	RolesDefault
)

// RoleChoice is a choice of roles.
type RoleChoice struct {
	Kind  RoleKind
	Roles []Name
}

// SetRole is SET ROLE.
type SetRole struct{ RoleChoice }

// SetDefaultRole is SET DEFAULT ROLE.
type SetDefaultRole struct {
	RoleChoice
	To []Name
}

// Privilege is one privilege of a GRANT: a static one, perhaps of columns, or a dynamic one.
type Privilege struct {
	Static  Privileges
	Columns []string
	Dynamic string
}

// Level is what privileges are granted on.
type Level int

// The levels.
const (
	OnGlobal Level = iota
	OnDatabase
	OnTable
	OnFunction
	OnProcedure
	OnLibrary
)

// Object is what a GRANT is on. Database is "" for the current one.
type Object struct {
	Level          Level
	Database, Name string
}

// Grant is GRANT and REVOKE of privileges.
type Grant struct {
	Revoke                  bool
	IfExists, IgnoreUnknown bool
	All                     bool
	Privileges              []Privilege
	On                      Object
	To                      []Who
	WithGrant               bool
	As                      *Who
	AsRoles                 *RoleChoice
}

// GrantRoles is GRANT and REVOKE of roles.
type GrantRoles struct {
	Revoke                  bool
	IfExists, IgnoreUnknown bool
	Roles                   []Name
	To                      []Who
	Admin                   bool
}

// GrantProxy is GRANT PROXY and REVOKE PROXY.
type GrantProxy struct {
	Revoke                  bool
	IfExists, IgnoreUnknown bool
	On                      Who
	To                      []Who
	WithGrant               bool
}

// RevokeAll is REVOKE ALL PRIVILEGES, GRANT OPTION.
type RevokeAll struct {
	IfExists, IgnoreUnknown bool
	From                    []Who
}

// ShowGrants is SHOW GRANTS; For is the session's account if the statement names none.
type ShowGrants struct {
	For   Who
	Using []Name
}

// ShowCreateUser is SHOW CREATE USER.
type ShowCreateUser struct{ Of Who }
