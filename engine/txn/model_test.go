package txn

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/lock"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// oracle knows what every transaction must see, from copies of the whole table.
type oracle struct {
	committed map[int]uint64 // 0: no row
	open      []*modelTrx
}

type modelTrx struct {
	t      *Trx
	writes map[int]uint64
	saves  []map[int]uint64 // copies of writes, with marks
	marks  []Mark
	snap   map[int]uint64 // what its view saw when it was opened; nil: no view
}

func (o *oracle) owner(i int) *modelTrx {
	for _, m := range o.open {
		if _, ok := m.writes[i]; ok {
			return m
		}
	}
	return nil
}

func (o *oracle) see(m *modelTrx, i int) uint64 {
	if m.snap == nil {
		m.snap = maps.Clone(o.committed)
	}
	if v, ok := m.writes[i]; ok {
		return v
	}
	if m.t.iso == ReadUncommitted {
		if w := o.owner(i); w != nil {
			return w.writes[i]
		}
		return o.committed[i]
	}
	return m.snap[i]
}

// TestVisibilityModel interleaves transactions of all levels, with savepoints, rollbacks in place
// and in the background, and purge at work, and compares every read with the oracle.
func TestVisibilityModel(t *testing.T) {
	for range 4 {
		runVisibilityModel(t)
	}
}

func runVisibilityModel(t *testing.T) {
	rnd := newRand(t)
	e := newEnv(t, 128, 12)
	e.pad = func() int { return rnd.IntN(1 + []int{10, 300, 3000}[rnd.IntN(3)]) }
	o := &oracle{committed: map[int]uint64{}}
	const rows = 60
	for step := range 6000 {
		if len(o.open) < 2 || (len(o.open) < 8 && rnd.IntN(20) == 0) {
			iso := Isolation(rnd.IntN(4))
			o.open = append(o.open, &modelTrx{t: e.begin(iso), writes: map[int]uint64{}})
		}
		if step%500 == 499 {
			e.check(false)
		}
		at := rnd.IntN(len(o.open))
		m := o.open[at]
		i := rnd.IntN(rows)
		switch op := rnd.IntN(40); {
		case op < 16:
			if m.t.iso == ReadUncommitted {
				m.t.StartStatement() // what is aborted during a statement it may go on seeing
			}
			want, got := o.see(m, i), e.mustRead(m.t.View(), i)
			if seen := e.sys.SeenByAll(); seen > 1 {
				require.True(t, m.t.View().Sees(seen-1), "every view sees what is seen by all")
			}
			require.Equal(t, want, got, "step %d: trx %d %s row %d", step, m.t.ID(), m.t.iso, i)
		case op < 30:
			o.write(t, e, m, i, rnd, step)
		case op < 32:
			m.t.StartStatement()
			if m.t.iso <= ReadCommitted {
				m.snap = nil
			}
		case op < 34:
			m.saves, m.marks = append(m.saves, maps.Clone(m.writes)), append(m.marks, m.t.Savepoint())
		case op == 34 && len(m.saves) > 0:
			s := rnd.IntN(len(m.saves))
			require.NoError(t, m.t.RollbackTo(t.Context(), m.marks[s]))
			m.writes = maps.Clone(m.saves[s])
			m.saves, m.marks = m.saves[:s+1], m.marks[:s+1]
		case op == 35:
			require.NoError(t, e.sys.Rollback(m.t))
			o.open = append(o.open[:at], o.open[at+1:]...)
		case op >= 37:
			require.NoError(t, e.sys.Commit(m.t, SyncMode(rnd.IntN(3))))
			maps.Copy(o.committed, m.writes)
			o.open = append(o.open[:at], o.open[at+1:]...)
		}
	}
	for _, m := range o.open {
		require.NoError(t, e.sys.Rollback(m.t))
	}
	e.settle()
	for i := range rows {
		r, err := e.current(i)
		require.NoError(t, err)
		require.Equal(t, o.committed[i], r.seen(), "row %d", i)
	}
	require.Empty(t, e.sys.Snapshot())
}

