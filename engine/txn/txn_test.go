package txn

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

func (e *env) begin(iso Isolation) *Trx { return e.sys.Begin(iso, false) }

func (e *env) mustChange(t *Trx, i int, value uint64) {
	e.t.Helper()
	require.NoError(e.t, e.change(t, i, value, false))
}

func (e *env) mustCommit(t *Trx) {
	e.t.Helper()
	require.NoError(e.t, e.sys.Commit(t, SyncFlush))
}

func (e *env) mustRead(v *ReadView, i int) uint64 {
	e.t.Helper()
	value, err := e.read(v, i)
	require.NoError(e.t, err)
	return value
}

func TestIsolationLevels(t *testing.T) {
	e := newEnv(t, 256, 0)
	w := e.begin(RepeatableRead)
	e.mustChange(w, 1, 10)
	e.mustCommit(w)
	levels := []Isolation{ReadUncommitted, ReadCommitted, RepeatableRead, Serializable}
	var readers []*Trx
	see := func() (seen []uint64) {
		for _, r := range readers {
			r.StartStatement()
			seen = append(seen, e.mustRead(r.View(), 1))
		}
		return seen
	}
	for _, iso := range levels {
		readers = append(readers, e.begin(iso))
	}
	require.Equal(t, []uint64{10, 10, 10, 10}, see())
	w = e.begin(RepeatableRead)
	e.mustChange(w, 1, 11)
	require.Equal(t, []uint64{11, 10, 10, 10}, see())
	require.Equal(t, uint64(11), e.mustRead(w.View(), 1), "its own change")
	e.mustCommit(w)
	require.Equal(t, []uint64{11, 11, 10, 10}, see())
	w = e.begin(RepeatableRead)
	e.mustChange(w, 1, 12)
	require.NoError(t, e.sys.Rollback(w))
	require.Equal(t, []uint64{11, 11, 10, 10}, see())
	for _, r := range readers {
		e.mustCommit(r)
	}
	e.settle()
	require.Empty(t, e.sys.Snapshot())
}

func TestViewOpenedBeforeFirstWriteSeesIt(t *testing.T) {
	e := newEnv(t, 256, 0)
	a, b := e.begin(RepeatableRead), e.begin(RepeatableRead)
	require.Zero(t, e.mustRead(a.View(), 3))
	e.mustChange(b, 4, 7)
	e.mustChange(a, 3, 8)
	require.Equal(t, uint64(8), e.mustRead(a.View(), 3))
	e.mustCommit(b)
	require.Zero(t, e.mustRead(a.View(), 4))
	e.mustCommit(a)
}

func TestViewsShareASnapshotUntilACommit(t *testing.T) {
	e := newEnv(t, 256, 0)
	a, b, c := e.begin(RepeatableRead), e.begin(RepeatableRead), e.begin(RepeatableRead)
	require.Same(t, a.View().snap, b.View().snap)
	w := e.begin(RepeatableRead)
	e.mustChange(w, 1, 1)
	e.mustCommit(w)
	require.NotSame(t, a.View().snap, c.View().snap)
	require.Equal(t, a.View().LowLimit(), b.View().LowLimit())
	for _, r := range []*Trx{a, b, c} {
		e.mustCommit(r)
	}
	e.sys.mu.Lock()
	defer e.sys.mu.Unlock()
	require.Equal(t, e.sys.current.Load(), e.sys.mu.firstView)
	require.Equal(t, e.sys.mu.firstView, e.sys.mu.lastView)
}

func TestSeenByAll(t *testing.T) {
	e := newEnv(t, 256, 0)
	w := e.begin(RepeatableRead)
	e.mustChange(w, 1, 1)
	first := w.ID()
	require.Equal(t, first, e.sys.SeenByAll(), "it may roll back")
	reader := e.begin(RepeatableRead)
	require.False(t, reader.View().Sees(first))
	e.mustCommit(w)
	require.LessOrEqual(t, e.sys.SeenByAll(), first, "somebody does not see it")
	late := e.begin(RepeatableRead)
	require.True(t, late.View().Sees(first))
	require.LessOrEqual(t, e.sys.SeenByAll(), first)
	e.mustCommit(reader)
	require.Greater(t, e.sys.SeenByAll(), first)
	e.mustCommit(late)
	require.Greater(t, e.sys.SeenByAll(), first)
}

