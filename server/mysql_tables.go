package server

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/server/virtual"
	"emberdb/sqllayer"
)

// The tables of the mysql schema that go-mysql-server lacks and tools read. They lie in a schema
// that no client sees, which passes for mysql: the SQL layer's parser sends their names there.

// systemDB is that schema. It finds go-mysql-server's tables too, for lists of all.
type systemDB struct {
	*virtual.Database
	grants *mysql_db.MySQLDb
}

var _ sql.AliasedDatabase = (*systemDB)(nil)

// AliasedName implements sql.AliasedDatabase: the schema whose rights hold.
func (d *systemDB) AliasedName() string { return d.Name() }

// IsReadOnly implements sql.ReadOnlyDatabase: LOCK TABLES wants a schema that is not, as dumps lock
// all tables. The tables themselves take no changes.
func (d *systemDB) IsReadOnly() bool { return false }

func (d *systemDB) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	if t, ok, err := d.Database.GetTableInsensitive(ctx, name); ok || err != nil {
		return t, ok, err
	}
	return d.grants.GetTableInsensitive(ctx, name)
}

func (d *systemDB) GetTableNames(ctx *sql.Context) ([]string, error) {
	names, err := d.Database.GetTableNames(ctx)
	if err != nil {
		return nil, err
	}
	more, err := d.grants.GetTableNames(ctx)
	names = append(names, more...)
	slices.Sort(names)
	return slices.Compact(names), err
}

func (s *Server) systemDB() *systemDB {
	d := virtual.New("mysql")
	s.fillGrantTables(d)
	for name, t := range d.Tables {
		logs := name == "gtid_executed" || name == "general_log" || name == "slow_log"
		if sqllayer.SystemTables[name] = !logs; !logs && d.Editable[name] == nil {
			d.Editable[name] = discardRow(t.Name())
		}
	}
	d.Fill("innodb_table_stats", "database_name, table_name, last_update, n_rows, clustered_index_size", s.tableStats)
	d.Fill("gtid_executed", "source_uuid, gtid_tag, interval_start, interval_end", s.gtidRows)
	zones := strings.Fields(virtual.SchemaFile("zones"))
	d.Fill("time_zone", "Time_zone_id, Use_leap_seconds", func(*sql.Context) (out []sql.Row, _ error) {
		for i := range zones {
			out = append(out, sql.Row{uint64(i + 1), "N"})
		}
		return out, nil
	})
	d.Fill("time_zone_name", "Name, Time_zone_id", func(*sql.Context) (out []sql.Row, _ error) {
		for i, name := range zones {
			out = append(out, sql.Row{name, uint64(i + 1)})
		}
		return out, nil
	})
	return &systemDB{d, s.sql.Analyzer.Catalog.MySQLDb}
}

// tableStats tells of every table its rows and pages, as information_schema.TABLES estimates them.
func (s *Server) tableStats(ctx *sql.Context) (out []sql.Row, _ error) {
	l := s.layer()
	if l == nil {
		return nil, nil
	}
	err := l.EachTable(ctx, func(schema string, status map[string]any) {
		size, _ := status["data_length"].(uint64)
		out = append(out, sql.Row{schema, status["name"], status["create_time"], status["rows"], (size + 16383) / 16384})
	})
	return out, err
}

// gtidRows are the transactions executed, one row an interval.
func (s *Server) gtidRows(*sql.Context) (out []sql.Row, _ error) {
	l := s.binlog()
	if l == nil {
		return nil, nil
	}
	for of, iv := range l.Executed().All() {
		out = append(out, sql.Row{of.Server.String(), of.Tag.String(), iv.Start, iv.End - 1})
	}
	return out, nil
}
