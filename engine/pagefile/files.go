package pagefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
	"emberdb/internal/vfs"
)

var (
	// ErrNeverWritten comes with a page that was allocated and never written: all zeros.
	ErrNeverWritten = errors.New("page was never written")
	// ErrBeyondEnd says that the file ends before the page. It comes with a *base.CorruptError.
	ErrBeyondEnd = errors.New("page is beyond the file's end")
	// ErrNoSpace says that a tablespace has no file: it was dropped, or the file was taken away.
	ErrNoSpace = errors.New("tablespace file is missing")
)

const (
	spacesDir   = "spaces"
	spaceSuffix = ".ebs"
	// defaultOpenFiles is the limit of open tablespace files when Options names none.
	defaultOpenFiles = 1000
)

// Options configures Files.
type Options struct {
	OpenFiles   int  // limit of files open at a time; files in use are never closed for it
	Direct      bool // bypass the page cache
	Doublewrite bool
	ReadOnly    bool          // nothing is written: torn pages stay, and are read from their copies in the doublewrite area
	Failure     *base.Failure // the engine's; nil: one of its own
}

// Files is all tablespaces of a data directory.
type Files struct {
	fs      vfs.FS
	dir     string // <datadir>/spaces
	datadir string
	o       Options
	table   fileTable
	dw      doublewrite
	failure *base.Failure
	stats   counters
	uses    uses
	gaps    sync.Pool              // *[]byte: pages that swallow the gaps of ReadRun
	copies  map[base.PageID][]byte // ReadOnly: of torn pages; not changed after RepairTorn
}

// Open prepares the tablespaces of datadir, creating the folder and the doublewrite area when
// missing. It opens no tablespace.
func Open(fsys vfs.FS, datadir string, o Options) (*Files, error) {
	if o.OpenFiles <= 0 {
		o.OpenFiles = defaultOpenFiles
	}
	if o.Failure == nil {
		o.Failure = base.NewFailure()
	}
	f := &Files{failure: o.Failure, fs: fsys, datadir: datadir, dir: filepath.Join(datadir, spacesDir), o: o}
	f.table.init(f, o.OpenFiles)
	f.gaps.New = func() any { b := vfs.AlignedBlock(base.PageSize); return &b }
	if err := fsys.MkdirAll(f.dir); err != nil {
		return nil, err
	}
	if err := f.dw.open(fsys, datadir, o); err != nil {
		return nil, err
	}
	return f, nil
}

// Close closes all files. REQUIRES: no other call is running.
func (f *Files) Close() error { return errors.Join(f.table.closeAll(), f.dw.close()) }

// Path is where the tablespace's file stands.
func (f *Files) Path(space base.SpaceID) string { return PathIn(f.datadir, space) }

// PathIn is where the tablespace's file stands in a data directory.
func PathIn(datadir string, space base.SpaceID) string {
	return filepath.Join(datadir, spacesDir, fmt.Sprintf("%08x%s", uint32(space), spaceSuffix))
}

// SpaceOf reads the tablespace off the name of its file.
func SpaceOf(name string) (base.SpaceID, bool) {
	hex, ok := strings.CutSuffix(filepath.Base(name), spaceSuffix)
	id, err := strconv.ParseUint(hex, 16, 32)
	return base.SpaceID(id), ok && err == nil && len(hex) == 8
}

// SpacesIn lists the tablespaces of a data directory that have a file.
func SpacesIn(fsys vfs.FS, datadir string) ([]base.SpaceID, error) {
	names, err := fsys.List(filepath.Join(datadir, spacesDir))
	if err != nil {
		return nil, err
	}
	var ids []base.SpaceID
	for _, name := range names {
		if id, ok := SpaceOf(name); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Spaces lists the tablespaces that have a file. It walks the folder: for checkers, never for a
// start.
func (f *Files) Spaces() ([]base.SpaceID, error) { return SpacesIn(f.fs, f.datadir) }

// failed reports the failed state (invariant 5).
func (f *Files) failed() error { return f.failure.Err() }

// fail enters it.
func (f *Files) fail(err error) error { return f.failure.Enter(err) }

// Create makes the file of a new tablespace with that many pages; the file and its name are durable
// on return.
func (f *Files) Create(space base.SpaceID, pages base.PageNo) error {
	if err := f.failed(); err != nil {
		return err
	}
	path := f.Path(space)
	file, err := f.fs.Open(path, vfs.Options{Create: true, Exclusive: true})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create %s: %w", path, base.ErrExists)
	}
	if err != nil {
		return err
	}
	err = f.fill(file, pages)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, f.fs.Remove(path))
	}
	if err := f.fs.SyncDir(f.dir); err != nil {
		return f.fail(err)
	}
	return nil
}

func (f *Files) fill(file vfs.File, pages base.PageNo) error {
	if pages > 0 {
		if err := file.Allocate(0, int64(pages)*base.PageSize); err != nil {
			return err
		}
	}
	f.stats.syncs.Add(1)
	return file.SyncAll()
}

