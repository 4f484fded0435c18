package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// sql_generate_invisible_primary_key: CREATE TABLE without a primary key gets one, an invisible
// AUTO_INCREMENT column in front. The log has the definition with it, so a replica has it whatever
// its own variable says. ALTER TABLE may make the column visible or drop it with the key, no more.

// generateKey adds the key to a statement that is about to be planned.
func (s *Session) generateKey(ctx *sql.Context, n *vt.DDL) error {
	if !s.generatesKey(n) {
		return nil
	}
	for _, c := range n.TableSpec.Columns {
		if c.Name.EqualString(tabledef.GeneratedKey) {
			return sqlerr.NewError(4108, "Failed to generate invisible primary key. Column '%s' already exists.", tabledef.GeneratedKey)
		}
		if bool(c.Type.Autoincrement) {
			return sqlerr.NewError(4109, "Failed to generate invisible primary key. Auto-increment column already exists.")
		}
	}
	if tree, ok := s.RunningTree(ctx).(*ast.CreateTable); ok && tree.Partition != nil {
		return sqlerr.NewError(1235, "This version of MySQL doesn't yet support 'generating invisible primary key for the partitioned tables'")
	}
	key := []*vt.ColumnDefinition{lower.GeneratedKey(tabledef.GeneratedKey)}
	if err := tabledef.ResolveColumns(&vt.TableSpec{Columns: key}); err != nil {
		return err
	}
	spec := *n.TableSpec
	spec.Columns = append(key, spec.Columns...)
	n.TableSpec = &spec
	s.Stmt.keyed = true
	return nil
}

// generatesKey tells statements that make a table without a primary key, or a unique one that is
// never NULL, while the variable is ON.
func (s *Session) generatesKey(n *vt.DDL) bool {
	if n.Action != vt.CreateStr || n.TableSpec == nil || n.OptLike != nil || !s.flag("sql_generate_invisible_primary_key") {
		return false
	}
	certain := map[string]bool{} // columns that are never NULL
	for _, c := range n.TableSpec.Columns {
		certain[c.Name.Lowered()] = bool(c.Type.NotNull) || bool(c.Type.Autoincrement)
		if lower.IsPrimary(c) || lower.IsUnique(c) && certain[c.Name.Lowered()] {
			return false
		}
	}
	return !slices.ContainsFunc(n.TableSpec.Indexes, func(x *vt.IndexDefinition) bool {
		return x.Info.Primary || x.Info.Unique && !slices.ContainsFunc(x.Fields, func(f *vt.IndexField) bool { return !certain[f.Column.Lowered()] })
	})
}

// checkGeneratedKey refuses an ALTER TABLE that changes a generated key, or leaves no primary key
// while keys are to be generated.
func (s *Session) checkGeneratedKey(ctx *sql.Context) error {
	tree, ok := s.RunningTree(ctx).(*ast.AlterTable)
	if !ok {
		return nil
	}
	t := s.TableOf(ctx, tree.Table.Schema.Name, tree.Table.Name.Name)
	if t == nil || t.Def.Keyless {
		return nil
	}
	a := alteredKey{of: t.Def.PrimaryColumns()}
	for _, action := range tree.Actions {
		a.look(action)
	}
	if !a.added && (a.dropped || len(a.of) > 0 && a.gone == len(a.of)) && s.flag("sql_generate_invisible_primary_key") {
		return sqlerr.NewError(1235, "This version of MySQL doesn't yet support 'an operation that leaves the table without a PRIMARY KEY or a UNIQUE NOT NULL key while @@sql_generate_invisible_primary_key=ON.'")
	}
	switch {
	case !t.Def.HasGeneratedKey():
		return nil
	case a.changed:
		return sqlerr.NewError(4110, "Altering generated invisible primary key column '%s' is not allowed.", tabledef.GeneratedKey)
	case a.dropped && a.gone == 0:
		return sqlerr.NewError(4111, "Please drop primary key column to be able to drop generated invisible primary key.")
	}
	return nil
}

// alteredKey is what an ALTER TABLE does with a primary key over some columns.
type alteredKey struct {
	of             []string
	gone           int
	dropped, added bool
	changed        bool // a column of it
}

func (a *alteredKey) has(name ast.Ident) bool {
	return slices.ContainsFunc(a.of, func(c string) bool { return strings.EqualFold(c, name.Name) })
}

func (a *alteredKey) look(action ast.AlterAction) {
	switch n := action.(type) {
	case *ast.DropObject:
		switch {
		case n.Object == ast.ObjectPrimaryKey:
			a.dropped = true
		case n.Object == ast.ObjectColumn && a.has(n.Name):
			a.gone++
		}
	case *ast.AddKey:
		key, ok := n.Element.(*ast.KeyDef)
		a.added = a.added || ok && key.Kind == ast.PrimaryKey
	case *ast.ChangeColumn:
		old := n.Old
		if !old.Given() {
			old = n.Def.Name
		}
		a.changed = a.changed || a.has(old)
	case *ast.RenameObject:
		a.changed = a.changed || n.Object == ast.ObjectColumn && a.has(n.From)
	case *ast.AlterChange:
		visible := n.Change == ast.SetVisible || n.Change == ast.SetInvisible
		a.changed = a.changed || n.Object == ast.ObjectColumn && a.has(n.Name) && !visible
	}
}

// HidesKey tells whether the session does not show the generated key of a table.
func HidesKey(ctx *sql.Context, t *Table) bool {
	s := SessionOf(ctx)
	return s != nil && t.Def.HasGeneratedKey() && !s.on("show_gipk_in_create_table_and_information_schema")
}
