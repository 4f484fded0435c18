package sqllayer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sql/bind"
	"emberdb/sql/parse"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// TableDef returns the picture of def, made at first sight of it.
func (l *Layer) tableDef(def *catalog.Table, database string) (*tabledef.TableDef, error) {
	at := tabledef.TableName{Schema: def.Schema, Name: def.Name}
	c := &l.cache
	c.mu.Lock()
	known := c.definitions[at]
	c.mu.Unlock()
	if known != nil && known.Def == def {
		return known, nil
	}
	made, err := tabledef.NewTableDef(def, database)
	if err != nil {
		return nil, fmt.Errorf("table %s.%s: %w", def.Schema, def.Name, err)
	}
	if l.Opts.Plain {
		made.ShowLibrary()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.definitions == nil {
		c.definitions = make(map[tabledef.TableName]*tabledef.TableDef)
	}
	makeRoom(c.definitions)
	c.definitions[at] = made
	return made, nil
}

// What a column's type says beyond the type that GMS knows: UNSIGNED of DECIMAL, FLOAT and DOUBLE,
// ZEROFILL and its width, (M,D) of FLOAT and DOUBLE, the digits of TIME. GMS's types have no place
// for it, and GMS tells numbers by comparing types, so no type of another name can stand in.
// Attributes travel beside the type, as the type's text:
//
//	CREATE, ALTER    the parser puts mark, text, mark in front of the column's comment
//	tables           Extra of a table's column: mark, text; so CREATE TABLE ... LIKE has it as well
//	catalog          Column.SQLType; and in row.Column what storage and output look at
//
// Values are fitted to them by storer; engine/row refuses a row that was not.

// BoundTable describes a table that is no temporary one to package bind; it has no handle.
func (l *Layer) BoundTable(def *catalog.Table) (*bind.Table, error) {
	d, err := l.tableDef(def, def.Schema)
	if err != nil {
		return nil, err
	}
	return d.Bound(), nil
}

// TIME(n). GMS has one TIME, of microseconds, and refuses TIME(0) to TIME(5). The digits are an
// attribute of the column (attributes.go), in the catalog its precision; values are rounded when
// they are stored.

// Expressions of definitions: generated columns, defaults, checks and keys. They may not depend on
// more than the row; a default is computed once and may call functions that give another value each
// time.

// definitions refuses expressions that MySQL has no place for in a CREATE TABLE or a part of an
// ALTER TABLE.
func (r *rewriterAST) definitions(n *ast.DDL) error {
	if r.plain {
		return nil
	}
	if n.TableSpec == nil {
		return r.newDefault(n)
	}
	for _, c := range n.TableSpec.Columns {
		if err := tabledef.CheckColumn(c); err != nil {
			return err
		}
		if err := r.plainDefault(c); err != nil {
			return err
		}
	}
	var known []*ast.ColumnDefinition
	if n.Action == ast.CreateStr && n.OptSelect == nil && n.OptLike == nil {
		known = n.TableSpec.Columns
	}
	for _, d := range tabledef.DefinedExprs(n, r.checkNames(n)) {
		if err := tabledef.Nowhere(d.Expr); err != nil {
			return err
		}
		if err := d.ExprPlace.Refuse(d.Name, d.Expr, r.builtIn); err != nil {
			return err
		}
		if err := d.Fits(known); err != nil {
			return err
		}
	}
	return nil
}

// builtIn tells whether a function without a qualifier is no stored one.
func (r *rewriterAST) builtIn(function string) bool {
	ctx, ok := r.ctx.(*sql.Context)
	return !ok || IsFunction(ctx, function)
}

// plainDefault refuses the default of a column that may only have an expression for one. An empty
// text is dropped with a warning where values are not checked strictly.
func (r *rewriterAST) plainDefault(c *ast.ColumnDefinition) error {
	err := tabledef.CheckDefault(c)
	ctx, ok := r.ctx.(*sql.Context)
	if err == nil || !ok || SessionOf(ctx) == nil || !tabledef.EmptyText(c) || sql.LoadSqlMode(ctx).Strict() {
		return err
	}
	c.Type.Default = nil
	known, s := tabledef.NoDefault(c.Name.String()), SessionOf(ctx)
	s.SetWritten(append(slices.Clip(s.wording), parse.Warning{Code: known.Num, Text: known.Message}))
	return nil
}

// newDefault refuses ALTER COLUMN ... SET DEFAULT of a constant to a column that may only have an
// expression.
func (r *rewriterAST) newDefault(n *ast.DDL) error {
	if n.DefaultSpec == nil || n.DefaultSpec.Action != ast.SetStr {
		return nil
	}
	switch tabledef.Unwrapped(n.DefaultSpec.Value).(type) {
	case *ast.SQLVal, *ast.NullVal:
	default:
		return nil
	}
	own := r.changed(n)
	if own == nil {
		return nil
	}
	if i := own.Def.Find(n.DefaultSpec.Column.String()); i >= 0 && tabledef.WithoutDefault(own.Def.Columns[i].Type) {
		return tabledef.NoDefault(own.Def.Columns[i].Name)
	}
	return nil
}

// checkNames are the names of the checks of the table that an ALTER TABLE changes.
func (r *rewriterAST) checkNames(n *ast.DDL) (out []string) {
	if len(n.TableSpec.Constraints)+len(n.TableSpec.Columns) == 0 {
		return nil
	}
	if own := r.changed(n); own != nil {
		for _, c := range own.Def.Def.Checks {
			out = append(out, c.Name)
		}
	}
	return out
}

// changed is the table that an ALTER TABLE changes; nil if there is none.
func (r *rewriterAST) changed(n *ast.DDL) *Table {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || n.Action == ast.CreateStr || SessionOf(ctx) == nil {
		return nil
	}
	d, err := SessionOf(ctx).layer.Provider.Database(ctx, r.database(n.Table))
	if err != nil {
		return nil
	}
	t, _, err := d.GetTableInsensitive(ctx, n.Table.Name.String())
	if own, ok := t.(*Table); ok && err == nil {
		return own
	}
	return nil
}

// Keys as the grammar gives them and go-mysql-server's planner drops or refuses them:
//
//	(a DESC)           the planner drops the word: the key's comment carries the numbers of the parts, until CreateIndex takes them off
//	KEY (a) INVISIBLE  the planner drops the word: the comment carries a mark, likewise
//	KEY ((a + 1))      the planner knows expressions in CREATE INDEX only: those of a CREATE TABLE are cut out, carried as an option of the table
//	                   and made by a CREATE INDEX each when the table is there, in the same
//	                   transaction

// keys looks at the keys of CREATE TABLE, CREATE INDEX and ALTER TABLE.
func (r *rewriterAST) keys(n *ast.DDL) error {
	if x := n.IndexSpec; x != nil && strings.EqualFold(x.Action, ast.CreateStr) {
		if err := tabledef.CheckFunctional(x.Fields, x.ToName.String(), strings.EqualFold(x.Type, ast.PrimaryStr), r.builtIn); err != nil {
			return err
		}
		if err := r.spatialKey(n, x); err != nil {
			return err
		}
		if strings.EqualFold(x.Type, ast.PrimaryStr) {
			return tabledef.CheckShownPrimary(tabledef.DeclaredHidden(x.Options))
		}
		x.Options = tabledef.MarkKey(x.Fields, x.Options, tabledef.DeclaredTraits(x.Using.String(), x.Options))
	}
	if n.Action != ast.CreateStr || n.TableSpec == nil {
		return nil
	}
	names := map[string]bool{}
	for _, x := range n.TableSpec.Indexes {
		names[x.Info.Name.Lowered()] = true
	}
	if err := tabledef.CheckShapeKeys(n.TableSpec.Columns); err != nil {
		return err
	}
	shapes := tabledef.Shapes(n.TableSpec.Columns)
	var own []string
	kept := n.TableSpec.Indexes[:0:0]
	for _, x := range n.TableSpec.Indexes {
		if err := tabledef.CheckFunctional(x.Fields, x.Info.Name.String(), x.Info.Primary, r.builtIn); err != nil {
			return err
		}
		if err := tabledef.CheckShownPrimary(x.Info.Primary && tabledef.DeclaredHidden(x.Options)); err != nil {
			return err
		}
		if err := declaredSpatial(shapes, x); err != nil {
			return err
		}
		functional := false
		for _, f := range x.Fields {
			functional = functional || f.Expression != nil
		}
		switch {
		case functional && n.OptSelect == nil:
			own = append(own, tabledef.CreateIndexText(x, names))
			continue
		case !x.Info.Primary:
			x.Options = tabledef.MarkKey(x.Fields, x.Options, tabledef.DeclaredTraits("", x.Options))
		}
		kept = append(kept, x)
	}
	if own != nil {
		n.TableSpec.Indexes = kept
		n.TableSpec.TableOpts = append(n.TableSpec.TableOpts, &ast.TableOption{Name: tabledef.KeysOption, Value: strings.Join(own, "\x00")})
	}
	return nil
}

// spatialKey makes the key that CREATE INDEX or ALTER TABLE adds a spatial one, if it is over a
// geometry.
func (r *rewriterAST) spatialKey(n *ast.DDL, x *ast.IndexSpec) error {
	if strings.EqualFold(x.Type, ast.FulltextStr) {
		return nil
	}
	own := r.changed(n)
	if own == nil {
		return nil
	}
	unique := strings.EqualFold(x.Type, ast.UniqueStr) || strings.EqualFold(x.Type, ast.PrimaryStr)
	spatial, err := tabledef.SpatialKey(own.Def.Shapes(), x.Fields, unique, x.Using.String(), x.Options)
	if spatial {
		x.Type = ast.SpatialStr
	}
	return err
}

// declaredSpatial does the same with a key of CREATE TABLE.
func declaredSpatial(shapes map[string]tabledef.Shape, x *ast.IndexDefinition) error {
	if x.Info.Fulltext {
		return nil
	}
	spatial, err := tabledef.SpatialKey(shapes, x.Fields, x.Info.Unique, "", x.Options)
	x.Info.Spatial = x.Info.Spatial || spatial
	return err
}

// InFunctional says where the column that is not there is wanted.
func InFunctional(err error) error {
	known := sqlerr.Translate(err, "")
	return sqlerr.NewError(known.Num, "%s", strings.Replace(known.Message, "'field list'", "'functional index'", 1))
}

// PlainName refuses names of the columns that are made for functional indexes.
func PlainName(name string) error {
	if sql.IsHiddenSystemColumn(name) {
		return sqlerr.NewError(sqlerr.ErWrongColumnName, "Incorrect column name '%s'", name)
	}
	return nil
}
