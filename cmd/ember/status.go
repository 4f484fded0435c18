package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emberdb/bench"
)

func init() {
	verbs = append(verbs, newStatus)
}

// serverStatus is the state of a running server. Numbers a server does not report are -1.
type serverStatus struct {
	Version string        `json:"version"`
	Comment string        `json:"version_comment"`
	DataDir string        `json:"datadir"`
	Uptime  int64         `json:"uptime_s"`
	Threads int64         `json:"threads_connected"`
	Running int64         `json:"threads_running"`
	Queries int64         `json:"questions"`
	Log     logStatus     `json:"redo"`
	Pool    poolStatus    `json:"pool"`
	Warm    warmStatus    `json:"warm"`
	Hot     hotStatus     `json:"hot_set"`
	Trx     trxStatus     `json:"transactions"`
	Stored  *storedStatus `json:"stored,omitempty"` // nil: not asked for
	Start   *string       `json:"start_timeline,omitempty"`
	Taken   time.Time     `json:"taken"`
	vars    serverNumbers // what all this was made of
}

type logStatus struct {
	LSN        int64 `json:"lsn"`
	Flushed    int64 `json:"flushed"`
	Checkpoint int64 `json:"checkpoint"`
	Age        int64 `json:"checkpoint_age"`
	Capacity   int64 `json:"capacity"`
	Pending    int64 `json:"recovery_pages_pending"`
}

type poolStatus struct {
	Bytes    int64   `json:"bytes"`
	Total    int64   `json:"pages_total"`
	Data     int64   `json:"pages_data"`
	Dirty    int64   `json:"pages_dirty"`
	Free     int64   `json:"pages_free"`
	Requests int64   `json:"read_requests"`
	Reads    int64   `json:"reads"`
	HitRate  float64 `json:"hit_rate"` // since the start, 0..1
}

// hotStatus is what a source tells its replicas to keep warm, and what a replica keeps.
type hotStatus struct {
	Followers int64 `json:"followers"` // replicas that are told
	Pages     int64 `json:"pages"`     // hot here
	Wanted    int64 `json:"wanted"`    // hot on the source
	Resident  int64 `json:"resident"`  // of them in the pool
}

type trxStatus struct {
	Active    int64 `json:"active"`
	Undoing   int64 `json:"rolling_back"`
	History   int64 `json:"history_length"`
	RowLocks  int64 `json:"locks"`
	Waiting   int64 `json:"row_lock_waits_now"`
	Deadlocks int64 `json:"deadlocks"`
}

type storedStatus struct {
	Schemas int64 `json:"schemas"`
	Tables  int64 `json:"tables"`
	Rows    int64 `json:"rows_estimated"`
	Bytes   int64 `json:"bytes_estimated"`
}

func newStatus() *cobra.Command {
	var c client
	var s screen
	var watch bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the state of a running server",
		Long: "Show the state of a running server: log and checkpoint, buffer pool, warm state, transactions, what is stored. With --watch again and again: " +
			"what it does, what runs and who waits for whom. A restart of the server does not end it.",
		Example: "  ember status --socket /run/mysqld/mysqld.sock\n  ember status --watch --interval 1s",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(db *sql.DB) error {
				if watch {
					return s.run(cmd.Context(), cmd.OutOrStdout(), (&watcher{db: db}).take)
				}
				st, err := readStatus(cmd.Context(), db)
				if err == nil {
					err = st.readStored(cmd.Context(), db)
				}
				if err != nil {
					return err
				}
				if s.asJSON {
					return writeJSON(cmd.OutOrStdout(), st)
				}
				return st.print(cmd.OutOrStdout())
			})
		},
	}
	c.addFlags(cmd.Flags())
	s.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&watch, "watch", false, "show it again and again")
	return cmd
}

// serverNumbers is the answer of SHOW STATUS or SHOW VARIABLES, names in lower case.
type serverNumbers map[string]string

// n is a number, -1 if there is none.
func (v serverNumbers) n(name string) int64 {
	f, err := strconv.ParseFloat(v[name], 64)
	if err != nil {
		return -1
	}
	return int64(f)
}

