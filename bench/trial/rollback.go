package trial

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"emberdb/bench"
	"emberdb/bench/measure"
)

// Ways to give up a transaction.
const (
	Rollback = "rollback" // the statement
	Crash    = "crash"    // the server is killed
)

// RollbackOptions says what RollBack measures.
type RollbackOptions struct {
	Servers []*Server
	Load    Load // of the other sessions
	Threads int  // other sessions
	Rows    []int64
	Ways    []string
	Rounds  int
	Between string
	Report  Report
}

func (o *RollbackOptions) check() error {
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	}
	if len(o.Rows) == 0 || len(o.Ways) == 0 {
		return errors.New("--rows, --way: at least one")
	}
	for _, n := range o.Rows {
		if n < 1 {
			return fmt.Errorf("--rows %d: at least 1", n)
		}
	}
	for _, w := range o.Ways {
		switch w {
		case Rollback:
		case Crash:
			if err := needStart(o.Servers); err != nil {
				return err
			}
		default:
			return fmt.Errorf("--way %q: want rollback or crash", w)
		}
	}
	return checkThreads([]int{o.Threads})
}

// RollbackRun is the JSON line of one transaction given up. Times are in seconds from the ROLLBACK,
// or from the start command.
type RollbackRun struct {
	line
	Way       string  `json:"way"`
	Round     int     `json:"round"`
	Rows      int64   `json:"rows"`
	Update    float64 `json:"update_s"`          // the UPDATE itself
	First     float64 `json:"first_query_s"`     // after a crash
	Statement float64 `json:"rollback_s"`        // ROLLBACK, until its answer
	Updatable float64 `json:"updatable_s"`       // until another session could update the first, the middle and the last row
	Cleaned   float64 `json:"cleaned_s"`         // until nothing was left to undo
	PerSecond float64 `json:"rows_per_s"`        // cleaned
	Before    float64 `json:"others_before_tps"` // throughput of other sessions before the UPDATE
	During    float64 `json:"others_during_tps"` // until it was cleaned, at least 3 s, from the first query on
}

// ownDatabase holds the tables of benches that are no workload.
const ownDatabase = "ember_bench"

const (
	otherWorkload = "update_non_index"
	calm          = 3 * time.Second // to measure the others before the UPDATE
)

// RollBack updates all rows of a table in one transaction, gives it up, and measures who waits how
// long for that.
func RollBack(ctx context.Context, o RollbackOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	var runs []RollbackRun
	return o.Report.conduct(ctx, "rollback", o.Servers, o.Rounds, course{
		turn: func(s *Server, round int) error {
			for _, rows := range o.Rows {
				for _, way := range o.Ways {
					run, err := o.one(ctx, s, rows, way, round)
					if err != nil {
						return named(s, err)
					}
					runs = append(runs, run)
				}
			}
			return nil
		},
		finish: func() error { return o.finish(runs) },
	})
}

// table is the one that is updated. Its rows are narrow: what counts is their number.
func rollbackTable(rows int64) string { return fmt.Sprintf("rollback_%d", rows) }

// fill makes the table unless it is there.
func (o *RollbackOptions) fill(ctx context.Context, s *Server, rows int64) error {
	target := s.Target
	target.Database = ownDatabase
	if err := target.CreateDatabase(ctx); err != nil {
		return err
	}
	db, err := target.Open(true)
	if err != nil {
		return err
	}
	defer db.Close()
	var most sql.NullInt64
	err = db.QueryRowContext(ctx, "SELECT MAX(id) FROM "+rollbackTable(rows)).Scan(&most)
	if err == nil && most.Int64 == rows {
		return nil
	}
	if err != nil && !bench.IsMissing(err) {
		return err
	}
	for _, q := range []string{"DROP TABLE IF EXISTS ", "CREATE TABLE "} {
		q += rollbackTable(rows)
		if q[0] == 'C' {
			q += " (id INT NOT NULL PRIMARY KEY, v INT NOT NULL) ENGINE=InnoDB"
		}
		if _, err := db.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	bar := bench.NewProgress(o.Load.Progress, o.Load.Progress == nil, "rows", rows)
	err = insertNarrow(ctx, db, rows, bar)
	bar.Finish(err == nil)
	return err
}

const narrowChunk = 5000

func insertNarrow(ctx context.Context, db *sql.DB, rows int64, bar *bench.Progress) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(loaders)
	for from := int64(1); from <= rows && gctx.Err() == nil; from += narrowChunk {
		g.Go(func() error {
			to := min(from+narrowChunk-1, rows)
			b := []byte("INSERT INTO " + rollbackTable(rows) + " VALUES ")
			for id := from; id <= to; id++ {
				b = fmt.Appendf(b, "(%d,0),", id)
			}
			_, err := db.ExecContext(gctx, string(b[:len(b)-1]))
			bar.Add(int(to - from + 1))
			return err
		})
	}
	return g.Wait()
}

