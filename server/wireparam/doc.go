// Package wireparam reads the parameters of COM_STMT_EXECUTE: every type of the binary protocol. It
// reads the attributes of statements, too.
//
// Lengths are checked before anything is allocated. Source: MySQL's protocol documentation, page
// "Binary Protocol Resultset".
package wireparam
