// Package bind gives the names of a parsed SELECT their meaning: tables, columns, result types,
// aggregate functions.
//
//	query.go    Query: a bound query, and its tables
//	scope.go    names and where they are looked for
//	source.go   FROM;  view.go  views
//	selects.go  a query block;  order.go  ORDER BY, LIMIT;  group.go  GROUP BY and aggregate functions;  grouping.go  GROUPING
//	dependent.go  columns that follow from those of GROUP BY
//	window.go   window functions and their frames;  union.go  set operations;  recursive.go  WITH RECURSIVE
//	locking.go  FOR UPDATE and FOR SHARE
//	varying.go  functions that give another value for each row
//	kind.go     which queries the executor runs at any size;  describe.go  what clients are told of columns
//	expr.go     expressions;  subquery.go  queries inside of them
//	zerodate.go  dates of zeros that WHERE finds as NULL
//	literal.go  constants;  convert.go  CAST, CONVERT, COLLATE
//
// Bind either returns a Query that means what MySQL says the statement means, or a *fn.Refused that
// says what it does not know. It raises no error of MySQL but those of ONLY_FULL_GROUP_BY, windows
// and index hints: a statement that is wrong otherwise is refused, and runs the way that knows the
// error.
//
// Every column of every table, derived table, group and aggregate of a statement has a number of
// its own (fn.Column.ID). Operators below are free to move expressions about; only numbers tell
// which column is meant. A query inside an expression lists in Outer the columns of the queries
// around it.
package bind
