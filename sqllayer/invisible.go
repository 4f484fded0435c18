package sqllayer

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// INVISIBLE columns, which go-mysql-server does not know:
//
//	SELECT *, INSERT without names   get the names of the visible columns, see trees.NameColumns
//	ALTER COLUMN SET [IN]VISIBLE     becomes a MODIFY of the column as it is
//	ALTER TABLE                      is refused if no visible column would be left
//
// Values of an INSERT that name columns are changed at the same places, see givencolumns.go.
//
// Statements of stored programs are changed as they run, as tables may change between two runs.

// nameColumns changes a statement that is about to be planned.
func (s *Session) nameColumns(ctx *sql.Context, stmt ast.Statement) error {
	switch n := stmt.(type) {
	case *ast.AlterTable:
		if err := s.checkGeneratedKey(ctx); err != nil {
			return err
		}
		if err := s.alterChecks(ctx, n); err != nil {
			return err
		}
		return s.alterVisible(ctx, n)
	case *ast.DDL:
		if err := s.generateKey(ctx, n); err != nil {
			return err
		}
	}
	if err := s.givenColumns(ctx, stmt); err != nil {
		return err
	}
	if !trees.ListsColumns(stmt) || !s.readsInvisible(ctx, stmt) {
		return nil
	}
	return trees.NameColumns(stmt, func(name ast.TableName) ([]trees.TableColumn, bool) { return s.columnsNamed(ctx, name) })
}

// copyNamed is nameColumns of a copy, for a statement that is run again.
func (s *Session) copyNamed(ctx *sql.Context, stmt ast.Statement) (ast.Statement, error) {
	_, alters := stmt.(*ast.AlterTable)
	if ddl, ok := stmt.(*ast.DDL); ok {
		alters = s.generatesKey(ddl)
	}
	_, rows := givenValues(stmt)
	names := rows != nil && (namesColumns(rows) || lacksValues(rows))
	if !alters && !names && (!trees.ListsColumns(stmt) || !s.readsInvisible(ctx, stmt)) {
		return stmt, nil
	}
	stmt = namedCopy(stmt)
	return stmt, s.nameColumns(ctx, stmt)
}

// namedCopy copies what nameColumns changes of a statement. Definitions of columns are not copied:
// their types are shared.
func namedCopy(stmt ast.Statement) ast.Statement {
	switch n := stmt.(type) {
	case *ast.AlterTable:
		out := *n
		out.Statements = slices.Clone(n.Statements)
		for i, d := range out.Statements {
			part := *d
			out.Statements[i] = &part
		}
		return &out
	case *ast.DDL:
		out := *n
		if n.OptSelect != nil {
			out.OptSelect = &ast.OptSelect{Select: copyOfTree(n.OptSelect.Select)}
		}
		if n.ViewSpec != nil {
			spec := *n.ViewSpec
			spec.ViewExpr = copyOfTree(spec.ViewExpr)
			out.ViewSpec = &spec
		}
		return &out
	}
	return copyOfTree(stmt)
}

func copyOfTree[T any](n T) T { return trees.CopyTree(reflect.ValueOf(n)).Interface().(T) }

// readsInvisible tells whether a statement is about a table with invisible columns.
func (s *Session) readsInvisible(ctx *sql.Context, stmt ast.Statement) bool {
	if n, ok := stmt.(*ast.Explain); ok {
		return s.readsInvisible(ctx, n.Statement)
	}
	return trees.Within(stmt, func(n ast.SQLNode) bool {
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			name, ok := n.Expr.(ast.TableName)
			return ok && s.hasInvisible(ctx, name)
		case *ast.Insert:
			return s.hasInvisible(ctx, n.Table)
		case *ast.Load:
			return s.hasInvisible(ctx, n.Table)
		}
		return false
	})
}

func (s *Session) hasInvisible(ctx *sql.Context, name ast.TableName) bool {
	t := s.ownTable(ctx, name)
	return t != nil && t.Def.HasInvisible()
}

// ownTable finds a table of the engine; nil if there is none of that name.
func (s *Session) ownTable(ctx *sql.Context, name ast.TableName) *Table {
	return s.tableAt(ctx, tabledef.TableName{Schema: schemaOf(ctx, name), Name: name.Name.String()})
}

// TableOf finds a table of the engine, schema "" being the current one; nil if there is none of that
// name.
func (s *Session) TableOf(ctx *sql.Context, schema, name string) *Table {
	if schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	return s.tableAt(ctx, tabledef.TableName{Schema: schema, Name: name})
}

