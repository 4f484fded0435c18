package ast

// Account is 'user'@'host', a user without host, or CURRENT_USER.
type Account struct {
	Span
	Current bool // CURRENT_USER: User and Host are absent
	User    Ident
	Host    Ident
}
