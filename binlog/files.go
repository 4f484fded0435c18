package binlog

// The set of files: the index, and what shortens it.
//
//	index    one line per file, oldest first: "./binlog.000001\n". Replaced whole: written beside, synced, renamed, folder synced.
//
// The numbers in it are a run, so memory keeps the first and the last.
//
//	#binlog_cache/resets    8 number of resets   8 4 CRC-32 of it    replaced by rename
//
// A reset begins the numbers anew, so records from before it name files that are others now. Redo
// first knows of a reset, then this file, then the folder: recovery leaves the folder alone until
// it has met as many resets as the file tells.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Errors of statements about files.
var (
	ErrUnknownFile = fmt.Errorf("target log not found in binlog index: %w", base.ErrNotFound) // 1373
	ErrFileInUse   = errors.New("a purgeable log is in use, will not purge")                  // 1378
)

// InUseError is the ErrFileInUse of a purge that came to a file with readers.
type InUseError struct {
	File           string // the file they read
	Readers        int
	Purged, Wanted int // files that are gone, and that were to go
}

// Error implements error.
func (e *InUseError) Error() string { return fmt.Sprintf("%v: %s", ErrFileInUse, e.File) }

// Unwrap gives the kind of error.
func (e *InUseError) Unwrap() error { return ErrFileInUse }

func indexPath(o *Options) string { return path.Join(o.Dir, o.Index) }

// writeIndexLocked replaces the index. REQUIRES: fileMu held.
func (l *Log) writeIndexLocked() error { return writeIndex(l.fs, &l.o, l.first, l.last) }

func writeIndex(fs vfs.FS, o *Options, first, last uint32) error {
	var text []byte
	if first > 0 {
		for n := first; n <= last; n++ {
			text = append(append(append(text, "./"...), fileName(o.Base, n)...), '\n')
		}
	}
	name := indexPath(o)
	if err := vfs.WriteFile(fs, name+".new", text); err != nil {
		return err
	}
	if err := fs.Rename(name+".new", name); err != nil {
		return err
	}
	return fs.SyncDir(o.Dir)
}

// readIndex reads the run of numbers in the index: 0, 0 if it is empty.
func readIndex(fs vfs.FS, o *Options) (first, last uint32, err error) {
	name := indexPath(o)
	text, err := vfs.ReadFile(fs, name)
	if err != nil {
		return 0, 0, err
	}
	for off := 0; off < len(text); {
		end := off
		for end < len(text) && text[end] != '\n' {
			end++
		}
		line := string(text[off:end])
		n, ok := parseName(o.Base, line)
		switch {
		case line == "" && end == len(text)-1:
			return first, last, nil
		case !ok:
			return 0, 0, &base.CorruptError{File: name, Offset: int64(off), Detail: fmt.Sprintf("%q is no name of a binary log %s.NNNNNN", line, o.Base)}
		case first == 0:
			first = n
		case n != last+1:
			return 0, 0, &base.CorruptError{File: name, Offset: int64(off), Detail: fmt.Sprintf("%q does not follow number %06d", line, last)}
		}
		last = n
		off = end + 1
	}
	return first, last, nil
}

func resetsPath(o *Options) string { return path.Join(o.Dir, spillDir, "resets") }

func writeResets(fs vfs.FS, o *Options, n uint64) error {
	b := binary.LittleEndian.AppendUint64(nil, n)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	name := resetsPath(o)
	if err := vfs.WriteFile(fs, name+".new", b); err != nil {
		return err
	}
	if err := fs.Rename(name+".new", name); err != nil {
		return err
	}
	return fs.SyncDir(path.Dir(name))
}