func TestStatementAndSavepointRollback(t *testing.T) {
	e := newEnv(t, 256, 0)
	e.pad = func() int { return 900 } // several pages
	w := e.begin(RepeatableRead)
	for i := range 40 {
		e.mustChange(w, i, 100)
	}
	mark := w.Savepoint()
	require.Equal(t, mark, w.StartStatement())
	for i := range 60 {
		e.mustChange(w, i, 200)
	}
	require.Equal(t, int64(100), w.Weight())
	require.NoError(t, w.RollbackTo(t.Context(), mark))
	require.Equal(t, int64(40), w.Weight())
	for i := range 60 {
		want := uint64(100)
		if i >= 40 {
			want = 0
		}
		require.Equal(t, want, e.mustRead(w.View(), i))
	}
	e.mustChange(w, 41, 300)
	require.NoError(t, w.RollbackTo(t.Context(), w.Savepoint()))
	e.mustCommit(w)
	r := e.begin(ReadCommitted)
	require.Equal(t, uint64(300), e.mustRead(r.View(), 41))
	require.Equal(t, uint64(100), e.mustRead(r.View(), 0))
	e.mustCommit(r)
	e.settle()
}

// TestRecycle: what has only read comes back as new; what others may remember stays as it ended.
func TestRecycle(t *testing.T) {
	e := newEnv(t, 256, 0)
	session := new(lock.Owner)
	reader := func() *Trx {
		r := e.sys.Begin(RepeatableRead, true)
		require.Equal(t, noStatement, r.Statement())
		require.False(t, r.Ended())
		require.Zero(t, r.Thread())
		r.Join(session)
		r.SetThread(7)
		r.StartStatement()
		_, err := e.read(r.View(), 1)
		require.NoError(t, err)
		return r
	}
	for range 10 {
		r := reader()
		require.NoError(t, e.locks.LockMeta(context.Background(), &r.Owner, "t", lock.MetaShared, lock.Transaction, time.Second))
		require.Len(t, e.sys.Snapshot(), 1)
		e.mustCommit(r)
		e.sys.Recycle(r)
		require.True(t, r.Ended(), "it has a metadata lock")
		e.locks.ReleaseMeta(&r.Owner, lock.Transaction)
		e.sys.Recycle(r)
		require.False(t, r.Ended(), "its memory is as new")
		require.Empty(t, e.sys.Snapshot())
	}

	locker := reader()
	require.True(t, e.locks.TryLockTable(&locker.Owner, 1, lock.IS))
	e.locks.UnlockTable(&locker.Owner, 1, lock.IS)
	writer := e.sys.Begin(RepeatableRead, false)
	require.NoError(t, e.change(writer, 1, 5, false))
	for _, r := range []*Trx{locker, writer} {
		e.mustCommit(r)
		e.sys.Recycle(r)
		require.True(t, r.Ended())
	}
	v := reader()
	defer e.mustCommit(v)
	n, err := e.read(v.View(), 1)
	require.NoError(t, err)
	require.Equal(t, uint64(5), n, "a view of its own")
}

func TestReadOnlyTransactions(t *testing.T) {
	e := newEnv(t, 256, 0)
	before := e.log.Appended()
	r := e.sys.Begin(RepeatableRead, true)
	_, err := r.LogUndo(&UndoRecord{Type: UndoInsert, Key: []byte("k")})
	require.ErrorIs(t, err, base.ErrReadOnly)
	r.View()
	e.mustCommit(r)
	require.NoError(t, e.sys.Rollback(e.sys.Begin(RepeatableRead, true)))
	require.Zero(t, r.ID())
	require.Equal(t, before, e.log.Appended(), "nothing is logged")
}

