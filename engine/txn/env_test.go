package txn

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/buffer/buffertest"
	"emberdb/engine/lock"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// The tests' table: fixed slots on pages of a space of its own, changed through real
// mini-transactions. A page's latch stands for a leaf's.
//
//	slot, 32 bytes:  trx u64 | roll pointer u64 | value u64 | flags u8 (1 = there is a row, 2 = delete-marked)
//
// An undo record's key is the slot, its body flags and value of the version before, and padding.
const (
	testSpace  = base.FirstSpace
	slotSize   = 32
	slotPages  = 4
	pageSlots  = 50
	slots      = slotPages * pageSlots
	slotRow    = 1
	slotMarked = 2
	testTree   = base.IndexID(9)
)

type slotRowData struct {
	trx   base.TrxID
	ptr   base.RollPtr
	value uint64
	flags byte
}

func (r slotRowData) live() bool { return r.flags == slotRow }

// seen is the value of a live row, else 0. A marked row may stay for ever here: when its delete was
// purged while a later version, rolled back since, stood over it. The table room takes care of
// that.
func (r slotRowData) seen() uint64 {
	if r.live() {
		return r.value
	}
	return 0
}

func decodeSlot(b []byte) slotRowData {
	return slotRowData{base.TrxID(le.Uint64(b)), base.RollPtr(le.Uint64(b[8:])), le.Uint64(b[16:]), b[24]}
}

func (r slotRowData) encode() []byte {
	b := make([]byte, 25)
	le.PutUint64(b, uint64(r.trx))
	le.PutUint64(b[8:], uint64(r.ptr))
	le.PutUint64(b[16:], r.value)
	b[24] = r.flags
	return b
}

type env struct {
	t      testing.TB
	fs     vfs.FS
	files  *pagefile.Files
	log    *redo.Log
	pool   *buffer.Pool
	locks  *lock.Manager
	sys    *System
	first  base.PageNo // of the slots
	pad    func() int  // bytes of padding of the next undo record
	purged func(rec *UndoRecord)

	mu    sync.Mutex
	calls map[string]int // PurgeRow and UndoRow calls by record
}

func openEnv(t testing.TB, fsys vfs.FS, frames int) (*env, redo.Checkpoint, error) {
	e := &env{t: t, fs: fsys, calls: map[string]int{}, pad: func() int { return 0 }}
	var cp redo.Checkpoint
	var err error
	e.files, e.log, e.pool, cp, err = buffertest.Open(fsys, frames)
	return e, cp, err
}

// openSystem opens the transaction system, still without background work.
func (e *env) openSystem(next base.TrxID, inPlace int) (unfinished int, err error) {
	e.locks = lock.NewManager(lock.Options{DeadlockDetect: true})
	e.sys, err = Open(Options{Pool: e.pool, Log: e.log, Locks: e.locks, NextID: next, RollbackInPlace: inPlace})
	if err != nil {
		return 0, err
	}
	return e.sys.Recover()
}

// create formats both spaces and makes a checkpoint.
func (e *env) create() error {
	for _, s := range []base.SpaceID{base.UndoSpace, testSpace} {
		if err := e.files.Create(s, 8); err != nil {
			return err
		}
		err := space.Create(e.pool, s, 5)
		if err == nil && s == base.UndoSpace {
			err = Create(e.pool)
		}
		if err != nil {
			return err
		}
	}
	for i := range slotPages {
		m := e.pool.Begin()
		fresh, err := space.ReserveAlloc(m, testSpace, 0)
		if err == nil && i == 0 {
			var list space.RootsToken
			if list, err = space.ReserveRoots(m, testSpace, 1); err == nil {
				e.first = fresh.ID().No
				space.SetRoot(m, list, 1, e.first)
			}
		}
		if err == nil {
			space.Alloc(m, &fresh, pagefile.TypeOverflow)
		}
		if _, refused := m.Commit(); err == nil {
			err = refused
		}
		if err != nil {
			return err
		}
	}
	return e.checkpoint(1)
}

func (e *env) checkpoint(next base.TrxID) error {
	lsn, err := buffertest.Flush(e.log, e.pool)
	if err != nil {
		return err
	}
	if e.sys != nil {
		next = e.sys.NextReservedID()
	}
	return e.log.SetCheckpoint(lsn, binary.LittleEndian.AppendUint64(nil, uint64(next)))
}

func (e *env) close() {
	if e.sys != nil {
		e.sys.Close()
	}
	_ = e.pool.Close()
	_ = e.log.Close()
	_ = e.files.Close()
}

