package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/server/perftables"
	"emberdb/server/virtual"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/numbers"
)

// The views of sys that are queries: virtual/schemas/sysviews.sql. A view whose name begins with x$
// shows numbers as they are. The view of the same name without x$ shows the same rows with times
// and sizes in units, short statements, and names of files without the data directory.

// sysQueries reads the file: the text of each view by its name.
func sysQueries() map[string]string {
	views := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimSpace(virtual.SchemaFile("sysviews.sql")), "\n\n") {
		if name, query, found := strings.Cut(part, "\n"); found && !strings.HasPrefix(name, "--") {
			views[name] = query
		}
	}
	return views
}

func (s *Server) fillSysQueries(d *virtual.Database) {
	for name, query := range sysQueries() {
		columns := columnNames(d.Tables[name].Schema(nil))
		rows := s.sysRows(query)
		d.Fill(name, strings.Join(columns, ", "), rows)
		formatted, found := strings.CutPrefix(name, "x$")
		if t := d.Tables[formatted]; found && t != nil {
			s.fillFormatted(d, formatted, columns, rows)
		}
	}
}

// fillTableFiles: the files of tables by the tables' names.
func (s *Server) fillTableFiles(d *virtual.Database) {
	columns := "table_schema, table_name, count_read, sum_number_of_bytes_read, sum_timer_read, count_write, sum_number_of_bytes_write, sum_timer_write, count_misc, sum_timer_misc"
	d.Fill("x$ps_schema_table_statistics_io", columns, func(*sql.Context) (out []sql.Row, _ error) {
		use := s.use()
		files := map[base.SpaceID]pagefile.FileUse{}
		for _, f := range use.Files {
			files[f.Space] = f
		}
		for _, t := range perftables.ShownUses(use.Tables) {
			if f, used := files[t.Space]; used && t.ID == 0 {
				out = append(out, sql.Row{t.Schema, t.Table, f.Read.Events, f.Read.Bytes, perftables.Pico(f.Read.Sum), f.Write.Events, f.Write.Bytes, perftables.Pico(f.Write.Sum), f.Sync.Events, perftables.Pico(f.Sync.Sum)})
			}
		}
		return out, nil
	})
}

func columnNames(schema sql.Schema) (names []string) {
	for _, c := range schema {
		names = append(names, c.Name)
	}
	return names
}

// sysRows runs a query in the reader's session: with its rights.
func (s *Server) sysRows(query string) func(*sql.Context) ([]sql.Row, error) {
	return func(ctx *sql.Context) ([]sql.Row, error) {
		in := sql.NewContext(ctx, sql.WithSession(ctx.Session), sql.WithProcessList(s.processes), sql.WithMemoryManager(s.sql.MemoryManager))
		_, iter, _, err := s.sql.Query(in, query)
		if err != nil {
			return nil, err
		}
		return sql.RowIterToRows(in, iter)
	}
}

// fillFormatted gives a view the rows of its unformatted form.
func (s *Server) fillFormatted(d *virtual.Database, name string, from []string, rows func(*sql.Context) ([]sql.Row, error)) {
	schema := d.Tables[name].Schema(nil)
	at := map[string]int{}
	for i, c := range from {
		at[c] = i
	}
	d.Fill(name, strings.Join(columnNames(schema), ", "), func(ctx *sql.Context) ([]sql.Row, error) {
		plain, err := rows(ctx)
		for n, r := range plain {
			row := make(sql.Row, len(schema))
			for i, c := range schema {
				if row[i], err = s.sysFormat(ctx, c, r[at[c.Name]]); err != nil {
					return nil, err
				}
			}
			plain[n] = row
		}
		return plain, err
	})
}

// sysFormat shows a value of an unformatted view as the formatted one does.
func (s *Server) sysFormat(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	text, isText := v.(string)
	switch {
	case v == nil:
		return nil, nil
	case c.Name == "query" && isText:
		return shortStatement(text), nil
	case c.Name == "file" && isText:
		return strings.Replace(text, strings.TrimSuffix(s.dir, "/"), "@@datadir", 1), nil
	case !isUnits(c):
		return v, nil
	}
	n, _, err := types.Float64.Convert(ctx, v)
	if err != nil {
		return nil, err
	}
	if strings.Contains(c.Name, "latency") {
		return numbers.FormatPicoTime(n.(float64)), nil
	}
	return numbers.FormatBytes(n.(float64)), nil
}

// isUnits tells the columns that hold a number with its unit.
func isUnits(c *sql.Column) bool {
	t, ok := c.Type.(sql.StringType)
	return ok && t.MaxCharacterLength() == 11
}

// shownStatement is how many characters of a statement sys shows, and keptEnds how many of them at
// each end.
const shownStatement, keptEnds = 64, 30

// shortStatement leaves out the middle of a long statement.
func shortStatement(text string) string {
	r := []rune(strings.ReplaceAll(text, "\n", " "))
	if len(r) <= shownStatement {
		return string(r)
	}
	return string(r[:keptEnds]) + " ... " + string(r[len(r)-keptEnds:])
}

// installSchemas puts the schemas in place.
func (s *Server) installSchemas() {
	c := s.sql.Analyzer.Catalog
	info := virtual.NewInfoSchema(c.InfoSchema)
	s.addInformationSchema(info)
	c.InfoSchema = info
	if p, ok := c.DbProvider.(sql.CollatedDatabaseProvider); ok {
		c.DbProvider = &virtual.Provider{CollatedDatabaseProvider: p, System: s.systemDB(), Added: map[string]*virtual.Database{
			"performance_schema": s.performanceSchema(), "sys": s.sysSchema()}}
	}
}

// layer is the SQL layer over the engine; nil where tests have something else under the server.
func (s *Server) layer() *sqllayer.Layer {
	p, _ := s.sql.Analyzer.Catalog.DbProvider.(*virtual.Provider)
	if p == nil {
		return nil
	}
	below, _ := p.CollatedDatabaseProvider.(*sqllayer.Provider)
	if below == nil {
		return nil
	}
	return below.Layer()
}
