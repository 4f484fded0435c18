package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// The random model: writers change rows of their own id ranges in one shared table, in transactions
// of random size and isolation, some rolled back, some to a savepoint, some killed by deadlock; an
// oracle in memory holds what each has committed. Meanwhile transfers between accounts keep a sum,
// which every consistent read must see. The power is cut at random; the next life must show each
// writer's last acknowledged state, or that plus the transaction whose commit was under way, and
// nothing else.

const (
	modelWriters = 4
	ownRange     = 1000 // ids of a writer
	accounts     = 20
	initialSum   = accounts * 100
)

type modelWriter struct {
	n         int
	rng       *rand.Rand
	committed map[int64]item
	doubt     map[int64]item // the state if the commit under way took effect; nil: none was
	history   []string
}

func TestRandomModel(t *testing.T) {
	seed := testkit.Seed(t)
	lives := 12
	if n, err := strconv.Atoi(os.Getenv("EMBER_LIVES")); err == nil {
		lives = n
	}
	t.Logf("%d lives (EMBER_LIVES)", lives)
	rng := rand.New(rand.NewPCG(seed, 0))
	fs := vfs.NewMem(seed)
	e := open(t, modelOptions(fs, rng))
	createItems(t, e, "items")
	createItems(t, e, "accounts")
	var acc []item
	for id := int64(1); id <= accounts; id++ {
		acc = append(acc, item{id: id, k: 100})
	}
	require.NoError(t, insertItems(e, "accounts", acc...))
	writers := make([]*modelWriter, modelWriters)
	for i := range writers {
		writers[i] = &modelWriter{n: i, rng: rand.New(rand.NewPCG(seed, uint64(i+1))), committed: map[int64]item{}}
	}
	total := 0
	for life := range lives {
		commits := liveOnce(t, e, fs, writers, rng)
		total += commits
		abandonEngine(e)
		fs.Crash()
		fs = failAgain(t, fs.Reboot(rng.Uint64()), rng.Uint64())
		var err error
		e, err = Open(modelOptions(fs, rng))
		require.NoError(t, err, "life %d", life)
		verifyModel(t, e, writers)
	}
	require.NoError(t, e.Close(false))
	t.Logf("%d transactions committed", total)
}

// modelOptions draws a pool, a log and a rollback threshold.
func modelOptions(fs vfs.FS, rng *rand.Rand) Options {
	o := smallOptions(fs)
	o.PoolBytes = int64(64+rng.IntN(400)) * base.PageSize
	o.RollbackInline = []int{1, 20, 10000}[rng.IntN(3)]
	o.LockWaitTimeout = 200 * time.Millisecond
	o.RecoveryMemory = []int64{64 << 10, 1 << 20, 64 << 20}[rng.IntN(3)]
	return o
}

// liveOnce lets everybody work until the power is cut.
func liveOnce(t *testing.T, e *Engine, fs *vfs.Mem, writers []*modelWriter, rng *rand.Rand) (commits int) {
	fs.CrashAt(int64(50 + rng.IntN(1500)))
	var wg sync.WaitGroup
	counts := make([]int, len(writers))
	for i, w := range writers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !fs.Crashed() {
				ok, err := w.transaction(e)
				if err != nil && !powerGone(err) {
					t.Errorf("writer %d: %v", w.n, err)
					fs.Crash()
				}
				if ok {
					counts[i]++
				}
			}
		}()
	}
	for i := range 2 {
		wg.Add(1)
		go func(rng *rand.Rand) {
			defer wg.Done()
			for !fs.Crashed() {
				if err := transfer(e, rng); err != nil && !powerGone(err) && !retryable(err) {
					t.Errorf("transfer: %v", err)
					fs.Crash()
				}
				if err := readSum(e, rng); err != nil && !powerGone(err) {
					t.Errorf("reader: %v", err)
					fs.Crash()
				}
			}
		}(rand.New(rand.NewPCG(rng.Uint64(), uint64(i))))
	}
	wg.Wait()
	for _, n := range counts {
		commits += n
	}
	return commits
}