func (o *RollbackOptions) one(ctx context.Context, s *Server, rows int64, way string, round int) (run RollbackRun, err error) {
	if err := o.Load.ensure(ctx, s, otherWorkload); err != nil {
		return run, err
	}
	if err := o.fill(ctx, s, rows); err != nil {
		return run, err
	}
	run = RollbackRun{line: o.Report.head("run", s), Way: way, Round: round, Rows: rows}
	others, err := o.Load.drivers(ctx, s, otherWorkload, o.Threads)
	if err != nil {
		return run, err
	}
	defer others.stop()
	if err := others.wait(ctx, time.Now().Add(calm)); err != nil {
		return run, err
	}
	run.Before = others.mean(time.Now(), calm)
	from, err := o.giveUp(ctx, s, &run)
	if err != nil {
		return run, err
	}
	run.Cleaned = time.Since(from).Seconds()
	run.PerSecond = measure.Ratio(float64(rows), run.Cleaned)
	serving := from.Add(inSeconds(run.First))
	if err := others.wait(ctx, serving.Add(calm)); err != nil {
		return run, err
	}
	run.During = measure.Mean(others.line.PerSecond(serving, max(calm, inSeconds(run.Cleaned-run.First))))
	o.Report.say("round %d  %-16s %-8s %d rows: first query %.2f s, statement %.2f s, updatable %.2f s, cleaned %.1f s (%.0f rows/s), others %.0f -> %.0f tps\n",
		round, s.Name, way, rows, run.First, run.Statement, run.Updatable, run.Cleaned, run.PerSecond, run.Before, run.During)
	if err := verifyRolledBack(ctx, s, rows); err != nil {
		return run, err
	}
	return run, o.Report.write(run)
}

// giveUp updates all rows, gives the transaction up, and waits until the rows are free and nothing
// is left to undo.
func (o *RollbackOptions) giveUp(ctx context.Context, s *Server, run *RollbackRun) (from time.Time, err error) {
	db, conn, err := s.session(ctx, ownDatabase)
	if err != nil {
		return from, err
	}
	defer db.Close()
	from = time.Now()
	for _, q := range []string{"BEGIN", "UPDATE " + rollbackTable(run.Rows) + " SET v = v + 1"} {
		if _, err := conn.ExecContext(ctx, q); err != nil {
			return from, fmt.Errorf("%s: %w", q, err)
		}
	}
	run.Update = time.Since(from).Seconds()
	if run.Way == Crash {
		_, st, err := s.again(ctx, Kill, o.Between)
		if err != nil {
			return from, err
		}
		from, run.First = st.At, st.First.Seconds()
		if err := touch(ctx, s, run.Rows); err != nil {
			return from, err
		}
		run.Updatable = time.Since(from).Seconds()
		return from, s.waitUndone(ctx)
	}
	from = time.Now()
	var g errgroup.Group
	g.Go(func() error {
		_, err := conn.ExecContext(ctx, "ROLLBACK")
		run.Statement = time.Since(from).Seconds()
		return err
	})
	g.Go(func() error {
		err := touch(ctx, s, run.Rows)
		run.Updatable = time.Since(from).Seconds()
		return err
	})
	if err := g.Wait(); err != nil {
		return from, err
	}
	return from, s.waitUndone(ctx)
}

// session opens one connection on which statements may take as long as they take.
func (s *Server) session(ctx context.Context, database string) (*sql.DB, *sql.Conn, error) {
	cfg, err := s.Target.Config(true)
	if err != nil {
		return nil, nil, err
	}
	cfg.DBName, cfg.ReadTimeout, cfg.WriteTimeout = database, 0, 0
	db, err := bench.OpenConfig(cfg)
	if err != nil {
		return nil, nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
	}
	return db, conn, err
}

