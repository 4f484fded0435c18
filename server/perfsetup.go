package server

import (
	"net"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/perfschema"
	"emberdb/server/perftables"
	"emberdb/server/virtual"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// performance_schema's tables of what is counted, and how clients change them.

// idleConsumers are MySQL's that get nothing here.
const idleConsumers = `events_stages_current events_stages_history events_stages_history_long events_statements_cpu events_transactions_current
	events_transactions_history events_transactions_history_long events_waits_current events_waits_history events_waits_history_long`

// metaLockName is the instrument of metadata_locks. Who reads that table may ask first whether it is
// on.
const metaLockName = "wait/lock/metadata/sql/mdl"

func yes(on bool) string {
	if on {
		return "YES"
	}
	return "NO"
}

func (s *Server) fillSetup(d *virtual.Database) {
	r := s.performance
	d.Fill("setup_consumers", "NAME, ENABLED", func(*sql.Context) (out []sql.Row, _ error) {
		for c, name := range perfschema.ConsumerNames {
			out = append(out, sql.Row{name, yes(r.Consumes(perfschema.Consumer(c)))})
		}
		for _, name := range strings.Fields(idleConsumers) {
			out = append(out, sql.Row{name, "NO"})
		}
		return out, nil
	})
	d.Updatable["setup_consumers"] = s.setConsumer
	d.Fill("setup_instruments", "NAME, ENABLED, TIMED, PROPERTIES, VOLATILITY", func(*sql.Context) (out []sql.Row, _ error) {
		for _, name := range perftables.StatementNames {
			out = append(out, sql.Row{name, yes(r.Enabled()), yes(r.Enabled()), "", int64(0)})
		}
		return append(out, sql.Row{metaLockName, yes(r.Enabled()), yes(r.Enabled()), "", int64(0)}), nil
	})
	d.Fill("setup_actors", "HOST, USER, ROLE, ENABLED, HISTORY", func(*sql.Context) ([]sql.Row, error) {
		return []sql.Row{{"%", "%", "%", "YES", "YES"}}, nil
	})
	d.Fill("setup_threads", "NAME, ENABLED, HISTORY, PROPERTIES, VOLATILITY", func(*sql.Context) ([]sql.Row, error) {
		return []sql.Row{{"thread/sql/one_connection", yes(r.Enabled()), yes(r.Enabled()), "user", int64(0)}}, nil
	})
	d.Fill("performance_timers", "TIMER_NAME, TIMER_FREQUENCY, TIMER_RESOLUTION, TIMER_OVERHEAD", func(*sql.Context) ([]sql.Row, error) {
		return []sql.Row{{"NANOSECOND", int64(1e9), int64(1), nil}, {"MICROSECOND", int64(1e6), int64(1), nil}, {"MILLISECOND", int64(1e3), int64(1), nil}}, nil
	})
}

var errPerformanceUsage = sqlerr.NewError(1683, "Invalid performance_schema usage.")

// setConsumer is UPDATE of a row of setup_consumers.
func (s *Server) setConsumer(_ *sql.Context, old, changed sql.Row) error {
	name, _ := old[0].(string)
	if changed[0] != old[0] {
		return errPerformanceUsage
	}
	for c, n := range perfschema.ConsumerNames {
		if n == name {
			s.performance.SetConsumer(perfschema.Consumer(c), changed[1] == uint16(1))
		}
	}
	return nil
}

// emptied are the tables that TRUNCATE accepts although there is nothing in them to empty.
func emptied(table string) bool {
	switch table {
	case "global_status", "accounts", "users", "hosts", "host_cache", "setup_actors", "setup_objects", "prepared_statements_instances", "objects_summary_global_by_type",
		"user_variables_by_thread", "socket_summary_by_instance", "socket_summary_by_event_name":
		return true
	}
	for _, prefix := range []string{"status_by_", "memory_summary_", "file_summary_", "table_io_waits_", "table_lock_waits_", "events_waits_", "events_stages_", "events_transactions_"} {
		if strings.HasPrefix(table, prefix) {
			return true
		}
	}
	return false
}

// truncatesPerformance returns what empties a table of performance_schema; nil: the statement is
// about another.
func (x *execution) truncatesPerformance(ctx *sql.Context, n *ast.TruncateTable) adminFunc {
	schema := n.Table.Schema.Name
	if schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	if !strings.EqualFold(schema, virtual.PerformanceSchema) {
		return nil
	}
	return func(x *execution, ctx *sql.Context) error {
		table := strings.ToLower(n.Table.Name.Name)
		if err := sqllayer.MayOnTable(ctx, virtual.PerformanceSchema, table, sql.PrivilegeType_Drop); err != nil {
			return err
		}
		if p, ok := x.h.s.sql.Analyzer.Catalog.DbProvider.(*virtual.Provider); !ok || p.Added[virtual.PerformanceSchema].Tables[table] == nil {
			return sqlerr.NewError(1146, "Table '%s.%s' doesn't exist", virtual.PerformanceSchema, n.Table.Name.Name)
		}
		if !x.h.s.truncatePerformance(table) && !emptied(table) {
			return sqlerr.NewError(1142, "DROP command denied to user '%s'@'%s' for table '%s'", x.w.account.user, x.w.account.host, table)
		}
		return x.ok(ctx, 0)
	}
}

// performance_schema's tables about connections. Those about channels: replica_tables.go.

// fillConnections: who is connected.
func (s *Server) fillConnections(d *virtual.Database) {
	d.Fill("accounts", "USER, HOST, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return p }, func(p peer) sql.Row { return sql.Row{p.user, p.host} }))
	d.Fill("users", "USER, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return peer{user: p.user} }, func(p peer) sql.Row { return sql.Row{p.user} }))
	d.Fill("hosts", "HOST, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return peer{host: p.host} }, func(p peer) sql.Row { return sql.Row{p.host} }))
}

// peer is who connects from where.
type peer struct{ user, host string }

// peerOf takes the port off a host.
func peerOf(user, host string) peer {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return peer{user, host}
}

// connectionRows counts connections by what part leaves of a client; shown makes columns of it.
func (s *Server) connectionRows(part func(peer) peer, shown func(peer) sql.Row) func(*sql.Context) ([]sql.Row, error) {
	return func(*sql.Context) (out []sql.Row, _ error) {
		now, total := s.processes.peers()
		nowBy, totalBy := map[peer]int64{}, map[peer]int64{}
		for p, n := range total {
			nowBy[part(p)] += now[p]
			totalBy[part(p)] += n
		}
		for p, n := range totalBy {
			out = append(out, append(shown(p), nowBy[p], n))
		}
		return out, nil
	}
}
