// Package memory accounts what a statement holds to its session, and keeps rows only as far as the
// account allows: what iterators retain, sort and compare.
//
// Invariant: what was taken from an account is given back when its holder closes, on every path.
package memory
