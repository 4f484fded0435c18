package server

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/metrics"
	"emberdb/server/version"
	"emberdb/server/virtual"
)

// information_schema's tables of InnoDB's dictionary: tables, indexes, columns, files. Numbers of
// tables, indexes and tablespaces are the engine's. Flags of InnoDB's own storage format are 0.

// Kinds of INNODB_INDEXES.TYPE, added up.
const (
	clusteredIndex = 1
	uniqueIndex    = 2
)

// hiddenColumns is how many columns InnoDB adds to a table: row id, transaction, undo.
const hiddenColumns = 3

func (s *Server) addInnodbTables(d *virtual.InfoSchema) {
	each := func(name string, rows func(t *catalog.Table, add func(map[string]any))) {
		d.Fill(name, func(ctx *sql.Context) (out []map[string]any) {
			l := s.layer()
			if l == nil || !s.mayProcess(ctx) {
				return nil
			}
			add := func(row map[string]any) { out = append(out, row) }
			if err := l.EachDefinition(ctx, func(t *catalog.Table) { rows(t, add) }); err != nil {
				s.log.Warn("a table of InnoDB's dictionary is incomplete", "table", name, "error", err)
			}
			return out
		})
	}
	each("innodb_tables", func(t *catalog.Table, add func(map[string]any)) {
		add(map[string]any{"table_id": uint64(t.ID), "name": innodbName(t), "n_cols": len(t.Columns) + hiddenColumns, "space": int64(t.Space),
			"row_format": "Dynamic", "space_type": "Single"})
	})
	each("innodb_indexes", func(t *catalog.Table, add func(map[string]any)) {
		for _, ix := range t.Indexes {
			add(map[string]any{"index_id": uint64(ix.ID), "name": indexShown(ix), "table_id": uint64(t.ID), "type": indexType(ix), "n_fields": indexFields(t, ix),
				"page_no": int64(ix.Root), "space": int64(t.Space), "merge_threshold": 50})
		}
	})
	each("innodb_columns", func(t *catalog.Table, add func(map[string]any)) {
		for i := range t.Columns {
			c := &t.Columns[i]
			add(map[string]any{"table_id": uint64(t.ID), "name": c.Name, "pos": i, "mtype": mainType(c), "prtype": preciseType(c), "len": innodbLength(c),
				"has_default": 0})
		}
	})
	each("innodb_fields", func(t *catalog.Table, add func(map[string]any)) {
		for _, ix := range t.Indexes {
			for i, p := range ix.Parts {
				add(map[string]any{"index_id": strconv.Itoa(int(ix.ID)), "name": t.Columns[p.Column].Name, "pos": uint64(i)})
			}
		}
	})
	each("innodb_foreign", func(t *catalog.Table, add func(map[string]any)) {
		for _, k := range t.ForeignKeys {
			add(map[string]any{"id": t.Schema + "/" + k.Name, "for_name": innodbName(t), "ref_name": k.ParentSchema + "/" + k.ParentTable, "n_cols": len(k.Columns),
				"type": foreignType(&k)})
		}
	})
	each("innodb_foreign_cols", func(t *catalog.Table, add func(map[string]any)) {
		for _, k := range t.ForeignKeys {
			for i := range k.Columns {
				add(map[string]any{"id": t.Schema + "/" + k.Name, "for_col_name": k.Columns[i], "ref_col_name": k.ParentColumns[i], "pos": i + 1})
			}
		}
	})
	version, _, _ := strings.Cut(version.ServerVersion(), "-") // the column has ten characters
	each("innodb_tablespaces", func(t *catalog.Table, add func(map[string]any)) {
		size := s.fileSize(t.Space)
		add(map[string]any{"space": uint32(t.Space), "name": innodbName(t), "row_format": "Dynamic", "page_size": base.PageSize, "space_type": "Single",
			"fs_block_size": 4096, "file_size": size, "allocated_size": size, "server_version": version, "space_version": 1, "encryption": "N", "state": "normal"})
	})
	each("innodb_tablespaces_brief", func(t *catalog.Table, add func(map[string]any)) {
		add(map[string]any{"space": strconv.Itoa(int(t.Space)), "name": innodbName(t), "path": s.spacePath(t.Space), "space_type": "Single"})
	})
	each("innodb_datafiles", func(t *catalog.Table, add func(map[string]any)) {
		add(map[string]any{"space": strconv.Itoa(int(t.Space)), "space_id": strconv.Itoa(int(t.Space)), "path": s.spacePath(t.Space)})
	})
	d.Fill("innodb_tablestats", func(ctx *sql.Context) (out []map[string]any) {
		l := s.layer()
		if l == nil || !s.mayProcess(ctx) {
			return nil
		}
		err := l.EachTable(ctx, func(schema string, status map[string]any) {
			size, _ := status["data_length"].(uint64)
			name, _ := status["name"].(string)
			auto, _ := status["auto_increment"].(int64)
			out = append(out, map[string]any{"name": schema + "/" + name, "stats_initialized": "Initialized", "num_rows": status["rows"],
				"clust_index_size": size / base.PageSize, "autoinc": auto})
		})
		if err != nil {
			s.log.Warn("INNODB_TABLESTATS is incomplete", "error", err)
		}
		return out
	})
}

func innodbName(t *catalog.Table) string { return t.Schema + "/" + t.Name }

