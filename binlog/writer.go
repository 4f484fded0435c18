package binlog

// The writer: one goroutine that brings units from memory into the files, and syncs them now and
// then.
//
//	take the units redo has made durable -> write neighbours at once -> move the readers' limit ->
//	sync if asked or much has gathered

import (
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
	"emberdb/internal/vfs"
)

// syncAfter is how much gathers before the writer syncs on its own, so that no checkpoint finds a
// gigabyte to sync.
const syncAfter = 16 << 20

// linger is how long the writer lets units gather when nobody follows the log: each write costs the
// commits processor time, and all are durable. It ends when lingerBytes have gathered. As much goes
// past the page cache (Options.DirectAfter), which would cost a copy into memory that nobody has
// touched, and a second pass when the kernel writes it out.
const (
	linger      = 100 * time.Millisecond
	lingerBytes = 256 << 10
)

// follow makes the writer linger no more, until unfollow.
func (l *Log) follow() {
	l.followers.Add(1)
	l.press()
}

func (l *Log) unfollow() { l.followers.Add(-1) }

// press ends the present or the next linger: somebody waits for the files.
func (l *Log) press() {
	select {
	case l.pressed <- struct{}{}:
	default:
	}
}

// writer is the file the log ends in.
type writer struct {
	mu       invariants.Mutex[invariants.BinlogWriter]
	file     vfs.File
	direct   vfs.File // the same past the page cache; nil until first needed
	no       uint32
	at, off  int64 // end of what is in the file, and of what is held behind it, see blocks.go
	unsynced int64
	taken    []queued
	bufs     [][]byte // pieces for the file's end
	block    []byte   // aligned
	known    bool     // block begins with the bytes of the file's last block
	vec      [][]byte
}

// run is the writer's goroutine.
func (l *Log) run() {
	defer close(l.done)
	lingered := time.NewTimer(linger)
	defer lingered.Stop()
	for range l.work {
		for {
			l.mu.Lock()
			w := &l.w
			w.taken, l.mu.ready = l.mu.ready, w.taken[:0]
			want, synced, held, closing, failed := l.mu.wantSync, l.mu.syncedLSN, l.mu.held, l.mu.closing, l.Err() != nil
			l.mu.Unlock()
			if failed {
				if closing {
					return
				}
				break
			}
			if len(w.taken) == 0 && !held && want <= synced {
				if closing {
					return
				}
				break
			}
			wrote := len(w.taken) > 0
			err := l.round(want)
			if noRoom(err) && l.isClosing() {
				return // what is not in the file is in redo
			}
			if err != nil {
				_ = l.fail(err)
			}
			if wrote && !closing && l.followers.Load() == 0 {
				lingered.Reset(linger)
				select {
				case <-lingered.C:
				case <-l.pressed:
				}
			}
		}
	}
}

// round writes the units taken and syncs if there is reason to.
func (l *Log) round(want base.LSN) error {
	w := &l.w
	w.mu.Lock()
	defer w.mu.Unlock()
	size, lsn := int64(0), base.LSN(0)
	for i := range w.taken {
		q := &w.taken[i]
		if err := l.writePiece(&q.piece); err != nil {
			return err
		}
		size, lsn = size+int64(len(q.data)), q.lsn
	}
	if err := l.flushPieces(); err != nil {
		return err
	}
	if size < l.o.DirectAfter || l.followers.Load() > 0 {
		if err := l.writeHeld(); err != nil {
			return err
		}
	}
	l.mu.Lock()
	switch l.mu.held = w.at < w.off; {
	case !l.mu.held:
		l.mu.written = Position{w.no, w.at}
	case l.mu.written.File != w.no:
		l.mu.written = Position{w.no, 0}
	}
	l.mu.queued -= size
	if l.halts.Load() {
		l.haltLocked()
	}
	done := max(lsn, l.mu.syncedLSN)
	needSync := l.mu.wantSync > l.mu.syncedLSN
	want = max(want, l.mu.wantSync)
	// A unit below want that became durable after this round took its units waits for the next
	// round.
	if len(l.mu.ready) > 0 && l.mu.ready[0].since <= want {
		needSync = false
	}
	l.wakeLocked()
	l.mu.Unlock()
	l.stats.bytes.Add(size)
	l.letGoAll(w.taken)
	clear(w.taken)
	w.taken = w.taken[:0]
	if !needSync && w.unsynced < syncAfter {
		return nil
	}
	if err := l.syncFile(); err != nil {
		return err
	}
	if needSync {
		done = max(done, want)
	}
	l.mu.Lock()
	l.mu.syncedLSN = max(l.mu.syncedLSN, done)
	l.mu.synced = Position{w.no, w.at}
	l.idle.Broadcast()
	l.mu.Unlock()
	return nil
}

