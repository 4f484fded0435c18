package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"emberdb/internal/namedrows"
)

// watcher takes pictures of a server for status --watch: its state, and what it did since the
// picture before.
type watcher struct {
	db     *sql.DB
	last   *serverStatus
	speeds []float64 // statements a second of the last pictures
}

// statusPicture is one of them.
type statusPicture struct {
	*serverStatus
	Seconds    float64            `json:"seconds"` // since the picture before; 0: the first
	Rates      map[string]float64 `json:"rates"`   // a second
	Recovery   float64            `json:"recovery_s"`
	Statements []runningStatement `json:"statements"`
	Waits      []lockWait         `json:"lock_waits"`
	Replicas   []replicaState     `json:"channels"`
	speeds     []float64
}

// runningStatement is a statement that runs, those that take longest first.
type runningStatement struct {
	ID      uint64  `json:"id"`
	User    string  `json:"user"`
	DB      string  `json:"db"`
	Seconds float64 `json:"seconds"`
	State   string  `json:"state"`
	Text    string  `json:"text"`
}

// lockWait says who waits for whom.
type lockWait struct {
	Waiting  uint64 `json:"waiting"`
	Blocking uint64 `json:"blocking"`
	Lock     string `json:"lock"`
}

// replicaState is a channel by which the server follows another.
type replicaState struct {
	Channel   string `json:"channel"`
	Source    string `json:"source"`
	Receiver  string `json:"receiver"`
	Applier   string `json:"applier"`
	Lag       string `json:"lag_s"`
	LastError string `json:"last_error"`
}

// watchRates are the counters whose rates are shown, and the names in JSON.
var watchRates = map[string]string{
	"questions": "statements", "com_select": "select", "com_insert": "insert", "com_update": "update", "com_delete": "delete", "com_commit": "commit",
	"com_rollback": "rollback", "connections": "connections", "slow_queries": "slow", "innodb_rows_read": "rows_read", "innodb_rows_inserted": "rows_inserted",
	"innodb_rows_updated": "rows_updated", "innodb_rows_deleted": "rows_deleted", "innodb_buffer_pool_reads": "page_reads", "innodb_pages_written": "page_writes",
	"innodb_os_log_written": "redo_bytes", "innodb_os_log_fsyncs": "redo_syncs", "innodb_deadlocks": "deadlocks", "innodb_buffer_pool_read_requests": "page_requests",
}

func (w *watcher) take(ctx context.Context) (picture, error) {
	s, err := readStatus(ctx, w.db)
	if err != nil {
		return nil, err
	}
	p := &statusPicture{serverStatus: s, Rates: map[string]float64{}, Recovery: -1, Waits: []lockWait{}, Replicas: []replicaState{}}
	if est := s.vars["ember_estimated_recovery_seconds"]; est != "" {
		_, _ = fmt.Sscan(est, &p.Recovery)
	}
	if w.last != nil && s.Uptime >= w.last.Uptime {
		p.Seconds = s.Taken.Sub(w.last.Taken).Seconds()
		for name, as := range watchRates {
			if now, was := s.vars.n(name), w.last.vars.n(name); was >= 0 && now >= was {
				p.Rates[as] = float64(now-was) / p.Seconds
			}
		}
		w.speeds = append(w.speeds, p.Rates["statements"])
		w.speeds = w.speeds[max(0, len(w.speeds)-60):]
	}
	w.last, p.speeds = s, w.speeds
	if p.Statements, err = readStatements(ctx, w.db); err != nil {
		return nil, err
	}
	if s.Trx.Waiting > 0 {
		if list, err := readWaits(ctx, w.db); err == nil { // without the rights to see them, the number stands alone
			p.Waits = list
		}
	}
	if list, err := readChannels(ctx, w.db); err == nil {
		p.Replicas = list
	}
	return p, nil
}

// readStatements reads what runs, but not the tool's own statement.
func readStatements(ctx context.Context, db *sql.DB) ([]runningStatement, error) {
	return collect(ctx, db, func(r *runningStatement) []any { return []any{&r.ID, &r.User, &r.DB, &r.Seconds, &r.State, &r.Text} },
		`SELECT id, user, COALESCE(db, ''), time, COALESCE(state, ''), LEFT(COALESCE(info, ''), 500) FROM information_schema.processlist
		WHERE command NOT IN ('Sleep', 'Daemon', 'Binlog Dump', 'Binlog Dump GTID') AND id <> CONNECTION_ID() ORDER BY time DESC, id LIMIT 30`)
}

func readWaits(ctx context.Context, db *sql.DB) ([]lockWait, error) {
	return collect(ctx, db, func(l *lockWait) []any { return []any{&l.Waiting, &l.Blocking, &l.Lock} },
		`SELECT COALESCE(r.processlist_id, 0), COALESCE(b.processlist_id, 0), CONCAT(l.object_schema, '.', l.object_name, ' ', l.lock_mode, ' ', COALESCE(l.lock_data, ''))
		FROM performance_schema.data_lock_waits w
		JOIN performance_schema.threads r ON r.thread_id = w.requesting_thread_id JOIN performance_schema.threads b ON b.thread_id = w.blocking_thread_id
		JOIN performance_schema.data_locks l ON l.engine_lock_id = w.requesting_engine_lock_id LIMIT 20`)
}

