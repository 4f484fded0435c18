package table

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// bank is a table of accounts: id, balance (indexed), tag (unique), long text. Transfers keep the
// sum; moves give an account another id.
type bank struct {
	e        *env
	t        *Table
	accounts int
	start    int
	moves    atomic.Int64
	failed   atomic.Int64
	next     atomic.Int64
}

func newBank(e *env, accounts int) *bank {
	def := simpleDef()
	def.Name = "bank"
	b := &bank{e: e, t: e.create(def), accounts: accounts, start: 1000}
	b.next.Store(int64(accounts))
	e.do(func(tx *txn.Trx) {
		for i := range accounts {
			require.NoError(e.t, b.t.Insert(bg, tx, vals(i, b.start, fmt.Sprint("tag", i), "text")))
		}
	})
	return b
}

// byTag finds an account under lock.
func (b *bank) byTag(tx *txn.Trx, tag int) ([]row.Value, error) {
	key := b.e.ik(b.t, 2, fmt.Sprint("tag", tag))
	vs, ok, err := b.t.Get(bg, tx, b.t.def.Indexes[2], key, Exclusive, Wait)
	if err == nil && !ok {
		err = fmt.Errorf("account %d is not there", tag)
	}
	return vs, err
}

func (b *bank) transfer(tx *txn.Trx, r *rand.Rand) error {
	from, err := b.byTag(tx, r.IntN(b.accounts))
	if err != nil {
		return err
	}
	to, err := b.byTag(tx, r.IntN(b.accounts))
	if err != nil || string(from[2].B) == string(to[2].B) {
		return err
	}
	n := int64(r.IntN(50))
	change := func(old []row.Value, by int64) error {
		new := append([]row.Value(nil), old...)
		new[1] = row.IntValue(old[1].Int() + by)
		new[3] = row.BytesValue(make([]byte, r.IntN(200)))
		if r.IntN(20) == 0 {
			new[3] = row.BytesValue(make([]byte, 10_000))
		}
		return b.t.Update(bg, tx, old, new)
	}
	if err := change(from, -n); err != nil {
		return err
	}
	return change(to, n)
}

// move deletes an account and inserts it under another id, with the same unique tag.
func (b *bank) move(tx *txn.Trx, r *rand.Rand) error {
	old, err := b.byTag(tx, r.IntN(b.accounts))
	if err != nil {
		return err
	}
	if err := b.t.Delete(bg, tx, old); err != nil {
		return err
	}
	new := append([]row.Value(nil), old...)
	if r.IntN(2) == 0 {
		new[0] = row.IntValue(b.next.Add(1))
	}
	b.moves.Add(1)
	return b.t.Insert(bg, tx, new)
}

// sum reads all accounts through an index.
func (b *bank) sum(tx *txn.Trx, o ScanOptions) (n int, sum int64, err error) {
	s := b.t.NewScan(tx, o)
	defer s.Close()
	for {
		vs, err := s.Next(bg)
		if err != nil {
			return n, sum, ignore(err, io.EOF)
		}
		n++
		sum += vs[1].Int()
	}
}

