package tpcc

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

// LoadOptions says what Load creates.
type LoadOptions struct {
	Target      bench.Target
	Warehouses  int
	Threads     int
	Force       bool   // drop the tables if they exist
	ForeignKeys bool   // add the foreign keys after the rows
	Small       bool   // 2 % of the rows per warehouse, for smoke tests
	Seed        uint64 // equal seeds load equal rows
	Progress    io.Writer
	Quiet       bool
}

// smallScale is what --small loads. Run and Check recognise it by looking.
var smallScale = scale{items: 2000, districts: 10, customersPerDistrict: 60, newOrdersPerDistrict: 18}

// LoadResult is what a finished load reports.
type LoadResult struct {
	Warehouses int     `json:"warehouses"`
	Rows       int64   `json:"rows"`
	Seconds    float64 `json:"seconds"`
	RowsPerSec float64 `json:"rows_per_second"`
}

// Load creates the nine tables and fills them. It refuses to touch tables that exist unless Force
// is set.
func Load(ctx context.Context, o LoadOptions) (LoadResult, error) {
	if o.Warehouses < 1 {
		return LoadResult{}, fmt.Errorf("--warehouses %d: at least 1", o.Warehouses)
	}
	o.Threads = max(1, o.Threads)
	if err := o.Target.CreateDatabase(ctx); err != nil {
		return LoadResult{}, err
	}
	db, err := o.Target.Open(true)
	if err != nil {
		return LoadResult{}, err
	}
	defer db.Close()
	db.SetMaxOpenConns(o.Threads)
	start := time.Now()
	if err := createTables(ctx, db, o.Force); err != nil {
		return LoadResult{}, err
	}
	sc := &specScale
	if o.Small {
		sc = &smallScale
	}
	l := &loader{db: db, sc: sc, seed: o.Seed, now: start.Format("'2006-01-02 15:04:05'")}
	l.bar = bench.NewProgress(o.Progress, o.Quiet, "rows", int64(sc.items)+int64(o.Warehouses)*sc.warehouseRows())
	err = l.run(ctx, o.Warehouses, o.Threads)
	l.bar.Finish(err == nil)
	if err != nil {
		return LoadResult{}, err
	}
	if o.ForeignKeys {
		if err := addForeignKeys(ctx, db); err != nil {
			return LoadResult{}, err
		}
	}
	secs := time.Since(start).Seconds()
	rows := l.bar.Count()
	return LoadResult{Warehouses: o.Warehouses, Rows: rows, Seconds: secs, RowsPerSec: float64(rows) / secs}, nil
}

// warehouseRows is the expected number of rows of one warehouse; order_line varies around it.
func (sc *scale) warehouseRows() int64 {
	perDistrict := 1 + sc.customersPerDistrict*(1+1+1+10) + sc.newOrdersPerDistrict
	return int64(1 + sc.items + sc.districts*perDistrict)
}

// loader splits the population into tasks that any number of connections work off: the items, then
// for each warehouse its stock and each district. The last task of a warehouse writes the
// warehouse's own row.
type loader struct {
	db   *sql.DB
	sc   *scale
	seed uint64
	now  string // quoted timestamp of every row
	bar  *bench.Progress
}

func (l *loader) run(ctx context.Context, warehouses, threads int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(threads)
	g.Go(func() error { return l.items(ctx, newGen(l.seed, 0)) })
	for w := 1; w <= warehouses; w++ {
		left := new(atomic.Int32)
		left.Store(int32(l.sc.districts + 1))
		task := func(stream int, f func(context.Context, gen) error) {
			g.Go(func() error {
				r := newGen(l.seed, uint64(w)<<16|uint64(stream))
				if err := f(ctx, r); err != nil {
					return fmt.Errorf("warehouse %d: %w", w, err)
				}
				if left.Add(-1) > 0 {
					return nil
				}
				return l.warehouse(ctx, r, w)
			})
		}
		task(0, func(ctx context.Context, r gen) error { return l.stock(ctx, r, w) })
		for d := 1; d <= l.sc.districts; d++ {
			task(d, func(ctx context.Context, r gen) error { return l.district(ctx, r, w, d) })
		}
	}
	return g.Wait()
}

