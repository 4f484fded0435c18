package engine

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// rewrite rebuilds table items online into def; middle runs when the rows are copied.
func rewrite(e *Engine, def *catalog.Table, limit int, middle func() error) error {
	return e.ddl(func(tx *txn.Trx) error {
		return rewriteIn(e, tx, "items", func(*catalog.Table) *catalog.Table { return def }, limit, middle)
	})
}

func rewriteIn(e *Engine, tx *txn.Trx, name string, change func(def *catalog.Table) *catalog.Table, limit int, middle func() error) error {
	old, err := e.Table(ctx, tx, "test", name)
	if err != nil {
		return err
	}
	same := func(vals []row.Value) ([]row.Value, error) { return vals, nil }
	r, err := e.NewRebuild(ctx, tx, old.Def(), change(old.Def()), &Online{LogBytes: limit, Convert: same})
	if err != nil {
		return err
	}
	if err := addAll(r); err != nil {
		return errors.Join(err, r.Close())
	}
	if err := middle(); err != nil {
		return errors.Join(err, r.Close())
	}
	_, err = r.Finish(ctx)
	return err
}

func addAll(r *Rebuild) error {
	t, tx := r.Source()
	s := t.NewScan(tx, table.ScanOptions{})
	defer s.Close()
	for {
		vals, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.Add(ctx, vals); err != nil {
			return err
		}
	}
}

// byBoth is the definition of items with another primary key.
func byBoth() *catalog.Table {
	def := itemsDef("items")
	def.Indexes[0].Parts = []row.KeyPart{{Column: 1}, {Column: 0}}
	return def
}

// TestOnlineRebuildFollows has rows change while the rebuild copies them. The new table has another
// primary key; a unique value goes from one row to another, which is no duplicate.
func TestOnlineRebuildFollows(t *testing.T) {
	e := open(t, binlogOptions(vfs.NewMem(1)))
	createItems(t, e, "items")
	require.NoError(t, insertItems(e, "items", someItems(1, 20)...))
	want := map[int64]item{}
	for _, i := range someItems(1, 20) {
		want[i.id] = i
	}
	var late *txn.Trx // has changed rows when the copy is done, and is rolled back later
	changed := make(chan error, 1)
	require.NoError(t, rewrite(e, byBoth(), 1<<20, func() error {
		err := e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
			h, err := e.Table(ctx, tx, "test", "items")
			if err != nil {
				return err
			}
			a, b := want[3], want[4]
			a.u, b.u, b.k = b.u, 0, 100
			moved := want[5]
			moved.id = 500
			return errors.Join(
				h.Update(ctx, tx, want[4].vals(), b.vals()), h.Update(ctx, tx, want[3].vals(), a.vals()),
				h.Update(ctx, tx, want[5].vals(), moved.vals()), h.Delete(ctx, tx, want[6].vals()),
				h.Insert(ctx, tx, item{id: 600, k: 6, u: want[6].u, pad: "new"}.vals()),
				told(want, []int64{3, 4, 5, 6}, a, b, moved, item{id: 600, k: 6, u: want[6].u, pad: "new"}))
		})
		late = e.Begin(txn.RepeatableRead, false)
		follow(e, late)
		h, tableErr := e.TableAs(ctx, late, "test", "items", lock.MetaSharedWrite)
		if err = errors.Join(err, tableErr); err != nil {
			return err
		}
		err = errors.Join(h.Delete(ctx, late, want[7].vals()), h.Insert(ctx, late, item{id: 700, k: 7}.vals()))
		go func() { changed <- e.Rollback(late) }()
		return err
	}))
	require.NoError(t, <-changed)
	requireItems(t, e, "items", want)
	requireClean(t, e)
	requireFiles(t, e)
	require.NoError(t, e.Close(false))
}

// told takes the rows of ids out of want, and puts others in.
func told(want map[int64]item, ids []int64, rows ...item) error {
	for _, id := range ids {
		delete(want, id)
	}
	for _, i := range rows {
		want[i.id] = i
	}
	return nil
}

