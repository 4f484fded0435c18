package server

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/internal/base"
	"emberdb/server/virtual"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// What clients see of the warm restart: the readiness gate, XtraDB's commands, and the tables
// EMBER_WARM_STATUS, EMBER_WARM_INDEXES, EMBER_RESTART_TIMELINE.

// warmGate makes statements wait after a start until ember_ready_when_warm_pct of the LRU list is
// loaded, or no load runs. Clients connect meanwhile; those with CONNECTION_ADMIN are served, so
// that somebody can look and act.
type warmGate struct {
	pct    atomic.Int64
	opened atomic.Pointer[chan struct{}] // closed when the gate opens; nil: it is open
	first  sync.Once                     // statement
}

// begin closes the gate if the server is not warm enough, and watches for it to be.
func (g *warmGate) begin(s *Server) {
	if g.enough(s) {
		return
	}
	opened := make(chan struct{})
	g.opened.Store(&opened)
	s.log.Warn("statements wait until the buffer pool is warm", "ember_ready_when_warm_pct", g.pct.Load())
	s.background.Go(func() {
		defer close(opened)
		defer g.opened.Store(nil)
		for !g.enough(s) && s.inner.Err() == nil && !s.closing.Load() {
			time.Sleep(10 * time.Millisecond)
		}
		s.log.Warn("the buffer pool is warm enough", "after", time.Since(s.started).Round(time.Millisecond))
	})
}

func (g *warmGate) closed() bool { return g.opened.Load() != nil }

func (g *warmGate) enough(s *Server) bool {
	pct := g.pct.Load()
	return pct == 0 || s.backend.WarmEnough(int(pct))
}

