package infoschema

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/information_schema"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/engine/row"
	"emberdb/engine/table"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/partition"
	"emberdb/sqllayer"
	"emberdb/sqllayer/fts"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/sqlmode"
	"emberdb/sqllayer/tabledef"
)

// infoSchema is information_schema.
type infoSchema struct {
	sql.Database
	tables map[string]*infoTable // by name in lower case
}

// NewInfoSchema lays the layer's tables over GMS's. Where plain says so, those that stay GMS's keep
// the names by which GMS's process list tells of them.
func NewInfoSchema(base sql.Database, plain bool) infoSchema {
	d := infoSchema{base, make(map[string]*infoTable)}
	ctx := sql.NewEmptyContext()
	for name, rows := range map[string]infoRows{
		"columns": columnsRows, "tables": tablesRows, "statistics": statisticsRows, "partitions": partitionsRows, "character_sets": charactersRows,
		"plugins": pluginsRows, "routines": routinesRows, "parameters": parametersRows, "views": viewsRows, "triggers": triggersRows, "events": eventsRows,
		"innodb_ft_default_stopword": stopWordsRows, "user_privileges": userPrivilegesRows, "schema_privileges": schemaPrivilegesRows,
		"table_privileges": tablePrivilegesRows, "column_privileges": columnPrivilegesRows, "referential_constraints": referencesRows, "column_statistics": histogramRows,
		"st_spatial_reference_systems": referenceSystemRows, "st_geometry_columns": geometryColumnsRows, "st_units_of_measure": lengthUnitRows,
		"view_table_usage": viewTablesRows, "view_routine_usage": viewRoutinesRows,
	} {
		if t, ok, err := base.GetTableInsensitive(ctx, name); ok && err == nil {
			d.tables[name] = newInfoTable(strings.ToUpper(name), plainSchema(t.Schema(ctx)), rows)
		}
	}
	names, err := base.GetTableNames(ctx)
	if plain || err != nil {
		return d
	}
	for _, name := range names {
		if t, _, _ := base.GetTableInsensitive(ctx, name); t != nil {
			if own, ok := t.(*information_schema.InformationSchemaTable); ok {
				own.TableName = strings.ToUpper(own.TableName)
				own.TableSchema = upperNames(own)
				own.Reader = listAnew(own.Reader)
			}
		}
	}
	return d
}

// upperNames are the columns of a table of GMS's under MySQL's names for them.
func upperNames(t *information_schema.InformationSchemaTable) sql.Schema {
	if t.TableName == "INNODB_FT_DEFAULT_STOPWORD" {
		return t.TableSchema
	}
	out := make(sql.Schema, len(t.TableSchema))
	for i, c := range t.TableSchema {
		upper := *c
		upper.Name = strings.ToUpper(c.Name)
		out[i] = &upper
	}
	return out
}

// listAnew reads as listings do, and begins again when a table was dropped between the list of
// names and the look at it.
func listAnew(read func(*sql.Context, sql.Catalog) (sql.RowIter, error)) func(*sql.Context, sql.Catalog) (sql.RowIter, error) {
	return func(ctx *sql.Context, cat sql.Catalog) (sql.RowIter, error) {
		ctx = sqllayer.Listing(ctx)
		for try := 0; ; try++ {
			if rows, err := read(ctx, cat); !sql.ErrTableNotFound.Is(err) || try == 100 {
				return rows, err
			}
		}
	}
}

// plainSchema has texts in the place of ENUMs, whose numbers GMS gives to functions or which lack
// values, room for EXTERNAL in ROUTINE_BODY, and MySQL's order in SQL_MODE.
func plainSchema(schema sql.Schema) sql.Schema {
	out := schema.Copy()
	for _, c := range out {
		switch c.Name {
		case "SQL_MODE":
			c.Type = sqlmode.ModeType
		case "SPECIFIC_TABLE": // of VIEW_ROUTINE_USAGE
			c.Name = "SPECIFIC_NAME"
		case "STATUS": // of an event
			c.Type = types.MustCreateString(sqltypes.VarChar, 21, sql.Collation_Information_Schema_Default)
		case "ROW_FORMAT":
			c.Type = types.MustCreateString(sqltypes.VarChar, 10, sql.Collation_Information_Schema_Default)
		case "ROUTINE_BODY":
			c.Type = types.MustCreateString(sqltypes.VarChar, 8, sql.Collation_Information_Schema_Default)
		}
	}
	return out
}

// GetTableInsensitive implements sql.Database.
func (d infoSchema) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	if t := d.tables[strings.ToLower(name)]; t != nil {
		return t, true, nil
	}
	return d.Database.GetTableInsensitive(ctx, name)
}

