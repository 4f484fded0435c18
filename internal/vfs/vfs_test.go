package vfs

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

// each runs a test on both file systems; dir is an empty folder.
func each(t *testing.T, fn func(t *testing.T, fsys FS, dir string)) {
	t.Run("os", func(t *testing.T) { fn(t, NewOS(slog.New(slog.DiscardHandler)), t.TempDir()) })
	t.Run("mem", func(t *testing.T) {
		m := NewMem(1)
		require.NoError(t, m.MkdirAll("/data"))
		fn(t, m, "/data")
	})
}

func TestOpenOptions(t *testing.T) {
	each(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		_, err := fsys.Open(name, Options{})
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = fsys.Open(filepath.Join(dir, "no", "f"), Options{Create: true})
		require.ErrorIs(t, err, fs.ErrNotExist)
		f, err := fsys.Open(name, Options{Create: true, Exclusive: true})
		require.NoError(t, err)
		require.Equal(t, name, f.Name())
		n, err := f.WriteAt([]byte("hello"), 3)
		require.NoError(t, err)
		require.Equal(t, 5, n)
		require.NoError(t, f.Close())
		_, err = fsys.Open(name, Options{Create: true, Exclusive: true})
		require.ErrorIs(t, err, fs.ErrExist)

		f, err = fsys.Open(name, Options{ReadOnly: true})
		require.NoError(t, err)
		_, err = f.WriteAt([]byte("x"), 0)
		require.Error(t, err)
		b := make([]byte, 20)
		n, err = f.ReadAt(b, 0)
		require.Equal(t, io.EOF, err)
		require.Equal(t, "\x00\x00\x00hello", string(b[:n]))
		n, err = f.ReadAt(b[:5], 3)
		require.NoError(t, err)
		require.Equal(t, "hello", string(b[:n]))
		n, err = f.ReadAt(b, 100)
		require.Equal(t, io.EOF, err)
		require.Zero(t, n)
		require.NoError(t, f.Close())

		info, err := fsys.Stat(name)
		require.NoError(t, err)
		require.Equal(t, FileInfo{Name: "f", Size: 8}, info)
		info, err = fsys.Stat(dir)
		require.NoError(t, err)
		require.True(t, info.Dir)
		f, err = fsys.Open(name, Options{Truncate: true})
		require.NoError(t, err)
		size, err := f.Size()
		require.NoError(t, err)
		require.Zero(t, size)
		require.NoError(t, f.Close())
	})
}

// TestTemporary: a temporary file has no name, so that nothing is left of it, and is written and
// read like others.
func TestTemporary(t *testing.T) {
	each(t, func(t *testing.T, fsys FS, dir string) {
		_, err := fsys.Open(filepath.Join(dir, "no"), Options{Temporary: true})
		require.ErrorIs(t, err, fs.ErrNotExist)
		f, err := fsys.Open(dir, Options{Temporary: true})
		require.NoError(t, err)
		_, err = f.WriteAt([]byte("hello"), 10_000)
		require.NoError(t, err)
		names, err := fsys.List(dir)
		require.NoError(t, err)
		require.Empty(t, names)
		b := make([]byte, 5)
		_, err = f.ReadAt(b, 10_000)
		require.NoError(t, err)
		require.Equal(t, "hello", string(b))
		require.NoError(t, f.Close())
	})
}

func TestNames(t *testing.T) {
	each(t, func(t *testing.T, fsys FS, dir string) {
		sub := filepath.Join(dir, "a", "b")
		require.NoError(t, fsys.MkdirAll(sub))
		require.NoError(t, fsys.MkdirAll(sub))
		for _, name := range []string{"z", "x", "y"} {
			f, err := fsys.Open(filepath.Join(sub, name), Options{Create: true})
			require.NoError(t, err)
			_, err = f.WriteAt([]byte(name), 0)
			require.NoError(t, err)
			require.NoError(t, f.Close())
		}
		names, err := fsys.List(sub)
		require.NoError(t, err)
		require.Equal(t, []string{"x", "y", "z"}, names)
		require.NoError(t, fsys.Rename(filepath.Join(sub, "x"), filepath.Join(sub, "y")))
		require.NoError(t, fsys.Remove(filepath.Join(sub, "z")))
		require.ErrorIs(t, fsys.Remove(filepath.Join(sub, "z")), fs.ErrNotExist)
		require.ErrorIs(t, fsys.Rename(filepath.Join(sub, "x"), filepath.Join(sub, "q")), fs.ErrNotExist)
		require.NoError(t, fsys.SyncDir(sub))
		names, err = fsys.List(sub)
		require.NoError(t, err)
		require.Equal(t, []string{"y"}, names)
		f, err := fsys.Open(filepath.Join(sub, "y"), Options{})
		require.NoError(t, err)
		b := make([]byte, 1)
		_, err = f.ReadAt(b, 0)
		require.NoError(t, err)
		require.Equal(t, "x", string(b))
		require.NoError(t, f.Close())
		names, err = fsys.List(filepath.Join(dir, "a"))
		require.NoError(t, err)
		require.Equal(t, []string{"b"}, names)
		_, err = fsys.List(filepath.Join(dir, "none"))
		require.ErrorIs(t, err, fs.ErrNotExist)
		free, err := fsys.FreeBytes(dir)
		require.NoError(t, err)
		require.Positive(t, free)
	})
}

