package planner

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// likeTable completes a CREATE TABLE ... LIKE: GMS copies no comment, no lengths of keys' parts and
// no CHECKs beside virtual columns, and refuses the columns of functional keys for their names.
// Functional keys are carried as an option of the table, see tabledef.KeysOption. nil: the statement
// is another one.
func likeTable(ctx *sql.Context, c *plan.CreateTable) sql.Node {
	s := sqllayer.SessionOf(ctx)
	if s == nil || s.Layer().Opts.Plain || c.TableOpts != nil {
		return nil
	}
	tree, ok := s.RunningTree(ctx).(*ast.CreateTable)
	if !ok || tree.Like == nil || !strings.EqualFold(tree.Name.Name.Name, c.Name()) {
		return nil
	}
	t := s.TableOf(ctx, tree.Like.Schema.Name, tree.Like.Name.Name)
	if t == nil {
		return nil
	}
	texts, functional := tabledef.FunctionalKeys(t.Def.Def)
	if c.Temporary() && len(texts) > 1 { // whose definition changes outside the statement's transaction
		return nil
	}
	spec := &plan.TableSpec{
		FkDefs: c.ForeignKeys(), ChDefs: likeChecks(t.Def), Collation: c.Collation, Schema: plainSchema(c.PkSchema()),
		TableOpts: map[string]any{"comment": t.Def.Def.Comment},
	}
	if texts != nil {
		spec.TableOpts[tabledef.KeysOption] = strings.Join(texts, "\x00")
	}
	for _, x := range t.Def.Indexes {
		if !functional[strings.ToLower(x.Name)] {
			spec.IdxDefs = append(spec.IdxDefs, likeKey(t.Def, x))
		}
	}
	return plan.NewCreateTable(c.Database(), c.Name(), c.IfNotExists(), c.Temporary(), spec)
}

// likeChecks are the CHECKs of a table like t: new names in the order of those that t has.
func likeChecks(t *tabledef.TableDef) (out sql.CheckConstraints) {
	checks := slices.Clone(t.Def.Checks)
	slices.SortFunc(checks, func(a, b catalog.Check) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	for _, c := range checks {
		out = append(out, &sql.CheckConstraint{Expr: tabledef.Written(c.Expr), Enforced: c.Enforced})
	}
	return out
}

// likeKey is the definition of a key like x.
func likeKey(t *tabledef.TableDef, x *tabledef.Index) *sql.IndexDef {
	out := &sql.IndexDef{Name: x.Name, Comment: x.Comment()}
	for i, at := range x.Columns {
		part := sql.IndexColumn{Name: t.Columns[at].Name}
		if lengths := x.PrefixLengths(); lengths != nil {
			part.Length = int64(lengths[i])
		}
		out.Columns = append(out.Columns, part)
	}
	switch {
	case x.IsPrimary():
		out.Constraint = sql.IndexConstraint_Primary
	case x.IsUnique():
		out.Constraint = sql.IndexConstraint_Unique
	case x.Is(tabledef.FullTextKind):
		out.Comment, out.Constraint = strings.TrimPrefix(out.Comment, tabledef.FullTextMark), sql.IndexConstraint_Fulltext
	case x.IsSpatial():
		out.Constraint = sql.IndexConstraint_Spatial
	case x.IsVector():
		out.Constraint = sql.IndexConstraint_Vector
	}
	return out
}

// plainSchema is a schema without the columns of functional keys.
func plainSchema(from sql.PrimaryKeySchema) sql.PrimaryKeySchema {
	var out sql.Schema
	at := make(map[int]int)
	for i, col := range from.Schema {
		if !col.HiddenSystem {
			at[i] = len(out)
			out = append(out, col)
		}
	}
	primary := make([]int, len(from.PkOrdinals))
	for i, old := range from.PkOrdinals {
		primary[i] = at[old]
	}
	return sql.NewPrimaryKeySchema(out, primary...)
}
