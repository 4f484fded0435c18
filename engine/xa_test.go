package engine

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// xaModel knows what must be in table items, and which branches must be prepared, whenever the
// power goes.
type xaModel struct {
	t       *testing.T
	rng     *rand.Rand
	rows    map[int64]item
	pending map[txn.XID]map[int64]item // changes of prepared branches; id 0: the row is deleted
	named   int

	// The operation under way: either outcome is right.
	commits map[int64]item
	doubt   txn.XID // being prepared, or ended
	ending  bool
	toEnd   bool // by commit
}

const xaRows = 400

// change makes random changes to rows that no branch has changed.
func (x *xaModel) change(e *Engine, tx *txn.Trx) (map[int64]item, error) {
	tb, err := e.Table(ctx, tx, "test", "items")
	if err != nil {
		return nil, err
	}
	if err := e.LockMeta(ctx, tx, "test", "items", lock.MetaSharedWrite); err != nil {
		return nil, err
	}
	n := 1 + x.rng.IntN(20)
	if x.rng.IntN(8) == 0 {
		n = 120 // beyond what is rolled back in place
	}
	changes := map[int64]item{}
	for range n {
		id := int64(1 + x.rng.IntN(xaRows))
		if x.held(id) {
			continue
		}
		old, there := x.rows[id]
		if c, ok := changes[id]; ok {
			old, there = c, c.id != 0
		}
		row := item{id: id, k: int64(x.rng.IntN(50)), pad: string(make([]byte, x.rng.IntN(300)))}
		tx.StartStatement()
		switch {
		case !there:
			err = tb.Insert(ctx, tx, row.vals())
		case x.rng.IntN(3) == 0:
			err, row = tb.Delete(ctx, tx, old.vals()), item{}
		default:
			err = tb.Update(ctx, tx, old.vals(), row.vals())
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", id, err)
		}
		changes[id] = row
	}
	return changes, nil
}

func (x *xaModel) held(id int64) bool {
	for _, changes := range x.pending {
		if _, ok := changes[id]; ok {
			return true
		}
	}
	return false
}

func apply(rows, changes map[int64]item) map[int64]item {
	out := maps.Clone(rows)
	for id, c := range changes {
		if out[id] = c; c.id == 0 {
			delete(out, id)
		}
	}
	return out
}

// step does one thing.
func (x *xaModel) step(e *Engine) error {
	if x.rng.IntN(3) == 0 && len(x.pending) > 0 || len(x.pending) > 6 {
		return x.end(e)
	}
	tx := e.Begin(levels[x.rng.IntN(len(levels))], false)
	j := follow(e, tx)
	x.named++
	id := txn.XID{Format: int64(x.rng.IntN(3)), Gtrid: fmt.Sprint("branch ", x.named), Bqual: string(make([]byte, x.rng.IntN(4)))}
	branch := x.rng.IntN(2) == 0
	if branch && j != nil {
		j.Branch = &id
	}
	changes, err := x.change(e, tx)
	switch {
	case err != nil:
		return errors.Join(err, e.Rollback(tx))
	case branch:
		require.NoError(x.t, e.ReserveBranch(id))
		require.ErrorIs(x.t, e.ReserveBranch(id), ErrBranchExists)
		x.doubt, x.ending = id, false
		x.pending[id] = changes
		if err := e.PrepareBranch(ctx, tx, id); err != nil {
			return err
		}
	case x.rng.IntN(4) == 0:
		return e.Rollback(tx)
	default:
		x.commits = changes
		if err := e.Commit(ctx, tx); err != nil {
			return err
		}
		x.rows = apply(x.rows, changes)
	}
	x.commits, x.doubt = nil, txn.XID{}
	return nil
}

