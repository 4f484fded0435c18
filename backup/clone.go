package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"emberdb/engine"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// CloneOptions of a clone.
type CloneOptions struct {
	Dir      string // data directory: empty, missing, or of a clone that was interrupted, which begins again
	Parallel int    // connections; 0: DefaultParallel
	Rate     int64  // bytes a second; 0: as fast as it goes
	// Begun is called before anything is copied and may refuse.
	Begun func(*Begin) error
	// SetUp makes a replica of the directory, which it may open. Until it has, no server opens the
	// directory, and a clone that was interrupted begins again. nil: there is nothing to set up.
	SetUp func(*Cloned) error
	// Beside is called in the directory's lock while pages are copied: it makes what else a server of
	// the directory needs. nil: nothing.
	Beside   func(dir string) error
	Progress func(done, total int64, at string)
}

// Cloned tells what was made.
type Cloned struct {
	UUID, Source string // server uuids
	Point        *engine.BackupPoint
	Bytes        int64
}

// What stands in a directory while a clone is made in it: a server opens one with an identity if
// only the note was left behind, and not if replication is still to be set up.
var (
	cloneState   = fetchState{Set: "clone"}
	replicaState = fetchState{Set: "replica"}
)

// cloner writes what a server gives straight into a data directory.
type cloner struct {
	builder
	puller
	spaceMu sync.Mutex
	spaces  map[base.SpaceID]vfs.File
}

// Clone makes a data directory of the server behind db: that of another server, with a uuid of its
// own and the same rows, GTIDs and LRU list.
func Clone(ctx context.Context, db *sql.DB, o CloneOptions) (*Cloned, error) {
	made, err := makeClone(ctx, o, func(c *cloner) error { return c.puller.open(ctx, db, o.Parallel) })
	if err != nil || o.SetUp == nil {
		return made, err
	}
	if err := o.SetUp(made); err != nil {
		return nil, fmt.Errorf("the clone is complete, and replication could not be set up: %w", err)
	}
	return made, removeState(vfs.NewOS(nil), o.Dir)
}

// CloneLocal is Clone of the server of this process. It closes the backup.
func CloneLocal(ctx context.Context, l *Local, o CloneOptions) (*Cloned, error) {
	defer l.Close()
	return makeClone(ctx, o, func(c *cloner) error {
		c.parallel, c.donor = max(o.Parallel, 1), l
		return nil
	})
}

