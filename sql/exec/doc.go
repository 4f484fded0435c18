// Package exec runs plans: operators that hand batches of columns to each other.
//
//	op.go      Op, Ctx; expressions placed over the columns of an operator
//	scan.go    ranges of an index, and conditions on their rows;  branches.go  several ranges;  changed.go  the keys of rows that are going to be changed;  column.go  stored values as values of batches, and back as keys;  stored.go  and back as they are stored
//	filter.go  Filter, Project, Limit, Concat, Rows
//	hash.go    the table of keys that joins, groups and DISTINCT share
//	store.go   rows that are kept in memory;  spool.go  rows that are kept in blocks, and parts of rows by the hashes of keys
//	scratch.go the file for what exceeds memory;  encode.go  batches in it;  held.go  results that wait
//	join.go    HashJoin: inner, left, semi and anti;  keyfilter.go  rows dropped in scans that have no partner in it;  leftfirst.go  the left side first
//	filler.go  small batches put together;  lookup.go, lookupmany.go  LookupJoin: rows of an index for each row
//	group.go   Group: hash aggregation, ROLLUP;  accumulate.go, variance.go, concat.go, gathered.go  the aggregate functions;  once.go  DISTINCT in them;  distinct.go
//	window.go  Window: functions over the rows around a row;  frame.go  frames and the aggregates that slide over them
//	setop.go   INTERSECT and EXCEPT;  recursion.go  recursive common table expressions
//	narrow.go  few rows at once where much is computed of one
//	sort.go    Sort and the first rows of an order;  merge.go  runs of rows
//	apply.go   Apply: a plan that runs once for each value of the columns it depends on (outer.go), or for those of a batch (given.go);  lateral.go  Lateral: joins with such a plan
//	parallel.go  Parallel: rows that several goroutines make (fork.go, threads.go);  partial.go  TwoSteps: groups of theirs
//
// Contract: Open, then Next until it returns no batch, then Close; after Close it may be opened
// again. A batch belongs to the operator that returns it and is valid until its next Next. A batch
// has between one and types.BatchRows rows.
//
// What an operator keeps is accounted, and given back at Close. Every operator that reads in a loop
// asks Ctx.Err once for a batch, and the scratch file once for a block, so that a statement ends
// soon after it is killed.
//
// Goroutines: a plan runs in that of its statement. Below a Parallel several make the rows of parts
// of a table. They share the read view, the memory's account, and hash tables, which nobody changes
// any more. Each has copies of operators and expressions, and a Ctx of its own without a scratch
// file. Their rows come in the order of the parts, so a result does not depend on how many they are.
//
// Memory: an operator holds up to its limit (Ctx.Limits), or less if the statement or the server has
// no more for it. Then it goes on in the scratch file of the statement. A sort makes runs and merges
// them. What goes by keys (joins, groups, distinct rows, set operations, DISTINCT in aggregates)
// keeps the keys that it has, and puts rows of other keys into parts by their hashes; when its input
// has ended it begins anew with each part. So each beginning takes in as much as the limit allows,
// and equal keys always meet. Windows and recursions keep rows in blocks, the first ones in memory,
// and read them with cursors. Two things are kept in memory at any size and end the statement with
// an error where there is none: the keys of a recursion without ALL, and the rows that may be the
// MIN or MAX of a moving frame.
package exec
