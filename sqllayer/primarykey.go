package sqllayer

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
)

// describePrimary gives a primary key what a statement says of it beside its columns, which
// go-mysql-server drops: its comment and USING BTREE.
func describePrimary(x *catalog.Index, key *ast.KeyDef) {
	if x.Name == "" || key == nil {
		return
	}
	using := key.Using
	for i := range key.Options {
		switch o := &key.Options[i]; o.Kind {
		case ast.KeyUsing:
			using = o.Algorithm
		case ast.KeyComment:
			x.Comment = string(o.Text.Bytes())
		}
	}
	x.Btree = using == ast.BtreeAlgorithm
}

// declaredPrimary is the primary key that a statement defines as a key of its own; nil: none. The
// session tells its statement outside of changes of definitions only.
func declaredPrimary(n ast.Statement) (found *ast.KeyDef) {
	if n == nil {
		return nil
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if k, ok := n.(*ast.KeyDef); ok && k.Kind == ast.PrimaryKey {
			found = k
		}
		_, query := n.(*ast.Query)
		return found == nil && !query
	})
	return found
}

// mayBeNull are the columns that an ALTER TABLE defines anew and does not declare NOT NULL. Without
// the primary key they hold NULLs.
func mayBeNull(n ast.Statement) (names []string) {
	tree, ok := n.(*ast.AlterTable)
	if !ok {
		return nil
	}
	for _, a := range tree.Actions {
		c, ok := a.(*ast.ChangeColumn)
		if ok && !hasAttribute(c.Def, ast.AttrNotNull) && !hasAttribute(c.Def, ast.AttrPrimaryKey) && !hasAttribute(c.Def, ast.AttrAutoIncrement) {
			names = append(names, c.Def.Name.Name)
		}
	}
	return names
}

// dropPrimary leaves a definition without its primary key; nulls are the columns that then hold NULLs.
func dropPrimary(def *catalog.Table, nulls []string) {
	for i := range def.Columns {
		c := &def.Columns[i]
		c.Nullable = c.Nullable || slices.ContainsFunc(nulls, sameName(c.Name))
	}
	def.Indexes[0] = &catalog.Index{Clustered: true, Unique: true}
}

// runningTree is the tree of the statement that runs; nil where no session does.
func runningTree(ctx *sql.Context) ast.Statement {
	if s := SessionOf(ctx); s != nil {
		return s.RunningTree(ctx)
	}
	return nil
}
