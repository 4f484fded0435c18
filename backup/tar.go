package backup

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"emberdb/internal/vfs"
)

// A tar file holds the objects of one backup, in the order in which they were written. It is made
// in one go, to a file or to standard output, and read where it lies.

// tarWriter is the store of a backup that is taken into a tar file.
type tarWriter struct {
	fs    vfs.FS
	path  string     // "": standard output
	out   *vfsWriter // nil: standard output
	mu    sync.Mutex
	tw    *tar.Writer
	whole bool // the manifest is in it
}

// vfsWriter writes a file from its start.
type vfsWriter struct {
	f   vfs.File
	off int64
}

// Write implements io.Writer.
func (w *vfsWriter) Write(p []byte) (int, error) {
	n, err := w.f.WriteAt(p, w.off)
	w.off += int64(n)
	return n, err
}

func newTarWriter(fsys vfs.FS, path string) (*tarWriter, error) {
	s := &tarWriter{fs: fsys, path: path}
	if path == "" {
		s.tw = tar.NewWriter(os.Stdout)
		return s, nil
	}
	f, err := fsys.Open(path+unfinished, vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return nil, err
	}
	s.out = &vfsWriter{f: f}
	s.tw = tar.NewWriter(s.out)
	return s, nil
}

// URL implements Store.
func (s *tarWriter) URL() string {
	if s.path == "" {
		return "-"
	}
	return s.path
}

// Put implements Store.
func (s *tarWriter) Put(ctx context.Context, name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.tw.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: int64(vfs.DefaultPerm), ModTime: time.Now()})
	if err == nil {
		_, err = s.tw.Write(data)
	}
	s.whole = s.whole || err == nil && strings.HasSuffix(name, "/manifest")
	return err
}

// Get implements Store.
func (s *tarWriter) Get(_ context.Context, name string, _, _ int64) ([]byte, error) {
	return nil, fmt.Errorf("%s: %w: the file is being written", name, ErrNoObject)
}

// List implements Store.
func (s *tarWriter) List(context.Context, string) ([]Object, error) { return nil, nil }

// Remove implements Store.
func (s *tarWriter) Remove(context.Context, string) error {
	return errors.New("nothing is removed from a tar file")
}

// Close completes the file. One without a manifest is removed.
func (s *tarWriter) Close() error {
	err := s.tw.Close()
	if s.out == nil {
		return err
	}
	if err == nil {
		err = s.out.f.SyncAll()
	}
	err = errors.Join(err, s.out.f.Close())
	if err != nil || !s.whole {
		return errors.Join(err, s.fs.Remove(s.path+unfinished))
	}
	if err := s.fs.Rename(s.path+unfinished, s.path); err != nil {
		return err
	}
	return s.fs.SyncDir(filepath.Dir(s.path))
}

// tarReader is the store of a tar file.
type tarReader struct {
	f       vfs.File
	path    string
	objects []Object
	at      map[string]int64 // where the bytes of an object begin
}

func openTar(fsys vfs.FS, path string) (*tarReader, error) {
	f, err := fsys.Open(path, vfs.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	s := &tarReader{f: f, path: path, at: map[string]int64{}}
	if err := s.scan(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// scan notes where the objects are.
func (s *tarReader) scan() error {
	size, err := s.f.Size()
	if err != nil {
		return err
	}
	in := io.NewSectionReader(s.f, 0, size)
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return damaged(s.path, "%v", err)
		}
		at, err := in.Seek(0, io.SeekCurrent) // the reader has read the header and no more
		if err != nil {
			return err
		}
		if at+h.Size > size {
			return damaged(s.path, "%s ends behind the file's end", h.Name)
		}
		s.objects = append(s.objects, Object{h.Name, h.Size})
		s.at[h.Name] = at
	}
	slices.SortFunc(s.objects, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// URL implements Store.
func (s *tarReader) URL() string { return s.path }

// Close implements Store.
func (s *tarReader) Close() error { return s.f.Close() }

// Put implements Store.
func (s *tarReader) Put(context.Context, string, []byte) error {
	return fmt.Errorf("%s: %w; a tar file holds one backup", s.path, fs.ErrExist)
}

// Get implements Store.
func (s *tarReader) Get(ctx context.Context, name string, off, n int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.objects, func(o Object) bool { return o.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%s in %s: %w", name, s.path, ErrNoObject)
	}
	size := s.objects[i].Size
	if n < 0 {
		n = size - off
	}
	if off < 0 || n < 0 || off+n > size {
		return nil, damaged(s.path+"/"+name, "it has %d bytes; %d at %d are missing", size, n, off)
	}
	data := make([]byte, n)
	if n == 0 {
		return data, nil
	}
	_, err := s.f.ReadAt(data, s.at[name]+off)
	return data, err
}

// List implements Store.
func (s *tarReader) List(_ context.Context, prefix string) ([]Object, error) {
	var out []Object
	for _, o := range s.objects {
		if strings.HasPrefix(o.Name, prefix) {
			out = append(out, o)
		}
	}
	return out, nil
}

// Remove implements Store.
func (s *tarReader) Remove(context.Context, string) error {
	return errors.New("nothing is removed from a tar file")
}