// write changes a row that no other open transaction has changed.
func (o *oracle) write(t *testing.T, e *env, m *modelTrx, i int, rnd *rand.Rand, step int) {
	if w := o.owner(i); w != nil && w != m {
		return
	}
	now, mine := m.writes[i]
	if !mine {
		now = o.committed[i]
	}
	remove := now != 0 && rnd.IntN(3) == 0
	value := uint64(step + 1)
	require.NoError(t, e.change(m.t, i, value, remove))
	if remove {
		value = 0
	}
	m.writes[i] = value
}

// TestTransfersKeepTheSum runs writers that move amounts between rows under row locks, with
// deadlocks and rollbacks, beside readers whose views must always see the same sum.
func TestTransfersKeepTheSum(t *testing.T) {
	const rows, start, writers, each = 20, 1000, 6, 250
	e := newEnv(t, 96, 3)
	w := e.begin(RepeatableRead)
	for i := range rows {
		e.mustChange(w, i, start)
	}
	e.mustCommit(w)
	var writing, reading sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		reading.Add(1)
		go func() {
			defer reading.Done()
			for {
				select {
				case <-stop:
					return
				default:
				}
				r := e.begin(RepeatableRead)
				sum := uint64(0)
				for i := range rows {
					v, err := e.read(r.View(), i)
					if err != nil {
						t.Error(err)
					}
					sum += v
					if i%7 == 0 {
						runtime.Gosched()
					}
				}
				if sum != rows*start {
					t.Errorf("a view sees the sum %d", sum)
				}
				_ = e.sys.Commit(r, SyncNone)
			}
		}()
	}
	seed := testkit.Seed(t)
	for g := range writers {
		writing.Add(1)
		go func() {
			defer writing.Done()
			rnd := rand.New(rand.NewPCG(seed, uint64(g)))
			for n := range each {
				if err := e.transfer(rnd, rows); err != nil {
					t.Errorf("writer %d, round %d: %v", g, n, err)
					return
				}
			}
		}()
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	e.settle()
	sum := uint64(0)
	for i := range rows {
		r, err := e.current(i)
		require.NoError(t, err)
		sum += r.seen()
	}
	require.Equal(t, uint64(rows*start), sum)
	require.Zero(t, e.locks.Stats().Locks)
}

// transfer moves amounts along a random chain of rows and ends in a commit, a rollback or a
// deadlock.
func (e *env) transfer(rnd *rand.Rand, rows int) error {
	ctx := context.Background()
	t := e.begin(RepeatableRead)
	for range 1 + rnd.IntN(3) {
		from, to, amount := rnd.IntN(rows), rnd.IntN(rows), uint64(1+rnd.IntN(3))
		if from == to {
			continue
		}
		mark := t.StartStatement()
		for _, i := range []int{from, to} {
			if err := e.lockRow(ctx, t, i); err != nil {
				return e.sys.Rollback(t) // deadlock victim
			}
		}
		for k, i := range []int{from, to} {
			r, err := e.current(i)
			if err != nil {
				return err
			}
			value := r.value + amount
			if k == 0 {
				value = r.value - amount
			}
			if err := e.change(t, i, value, false); err != nil {
				return err
			}
		}
		if rnd.IntN(8) == 0 {
			if err := t.RollbackTo(ctx, mark); err != nil {
				return err
			}
		}
	}
	if rnd.IntN(5) == 0 {
		return e.sys.Rollback(t)
	}
	return e.sys.Commit(t, SyncNone)
}

// lockRow gets an exclusive lock on a row as the table room does: implicit locks are made explicit,
// rows of aborted transactions restored.
func (e *env) lockRow(ctx context.Context, t *Trx, i int) error {
	key := []byte{byte(i)}
	for {
		w, aborted, err := e.tryLockRow(t, i, key)
		if err != nil {
			return err
		}
		if w != nil {
			if err := w.Wait(ctx, time.Minute); err != nil {
				return err
			}
			continue
		}
		if aborted.trx == 0 {
			return nil
		}
		if err := e.restore(aborted); err != nil {
			return err
		}
	}
}

