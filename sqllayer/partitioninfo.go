package sqllayer

// What is told of partitions: information_schema, EXPLAIN, the maintenance statements.

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/partition"
)

// KnowsParts is nil if a table has the partitions that a command names.
func KnowsParts(ctx *sql.Context, db, name string, a *sqlast.PartitionAction) error {
	s := sessionOf(ctx)
	if s == nil {
		return errNotPartitioned()
	}
	found, _, err := s.Layer().Engine.Analyzer.Catalog.Table(ctx, db, name)
	if err != nil {
		return err
	}
	t, ok := sql.GetUnderlyingTable(found).(*Table)
	if !ok || t.def.def.Partitioning == nil {
		return errNotPartitioned()
	}
	if _, err := partition.Named(t.def.def, a); err != nil {
		return NewError(1507, "Error in list of partitions to %s.%s", db, name)
	}
	return nil
}

// eachPart calls add with what information_schema.PARTITIONS says of each part.
func (t *Table) eachPart(ctx *sql.Context, add func(map[string]any)) error {
	p := t.def.def.Partitioning
	return t.estimate(ctx, func(h *table.Table) error {
		for i, leaf := range p.Leaves() {
			part := &p.Parts[leaf.Part]
			row := map[string]any{"partition_name": part.Name, "partition_ordinal_position": uint32(leaf.Part + 1), "partition_method": partition.Method(&p.By),
				"partition_comment": part.Comment, "nodegroup": "default"}
			if x := partition.Expression(&p.By); x != "" {
				row["partition_expression"] = x
			}
			if d := partition.Description(p, part); d != "" {
				row["partition_description"] = d
			}
			if p.Sub != nil {
				sub := &part.Subs[leaf.SubPart]
				row["subpartition_name"], row["subpartition_ordinal_position"] = sub.Name, uint32(leaf.SubPart+1)
				row["subpartition_method"], row["partition_comment"] = partition.Method(p.Sub), sub.Comment
				if x := partition.Expression(p.Sub); x != "" {
					row["subpartition_expression"] = x
				}
			}
			if i < len(h.Parts()) {
				st, err := h.Parts()[i].Stats()
				if err != nil {
					return err
				}
				rows := uint64(st.Rows)
				row["table_rows"], row["data_length"], row["avg_row_length"] = rows, uint64(st.DataBytes), uint64(st.DataBytes)/max(rows, 1)
			}
			add(row)
		}
		return nil
	})
}

// eachPartDefinition visits the definitions of the parts, by the names of InnoDB's dictionary.
func (t *Table) eachPartDefinition(ctx *sql.Context, visit func(def *catalog.Table)) error {
	p := t.def.def.Partitioning
	return t.estimate(ctx, func(h *table.Table) error {
		for i, leaf := range p.Leaves()[:min(len(p.Leaves()), len(h.Parts()))] {
			def := *h.Parts()[i].Def()
			def.Name = partition.StoredName(t.Name(), p, leaf)
			visit(&def)
		}
		return nil
	})
}

// readParts are the names of the parts that a plan may read, as EXPLAIN tells them; nil for other
// tables. Bounds of keys leave out more of them when the plan runs.
func (t *Table) readParts() []string {
	p := t.def.def.Partitioning
	if p == nil {
		return nil
	}
	parts := t.parts
	if parts == nil {
		for i := range p.Leaves() {
			parts = append(parts, i)
		}
	}
	return partition.Names(p, parts)
}