func (b *bank) writer(r *rand.Rand, stop func() bool) error {
	for !stop() {
		iso := []txn.Isolation{txn.ReadCommitted, txn.RepeatableRead}[r.IntN(2)]
		tx := b.e.begin(iso)
		var err error
		for range 1 + r.IntN(3) {
			tx.StartStatement()
			if r.IntN(5) == 0 {
				err = b.move(tx, r)
			} else {
				err = b.transfer(tx, r)
			}
			if err != nil {
				break
			}
		}
		switch {
		case errors.Is(err, base.ErrDeadlock) || errors.Is(err, base.ErrLockTimeout):
			b.failed.Add(1)
			err = b.e.txns.Rollback(tx)
		case err != nil:
			return errors.Join(err, b.e.txns.Rollback(tx))
		case r.IntN(6) == 0:
			err = b.e.txns.Rollback(tx)
		default:
			err = b.e.txns.Commit(tx, txn.SyncNone)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *bank) reader(r *rand.Rand, stop func() bool) error {
	for !stop() {
		iso := []txn.Isolation{txn.ReadCommitted, txn.RepeatableRead}[r.IntN(2)]
		tx := b.e.begin(iso)
		for range 3 {
			tx.StartStatement()
			o := ScanOptions{Index: b.t.def.Indexes[r.IntN(3)], Reverse: r.IntN(2) == 0}
			if o.Index == b.t.def.Indexes[1] && r.IntN(2) == 0 {
				o.Columns = []int{0, 1}
			}
			n, sum, err := b.sum(tx, o)
			if err == nil && (n != b.accounts || sum != int64(b.accounts*b.start)) {
				err = fmt.Errorf("%v through %s, reverse %v: %d accounts, sum %d", iso, o.Index.Name, o.Reverse, n, sum)
			}
			if err != nil {
				return err
			}
		}
		if err := b.e.txns.Commit(tx, txn.SyncNone); err != nil {
			return err
		}
	}
	return nil
}

// run runs the functions side by side for a while.
func (b *bank) run(d time.Duration, fns ...func(r *rand.Rand, stop func() bool) error) {
	seed := newRand(b.e.t)
	end := time.Now().Add(d)
	var stopped atomic.Bool
	var wg sync.WaitGroup
	errs := make(chan error, len(fns))
	for _, fn := range fns {
		r := rand.New(rand.NewPCG(seed.Uint64(), 2))
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := fn(r, func() bool { return stopped.Load() || time.Now().After(end) }); err != nil {
				stopped.Store(true)
				errs <- err
			}
		}()
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(b.e.t, err)
	}
}

func (b *bank) finish() {
	b.e.drain()
	b.e.check()
	tx := b.e.begin(txn.RepeatableRead)
	defer b.e.commit(tx)
	n, sum, err := b.sum(tx, ScanOptions{Lock: Exclusive})
	require.NoError(b.e.t, err)
	require.Equal(b.e.t, b.accounts, n)
	require.EqualValues(b.e.t, b.accounts*b.start, sum)
	for _, ix := range b.t.indexes {
		st, err := ix.tree.Check(nil)
		require.NoError(b.e.t, err)
		require.Equal(b.e.t, b.accounts, st.Records, "index %q", ix.def.Name)
	}
	b.e.t.Logf("%d moves, %d deadlocks and timeouts", b.moves.Load(), b.failed.Load())
}

func TestConcurrentTransfers(t *testing.T) {
	for _, c := range []struct{ frames, inPlace, accounts, compact int }{{2048, 10000, 200, 0}, {128, 2, 60, 0}, {2048, 2, 8, 0}, {2048, 2, 60, -1}, {2048, 10000, 60, -1}} {
		t.Run(fmt.Sprintf("%d frames, %d in place, %d accounts, %d compact", c.frames, c.inPlace, c.accounts, c.compact), func(t *testing.T) {
			e := newEnvWith(t, c.frames, c.inPlace, lock.Options{DeadlockDetect: true, Compact: c.compact})
			e.wait = 200 * time.Millisecond
			b := newBank(e, c.accounts)
			b.run(1500*time.Millisecond, b.writer, b.writer, b.writer, b.writer, b.reader, b.reader)
			b.finish()
		})
	}
}

// Nobody is refused a row for the sake of a unique index that is being built. Whether the build
// fails is told by what is there at its end.
func TestBuildUniqueIndexBesideWriters(t *testing.T) {
	for name, c := range map[string]struct {
		before, after func(e *env, tab *Table, tx *txn.Trx) // the build, of a writer that is at work with it
		fails         bool
	}{
		"added": {before: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Insert(bg, tx, vals(200, 50, nil, nil)))
		}, fails: true},
		"added behind": {after: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Insert(bg, tx, vals(200, 50, nil, nil)))
		}, fails: true},
		"moved to": {before: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Update(bg, tx, vals(60, 60, nil, nil), vals(60, 50, nil, nil)))
		}, fails: true},
		"moved to, behind": {after: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Update(bg, tx, vals(60, 60, nil, nil), vals(60, 50, nil, nil)))
		}, fails: true},
		"added and taken": {before: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Insert(bg, tx, vals(200, 50, nil, nil)))
		}, after: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Delete(bg, tx, vals(200, 50, nil, nil)))
		}},
		"the other one gone": {before: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Insert(bg, tx, vals(200, 50, nil, nil)))
		}, after: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Delete(bg, tx, vals(50, 50, nil, nil)))
		}},
		"in its place": {before: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Delete(bg, tx, vals(50, 50, nil, nil)))
		}, after: func(e *env, tab *Table, tx *txn.Trx) {
			require.NoError(e.t, tab.Insert(bg, tx, vals(200, 50, nil, nil)))
		}},
	} {
		for _, rolledBack := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, rolled back %t", name, rolledBack), func(t *testing.T) {
				e := newEnv(t, 512, 0)
				e.wait = time.Millisecond // a wait would be for the builder
				tab := e.create(simpleDef())
				e.do(func(tx *txn.Trx) {
					for i := range 100 {
						require.NoError(t, tab.Insert(bg, tx, vals(i, i, nil, nil)))
					}
				})
				e.drain()
				def := *tab.def
				idx := &catalog.Index{ID: 1000, Name: "u", Parts: parts(1), Unique: true, Building: true}
				e.createTree(&def, idx)
				def.Indexes = append(append([]*catalog.Index{}, def.Indexes...), idx)
				tab = New(&def, e.svc, nil)
				e.mu.Lock()
				e.tables[def.ID] = tab
				e.mu.Unlock()
				writer := e.begin(txn.ReadCommitted)
				if c.before != nil {
					c.before(e, tab, writer)
				}
				tx := e.begin(txn.ReadCommitted)
				require.NoError(t, tab.BuildIndex(bg, tx, idx, vfs.NewMem(1), "tmp"))
				if c.after != nil {
					c.after(e, tab, writer)
				}
				if rolledBack {
					e.rollback(writer)
				} else {
					e.commit(writer)
				}
				err := tab.CheckDoubtful(tx, idx)
				var de *DuplicateError
				require.Equal(t, c.fails && !rolledBack, errors.As(err, &de), "%v", err)
				if !c.fails || rolledBack {
					require.NoError(t, err)
				}
				e.rollback(tx)
			})
		}
	}
}

