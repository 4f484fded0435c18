package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"emberdb/internal/base"
)

// checkpointBlob travels in the checkpoint record: what a start must know before it reads the log.
type checkpointBlob struct {
	NextTrx base.TrxID `json:"next_trx"`
	// Clean tells that the server was shut down in order: nothing follows the checkpoint.
	Clean bool `json:"clean,omitempty"`
	// Messages is the LSN up to which the log's records without a page are in this blob: a start
	// does not look for older ones, but for drops of tablespaces.
	Messages base.LSN `json:"messages,omitempty"`
	// Binlog is where the binary log stood.
	Binlog *binlogBlob `json:"binlog,omitempty"`
}

// checkpointer advances the checkpoint behind the page cleaner.
type checkpointer struct {
	e    *Engine
	wake chan struct{}
	quit chan struct{}
	done chan struct{}

	messages base.LSN // of the last blob; checkpointMu
}

const (
	checkpointEvery = time.Second
	// messagesEvery is how much log there may be whose messages are in no blob, while the
	// checkpoint itself stands.
	messagesEvery = 64 << 20
)

func newCheckpointer(e *Engine) *checkpointer {
	return &checkpointer{e: e, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
}

// needRoom is called by the log when writers wait for the checkpoint to advance.
func (c *checkpointer) needRoom() {
	if c.e.pool != nil {
		c.e.pool.Flusher().Wake()
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// hotPages is told which pages are changed all the time.
func (c *checkpointer) hotPages(pages []base.PageID) {
	if c.e.pool != nil {
		c.e.pool.Flusher().WriteSoon(pages)
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
			c.e.target.tick()
		case <-c.wake:
			// Writers wait: the cleaner is at work; look again soon until there is room.
			time.Sleep(5 * time.Millisecond)
		}
		err := c.e.Checkpoint()
		if err != nil && !errors.Is(err, base.ErrDiskFull) {
			err = c.e.failure.Enter(fmt.Errorf("checkpoint: %w", err)) // the log would fill, and writers would wait for room for ever
		}
		c.e.log.NoRoom(err) // a full disk: the binary log waits for room, and redo is kept for it
	}
}

func (c *checkpointer) stop() {
	close(c.quit)
	<-c.done
}

// Checkpoint records how far every change has reached its page. It writes no page itself: it
// follows the page cleaner.
func (e *Engine) Checkpoint() error {
	e.checkpointMu.Lock()
	defer e.checkpointMu.Unlock()
	end := e.log.Appended() // before OldestDirty: a change made in between only keeps the checkpoint back
	lsn := e.pool.Flusher().OldestDirty()
	if lsn == 0 {
		lsn = end
	}
	if lsn <= e.log.CheckpointLSN() && end < e.checkpoint.messages+messagesEvery {
		return nil
	}
	return e.setCheckpoint(max(lsn, e.log.CheckpointLSN()), false)
}

// setCheckpoint writes the checkpoint record. REQUIRES: checkpointMu, or the engine is alone.
func (e *Engine) setCheckpoint(lsn base.LSN, clean bool) error {
	messages := max(lsn, e.checkpoint.messages)
	if end := e.log.Appended(); end >= messages+messagesEvery {
		messages = end
	}
	return e.storeCheckpoint(lsn, messages, clean)
}

// storeCheckpoint writes the checkpoint record, with the binary log's state at messages. REQUIRES:
// checkpointMu, or the engine is alone; messages is at or behind lsn and that of the last checkpoint.
func (e *Engine) storeCheckpoint(lsn, messages base.LSN, clean bool) error {
	if err := e.log.FlushTo(messages); err != nil {
		return err
	}
	log, upTo, err := e.binlogState(messages)
	if err != nil {
		return err
	}
	blob, err := json.Marshal(checkpointBlob{NextTrx: e.txns.NextReservedID(), Clean: clean, Messages: messages, Binlog: log})
	if err != nil {
		return err
	}
	if err := e.log.FlushTo(upTo); err != nil {
		return err
	}
	if err := e.log.SetCheckpoint(lsn, blob); err != nil {
		return err
	}
	e.checkpoint.messages = messages
	return e.passRestored(lsn)
}
