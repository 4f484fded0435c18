package sqllayer

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/information_schema"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/sql/partition"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/tabledef"
)

// information_schema: MySQL's names of its tables, and the rows that GMS makes otherwise, or not at
// all: COLUMNS, TABLES, STATISTICS, PARTITIONS, CHARACTER_SETS, PLUGINS, ROUTINES, PARAMETERS,
// VIEWS, TRIGGERS. Rows are made when a scan begins, from definitions; those of schemas that are
// not the engine's from GMS's schemas.

// EachTable calls table for all tables of all schemas, own being the engine's one or nil, and view
// for all views.
func EachTable(ctx *sql.Context, cat sql.Catalog, table func(db string, t sql.Table, own *Table) error, view func(db sql.Database, v sql.ViewDefinition) error) error {
	databases, err := information_schema.AllDatabasesWithNames(ctx, cat, false)
	if err != nil {
		return err
	}
	asked := askedOf(ctx)
	for _, db := range databases {
		if !asked.schema(ctx, db.SchemaName) {
			continue
		}
		names, err := db.Database.GetTableNames(ctx)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !asked.table(ctx, db.SchemaName, name) {
				continue
			}
			t, ok, err := db.Database.GetTableInsensitive(ctx, name)
			if err != nil {
				return err
			}
			if !ok {
				continue // dropped meanwhile
			}
			own, _ := sql.GetUnderlyingTable(t).(*Table)
			if err := table(db.SchemaName, t, own); err != nil {
				return err
			}
		}
		if view == nil {
			continue
		}
		views, err := information_schema.ViewsInDatabase(ctx, db.Database)
		if err != nil {
			return err
		}
		for _, v := range views {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !asked.table(ctx, db.SchemaName, v.Name) || !PrivilegesOf(ctx).SeesTable(db.SchemaName, v.Name) {
				continue
			}
			if err := view(db.Database, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Asked is what a statement asks of a table that lists tables; nil: all.
type Asked struct {
	// Schema and Table tell whether tables of a schema, or one of them, are asked for; nil: they are.
	Schema func(ctx *sql.Context, schema string) bool
	Table  func(ctx *sql.Context, schema, name string) bool
	// Reads tells whether a column is read; its name is in lower case.
	Reads func(column string) bool
}

type askedKey struct{}

// Asking is a context for EachTable.
func Asking(ctx *sql.Context, a *Asked) *sql.Context {
	if a == nil {
		return ctx
	}
	return ctx.WithContext(context.WithValue(ctx.Context, askedKey{}, a))
}

func askedOf(ctx *sql.Context) *Asked {
	a, _ := ctx.Value(askedKey{}).(*Asked)
	return a
}

// AsksFor tells whether a column of the table that is read is asked for.
func AsksFor(ctx *sql.Context, column string) bool {
	a := askedOf(ctx)
	return a == nil || a.Reads == nil || a.Reads(column)
}

func (a *Asked) schema(ctx *sql.Context, schema string) bool {
	return a == nil || a.Schema == nil || a.Schema(ctx, schema)
}

func (a *Asked) table(ctx *sql.Context, schema, name string) bool {
	return a == nil || a.Table == nil || a.Table(ctx, schema, name)
}

// EachTable tells of all tables of the engine what SHOW TABLE STATUS does.
func (l *Layer) EachTable(ctx *sql.Context, visit func(schema string, status map[string]any)) error {
	return EachTable(Listing(ctx), l.Engine.Analyzer.Catalog, func(db string, _ sql.Table, own *Table) error {
		if own == nil {
			return nil
		}
		status, err := StatusOf(ctx, own)
		if err == nil {
			visit(db, status)
		}
		return err
	}, nil)
}

// EachDefinition visits the definitions of all tables that the account may see. Those of the parts
// stand in the place of that of a partitioned table.
func (l *Layer) EachDefinition(ctx *sql.Context, visit func(def *catalog.Table)) error {
	return EachTable(Listing(ctx), l.Engine.Analyzer.Catalog, func(_ string, _ sql.Table, own *Table) error {
		switch {
		case own == nil:
		case own.Def.Def.Partitioning != nil:
			return own.eachPartDefinition(ctx, visit)
		default:
			visit(own.Def.Def)
		}
		return nil
	}, nil)
}

// information_schema.columns, and columns as it describes them.

// Listed are the rights on a column as they are shown.
func (p Privileges) Listed(db, table, column string) string {
	var out []string
	for _, k := range columnKinds {
		if p.OnColumn(db, table, column, k) || k == sql.PrivilegeType_Select && IsInformationSchema(db) {
			out = append(out, strings.ToLower(k.String()))
		}
	}
	return strings.Join(out, ",")
}

// SHOW CREATE TABLE of the engine's tables, written from the definition as MySQL writes them.

// OwnTable is the engine's table of a node, nil if it is no base table.
func OwnTable(n sql.Node) *Table {
	r, ok := n.(*plan.ResolvedTable)
	if !ok {
		return nil
	}
	t, _ := sql.GetUnderlyingTable(r.UnderlyingTable()).(*Table)
	return t
}

// SHOW TABLE STATUS of the engine's tables, as MySQL shows it.

func StatusOf(ctx *sql.Context, t *Table) (map[string]any, error) {
	count, _, err := t.RowCount(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := t.stats(ctx)
	if err != nil {
		return nil, err
	}
	size := uint64(stats.DataBytes)
	out := map[string]any{
		"name": t.Name(), "engine": "InnoDB", "version": "10", "row_format": tabledef.RowFormat(t.Def.Def), "rows": count, "avg_row_length": size / max(count, 1),
		"data_length": size, "max_data_length": uint64(0), "index_length": stats.IndexBytes, "data_free": int64(0), "create_options": tabledef.CreateOptions(t.Def.Def),
		"create_time": time.Unix(t.Def.Def.CreatedUnix, 0).UTC(), "collation": sql.CollationID(t.Def.Def.Collation).Name(), "comment": t.Def.Def.Comment,
	}
	if t.Def.Def.AutoInc >= 0 {
		next, err := t.PeekNextAutoIncrementValue(ctx)
		if err != nil {
			return nil, err
		}
		if next > 1 {
			out["auto_increment"] = int64(next)
		}
	}
	return out, nil
}

// What is told of partitions: information_schema, EXPLAIN, the maintenance statements.

// EachPart calls add with what information_schema.PARTITIONS says of each part.
func (t *Table) EachPart(ctx *sql.Context, add func(map[string]any)) error {
	p := t.Def.Def.Partitioning
	return t.Estimate(ctx, func(h *table.Table) error {
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
	p := t.Def.Def.Partitioning
	return t.Estimate(ctx, func(h *table.Table) error {
		for i, leaf := range p.Leaves()[:min(len(p.Leaves()), len(h.Parts()))] {
			def := *h.Parts()[i].Def()
			def.Name = partition.StoredName(t.Name(), p, leaf)
			visit(&def)
		}
		return nil
	})
}

// ReadParts are the names of the parts that a plan may read, as EXPLAIN tells them; nil for other
// tables. Bounds of keys leave out more of them when the plan runs.
func (t *Table) ReadParts() []string {
	p := t.Def.Def.Partitioning
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

// The views of the sys schema. They have the rights of who reads them: the account needs SELECT on
// the tables of performance_schema that they read, EXECUTE on the functions of sys that they call,
// and PROCESS where they read the tables of the engine.

// Views, triggers and procedures as SHOW and information_schema tell of them: MySQL's head with the
// definer, then the body as it was written.

// origin is who made an object, and the character set and collation of the session that did.
type origin struct{ Definer, Client, Connection string }

type StoredView struct {
	sql.ViewDefinition
	origin
	Resolved string `json:",omitempty"` // its query with all names written out
}

type StoredTrigger struct {
	sql.TriggerDefinition
	origin
}

type StoredProcedure struct {
	sql.StoredProcedureDetails
	origin
}

// newOrigin is that of an object which the session makes with this definer.
func newOrigin(ctx *sql.Context, definer string) (o origin, err error) {
	s := SessionOf(ctx)
	if o.Definer = programs.DefinerOf(ctx, definer); strings.HasPrefix(o.Definer, "@") {
		o.Definer = "root@localhost" // the server itself
	} else if err := s.mayDefine(ctx, o.Definer); err != nil {
		return o, err
	}
	if s != nil {
		o.Client, o.Connection = s.text("character_set_client"), s.text("collation_connection")
	}
	return o, nil
}

// Completed is the origin of an object that may have been stored without one.
func (o origin) Completed(d *Database, definer string) origin {
	if o.Definer != "" {
		return o
	}
	if o.Definer = programs.AccountOf(definer); o.Definer == "" {
		o.Definer = "root@localhost"
	}
	o.Client, o.Connection = d.Collation.CharacterSet().Name(), d.Collation.Name()
	return o
}

func (o origin) DefinerClause() string {
	at := strings.LastIndexByte(o.Definer, '@')
	return "DEFINER=" + tabledef.QuoteName(o.Definer[:max(at, 0)]) + "@" + tabledef.QuoteName(o.Definer[at+1:])
}

func (v viewText) Security() string {
	if v.invoker {
		return "INVOKER"
	}
	return "DEFINER"
}

// Create is the text of SHOW CREATE VIEW; name and body are those that are shown.
func (v viewText) Create(name, body string, o origin) string {
	text := "CREATE ALGORITHM=" + v.algorithm + " " + o.DefinerClause() + " SQL SECURITY " + v.Security() + " VIEW " + name
	if len(v.columns) > 0 {
		text += " (" + tabledef.QuoteNames(v.columns) + ")"
	}
	text += " AS " + body
	if v.Check != "" {
		text += " WITH " + v.Check + " CHECK OPTION"
	}
	return text
}

// MayOn tells whether the session has a right on a table or view.
func MayOn(ctx *sql.Context, db, table string, kind sql.PrivilegeType) bool {
	return PrivilegesOf(ctx).OnTable(db, table, kind)
}
