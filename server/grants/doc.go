// Package grants changes accounts: who may do it, passwords and their policies, roles, the rows of
// the grant tables, and limits of use.
//
// Deny by default: what no right allows is refused. No password leaves the package unhashed.
package grants