// batch collects the rows of one table into multi-row INSERT statements.
type batch struct {
	l    *loader
	t    table
	buf  []byte
	rows int
}

const (
	batchBytes = 256 << 10
	batchRows  = 1000
)

func (l *loader) batch(name string) *batch { return &batch{l: l, t: tableByName(name)} }

// row starts a row; its values follow through the other methods.
func (b *batch) row(ctx context.Context) error {
	if b.rows >= batchRows || len(b.buf) >= batchBytes {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	if b.rows == 0 {
		b.buf = append(append(append(append(b.buf[:0], "INSERT INTO "...), b.t.name...), " ("...), b.t.columns...)
		b.buf = append(b.buf, ") VALUES ("...)
	} else {
		b.buf = append(b.buf, "),("...)
	}
	b.rows++
	return nil
}

func (b *batch) comma() {
	if b.buf[len(b.buf)-1] != '(' {
		b.buf = append(b.buf, ',')
	}
}

func (b *batch) int(vals ...int) {
	for _, v := range vals {
		b.comma()
		b.buf = strconv.AppendInt(b.buf, int64(v), 10)
	}
}

// raw appends a literal as it stands.
func (b *batch) raw(s string) {
	b.comma()
	b.buf = append(b.buf, s...)
}

// str appends a string literal that f writes. The population's alphabets hold nothing that needs
// escaping.
func (b *batch) str(f func([]byte) []byte) {
	b.comma()
	b.buf = append(f(append(b.buf, '\'')), '\'')
}

func (b *batch) text(s string) { b.str(func(p []byte) []byte { return append(p, s...) }) }

// decimal appends v as a number with the given count of decimal places.
func (b *batch) decimal(v int64, places int) {
	b.comma()
	b.buf = appendDecimal(b.buf, v, places)
}

// address appends STREET_1, STREET_2, CITY, STATE and ZIP.
func (b *batch) address(r gen) {
	for range 3 {
		b.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 10, 20) })
	}
	b.str(func(p []byte) []byte { return r.appendFrom(p, letters, 2, 2) })
	b.str(r.appendZip)
}

func (b *batch) flush(ctx context.Context) error {
	if b.rows == 0 {
		return nil
	}
	b.buf = append(b.buf, ')')
	if _, err := b.l.db.ExecContext(ctx, string(b.buf)); err != nil {
		return fmt.Errorf("insert into %s: %w", b.t.name, err)
	}
	b.l.bar.Add(b.rows)
	b.rows = 0
	return nil
}

func flushAll(ctx context.Context, batches ...*batch) error {
	for _, b := range batches {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) items(ctx context.Context, r gen) error {
	b := l.batch("item")
	for i := 1; i <= l.sc.items; i++ {
		if err := b.row(ctx); err != nil {
			return err
		}
		b.int(i, r.uniform(1, 10000))
		b.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 14, 24) })
		b.decimal(int64(r.uniform(100, 10000)), 2)
		b.str(r.appendData)
	}
	return b.flush(ctx)
}

func (l *loader) stock(ctx context.Context, r gen, w int) error {
	b := l.batch("stock")
	for i := 1; i <= l.sc.items; i++ {
		if err := b.row(ctx); err != nil {
			return err
		}
		b.int(i, w, r.uniform(10, 100))
		for range 10 {
			b.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 24, 24) })
		}
		b.int(0, 0, 0)
		b.str(r.appendData)
	}
	return b.flush(ctx)
}