func readResets(fsys vfs.FS, o *Options) (uint64, error) {
	b, err := vfs.ReadFile(fsys, resetsPath(o))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err == nil && (len(b) != 12 || crc32.ChecksumIEEE(b[:8]) != binary.LittleEndian.Uint32(b[8:])) {
		err = &base.CorruptError{File: resetsPath(o), Detail: "checksum mismatch"}
	}
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

// FileInfo is a line of SHOW BINARY LOGS.
type FileInfo struct {
	Name string
	Size int64
}

// Files lists the files with their sizes, oldest first. The newest ends where readers may read to.
func (l *Log) Files() ([]FileInfo, error) {
	written := l.Written()
	l.fileMu.Lock()
	defer l.fileMu.Unlock()
	var list []FileInfo
	for n := l.first; n > 0 && n <= min(l.last, written.File); n++ {
		size := written.Offset
		if n < written.File {
			info, err := l.fs.Stat(l.path(n))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			size = info.Size // a file somebody removed shows as 0, as in MySQL
		}
		list = append(list, FileInfo{l.Name(n), size})
	}
	return list, nil
}

// Range is the numbers of the oldest and the newest file.
func (l *Log) Range() (first, last uint32) {
	l.fileMu.Lock()
	defer l.fileMu.Unlock()
	return l.first, l.last
}

// headOf gives the head of a file; those of closed files are kept.
func (l *Log) headOf(n uint32) (fileHead, error) {
	l.fileMu.Lock()
	h, ok := l.heads[n]
	l.fileMu.Unlock()
	if ok {
		return h, nil
	}
	f, err := OpenFile(l.fs, l.path(n))
	if err != nil {
		return fileHead{}, err
	}
	defer f.Close()
	if h, err = f.readHead(); err != nil {
		return h, err
	}
	l.fileMu.Lock()
	defer l.fileMu.Unlock()
	if n >= l.first {
		l.heads[n] = h
	}
	return h, nil
}

// PurgeTo removes the files before the named one: PURGE BINARY LOGS TO. ErrFileInUse: a reader
// stands in one of them; those before it are gone.
func (l *Log) PurgeTo(name string) error {
	n, ok := l.ParseName(name)
	first, last := l.Range()
	if !ok || n < first || n > last {
		return fmt.Errorf("%w: %s", ErrUnknownFile, name)
	}
	return l.purge(n)
}

// PurgeBefore removes the files that were complete before the time given, seconds since 1970: PURGE
// BINARY LOGS BEFORE, and binlog_expire_logs_seconds. A file was complete when its successor began.
// all: these are all files but the one that is written.
func (l *Log) PurgeBefore(seconds int64) (all bool, err error) {
	first, last := l.Range()
	keep := first
	for n := first; n < last; n++ {
		h, err := l.headOf(n + 1)
		if err != nil {
			return false, err
		}
		if int64(h.time) >= seconds {
			break
		}
		keep = n + 1
	}
	all = keep == last
	if keep == first {
		return all, nil
	}
	return all, l.purge(keep)
}

// purge makes keep, or an older one that a reader needs, the first file: redo knows it first, then
// the index, then the files go.
func (l *Log) purge(keep uint32) error {
	l.w.mu.Lock() // one at a time, and no new file meanwhile
	defer l.w.mu.Unlock()
	keep = min(keep, l.w.no)
	wanted := keep
	l.fileMu.Lock()
	for n := range l.readers {
		keep = min(keep, n)
	}
	first, readers := l.first, l.readers[keep]
	l.fileMu.Unlock()
	if keep > first {
		if err := l.purgeFiles(first, keep); err != nil {
			return err
		}
	}
	if keep < wanted {
		return &InUseError{File: l.Name(keep), Readers: readers, Purged: int(keep - first), Wanted: int(wanted - first)}
	}
	return nil
}

func (l *Log) purgeFiles(first, keep uint32) error {
	h, err := l.headOf(keep)
	if err != nil {
		return err
	}
	purged := l.Purged()
	if h.previous != nil {
		purged.Union(h.previous)
	}
	lsn, err := l.redo.Append(appendPurgeRecord(nil, keep, keep-first, purged, new(Set)))
	if err == nil {
		err = l.redo.FlushTo(lsn)
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.mu.purged = purged
	l.mu.Unlock()
	l.fileMu.Lock()
	for n := range l.readers {
		keep = min(keep, max(n, first)) // a reader that came in the meantime keeps its file until the next purge
	}
	l.first = keep
	for n := first; n < keep; n++ {
		delete(l.heads, n)
	}
	if err = l.writeIndexLocked(); err != nil {
		l.first = first // the next purge finds them again
	}
	l.fileMu.Unlock()
	if err != nil {
		return err
	}
	for n := first; n < keep; n++ {
		if err := l.fs.Remove(l.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	l.o.Logger.Info("binary logs purged", "first", l.Name(keep), "removed", keep-first)
	return l.fs.SyncDir(l.o.Dir)
}

// SetPurged is SET GLOBAL gtid_purged: the set counts as executed and as purged.
// REQUIRES: it holds what is purged already and nothing else that was executed here; the caller
// checks, for the errors are MySQL's.
func (l *Log) SetPurged(set *Set) error {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	first, _ := l.Range()
	lsn, err := l.redo.Append(appendPurgeRecord(nil, first, 0, set, set))
	if err == nil {
		err = l.redo.FlushTo(lsn)
	}
	if err != nil {
		return err
	}
	l.taken.Union(set)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.purged = set.Clone()
	l.mu.executed.Union(set)
	l.mu.executedLSN = max(l.mu.executedLSN, lsn)
	return nil
}

// Reset removes all files and forgets all GTIDs: RESET BINARY LOGS AND GTIDS. The log goes on with
// file next (1 if 0). Readers end with ErrReset.
func (l *Log) Reset(next uint32) error {
	if next = max(next, 1); next > maxFile {
		return fmt.Errorf("binary log: %d is no file number", next)
	}
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	if err := l.drain(); err != nil {
		return err
	}
	if err := l.proveRoom(); err != nil {
		return err
	}
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	l.taken = new(Set)
	bare := l.noSums.Load()
	head := l.appendHead(nil, l.taken, 0, bare)
	first, last := l.Range()
	records := append([][]byte{appendResetRecord(nil, next, first, last)}, bodies([]piece{{file: next, data: head}})...)
	lsn, err := l.redo.Append(records...)
	if err == nil {
		err = l.redo.FlushTo(lsn)
	}
	if err == nil {
		err = writeResets(l.fs, &l.o, l.mu.resets+1)
	}
	if err == nil {
		err = l.resetFiles(next, head)
	}
	if err != nil {
		return l.fail(err)
	}
	l.file, l.end, l.fileBase, l.bare = next, int64(len(head)), l.sequence, bare
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.executed, l.mu.purged = new(Set), new(Set)
	l.mu.durable, l.mu.executedLSN, l.mu.syncedLSN = max(l.mu.durable, lsn), max(l.mu.executedLSN, lsn), max(l.mu.syncedLSN, lsn)
	l.mu.written = Position{l.w.no, l.w.at}
	l.mu.synced = l.mu.written
	l.mu.resets++
	l.wakeLocked()
	return nil
}

// Settle waits until the files hold all that was committed, so that what they are asked for next is
// what the caller has done.
func (l *Log) Settle() error {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	return l.drain()
}

// drain waits until all that was placed is in its file. REQUIRES: orderMu held.
func (l *Log) drain() error {
	l.mu.Lock()
	lsn, pending := base.LSN(0), l.mu.first < len(l.mu.queue)
	if pending {
		lsn = l.mu.queue[len(l.mu.queue)-1].lsn
	}
	l.mu.Unlock()
	if pending {
		if err := l.redo.FlushTo(lsn); err != nil {
			return err
		}
		l.Durable(lsn)
	}
	return l.waitWritten(Position{l.file, l.end})
}

// resetFiles swaps all files for a first one. REQUIRES: orderMu and writer.mu held.
func (l *Log) resetFiles(next uint32, head []byte) error {
	if err := l.closeFile(); err != nil {
		return err
	}
	l.fileMu.Lock()
	first, last := l.first, l.last
	l.first, l.last = 0, 0
	clear(l.heads)
	err := l.writeIndexLocked()
	l.fileMu.Unlock()
	if err != nil {
		return err
	}
	if err := removeFiles(l.fs, &l.o, first, last); err != nil {
		return err
	}
	if err := l.createFile(next); err != nil {
		return err
	}
	l.w.bufs = append(l.w.bufs, head)
	if err := l.flushPieces(); err != nil {
		return err
	}
	return l.syncFile()
}

func removeFiles(fsys vfs.FS, o *Options, first, last uint32) error {
	if first == 0 {
		return nil
	}
	for n := first; n <= last; n++ {
		if err := fsys.Remove(path.Join(o.Dir, fileName(o.Base, n))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return fsys.SyncDir(o.Dir)
}
