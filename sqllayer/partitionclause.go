package sqllayer

// PARTITION (p0, ...) behind the name of a table. It goes to the table reference as a lock clause
// does. That of INSERT, REPLACE and LOAD DATA is looked up when rows come.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/partition"
)

// selectParts puts the names behind PARTITION where the table is looked up.
func selectParts(n *ast.AliasedTableExpr) {
	if len(n.Partitions) == 0 {
		return
	}
	clause := lockClause{alone: true}
	if n.AsOf != nil {
		value, ok := n.AsOf.Time.(*ast.SQLVal)
		if !ok {
			return
		}
		if clause, ok = lockClauseOf(string(value.Val)); !ok {
			return
		}
	}
	for _, p := range n.Partitions {
		clause.parts = append(clause.parts, p.String())
	}
	n.AsOf, n.Partitions = &ast.AsOf{Time: ast.NewStrVal([]byte(clause.text()))}, nil
}

// selectParts makes the table read only the parts of these names; none: all.
func (t *Table) selectParts(names []string) (err error) {
	if len(names) > 0 {
		t.parts, err = partsNamed(t.def.def, names)
	}
	return err
}

// partsNamed returns the numbers of parts.
func partsNamed(def *catalog.Table, names []string) ([]int, error) {
	if def.Partitioning == nil {
		return nil, NewError(1747, "PARTITION () clause on non partitioned table")
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

// insertsInto are the parts that the running INSERT, REPLACE or LOAD DATA names; nil: any.
func (s *Session) insertsInto(ctx *sql.Context, t *Table) ([]int, error) {
	if a := s.program; a != nil && a.stmt != nil {
		n, ok := a.stmt.(*ast.Insert)
		if !ok || len(n.Partitions) == 0 || !strings.EqualFold(n.Table.Name.String(), t.Name()) {
			return nil, nil
		}
		texts := make([]string, len(n.Partitions))
		for i := range n.Partitions {
			texts[i] = n.Partitions[i].String()
		}
		return partsNamed(t.def.def, texts)
	}
	var names []sqlast.Ident
	var into sqlast.TableName
	switch n := s.runningTree(ctx).(type) {
	case *sqlast.Insert:
		names, into = n.Partitions, n.Table
	case *sqlast.Load:
		names, into = n.Partitions, n.Table
	}
	if len(names) == 0 || !strings.EqualFold(into.Name.Name, t.Name()) {
		return nil, nil
	}
	texts := make([]string, len(names))
	for i := range names {
		texts[i] = names[i].Name
	}
	return partsNamed(t.def.def, texts)
}

// inParts refuses a row that does not stand in the parts that the statement names.
func (e *editor) inParts(h *table.Table, vals []row.Value) error {
	if e.t.parts == nil || h.Parts() == nil {
		return nil
	}
	n, err := h.PartOf(vals)
	if err != nil {
		return err
	}
	if !slices.Contains(e.t.parts, n) {
		return NewError(1748, "Found a row not matching the given partition set")
	}
	return nil
}