func (l *loader) district(ctx context.Context, r gen, w, d int) error {
	if err := l.customers(ctx, r, w, d); err != nil {
		return err
	}
	if err := l.orders(ctx, r, w, d); err != nil {
		return err
	}
	b := l.batch("district")
	if err := b.row(ctx); err != nil {
		return err
	}
	b.int(d, w)
	b.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 6, 10) })
	b.address(r)
	b.decimal(int64(r.uniform(0, 2000)), 4)
	b.decimal(int64(l.sc.customersPerDistrict)*initialPayment, 2)
	b.int(l.sc.customersPerDistrict + 1)
	return b.flush(ctx)
}

// initialPayment is the one payment every customer has made, in cents.
const initialPayment = 1000

func (l *loader) customers(ctx context.Context, r gen, w, d int) error {
	cust, hist := l.batch("customer"), l.batch("history")
	for c := 1; c <= l.sc.customersPerDistrict; c++ {
		if err := cust.row(ctx); err != nil {
			return err
		}
		name := c - 1
		if c > 1000 {
			name = r.nuRand(255, cLastLoad, 0, 999)
		}
		credit := "GC"
		if r.IntN(10) == 0 {
			credit = "BC"
		}
		cust.int(c, d, w)
		cust.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 8, 16) })
		cust.text("OE")
		cust.text(lastName(name))
		cust.address(r)
		cust.str(func(p []byte) []byte { return r.appendFrom(p, digits, 16, 16) })
		cust.raw(l.now)
		cust.text(credit)
		cust.raw("50000.00")
		cust.decimal(int64(r.uniform(0, 5000)), 4)
		cust.decimal(-initialPayment, 2)
		cust.decimal(initialPayment, 2)
		cust.int(1, 0)
		cust.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 300, 500) })

		if err := hist.row(ctx); err != nil {
			return err
		}
		hist.int(c, d, w, d, w)
		hist.raw(l.now)
		hist.decimal(initialPayment, 2)
		hist.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 12, 24) })
	}
	return flushAll(ctx, cust, hist)
}

func (l *loader) orders(ctx context.Context, r gen, w, d int) error {
	ord, line, queue := l.batch("orders"), l.batch("order_line"), l.batch("new_order")
	firstNew := l.sc.customersPerDistrict - l.sc.newOrdersPerDistrict + 1
	for i, c := range r.permutation(l.sc.customersPerDistrict) {
		o, lines := i+1, r.uniform(5, 15)
		delivered := o < firstNew
		if err := ord.row(ctx); err != nil {
			return err
		}
		ord.int(o, d, w, c)
		ord.raw(l.now)
		if delivered {
			ord.int(r.uniform(1, 10))
		} else {
			ord.raw("NULL")
		}
		ord.int(lines, 1)
		if err := l.orderLines(ctx, r, line, w, d, o, lines, delivered); err != nil {
			return err
		}
		if !delivered {
			if err := queue.row(ctx); err != nil {
				return err
			}
			queue.int(o, d, w)
		}
	}
	return flushAll(ctx, ord, line, queue)
}

func (l *loader) orderLines(ctx context.Context, r gen, b *batch, w, d, o, lines int, delivered bool) error {
	for n := 1; n <= lines; n++ {
		if err := b.row(ctx); err != nil {
			return err
		}
		b.int(o, d, w, n, r.uniform(1, l.sc.items), w)
		if delivered {
			b.raw(l.now)
			b.int(5)
			b.decimal(0, 2)
		} else {
			b.raw("NULL")
			b.int(5)
			b.decimal(int64(r.uniform(1, 999999)), 2)
		}
		b.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 24, 24) })
	}
	return nil
}

func (l *loader) warehouse(ctx context.Context, r gen, w int) error {
	b := l.batch("warehouse")
	if err := b.row(ctx); err != nil {
		return err
	}
	b.int(w)
	b.str(func(p []byte) []byte { return r.appendFrom(p, alphanumeric, 6, 10) })
	b.address(r)
	b.decimal(int64(r.uniform(0, 2000)), 4)
	b.decimal(int64(l.sc.districts*l.sc.customersPerDistrict)*initialPayment, 2)
	return b.flush(ctx)
}