// spacePath is the file of a tablespace, from the data directory on.
func (s *Server) spacePath(space base.SpaceID) string { return pagefile.PathIn(".", space) }

// fileSize is the length of a tablespace's file; 0 if it cannot be told.
func (s *Server) fileSize(space base.SpaceID) int64 {
	info, err := vfs.NewOS(s.log).Stat(filepath.Join(s.dir, pagefile.PathIn("", space)))
	if err != nil {
		return 0
	}
	return info.Size
}

func indexShown(ix *catalog.Index) string {
	if ix.Name == "" {
		return "GEN_CLUST_INDEX"
	}
	return ix.Name
}

func indexType(ix *catalog.Index) (n int) {
	if ix.Clustered {
		n += clusteredIndex
	}
	if ix.Unique && len(ix.Parts) > 0 {
		n += uniqueIndex
	}
	return n
}

// indexFields is how many columns an entry of the index has.
func indexFields(t *catalog.Table, ix *catalog.Index) int {
	switch {
	case !ix.Clustered:
		parts := map[int]bool{}
		for _, of := range [2]*catalog.Index{ix, t.Indexes[0]} {
			for _, p := range of.Parts {
				parts[p.Column] = true
			}
		}
		return len(parts) + virtual.B2i(len(t.Indexes[0].Parts) == 0)
	case len(ix.Parts) == 0:
		return len(t.Columns) + hiddenColumns
	}
	return len(t.Columns) + hiddenColumns - 1
}

// mainTypes are InnoDB's numbers of types, by the first word of a type's name.
var mainTypes = map[string]int{"binary": 3, "varbinary": 4, "tinyblob": 5, "blob": 5, "mediumblob": 5, "longblob": 5, "tinytext": 5, "text": 5, "mediumtext": 5,
	"longtext": 5, "json": 5, "float": 9, "double": 10, "decimal": 3, "varchar": 12, "char": 13, "bit": 3,
	"datetime": 3, "timestamp": 3, "time": 3,
	"geometry": 14, "point": 14, "linestring": 14, "polygon": 14, "multipoint": 14, "multilinestring": 14, "multipolygon": 14, "geomcollection": 14}

// latin1 is the collation of which InnoDB tells texts from those of others.
const latin1 = 8

// mainType is INNODB_COLUMNS.MTYPE of a column; what is a whole number to InnoDB has no entry in
// mainTypes.
func mainType(c *catalog.Column) int {
	word := strings.FieldsFunc(strings.ToLower(c.SQLType), func(r rune) bool { return r == '(' || r == ' ' })
	if len(word) > 0 {
		n, found := mainTypes[word[0]]
		switch {
		case c.Collation == latin1 && word[0] == "varchar":
			return 1
		case c.Collation == latin1 && word[0] == "char":
			return 2
		case found:
			return n
		}
	}
	const whole = 6
	return whole
}

// innodbMetric is a row of information_schema.INNODB_METRICS as InnoDB names it.
type innodbMetric struct {
	name, subsystem, kind string
	status                string // the status variable it is read from; @name: a system variable; -: nothing is counted
}

// readInnodbMetrics reads schemas/innodb_metrics.txt.
func readInnodbMetrics() []innodbMetric {
	var out []innodbMetric
	for line := range strings.Lines(virtual.SchemaFile("innodb_metrics")) {
		if f := strings.Fields(line); len(f) == 4 && f[0] != "#" {
			out = append(out, innodbMetric{f[0], f[1], f[2], f[3]})
		}
	}
	return out
}

// eachInnodbMetric gives each metric and its value; counted is false where the engine counts
// nothing.
func (s *Server) eachInnodbMetric(fn func(m innodbMetric, n uint64, counted bool)) {
	values := s.status.values()
	for _, m := range readInnodbMetrics() {
		v := values[m.status]
		if name, ok := strings.CutPrefix(m.status, "@"); ok {
			_, v, _ = sql.SystemVariables.GetGlobal(name)
		}
		switch n := v.(type) {
		case uint64:
			fn(m, n, true)
		case int64:
			fn(m, uint64(n), true)
		default:
			fn(m, 0, false)
		}
	}
}

// innodbMetricRows are the rows of INNODB_METRICS: those that are counted are enabled.
func (s *Server) innodbMetricRows(ctx *sql.Context) (out []map[string]any) {
	if !s.mayProcess(ctx) {
		return nil
	}
	s.eachInnodbMetric(func(m innodbMetric, n uint64, counted bool) {
		row := map[string]any{"name": m.name, "subsystem": m.subsystem, "type": m.kind, "count": int64(n), "count_reset": int64(n), "status": "disabled", "comment": "Not counted"}
		if counted {
			row["status"], row["comment"], row["time_enabled"] = "enabled", "Read from "+strings.TrimPrefix(m.status, "@"), s.started
		}
		out = append(out, row)
	})
	return out
}

// innodbCounters are the metrics that are counted, for a scrape.
func (s *Server) innodbCounters() (out []metrics.Counter) {
	s.eachInnodbMetric(func(m innodbMetric, n uint64, counted bool) {
		if counted {
			out = append(out, metrics.Counter{Subsystem: strings.ToLower(m.subsystem), Name: m.name, Value: float64(n), Gauge: m.kind == "value"})
		}
	})
	return out
}
