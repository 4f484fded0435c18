// Package rules changes go-mysql-server's analyzer where its plans or checks differ from MySQL's,
// without knowledge of tables, sessions or the engine.
//
// A rule is added before the library's own (EscapedPatterns, NullLimits) or put around one of them
// (Wrap). BoundSearch bounds the search for join orders, and keeps conditions
// from it that it would lose; CheckInterrupts makes every rule look
// whether the statement goes on.
//
// Invariants:
//
//	(1) A rule changes a plan only where the library's result would differ from MySQL's.
//	(2) Wrap fails if the library has no rule of the name, so that an update of the library cannot
//	    drop a repair.
package rules