// GetTableNames implements sql.Database.
func (d infoSchema) GetTableNames(ctx *sql.Context) ([]string, error) {
	names, err := d.Database.GetTableNames(ctx)
	for i, n := range names {
		names[i] = strings.ToUpper(n)
	}
	return names, err
}

// infoRows makes the rows of a table: values by column name in lower case; what is missing is NULL,
// or zero if it must not be.
type infoRows func(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error

// infoTable is a table whose rows come from the catalog.
type infoTable struct {
	VirtualTable
	of    infoRows
	cat   sql.Catalog
	asked *sqllayer.Asked // nil: everything
}

func newInfoTable(name string, schema sql.Schema, of infoRows) *infoTable {
	return &infoTable{VirtualTable: *NewVirtualTable(name, schema, nil), of: of}
}

var _ sql.CatalogTable = (*infoTable)(nil)

// AssignCatalog implements sql.CatalogTable.
func (t *infoTable) AssignCatalog(cat sql.Catalog) sql.Table {
	own := *t
	own.cat = cat
	return &own
}

// PartitionRows implements sql.Table.
func (t *infoTable) PartitionRows(*sql.Context, sql.Partition) (sql.RowIter, error) {
	own := t.VirtualTable
	own.rows = t.make
	return &virtualRows{t: &own}, nil
}

func (t *infoTable) make(ctx *sql.Context) (rows []sql.Row, failed error) {
	err := t.of(sqllayer.Asking(sqllayer.Listing(ctx), t.asked), t.cat, func(values map[string]any) {
		r, err := RowByName(ctx, t.schema, values)
		if err != nil && failed == nil {
			failed = err
		}
		rows = append(rows, r)
	})
	if err != nil {
		return nil, err
	}
	return rows, failed
}

func tablesRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	table := func(db string, t sql.Table, own *sqllayer.Table) error {
		m := map[string]any{"table_catalog": "def", "table_schema": db, "table_name": t.Name(), "table_type": "BASE TABLE", "version": 10, "create_options": "", "table_comment": ""}
		switch {
		case own != nil:
			status, err := sqllayer.StatusOf(ctx, own)
			if err != nil {
				return err
			}
			status["table_rows"], status["table_collation"], status["table_comment"] = status["rows"], status["collation"], status["comment"]
			for k, v := range status {
				m[k] = v
			}
		case strings.EqualFold(db, sql.InformationSchemaDatabaseName):
			m["table_type"] = "SYSTEM VIEW"
			m["create_time"] = epoch
		default:
			m["engine"], m["row_format"], m["create_time"], m["table_collation"] = "InnoDB", "Dynamic", epoch, t.Collation().Name()
		}
		add(m)
		return nil
	}
	return sqllayer.EachTable(ctx, cat, table, func(db sql.Database, v sql.ViewDefinition) error {
		comment := "VIEW"
		if d, own := sqllayer.OwnDatabase(db); own && sqllayer.AsksFor(ctx, "table_comment") {
			comment = d.ViewComment(ctx, cat, v.Name)
		}
		add(map[string]any{"table_catalog": "def", "table_schema": db.Name(), "table_name": v.Name, "table_type": "VIEW", "table_comment": comment, "create_time": epoch})
		return nil
	})
}

// epoch stands for the time at which what has no creation time was created.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func partitionsRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	return sqllayer.EachTable(ctx, cat, func(db string, t sql.Table, own *sqllayer.Table) error {
		if own == nil {
			return nil
		}
		status, err := sqllayer.StatusOf(ctx, own)
		if err != nil {
			return err
		}
		status["table_catalog"], status["table_schema"], status["table_name"] = "def", db, t.Name()
		status["table_rows"], status["partition_comment"], status["nodegroup"] = status["rows"], "", ""
		if own.Def.Def.Partitioning != nil {
			return own.EachPart(ctx, func(of map[string]any) {
				row := maps.Clone(status)
				maps.Copy(row, of)
				add(row)
			})
		}
		add(status)
		return nil
	}, func(db sql.Database, v sql.ViewDefinition) error {
		add(map[string]any{"table_catalog": "def", "table_schema": db.Name(), "table_name": v.Name, "partition_comment": "", "nodegroup": "", "create_time": epoch})
		return nil
	})
}

func statisticsRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	return sqllayer.EachTable(ctx, cat, func(db string, t sql.Table, own *sqllayer.Table) error {
		if own == nil {
			return nil
		}
		rows, err := IndexRows(ctx, own)
		for _, m := range rows {
			m["table_catalog"], m["table_schema"], m["table_name"], m["index_schema"] = "def", db, t.Name(), db
			m["index_name"], m["nullable"], m["is_visible"] = m["key_name"], m["null"], m["visible"]
			add(m)
		}
		return err
	}, nil)
}

