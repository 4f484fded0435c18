package pagefile

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// fileTable keeps the open tablespace files, at most limit of them unless more are in use at once.
//
// A handle is shared by all its users and counted. The count changes only under mu; a handle with
// count 0 stands in the idle list, the longest unused one first, and only those are closed. Opening
// and closing happen outside of mu: the first user of a new handle opens the file while the others
// wait on opened.
//
// Latch: mu is the lowest rung of docs/latches.md; nothing is acquired under it, no I/O is done
// under it.
type fileTable struct {
	files *Files
	limit int

	mu struct {
		sync.Mutex
		open map[base.SpaceID]*handle
		idle handle // ring of the idle handles: idle.next is the longest unused
	}
}

// handle is an open tablespace file.
type handle struct {
	space  base.SpaceID
	path   string
	use    *fileUse
	opened chan struct{} // closed when file and err are set
	file   vfs.File
	err    error
	extend sync.Mutex // serialises Extend
	syncs  struct {   // serialises syncs
		sync.Mutex
		err error // of the first that failed
	}

	users      int  // guarded by fileTable.mu
	dropped    bool // guarded by fileTable.mu: left the table; the last user closes it
	prev, next *handle
}

func (t *fileTable) init(f *Files, limit int) {
	t.files, t.limit = f, limit
	t.mu.open = map[base.SpaceID]*handle{}
	t.mu.idle.prev, t.mu.idle.next = &t.mu.idle, &t.mu.idle
}

// count is the number of open files.
func (t *fileTable) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.mu.open)
}

// acquire returns the open file of a tablespace. Every acquire is followed by one release.
func (t *fileTable) acquire(space base.SpaceID) (*handle, error) {
	t.mu.Lock()
	if h := t.mu.open[space]; h != nil {
		if h.users == 0 {
			h.unlink()
		}
		h.users++
		t.mu.Unlock()
		<-h.opened
		if h.err != nil {
			err := h.err
			t.release(h)
			return nil, err
		}
		return h, nil
	}
	h := &handle{space: space, path: t.files.Path(space), opened: make(chan struct{}), users: 1, use: t.files.uses.file(space)}
	t.mu.open[space] = h
	victims := t.evictLocked()
	t.mu.Unlock()

	closeHandles(victims)
	h.file, h.err = t.files.fs.Open(h.path, vfs.Options{Direct: t.files.o.Direct})
	t.files.stats.opens.Add(1)
	if errors.Is(h.err, fs.ErrNotExist) {
		h.err = fmt.Errorf("%w: %w", ErrNoSpace, h.err)
	}
	close(h.opened)
	if h.err != nil {
		err := h.err
		t.release(h)
		return nil, err
	}
	return h, nil
}

// release gives a handle back.
func (t *fileTable) release(h *handle) {
	var victims []*handle
	t.mu.Lock()
	h.users--
	if h.err != nil && !h.dropped {
		// A failed open leaves no trace: the next user tries again.
		delete(t.mu.open, h.space)
		h.dropped = true
	}
	if h.users == 0 {
		if h.dropped {
			victims = []*handle{h}
		} else {
			last := &t.mu.idle
			h.prev, h.next = last.prev, last
			h.prev.next, h.next.prev = h, h
			victims = t.evictLocked()
		}
	}
	t.mu.Unlock()
	closeHandles(victims)
}

// evictLocked takes idle handles out of the table until it is within its limit. The caller closes
// them.
// REQUIRES: t.mu held.
func (t *fileTable) evictLocked() []*handle {
	var victims []*handle
	for len(t.mu.open) > t.limit && t.mu.idle.next != &t.mu.idle {
		h := t.mu.idle.next
		h.unlink()
		delete(t.mu.open, h.space)
		h.dropped = true
		victims = append(victims, h)
	}
	return victims
}

// forget takes a tablespace out of the table; its last user closes the file.
func (t *fileTable) forget(space base.SpaceID) {
	var victims []*handle
	t.mu.Lock()
	if h := t.mu.open[space]; h != nil {
		delete(t.mu.open, space)
		h.dropped = true
		if h.users == 0 {
			h.unlink()
			victims = []*handle{h}
		}
	}
	t.mu.Unlock()
	closeHandles(victims)
}

// closeHandles closes handles nobody uses. What was written through them is already synced, so a
// failing close loses nothing.
func closeHandles(victims []*handle) {
	for _, h := range victims {
		if h.file != nil {
			_ = h.file.Close()
		}
	}
}

func (t *fileTable) closeAll() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var errs []error
	for space, h := range t.mu.open {
		delete(t.mu.open, space)
		h.dropped = true
		if h.users == 0 {
			h.unlink()
			errs = append(errs, h.file.Close())
		}
	}
	return errors.Join(errs...)
}

func (h *handle) unlink() {
	h.prev.next, h.next.prev = h.next, h.prev
	h.prev, h.next = nil, nil
}

// sync makes what was written through h durable. The operating system tells an error of an earlier
// write once: after it no sync of h succeeds.
func (h *handle) sync(how func(vfs.File) error) error {
	h.syncs.Lock()
	defer h.syncs.Unlock()
	if h.syncs.err == nil {
		start := time.Now()
		h.syncs.err = how(h.file)
		h.use.sync.Add(0, time.Since(start))
	}
	return h.syncs.err
}

func (h *handle) pages() (base.PageNo, error) {
	size, err := h.file.Size()
	return base.PageNo(size / base.PageSize), err
}
