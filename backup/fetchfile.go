package backup

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Serve returns the file system for a server that opens dir: fsys itself, and nil, unless pages of
// dir are still in a backup. Then reads of them fetch them, and the others come in the background,
// from Start on.
func Serve(ctx context.Context, fsys vfs.FS, dir string, direct bool, logger *slog.Logger) (vfs.FS, *Fetch, error) {
	state, err := readState(fsys, dir)
	if state == nil || err != nil || *state == cloneState {
		return fsys, nil, err
	}
	if *state == replicaState {
		return nil, nil, errors.New("the clone was interrupted before its replication was set up; run \"ember clone\" with it again")
	}
	store, err := OpenStore(ctx, state.Store)
	if err != nil {
		return nil, nil, err
	}
	identities, err := Identities(state.Identity)
	if err != nil {
		return nil, nil, err
	}
	chain, err := OpenChain(ctx, store, state.Set, identities)
	if err != nil {
		return nil, nil, err
	}
	f, err := newFetch(fsys, dir, direct, chain, *state, logger)
	if err != nil {
		return nil, nil, err
	}
	return &fetchFS{fsys, f}, f, nil
}

// The head start of a server's first queries: each of their pages would have to wait for what the
// background reads.
const (
	headStart = time.Second            // as long as no query comes
	longest   = 2 * time.Second        // as long as queries wait for pages
	quiet     = 200 * time.Millisecond // without such a query
)

// Queries tells what a server's queries wait for.
type Queries struct {
	Answered <-chan struct{}                     // closed when the first query was answered
	Reads    func() (ended uint64, inFlight int) // of pages that queries wait for
}

// Start fetches in the background what is missing, until that is done or Stop is called. It begins
// when the server's first queries have their pages, or a moment later.
func (f *Fetch) Start(parallel int, q Queries) {
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel, f.stopped = cancel, make(chan struct{})
	go func() {
		defer close(f.stopped)
		q.await(ctx)
		close(f.begins)
		for wait := firstWait; ctx.Err() == nil; wait = min(2*wait, longestWait) {
			err := f.Run(ctx, parallel, nil)
			if err == nil {
				err = f.finish()
			}
			if err == nil {
				f.logger.Info("all pages of the backup are in the data directory", "backup", f.state.Set, "bytes", f.Progress().Total, "took", time.Since(f.began).Round(time.Millisecond))
				return
			}
			if ctx.Err() == nil {
				f.logger.Error("pages cannot be fetched from the backup; trying again", "backup", f.state.Set, "store", f.state.Store, "err", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		}
	}()
}

// await waits for the end of the head start.
func (q *Queries) await(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, longest)
	defer stop()
	select {
	case <-q.Answered:
	case <-time.After(headStart):
		return
	case <-ctx.Done():
		return
	}
	last, _ := q.Reads()
	tick := time.NewTicker(quiet / 10)
	defer tick.Stop()
	for since := time.Now(); time.Since(since) < quiet; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if n, inFlight := q.Reads(); n != last || inFlight > 0 {
			last, since = n, time.Now()
		}
	}
}

// Begins is closed when the background begins: what else reads pages that no query asks for waits
// for it, too.
func (f *Fetch) Begins() <-chan struct{} { return f.begins }

// Stop ends what Start has begun, and returns when nothing of it is under way. What is asked for is
// fetched still.
func (f *Fetch) Stop() {
	if f.cancel != nil {
		f.cancel()
		<-f.stopped
	}
}

// fetchFS is a file system whose tablespaces may have pages that are still in a backup.
type fetchFS struct {
	vfs.FS
	f *Fetch
}

func (s *fetchFS) space(name string) *fetchSpace {
	id, ok := pagefile.SpaceOf(name)
	if !ok || s.f.complete.Load() || filepath.Clean(name) != pagefile.PathIn(s.f.dir, id) {
		return nil
	}
	return s.f.spaces[id]
}

// Open implements vfs.FS.
func (s *fetchFS) Open(name string, o vfs.Options) (vfs.File, error) {
	file, err := s.FS.Open(name, o)
	space := s.space(name)
	if err != nil || space == nil {
		return file, err
	}
	return &fetchFile{file, s.f, space}, nil
}

// Remove implements vfs.FS. What is missing of a tablespace that is dropped is not fetched any
// more.
func (s *fetchFS) Remove(name string) error {
	err := s.FS.Remove(name)
	if space := s.space(name); space != nil && (err == nil || errors.Is(err, fs.ErrNotExist)) {
		space.close()
	}
	return err
}

// fetchFile is a tablespace file with pages that may still be in a backup.
type fetchFile struct {
	vfs.File
	f *Fetch
	s *fetchSpace
}

func lengthOf(bufs [][]byte) (n int64) {
	for _, b := range bufs {
		n += int64(len(b))
	}
	return n
}

// ReadAt implements vfs.File.
func (x *fetchFile) ReadAt(p []byte, off int64) (int, error) {
	if err := x.f.want(x.s, off, int64(len(p)), false); err != nil {
		return 0, err
	}
	return x.File.ReadAt(p, off)
}

// ReadVAt implements vfs.File.
func (x *fetchFile) ReadVAt(bufs [][]byte, off int64) (int, error) {
	if err := x.f.want(x.s, off, lengthOf(bufs), false); err != nil {
		return 0, err
	}
	return x.File.ReadVAt(bufs, off)
}

// WriteAt implements vfs.File.
func (x *fetchFile) WriteAt(p []byte, off int64) (int, error) {
	if err := x.f.want(x.s, off, int64(len(p)), true); err != nil {
		return 0, err
	}
	return x.File.WriteAt(p, off)
}

// WriteVAt implements vfs.File.
func (x *fetchFile) WriteVAt(bufs [][]byte, off int64) (int, error) {
	if err := x.f.want(x.s, off, lengthOf(bufs), true); err != nil {
		return 0, err
	}
	return x.File.WriteVAt(bufs, off)
}

// PunchHole implements vfs.File.
func (x *fetchFile) PunchHole(off, n int64) error {
	if err := x.f.want(x.s, off, n, true); err != nil {
		return err
	}
	return x.File.PunchHole(off, n)
}

// Truncate implements vfs.File. What is cut off is never fetched.
func (x *fetchFile) Truncate(size int64) error {
	if !x.f.complete.Load() {
		if err := x.f.want(x.s, max(size-1, 0), 1, true); err != nil {
			return err
		}
		from, _ := x.s.chunksOf(size, 1)
		x.f.mu.Lock()
		for i := from; i < x.s.first+x.s.n; i++ {
			if !x.f.has(x.f.bits, i) && x.f.flights[i] == nil {
				x.f.set(x.f.bits, i)
				x.f.done.Add(1)
			}
		}
		x.f.mu.Unlock()
		if err := x.f.want(x.s, size, int64(x.s.n)*chunkPages*base.PageSize-size, true); err != nil { // one that is being fetched
			return err
		}
	}
	return x.File.Truncate(size)
}
