// Package fn holds typed expressions over the columns of a batch and the functions that they call.
//
//	expr.go     the nodes: Column, Const, Call, Case; walks and rewrites of their trees
//	reason.go   Refused: what this package does not know
//	arith.go    + - * / DIV % and unary minus;  exact.go  their kernels for exact numbers
//	compare.go  = <=> <> < <= > >=, IN, BETWEEN;  branches.go  conditions of which one must hold, as ranges of an index see them
//	logic.go    AND, OR, XOR, NOT, IS;  control.go  CASE, IF, IFNULL, COALESCE, NULLIF
//	like.go     LIKE;  text.go  functions of strings
//	clock.go    functions of dates;  interval.go  dates and intervals
//	cast.go     conversions between kinds
//	explicit.go conversions that a statement asks for;  now.go  the statement's time
//	number.go   functions of numbers;  bits.go  bits of integers
//	library.go  functions of a library;  librarytypes.go  what they give;  varying.go  those whose value is another one each time
//	assign.go   user variables that a statement assigns
//
// A constructor (Binary, Compare, Function, ...) takes typed operands and returns the expression
// with MySQL's result type, or a *Refused. A call of constants is evaluated at once.
//
// Invariants:
//
//	(1) An expression that was made gives MySQL's value for every row, or an error that IsRefusal
//	    knows: then the statement has to run another way. It never gives another value. What would
//	    be a warning is such an error.
//	(2) Eval returns a Vec with at least as many values as the batch has rows. It belongs to the
//	    node and is valid until the node is evaluated again; who keeps values copies them.
//	    Therefore a node stands at one place of one tree: Clone makes another.
//	(3) A tree is evaluated by one goroutine.
package fn