// passGate waits at the gate.
func (x *execution) passGate(ctx *sql.Context) error {
	s := x.h.s
	opened := s.gate.opened.Load()
	if opened == nil || s.hasAdmin(ctx, "connection_admin") {
		return nil
	}
	x.w.process.setState("Waiting for the buffer pool to be warm")
	select {
	case <-*opened:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// xtradbCommand is XtraDB's way to dump and load the LRU list: SELECT * FROM
// information_schema.XTRADB_ADMIN_COMMAND /*!XTRA_LRU_DUMP*/. What stands in the comment is an
// alias to the grammar. Both answer when the work is done. The messages are XtraDB's.
func (x *execution) xtradbCommand(ctx *sql.Context, command string) error {
	if err := x.need(ctx, "PROCESS", sql.PrivilegeType_Process); err != nil {
		return err
	}
	b := x.h.s.backend
	var name string
	var run func() error
	switch command {
	case "XTRA_LRU_DUMP":
		name, run = command, func() error { return b.Warm("dump") }
	case "XTRA_LRU_RESTORE":
		name, run = command, func() error { return b.Restore(ctx) }
	default:
		return x.table(ctx, textColumns("result_message"), [][]any{{"Undefined XTRA_* command."}})
	}
	message := name + " was succeeded."
	if err := run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		message = name + " was failed."
		ctx.Warn(1105, "%v", err)
		x.h.s.log.Error(message, "error", err)
	}
	return x.table(ctx, textColumns("result_message"), [][]any{{message}})
}

// xtradbCommandOf returns the command that a statement gives in XtraDB's way; "" if it gives none.
func xtradbCommandOf(tree ast.Statement) string {
	q, ok := tree.(*ast.Query)
	if !ok {
		return ""
	}
	s, ok := q.Body.(*ast.Select)
	if !ok || len(s.From) != 1 {
		return ""
	}
	t, ok := s.From[0].(*ast.TableSource)
	if !ok || !strings.EqualFold(t.Name.Schema.Name, "information_schema") || !strings.EqualFold(t.Name.Name.Name, "XTRADB_ADMIN_COMMAND") ||
		!strings.HasPrefix(t.Alias.Name, "XTRA_") {
		return ""
	}
	return t.Alias.Name
}

const noXtradbCommand = "No XTRA_* command in the SQL statement. Please add /*!XTRA_xxxx*/ to the SQL."

// addWarmTables defines the tables about warmth and starts.
func (s *Server) addWarmTables(d *virtual.Database) {
	d.Add("XTRADB_ADMIN_COMMAND", "result_message s", func(*sql.Context) ([]sql.Row, error) { return []sql.Row{{noXtradbCommand}}, nil })
	d.Add("EMBER_WARM_STATUS", "TABLE_SCHEMA s, TABLE_NAME s, SPACE u, LISTED_PAGES u, LISTED_RESIDENT u, WARM_PCT f, RESIDENT_PAGES u, RESIDENT_BYTES u, YOUNG_PAGES u, HEAT f",
		s.forProcess(s.warmRows))
	d.Add("EMBER_WARM_INDEXES", "TABLE_SCHEMA s, TABLE_NAME s, INDEX_NAME s, RESIDENT_PAGES u, RESIDENT_BYTES u", s.forProcess(s.warmIndexRows))
	d.Add("EMBER_RESTART_TIMELINE", "STARTED t, IS_CURRENT s, PHASE s, BEGAN_MS f, TOOK_MS f, STATE s, NOTE s?", s.forProcess(s.timelineRows))
}

// forProcess shows rows to accounts with the PROCESS privilege only.
func (s *Server) forProcess(rows func(*sql.Context) ([]sql.Row, error)) func(*sql.Context) ([]sql.Row, error) {
	return func(ctx *sql.Context) ([]sql.Row, error) {
		if !s.mayProcess(ctx) {
			return nil, sqlerr.NewError(1227, "Access denied; you need (at least one of) the PROCESS privilege(s) for this operation")
		}
		return rows(ctx)
	}
}

func (s *Server) warmRows(*sql.Context) (out []sql.Row, _ error) {
	tables, err := s.backend.Warmth()
	for _, t := range tables {
		pct := 100 * float64(t.ListedResident) / float64(max(t.Listed, 1))
		out = append(out, sql.Row{t.Schema, t.Table, uint64(t.Space), uint64(t.Listed), uint64(t.ListedResident), pct, uint64(t.Resident),
			uint64(t.Resident) * base.PageSize, uint64(t.Young), t.Heat})
	}
	return out, err
}

func (s *Server) warmIndexRows(*sql.Context) (out []sql.Row, _ error) {
	tables, err := s.backend.Warmth()
	for _, t := range tables {
		for _, i := range t.Indexes {
			out = append(out, sql.Row{t.Schema, t.Table, i.Name, uint64(i.Resident), uint64(i.Resident) * base.PageSize})
		}
	}
	return out, err
}

// lruRows are the pages of the buffer pool, cold to hot: INNODB_BUFFER_PAGE_LRU.
func (s *Server) lruRows(ctx *sql.Context) []map[string]any {
	if !s.mayProcess(ctx) {
		return nil
	}
	pages, err := s.backend.LRU()
	if err != nil {
		s.log.Warn("no table names for INNODB_BUFFER_PAGE_LRU", "err", err)
	}
	out := make([]map[string]any, 0, len(pages))
	for i, p := range slices.Backward(pages) {
		isOld, table := "NO", any(nil)
		if p.Old {
			isOld = "YES"
		}
		if p.Table != "" {
			table = p.Table
		}
		out = append(out, map[string]any{"lru_position": len(pages) - 1 - i, "space": uint32(p.ID.Space), "page_number": uint32(p.ID.No), "is_old": isOld,
			"table_name": table, "io_fix": "IO_NONE", "compressed": "NO", "is_hashed": "NO", "page_type": "UNKNOWN"})
	}
	return out
}

// pageRows are the pages of the buffer pool for INNODB_BUFFER_PAGE: those of its LRU list.
func (s *Server) pageRows(ctx *sql.Context) []map[string]any {
	rows := s.lruRows(ctx)
	for i, row := range rows {
		row["block_id"], row["page_state"] = uint64(i), "FILE_PAGE"
	}
	return rows
}

func (s *Server) timelineRows(*sql.Context) (out []sql.Row, _ error) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	starts := s.backend.Starts()
	for i, start := range starts {
		current, now := "NO", time.Duration(0)
		if i == len(starts)-1 {
			current, now = "YES", time.Since(start.Began)
		}
		for _, p := range start.Phases {
			state := "done"
			if !p.Done {
				state, p.Took = "running", max(0, now-p.Start)
				if current == "NO" {
					state = "unfinished"
				}
			}
			out = append(out, sql.Row{start.Began.UTC(), current, p.Name, ms(p.Start), ms(p.Took), state, virtual.OrNull(p.Note)})
		}
	}
	return out, nil
}