// IndexRows describes the parts of a table's indexes, in the order of SHOW INDEX.
func IndexRows(ctx *sql.Context, t *sqllayer.Table) (out []map[string]any, err error) {
	count, _, err := t.RowCount(ctx)
	if err != nil {
		return nil, err
	}
	def := t.Def.Def
	part := func(name, kind, comment string, at, column int, unique, visible bool) map[string]any {
		c := &def.Columns[column]
		m := map[string]any{
			"table": t.Name(), "non_unique": int32(1), "key_name": name, "seq_in_index": uint32(at + 1), "column_name": c.Name, "collation": "A", "cardinality": int64(0),
			"null": "", "index_type": kind, "comment": "", "index_comment": comment, "visible": "YES",
		}
		if c.System {
			m["column_name"], m["expression"] = nil, tabledef.QuoteEscaped.Replace(tabledef.ExprText(c.Generated))
		}
		if c.Nullable {
			m["null"] = "YES"
		}
		if unique {
			m["non_unique"] = int32(0)
		}
		if !visible {
			m["visible"] = "NO"
		}
		return m
	}
	hides := sqllayer.HidesKey(ctx, t)
	for _, x := range tabledef.ShownIndexes(def) {
		if hides && x.Clustered {
			continue
		}
		var values []float64
		if err := t.Estimate(ctx, func(h *table.Table) (err error) {
			values, err = h.Distinct(x)
			return err
		}); err != nil {
			return nil, err
		}
		for at, p := range x.Parts {
			m := part(x.Name, "BTREE", x.Comment, at, p.Column, x.Unique, !x.Invisible)
			if p.Desc {
				m["collation"] = "D"
			}
			if p.Prefix > 0 {
				m["sub_part"] = int64(p.Prefix)
			}
			switch {
			case x.Unique && at == len(x.Parts)-1:
				m["cardinality"] = int64(count)
			case at < len(values):
				m["cardinality"] = int64(math.Round(min(values[at], max(float64(count), 0))))
			}
			out = append(out, m)
		}
	}
	special, err := tabledef.SpecialIndexes(def)
	for _, x := range special {
		for at, name := range x.Columns {
			m := part(x.Name, strings.ToUpper(x.Kind), x.Comment, at, t.Def.Find(name), false, !x.Invisible)
			if m["collation"] = nil; x.Kind == "spatial" {
				m["collation"], m["sub_part"] = "A", int64(32)
			}
			out = append(out, m)
		}
	}
	return out, err
}

// plugins are those that clients look for among MySQL's, with their types.
var plugins = [][2]string{{"binlog", "STORAGE ENGINE"}, {"mysql_native_password", "AUTHENTICATION"}, {"caching_sha2_password", "AUTHENTICATION"}, {"InnoDB", "STORAGE ENGINE"}, {"clone", "CLONE"}, {"ngram", "FTPARSER"}}

// KnowsPlugin tells whether the server has a plugin of that name.
func KnowsPlugin(name string) bool {
	return slices.ContainsFunc(plugins, func(p [2]string) bool { return strings.EqualFold(p[0], name) })
}

func pluginsRows(_ *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	for _, p := range plugins {
		add(map[string]any{"plugin_name": p[0], "plugin_version": "1.0", "plugin_status": "ACTIVE", "plugin_type": p[1], "plugin_license": "Apache-2.0", "load_option": "FORCE"})
	}
	return nil
}

func stopWordsRows(_ *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	for _, w := range fts.StopWords {
		add(map[string]any{"value": w})
	}
	return nil
}

func charactersRows(_ *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	var sets []sql.CharacterSet
	for i := sql.NewCharacterSetsIterator(); ; {
		s, ok := i.Next()
		if !ok {
			break
		}
		if row.LookupCollation(uint16(s.DefaultCollation)) != nil {
			sets = append(sets, s)
		}
	}
	slices.SortFunc(sets, func(a, b sql.CharacterSet) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range sets {
		add(map[string]any{"character_set_name": s.Name, "default_collate_name": s.DefaultCollation.Name(), "description": s.Description, "maxlen": int(s.MaxLength)})
	}
	return nil
}

// KnowsParts is nil if a table has the partitions that a command names.
func KnowsParts(ctx *sql.Context, db, name string, a *sqlast.PartitionAction) error {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return tabledef.ErrNotPartitioned()
	}
	found, _, err := s.Layer().Engine.Analyzer.Catalog.Table(ctx, db, name)
	if err != nil {
		return err
	}
	t, ok := sql.GetUnderlyingTable(found).(*sqllayer.Table)
	if !ok || t.Def.Def.Partitioning == nil {
		return tabledef.ErrNotPartitioned()
	}
	if _, err := partition.Named(t.Def.Def, a); err != nil {
		return sqlerr.NewError(1507, "Error in list of partitions to %s.%s", db, name)
	}
	return nil
}
