package engine

// A hot backup: the pages of all tablespaces as they are on disk, copied while the server writes,
// and the log from the checkpoint before the first of them to a point behind the last. Recovery
// makes that one state of the database, the state at the point.
//
//	StartBackup              a checkpoint, and a hold on the log behind it, so that none of it is recycled. Dirty pages are
//	                         written for a moment first, and a long binary log file is ended, so that little is copied beside the pages
//	ReadPages                pages in physical order, each with its checksum verified; a page that is being written is read again
//	Closed, ReadRedo, Advance    the log is taken along while the pages are copied, so that the server does not have to keep all of it
//	Finish                   the point: how far the log is copied, the files that there are, the place in the binary log, the GTIDs
//	OpenBinlog, List         the binary log files that recovery needs, the LRU list
//	Close                    lets the log go; it may be called at any time
//
// Invariants:
//
//	(1) A page copied at any time after StartBackup holds every change before Start: the
//	    checkpoint says that they were on disk. So the log from Start on brings it to the point.
//	    Recovery does not believe the log's notes of written pages then (restored.go).
//	(2) No lock is held that a transaction takes, and no checkpoint waits. The log may be longer
//	    than its capacity meanwhile: writers wait for the checkpoint and not for the hold.
//	(3) Definitions may change. A file is made, and removed, under backups.files, shared; Finish
//	    takes that exclusively while it chooses the point and lists the files. A file is made
//	    behind its announcement in the DDL log, so a file in the list that the point does not own
//	    is one that the DDL log removes.
//	(4) A file made after StartBackup needs no pages in the backup: the log makes all of them. A
//	    file dropped before the point is not in the point's list, and must not be in the copy. A
//	    file dropped after the point was there while its pages were copied.
//	(5) The undo space is not cut (txn.System.HoldCuts): the log behind Start may concern pages
//	    beyond its new end.
//	(6) The binary log files from the one that the checkpoint names on stay, because a reader
//	    holds them. A reset removes them nevertheless; Unbroken tells.