func readChannels(ctx context.Context, db *sql.DB) ([]replicaState, error) {
	rows, err := namedrows.Query(ctx, db, "SHOW REPLICA STATUS")
	if err != nil {
		return nil, err
	}
	out := []replicaState{}
	for _, m := range rows {
		out = append(out, replicaState{m["Channel_Name"], m["Source_Host"] + ":" + m["Source_Port"], m["Replica_IO_Running"], m["Replica_SQL_Running"],
			m["Seconds_Behind_Source"], strings.TrimSpace(m["Last_IO_Error"] + " " + m["Last_SQL_Error"])})
	}
	return out, nil
}

// collect reads the rows of a query.
func collect[T any](ctx context.Context, db *sql.DB, into func(*T) []any, query string) ([]T, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		var v T
		if err := rows.Scan(into(&v)...); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

func (p *statusPicture) lines(width, height int) (out []string) {
	line := func(name, format string, args ...any) {
		out = append(out, fmt.Sprintf("%-12s ", name)+fmt.Sprintf(format, args...))
	}
	r := func(name string) string { return count(p.Rates[name]) }
	line("server", "%s %s, up %s  %s", p.Comment, p.Version, time.Duration(p.Uptime)*time.Second, p.Taken.Local().Format("15:04:05"))
	line("statements", "%s/s  %s", r("statements"), sparks(p.speeds))
	line("", "select %s  insert %s  update %s  delete %s  commit %s  rollback %s  slow %s", r("select"), r("insert"), r("update"), r("delete"), r("commit"), r("rollback"), r("slow"))
	line("rows", "read %s  inserted %s  updated %s  deleted %s", r("rows_read"), r("rows_inserted"), r("rows_updated"), r("rows_deleted"))
	line("connections", "%d, %d running, %s new/s", p.Threads, p.Running, r("connections"))
	hit := 100.0
	if asked := p.Rates["page_requests"]; asked > 0 {
		hit = max(0, 100*(1-p.Rates["page_reads"]/asked))
	}
	line("pool", "%s  %s filled  %s dirty  hit %.2f %%  reads %s/s  writes %s/s", size(p.Pool.Bytes), share(p.Pool.Data, p.Pool.Total), share(p.Pool.Dirty, p.Pool.Total), hit,
		r("page_reads"), r("page_writes"))
	warm := p.Warm.State
	if warm == "" {
		warm = p.Warm.Load
	}
	line("warm", "%s", warm)
	line("redo", "%s/s  %s syncs/s  checkpoint age %s of %s", size(int64(p.Rates["redo_bytes"])), r("redo_syncs"), size(p.Log.Age), size(p.Log.Capacity))
	if p.Log.Pending > 0 {
		line("recovery", "%d pages wait for their redo", p.Log.Pending)
	} else if p.Recovery >= 0 {
		line("recovery", "%.1f s if it were killed now", p.Recovery)
	}
	line("transactions", "%d active, %d rolling back, history %d; %d locks, %d wait, %s deadlocks/s", p.Trx.Active, p.Trx.Undoing, p.Trx.History, max(p.Trx.RowLocks, 0),
		max(p.Trx.Waiting, 0), r("deadlocks"))
	for _, c := range p.Replicas {
		line("replica", "of %s %s: receiver %s, applier %s, %s s behind %s", c.Source, c.Channel, c.Receiver, c.Applier, c.Lag, c.LastError)
	}
	for _, w := range p.Waits {
		line("lock wait", "connection %d waits for %d: %s", w.Waiting, w.Blocking, w.Lock)
	}
	out = append(out, "", fmt.Sprintf("%8s  %-16s %-16s %6s  %-24s %s", "ID", "USER", "DATABASE", "TIME", "STATE", "STATEMENT"))
	for _, s := range p.Statements {
		out = append(out, fmt.Sprintf("%8d  %-16s %-16s %6.0f  %-24s %s", s.ID, cut(s.User, 16), cut(s.DB, 16), s.Seconds, cut(s.State, 24), strings.Join(strings.Fields(s.Text), " ")))
	}
	return out
}

// count renders a number of things a second.
func count(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.2fM", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.1fk", n/1e3)
	case n >= 10 || n == 0:
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.1f", n)
}

// sparks draws numbers as bars of one line.
func sparks(v []float64) string {
	const bars = "▁▂▃▄▅▆▇█"
	most := 0.0
	for _, n := range v {
		most = max(most, n)
	}
	var b strings.Builder
	for _, n := range v {
		i := 0
		if most > 0 {
			i = int(n / most * 7)
		}
		b.WriteString(string([]rune(bars)[i]))
	}
	return b.String()
}