// An index that is built while rows change is complete and right when it is done.
func TestBuildIndexOnline(t *testing.T) {
	for _, inPlace := range []int{10000, 1} {
		e := newEnv(t, 2048, inPlace)
		e.wait = 200 * time.Millisecond
		b := newBank(e, 300)
		for range 3 {
			def := *b.t.def
			idx := &catalog.Index{ID: base.IndexID(1000 + len(def.Indexes)), Name: fmt.Sprint("built", len(def.Indexes)), Parts: parts(1, 2), Unique: len(def.Indexes)%2 == 0, Building: true}
			e.createTree(&def, idx)
			def.Indexes = append(append([]*catalog.Index{}, def.Indexes...), idx)
			e.drain()
			nt := New(&def, e.svc, nil)
			e.mu.Lock()
			e.tables[def.ID] = nt
			e.mu.Unlock()
			b.t = nt
			build := func(r *rand.Rand, stop func() bool) error {
				tx := e.begin(txn.ReadCommitted)
				err := nt.BuildIndex(bg, tx, idx, vfs.NewMem(1), "tmp")
				return errors.Join(err, e.txns.Commit(tx, txn.SyncNone))
			}
			b.run(300*time.Millisecond, b.writer, b.writer, b.writer, build)
			e.drain()
			e.do(func(tx *txn.Trx) { require.NoError(t, nt.CheckDoubtful(tx, idx)) })
			idx.Building = false
			e.check()
			require.Len(t, e.now(nt, len(def.Indexes)-1), b.accounts)
			st, err := nt.indexes[len(def.Indexes)-1].tree.Check(nil)
			require.NoError(t, err)
			require.Equal(t, b.accounts, st.Records, "nothing is left behind")
		}
	}
}

