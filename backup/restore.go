package backup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// RestoreOptions of a restore.
type RestoreOptions struct {
	Set      string // "": the newest
	Dir      string // data directory: empty, missing, or of a restore of the same set that was interrupted
	Identity string // file of age identities
	Parallel int    // 0: 4
	Rate     int64  // bytes a second; 0: as fast as it goes. Pages that a server asks for do not count
	// Serve leaves the pages in the backup: a server that is opened with the file system of Serve
	// fetches them.
	Serve bool
	// Goal is what binary logs are applied for behind the restore (Apply): the set is one that does
	// not end behind it, and no server opens the directory before they are applied. nil: none are.
	Goal *Goal
	// Beside is called in the directory's lock while the files are made: it makes what else a server
	// of the directory needs. It may be called again by a restore that goes on. nil: nothing.
	Beside func(dir string) error
	// Chosen is called before anything is made and may refuse.
	Chosen   func(*Manifest) error
	Progress func(done, total int64)
	Logger   *slog.Logger
}

// Restored tells what was made.
type Restored struct {
	Set      *Manifest
	UUID     string // of the server that the directory is of
	Resumed  bool
	Complete bool // all pages are in the directory
}

// restorer makes one data directory.
type restorer struct {
	builder
	o     RestoreOptions
	store Store
	chain *Chain
	state fetchState
}

// Restore makes a data directory of a backup. It is the directory of another server, with a uuid of
// its own.
func Restore(ctx context.Context, store Store, o RestoreOptions) (*Restored, error) {
	r := &restorer{o: o, store: store, builder: builder{fs: vfs.NewOS(nil), files: map[string]vfs.File{}}}
	if r.o.Logger == nil {
		r.o.Logger = slog.Default()
	}
	if r.o.Parallel <= 0 {
		r.o.Parallel = 4
	}
	var err error
	if r.dir, err = filepath.Abs(o.Dir); err != nil {
		return nil, err
	}
	if r.o.Identity != "" { // the server may have another working directory
		if r.o.Identity, err = filepath.Abs(r.o.Identity); err != nil {
			return nil, err
		}
	}
	lock, err := engine.LockDir(r.fs, r.dir)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	return r.restore(ctx)
}

func (r *restorer) restore(ctx context.Context) (*Restored, error) {
	resumed, adopted, err := r.look()
	if err != nil {
		return nil, err
	}
	if r.o.Set == "" && resumed {
		r.o.Set = r.state.Set
	}
	if r.o.Set == "" {
		if r.o.Set, err = r.newest(ctx); err != nil {
			return nil, err
		}
	}
	if resumed && r.state.Set != r.o.Set {
		return nil, fmt.Errorf("%s holds an unfinished restore of backup %s, not of %s; name an empty directory", r.dir, r.state.Set, r.o.Set)
	}
	identities, err := Identities(r.o.Identity)
	if err != nil {
		return nil, err
	}
	if r.chain, err = OpenChain(ctx, r.store, r.o.Set, identities); err != nil {
		return nil, err
	}
	if r.o.Chosen != nil {
		if err := r.o.Chosen(&r.chain.top().Manifest); err != nil {
			return nil, err
		}
	}
	if !resumed {
		r.state = fetchState{Store: r.store.URL(), Set: r.o.Set, UUID: engine.NewUUID(), Identity: r.o.Identity, Rate: r.o.Rate}
		if err := writeState(r.fs, r.dir, &r.state); err != nil {
			return nil, err
		}
	}
	if r.uuid, err = parseUUID(r.state.UUID); err != nil {
		return nil, damaged(statePath(r.dir), "%v", err)
	}
	if !adopted {
		if err := r.skeleton(ctx); err != nil {
			return nil, err
		}
	}
	out := &Restored{Set: &r.chain.top().Manifest, UUID: r.state.UUID, Resumed: resumed}
	if r.o.Serve {
		return out, r.adopt(adopted)
	}
	f, err := newFetch(r.fs, r.dir, true, r.chain, r.state, r.o.Logger)
	if err != nil {
		return nil, err
	}
	if err := f.Run(ctx, r.o.Parallel, r.o.Progress); err != nil {
		return nil, err
	}
	if err := r.adopt(adopted); err != nil {
		return nil, err
	}
	out.Complete = true
	return out, f.finish()
}

func (r *restorer) newest(ctx context.Context) (string, error) {
	if r.o.Goal != nil {
		return NewestBefore(ctx, r.store, r.o.Goal)
	}
	return Newest(ctx, r.store)
}

// look tells what the directory holds: nothing, an interrupted restore, or one that a server has
// opened already (adopted).
func (r *restorer) look() (resumed, adopted bool, err error) {
	names, err := r.fs.List(r.dir)
	if err != nil {
		return false, false, err
	}
	state, err := readState(r.fs, r.dir)
	if err != nil {
		return false, false, err
	}
	if state != nil {
		r.state = *state
		_, err := engine.Identity(r.fs, r.dir)
		if err != nil && !errors.Is(err, base.ErrForeign) {
			return false, false, err
		}
		return true, err == nil, nil
	}
	for _, n := range names {
		if n != engine.LockFile && n != "lost+found" && n != engine.FetchDir {
			return false, false, fmt.Errorf("%s is not empty: it holds %s; a restore wants an empty directory", r.dir, n)
		}
	}
	return false, false, nil
}

func (r *restorer) adopt(adopted bool) error {
	if adopted {
		return nil
	}
	if r.o.Goal != nil {
		if err := markApplying(r.fs, r.dir, r.o.Set); err != nil {
			return err
		}
	}
	return engine.Adopt(r.fs, r.dir, r.state.UUID, r.chain.top().Point.LSN)
}

// skeleton makes everything but the pages.
func (r *restorer) skeleton(ctx context.Context) error {
	top := r.chain.top()
	if err := r.makeFolders(); err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, s := range top.Point.Segments {
		needed[segmentName(s)] = true
	}
	want := func(name string) bool { return !strings.HasPrefix(name, "redo/") || needed[name] }
	work, within := errgroup.WithContext(ctx)
	work.Go(func() error { return r.makeSpaces(within, top.Point.Spaces) })
	if r.o.Beside != nil {
		work.Go(func() error { return r.o.Beside(r.dir) })
	}
	work.Go(func() error {
		return r.chain.files(within, r.o.Parallel, want, func(f SetFile, off int64, data []byte) error { return r.write(f.Name, off, data) })
	})
	err := work.Wait()
	if err == nil {
		err = r.fs.SyncDir(filepath.Join(r.dir, "spaces"))
	}
	if err != nil {
		return errors.Join(err, r.close())
	}
	return r.finish(top.Point, top.Checkpoint)
}