// touch updates the first, the middle and the last row, as soon as their locks are free. The values
// stay as they are.
func touch(ctx context.Context, s *Server, rows int64) error {
	db, conn, err := s.session(ctx, ownDatabase)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := conn.ExecContext(ctx, "SET SESSION innodb_lock_wait_timeout = 1"); err != nil {
		return err
	}
	for _, id := range []int64{1, (rows + 1) / 2, rows} {
		for {
			_, err := conn.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET v = v WHERE id = %d", rollbackTable(rows), id))
			if err == nil {
				break
			}
			if !bench.IsRetriable(err) {
				return err
			}
		}
	}
	return nil
}

// waitUndone waits until the server has nothing left to roll back, by Ember's status or by the
// transactions table.
func (s *Server) waitUndone(ctx context.Context) error {
	const pending = "innodb_rollbacks_pending"
	if s.tells(ctx, pending) {
		return s.waitZero(ctx, pending)
	}
	db, err := s.open(ctx, "")
	if err != nil {
		return err
	}
	defer db.Close()
	for {
		n := 0
		err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'ROLLING BACK'").Scan(&n)
		if err != nil || n == 0 {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// verifyRolledBack makes sure that the update has gone.
func verifyRolledBack(ctx context.Context, s *Server, rows int64) error {
	db, conn, err := s.session(ctx, ownDatabase)
	if err != nil {
		return err
	}
	defer db.Close()
	var sum, count int64
	if err := conn.QueryRowContext(ctx, "SELECT SUM(v), COUNT(*) FROM "+rollbackTable(rows)).Scan(&sum, &count); err != nil {
		return err
	}
	if sum != 0 || count != rows {
		return fmt.Errorf("after the rollback %d of %d rows are there, and their values sum up to %d instead of 0", count, rows, sum)
	}
	return nil
}

func (o *RollbackOptions) finish(runs []RollbackRun) error {
	var groups []string
	series := make([]Series, 2*len(o.Servers))
	o.Report.say("\n%-16s %-8s %12s %12s %12s %12s %12s %12s\n", "server", "way", "rows", "first query", "rollback", "updatable", "cleaned", "rows/s")
	for _, rows := range o.Rows {
		for _, way := range o.Ways {
			groups = append(groups, fmt.Sprintf("%d rows, %s", rows, way))
			for i, s := range o.Servers {
				m := RollbackRun{line: o.Report.head("median", s), Way: way, Rows: rows}
				some := only(runs, func(r *RollbackRun) bool { return r.Server == s.Name && r.Rows == rows && r.Way == way })
				of := func(f func(*RollbackRun) float64) float64 { return medianOf(some, f) }
				m.Update, m.First = of(func(r *RollbackRun) float64 { return r.Update }), of(func(r *RollbackRun) float64 { return r.First })
				m.Statement, m.Updatable = of(func(r *RollbackRun) float64 { return r.Statement }), of(func(r *RollbackRun) float64 { return r.Updatable })
				m.Cleaned, m.PerSecond = of(func(r *RollbackRun) float64 { return r.Cleaned }), of(func(r *RollbackRun) float64 { return r.PerSecond })
				m.Before, m.During = of(func(r *RollbackRun) float64 { return r.Before }), of(func(r *RollbackRun) float64 { return r.During })
				o.Report.say("%-16s %-8s %12d %10.2f s %10.2f s %10.2f s %10.1f s %12.0f\n", s.Name, way, rows, m.First, m.Statement, m.Updatable, m.Cleaned, m.PerSecond)
				if err := o.Report.write(m); err != nil {
					return err
				}
				series[2*i].Name, series[2*i+1].Name = s.Name+", updatable", s.Name+", cleaned"
				series[2*i].Values, series[2*i+1].Values = append(series[2*i].Values, m.Updatable), append(series[2*i+1].Values, m.Cleaned)
			}
		}
	}
	if o.Report.Chart == "" {
		return nil
	}
	return drawBars(o.Report.Chart, "A transaction of many rows given up", "", "seconds", groups, series)
}

func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
