package tpcc

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"emberdb/bench"
)

// RunOptions says how Run loads the server.
type RunOptions struct {
	bench.Run
	Warehouses  int // 0: all that are loaded
	LedgerPath  string
	ConnectWait time.Duration // how long to wait for the server to come up at the start
}

// Run drives the five transactions until the time is over and returns the summary it also printed.
// Losing the server is no error: terminals reconnect until the time is over.
func Run(ctx context.Context, o RunOptions) (Summary, error) {
	db, err := o.Target.Open(true)
	if err != nil {
		return Summary{}, err
	}
	defer db.Close()
	db.SetMaxIdleConns(0) // a terminal's connection is its own; a closed one is gone
	if err := waitForServer(ctx, db, o.ConnectWait); err != nil {
		return Summary{}, err
	}
	sc, warehouses, err := loadedScale(ctx, db)
	if err != nil {
		return Summary{}, err
	}
	if o.Warehouses > warehouses {
		return Summary{}, fmt.Errorf("--warehouses %d: only %d are loaded", o.Warehouses, warehouses)
	}
	if o.Warehouses > 0 {
		warehouses = o.Warehouses
	}
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
	var led *ledger
	if o.LedgerPath != "" {
		if led, err = openLedger(o.LedgerPath); err != nil {
			return Summary{}, err
		}
		defer led.close()
	}
	rep := newReporter(&o)
	end := rep.start.Add(o.Warmup + o.Duration)
	runID := rand.Text()[:8]
	var wg sync.WaitGroup
	for i := range max(1, o.Threads) {
		t := &terminal{
			r: newGen(o.Seed, uint64(i)), sc: sc, warehouses: warehouses, rep: rep, led: led, log: o.Log,
			s:    &session{db: db, init: o.Init, prepared: o.Prepared},
			name: runID + "-" + strconv.Itoa(i) + "-",
		}
		wg.Go(func() { t.loop(ctx, end) })
	}
	stopped := make(chan struct{})
	go func() { wg.Wait(); close(stopped) }()
	rep.loop(stopped)
	sum := rep.summary(warehouses)
	if led != nil && led.failed() != nil {
		return sum, fmt.Errorf("ledger: %w", led.failed())
	}
	return sum, rep.print(sum)
}

func waitForServer(ctx context.Context, db *sql.DB, wait time.Duration) error {
	for deadline := time.Now().Add(wait); ; time.Sleep(bench.ReconnectMost) {
		err := db.PingContext(ctx)
		if err == nil || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
	}
}

// loadedScale finds out what was loaded.
func loadedScale(ctx context.Context, db *sql.DB) (*scale, int, error) {
	n, err := countWarehouses(ctx, db)
	if err == nil && n == 0 {
		err = errors.New("no warehouse: the load was not finished")
	}
	sc := specScale
	for _, q := range []struct {
		text string
		dest *int
	}{
		{"SELECT COUNT(*) FROM item", &sc.items},
		{"SELECT COUNT(*) FROM customer WHERE c_w_id = 1 AND c_d_id = 1", &sc.customersPerDistrict},
	} {
		if err == nil {
			err = db.QueryRowContext(ctx, q.text).Scan(q.dest)
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading the loaded tables: %w", err)
	}
	sc.newOrdersPerDistrict = sc.customersPerDistrict * 3 / 10
	return &sc, n, nil
}

// terminal is one simulated user with one connection.
type terminal struct {
	r          gen
	sc         *scale
	warehouses int
	s          *session
	rep        *reporter
	led        *ledger // nil: none
	log        io.Writer
	name       string // prefix of its payments' ids
	payments   int
}

func (t *terminal) loop(ctx context.Context, end time.Time) {
	defer t.s.disconnect()
	for time.Now().Before(end) && ctx.Err() == nil {
		if t.s.conn == nil && !t.reconnect(ctx, end) {
			return
		}
		typ := pick(t.r)
		id := ""
		if typ == payment && t.led != nil {
			t.payments++
			id = t.name + strconv.Itoa(t.payments)
		}
		t.execute(ctx, typ, input(typ, t.r, t.sc, t.warehouses, id), end)
	}
}

// reconnect tries until it succeeds or the time is over.
func (t *terminal) reconnect(ctx context.Context, end time.Time) bool {
	return bench.Connect(ctx, end, func() error { return t.s.connect(ctx) }, t.rep.connectFailed)
}

// execute runs tx to its end: committed, rolled back on purpose, failed, or cut off by a lost
// connection. Deadlocks and lock wait timeouts run it again while there is time.
func (t *terminal) execute(ctx context.Context, typ txType, tx transaction, end time.Time) {
	start := time.Now()
	for {
		err := t.attempt(ctx, tx)
		switch {
		case err == nil:
			now := time.Now()
			t.rep.committed(typ, now.Sub(start))
			if t.rep.o.Observe != nil {
				t.rep.o.Observe(now)
			}
			return
		case errors.Is(err, errIntendedRollback):
			t.rep.rolledBack()
			return
		case connectionLost(err):
			t.rep.lost()
			t.s.disconnect()
			return
		case !bench.IsRetriable(err):
			t.rep.failed(typ, err)
			return
		}
		t.rep.retried()
		if time.Now().After(end) {
			return
		}
	}
}

// connectionLost is bench.IsConnectionLost for errors that may be the workload's own.
func connectionLost(err error) bool {
	return bench.IsConnectionLost(err) && !errors.Is(err, errIntendedRollback) && !errors.Is(err, errWrongResult)
}

// attempt runs tx once and writes the ledger. After an error the connection is either lost or has
// no open transaction.
func (t *terminal) attempt(ctx context.Context, tx transaction) error {
	if err := t.s.command(ctx, "START TRANSACTION"); err != nil {
		return err
	}
	err := tx.run(ctx, t.s)
	if err == nil {
		err = t.s.command(ctx, "COMMIT")
		t.record(tx, err)
	}
	if err != nil && !connectionLost(err) {
		if rerr := t.s.command(ctx, "ROLLBACK"); rerr != nil {
			return rerr
		}
	}
	return err
}

// record writes the outcome of a COMMIT into the ledger. A deadlock answer means that the
// transaction is gone for certain; after any other error the client cannot know.
func (t *terminal) record(tx transaction, err error) {
	switch {
	case t.led == nil || bench.IsRetriable(err):
	case err == nil:
		t.led.append(tx, ledgerOK)
	default:
		t.led.append(tx, ledgerMaybe)
	}
}