// end commits or rolls back one of the branches.
func (x *xaModel) end(e *Engine) error {
	ids := slices.SortedFunc(maps.Keys(x.pending), func(a, b txn.XID) int { return len(a.Gtrid) - len(b.Gtrid) })
	id := ids[x.rng.IntN(len(ids))]
	x.doubt, x.ending, x.toEnd = id, true, x.rng.IntN(2) == 0
	var j *txn.Journal
	if e.Binlog() != nil {
		j = e.NewJournal(testSession{})
	}
	if err := e.EndPrepared(ctx, id, x.toEnd, j); err != nil {
		return err
	}
	x.ended(id)
	require.ErrorIs(x.t, e.EndPrepared(ctx, id, true, nil), base.ErrNotFound)
	return nil
}

func (x *xaModel) ended(id txn.XID) {
	if x.toEnd {
		x.rows = apply(x.rows, x.pending[id])
	}
	delete(x.pending, id)
	x.doubt = txn.XID{}
}

// verify compares what a start has found.
func (x *xaModel) verify(e *Engine) {
	there := e.PreparedBranches()
	if x.doubt != (txn.XID{}) && !slices.Contains(there, x.doubt) {
		if x.ending {
			x.ended(x.doubt)
		}
		delete(x.pending, x.doubt)
	}
	x.doubt = txn.XID{}
	maps.DeleteFunc(x.pending, func(_ txn.XID, changes map[int64]item) bool { return len(changes) == 0 }) // nothing of it is on disk
	require.ElementsMatch(x.t, slices.Collect(maps.Keys(x.pending)), there)
	got := map[int64]item{}
	for _, r := range items(x.t, e, "items", 1) {
		got[r.id] = r
	}
	if x.commits != nil && fmt.Sprint(got) != fmt.Sprint(x.rows) {
		x.rows = apply(x.rows, x.commits)
	}
	x.commits = nil
	require.Equal(x.t, x.rows, got)
	for _, changes := range x.pending {
		x.locked(e, changes)
	}
}

// locked tries to get at what a branch has changed.
func (x *xaModel) locked(e *Engine, changes map[int64]item) {
	if len(changes) == 0 {
		return
	}
	tx := e.Begin(txn.RepeatableRead, false)
	defer func() { require.NoError(x.t, e.Rollback(tx)) }()
	tx.LockWait = time.Millisecond
	tb, err := e.Table(ctx, tx, "test", "items")
	require.NoError(x.t, err)
	for id, c := range changes {
		if _, was := x.rows[id]; c.id != 0 || was {
			_, _, err := tb.Get(ctx, tx, tb.Def().Indexes[0], itemKey(id), tableExclusive, tableWait)
			require.ErrorIs(x.t, err, base.ErrLockTimeout, "row %d", id)
			break
		}
	}
	require.ErrorIs(x.t, e.LockMeta(WithMetaWait(ctx, time.Millisecond), tx, "test", "items", lock.MetaExclusive), base.ErrLockTimeout)
}

// TestPreparedSurvive cuts the power between and within the steps of distributed transactions, with
// and without a binary log.
func TestPreparedSurvive(t *testing.T) {
	seed := testkit.Seed(t)
	for round := range 4 {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		fs := vfs.NewMem(rng.Uint64())
		options := func() Options {
			o := smallOptions(fs)
			if round%2 == 0 {
				o = binlogOptions(fs)
				o.RollbackInline = 50
			}
			return o
		}
		e := open(t, options())
		createItems(t, e, "items")
		x := &xaModel{t: t, rng: rng, rows: map[int64]item{}, pending: map[txn.XID]map[int64]item{}}
		for range 8 {
			fs.CrashAt(int64(1 + rng.IntN(400)))
			for !fs.Crashed() {
				if err := x.step(e); err != nil && !powerGone(err) {
					require.NoError(t, err)
				}
			}
			abandonEngine(e)
			fs.Crash()
			fs = fs.Reboot(rng.Uint64())
			e = open(t, options())
			x.verify(e)
		}
		for len(x.pending) > 0 {
			require.NoError(t, x.end(e))
		}
		x.verify(e)
		require.NoError(t, e.txns.WaitCleaned(ctx))
		report, err := e.Check(ctx, func(CheckProgress) {})
		require.NoError(t, err)
		require.Empty(t, report.Faults)
		require.NoError(t, e.Close(false))
	}
}
