package pagefile

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// FuzzDoublewrite opens a directory whose doublewrite area begins with any bytes, their checksum
// made right: RepairTorn refuses the area or looks at the pages that it names, and changes none
// that is whole.
func FuzzDoublewrite(f *testing.F) {
	header := func(version, pages uint32, entries ...uint32) []byte {
		b := make([]byte, dwEntries, dwHeaderSize)
		copy(b, doublewriteMagic)
		binary.LittleEndian.PutUint32(b[8:], version)
		binary.LittleEndian.PutUint32(b[16:], pages)
		for _, e := range entries {
			b = binary.LittleEndian.AppendUint32(b, e)
		}
		return b
	}
	f.Add(header(1, 0))
	f.Add(header(1, 1, 20, 1, 7, 0))
	f.Add(header(1, 2, 20, 1<<31, 0, 0, 1<<32-1, 0, 0, 0))
	f.Add(header(1, doublewriteSlots+1))
	f.Add(header(1, 1<<32-1))
	f.Add(header(2, 1))
	f.Add([]byte("EMBRDBL"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := vfs.NewMem(1)
		require.NoError(t, fsys.MkdirAll("d"))
		files := mustOpen(t, fsys, "d", Options{Doublewrite: true})
		require.NoError(t, files.Create(20, 3))
		id := base.PageID{Space: 20, No: 1}
		require.NoError(t, files.WriteBatch([]base.PageID{id}, [][]byte{newPage(id, 1)}))
		require.NoError(t, files.Close())

		h := make([]byte, dwHeaderSize)
		copy(h, data)
		binary.LittleEndian.PutUint32(h[12:], 0)
		binary.LittleEndian.PutUint32(h[12:], crc32.Checksum(h, castagnoli))
		area, err := fsys.Open(filepath.Join("d", DoublewriteFile), vfs.Options{})
		require.NoError(t, err)
		_, err = area.WriteAt(h, 0)
		require.NoError(t, err)
		require.NoError(t, area.Close())

		files = mustOpen(t, fsys, "d", Options{Doublewrite: true})
		r, err := files.RepairTorn()
		if err != nil {
			require.True(t, errors.Is(err, base.ErrCorrupt), "%v", err)
		}
		require.LessOrEqual(t, r.Batch, doublewriteSlots)
		require.Empty(t, r.Pages, "no page is torn")
		requirePage(t, files, id, 1)
		require.NoError(t, files.Close())
	})
}
