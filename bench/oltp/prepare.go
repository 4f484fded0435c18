package oltp

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"emberdb/bench"
)

// PrepareOptions says what Prepare makes.
type PrepareOptions struct {
	Target    bench.Target
	Tables    int
	TableSize int64
	Threads   int
	Force     bool // drop the tables if they exist
	Quiet     bool
	Seed      uint64
	Progress  io.Writer
}

// Prepared tells what was made.
type Prepared struct {
	Tables     int     `json:"tables"`
	Rows       int64   `json:"rows"`
	Seconds    float64 `json:"seconds"`
	RowsPerSec float64 `json:"rows_per_s"`
}

const (
	createText = "CREATE TABLE sbtest%d (id INTEGER NOT NULL AUTO_INCREMENT, k INTEGER DEFAULT '0' NOT NULL," +
		" c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id)) ENGINE=InnoDB"
	indexText = "CREATE INDEX k_%d ON sbtest%d(k)"
	chunkRows = 1000
)

// Prepare creates and fills the tables. Equal seeds fill them equally.
func Prepare(ctx context.Context, o PrepareOptions) (Prepared, error) {
	switch {
	case o.Tables < 1:
		return Prepared{}, fmt.Errorf("--tables %d: at least 1", o.Tables)
	case o.TableSize < 1:
		return Prepared{}, fmt.Errorf("--table-size %d: at least 1", o.TableSize)
	case o.Threads < 1:
		return Prepared{}, fmt.Errorf("--threads %d: at least 1", o.Threads)
	}
	if err := o.Target.CreateDatabase(ctx); err != nil {
		return Prepared{}, err
	}
	db, err := o.Target.Open(true)
	if err != nil {
		return Prepared{}, err
	}
	defer db.Close()
	start := time.Now()
	for n := 1; n <= o.Tables; n++ {
		if err := createTable(ctx, db, n, o.Force); err != nil {
			return Prepared{}, err
		}
	}
	bar := bench.NewProgress(o.Progress, o.Quiet, "rows", int64(o.Tables)*o.TableSize)
	err = fill(ctx, db, &o, bar)
	bar.Finish(err == nil)
	if err != nil {
		return Prepared{}, err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(o.Threads)
	for n := 1; n <= o.Tables; n++ {
		g.Go(func() error { return exec(gctx, db, fmt.Sprintf(indexText, n, n)) })
	}
	if err := g.Wait(); err != nil {
		return Prepared{}, err
	}
	p := Prepared{Tables: o.Tables, Rows: int64(o.Tables) * o.TableSize, Seconds: time.Since(start).Seconds()}
	p.RowsPerSec = float64(p.Rows) / p.Seconds
	return p, nil
}

func createTable(ctx context.Context, db *sql.DB, n int, force bool) error {
	if force {
		if err := exec(ctx, db, fmt.Sprintf("DROP TABLE IF EXISTS sbtest%d", n)); err != nil {
			return err
		}
	}
	return exec(ctx, db, fmt.Sprintf(createText, n))
}

func exec(ctx context.Context, db *sql.DB, text string) error {
	if _, err := db.ExecContext(ctx, text); err != nil {
		return fmt.Errorf("%.60s: %w", text, err)
	}
	return nil
}

// fill shares the chunks of all tables out among the threads; keys ascend within a table.
func fill(ctx context.Context, db *sql.DB, o *PrepareOptions, bar *bench.Progress) error {
	perTable := (o.TableSize + chunkRows - 1) / chunkRows
	next := atomic.Int64{}
	g, gctx := errgroup.WithContext(ctx)
	for range o.Threads {
		g.Go(func() error {
			var b []byte
			for {
				i := next.Add(1) - 1
				table, from := i/perTable+1, i%perTable*chunkRows+1
				if table > int64(o.Tables) {
					return nil
				}
				n := min(chunkRows, o.TableSize-from+1)
				b = appendChunk(b[:0], newGen(o.Seed, uint64(i), o.TableSize, Uniform), table, from, n)
				if err := exec(gctx, db, string(b)); err != nil {
					return err
				}
				bar.Add(int(n))
			}
		})
	}
	return g.Wait()
}

// appendChunk appends the INSERT of rows from, from+1, ... of a table.
func appendChunk(b []byte, r *gen, table, from, n int64) []byte {
	b = fmt.Appendf(b, "INSERT INTO sbtest%d (id, k, c, pad) VALUES ", table)
	for id := from; id < from+n; id++ {
		if id > from {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '('), id, 10)
		b = strconv.AppendInt(append(b, ','), r.row(), 10)
		b = append(r.appendGroups(append(b, ",'"...), groupsC), "','"...)
		b = append(r.appendGroups(b, groupsPad), "')"...)
	}
	return b
}

// Cleanup drops the tables.
func Cleanup(ctx context.Context, target bench.Target, tables int) error {
	db, err := target.Open(true)
	if err != nil {
		return err
	}
	defer db.Close()
	for n := 1; n <= tables; n++ {
		if err := exec(ctx, db, fmt.Sprintf("DROP TABLE IF EXISTS sbtest%d", n)); err != nil {
			return err
		}
	}
	return nil
}

// Loaded tells whether tables of at least that size are there.
func Loaded(ctx context.Context, target bench.Target, tables int, size int64) (bool, error) {
	db, err := target.Open(true)
	if err != nil {
		return false, err
	}
	defer db.Close()
	for n := 1; n <= tables; n++ {
		var most sql.NullInt64
		if err := db.QueryRowContext(ctx, fmt.Sprintf("SELECT MAX(id) FROM sbtest%d", n)).Scan(&most); err != nil {
			if bench.IsMissing(err) {
				return false, nil
			}
			return false, err
		}
		if most.Int64 < size {
			return false, nil
		}
	}
	return true, nil
}