// Drop removes the files of tablespaces, durably. A missing file is no error; after an error some
// may be there still. Reads still running on them finish; later ones find nothing.
func (f *Files) Drop(spaces ...base.SpaceID) error {
	if err := f.failed(); err != nil {
		return err
	}
	err := f.several(len(spaces), func(i int) error {
		f.table.forget(spaces[i])
		f.uses.forget(spaces[i])
		err := f.fs.Remove(f.Path(spaces[i]))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := f.fs.SyncDir(f.dir); err != nil {
		return f.fail(err)
	}
	return nil
}

// Exists tells whether the tablespace has a file. One that cannot be looked for counts as there.
func (f *Files) Exists(space base.SpaceID) bool {
	exists, err := f.Find(space)
	return exists || err != nil
}

// Find tells whether the tablespace has a file, or fails if the file system does not tell.
func (f *Files) Find(space base.SpaceID) (exists bool, err error) {
	if _, err = f.fs.Stat(f.Path(space)); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Pages is the length of the tablespace's file in pages; a torn page at its end does not count.
func (f *Files) Pages(space base.SpaceID) (base.PageNo, error) {
	h, err := f.table.acquire(space)
	if err != nil {
		return 0, err
	}
	defer f.table.release(h)
	return h.pages()
}

// Extend makes the file at least that many pages long. The new pages read as never written; space
// and length are durable on return.
func (f *Files) Extend(space base.SpaceID, pages base.PageNo) error {
	if err := f.failed(); err != nil {
		return err
	}
	h, err := f.table.acquire(space)
	if err != nil {
		return err
	}
	defer f.table.release(h)
	h.extend.Lock()
	defer h.extend.Unlock()
	have, err := h.pages()
	if err != nil || have >= pages {
		return err
	}
	if err := h.file.Allocate(int64(have)*base.PageSize, int64(pages-have)*base.PageSize); err != nil {
		return err // the file is as long as before, or longer by unused zeros
	}
	f.stats.syncs.Add(1)
	f.stats.extends.Add(1)
	if err := h.sync(vfs.File.SyncAll); err != nil {
		return f.fail(err)
	}
	return nil
}

// Shorten cuts the file to that many pages, if it is longer. It is not synced: after a crash the
// file may be as long as it was.
func (f *Files) Shorten(space base.SpaceID, pages base.PageNo) error {
	if err := f.failed(); err != nil {
		return err
	}
	h, err := f.table.acquire(space)
	if err != nil {
		return err
	}
	defer f.table.release(h)
	h.extend.Lock()
	defer h.extend.Unlock()
	have, err := h.pages()
	if err != nil || have <= pages {
		return err
	}
	return h.file.Truncate(int64(pages) * base.PageSize)
}

// Read reads one page and checks it. An all-zero page comes with ErrNeverWritten.
func (f *Files) Read(id base.PageID, page []byte) error {
	h, err := f.table.acquire(id.Space)
	if err != nil {
		return err
	}
	defer f.table.release(h)
	start := time.Now()
	n, err := h.file.ReadAt(page[:base.PageSize], int64(id.No)*base.PageSize)
	took := time.Since(start)
	f.stats.read(1, n, took)
	h.use.read.Add(n, took)
	if err == io.EOF {
		return f.beyondEnd(h, id)
	}
	if err != nil {
		return err
	}
	return f.check(page, id, h.path)
}

func (f *Files) beyondEnd(h *handle, id base.PageID) error {
	have, err := h.pages()
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %w", ErrBeyondEnd, corrupt(h.path, id, fmt.Sprintf("the file ends after %d pages", have)))
}

// check verifies a page that was read, and puts the copy of a torn one in its place if that was not
// repaired.
func (f *Files) check(page []byte, id base.PageID, path string) error {
	err := verify(page, id, path)
	if c := f.copies[id]; err != nil && c != nil {
		copy(page, c)
		return nil
	}
	return err
}

// ReadRun reads neighbouring pages in one call, the first at first. A nil buffer reads through a
// gap. What is wrong with one page stands in its place of errs; the returned error is that of the
// whole read.
func (f *Files) ReadRun(first base.PageID, pages [][]byte, errs []error) error {
	h, err := f.table.acquire(first.Space)
	if err != nil {
		return err
	}
	defer f.table.release(h)
	vec := make([][]byte, len(pages))
	var gap *[]byte
	for i, p := range pages {
		if p == nil {
			if gap == nil {
				gap = f.gaps.Get().(*[]byte)
				defer f.gaps.Put(gap)
			}
			p = *gap
		}
		vec[i] = p[:base.PageSize]
	}
	start := time.Now()
	n, err := h.file.ReadVAt(vec, int64(first.No)*base.PageSize)
	took := time.Since(start)
	f.stats.readRun(len(pages), n, took)
	h.use.read.Add(n, took)
	if err != nil && err != io.EOF {
		return err
	}
	for i, p := range pages {
		id := base.PageID{Space: first.Space, No: first.No + base.PageNo(i)}
		switch {
		case p == nil:
			errs[i] = nil
		case (i+1)*base.PageSize > n:
			errs[i] = f.beyondEnd(h, id)
		default:
			errs[i] = f.check(p, id, h.path)
		}
	}
	return nil
}

// checkOwn asserts that a page about to be written knows its own address.
func (f *Files) checkOwn(id base.PageID, page []byte) error {
	if ID(page) != id {
		return corrupt(f.Path(id.Space), id, fmt.Sprintf("the page in memory says it is page %s", ID(page)))
	}
	invariants.Assert(len(page) == base.PageSize, "page %s has %d bytes", id, len(page))
	return nil
}
