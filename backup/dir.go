package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"emberdb/internal/vfs"
)

// dirStore keeps objects as files below a directory. An object is written beside its place and
// renamed, so that it is there whole or not at all.
type dirStore struct {
	fs  vfs.FS
	dir string
}

const unfinished = ".part"

func newDirStore(fsys vfs.FS, dir string) *dirStore { return &dirStore{fsys, dir} }

func (s *dirStore) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// URL implements Store.
func (s *dirStore) URL() string { return s.dir }

// Close implements Store.
func (s *dirStore) Close() error { return nil }

// Put implements Store.
func (s *dirStore) Put(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := s.path(name)
	if err := s.fs.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	if err := s.write(path+unfinished, data); err != nil {
		return errors.Join(err, s.Remove(ctx, name+unfinished))
	}
	if err := s.fs.Rename(path+unfinished, path); err != nil {
		return err
	}
	return s.fs.SyncDir(filepath.Dir(path))
}

// directFrom is the length from which an object is written past the page cache: neither its writing
// nor its sync gets in the way of what others write.
const directFrom = 1 << 20

// directWrite is how much of it one call writes.
const directWrite = 4 << 20

// write makes a file of data, durably.
func (s *dirStore) write(path string, data []byte) error {
	if len(data) < directFrom {
		return vfs.WriteFile(s.fs, path, data)
	}
	f, err := s.fs.Open(path, vfs.Options{Create: true, Truncate: true, Direct: true})
	if err != nil {
		return err
	}
	whole := int64(len(data) / vfs.BlockSize * vfs.BlockSize)
	for off := int64(0); off < whole && err == nil; off += directWrite {
		_, err = f.WriteAt(data[off:min(off+directWrite, whole)], off)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if f, err = s.fs.Open(path, vfs.Options{}); err != nil {
		return err
	}
	if whole < int64(len(data)) { // less than a block
		_, err = f.WriteAt(data[whole:], whole)
	}
	if err == nil {
		err = f.SyncAll()
	}
	return errors.Join(err, f.Close())
}

// Get implements Store.
func (s *dirStore) Get(ctx context.Context, name string, off, n int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := s.fs.Open(s.path(name), vfs.Options{ReadOnly: true})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", s.path(name), ErrNoObject)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if n < 0 {
		n = size - off
	}
	if off < 0 || n < 0 || off+n > size {
		return nil, damaged(s.path(name), "it has %d bytes; %d at %d are missing", size, n, off)
	}
	data := make([]byte, n)
	if _, err := f.ReadAt(data, off); err != nil && !(errors.Is(err, io.EOF) && n == 0) {
		return nil, err
	}
	return data, nil
}

// List implements Store.
func (s *dirStore) List(ctx context.Context, prefix string) ([]Object, error) {
	var out []Object
	err := s.walk(ctx, "", prefix, &out)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return out, err
}

func (s *dirStore) walk(ctx context.Context, at, prefix string, out *[]Object) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	names, err := s.fs.List(s.path(at))
	if err != nil {
		return err
	}
	for _, n := range names {
		name := at + n
		info, err := s.fs.Stat(s.path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.Dir:
			if dir := name + "/"; strings.HasPrefix(dir, prefix) || strings.HasPrefix(prefix, dir) {
				if err := s.walk(ctx, dir, prefix, out); err != nil {
					return err
				}
			}
		case strings.HasPrefix(name, prefix) && !strings.HasSuffix(name, unfinished):
			*out = append(*out, Object{name, info.Size})
		}
	}
	return nil
}

// Remove implements Store. It removes a folder that becomes empty.
func (s *dirStore) Remove(_ context.Context, name string) error {
	path := s.path(name)
	if err := s.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := filepath.Dir(path)
	if names, err := s.fs.List(dir); err == nil && len(names) == 0 && dir != s.dir {
		_ = s.fs.Remove(dir) // an empty folder is no backup
		return nil
	}
	return s.fs.SyncDir(dir)
}