func makeClone(ctx context.Context, o CloneOptions, open func(*cloner) error) (*Cloned, error) {
	c := &cloner{builder: builder{fs: vfs.NewOS(nil), files: map[string]vfs.File{}}, spaces: map[base.SpaceID]vfs.File{},
		puller: puller{limit: limiter{rate: o.Rate}, progress: o.Progress}}
	var err error
	if c.dir, err = filepath.Abs(o.Dir); err != nil {
		return nil, err
	}
	lock, err := engine.LockDir(c.fs, c.dir)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	out := &Cloned{UUID: engine.NewUUID()}
	if c.uuid, err = parseUUID(out.UUID); err != nil {
		return nil, err
	}
	if err := c.clear(o.SetUp != nil); err != nil {
		return nil, err
	}
	if err := open(c); err != nil {
		return nil, err
	}
	defer c.donor.close()
	if o.Begun != nil {
		if err := o.Begun(c.donor.begin()); err != nil {
			return nil, err
		}
	}
	work, within := errgroup.WithContext(ctx)
	if o.Beside != nil {
		work.Go(func() error { return o.Beside(c.dir) })
	}
	work.Go(func() error { return c.clone(within, out) })
	err = work.Wait()
	c.at(AtSync)
	c.closeSpaces(&err)
	if err == nil {
		err = c.finish(out.Point, c.donor.begin().Checkpoint)
	}
	if err == nil {
		err = engine.Adopt(c.fs, c.dir, out.UUID, out.Point.LSN)
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	if o.SetUp != nil {
		return out, nil
	}
	return out, removeState(c.fs, c.dir)
}

// clear makes the directory one that holds nothing but the note that a clone, or a replica, is being
// made.
func (c *cloner) clear(replica bool) error {
	state, err := readState(c.fs, c.dir)
	if err != nil {
		return err
	}
	names, err := c.fs.List(c.dir)
	if err != nil {
		return err
	}
	_, err = engine.Identity(c.fs, c.dir)
	switch {
	case err == nil && state != nil && *state == cloneState: // it was complete, but for its note
		return fmt.Errorf("%s holds a clone that is complete", c.dir)
	case err != nil && !errors.Is(err, base.ErrForeign):
		return err
	}
	for _, n := range names {
		if n != engine.LockFile && n != "lost+found" && n != engine.FetchDir && (state == nil || state.Store != "") {
			return fmt.Errorf("%s is not empty: it holds %s; a clone wants an empty directory", c.dir, n)
		}
	}
	if state != nil {
		if err := c.removeAll(names); err != nil {
			return err
		}
	}
	state = &fetchState{Set: cloneState.Set}
	if replica {
		state.Set = replicaState.Set
	}
	return writeState(c.fs, c.dir, state)
}

// removeAll removes what an interrupted clone has left.
func (c *cloner) removeAll(names []string) error {
	for _, n := range names {
		if n == engine.LockFile || n == "lost+found" || n == engine.FetchDir {
			continue
		}
		path := filepath.Join(c.dir, n)
		if info, err := c.fs.Stat(path); err == nil && info.Dir {
			inner, err := c.fs.List(path)
			if err != nil {
				return err
			}
			for _, i := range inner {
				if err := c.fs.Remove(filepath.Join(path, i)); err != nil {
					return err
				}
			}
		}
		if err := c.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return c.fs.SyncDir(c.dir)
}

func (c *cloner) clone(ctx context.Context, out *Cloned) (err error) {
	out.Source = c.donor.begin().UUID
	if err := c.makeFolders(); err != nil {
		return err
	}
	if err := c.makeSpaces(ctx, c.donor.begin().Spaces); err != nil {
		return err
	}
	if out.Point, err = c.pull(ctx, func() sink { return &cloneSink{cloner: c} }); err != nil {
		return err
	}
	out.Bytes = c.bytes.Load()
	return c.fitSpaces(ctx, out.Point)
}

// cloneSink writes pages past the page cache: the server that opens the directory reads them so.
// Files come on one connection at a time.
type cloneSink struct {
	*cloner
	block []byte // a chunk, aligned
}

func (c *cloneSink) pages(_ context.Context, space base.SpaceID, first base.PageNo, present uint64, pages []byte) error {
	f, err := c.spaceFile(space)
	if err != nil {
		return err
	}
	if c.block == nil {
		c.block = vfs.AlignedBlock(chunkPages * base.PageSize)
	}
	pages = c.block[:copy(c.block, pages)]
	for k := 0; k < chunkPages; k++ {
		n := 0
		for k+n < chunkPages && present>>(k+n)&1 != 0 {
			n++
		}
		if n == 0 {
			continue
		}
		if _, err := f.WriteAt(pages[:n*base.PageSize], (int64(first)+int64(k))*base.PageSize); err != nil {
			return err
		}
		pages = pages[n*base.PageSize:]
		k += n
	}
	return nil
}

func (c *cloneSink) file(_ context.Context, name string, off int64, data []byte) error {
	return c.write(name, off, slices.Clone(data)) // the head of a segment is changed
}

func (c *cloneSink) flush(context.Context) error { return nil }

func (c *cloner) spaceFile(space base.SpaceID) (vfs.File, error) {
	c.spaceMu.Lock()
	defer c.spaceMu.Unlock()
	if f := c.spaces[space]; f != nil {
		return f, nil
	}
	f, err := c.fs.Open(pagefile.PathIn(c.dir, space), vfs.Options{Direct: true})
	if err == nil {
		c.spaces[space] = f
	}
	return f, err
}

func (c *cloner) closeSpaces(err *error) {
	var work errgroup.Group
	work.SetLimit(syncsAtOnce)
	broken := *err != nil
	for _, f := range c.spaces {
		work.Go(func() (err error) {
			if !broken {
				err = f.SyncAll()
			}
			return errors.Join(err, f.Close())
		})
	}
	clear(c.spaces)
	*err = errors.Join(*err, work.Wait())
}

// fitSpaces makes the tablespace files those of the point: some were dropped, made or made longer
// meanwhile.
func (c *cloner) fitSpaces(ctx context.Context, point *engine.BackupPoint) error {
	there := map[base.SpaceID]bool{}
	for _, s := range point.Spaces {
		there[s.Space] = true
	}
	if err := c.makeSpaces(ctx, point.Spaces); err != nil {
		return err
	}
	for _, s := range c.donor.begin().Spaces {
		if !there[s.Space] {
			if err := c.fs.Remove(pagefile.PathIn(c.dir, s.Space)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return c.fs.SyncDir(filepath.Join(c.dir, "spaces"))
}
