package binlog

// Open: how the log finds itself again.
//
//	state   index     newest file       what is done
//	none    none      -                 a new log begins with file 1
//	none    listed    -                 an older life's files stay; the log goes on behind the last (GTID sets begin empty)
//	file N  lists N   N as long as it   redo's records are written where they say, what stands behind is cut off, later files are removed
//	file N  missing   N there           logged; the names in the folder make the index
//	file N  corrupt   -                 *base.CorruptError
//	file N  any       missing, shorter  *base.CorruptError: bytes a checkpoint relied on are gone
//	file N  any       foreign bytes     *base.CorruptError
//
// Then a new file is begun: it is complete and in the index, then redo knows it, then State may. A crash before redo does leaves a file behind that
// the next start removes.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Recovery is a log between Open and Finish.
type Recovery struct {
	fs          vfs.FS
	o           Options
	first, last uint32 // of the index
	whole       uint32 // files before this one are complete and synced: they were when it entered the index
	state       *State
	file        vfs.File
	no          uint32 // file the log ends in; 0: none
	end         int64  // behind the last whole unit
	reached     Position
	executed    *Set
	purged      *Set
	unit        Position // where the open file is written to
	open        bool     // a unit has begun
	parts       []record // its records
	changed     map[uint32]bool
	stale       [][2]uint32 // files before a reset
	resets      uint64      // as far as recovery has come
	target      uint64      // as the folder knows
	// damage is the first file that could not be written to, damageFile the newest. A purge behind in redo may tell why it is gone; otherwise
	// Finish fails.
	damage     error
	damageFile uint32
}

// Open begins recovery. state is what the checkpoint kept; nil if there is none. It opens no binlog file.
func Open(fsys vfs.FS, o Options, state *State) (*Recovery, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	if err := fsys.MkdirAll(path.Join(o.Dir, spillDir)); err != nil {
		return nil, err
	}
	r := &Recovery{fs: fsys, o: o, state: state, executed: new(Set), purged: new(Set), changed: map[uint32]bool{}}
	var err error
	r.first, r.last, err = readIndex(fsys, &o)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		err = r.findFiles()
	}
	if err != nil {
		return nil, fmt.Errorf("binary log: %w", err)
	}
	if r.target, err = readResets(fsys, &o); err != nil {
		return nil, fmt.Errorf("binary log: %w", err)
	}
	if r.resets = r.target; state == nil {
		return r, nil
	}
	r.resets = state.Resets
	if state.Executed != nil {
		r.executed = state.Executed.Clone()
	}
	if state.Purged != nil {
		r.purged = state.Purged.Clone()
	}
	r.no, r.end = state.File, state.Offset
	if !made {
		r.whole = r.last
	}
	r.reached = Position{r.no, r.end}
	return r, nil
}