func TestBuildUniqueIndexFindsDuplicates(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		for i := range 100 {
			require.NoError(t, tab.Insert(bg, tx, vals(i, i%99, nil, nil)))
		}
	})
	def := *tab.def
	idx := &catalog.Index{ID: 1000, Name: "u", Parts: parts(1), Unique: true}
	e.createTree(&def, idx)
	def.Indexes = append(def.Indexes, idx)
	tx := e.begin(txn.ReadCommitted)
	err := New(&def, e.svc, nil).BuildIndex(bg, tx, idx, vfs.NewMem(1), "tmp")
	var de *DuplicateError
	require.True(t, errors.As(err, &de), "%v", err)
	require.Equal(t, "u", de.Index.Name)
	e.rollback(tx)
}

func TestSorterSpills(t *testing.T) {
	r := newRand(t)
	fs := vfs.NewMem(1)
	for _, n := range []int{0, 1, 100, 5000} {
		s := newSorter(fs, "tmp", "x")
		s.memory = 4000
		want := map[string]bool{}
		for range n {
			k := fmt.Sprintf("%d", r.IntN(3000))
			want[k] = true
			require.NoError(t, s.add([]byte(k)))
		}
		last, got := "", 0
		require.NoError(t, s.each(func(k []byte) error {
			require.True(t, got == 0 || last < string(k))
			require.True(t, want[string(k)])
			last, got = string(k), got+1
			return nil
		}))
		require.Len(t, want, got)
		require.NoError(t, s.close())
	}
	names, err := fs.List("tmp")
	require.NoError(t, err)
	require.Empty(t, names)
}

// TestSorterStopped has whoever takes the keys give up: the merge ahead of it ends with it.
func TestSorterStopped(t *testing.T) {
	given := errors.New("given up")
	for _, after := range []int{1, 100, batchKeys / 10} {
		s := newSorter(vfs.NewMem(1), "tmp", "x")
		s.memory = 64 << 10
		for i := range 3 * batchKeys / 10 {
			require.NoError(t, s.add(fmt.Appendf(nil, "%010d", i)))
		}
		n := 0
		require.ErrorIs(t, s.each(func([]byte) error {
			if n++; n == after {
				return given
			}
			return nil
		}), given)
		require.Equal(t, after, n)
		require.NoError(t, s.close())
	}
}

// TestSorterWithoutRoom has each write of a sorter's run files fail in turn: that is told, and no
// file is left.
func TestSorterWithoutRoom(t *testing.T) {
	for k := 0; ; k++ {
		fs := vfs.NewMem(1)
		require.NoError(t, fs.MkdirAll("tmp"))
		fs.Inject(vfs.Fault{Ops: vfs.OpCreate | vfs.OpWrite | vfs.OpRemove, Match: "tmp/", Nth: int64(k), Stay: true, Err: base.ErrDiskFull})
		s := newSorter(fs, "tmp", "x")
		s.memory = 4000
		var err error
		for i := 0; err == nil && i < 5000; i++ {
			err = s.add(fmt.Appendf(nil, "key %d", i))
		}
		if err == nil {
			err = s.each(func([]byte) error { return nil })
		}
		require.NoError(t, s.close())
		fs.ClearFaults()
		if err == nil {
			require.Greater(t, k, 20)
			return
		}
		require.ErrorIs(t, err, ErrTemporary)
		require.ErrorIs(t, err, base.ErrDiskFull)
		names, err := fs.List("tmp")
		require.NoError(t, err)
		require.LessOrEqual(t, len(names), 1, "more than the one that could not be removed")
	}
}
