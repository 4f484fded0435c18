package backup

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// builder makes what stands in a data directory beside the pages: the redo log, the checkpoint, the
// binary log, the LRU list, as those of another server.
type builder struct {
	fs    vfs.FS
	dir   string
	uuid  [16]byte
	mu    sync.Mutex
	files map[string]vfs.File // open
}

// syncsAtOnce is how many files are made durable at a time: a file system does several at the price
// of one.
const syncsAtOnce = 16

// listFile is the name of the LRU list in a set.
const listFile = "lru"

func segmentName(s redo.SegmentInfo) string { return redo.SegmentName(s.Number) }

func parseUUID(text string) (out [16]byte, err error) {
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err == nil && len(b) != len(out) {
		err = fmt.Errorf("%q is no uuid", text)
	}
	copy(out[:], b)
	return out, err
}

// makeFolders makes the folders of a data directory.
func (b *builder) makeFolders() error {
	for _, d := range []string{"spaces", "redo"} {
		if err := b.fs.MkdirAll(filepath.Join(b.dir, d)); err != nil {
			return err
		}
	}
	return nil
}

// makeSpaces makes tablespace files. The caller syncs the folder.
func (b *builder) makeSpaces(ctx context.Context, spaces []engine.SpaceFile) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(syncsAtOnce)
	for _, s := range spaces {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return b.makeSpace(s)
		})
	}
	return work.Wait()
}

// makeSpace makes a tablespace file of that length with its room reserved, so that a full disk is
// told at once.
func (b *builder) makeSpace(s engine.SpaceFile) error {
	f, err := b.fs.Open(pagefile.PathIn(b.dir, s.Space), vfs.Options{Create: true})
	if err != nil {
		return err
	}
	if size := int64(s.Pages) * base.PageSize; size > 0 {
		err = f.Allocate(0, size)
	}
	if err == nil {
		err = f.SyncAll()
	}
	return errors.Join(err, f.Close())
}

// target is where a file of a backup goes; "": it is not known.
func target(name string) string {
	switch {
	case strings.HasPrefix(name, "redo/"):
	case strings.HasPrefix(name, "binlog/"):
		name = strings.TrimPrefix(name, "binlog/")
	case name == listFile:
		name = warm.DefaultFilename
	default:
		return ""
	}
	if !filepath.IsLocal(name) {
		return ""
	}
	return name
}

// write writes a piece of a file. It may be called concurrently.
func (b *builder) write(name string, off int64, data []byte) error {
	to := target(name)
	if to == "" {
		return fmt.Errorf("a backup with a file %q, which this program does not know", name)
	}
	file, err := b.open(to)
	if err != nil {
		return err
	}
	if strings.HasPrefix(name, "redo/") && off == 0 {
		if err := redo.Rehead(data, b.uuid); err != nil {
			return err
		}
	}
	_, err = file.WriteAt(data, off)
	return err
}

func (b *builder) open(name string) (vfs.File, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.files[name]; f != nil {
		return f, nil
	}
	f, err := b.fs.Open(filepath.Join(b.dir, name), vfs.Options{Create: true, Truncate: true})
	if err == nil {
		b.files[name] = f
	}
	return f, err
}

// close closes the files, synced.
func (b *builder) close() error {
	var work errgroup.Group
	work.SetLimit(syncsAtOnce)
	for _, f := range b.files {
		work.Go(func() error { return errors.Join(f.SyncAll(), f.Close()) })
	}
	clear(b.files)
	return work.Wait()
}

// finish makes the files those of a server that was at the point: recovery begins at the
// checkpoint.
func (b *builder) finish(point *engine.BackupPoint, checkpoint []byte) error {
	for _, s := range point.Segments {
		f, err := b.open(segmentName(s))
		if err == nil {
			err = f.Truncate(s.FileSize()) // the last one ends in zeros
		}
		if err != nil {
			return errors.Join(err, b.close())
		}
	}
	err := b.close()
	if err == nil {
		err = b.fs.SyncDir(filepath.Join(b.dir, "redo"))
	}
	if err == nil {
		err = b.fitList()
	}
	if err == nil {
		err = b.writeCheckpoint(point, checkpoint)
	}
	return err
}

// fitList makes the LRU list that of the new server: the tablespaces are the same.
func (b *builder) fitList() error {
	path := filepath.Join(b.dir, warm.DefaultFilename)
	l, err := warm.ReadList(b.fs, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, base.ErrCorrupt):
		return b.fs.Remove(path) // a list is a wish
	case err != nil:
		return err
	}
	l.UUID = b.uuid
	return l.WriteFile(b.fs, path)
}

// writeCheckpoint writes what recovery begins with, and what stands beside the binary log files.
func (b *builder) writeCheckpoint(point *engine.BackupPoint, checkpoint []byte) error {
	c, err := redo.DecodeCheckpoint(checkpoint)
	if err != nil {
		return err
	}
	if l := point.Binlog; l != nil {
		o := binlog.Options{Dir: b.dir, Base: l.Base, Index: filepath.Base(l.Index)}
		if err := binlog.RestoreIndex(b.fs, o, l.First, l.File, l.Resets); err != nil {
			return err
		}
		c.Blob, err = engine.RestoredBlob(c.Blob, ".", func(state []byte) ([]byte, error) {
			s, err := binlog.ParseState(state)
			if err == nil {
				err = s.Rebase(b.fs, filepath.Join(b.dir, l.Name(l.First)))
			}
			if err != nil {
				return nil, err
			}
			return s.Append(nil), nil
		})
		if err != nil {
			return err
		}
	}
	c.UUID = b.uuid
	return redo.WriteCheckpoint(b.fs, b.dir, *c)
}