func TestLock(t *testing.T) {
	each(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "lock")
		held, err := fsys.Lock(name)
		require.NoError(t, err)
		_, err = fsys.Lock(name)
		require.ErrorIs(t, err, base.ErrInUse)
		_ = fsys.Remove(name) // memory has no file
		_, err = fsys.Lock(name)
		require.ErrorIs(t, err, base.ErrInUse, "the file was removed")
		require.NoError(t, held.Close())
		held, err = fsys.Lock(name)
		require.NoError(t, err)
		require.NoError(t, held.Close())
	})
}

// Both file systems do the same to a file as a plain byte slice does, with and without direct I/O,
// whatever the memory is aligned to.
func TestFileModel(t *testing.T) {
	for _, direct := range []bool{false, true} {
		t.Run(fmt.Sprintf("direct %v", direct), func(t *testing.T) {
			each(t, func(t *testing.T, fsys FS, dir string) { fileModel(t, fsys, dir, direct) })
		})
	}
}

func fileModel(t *testing.T, fsys FS, dir string, direct bool) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	f, err := fsys.Open(filepath.Join(dir, "f"), Options{Create: true, Direct: direct})
	require.NoError(t, err)
	defer f.Close()
	var model []byte
	unit := 1
	if direct {
		unit = BlockSize
	}
	grow := func(n int) {
		if n > len(model) {
			model = append(model, make([]byte, n-len(model))...)
		}
	}
	for range 300 {
		off, n := rng.IntN(20)*unit, rng.IntN(8)*unit
		bufs := pieces(rng, n, unit)
		switch rng.IntN(6) {
		case 0, 1:
			for _, b := range bufs {
				for i := range b {
					b[i] = byte(rng.Uint32())
				}
			}
			done, err := f.WriteVAt(bufs, int64(off))
			require.NoError(t, err)
			require.Equal(t, n, done)
			if n > 0 {
				grow(off + n)
			}
			copy(model[min(off, len(model)):], bytes.Join(bufs, nil))
		case 2:
			require.NoError(t, f.Allocate(int64(off), int64(n+unit)))
			grow(off + n + unit)
		case 3:
			require.NoError(t, f.PunchHole(int64(off), int64(n+unit)))
			clear(model[min(off, len(model)):min(off+n+unit, len(model))])
		case 4:
			require.NoError(t, f.Truncate(int64(off)))
			grow(off)
			model = model[:off:off]
		case 5:
			require.NoError(t, f.Sync())
			require.NoError(t, f.SyncAll())
		}
		size, err := f.Size()
		require.NoError(t, err)
		require.Equal(t, len(model), int(size))
		done, err := f.ReadVAt(bufs, int64(off))
		want := model[min(off, len(model)):min(off+n, len(model))]
		require.True(t, bytes.Equal(want, bytes.Join(bufs, nil)[:done]))
		require.Equal(t, len(want) < n, err == io.EOF)
	}
}

// pieces cuts n bytes into buffers, some of them aligned.
func pieces(rng *rand.Rand, n, unit int) (bufs [][]byte) {
	for n > 0 {
		k := min(n, (1+rng.IntN(3))*unit)
		if rng.IntN(3) == 0 {
			bufs = append(bufs, make([]byte, k+1)[1:])
		} else {
			bufs = append(bufs, AlignedBlock(k))
		}
		n -= k
	}
	return bufs
}

// More buffers than one system call takes go through all the same.
func TestManyBuffers(t *testing.T) {
	each(t, func(t *testing.T, fsys FS, dir string) {
		f, err := fsys.Open(filepath.Join(dir, "f"), Options{Create: true})
		require.NoError(t, err)
		defer f.Close()
		out, in := make([][]byte, 3000), make([][]byte, 3000)
		for i := range out {
			out[i] = []byte(fmt.Sprintf("%05d", i))
			in[i] = make([]byte, 5)
		}
		n, err := f.WriteVAt(out, 7)
		require.NoError(t, err)
		require.Equal(t, 15000, n)
		n, err = f.ReadVAt(in, 7)
		require.NoError(t, err)
		require.Equal(t, 15000, n)
		require.Equal(t, out, in)
	})
}

// Short counts are resumed in the middle of a buffer.
func TestVectoredResumes(t *testing.T) {
	bufs := [][]byte{[]byte("abc"), []byte("defgh"), []byte("i")}
	var got []byte
	n, err := vectored(bufs, 10, func(vec [][]byte, off int64) (int, error) {
		require.Equal(t, int64(10+len(got)), off)
		all := bytes.Join(vec, nil)
		k := min(2, len(all))
		got = append(got, all[:k]...)
		return k, nil
	})
	require.NoError(t, err)
	require.Equal(t, 9, n)
	require.Equal(t, "abcdefghi", string(got))
	require.Equal(t, "abc", string(bufs[0]), "the caller's slices are left alone")
}

func TestAlignedBlock(t *testing.T) {
	for _, n := range []int{1, 512, 4096, 10000, 1 << 20} {
		b := AlignedBlock(n)
		require.Len(t, b, n)
		require.Equal(t, n, cap(b))
		require.True(t, Aligned(b))
	}
}
