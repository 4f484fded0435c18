// Package exec runs plans: operators that hand batches of columns to each other.
//
//	op.go      Op, Ctx; expressions placed over the columns of an operator
//	scan.go    ranges of an index;  column.go  stored values as values of batches, and back as keys
//	filter.go  Filter, Project, Limit, Concat, Rows
//	hash.go    the table of keys that joins, groups and DISTINCT share
//	store.go   rows that are kept
//	join.go    HashJoin: inner, left, semi and anti;  lookup.go  LookupJoin: rows of an index for each row
//	group.go   Group: hash aggregation, ROLLUP;  accumulate.go, variance.go, concat.go  the aggregate functions;  distinct.go
//	window.go  Window: functions over the rows around a row;  frame.go  frames and the aggregates that slide over them
//	setop.go   INTERSECT and EXCEPT;  recursion.go  recursive common table expressions
//	sort.go    Sort and the first rows of an order
//	apply.go   Apply: a plan that runs once for each value of the columns it depends on (outer.go);  lateral.go  Lateral: joins with such a plan
//
// Contract: Open, then Next until it returns no batch, then Close; after Close it may be opened
// again. A batch belongs to the operator that returns it and is valid until its next Next. A batch
// has between one and types.BatchRows rows.
//
// What an operator keeps is accounted before it is kept (Ctx.Keep), and given back at Close. Every
// operator that reads in a loop asks Ctx.Err once for a batch, so that a statement ends soon after
// it is killed.
package exec
