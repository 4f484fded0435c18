// Package plan makes operators of bound queries.
//
//	plan.go      Build; what follows the rows of FROM: groups, HAVING, the columns of the result, order, limit
//	relation.go  the relations of FROM: tables with the range of an index, derived tables, outer joins
//	condition.go conditions: which belong to one relation, what an OR has in common
//	access.go    how a table is read;  ranges.go  ranges of an index;  order.go  the order of an index, its first and last rows
//	statistics.go  sizes, fan-outs, what passes;  sample.go  samples of rows, which tables keep for later statements;  histogram.go  what histograms tell
//	join.go      the order of joins by dynamic programming;  joinway.go  hash joins and look-ups in an index;  distinct.go  how many different values columns have
//	subquery.go  subqueries: semi and anti joins, or a plan for each value (exec.Apply);  applygroups.go  aggregates for many values at once
//	parallel.go  which operators goroutines share the work of
//	explain.go   the description of a plan for EXPLAIN: explainaccess.go tables, explaintext.go expressions, explainactual.go what ran
//	locking.go   rows that are locked
//	window.go    window functions;  union.go  set operations, recursion, lateral joins
//
// Rules, in the order in which they are applied: conditions that ORs have in common are taken out
// of them; an outer join that a condition makes an inner one becomes it; conditions go down to the
// relations that have their columns; columns that nothing above needs are dropped; IN of a unique
// key becomes a join; the order of joins is the cheapest of all left-deep ones up to ten relations,
// beyond it is made greedily.
//
// Invariants:
//
//	(1) Every condition is asked about every row that it concerns. A range of an index only
//	    narrows what is read: the condition that it was made of is asked again.
//	(2) A subquery that cannot be planned is a *fn.Refused.
package plan
