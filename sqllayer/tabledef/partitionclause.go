package tabledef

import (
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sql/partition"
	"emberdb/sqllayer/sqlerr"
)

// SelectParts puts the names behind PARTITION where the table is looked up.
func SelectParts(n *ast.AliasedTableExpr) {
	if len(n.Partitions) == 0 {
		return
	}
	clause := LockClause{Alone: true}
	if n.AsOf != nil {
		value, ok := n.AsOf.Time.(*ast.SQLVal)
		if !ok {
			return
		}
		if clause, ok = LockClauseOf(string(value.Val)); !ok {
			return
		}
	}
	for _, p := range n.Partitions {
		clause.Parts = append(clause.Parts, p.String())
	}
	n.AsOf, n.Partitions = &ast.AsOf{Time: ast.NewStrVal([]byte(clause.Text()))}, nil
}

// PartsNamed returns the numbers of parts.
func PartsNamed(def *catalog.Table, names []string) ([]int, error) {
	if def.Partitioning == nil {
		return nil, sqlerr.NewError(1747, "PARTITION () clause on non partitioned table")
	}
	parts := []int{}
	for _, name := range names {
		found := partition.Find(def.Partitioning, name)
		if found == nil {
			return nil, partition.Unknown(def, name)
		}
		parts = append(parts, found...)
	}
	slices.Sort(parts)
	return slices.Compact(parts), nil
}
