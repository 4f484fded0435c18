// Package sessionstate is the form in which the state of a session moves to another process of the
// server: its variables, with their types.
//
// Damaged bytes are refused, never guessed at.
package sessionstate
