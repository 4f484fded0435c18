package binlog

// The end of Open (see recover.go): the newest file is cut and checked, what no life owns is
// removed, and the log of this life begins.

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"path"
	"sync"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Finish cuts and checks the newest file, mends the index, begins a new file and starts the log. If
// there was no state, the caller takes a checkpoint before the first Order: without a state nothing
// tells an unfinished file from an older life's.
func (r *Recovery) Finish(redo Redo) (*Log, error) {
	err := r.checkRedo()
	if err == nil {
		err = r.finish()
		if errors.Is(err, base.ErrCorrupt) {
			err = r.beginAnew(err)
		}
	}
	if err != nil {
		if r.file != nil {
			r.file.Close()
		}
		return nil, fmt.Errorf("binary log: %w", err)
	}
	if r.last >= maxFile {
		return nil, fmt.Errorf("binary log: file numbers are used up at %s", r.path(r.last))
	}
	l := &Log{fs: r.fs, o: r.o, redo: redo, cacheSize: r.o.CacheSize, maxCache: r.o.MaxCacheSize, first: r.first, last: r.last,
		readers: map[uint32]int{}, heads: map[uint32]fileHead{}, taken: r.executed.Clone(), anonymous: r.o.Anonymous,
		work: make(chan struct{}, 1), pressed: make(chan struct{}, 1), done: make(chan struct{})}
	l.history.seed = maphash.MakeSeed()
	l.history.resize(r.o.DependencyHistory, 0)
	l.maxSize.Store(r.o.MaxSize)
	l.serverID.Store(r.o.ServerID)
	l.noSums.Store(r.o.NoChecksum)
	l.mu.executed, l.mu.purged, l.mu.resets, l.mu.wake = r.executed, r.purged, r.resets, make(chan struct{})
	l.idle = sync.NewCond(&l.mu)
	if err := l.begin(r.anew); err != nil {
		return nil, fmt.Errorf("binary log: %w", err)
	}
	r.o.Failure.OnEnter(l.failed)
	go l.run()
	return l, nil
}

// beginAnew leaves out the files of a log that cannot be completed, if that is asked for. All that
// was executed counts as purged. The files stay in the folder; no index names them.
func (r *Recovery) beginAnew(why error) error {
	if !r.o.BeginAnew {
		return fmt.Errorf("%w; put the file back, or start once with --ember-binlog-begin-anew: "+
			"a new binary log begins, and replicas that have not read the old one to its end must be set up again", why)
	}
	r.o.Logger.Warn("the old binary log is left out and a new one begins; replicas that have not read it to its end must be set up again", "error", why)
	if r.file != nil {
		r.file.Close()
	}
	r.anew = true
	r.last = max(r.last, r.no, r.damageFile)
	r.first, r.no, r.end, r.file = 0, 0, 0, nil
	r.purged = r.executed.Clone()
	return r.cleanCaches()
}

// checkRedo fails if redo ends before what the checkpoint knew of: no new log mends that.
func (r *Recovery) checkRedo() error {
	if r.no == 0 || (Position{r.no, r.end}).Compare(r.reached) >= 0 {
		return nil
	}
	return &base.CorruptError{File: "redo", Detail: fmt.Sprintf("redo ends with %s at %d, the checkpoint knew of %s at %d",
		fileName(r.o.Base, r.no), r.end, fileName(r.o.Base, r.reached.File), r.reached.Offset)}
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
	if err := r.checkNewest(); err != nil {
		return err
	}
	if r.first == 0 || r.first > r.no {
		r.first = r.no
	}
	if r.made {
		if err := r.purgedBefore(r.first); err != nil {
			return err
		}
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
	if err := r.tellMissing(); err != nil {
		return err
	}
	return r.cleanCaches()
}

// tellMissing warns of files of the index that are not in the folder: somebody removed them. A
// replica that needs one of them is refused when it asks (1236).
func (r *Recovery) tellMissing() error {
	names, err := r.fs.List(r.o.Dir)
	if err != nil {
		return err
	}
	there := make([]bool, r.last-r.first+1)
	for _, name := range names {
		if n, ok := parseName(r.o.Base, name); ok && n >= r.first && n <= r.last {
			there[n-r.first] = true
		}
	}
	var missing []string
	for i, ok := range there {
		if !ok {
			missing = append(missing, fileName(r.o.Base, r.first+uint32(i)))
		}
	}
	if n := len(missing); n > 0 {
		r.o.Logger.Warn("binary logs of the index are missing; put them back, or PURGE BINARY LOGS that far",
			"files", n, "first", missing[0], "last", missing[n-1])
	}
	return nil
}

// purgedBefore counts as purged what the files before the first one held: nobody knows what became
// of them.
func (r *Recovery) purgedBefore(first uint32) error {
	f, err := OpenFile(r.fs, r.path(first))
	if err != nil {
		return err
	}
	defer f.Close()
	h, err := f.readHead()
	if err == nil && h.previous != nil {
		r.purged.Union(h.previous)
	}
	return err
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

// begin makes the first file of this life. It gets its name when it is complete and synced, then it
// enters the index. anew: redo learns that the files before it are gone, so that no later start
// looks for them.
func (l *Log) begin(anew bool) error {
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
	err = l.setFile(f, next, int64(len(head)))
	if err == nil {
		err = l.enterIndex(next) // a start does not wait for room
	}
	if err != nil {
		f.Close()
		return err
	}
	l.spillPrefix = fmt.Sprintf("%x-%06d", l.mu.resets, next)
	l.file, l.end = next, int64(len(head))
	l.mu.written = Position{next, l.end}
	l.mu.synced = l.mu.written
	// A checkpoint that knows this file may stand before records that name the one before.
	records := bodies([]piece{{file: next, data: head}})
	if anew {
		records = append([][]byte{appendPurgeRecord(nil, next, 0, l.mu.purged, new(Set))}, records...)
	}
	lsn, err := l.redo.Append(records...)
	if err == nil {
		err = l.redo.FlushTo(lsn)
	}
	l.mu.durable, l.mu.executedLSN, l.mu.syncedLSN = lsn, lsn, lsn
	return err
}