func TestLargeRollbackIsAStateChange(t *testing.T) {
	e := newEnv(t, 256, 10)
	w := e.begin(RepeatableRead)
	for i := range slots {
		e.mustChange(w, i, 1)
	}
	e.mustCommit(w)
	e.sys.Close() // no cleaning meanwhile
	w = e.begin(RepeatableRead)
	for i := range slots {
		e.mustChange(w, i, 2)
	}
	id := w.ID()
	require.Nil(t, e.locks.Lock(&w.Owner, testTree, []byte("k"), 3, 0))
	require.NoError(t, e.sys.Rollback(w))
	require.Equal(t, Aborted, e.sys.State(id))
	require.Equal(t, id, e.sys.OldestAborted())
	require.Zero(t, e.locks.Stats().Locks, "locks are free at once")
	for _, iso := range []Isolation{ReadUncommitted, ReadCommitted, RepeatableRead} {
		r := e.begin(iso)
		require.Equal(t, uint64(1), e.mustRead(r.View(), 7))
		e.mustCommit(r)
	}
	o := e.begin(RepeatableRead)
	e.mustChange(o, 7, 3) // restores the row first
	e.mustCommit(o)
	e.sys.stop, e.sys.cancel = context.WithCancel(context.Background())
	e.sys.SetUndoer(e)
	e.sys.Start()
	e.settle()
	require.Equal(t, Committed, e.sys.State(id))
	require.Equal(t, MaxTrxID, e.sys.OldestAborted())
	r := e.begin(ReadUncommitted)
	for i := range slots {
		want := uint64(1)
		if i == 7 {
			want = 3
		}
		require.Equal(t, want, e.mustRead(r.View(), i))
	}
	e.mustCommit(r)
}

func TestPurgeWaitsForTheOldestView(t *testing.T) {
	e := newEnv(t, 256, 0)
	w := e.begin(RepeatableRead)
	e.mustChange(w, 1, 1)
	e.mustCommit(w)
	old := e.begin(RepeatableRead)
	require.Equal(t, uint64(1), e.mustRead(old.View(), 1))
	limit := old.View().snap.limit
	e.purged = func(rec *UndoRecord) {
		if rec.Trx >= limit {
			t.Errorf("change of %d purged under a view of limit %d", rec.Trx, limit)
		}
	}
	for n := range uint64(50) {
		w = e.begin(RepeatableRead)
		e.mustChange(w, 1, 2*n+3)
		require.NoError(t, e.change(w, 2, 1, n%2 == 1))
		e.mustCommit(w)
	}
	require.Equal(t, uint64(1), e.mustRead(old.View(), 1))
	require.GreaterOrEqual(t, e.sys.HistoryLength(), int64(50))
	e.mu.Lock()
	e.purged = nil
	e.mu.Unlock()
	e.mustCommit(old)
	e.settle()
}

func TestPurgeInCommitOrder(t *testing.T) {
	e := newEnv(t, 256, 0)
	old := e.begin(RepeatableRead)
	old.View()
	var last base.TrxID
	var order []base.TrxID
	e.purged = func(rec *UndoRecord) {
		if rec.Type == UndoDeleteMark {
			order = append(order, rec.Trx)
		}
	}
	for range 5 { // several streams, committed in reverse
		var ts []*Trx
		for i := range 6 {
			w := e.begin(RepeatableRead)
			e.mustChange(w, i, 1)
			require.NoError(t, e.change(w, i, 0, true))
			ts = append(ts, w)
		}
		slices.Reverse(ts)
		for _, w := range ts {
			e.mustCommit(w)
		}
	}
	e.mustCommit(old)
	e.settle()
	require.Len(t, order, 30)
	for i, id := range order {
		if i%6 != 0 {
			require.Less(t, id, last)
		}
		last = id
	}
}