func (e *env) tryLockRow(t *Trx, i int, key []byte) (w *lock.Wait, aborted slotRowData, err error) {
	m := e.pool.BeginRead()
	defer m.Commit()
	pg, off, err := e.slot(m, i, 1)
	if err != nil {
		return nil, aborted, err
	}
	r := decodeSlot(pg.Data()[off:])
	if r.trx != t.ID() && e.sys.LockImplicit(r.trx, testTree, key) == Aborted {
		return nil, r, nil
	}
	return e.locks.Lock(&t.Owner, testTree, key, lock.X, lock.Record), aborted, nil
}

// TestLargeLogIsPurgedAndUndoneInSteps stops the background work at random rows and starts it
// again, as often as it takes.
func TestLargeLogIsPurgedAndUndoneInSteps(t *testing.T) {
	for _, rollback := range []bool{false, true} {
		t.Run(fmt.Sprint("rollback=", rollback), func(t *testing.T) {
			rnd := newRand(t)
			e := newEnv(t, 128, 10)
			e.pad = func() int { return 400 }
			e.sys.Close()
			w := e.begin(RepeatableRead)
			const n = 800 // some 25 pages
			for i := range n {
				require.NoError(t, e.change(w, i%slots, 2*uint64(i)+1, false))
				require.NoError(t, e.change(w, (i+7)%slots, 0, true))
			}
			if rollback {
				require.NoError(t, e.sys.Rollback(w))
			} else {
				e.mustCommit(w)
			}
			used, _ := e.undoPages()
			left, rounds := used, 0
			for ; e.sys.HistoryLength() > 0 || e.sys.OldestAborted() != MaxTrxID; rounds++ {
				ctx, cancel := context.WithCancel(context.Background())
				e.sys.stop, e.sys.cancel = ctx, cancel
				calls := 1 + rnd.IntN(200)
				e.purged = func(*UndoRecord) {
					if calls--; calls == 0 {
						cancel()
					}
				}
				u := &stopping{e: e, stop: cancel, after: 1 + rnd.IntN(200)}
				e.sys.SetUndoer(u)
				e.sys.Start()
				<-ctxOrIdle(e, ctx)
				e.sys.Close()
				e.check(true)
				now, _ := e.undoPages()
				require.LessOrEqual(t, now, left)
				left = now
			}
			require.Greater(t, rounds, 3)
			require.Equal(t, 4, left)
		})
	}
}

// stopping is a RowUndoer that stops the workers after some rows.
type stopping struct {
	e     *env
	stop  func()
	after int
}

func (s *stopping) UndoRow(rec *UndoRecord) error {
	if s.after--; s.after == 0 {
		s.stop()
	}
	return s.e.UndoRow(rec)
}

func (s *stopping) PurgeRow(rec *UndoRecord) error { return s.e.PurgeRow(rec) }

// ctxOrIdle is closed when ctx is done or there is nothing left to do.
func ctxOrIdle(e *env, ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil && (e.sys.HistoryLength() > 0 || e.sys.OldestAborted() != MaxTrxID) {
			time.Sleep(100 * time.Microsecond)
		}
	}()
	return done
}

func BenchmarkBeginViewCommit(b *testing.B) {
	e := newEnv(b, 256, 0)
	b.ReportAllocs()
	for b.Loop() {
		t := e.sys.Begin(RepeatableRead, true)
		if t.View().Sees(1 << 40) {
			b.Fatal("a view of nothing")
		}
		_ = e.sys.Commit(t, SyncNone)
	}
}

func BenchmarkWriteCommit(b *testing.B) {
	e := newEnv(b, 2048, 0)
	rec := UndoRecord{Type: UndoUpdate, NoPurge: true, Table: 7, PrevTrx: 123456, PrevPtr: 1 << 30, Key: make([]byte, 12), Body: make([]byte, 40)}
	b.ReportAllocs()
	for b.Loop() {
		t := e.sys.Begin(RepeatableRead, false)
		for range 10 {
			if _, err := t.LogUndo(&rec); err != nil {
				b.Fatal(err)
			}
		}
		if err := e.sys.Commit(t, SyncNone); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(e.sys.HistoryLength()), "history")
}

func BenchmarkSees(b *testing.B) {
	v := ReadView{up: 100, low: 200, ids: []base.TrxID{100, 120, 130, 150, 190}}
	n := 0
	for i := 0; b.Loop(); i++ {
		if v.Sees(base.TrxID(i & 255)) {
			n++
		}
	}
	_ = n
}
