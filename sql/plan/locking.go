package plan

import (
	"slices"

	"emberdb/engine/table"
	"emberdb/sql/bind"
	"emberdb/sql/fn"
)

// Rows that FOR UPDATE or FOR SHARE locks keep others waiting, so that it counts which rows a plan
// reads. What MySQL reads less of is refused.

// locked tells whether rows of a table among these are locked by a clause of its block, and not to
// be changed.
func locked(src bind.Source) bool {
	switch s := src.(type) {
	case *bind.Base:
		return s.Locking.Lock != table.None && s.KeyID == 0
	case *bind.Join:
		return locked(s.L) || locked(s.R)
	}
	return false
}

// few refuses queries that lock rows and of which MySQL may find the wanted ones before it reads the
// others: the first rows of joins in an order, and rows that a subquery names.
func few(q *bind.Query) error {
	_, joins := q.From.(*bind.Join)
	switch {
	case !locked(q.From):
		return nil
	case joins && q.Limit >= 0 && len(q.Order) > 0 && !q.Grouped:
		return fn.Refuse(fn.ByStatement, "the first rows of a join that are locked")
	case slices.ContainsFunc(q.Where, hasSubquery):
		return fn.Refuse(fn.BySubquery, "rows that a query names and that are locked")
	}
	return nil
}
