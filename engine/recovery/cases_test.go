package recovery

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"

	_ "emberdb/engine/buffer" // registers the operations on any page
)

// TestCases goes through the decision table of the package comment.
func TestCases(t *testing.T) {
	id := base.PageID{Space: base.FirstSpace, No: 3}
	initPage := redo.Record{Op: redo.OpInitPage, Page: id, Body: []byte{16, 0, 0, 0, 3, 0, 0, 0, byte(pagefile.TypeOverflow)}} // space, page, type
	write := func(b byte) redo.Record {
		return redo.Record{Op: redo.OpWriteBytes, Page: id, Body: []byte{40, 0, b}} // u16 offset 40, the byte
	}
	type entry struct {
		rec        redo.Record
		start, end base.LSN
	}
	onDisk := func(lsn base.LSN, b byte) []byte {
		page := make([]byte, base.PageSize)
		pagefile.Init(page, id, pagefile.TypeOverflow)
		pagefile.SetLSN(page, lsn)
		page[40] = b
		return page
	}
	zeros := make([]byte, base.PageSize)
	cases := []struct {
		name             string
		page             []byte
		chain            []entry
		oldest, lsn      base.LSN
		b                byte
		corrupt          bool
		applied, skipped int64
	}{
		{"no chain", onDisk(100, 7), nil, 0, 100, 7, false, 0, 0},
		{"the disk has it all", onDisk(100, 7), []entry{{write(1), 80, 90}, {write(2), 90, 100}}, 0, 100, 7, false, 0, 2},
		{"the disk has some of it", onDisk(100, 7), []entry{{write(1), 80, 90}, {write(2), 90, 100}, {write(3), 110, 120}, {write(4), 110, 120}, {write(5), 130, 140}}, 110, 140, 5, false, 3, 2},
		{"never written, the chain creates it", zeros, []entry{{initPage, 80, 90}, {write(3), 80, 90}}, 80, 90, 3, false, 2, 0},
		{"never written, the chain does not create it", zeros, []entry{{write(3), 80, 90}}, 0, 0, 0, true, 0, 0},
		{"created anew over an older page", onDisk(50, 7), []entry{{initPage, 80, 90}, {write(3), 90, 100}}, 80, 100, 3, false, 2, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files, err := pagefile.Open(vfs.NewMem(1), "/d", pagefile.Options{OpenFiles: 10})
			require.NoError(t, err)
			defer files.Close()
			r := New(Options{Files: files, Logger: slog.New(slog.DiscardHandler)}, 80)
			for _, e := range c.chain {
				r.chains.add(e.rec, e.start, e.end)
			}
			page := append([]byte(nil), c.page...)
			oldest, err := r.OnRead(id, page)
			if c.corrupt {
				require.ErrorIs(t, err, base.ErrCorrupt)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.oldest, oldest)
			require.Equal(t, c.lsn, pagefile.LSN(page))
			require.Equal(t, c.b, page[40])
			require.Equal(t, id, pagefile.ID(page))
			s := r.Stats()
			require.Equal(t, c.applied, s.Applied)
			require.Equal(t, c.skipped, s.Skipped)
			require.Zero(t, r.Pending(), "a chain is taken once")
		})
	}
}