func powerGone(err error) bool {
	return errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed)
}

func retryable(err error) bool {
	return errors.Is(err, base.ErrDeadlock) || errors.Is(err, base.ErrLockTimeout)
}

var levels = []txn.Isolation{txn.ReadCommitted, txn.RepeatableRead, txn.RepeatableRead, txn.Serializable}

// transaction makes random changes to the writer's rows and commits or rolls back. committed: the
// oracle was moved on.
func (w *modelWriter) transaction(e *Engine) (committed bool, err error) {
	tx := e.Begin(levels[w.rng.IntN(len(levels))], false)
	tb, err := e.Table(ctx, tx, "test", "items")
	if err != nil {
		return false, errors.Join(err, e.Rollback(tx))
	}
	state := copyItems(w.committed)
	n := 1 + w.rng.IntN(12)
	if w.rng.IntN(10) == 0 {
		n = 150
	}
	for range n {
		tx.StartStatement()
		mark, before := tx.Savepoint(), state
		if w.rng.IntN(4) == 0 {
			before = copyItems(state)
		}
		err := error(nil)
		if w.rng.IntN(12) == 0 {
			err = w.changeMany(tx, tb, state)
		} else {
			err = w.change(tx, tb, state)
		}
		var dup *table.DuplicateError
		switch {
		case errors.As(err, &dup): // the change took nothing
			continue
		case errors.Is(err, base.ErrLockTimeout):
			continue
		case errors.Is(err, base.ErrDeadlock):
			return false, e.Rollback(tx)
		case err != nil:
			return false, errors.Join(err, e.Rollback(tx))
		}
		if len(before) != len(state) || w.rng.IntN(20) == 0 && fmt.Sprint(before) != fmt.Sprint(state) {
			w.note("rollback to %d", mark)
			if err := tx.RollbackTo(ctx, mark); err != nil {
				return false, errors.Join(err, e.Rollback(tx))
			}
			state = before
		}
	}
	if err := w.compare(e, tx, state); err != nil {
		return false, errors.Join(err, e.Rollback(tx))
	}
	if w.rng.IntN(5) == 0 {
		w.note("trx %d: rollback", tx.ID())
		return false, e.Rollback(tx)
	}
	w.doubt = state
	w.note("trx %d: commit", tx.ID())
	if err := e.Commit(ctx, tx); err != nil {
		return false, err
	}
	w.note("trx %d: committed", tx.ID())
	w.committed, w.doubt = state, nil
	return true, nil
}

func (w *modelWriter) note(format string, args ...any) {
	w.history = append(w.history, fmt.Sprintf(format, args...))
	if len(w.history) > 60 {
		w.history = w.history[1:]
	}
}

// change makes one random change and applies it to state.
func (w *modelWriter) change(tx *txn.Trx, tb *table.Table, state map[int64]item) (err error) {
	defer func() { w.note("trx %d: %v", tx.ID(), err) }()
	id := int64(w.n*ownRange) + w.rng.Int64N(60) + 1
	fresh := item{id: id, k: w.rng.Int64N(5), pad: strings.Repeat("x", w.rng.IntN(300))}
	if w.rng.IntN(3) > 0 {
		fresh.u = 1 + w.rng.Int64N(500) // shared by all writers: duplicates happen
	}
	if w.rng.IntN(15) == 0 {
		fresh.pad = strings.Repeat("long", 2000+w.rng.IntN(8000))
	}
	old, exists := state[id]
	defer func() {
		w.note("   %d exists %v -> id %d k %d u %d pad %d", id, exists, fresh.id, fresh.k, fresh.u, len(fresh.pad))
	}()
	switch {
	case !exists:
		if err := tb.Insert(ctx, tx, fresh.vals()); err != nil {
			return err
		}
		state[id] = fresh
	case w.rng.IntN(3) == 0:
		if err := tb.Delete(ctx, tx, old.vals()); err != nil {
			return err
		}
		delete(state, id)
	default:
		if w.rng.IntN(5) == 0 { // move it
			fresh.id = int64(w.n*ownRange) + w.rng.Int64N(60) + 1
		}
		if err := tb.Update(ctx, tx, old.vals(), fresh.vals()); err != nil {
			return err
		}
		delete(state, id)
		state[fresh.id] = fresh
	}
	return nil
}

