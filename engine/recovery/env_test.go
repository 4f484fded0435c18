package recovery

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// env is files, log, pool and recovery of a directory, without the rooms above.
type env struct {
	fs    *vfs.Mem
	files *pagefile.Files
	log   *redo.Log
	pool  *buffer.Pool
	redo  *Redo
	told  bytes.Buffer // what the logger was told

	kick, quit, done chan struct{} // of the checkpointer
}

type envOptions struct {
	frames   int
	budget   int64
	messages base.LSN
	onRecord func(rec redo.Record, lsn base.LSN) error
	capacity int64
	segment  int64
	plain    bool // no doublewrite
	still    bool // pages are hardly written before somebody asks
}

const dir = "/data"

// open opens the directory up to the end of Scan, whose error it returns with a usable env.
func openEnv(t testing.TB, fs *vfs.Mem, o envOptions) (e *env, err error) {
	t.Helper()
	e = &env{fs: fs, kick: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	logger := slog.New(slog.NewTextHandler(&e.told, &slog.HandlerOptions{Level: slog.LevelWarn}))
	defer func() {
		if err != nil {
			close(e.done)
		} else {
			go e.checkpoints()
		}
	}()
	if e.files, err = pagefile.Open(fs, dir, pagefile.Options{OpenFiles: 20, Doublewrite: !o.plain}); err != nil {
		return e, err
	}
	if _, err = e.files.RepairTorn(); err != nil {
		return e, err
	}
	var cp redo.Checkpoint
	e.log, cp, err = redo.Open(fs, dir, redo.Options{Capacity: o.capacity, SegmentSize: o.segment, BufferSize: 64 << 10, Create: true,
		UUID: [16]byte{1}, NeedRoom: e.needRoom, Hot: func(ids []base.PageID) { e.pool.Flusher().WriteSoon(ids) }})
	if err != nil {
		return e, err
	}
	e.redo = New(Options{Log: e.log, Files: e.files, Budget: o.budget, MessagesFrom: o.messages, OnRecord: o.onRecord, Logger: logger}, cp.LSN)
	bo := buffer.Options{Frames: o.frames, MaxFrames: o.frames, Files: e.files, Log: e.log, Source: e.redo}
	if o.still {
		bo.IOCapacity, bo.IOCapacityMax = 1, 1
	}
	e.pool, err = buffer.New(bo)
	require.NoError(t, err)
	return e, e.redo.Scan(e.pool)
}

func (e *env) needRoom() {
	if e.pool != nil {
		e.pool.Flusher().Wake()
	}
	select {
	case e.kick <- struct{}{}:
	default:
	}
}

// checkpoints follows the cleaner as the engine's checkpointer does.
func (e *env) checkpoints() {
	defer close(e.done)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	waiting := false
	for {
		select {
		case <-e.quit:
			return
		case <-e.kick:
			waiting = true
		case <-tick.C:
		}
		if waiting {
			e.checkpoint()
		}
	}
}

func (e *env) checkpoint() {
	if lsn := e.pool.Flusher().OldestDirty(); lsn > e.log.CheckpointLSN() && e.log.FlushTo(lsn) == nil {
		_ = e.log.SetCheckpoint(lsn, nil) // a failure shows elsewhere
	}
}

// close ends all goroutines, as death does.
func (e *env) close() {
	close(e.quit)
	<-e.done
	if e.pool != nil {
		_ = e.pool.Close()
	}
	if e.log != nil {
		_ = e.log.Close()
	}
	if e.files != nil {
		_ = e.files.Close()
	}
}

// body returns a page's bytes behind the header.
func (e *env) body(id base.PageID) ([]byte, error) {
	m := e.pool.BeginRead()
	defer m.Commit()
	pg, err := m.Pin(id, buffer.Shared)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(pg.Data()[pagefile.HeaderSize:]), nil
}
