// Package buffertest is what the tests of the rooms above the buffer pool share: files, log and
// pool of a directory, and the way back after a crash without package recovery, which stands above
// those rooms.
package buffertest

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Open opens the directory "data" of fsys with a pool of so many frames. Errors are returned: power
// may be lost at any moment.
func Open(fsys vfs.FS, frames int) (files *pagefile.Files, log *redo.Log, pool *buffer.Pool, cp redo.Checkpoint, err error) {
	if files, err = pagefile.Open(fsys, "data", pagefile.Options{OpenFiles: 16, Doublewrite: true}); err != nil {
		return nil, nil, nil, cp, err
	}
	wake := func() {
		if pool != nil {
			pool.Flusher().Wake()
		}
	}
	log, cp, err = redo.Open(fsys, "data", redo.Options{Capacity: 64 << 20, SegmentSize: 8 << 20, Create: true, NeedRoom: wake})
	if err != nil {
		return nil, nil, nil, cp, errors.Join(err, files.Close())
	}
	pool, err = buffer.New(buffer.Options{Frames: frames, MaxFrames: frames, Files: files, Log: log, IOCapacity: 200000, OldTime: -1})
	return files, log, pool, cp, err
}

// NewPage makes a page.
func NewPage(m *buffer.Mtr, id base.PageID, t pagefile.PageType) (buffer.Page, error) {
	fresh, err := m.ReserveNew(id)
	if err != nil {
		return buffer.Page{}, err
	}
	return m.Create(fresh, t), nil
}

// Flush writes the log and all dirty pages, and returns where a checkpoint may stand.
func Flush(log *redo.Log, pool *buffer.Pool) (base.LSN, error) {
	if err := log.FlushTo(log.Appended()); err != nil {
		return 0, err
	}
	if err := pool.Flusher().All(); err != nil {
		return 0, err
	}
	return min(pool.Flusher().OldestDirty(), log.Durable()), nil
}

// Checkpoints calls checkpoint every 20 ms until the test ends, so that the log never fills.
func Checkpoints(t testing.TB, checkpoint func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				checkpoint()
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-done })
}

// Replay repairs torn pages, reads the log from the checkpoint, applies to every page what it
// lacks, writes it, and lets the log begin where it ended, which it returns. Records that belong to
// no page are given to other.
func Replay(t testing.TB, files *pagefile.Files, log *redo.Log, from base.LSN, other func(redo.Record)) base.LSN {
	_, err := files.RepairTorn()
	require.NoError(t, err)
	type change struct {
		rec redo.Record
		end base.LSN
	}
	pages := map[base.PageID][]change{}
	end := from
	for r := log.NewReader(from); ; {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		for rec, err := range redo.Records(bytes.Clone(g.Payload)) {
			require.NoError(t, err)
			require.NotContains(t, redo.Describe(rec), "damaged")
			if rec.Op >= redo.OpFirstPage {
				pages[rec.Page] = append(pages[rec.Page], change{rec, g.End})
			} else if other != nil {
				other(rec)
			}
		}
		end = g.End
	}
	for id, list := range pages {
		page := vfs.AlignedBlock(base.PageSize)
		if err := files.Read(id, page); err != nil {
			require.Equal(t, redo.OpInitPage, list[0].rec.Op, "page %s: %v", id, err)
			clear(page)
		}
		for _, c := range list {
			if c.end > pagefile.LSN(page) {
				require.NoError(t, redo.Apply(c.rec, page), "page %s: %s", id, redo.Describe(c.rec))
			}
		}
		pagefile.SetLSN(page, list[len(list)-1].end)
		require.NoError(t, files.WriteBatch([]base.PageID{id}, [][]byte{page}))
	}
	require.NoError(t, log.StartAt(end))
	return end
}