func readStatus(ctx context.Context, db *sql.DB) (*serverStatus, error) {
	status, err := bench.Pairs(ctx, db, "SHOW GLOBAL STATUS")
	if err != nil {
		return nil, err
	}
	vars, err := bench.Pairs(ctx, db, "SHOW GLOBAL VARIABLES")
	if err != nil {
		return nil, err
	}
	v, g := serverNumbers(status), serverNumbers(vars)
	s := &serverStatus{Version: g["version"], Comment: g["version_comment"], DataDir: g["datadir"], Taken: time.Now().UTC(),
		Uptime: v.n("uptime"), Threads: v.n("threads_connected"), Running: v.n("threads_running"), Queries: v.n("questions"), vars: v}
	s.Log = logStatus{LSN: v.n("innodb_redo_log_current_lsn"), Flushed: v.n("innodb_redo_log_flushed_to_disk_lsn"),
		Checkpoint: v.n("innodb_redo_log_checkpoint_lsn"), Age: v.n("innodb_checkpoint_age"), Capacity: g.n("innodb_redo_log_capacity"),
		Pending: v.n("ember_recovery_pages_pending")}
	if s.Log.Age < 0 && s.Log.LSN >= 0 {
		s.Log.Age = s.Log.LSN - s.Log.Checkpoint
	}
	s.Pool = poolStatus{Bytes: g.n("innodb_buffer_pool_size"), Total: v.n("innodb_buffer_pool_pages_total"), Data: v.n("innodb_buffer_pool_pages_data"),
		Dirty: v.n("innodb_buffer_pool_pages_dirty"), Free: v.n("innodb_buffer_pool_pages_free"),
		Requests: v.n("innodb_buffer_pool_read_requests"), Reads: v.n("innodb_buffer_pool_reads")}
	if s.Pool.Requests > 0 {
		s.Pool.HitRate = max(0, 1-float64(s.Pool.Reads)/float64(s.Pool.Requests))
	}
	s.Warm = warmOf(v)
	s.Hot = hotStatus{Followers: v.n("ember_hot_set_followers"), Pages: v.n("ember_hot_set_pages"), Wanted: v.n("ember_hot_set_wanted_pages"),
		Resident: v.n("ember_hot_set_resident_pages")}
	s.Trx = trxStatus{Active: v.n("innodb_trx_active"), Undoing: v.n("innodb_rollbacks_pending"), History: v.n("innodb_history_list_length"),
		RowLocks: v.n("innodb_locks"), Waiting: v.n("innodb_row_lock_current_waits"), Deadlocks: v.n("innodb_deadlocks")}
	if t, ok := v["ember_start_timeline"]; ok {
		s.Start = &t
	}
	return s, nil
}

// readStored adds what is stored.
func (s *serverStatus) readStored(ctx context.Context, db *sql.DB) error {
	s.Stored = &storedStatus{}
	return db.QueryRowContext(ctx, `SELECT COUNT(DISTINCT table_schema), COUNT(*), CAST(COALESCE(SUM(table_rows), 0) AS SIGNED),
		CAST(COALESCE(SUM(data_length), 0) + COALESCE(SUM(index_length), 0) AS SIGNED) FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')`).
		Scan(&s.Stored.Schemas, &s.Stored.Tables, &s.Stored.Rows, &s.Stored.Bytes)
}

// print writes the state for people.
func (s *serverStatus) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", args...) }
	line("server", "%s %s, up %s, %d connections, %d running, %d statements", s.Comment, s.Version, time.Duration(s.Uptime)*time.Second, s.Threads, s.Running, s.Queries)
	line("directory", "%s", s.DataDir)
	line("redo", "LSN %d, durable %d, checkpoint %d", s.Log.LSN, s.Log.Flushed, s.Log.Checkpoint)
	line("", "checkpoint age %s of %s", size(s.Log.Age), size(s.Log.Capacity))
	if s.Log.Pending > 0 {
		line("recovery", "%d pages wait for their redo", s.Log.Pending)
	}
	p := &s.Pool
	line("pool", "%s, %d of %d pages filled (%s), %d dirty (%s)", size(p.Bytes), p.Data, p.Total, share(p.Data, p.Total), p.Dirty, share(p.Dirty, p.Total))
	line("", "hit rate %.3f %% of %d requests", 100*p.HitRate, p.Requests)
	line("warm", "%s", s.Warm.loaded())
	line("", "%s", s.Warm.Dump)
	if h := s.Hot; h.Followers > 0 {
		line("", "%d replicas keep %d hot pages warm", h.Followers, h.Pages)
	}
	if h := s.Hot; h.Wanted > 0 {
		line("", "%d of %d pages that are hot on the source (%s)", h.Resident, h.Wanted, share(h.Resident, h.Wanted))
	}
	line("transactions", "%d active, %d rolling back, history length %d", s.Trx.Active, s.Trx.Undoing, s.Trx.History)
	line("locks", "%d, %d waiting now, %d deadlocks", s.Trx.RowLocks, s.Trx.Waiting, s.Trx.Deadlocks)
	line("stored", "%d tables in %d schemas, about %d rows, %s", s.Stored.Tables, s.Stored.Schemas, s.Stored.Rows, size(s.Stored.Bytes))
	return t.Flush()
}

func share(part, whole int64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(max(part, 0))/float64(max(whole, 1)))
}

// size renders a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 0:
		return "?"
	case n >= 10<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