// stoppedEnv is the system in a fresh directory, still without background work.
func stoppedEnv(t testing.TB, fsys vfs.FS, frames, inPlace int) *env {
	e, cp, err := openEnv(t, fsys, frames)
	require.NoError(t, err)
	require.NoError(t, e.log.StartAt(cp.LSN))
	require.NoError(t, e.create())
	n, err := e.openSystem(1, inPlace)
	require.NoError(t, err)
	require.Zero(t, n)
	return e
}

// newEnv is a fresh, running environment in memory.
func newEnv(t testing.TB, frames, inPlace int) *env {
	e := stoppedEnv(t, vfs.NewMem(1), frames, inPlace)
	t.Cleanup(e.close)
	e.sys.SetUndoer(e)
	e.sys.Start()
	buffertest.Checkpoints(t, func() { _ = e.checkpoint(0) })
	return e
}

// reopen brings a directory back after a crash, up to and with Recover, and returns the number of
// unfinished transactions.
func reopen(t testing.TB, fsys vfs.FS, frames, inPlace int) (*env, int) {
	e, cp, err := openEnv(t, fsys, frames)
	require.NoError(t, err)
	require.Len(t, cp.Blob, 8)
	next := base.TrxID(le.Uint64(cp.Blob))
	buffertest.Replay(t, e.files, e.log, cp.LSN, func(rec redo.Record) {
		if rec.Op == redo.OpTrxIDReserve {
			id, err := DecodeReserve(rec.Body)
			require.NoError(t, err)
			next = max(next, id)
		}
	})
	m := e.pool.BeginRead()
	e.first, err = space.Root(m, testSpace, 1)
	m.Commit()
	require.NoError(t, err)
	n, err := e.openSystem(next, inPlace)
	require.NoError(t, err)
	return e, n
}

// slot latches the page of a slot.
func (e *env) slot(m *buffer.Mtr, i int, mode buffer.Mode) (pg buffer.Page, off int, err error) {
	pg, err = m.Pin(base.PageID{Space: testSpace, No: e.first + base.PageNo(i/pageSlots)}, mode)
	return pg, 64 + i%pageSlots*slotSize, err
}

// change writes a row: flags 0 with an old row marks it deleted. The caller has the row to itself.
func (e *env) change(t *Trx, i int, value uint64, remove bool) error {
	for {
		aborted, err := e.tryChange(t, i, value, remove)
		if aborted.trx == 0 || err != nil {
			return err
		}
		if err := e.restore(aborted); err != nil {
			return err
		}
	}
}

// tryChange is change, but returns the version of an aborted transaction that is to be restored
// first.
func (e *env) tryChange(t *Trx, i int, value uint64, remove bool) (aborted slotRowData, err error) {
	m := e.pool.Begin()
	defer m.Commit()
	pg, off, err := e.slot(m, i, buffer.Exclusive)
	if err != nil {
		return aborted, err
	}
	old := decodeSlot(pg.Data()[off:])
	if old.trx != t.ID() && old.trx != 0 {
		switch e.sys.State(old.trx) {
		case Aborted:
			return old, nil
		case Active:
			e.t.Errorf("transaction %d changes row %d of active transaction %d", t.ID(), i, old.trx)
		}
	}
	rec := UndoRecord{Table: 5, Key: le.AppendUint32(nil, uint32(i)), PrevTrx: old.trx, PrevPtr: old.ptr}
	rec.Body = append([]byte{old.flags}, le.AppendUint64(nil, old.value)...)
	rec.Body = append(rec.Body, make([]byte, e.pad())...)
	flags := byte(slotRow)
	switch {
	case remove:
		rec.Type, flags = UndoDeleteMark, slotRow|slotMarked
	case old.flags == 0:
		rec.Type = UndoInsert
	case old.flags&slotMarked != 0:
		rec.Type = UndoRevive
	default:
		rec.Type, rec.NoPurge = UndoUpdate, value%2 == 0
	}
	ptr, err := t.LogUndo(&rec)
	if err != nil {
		return aborted, err
	}
	if remove {
		value = old.value
	}
	m.WriteBytes(pg, off, slotRowData{t.ID(), ptr, value, flags}.encode())
	return aborted, nil
}

// restore takes back the version r, which an aborted transaction made.
func (e *env) restore(r slotRowData) error {
	var rec UndoRecord
	err := e.sys.ReadUndo(r.ptr, r.trx, &rec)
	if errors.Is(err, base.ErrNotFound) {
		return nil // somebody was faster
	}
	if err != nil {
		return err
	}
	return e.UndoRow(&rec)
}