func (s *Session) tableAt(ctx *sql.Context, at tabledef.TableName) *Table {
	db, err := s.layer.Provider.Database(ctx, at.Schema)
	if err != nil {
		return nil
	}
	if _, own := OwnDatabase(db); !own {
		return nil
	}
	t, ok, err := db.GetTableInsensitive(ctx, at.Name)
	if err != nil || !ok {
		return nil
	}
	own, _ := sql.GetUnderlyingTable(t).(*Table)
	return own
}

func schemaOf(ctx *sql.Context, name ast.TableName) string {
	if name.DbQualifier.IsEmpty() {
		return ctx.GetCurrentDatabase()
	}
	return name.DbQualifier.String()
}

// columnsNamed are the columns of a table or view that a statement may name.
func (s *Session) columnsNamed(ctx *sql.Context, name ast.TableName) (out []trees.TableColumn, ok bool) {
	if t := s.ownTable(ctx, name); t != nil {
		for i := range t.Def.Def.Columns {
			if c := &t.Def.Def.Columns[i]; !c.System {
				out = append(out, trees.TableColumn{Name: c.Name, Invisible: c.Invisible})
			}
		}
		return out, true
	}
	found, ok := resolveCatalog{ctx, s.layer}.Columns(schemaOf(ctx, name), name.Name.String())
	for _, c := range found {
		out = append(out, trees.TableColumn{Name: c.Name})
	}
	return out, ok
}

// alterVisible makes ALTER COLUMN SET [IN]VISIBLE a MODIFY of the column.
func (s *Session) alterVisible(ctx *sql.Context, n *ast.AlterTable) error {
	touches := false
	for _, d := range n.Statements {
		touches = touches || d.ColumnAction != ""
	}
	if !touches {
		return nil
	}
	t := s.ownTable(ctx, n.Table)
	if t == nil {
		return nil // go-mysql-server says so
	}
	for i, d := range n.Statements {
		if d.ColumnAction != lower.SetVisible && d.ColumnAction != lower.SetInvisible {
			continue
		}
		at := t.Def.Find(d.Column.String())
		if at < 0 || t.Def.Def.Columns[at].System || changedTwice(n.Statements, i) {
			return sqlerr.NewError(mysql.ERBadFieldError, "Unknown column '%s' in '%s'", d.Column.String(), t.Name())
		}
		if err := modified(ctx, d, t.Def, at); err != nil {
			return err
		}
	}
	return leavesVisible(t.Def.Def, n.Statements)
}

// changedTwice tells whether another part of an ALTER TABLE is about the column of that part.
func changedTwice(parts []*ast.DDL, at int) bool {
	for i, d := range parts {
		if i == at {
			continue
		}
		if d.ColumnAction != "" && d.ColumnAction != ast.AddStr && d.Column.Equal(parts[at].Column) ||
			d.DefaultSpec != nil && d.DefaultSpec.Column.Equal(parts[at].Column) {
			return true
		}
	}
	return false
}

// modified makes d a MODIFY of a column as it is, visible or not.
func modified(ctx *sql.Context, d *ast.DDL, def *tabledef.TableDef, at int) error {
	text := tabledef.ColumnText(ctx, def, at, d.ColumnAction == lower.SetInvisible)
	stmt, err := trees.TreeOf("ALTER TABLE t MODIFY "+text, 0)
	if err != nil {
		return err
	}
	made := stmt.(*ast.AlterTable).Statements[0]
	d.ColumnAction, d.Column, d.TableSpec = made.ColumnAction, made.Column, made.TableSpec
	return tabledef.ResolveColumns(d.TableSpec)
}

// leavesVisible refuses an ALTER TABLE after which the table has no visible column.
func leavesVisible(def *catalog.Table, parts []*ast.DDL) error {
	visible := make(map[string]bool)
	for i := range def.Columns {
		if c := &def.Columns[i]; !c.System {
			visible[strings.ToLower(c.Name)] = !c.Invisible
		}
	}
	for _, d := range parts {
		switch d.ColumnAction {
		case ast.DropStr:
			delete(visible, d.Column.Lowered())
		case ast.RenameStr:
			visible[d.ToColumn.Lowered()] = visible[d.Column.Lowered()]
			delete(visible, d.Column.Lowered())
		case ast.AddStr, ast.ModifyStr, ast.ChangeStr:
			if d.ColumnAction != ast.AddStr {
				delete(visible, d.Column.Lowered())
			}
			for _, c := range d.TableSpec.Columns {
				visible[c.Name.Lowered()] = !tabledef.DeclaredInvisible(c)
			}
		}
	}
	for _, is := range visible {
		if is {
			return nil
		}
	}
	if len(visible) == 0 {
		return nil // another error: there would be no column at all
	}
	return tabledef.ErrNoneVisible()
}
