package recovery

import (
	"context"
	"emberdb/engine/buffer/buffertest"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// BenchmarkRecovery kills a pool with EMBER_REDO bytes of redo behind its checkpoint (256 MiB),
// from small changes of random pages and a few hot ones, as a transactional load makes them, and
// redoes it, all with direct I/O: ms until a server could open, until a page asked for then is
// there, s until all are redone, CPU seconds of all that, bytes of memory of the page index.
func BenchmarkRecovery(b *testing.B) {
	size := int64(256 << 20)
	if n, err := strconv.ParseInt(os.Getenv("EMBER_REDO"), 10, 64); err == nil {
		size = n
	}
	home := b.TempDir()
	for range b.N {
		h := &benchHome{dir: home, size: size}
		h.fill(b)
		h.recover(b)
	}
}

type benchHome struct {
	dir  string
	size int64
}

const benchPages = 40000 // 625 MiB

func (h *benchHome) open(b *testing.B, onRead bool) (*pagefile.Files, *redo.Log, *Redo, *buffer.Pool) {
	files, err := pagefile.Open(vfs.NewOS(slog.Default()), h.dir, pagefile.Options{OpenFiles: 10, Direct: true, Doublewrite: true})
	require.NoError(b, err)
	var pool *buffer.Pool
	log, cp, err := redo.Open(vfs.NewOS(slog.Default()), h.dir, redo.Options{Capacity: h.size*5/4 + 1<<30, Create: true, UUID: [16]byte{1}, Direct: true,
		Hot: func(ids []base.PageID) { pool.Flusher().WriteSoon(ids) }})
	require.NoError(b, err)
	o := buffer.Options{Frames: 64 << 10, MaxFrames: 64 << 10, Files: files, Log: log, IOCapacity: 1, IOCapacityMax: 1}
	r := New(Options{Log: log, Files: files, Budget: 256 << 20, Logger: slog.New(slog.DiscardHandler)}, cp.LSN)
	if onRead {
		o.Source = r
	}
	pool, err = buffer.New(o)
	require.NoError(b, err)
	return files, log, r, pool
}

// fill makes the redo, and ends as kill -9 does.
func (h *benchHome) fill(b *testing.B) {
	files, log, _, pool := h.open(b, false)
	if !files.Exists(base.FirstSpace) {
		require.NoError(b, files.Create(base.FirstSpace, benchPages))
	}
	end := log.CheckpointLSN()
	require.NoError(b, log.StartAt(end))
	for no := range base.PageNo(benchPages) {
		m := pool.Begin()
		_, err := buffertest.NewPage(m, base.PageID{Space: base.FirstSpace, No: no}, pagefile.TypeOverflow)
		require.NoError(b, err)
		m.Commit()
	}
	require.NoError(b, pool.Flusher().All())
	require.NoError(b, log.FlushTo(log.Appended()))
	require.NoError(b, log.SetCheckpoint(pool.Flusher().OldestDirty(), nil))
	rng := rand.New(rand.NewPCG(1, 1))
	for int64(log.Appended()-log.CheckpointLSN()) < h.size {
		m := pool.Begin()
		for k := range 3 {
			no := base.PageNo(rng.IntN(benchPages))
			if k == 0 {
				no %= 50
			}
			pg, err := m.Pin(base.PageID{Space: base.FirstSpace, No: no}, buffer.Exclusive)
			require.NoError(b, err)
			var buf [90]byte
			buf[0] = byte(rng.Uint32())
			m.WriteBytes(pg, pagefile.HeaderSize+rng.IntN(16000), buf[:])
		}
		m.Commit()
	}
	require.NoError(b, log.FlushTo(log.Appended()))
	require.NoError(b, pool.Close())
	require.NoError(b, log.Close())
	require.NoError(b, files.Close())
}

func (h *benchHome) recover(b *testing.B) {
	began, cpu := time.Now(), cpuTime()
	files, log, r, pool := h.open(b, true)
	require.NoError(b, r.Scan(pool))
	opened := time.Since(began)
	total := r.Left()
	asked := time.Now()
	for _, no := range []base.PageNo{7, 30000} { // a hot one and a cold one
		m := pool.BeginRead()
		_, err := m.Pin(base.PageID{Space: base.FirstSpace, No: no}, buffer.Shared)
		require.NoError(b, err)
		m.Commit()
		b.ReportMetric(float64(time.Since(asked).Microseconds())/1000, fmt.Sprintf("ms-page-%d", no))
		asked = time.Now()
	}
	require.NoError(b, r.Finish(context.Background(), nil, nil))
	s := r.Stats()
	b.Logf("%+v", s)
	b.ReportMetric(float64(opened.Microseconds())/1000, "ms-open")
	b.ReportMetric(time.Since(began).Seconds(), "s-redone")
	b.ReportMetric((cpuTime() - cpu).Seconds(), "cpu-s")
	b.ReportMetric(float64(s.IndexBytes), "index-bytes")
	b.ReportMetric(float64(total), "pages")
	require.NoError(b, pool.Flusher().All())
	require.NoError(b, log.FlushTo(log.Appended()))
	require.NoError(b, log.SetCheckpoint(log.Appended(), nil))
	require.NoError(b, pool.Close())
	require.NoError(b, log.Close())
	require.NoError(b, files.Close())
}

func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
