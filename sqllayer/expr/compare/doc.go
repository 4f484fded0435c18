// Package compare compares values as MySQL does: = <=> < <= > >= IN, NOT IN and quantified
// comparisons with subqueries, GREATEST and LEAST, CASE and its kin.
package compare
