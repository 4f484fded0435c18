// Package invariants holds the checks that are too dear for production: they are compiled in by the
// build tag `invariants` and vanish without it.
//
//	if invariants.Enabled { ... }             // guards a check that needs a computation of its own
//	invariants.Assert(a <= b, "a %d b %d", a, b)
//	invariants.Mangle(frame)                  // released memory must not be read again: fill it with rubbish
package invariants
