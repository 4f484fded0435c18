package upgrade

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// window is larger than a directory: its redo, its pages and its doublewrite file repeat each other.
const window = 64 << 20

// pack writes the files of a directory that no server uses. Keys of TLS and sockets are left out.
func pack(t *testing.T, dir, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window))
	require.NoError(t, err)
	w := tar.NewWriter(z)
	require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) == ".pem" || !e.IsDir() && !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		h := &tar.Header{Mode: int64(info.Mode().Perm()), Typeflag: tar.TypeDir}
		if h.Name, err = filepath.Rel(dir, name); err != nil {
			return err
		}
		if e.IsDir() {
			return w.WriteHeader(h)
		}
		h.Typeflag, h.Size = tar.TypeReg, info.Size()
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		_, err = io.Copy(w, in)
		return err
	}))
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
}

// unpack makes a directory of what pack has written.
func unpack(t *testing.T, path, dir string) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(window))
	require.NoError(t, err)
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		name := filepath.Join(dir, h.Name)
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(name, fs.FileMode(h.Mode)))
			continue
		}
		out, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fs.FileMode(h.Mode))
		require.NoError(t, err)
		_, err = io.Copy(out, r)
		require.NoError(t, err)
		require.NoError(t, out.Close())
	}
}
