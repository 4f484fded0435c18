package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/engine"
	"emberdb/sqllayer/tabledef"
)

// Keys in the order that collations had in an earlier release (engine.OutdatedTables). After the
// start each such table is rebuilt, the smallest first, by a connection of the server's own that
// waits for nobody long. Writers of a table wait while it is rebuilt; readers do not. Until then
// its keys serve as they served before, and what a statement finds by them is compared again.
//
// Not rebuilt: a table in which two values of a unique key are equal by now (1062).

const (
	renewAgain    = time.Minute // between rounds
	renewPatience = 5           // seconds for which an attempt waits for metadata locks, and so do others behind it
	roleUpgrade   = "upgrade"
)

// renewer rebuilds these tables.
type renewer struct {
	s     *Server
	never map[string]bool // tables that cannot be rebuilt

	mu    sync.Mutex
	end   context.CancelFunc // nil: it does not run
	ended chan struct{}
}

func newRenewer(s *Server) *renewer { return &renewer{s: s, never: map[string]bool{}} }

// start begins in the background.
func (r *renewer) start() {
	eng := r.s.backend.Engine()
	if mode := r.s.cfg.Settings.String("upgrade"); eng == nil || r.s.forced > 0 || mode == "NONE" || mode == "MINIMAL" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	ctx, end := context.WithCancel(r.s.inner)
	ended := make(chan struct{})
	r.end, r.ended = end, ended
	go func() {
		defer close(ended)
		r.run(ctx, eng)
	}()
}

// stop ends what runs.
func (r *renewer) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.end != nil {
		r.end()
		<-r.ended
		r.end = nil
	}
}

func (r *renewer) run(ctx context.Context, eng *engine.Engine) {
	for r.round(ctx, eng) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(renewAgain):
		}
	}
}

// round tries every table once; again tells whether some are left.
func (r *renewer) round(ctx context.Context, eng *engine.Engine) (again bool) {
	tables, err := eng.OutdatedTables(ctx)
	if err != nil {
		r.s.log.Error("tables with keys of an earlier release are not known", "error", err)
		return false
	}
	var left, done int64
	start := time.Now()
	for _, t := range tables {
		left += t.Bytes
	}
	for i, t := range tables {
		name := tabledef.QuoteName(t.Schema) + "." + tabledef.QuoteName(t.Name)
		if left -= t.Bytes; r.never[name] {
			continue
		}
		begun := time.Now()
		if err := r.rebuild(ctx, name); ctx.Err() != nil {
			return false
		} else if err != nil {
			again = r.failed(name, err) || again
			continue
		}
		done += t.Bytes
		eta := time.Duration(float64(time.Since(start)) * float64(left) / float64(max(done, 1)))
		r.s.log.Info("a table got keys in today's order", "table", name, "bytes", t.Bytes, "took", time.Since(begun).Round(time.Millisecond),
			"tables_left", len(tables)-i-1, "bytes_left", left, "eta", eta.Round(time.Second))
	}
	return again
}

// failed tells whether a table is to be tried again.
func (r *renewer) failed(name string, err error) bool {
	var told *mysql.MyError
	if errors.As(err, &told) && told.Code != mysql.ER_DUP_ENTRY {
		r.s.log.Info("a table keeps keys of an earlier release for now", "table", name, "error", err, "again_in", renewAgain)
		return true
	}
	r.never[name] = true
	r.s.log.Warn("a table keeps keys of an earlier release: searches by them may miss texts that are equal by now. Change the rows, then "+
		"ALTER TABLE "+name+" FORCE", "error", err)
	return false
}

// rebuild rebuilds one table. Its binary log does not tell: others have keys of their own.
func (r *renewer) rebuild(ctx context.Context, name string) error {
	c, _, err := r.s.dialInside(ctx, "root", "", func(w *wireConn) { w.inside, w.secure, w.role = true, true, roleUpgrade })
	if err != nil {
		return err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Conn.Close() })() // ends what runs
	for _, q := range []string{
		"SET SESSION sql_log_bin = OFF",
		fmt.Sprintf("SET SESSION lock_wait_timeout = %d, innodb_lock_wait_timeout = %[1]d", renewPatience),
		"ALTER TABLE " + name + " FORCE",
	} {
		if _, err := c.Execute(q); err != nil {
			return err
		}
	}
	return nil
}
