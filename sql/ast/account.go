package ast

// Account is 'user'@'host', a user without host, or CURRENT_USER. Roles are accounts.
type Account struct {
	Span
	Current bool // CURRENT_USER: User and Host are absent
	User    Ident
	Host    Ident
}

// CreateUser is CREATE USER and ALTER USER.
type CreateUser struct {
	Span
	Alter        bool
	IfExists     bool // ALTER: IF EXISTS; CREATE: IF NOT EXISTS
	Users        []UserSpec
	DefaultRole  *RoleSet // ALTER: nothing else follows
	Require      *Require
	Resources    []AccountOption
	Options      []AccountOption
	Comment      *Literal // one of Comment and Attribute
	Attribute    *Literal
	Registration *FactorRegistration // ALTER: nothing else follows
}

// UserSpec is one account of CREATE USER or ALTER USER and how it proves itself.
type UserSpec struct {
	Span
	Account *Account     // nil: USER()
	Auth    []AuthFactor // CREATE: up to three factors; ALTER: the first one
	Initial *AuthFactor  // INITIAL AUTHENTICATION
	Discard bool         // DISCARD OLD PASSWORD
	Changes []FactorChange
}

// AuthKind says where the secret of a factor comes from.
type AuthKind uint8

const (
	AuthNone   AuthKind = iota // the plugin alone
	AuthBy                     // BY 'password'
	AuthRandom                 // BY RANDOM PASSWORD
	AuthAs                     // AS 'hash'
)

// AuthFactor is IDENTIFIED [WITH plugin] with a secret.
type AuthFactor struct {
	Span
	Plugin  Ident
	Kind    AuthKind
	Text    *Literal
	Replace *Literal // the current password
	Retain  bool     // RETAIN CURRENT PASSWORD
}

// FactorVerb is ADD, MODIFY or DROP of a factor.
type FactorVerb uint8

const (
	AddFactor FactorVerb = iota
	ModifyFactor
	DropFactor
)

// FactorChange changes one factor of an account.
type FactorChange struct {
	Span
	Verb   FactorVerb
	Factor string // digits
	Auth   *AuthFactor
}

// RegistrationVerb is a step of the registration of a device.
type RegistrationVerb uint8

const (
	InitiateRegistration RegistrationVerb = iota
	FinishRegistration
	Unregister
)

// FactorRegistration is the registration of a factor's device.
type FactorRegistration struct {
	Span
	Factor   string // digits
	Verb     RegistrationVerb
	Response *Literal
}

// Require is REQUIRE.
type Require struct {
	Span
	Kind    RequireKind
	Subject *Literal
	Issuer  *Literal
	Cipher  *Literal

	Repeated bool // one of them is given twice
}

// RequireKind is what a connection must have.
type RequireKind uint8

const (
	RequireNone RequireKind = iota
	RequireTLS              // SSL
	RequireX509
	RequireSpecified // subject, issuer, cipher
)

// AccountOptionKind is the kind of an AccountOption.
type AccountOptionKind uint8

const (
	MaxQueriesPerHour AccountOptionKind = iota
	MaxUpdatesPerHour
	MaxConnectionsPerHour
	MaxUserConnections
	AccountLock
	AccountUnlock
	PasswordExpire
	PasswordExpireNever
	PasswordExpireDefault
	PasswordExpireInterval // Number
	PasswordHistory        // Number, or DEFAULT
	PasswordReuse          // Number, or DEFAULT
	PasswordRequireCurrent
	PasswordRequireOptional
	PasswordRequireDefault
	FailedLoginAttempts // Number
	PasswordLockTime    // Number, or UNBOUNDED
)

// AccountOption is a limit or an option of accounts. Number is "" for DEFAULT and UNBOUNDED.
type AccountOption struct {
	Span
	Kind   AccountOptionKind
	Number string // digits
}

// DropUser is DROP USER and DROP ROLE.
type DropUser struct {
	Span
	Role     bool
	IfExists bool
	Users    []Account
}

// CreateRole is CREATE ROLE.
type CreateRole struct {
	Span
	IfNotExists bool
	Roles       []Account
}

// RenameUser is RENAME USER.
type RenameUser struct {
	Span
	Renames []AccountRename
}

// AccountRename is one pair of RENAME USER.
type AccountRename struct {
	Span
	From, To *Account
}

// SetPassword is SET PASSWORD. Password is nil for TO RANDOM.
type SetPassword struct {
	Span
	For      *Account
	Password *Literal
	Replace  *Literal
	Retain   bool
}

// RoleSetKind says which roles a RoleSet holds.
type RoleSetKind uint8

const (
	RoleList RoleSetKind = iota
	RoleNone
	RoleDefault
	RoleAll
	RoleAllExcept
)

// RoleSet names roles.
type RoleSet struct {
	Span
	Kind  RoleSetKind
	Roles []Account
}

// SetRole is SET ROLE, and SET DEFAULT ROLE when To is there.
type SetRole struct {
	Span
	Roles *RoleSet
	To    []Account
}

func (*CreateUser) statement()  {}
func (*DropUser) statement()    {}
func (*CreateRole) statement()  {}
func (*RenameUser) statement()  {}
func (*SetPassword) statement() {}
func (*SetRole) statement()     {}
