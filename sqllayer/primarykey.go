package sqllayer

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/ast"
	"emberdb/sqllayer/tabledef"
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

// addPrimary gives a definition without a primary key one of these columns, as said declares it.
func (t *Table) addPrimary(def *catalog.Table, columns []sql.IndexColumn, said *ast.KeyDef) error {
	clustered := &catalog.Index{Name: "PRIMARY", Clustered: true, Unique: true}
	for _, c := range columns {
		i := t.Def.Find(c.Name)
		switch {
		case i < 0:
			return sql.ErrKeyColumnDoesNotExist.New(c.Name)
		case slices.ContainsFunc(clustered.Parts, func(p row.KeyPart) bool { return p.Column == i }):
			return sql.ErrDuplicateColumn.New(c.Name)
		}
		def.Columns[i].Nullable = false
		clustered.Parts = append(clustered.Parts, row.KeyPart{Column: i, Prefix: tabledef.PrefixOf(&def.Columns[i], c.Length)})
	}
	def.Indexes[0] = clustered
	describePrimary(clustered, said)
	return tabledef.CheckKey(def, clustered)
}

// ReplacePrimaryKey drops the primary key and adds another one. The rows move once.
func (t *Table) ReplacePrimaryKey(ctx *sql.Context, columns []sql.IndexColumn) error {
	if t.Def.Keyless {
		return sql.ErrCantDropFieldOrKey.New("PRIMARY")
	}
	if err := t.primaryUnreferenced(ctx); err != nil {
		return err
	}
	said := declaredPrimary(runningTree(ctx))
	return t.rebuild(ctx, func(def *catalog.Table) error {
		dropPrimary(def, nil)
		if err := t.addPrimary(def, columns, said); err != nil {
			return err
		}
		if def.AutoInc >= 0 && !slices.ContainsFunc(def.Indexes, func(x *catalog.Index) bool { return x.Parts[0].Column == def.AutoInc }) {
			return sql.ErrWrongAutoKey.New()
		}
		return nil
	}, nil)
}

// runningTree is the tree of the statement that runs; nil where no session does.
func runningTree(ctx *sql.Context) ast.Statement {
	if s := SessionOf(ctx); s != nil {
		return s.RunningTree(ctx)
	}
	return nil
}