// TestOnlineRebuildFails: the log is full, or two rows have one key. Nothing is left of the rebuild,
// and writers go on.
func TestOnlineRebuildFails(t *testing.T) {
	e := open(t, binlogOptions(vfs.NewMem(2)))
	createItems(t, e, "items")
	require.NoError(t, insertItems(e, "items", someItems(1, 3000)...))
	more := func(from int64) func() error {
		return func() error { return insertItems(e, "items", someItems(from, 2000)...) }
	}
	require.ErrorIs(t, rewrite(e, itemsDef("items"), 100<<10, more(10_000)), base.ErrOnlineLogFull)
	unique := itemsDef("items")
	unique.Indexes = append(unique.Indexes, &catalog.Index{Name: "k_too", Unique: true, Parts: []row.KeyPart{{Column: 3, Prefix: 20}}})
	var dup *table.DuplicateError
	require.ErrorAs(t, rewrite(e, unique, 1<<20, func() error {
		if err := more(20_000)(); err != nil { // more than is rolled back at once
			return err
		}
		return insertItems(e, "items", item{id: 90_000, pad: "row 7"})
	}), &dup)
	require.Equal(t, "k_too", dup.Index.Name)
	require.NoError(t, more(30_000)())
	require.Len(t, items(t, e, "items", 0), 9001)

	requireClean(t, e)
	requireFiles(t, e)
	require.NoError(t, e.Close(false))
}

// TestOnlineRebuildModel has writers change rows at random while rebuilds come one after the other.
func TestOnlineRebuildModel(t *testing.T) {
	seed := testkit.Seed(t)
	e := open(t, binlogOptions(vfs.NewMem(seed)))
	createItems(t, e, "items")
	w := &changers{e: e, rows: map[int64]item{}}
	var stop atomic.Bool
	var group errgroup.Group
	for n := range 4 {
		rnd := rand.New(rand.NewPCG(seed, uint64(n)))
		group.Go(func() error {
			for !stop.Load() {
				if err := w.change(rnd); err != nil {
					stop.Store(true)
					return err
				}
			}
			return nil
		})
	}
	for n := 0; n < 30 && !stop.Load(); n++ {
		def := itemsDef("items")
		if n%2 == 1 {
			slices.Reverse(def.Indexes[1:])
		}
		require.NoError(t, rewrite(e, def, 1<<20, func() error { return nil }))
	}
	stop.Store(true)
	require.NoError(t, group.Wait())
	requireItems(t, e, "items", w.rows)
	require.Greater(t, w.committed, 100)
	requireClean(t, e)
	requireFiles(t, e)
	require.NoError(t, e.Close(false))
}

// changers change the rows of table items.
type changers struct {
	e         *Engine
	mu        sync.Mutex
	rows      map[int64]item // what is committed
	committed int
}

var errChosen = errors.New("rolled back by choice")

// change runs a transaction of some changes, which may be rolled back.
func (w *changers) change(rnd *rand.Rand) error {
	err := w.e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		h, err := w.e.TableAs(ctx, tx, "test", "items", lock.MetaSharedWrite)
		if err != nil {
			return err
		}
		gone, come := map[int64]bool{}, map[int64]item{}
		for range 1 + rnd.IntN(4) {
			tx.StartStatement()
			if err := w.one(rnd, h, tx, gone, come); err != nil {
				return err
			}
		}
		if rnd.IntN(5) == 0 {
			return errChosen
		}
		w.mu.Lock() // the locks of the rows are held, so rows change here in the order of the commits
		defer w.mu.Unlock()
		for id := range gone {
			delete(w.rows, id)
		}
		for id, i := range come {
			w.rows[id] = i
		}
		w.committed++
		return nil
	})
	var dup *table.DuplicateError
	for _, usual := range []error{errChosen, base.ErrDeadlock, base.ErrLockTimeout, base.ErrTableGone} {
		if errors.Is(err, usual) {
			return nil
		}
	}
	if errors.As(err, &dup) {
		return nil
	}
	return err
}

// one makes a change: gone are rows that are no more as they were, come those that are now.
func (w *changers) one(rnd *rand.Rand, h *table.Table, tx *txn.Trx, gone map[int64]bool, come map[int64]item) error {
	id := 1 + rnd.Int64N(200)
	key := row.AppendKey(nil, table.Columns(h.Def()), h.Def().Indexes[0].Parts, item{id: id}.vals())
	vals, ok, err := h.Get(ctx, tx, h.Def().Indexes[0], key, table.Exclusive, table.Wait)
	if err != nil {
		return err
	}
	now := item{id: id, k: rnd.Int64N(50), u: 1 + rnd.Int64N(400), pad: fmt.Sprint("pad ", rnd.IntN(1000))}
	if rnd.IntN(4) == 0 {
		now.pad = string(make([]byte, 20_000)) // stands in pages of its own
	}
	if !ok {
		come[id] = now
		return h.Insert(ctx, tx, now.vals())
	}
	gone[id] = true
	delete(come, id)
	old := itemOf(vals)
	switch rnd.IntN(4) {
	case 0:
		return h.Delete(ctx, tx, old.vals())
	case 1:
		now.id = 1 + rnd.Int64N(200)
	}
	come[now.id] = now
	return h.Update(ctx, tx, old.vals(), now.vals())
}
