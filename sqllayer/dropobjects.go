package sqllayer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// dropObjects is DROP TABLE and DROP VIEW, also of several schemas. GMS plans those of one schema
// alone. What is named is looked at first, so a statement that fails has dropped nothing.
type dropObjects struct {
	names     []tabledef.TableName
	views     bool
	ifExists  bool
	temporary bool

	found   []droppedTable
	missing []string // names with their schemas
	others  []string // tables that DROP VIEW names
	notes   []*mysql.SQLError
}

// droppedTable is a table or view that is there.
type droppedTable struct {
	db    sql.Database
	name  string
	table sql.Table // nil: a view
}

// ownDrop has DROP TABLE and DROP VIEW run by the layer. The authorization of GMS's tree stays. GMS's
// own suites want its notes and errors, so there the statements stay GMS's.
func ownDrop(stmt ast.Statement) ast.Statement {
	n, ok := stmt.(*ast.DDL)
	if !ok || n.Action != ast.DropStr || len(n.FromTables)+len(n.FromViews) == 0 {
		return stmt
	}
	d := &dropObjects{views: len(n.FromViews) > 0, ifExists: n.IfExists, temporary: n.Temporary}
	for _, t := range n.FromTables {
		d.names = append(d.names, tabledef.TableName{Schema: t.DbQualifier.String(), Name: t.Name.String()})
	}
	for _, v := range n.FromViews {
		d.names = append(d.names, tabledef.TableName{Schema: v.DbQualifier.String(), Name: v.Name.String()})
	}
	return ast.InjectedStatement{Statement: d, Auth: n.Auth}
}

// WithResolvedChildren implements ast.Injectable.
func (d *dropObjects) WithResolvedChildren(context.Context, []any) (any, error) { return d, nil }

// Resolved implements sql.Node.
func (*dropObjects) Resolved() bool { return true }

// String implements sql.Node.
func (d *dropObjects) String() string {
	if d.views {
		return "DROP VIEW"
	}
	return "DROP TABLE"
}

// Schema implements sql.Node.
func (*dropObjects) Schema(*sql.Context) sql.Schema { return types.OkResultSchema }

// Children implements sql.Node.
func (*dropObjects) Children() []sql.Node { return nil }

// IsReadOnly implements sql.Node.
func (*dropObjects) IsReadOnly() bool { return false }

// WithChildren implements sql.Node.
func (d *dropObjects) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(d, len(children), 0)
	}
	return d, nil
}

// RowIter implements sql.ExecSourceRel.
func (d *dropObjects) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	run := *d // a prepared statement runs again
	if err := run.find(ctx); err != nil {
		return nil, err
	}
	if err := run.mayDrop(ctx); err != nil {
		return nil, err
	}
	for _, e := range run.notes {
		SessionOf(ctx).AddNote(e.Num, e.Message)
	}
	for _, t := range run.found {
		if err := t.drop(ctx); err != nil {
			return nil, err
		}
	}
	if !run.temporary {
		if err := SessionOf(ctx).ended(ctx, nil); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// find looks for everything that the statement names.
func (d *dropObjects) find(ctx *sql.Context) error {
	named := make(map[tabledef.TableName]bool, len(d.names))
	for _, n := range d.names {
		if n.Schema = cmp.Or(n.Schema, ctx.GetCurrentDatabase()); n.Schema == "" {
			return sql.ErrNoDatabaseSelected.New()
		}
		key := tabledef.TableName{Schema: strings.ToLower(n.Schema), Name: strings.ToLower(n.Name)}
		if named[key] {
			return sqlerr.NewError(mysql.ERNonUniqTable, "Not unique table/alias: '%s'", n.Name)
		}
		named[key] = true
		t, there, err := d.lookUp(ctx, n)
		switch {
		case err != nil:
			return err
		case !there:
			d.missing = append(d.missing, n.Schema+"."+n.Name)
			d.notes = append(d.notes, sqlerr.NewError(mysql.ERBadTable, "Unknown table '%s.%s'", n.Schema, n.Name))
		case d.views && t.table != nil:
			d.others = append(d.others, n.Schema+"."+n.Name)
			d.notes = append(d.notes, sqlerr.NewError(1347, "'%s.%s' is not VIEW", n.Schema, n.Name))
		default:
			d.found = append(d.found, t)
		}
	}
	return nil
}

// lookUp finds what a name is that of. DROP TABLE knows no views.
func (d *dropObjects) lookUp(ctx *sql.Context, n tabledef.TableName) (droppedTable, bool, error) {
	s := SessionOf(ctx)
	db, err := s.layer.Engine.Analyzer.Catalog.Database(ctx, n.Schema)
	if sql.ErrDatabaseNotFound.Is(err) {
		return droppedTable{}, false, nil
	}
	if err != nil {
		return droppedTable{}, false, err
	}
	if v, ok := db.(sql.ViewDatabase); ok && d.views {
		if _, there, err := v.GetViewDefinition(ctx, n.Name); err != nil || there {
			return droppedTable{db, n.Name, nil}, there, err
		}
	}
	if _, own := s.temporary(n.Schema, n.Name); d.temporary && !own {
		return droppedTable{}, false, nil
	}
	t, there, err := db.GetTableInsensitive(ctx, n.Name)
	return droppedTable{db, n.Name, t}, there, err
}

// mayDrop refuses the statement before anything is dropped.
func (d *dropObjects) mayDrop(ctx *sql.Context) error {
	if len(d.others) > 0 && !d.ifExists {
		return sqlerr.NewError(1347, "'%s' is not VIEW", d.others[0])
	}
	if len(d.missing) > 0 && !d.ifExists {
		return sqlerr.NewError(mysql.ERBadTable, "Unknown table '%s'", strings.Join(d.missing, ","))
	}
	checks := SessionOf(ctx).flag("foreign_key_checks")
	for _, t := range d.found {
		if err := t.writable(ctx); err != nil {
			return err
		}
		if !checks {
			continue
		}
		if err := d.unreferenced(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// unreferenced refuses to drop a table whose children stay.
func (d *dropObjects) unreferenced(ctx *sql.Context, t droppedTable) error {
	own, ok := t.table.(*Table)
	if !ok {
		return nil
	}
	keys, err := own.GetReferencedForeignKeys(ctx)
	if err != nil {
		return err
	}
	for _, fk := range keys {
		goes := slices.ContainsFunc(d.found, func(other droppedTable) bool {
			return strings.EqualFold(other.db.Name(), fk.Database) && strings.EqualFold(other.name, fk.Table)
		})
		if !goes {
			return sqlerr.NewError(3730, "Cannot drop table '%s' referenced by a foreign key constraint '%s' on table '%s'.", t.table.Name(), fk.Name, fk.Table)
		}
	}
	return nil
}

// writable refuses a table that the session may not change.
func (t droppedTable) writable(ctx *sql.Context) error {
	s := SessionOf(ctx)
	if own, ok := t.table.(*Table); ok && !own.Temporary {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		return s.checkWritable(tabledef.TableName{Schema: own.Def.Def.Schema, Name: own.Def.Def.Name})
	}
	if _, own := OwnDatabase(t.db); !own {
		return s.TableDenied(t.name, sql.PrivilegeType_Drop)
	}
	return nil
}

func (t droppedTable) drop(ctx *sql.Context) error {
	if v, ok := t.db.(sql.ViewDatabase); ok && t.table == nil {
		return v.DropView(ctx, t.name)
	}
	dropper, ok := t.db.(sql.TableDropper)
	if !ok {
		return sql.ErrDropTableNotSupported.New(t.db.Name())
	}
	return dropper.DropTable(ctx, t.table.Name())
}