// writePiece gathers a piece, or writes what was gathered and turns to the piece's file.
func (l *Log) writePiece(p *piece) error {
	w := &l.w
	p.placed()
	if p.file == w.no && p.adopt == "" {
		w.bufs = append(w.bufs, p.data)
		return nil
	}
	if err := l.flushPieces(); err != nil {
		return err
	}
	if err := l.closeFile(); err != nil {
		return err
	}
	if p.adopt != "" {
		return l.adopt(p)
	}
	if err := l.createFile(p.file); err != nil {
		return err
	}
	w.bufs = append(w.bufs, p.data)
	return nil
}

func (l *Log) isClosing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.closing
}

func (l *Log) syncFile() error {
	w := &l.w
	if err := l.writeHeld(); err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	if w.unsynced == 0 {
		return nil
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	w.unsynced = 0
	l.stats.syncs.Add(1)
	return nil
}

// closeFile syncs and closes the file.
func (l *Log) closeFile() error {
	w := &l.w
	if w.file == nil {
		return nil
	}
	if err := l.syncFile(); err != nil {
		return err
	}
	err := w.file.Close()
	if w.direct != nil {
		err = errors.Join(err, w.direct.Close())
	}
	w.file, w.direct = nil, nil
	return err
}

// createFile makes an empty file the newest one.
func (l *Log) createFile(no uint32) (err error) {
	var f vfs.File
	if err = l.untilRoom(func() error {
		f, err = l.fs.Open(l.path(no), vfs.Options{Create: true, Truncate: true})
		return err
	}); err != nil {
		return err
	}
	return l.turnTo(f, no, 0)
}

// turnTo makes f the file the writer writes to and names it in the index. REQUIRES: writer.mu held.
func (l *Log) turnTo(f vfs.File, no uint32, off int64) error {
	if err := l.setFile(f, no, off); err != nil {
		return err
	}
	return l.untilRoom(func() error { return l.enterIndex(no) })
}

func (l *Log) setFile(f vfs.File, no uint32, off int64) error {
	l.w.file, l.w.no, l.w.at, l.w.off, l.w.unsynced, l.w.known = f, no, off, off, 0, false
	l.stats.rotations.Add(1)
	return l.fs.SyncDir(l.o.Dir)
}

// enterIndex names the newest file in the index.
func (l *Log) enterIndex(no uint32) error {
	l.fileMu.Lock()
	defer l.fileMu.Unlock()
	if l.first == 0 {
		l.first = no
	}
	l.last = no
	return l.writeIndexLocked()
}

// adopt makes a cache file the newest file of the log. A crash in between is completed by recovery
// from the same record.
func (l *Log) adopt(p *piece) (err error) {
	var f vfs.File
	if err = l.untilRoom(func() error {
		f, err = adoptFile(l.fs, l.o.Dir, p.adopt, l.path(p.file), p.data)
		return err
	}); err != nil {
		return err
	}
	return l.turnTo(f, p.file, p.size)
}

// adoptFile fills in the head of a cache file and gives it its name among the binlog files.
func adoptFile(fs vfs.FS, dir, from, to string, head []byte) (vfs.File, error) {
	f, err := fs.Open(from, vfs.Options{})
	if err != nil {
		return nil, err
	}
	if _, err = f.WriteAt(head, 0); err == nil {
		err = f.SyncAll()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = fs.Rename(from, to)
	}
	if err == nil {
		err = fs.SyncDir(dir)
	}
	if err == nil {
		err = fs.SyncDir(path.Dir(from))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return fs.Open(to, vfs.Options{})
}

// passThrough returns when whoever held the mutex at the call has released it.
func passThrough(mu sync.Locker) {
	mu.Lock()
	defer mu.Unlock()
}

// SyncTo brings all units whose records end at or below lsn into synced files and returns the state
// a checkpoint at lsn stores; base.ErrDiskFull while the disk has no room for them.
// REQUIRES: redo is durable up to lsn, and will be up to State.LSN before the state is stored.
func (l *Log) SyncTo(lsn base.LSN) (*State, error) {
	passThrough(&l.orderMu) // a unit below lsn is in redo already: wait for its Placed
	passThrough(&l.w.mu)    // a purge below lsn may still be at its files
	l.Durable(lsn)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.wantSync = max(l.mu.wantSync, lsn)
	l.poke()
	l.press()
	for l.mu.syncedLSN < lsn && l.haltedLocked() == nil {
		l.idle.Wait()
	}
	if err := l.Err(); err != nil {
		return nil, err
	}
	if l.mu.syncedLSN < lsn {
		return nil, l.mu.full
	}
	return l.stateLocked(), nil
}

func (l *Log) stateLocked() *State {
	return &State{File: l.mu.synced.File, Offset: l.mu.synced.Offset, Resets: l.mu.resets, Executed: l.mu.executed.Clone(), Purged: l.mu.purged.Clone(),
		LSN: l.mu.executedLSN}
}

// Close ends the log: a Stop event, then everything durable, in its file and synced. It returns the
// state for the last checkpoint.
// REQUIRES: no Order is out and none follows.
func (l *Log) Close() (*State, error) {
	err := l.appendUnit(func(u *unit) {
		stop := l.placed(AppendStop(nil, l.head()), l.end)
		u.pieces = append(u.pieces, piece{file: l.file, off: l.end, data: stop})
		l.end += int64(len(stop))
	})
	var state *State
	if err == nil {
		l.mu.Lock()
		lsn := l.mu.durable
		l.mu.Unlock()
		state, err = l.SyncTo(lsn)
	}
	l.mu.Lock()
	l.mu.closing = true
	l.wakeLocked()
	l.mu.Unlock()
	l.poke()
	l.press()
	<-l.done
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	if err != nil {
		if l.w.file != nil {
			l.w.file.Close()
		}
		return nil, err
	}
	return state, l.closeFile()
}

// appendUnit logs a unit that is no transaction and waits until it is in its file.
func (l *Log) appendUnit(build func(u *unit)) error {
	l.orderMu.Lock()
	lsn, pos, err := l.appendUnitLocked(build)
	l.orderMu.Unlock()
	if err == nil {
		err = l.redo.FlushTo(lsn)
	}
	if err != nil {
		return err
	}
	l.Durable(lsn)
	return l.waitWritten(pos)
}

// appendUnitLocked logs a unit. REQUIRES: orderMu held.
func (l *Log) appendUnitLocked(build func(u *unit)) (base.LSN, Position, error) {
	if err := l.Err(); err != nil {
		return 0, Position{}, err
	}
	u := new(unit)
	undo := l.stand()
	build(u)
	lsn, err := l.redo.Append(bodies(u.pieces)...)
	if err != nil {
		l.goBack(undo)
		return 0, Position{}, err
	}
	l.enqueue(u, lsn)
	return lsn, Position{l.file, l.end}, nil
}

// maxUnitRecord keeps the records of units with big sets within a redo group.
const maxUnitRecord = 1 << 20

// waitWritten waits until readers can see the log up to pos.
func (l *Log) waitWritten(pos Position) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.mu.written.Compare(pos) < 0 && l.haltedLocked() == nil {
		l.press()
		l.idle.Wait()
	}
	if l.mu.written.Compare(pos) < 0 {
		return l.haltedLocked()
	}
	return l.Err()
}

// Rotate begins a new file: FLUSH BINARY LOGS.
func (l *Log) Rotate() error {
	if l.atLastFile() {
		return fmt.Errorf("binary log: file numbers are used up at %s", l.Name(maxFile))
	}
	if err := l.proveRoom(); err != nil {
		return err
	}
	return l.appendUnit(func(u *unit) { l.placeRotate(u) })
}

func (l *Log) atLastFile() bool {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	return l.file == maxFile
}