func (e *env) current(i int) (slotRowData, error) {
	m := e.pool.BeginRead()
	defer m.Commit()
	pg, off, err := e.slot(m, i, buffer.Shared)
	if err != nil {
		return slotRowData{}, err
	}
	return decodeSlot(pg.Data()[off:]), nil
}

// read returns the version v sees; value 0: no row.
func (e *env) read(v *ReadView, i int) (uint64, error) {
	m := e.pool.BeginRead()
	defer m.Commit()
	pg, off, err := e.slot(m, i, buffer.Shared)
	if err != nil {
		return 0, err
	}
	r := decodeSlot(pg.Data()[off:])
	var rec UndoRecord
	for r.trx != 0 && !v.Sees(r.trx) {
		if err := e.sys.ReadUndo(r.ptr, r.trx, &rec); err != nil {
			return 0, fmt.Errorf("version of row %d by %d: %w", i, r.trx, err)
		}
		if key := int(le.Uint32(rec.Key)); key != i || rec.Table != 5 {
			return 0, fmt.Errorf("undo record of row %d belongs to row %d", i, key)
		}
		r = slotRowData{rec.PrevTrx, rec.PrevPtr, le.Uint64(rec.Body[1:]), rec.Body[0]}
	}
	if !r.live() {
		return 0, nil
	}
	return r.value, nil
}

func (e *env) count(what string, rec *UndoRecord) {
	e.mu.Lock()
	e.calls[fmt.Sprintf("%s %d/%d", what, rec.Trx, rec.No)]++
	e.mu.Unlock()
}

// UndoRow is the table room's.
func (e *env) UndoRow(rec *UndoRecord) error {
	e.count("undo", rec)
	m := e.pool.Begin()
	defer m.Commit()
	pg, off, err := e.slot(m, int(le.Uint32(rec.Key)), buffer.Exclusive)
	if err != nil {
		return err
	}
	if r := decodeSlot(pg.Data()[off:]); r.trx == rec.Trx && r.ptr == rec.Ptr {
		m.WriteBytes(pg, off, slotRowData{rec.PrevTrx, rec.PrevPtr, le.Uint64(rec.Body[1:]), rec.Body[0]}.encode())
	}
	return nil
}

// PurgeRow is the table room's.
func (e *env) PurgeRow(rec *UndoRecord) error {
	e.count("purge", rec)
	if rec.NoPurge || rec.Type == UndoInsert {
		e.t.Errorf("record %d of %d must not come to purge", rec.No, rec.Trx)
	}
	if e.purged != nil {
		e.purged(rec)
	}
	if rec.Type != UndoDeleteMark {
		return nil
	}
	m := e.pool.Begin()
	defer m.Commit()
	pg, off, err := e.slot(m, int(le.Uint32(rec.Key)), buffer.Exclusive)
	if err != nil {
		return err
	}
	if r := decodeSlot(pg.Data()[off:]); r.trx == rec.Trx && r.ptr == rec.Ptr {
		m.WriteBytes(pg, off, slotRowData{}.encode())
	}
	return nil
}

// check verifies the undo space. quiet: nobody else is at work, so the map must agree too.
func (e *env) check(quiet bool) {
	e.t.Helper()
	var pages space.PageSet
	require.NoError(e.t, e.sys.Check(&pages))
	if quiet {
		require.NoError(e.t, space.Check(e.pool, base.UndoSpace, &pages))
	}
}

// settle waits until nothing is left to clean and purge.
func (e *env) settle() {
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	require.NoError(e.t, e.sys.WaitCleaned(ctx))
	testkit.Eventually(e.t, func() bool { return e.sys.HistoryLength() == 0 })
	testkit.Eventually(e.t, func() bool { // the last pages are freed behind the last log
		used, streams := e.undoPages()
		return used == 2+1+streams // header, bitmap, directory, a page a stream
	}, "undo pages are left over")
	e.check(true)
}

func (e *env) undoPages() (used, streams int) {
	m := e.pool.BeginRead()
	defer m.Commit()
	st, err := space.Usage(m, base.UndoSpace)
	require.NoError(e.t, err)
	return int(st.Used), e.sys.streams.count()
}

func newRand(t testing.TB) *rand.Rand {
	seed := testkit.Seed(t)
	return rand.New(rand.NewPCG(seed, 0))
}

// watch looks at the view of one transaction after another until done is closed.
func (e *env) watch(done <-chan struct{}, look func(*ReadView)) {
	for {
		select {
		case <-done:
			return
		default:
		}
		trx := e.sys.Begin(RepeatableRead, true)
		look(trx.View())
		if err := e.sys.Commit(trx, SyncNone); err != nil {
			e.t.Errorf("commit: %v", err)
		}
	}
}