// compare reads the writer's own rows in its transaction: it must see its own changes.
func (w *modelWriter) compare(e *Engine, tx *txn.Trx, state map[int64]item) error {
	tx.StartStatement()
	rows, err := readItems(e, tx, "items", w.rng.IntN(2))
	if err != nil {
		return err
	}
	return sameRows(rows, w.n, state)
}

// sameRows compares a writer's share of rows with a state.
func sameRows(rows []item, writer int, state map[int64]item) error {
	n := 0
	for _, r := range rows {
		if int(r.id-1)/ownRange != writer {
			continue
		}
		n++
		if state[r.id] != r {
			return fmt.Errorf("row %d of writer %d: got k=%d u=%d pad of %d, want %+v", r.id, writer, r.k, r.u, len(r.pad), state[r.id])
		}
	}
	if n != len(state) {
		return fmt.Errorf("writer %d: %d rows, want %d", writer, n, len(state))
	}
	return nil
}

// transfer moves money between two accounts under row locks.
func transfer(e *Engine, rng *rand.Rand) error {
	from, to := 1+rng.Int64N(accounts), 1+rng.Int64N(accounts)
	if from == to {
		return nil
	}
	return e.run(levels[rng.IntN(len(levels))], func(tx *txn.Trx) error {
		tb, err := e.Table(ctx, tx, "test", "accounts")
		if err != nil {
			return err
		}
		for id, delta := range map[int64]int64{from: -1, to: 1} {
			old, ok, err := tb.Get(ctx, tx, tb.Def().Indexes[0], itemKey(id), table.Exclusive, table.Wait)
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("account %d is gone", id)
			}
			i := itemOf(old)
			i.k += delta
			if err := tb.Update(ctx, tx, old, i.vals()); err != nil {
				return err
			}
		}
		return nil
	})
}

// readSum checks the sum of the accounts in a consistent read, by either index.
func readSum(e *Engine, rng *rand.Rand) error {
	return e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		for range 2 {
			index := rng.IntN(2)
			rows, err := readItems(e, tx, "accounts", index)
			if err != nil {
				return err
			}
			sum := int64(0)
			for _, r := range rows {
				sum += r.k
			}
			if sum != initialSum || len(rows) != accounts {
				again, err := readItems(e, tx, "accounts", 1-index)
				return fmt.Errorf("%d accounts hold %d by index %d, want %d hold %d:\n%v\nby the other index: %v %v", len(rows), sum, index, accounts, initialSum, rows, again, err)
			}
		}
		return nil
	})
}

// verifyModel compares the directory with the oracle and settles what was in doubt.
func verifyModel(t *testing.T, e *Engine, writers []*modelWriter) {
	t.Helper()
	rows := items(t, e, "items", 0)
	for _, w := range writers {
		err := sameRows(rows, w.n, w.committed)
		if err != nil && w.doubt != nil {
			if sameRows(rows, w.n, w.doubt) == nil {
				w.committed, err = w.doubt, nil
			}
		}
		if err != nil {
			t.Logf("in doubt: %v; history:\n%s", w.doubt != nil, strings.Join(w.history, "\n"))
		}
		w.doubt = nil
		require.NoError(t, err)
	}
	require.NoError(t, readSum(e, rand.New(rand.NewPCG(1, 1))))
	requireClean(t, e)
}

func copyItems(m map[int64]item) map[int64]item {
	c := make(map[int64]item, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}