import (
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"slices"
	"sync"
	"time"

	"emberdb/binlog"
	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// BackupRun is how many pages ReadPages reads at most.
const BackupRun = 64

// tornReads is how often a page that does not verify is read again: the server may be writing it.
// tornWait is the time between.
const (
	tornReads = 50
	tornWait  = 2 * time.Millisecond
)

// backups is what keeps files and backups apart (invariant 3).
type backups struct {
	files sync.RWMutex
}

// Backup is a hot backup that is being taken. ReadPages may be called concurrently.
type Backup struct {
	Start      base.LSN
	Checkpoint []byte // the file of the checkpoint at Start
	Spaces     []SpaceFile

	e       *Engine
	hold    *redo.Hold
	cuts    func()
	reader  *binlog.Reader
	first   uint32 // of the binary log files that are needed
	resets  uint64
	passed  []redo.SegmentInfo // copied
	release sync.Once
}

// SpaceFile is a tablespace file.
type SpaceFile struct {
	Space base.SpaceID `json:"space"`
	Pages base.PageNo  `json:"pages"`
}

// BackupPoint is the state of the database that a backup holds.
type BackupPoint struct {
	LSN      base.LSN           `json:"lsn"`
	Time     time.Time          `json:"time"`
	Spaces   []SpaceFile        `json:"spaces"`
	Segments []redo.SegmentInfo `json:"segments"` // from the one that holds Start up to the one in which the log goes on
	Binlog   *BackupBinlog      `json:"binlog,omitempty"`
}

// BackupBinlog is the binary log at the point.
type BackupBinlog struct {
	Base     string `json:"base"`
	Index    string `json:"index"`
	First    uint32 `json:"first"` // file that recovery needs first
	File     uint32 `json:"file"`
	Offset   int64  `json:"offset"`
	Resets   uint64 `json:"resets"`
	Executed string `json:"gtid_executed"`
	Purged   string `json:"gtid_purged"`
}

// Name is the name of a file of the log.
func (b *BackupBinlog) Name(file uint32) string { return fmt.Sprintf("%s.%06d", b.Base, file) }

// StartBackup begins a hot backup.
func (e *Engine) StartBackup() (*Backup, error) {
	if e.forced(forceNoRedo) {
		return nil, base.ErrForced
	}
	if err := e.prepareBackup(); err != nil && !errors.Is(err, base.ErrDiskFull) { // a full disk only makes the backup longer
		return nil, err
	}
	b := &Backup{e: e, cuts: e.txns.HoldCuts()}
	var c redo.Checkpoint
	c, b.Checkpoint, b.hold = e.log.HoldCheckpoint()
	b.Start = c.LSN
	err := b.holdBinlog(c.Blob)
	if err == nil {
		b.Spaces, err = e.spaceFiles()
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Limits of what is done to have less to copy: a binary log file that is no longer than longBinlog
// is not ended, and dirty pages are written no longer than cleanFor.
const (
	longBinlog = 1 << 20
	cleanFor   = 2 * time.Second
)

// prepareBackup brings the checkpoint near to the end of the log, and into a new binary log file.
func (e *Engine) prepareBackup() error {
	if log := e.binlog.log; log != nil && log.Written().Offset > longBinlog {
		if err := log.Rotate(); err != nil {
			return err
		}
	}
	if err := e.pool.Flusher().Toward(e.log.Appended(), cleanFor); err != nil {
		return err
	}
	e.checkpointMu.Lock()
	defer e.checkpointMu.Unlock()
	end := e.log.Appended() // before OldestDirty, as in Checkpoint
	lsn := max(e.pool.Flusher().OldestDirty(), e.log.CheckpointLSN())
	return e.storeCheckpoint(lsn, max(lsn, end, e.checkpoint.messages), false)
}

// holdBinlog keeps the binary log files that recovery from the checkpoint needs.
func (b *Backup) holdBinlog(blob []byte) error {
	log := b.e.binlog.log
	if log == nil {
		return nil
	}
	state, err := checkpointState(blob)
	if err != nil {
		return err
	}
	for {
		b.first, _ = log.Range()
		if state != nil {
			b.first, b.resets = max(b.first, state.File), state.Resets
		}
		if b.reader, err = log.NewReader(binlog.Position{File: b.first}); err == nil || !errors.Is(err, binlog.ErrUnknownFile) {
			return err
		}
		if first, last := log.Range(); b.first >= first && b.first <= last || b.first > last {
			return err
		} // else purged in between
	}
}

// spaceFiles lists the tablespace files. One that is dropped meanwhile may be missing.
func (e *Engine) spaceFiles() ([]SpaceFile, error) {
	ids, err := e.files.Spaces()
	if err != nil {
		return nil, err
	}
	out := make([]SpaceFile, 0, len(ids))
	for _, id := range ids {
		info, err := e.o.FS.Stat(e.files.Path(id))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, SpaceFile{id, base.PageNo(info.Size / base.PageSize)})
	}
	return out, nil
}

// ReadPages reads up to BackupRun neighbouring pages and packs those that were ever written and
// changed behind since into the front of buf, whose memory is that of direct I/O. present has a bit
// for each of them. A file that was dropped has no pages; a damaged page is a *base.CorruptError.
func (b *Backup) ReadPages(first base.PageID, n int, since base.LSN, buf []byte) (present uint64, err error) {
	var (
		pages [BackupRun][]byte
		errs  [BackupRun]error
	)
	for i := range n {
		pages[i] = buf[i*base.PageSize:][:base.PageSize]
	}
	err = b.e.files.ReadRun(first, pages[:n], errs[:n])
	if errors.Is(err, pagefile.ErrNoSpace) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for i := range n {
		id := base.PageID{Space: first.Space, No: first.No + base.PageNo(i)}
		ok, err := b.sound(id, pages[i], errs[i])
		if err != nil {
			return 0, err
		}
		if !ok || since > 0 && pagefile.LSN(pages[i]) <= since {
			continue
		}
		if at := bits.OnesCount64(present); at < i {
			copy(pages[at], pages[i])
		}
		present |= 1 << i
	}
	return present, nil
}

// sound tells whether the page is one for the backup, after reading it again where that may help.
func (b *Backup) sound(id base.PageID, page []byte, err error) (bool, error) {
	for try := 0; ; try++ {
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, pagefile.ErrNeverWritten), errors.Is(err, pagefile.ErrBeyondEnd), errors.Is(err, pagefile.ErrNoSpace):
			return false, nil
		case !errors.Is(err, base.ErrCorrupt):
			return false, err
		case b.e.redo != nil && b.e.redo.Pending(id) != buffer.NotPending:
			return false, nil // its redo makes it; a page that redo does not make is found by the recovery of this server
		case try == tornReads:
			return false, err
		}
		time.Sleep(tornWait)
		err = b.e.files.Read(id, page)
	}
}