func TestLongRecordsAreFragmented(t *testing.T) {
	e := newEnv(t, 256, 0)
	w := e.begin(RepeatableRead)
	var want []UndoRecord
	for _, n := range []int{10, 8000, maxEntry - 30, maxEntry, 16384, 40000, 100000, 3} {
		rec := UndoRecord{Type: UndoUpdate, Table: 77, PrevTrx: 5, PrevPtr: 6, Key: make([]byte, min(n, 3000)), Body: make([]byte, n)}
		for i := range rec.Body {
			rec.Body[i] = byte(i * i >> 3)
		}
		_, err := w.LogUndo(&rec)
		require.NoError(t, err)
		want = append(want, rec)
	}
	var got UndoRecord
	for _, rec := range want {
		require.NoError(t, e.sys.ReadUndo(rec.Ptr, w.ID(), &got))
		require.Equal(t, rec, got)
	}
	require.ErrorIs(t, e.sys.ReadUndo(want[0].Ptr, w.ID()+1, &got), base.ErrNotFound)
	require.ErrorIs(t, e.sys.ReadUndo(want[0].Ptr+1, w.ID(), &got), base.ErrNotFound)
	u := &recorder{}
	e.sys.undoer = u
	require.NoError(t, w.RollbackTo(t.Context(), 2))
	require.NoError(t, e.sys.Rollback(w))
	require.Len(t, u.undone, len(want))
	slices.Reverse(want)
	require.Equal(t, want, u.undone)
	require.ErrorIs(t, e.sys.ReadUndo(want[0].Ptr, want[0].Trx, &got), base.ErrNotFound)
	e.settle()
}

// Parts of a record stand on the pages before it: purge gives none of them back before it has met
// the record.
func TestLongRecordsArePurged(t *testing.T) {
	e := newEnv(t, 256, 0)
	u := &recorder{}
	e.sys.undoer = u
	w := e.begin(RepeatableRead)
	var want []UndoRecord
	for _, n := range []int{10, 40000, 20, 16384, 100000, 3, 8000, 60000} {
		rec := UndoRecord{Type: UndoUpdate, Table: 77, PrevTrx: 5, PrevPtr: 6, Key: []byte("key"), Body: make([]byte, n)}
		for i := range rec.Body {
			rec.Body[i] = byte(i * i >> 3)
		}
		_, err := w.LogUndo(&rec)
		require.NoError(t, err)
		want = append(want, rec)
	}
	require.NoError(t, e.sys.Commit(w, SyncNone))
	e.settle()
	require.Equal(t, want, u.purged)
}

// recorder keeps what it is called with.
type recorder struct{ undone, purged []UndoRecord }

func clone(rec *UndoRecord) UndoRecord {
	r := *rec
	r.Key, r.Body = slices.Clone(rec.Key), slices.Clone(rec.Body)
	return r
}

func (u *recorder) UndoRow(rec *UndoRecord) error {
	u.undone = append(u.undone, clone(rec))
	return nil
}

func (u *recorder) PurgeRow(rec *UndoRecord) error {
	u.purged = append(u.purged, clone(rec))
	return nil
}

func TestUndoPagesAreReused(t *testing.T) {
	e := newEnv(t, 256, 0)
	e.pad = func() int { return 100 }
	for n := range uint64(3000) {
		w := e.begin(RepeatableRead)
		e.mustChange(w, int(n)%slots, 2*n)
		require.NoError(t, e.sys.Commit(w, SyncNone))
		if n%100 == 0 {
			e.settle()
		}
	}
	e.settle()
	used, streams := e.undoPages()
	require.Equal(t, 1, streams)
	require.Equal(t, 4, used)
}

func TestManyStreams(t *testing.T) {
	e := newEnv(t, 2048, 0)
	var open []*Trx
	for i := range dirEntries + 20 { // more than one directory page
		w := e.begin(RepeatableRead)
		_, err := w.LogUndo(&UndoRecord{Type: UndoInsert, Table: 1, Key: []byte{byte(i), byte(i >> 8)}})
		require.NoError(t, err)
		open = append(open, w)
	}
	require.Len(t, e.sys.streams.pages, 2)
	e.sys.Close()
	s2 := &streams{}
	require.NoError(t, s2.open(e.pool))
	require.Equal(t, len(open), len(s2.all))
	for i, st := range s2.all {
		require.Equal(t, *e.sys.streams.all[i], stream{no: st.no, head: st.head, tail: st.tail, seq: 1, buf: e.sys.streams.all[i].buf, purge: e.sys.streams.all[i].purge})
	}
	for _, w := range open {
		e.mustCommit(w)
	}
	require.Equal(t, int64(len(open)), e.sys.HistoryLength())
	require.Equal(t, len(open), len(e.sys.purge.heap))
}

