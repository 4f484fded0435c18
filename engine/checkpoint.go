package engine

import (
	"encoding/json"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
)

// checkpointBlob travels in the checkpoint record: what a start must know before it reads the log.
type checkpointBlob struct {
	NextTrx base.TrxID `json:"next_trx"`
	// Clean tells that the server was shut down in order: nothing follows the checkpoint.
	Clean bool `json:"clean,omitempty"`
	// Binlog is where the binary log stood.
	Binlog *binlogBlob `json:"binlog,omitempty"`
}

// checkpointer advances the checkpoint behind the page cleaner.
type checkpointer struct {
	e      *Engine
	wake   chan struct{}
	quit   chan struct{}
	done   chan struct{}
	failed atomic.Bool
}

const checkpointEvery = time.Second

func newCheckpointer(e *Engine) *checkpointer {
	return &checkpointer{e: e, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
}

// needRoom is called by the log when writers wait for the checkpoint to advance.
func (c *checkpointer) needRoom() {
	if c.e.pool != nil {
		c.e.pool.WakeCleaner()
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *checkpointer) run() {
	defer close(c.done)
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.quit:
			return
		case <-tick.C:
		case <-c.wake:
			// Writers wait: the cleaner is at work; look again soon until there is room.
			time.Sleep(5 * time.Millisecond)
		}
		if err := c.e.Checkpoint(); err != nil && !c.failed.Swap(true) {
			c.e.o.Logger.Error("checkpoint failed; the engine refuses writes until restarted", "err", err)
		}
	}
}

func (c *checkpointer) stop() {
	close(c.quit)
	<-c.done
}

// Checkpoint records how far every change has reached its page. It writes no page itself: it follows the page cleaner.
func (e *Engine) Checkpoint() error {
	e.checkpointMu.Lock()
	defer e.checkpointMu.Unlock()
	end := e.log.Appended() // before OldestDirty: a change made in between only keeps the checkpoint back
	lsn := e.pool.OldestDirty()
	if lsn == 0 {
		lsn = end
	}
	if lsn <= e.log.CheckpointLSN() {
		return nil
	}
	return e.setCheckpoint(lsn, false)
}

// setCheckpoint writes the checkpoint record. REQUIRES: checkpointMu, or the engine is alone.
func (e *Engine) setCheckpoint(lsn base.LSN, clean bool) error {
	if err := e.log.FlushTo(lsn); err != nil {
		return err
	}
	log, upTo, err := e.binlogState(lsn)
	if err != nil {
		return err
	}
	blob, err := json.Marshal(checkpointBlob{NextTrx: e.txns.NextReservedID(), Clean: clean, Binlog: log})
	if err != nil {
		return err
	}
	if err := e.log.FlushTo(upTo); err != nil {
		return err
	}
	return e.log.SetCheckpoint(lsn, blob)
}