// findFiles makes up for a missing index: the run of names in the folder that ends with the highest number.
func (r *Recovery) findFiles() error {
	names, err := r.fs.List(r.o.Dir)
	if err != nil {
		return err
	}
	var numbers []uint32
	for _, name := range names {
		if n, ok := parseName(r.o.Base, name); ok {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	slices.Sort(numbers)
	r.last = numbers[len(numbers)-1]
	r.first = r.last
	for i := len(numbers) - 2; i >= 0 && numbers[i] == r.first-1; i-- {
		r.first = numbers[i]
	}
	r.o.Logger.Warn("the index of the binary logs is missing; it is made from the files", "index", indexPath(&r.o),
		"first", fileName(r.o.Base, r.first), "last", fileName(r.o.Base, r.last))
	return nil
}

func (r *Recovery) path(n uint32) string { return path.Join(r.o.Dir, fileName(r.o.Base, n)) }

// Apply takes the body of a record the log wrote into redo, in redo's order, from the checkpoint on.
func (r *Recovery) Apply(body []byte) error {
	rec, err := parseRecord(body)
	if err != nil {
		return &base.CorruptError{File: "redo", Detail: err.Error()}
	}
	if rec.kind == recordReset {
		return r.reset(&rec)
	}
	if r.resets < r.target {
		return nil // of files that a reset has replaced
	}
	if rec.kind == recordPurge {
		r.purged = rec.purged
		r.executed.Union(rec.executed)
		r.drop(rec.file, uint32(rec.off))
		return nil
	}
	if rec.flags&unitFirst != 0 {
		r.open, r.parts = true, r.parts[:0]
	}
	if !r.open {
		return nil // the rest of a unit that began before the checkpoint: in its file already
	}
	rec.data = bytes.Clone(rec.data)
	r.parts = append(r.parts, rec)
	if rec.flags&unitLast == 0 {
		return nil
	}
	r.open = false
	return r.applyUnit()
}

// applyUnit takes a whole unit. Until its last record it was kept in memory: the files of a unit that never ended may bear other events now.
func (r *Recovery) applyUnit() error {
	for i := range r.parts {
		rec := &r.parts[i]
		if rec.kind == recordAdopt {
			r.noteHead(rec.data)
		} else if i == 0 {
			r.note(rec.data)
		}
		if rec.file < max(r.first, 1) {
			continue // purged since
		}
		if rec.file < r.whole {
			r.no, r.end = rec.file, rec.end()
			continue
		}
		err := r.write(rec)
		switch {
		case errors.Is(err, base.ErrCorrupt):
			if r.damage == nil {
				r.damage = err
			}
			r.damageFile = max(r.damageFile, rec.file)
			r.unit = Position{rec.file, rec.end()}
		case err != nil:
			return err
		}
		r.no, r.end = rec.file, rec.end()
	}
	clear(r.parts)
	return nil
}

// write puts the bytes of a record where they belong.
func (r *Recovery) write(rec *record) error {
	if rec.kind == recordAdopt {
		return r.adopt(rec)
	}
	if err := r.turnTo(rec.file, rec.off == 0); err != nil {
		return err
	}
	size, err := r.file.Size()
	if err != nil {
		return err
	}
	if size < rec.off {
		return &base.CorruptError{File: r.path(rec.file), Offset: size, Detail: fmt.Sprintf("the file ends here, redo goes on at %d: bytes are missing", rec.off)}
	}
	if _, err := r.file.WriteAt(rec.data, rec.off); err != nil {
		return err
	}
	r.unit = Position{rec.file, rec.off + int64(len(rec.data))}
	return nil
}

// note counts the GTID of the event at the start of b as executed.
func (r *Recovery) note(b []byte) {
	if len(b) < headerSize || EventType(b[4]) != EventGTID {
		return
	}
	if g, ok := parseGTID(b[headerSize:]); ok {
		r.executed.Add(g)
	}
}

// turnTo makes a file the open one. The one before is complete: it is cut to where the unit that leaves it ends.
func (r *Recovery) turnTo(n uint32, create bool) error {
	if r.file != nil && r.fileNo() == n {
		return nil
	}
	if err := r.leave(); err != nil {
		return err
	}
	f, err := r.fs.Open(r.path(n), vfs.Options{Create: create})
	if errors.Is(err, fs.ErrNotExist) {
		return &base.CorruptError{File: r.path(n), Detail: "the file is missing, and redo goes on in the middle of it"}
	}
	if err != nil {
		return err
	}
	r.file, r.unit = f, Position{n, 0}
	r.know(n)
	return nil
}

// know notes a file that redo names.
func (r *Recovery) know(n uint32) {
	r.last, r.changed[n] = max(r.last, n), true
	if r.first == 0 {
		r.first = n
	}
}

func (r *Recovery) fileNo() uint32 { return r.unit.File }

// leave completes the open file.
func (r *Recovery) leave() error {
	if r.file == nil {
		return nil
	}
	err := cut(r.file, r.unit.Offset)
	if closeErr := r.file.Close(); err == nil {
		err = closeErr
	}
	r.file = nil
	return err
}

// cut ends a file at size and syncs it.
func cut(f vfs.File, size int64) error {
	now, err := f.Size()
	if err == nil && now > size {
		err = f.Truncate(size)
	}
	if err == nil {
		err = f.SyncAll()
	}
	return err
}

// adopt completes the making of a file from a cache file.
func (r *Recovery) adopt(rec *record) error {
	if err := r.leave(); err != nil {
		return err
	}
	to := r.path(rec.file)
	if _, err := r.fs.Stat(rec.name); err == nil {
		f, err := adoptFile(r.fs, r.o.Dir, rec.name, to, rec.data)
		if err != nil {
			return err
		}
		r.file = f
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if r.file == nil {
		f, err := r.fs.Open(to, vfs.Options{})
		if errors.Is(err, fs.ErrNotExist) {
			return &base.CorruptError{File: to, Detail: "the file of a large transaction is missing, and its cache file " + rec.name + " as well"}
		}
		if err != nil {
			return err
		}
		r.file = f
	}
	r.unit = Position{rec.file, rec.off}
	size, err := r.file.Size()
	if err == nil && size < rec.off {
		err = &base.CorruptError{File: to, Offset: size, Detail: fmt.Sprintf("the file of a large transaction ends before %d", rec.off)}
	}
	if err == nil {
		_, err = r.file.WriteAt(rec.data, 0)
	}
	r.know(rec.file)
	return err
}

// noteHead finds the Gtid event at the end of the head of a large transaction's file.
func (r *Recovery) noteHead(head []byte) {
	for b := head[min(len(head), len(magic)):]; len(b) >= headerSize; {
		n := eventLength(b)
		if n < headerSize || n > len(b) {
			return
		}
		r.note(b[:n])
		b = b[n:]
	}
}

// drop completes a purge: the index may know of it and the folder not.
func (r *Recovery) drop(first, removed uint32) {
	for n := first - removed; n < first; n++ {
		if err := r.fs.Remove(r.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.o.Logger.Warn("a purged binary log cannot be removed", "file", r.path(n), "error", err)
		}
	}
	if r.first > 0 {
		r.first = max(r.first, first)
	}
	if r.damageFile < first {
		r.damage, r.damageFile = nil, 0
	}
}

// reset forgets everything; the head of the next file follows in redo. Files that bear the old names stay until Finish: some may be the new ones,
// and that of a large transaction cannot be made twice.
func (r *Recovery) reset(rec *record) error {
	if r.file != nil {
		r.file.Close()
		r.file = nil
	}
	if r.resets++; r.resets > r.target {
		if err := writeResets(r.fs, &r.o, r.resets); err != nil {
			return err
		}
		r.target = r.resets
	}
	r.stale = append(r.stale, rec.gone, [2]uint32{r.first, r.last})
	r.first, r.last, r.whole, r.no, r.end, r.open = 0, 0, 0, 0, 0, false
	r.reached, r.unit = Position{}, Position{}
	r.executed, r.purged = new(Set), new(Set)
	r.damage, r.damageFile = nil, 0
	clear(r.changed)
	return nil
}

// removeStale removes the files that resets left over.
func (r *Recovery) removeStale() error {
	for _, gone := range r.stale {
		for n := gone[0]; n > 0 && n <= gone[1]; n++ {
			if n >= r.first && n <= r.last {
				continue
			}
			if err := removeFiles(r.fs, &r.o, n, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// Executed is the executed set as far as recovery has come.
func (r *Recovery) Executed() *Set { return r.executed }

// Finish cuts and checks the newest file, mends the index, begins a new file and starts the log. If there was no state, the caller takes a
// checkpoint before the first Order: without a state nothing tells an unfinished file from an older life's.
func (r *Recovery) Finish(redo Redo) (*Log, error) {
	if err := r.finish(); err != nil {
		if r.file != nil {
			r.file.Close()
		}
		return nil, fmt.Errorf("binary log: %w", err)
	}
	if r.last >= maxFile {
		return nil, fmt.Errorf("binary log: file numbers are used up at %s", r.path(r.last))
	}
	l := &Log{fs: r.fs, o: r.o, redo: redo, cacheSize: r.o.CacheSize, maxCache: r.o.MaxCacheSize, first: r.first, last: r.last,
		readers: map[uint32]int{}, heads: map[uint32]fileHead{}, taken: r.executed.Clone(), anonymous: r.o.Anonymous, work: make(chan struct{}, 1), done: make(chan struct{})}
	l.maxSize.Store(r.o.MaxSize)
	l.serverID.Store(r.o.ServerID)
	l.noSums.Store(r.o.NoChecksum)
	l.mu.executed, l.mu.purged, l.mu.resets, l.mu.wake = r.executed, r.purged, r.resets, make(chan struct{})
	l.idle = sync.NewCond(&l.mu)
	if err := l.begin(); err != nil {
		return nil, fmt.Errorf("binary log: %w", err)
	}
	go l.run()
	return l, nil
}

func (r *Recovery) finish() error {
	if r.damage != nil {
		return r.damage
	}
	if r.no == 0 {
		// No file is known. Those of the index, if any, are an older life's.
		if r.file != nil {
			if err := r.leave(); err != nil {
				return err
			}
		}
		return r.cleanCaches()
	}
	if (Position{r.no, r.end}).Compare(r.reached) < 0 {
		return &base.CorruptError{File: "redo", Detail: fmt.Sprintf("redo ends with %s at %d, the checkpoint knew of %s at %d",
			fileName(r.o.Base, r.no), r.end, fileName(r.o.Base, r.reached.File), r.reached.Offset)}
	}
	if err := r.checkNewest(); err != nil {
		return err
	}
	if r.first == 0 || r.first > r.no {
		r.first = r.no
	}
	// A file gets its name before it enters the index.
	if err := removeFiles(r.fs, &r.o, r.no+1, r.last+1); err != nil {
		return err
	}
	if r.last > r.no {
		r.o.Logger.Info("binary logs without a whole event removed", "first", fileName(r.o.Base, r.no+1), "last", fileName(r.o.Base, r.last))
	}
	r.last = r.no
	if err := r.removeStale(); err != nil {
		return err
	}
	return r.cleanCaches()
}

// checkNewest cuts the file the log ends in and checks that it is ours.
func (r *Recovery) checkNewest() error {
	name := r.path(r.no)
	if r.file != nil && r.fileNo() != r.no {
		r.file.Close() // of a unit that never ended
		r.file = nil
	}
	if r.file == nil {
		f, err := r.fs.Open(name, vfs.Options{})
		if errors.Is(err, fs.ErrNotExist) {
			return &base.CorruptError{File: name, Detail: "the newest binary log is missing"}
		}
		if err != nil {
			return err
		}
		r.file = f
	}
	size, err := r.file.Size()
	if err != nil {
		return err
	}
	if size < r.end {
		return &base.CorruptError{File: name, Offset: size, Detail: fmt.Sprintf("the file ends here, but events up to %d were written", r.end)}
	}
	if size > r.end || r.changed[r.no] {
		r.o.Logger.Info("binary log completed after a crash", "file", name, "size", r.end, "cut", size-r.end)
		if err := cut(r.file, r.end); err != nil {
			return err
		}
	}
	err = r.file.Close()
	r.file = nil
	if err != nil {
		return err
	}
	f, err := OpenFile(r.fs, name)
	if err != nil {
		return err
	}
	return f.Close()
}

// cleanCaches removes the cache files of an earlier life.
func (r *Recovery) cleanCaches() error {
	dir := path.Join(r.o.Dir, spillDir)
	names, err := r.fs.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == path.Base(resetsPath(&r.o)) {
			continue
		}
		if err := r.fs.Remove(path.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// begin makes the first file of this life. It gets its name when it is complete and synced, then it enters the index.
func (l *Log) begin() error {
	next := l.last + 1
	l.bare = l.noSums.Load()
	head := l.appendHead(nil, l.taken, l.seconds(), l.bare)
	name := path.Join(l.spillPath(), "new")
	if err := vfs.WriteFile(l.fs, name, head); err != nil {
		return err
	}
	if err := l.fs.Rename(name, l.path(next)); err != nil {
		return err
	}
	f, err := l.fs.Open(l.path(next), vfs.Options{})
	if err != nil {
		return err
	}
	if err := l.turnTo(f, next, int64(len(head))); err != nil {
		f.Close()
		return err
	}
	l.spillPrefix = fmt.Sprintf("%x-%06d", l.mu.resets, next)
	l.file, l.end = next, int64(len(head))
	l.mu.written = Position{next, l.end}
	l.mu.synced = l.mu.written
	// A checkpoint that knows this file may stand before records that name the one before.
	var bodies [][]byte
	for h, data := range records([]piece{{file: next, data: head}}, maxUnitRecord, nil) {
		bodies = append(bodies, append(h[:len(h):len(h)], data...))
	}
	lsn, err := l.redo.Append(bodies...)
	if err == nil {
		err = l.redo.FlushTo(lsn)
	}
	l.mu.durable, l.mu.executedLSN, l.mu.syncedLSN = lsn, lsn, lsn
	return err
}