func TestFailedSyncKeepsTheTransactionInvisible(t *testing.T) {
	fs := vfs.NewMem(3)
	e := stoppedEnv(t, fs, 256, 0)
	defer e.close()
	w, other := e.begin(RepeatableRead), e.begin(RepeatableRead)
	e.mustChange(w, 1, 5)
	e.mustChange(other, 2, 6)
	boom := errors.New("boom")
	fs.FailNth(vfs.OpSync, 0, boom)
	require.ErrorIs(t, e.sys.Commit(w, SyncFlush), base.ErrFailed)
	require.True(t, w.Ended())
	require.Equal(t, Aborted, e.sys.State(w.ID()))
	r := e.begin(ReadCommitted)
	require.Zero(t, e.mustRead(r.View(), 1))
	e.mustCommit(r)
	require.ErrorIs(t, e.change(other, 3, 5, false), base.ErrFailed)
	e.sys.undoer = e
	require.ErrorIs(t, e.sys.Rollback(other), base.ErrFailed)
	require.Equal(t, Aborted, e.sys.State(other.ID()))
}

func TestIDsAreReservedAhead(t *testing.T) {
	e := newEnv(t, 256, 0)
	require.Equal(t, base.TrxID(1), e.sys.NextReservedID())
	for range idBatch + 1 {
		id, err := e.begin(RepeatableRead).EnsureID()
		require.NoError(t, err)
		require.Less(t, id, e.sys.NextReservedID())
	}
	require.Equal(t, base.TrxID(1+2*idBatch), e.sys.NextReservedID())
	require.Equal(t, idBatch+1, e.sys.Stats().Active)
}

// TestCheckFindsDamage changes single fields of sound undo pages; the checker must notice each.
func TestCheckFindsDamage(t *testing.T) {
	e := newEnv(t, 256, 0)
	e.pad = func() int { return 2000 }
	e.sys.Close()
	var logs []base.RollPtr
	for n := range 3 {
		w := e.begin(RepeatableRead)
		for i := range 5 + 3*n {
			e.mustChange(w, i, uint64(n+1))
		}
		logs = append(logs, w.log)
		e.mustCommit(w)
	}
	e.check(true)
	st := e.sys.streams.all[0]
	first := base.MakeRollPtr(logs[0].Page(), logs[0].Offset()+logSize)
	for _, damage := range []struct {
		page base.PageNo
		off  int
		b    []byte
	}{
		{st.head, pagePrev, []byte{9}},
		{st.tail, pagePrev, []byte{9}},
		{st.tail, pageStream, []byte{9}},
		{st.tail, pageTop, []byte{1, 1}},
		{st.tail, pageOwner, []byte{1, 1, 1}},
		{st.head, pageFirstLog, []byte{1, 1}},
		{logs[1].Page(), pageLastLog, []byte{1, 1}},
		{logs[1].Page(), int(logs[1].Offset()) + logSeq, []byte{7}},
		{logs[1].Page(), int(logs[1].Offset()) + logState, []byte{stateActive}},
		{logs[1].Page(), int(logs[1].Offset()) + logTrx, []byte{200}},
		{logs[1].Page(), int(logs[1].Offset()) + logNumber, []byte{0}},
		{logs[0].Page(), int(logs[0].Offset()), []byte{1}},
		{first.Page(), int(first.Offset()), []byte{0}},
		{first.Page(), int(first.Offset()) + 2, []byte{9}},
		{first.Page(), int(first.Offset()) + 4, []byte{100}},
	} {
		old := e.overwrite(damage.page, damage.off, damage.b)
		var pages space.PageSet
		require.ErrorIs(t, e.sys.Check(&pages), base.ErrCorrupt, "%+v", damage)
		e.overwrite(damage.page, damage.off, old)
		e.check(true)
	}
}

func (e *env) overwrite(no base.PageNo, off int, b []byte) []byte {
	m := e.pool.Begin()
	defer m.Commit()
	pg, err := m.Pin(undoID(no), buffer.Exclusive)
	require.NoError(e.t, err)
	old := slices.Clone(pg.Data()[off : off+len(b)])
	m.WriteBytes(pg, off, b)
	return old
}
