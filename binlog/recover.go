package binlog

// Open: how the log finds itself again.
//
//	state   index     newest file       what is done
//	none    none      -                 a new log begins with file 1
//	none    listed    -                 an older life's files stay; the log goes on behind the last (GTID sets begin empty)
//	file N  lists N   N as long as it   redo's records are written where they say, what stands behind is cut off, later files are removed
//	file N  missing   N there           logged; the names in the folder make the index
//	any     any       bad, BeginAnew    a new log begins behind the last file; all that was executed counts as purged
//	file N  corrupt   -                 *base.CorruptError
//	file N  any       missing, shorter  *base.CorruptError: bytes a checkpoint relied on are gone
//	file N  any       foreign bytes     *base.CorruptError
//
// Then a new file is begun: it is complete and in the index, then redo knows it, then State may. A
// crash before redo does leaves a file behind that the next start removes.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

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
	// damage is the first file that could not be written to, damageFile the newest. A purge behind
	// in redo may tell why it is gone; otherwise Finish fails.
	damage     error
	damageFile uint32
	anew       bool // the old files are left out
	made       bool // the index was missing
}

// Open begins recovery. state is what the checkpoint kept; nil if there is none. It opens no binlog
// file.
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
	if errors.Is(err, base.ErrCorrupt) {
		err = fmt.Errorf("%w; remove the index, and the start makes it from the names of the files", err)
	}
	r.made = errors.Is(err, fs.ErrNotExist)
	if r.made {
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
	if !r.made {
		r.whole = r.last
	}
	r.reached = Position{r.no, r.end}
	return r, nil
}

// findFiles makes up for a missing index: the run of names in the folder that ends with the highest
// number.
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

// Apply takes the body of a record the log wrote into redo, in redo's order, from the checkpoint
// on.
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
		r.purged.Union(rec.purged) // it only grows, but for resets
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

// applyUnit takes a whole unit. Until its last record it was kept in memory: the files of a unit
// that never ended may bear other events now.
func (r *Recovery) applyUnit() error {
	for i := range r.parts {
		rec := &r.parts[i]
		if rec.kind == recordAdopt {
			r.noteHead(rec.data)
		} else if i == 0 && rec.off > 0 { // a file begins with what only looks like an event
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
	if rec.kind == recordEvents {
		Place(rec.data, rec.off)
	}
	if _, err := r.file.WriteAt(rec.data, rec.off); err != nil {
		return err
	}
	r.unit = Position{rec.file, rec.off + int64(len(rec.data))}
	return nil
}

// note counts the GTID of the event at the start of b as executed.
func (r *Recovery) note(b []byte) {
	if len(b) < headerSize || !EventType(b[4]).namesTransaction() {
		return
	}
	if g, ok := parseGTID(EventType(b[4]), b[headerSize:]); ok {
		r.executed.Add(g)
	}
}

// turnTo makes a file the open one. The one before is complete: it is cut to where the unit that
// leaves it ends.
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

// reset forgets everything; the head of the next file follows in redo. Files that bear the old
// names stay until Finish: some may be the new ones, and that of a large transaction cannot be made
// twice.
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