// Closed lists the segments of the log that are complete and not yet let go by Advance.
func (b *Backup) Closed() []redo.SegmentInfo { return b.e.log.Closed() }

// ReadRedo reads from a segment's file. Offset, length and memory are those of direct I/O.
func (b *Backup) ReadRedo(segment uint64, p []byte, off int64) (int, error) {
	return b.e.log.ReadSegment(segment, p, off)
}

// Advance lets a segment go that was copied. REQUIRES: they come in order, and none before Start.
func (b *Backup) Advance(s redo.SegmentInfo) {
	b.passed = append(b.passed, s)
	b.hold.Advance(s.End)
}

// Finish chooses the point. All pages were read.
func (b *Backup) Finish() (*BackupPoint, error) {
	e := b.e
	e.backups.files.Lock()
	defer e.backups.files.Unlock()
	p := &BackupPoint{LSN: e.log.Appended(), Time: time.Now().UTC()}
	if err := e.log.FlushTo(p.LSN); err != nil {
		return nil, err
	}
	if log := e.binlog.log; log != nil {
		state, err := log.SyncTo(p.LSN)
		if err != nil {
			return nil, err
		}
		// The state knows of every unit below its own LSN, so that it is the state at the later one
		// of the two.
		p.LSN = max(p.LSN, state.LSN)
		if err := e.log.FlushTo(p.LSN); err != nil {
			return nil, err
		}
		b.resets = state.Resets
		p.Binlog = &BackupBinlog{Base: e.binlog.name.Base, Index: e.binlog.name.Index, First: min(b.first, state.File), File: state.File, Offset: state.Offset,
			Resets: state.Resets, Executed: state.Executed.String(), Purged: state.Purged.String()}
		if p.Binlog.Index == "" {
			p.Binlog.Index = p.Binlog.Base + ".index"
		}
	}
	var err error
	if p.Spaces, err = e.spaceFiles(); err != nil {
		return nil, err
	}
	p.Segments = slices.Clone(b.passed)
	next := b.Start
	if n := len(b.passed); n > 0 {
		next = b.passed[n-1].End
	}
	for _, s := range e.log.Segments() {
		if s.End > next && s.Start <= p.LSN { // the log may have just gone on into a segment that is empty yet
			p.Segments = append(p.Segments, s)
		}
	}
	return p, nil
}

// OpenBinlog opens a file of the binary log, for reading.
func (b *Backup) OpenBinlog(file uint32) (vfs.File, error) {
	log := b.e.binlog.log
	if log == nil {
		return nil, fmt.Errorf("binary log file %d: %w", file, base.ErrNotFound)
	}
	return b.e.o.FS.Open(log.Path(file), vfs.Options{ReadOnly: true})
}

// Unbroken fails if the binary logs were reset since Finish, so that what was copied of them is of
// two histories.
func (b *Backup) Unbroken() error {
	if log := b.e.binlog.log; log != nil && log.Resets() != b.resets {
		return errors.New("the binary logs were reset during the backup; take it again")
	}
	return nil
}

// List writes the LRU list and returns its file; empty if there is none.
func (b *Backup) List() (string, error) {
	if err := b.e.warm.DumpNow(); err != nil {
		return "", err
	}
	path := b.e.warm.Path()
	if _, err := b.e.o.FS.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return path, nil
}

// Open opens a file for reading.
func (b *Backup) Open(path string) (vfs.File, error) {
	return b.e.o.FS.Open(path, vfs.Options{ReadOnly: true})
}

// Close ends the backup.
func (b *Backup) Close() {
	b.release.Do(func() {
		b.hold.Release()
		b.cuts()
		if b.reader != nil {
			b.reader.Close()
		}
	})
}

// createFile makes the file of a new tablespace.
func (e *Engine) createFile(s base.SpaceID) error {
	e.backups.files.RLock()
	defer e.backups.files.RUnlock()
	return e.files.Create(s, initialPages)
}
