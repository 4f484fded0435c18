package txn

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// orderedJournal notes the order in which transactions are placed.
type orderedJournal struct {
	all   *journalOrder
	id    base.TrxID
	waits bool
}

type journalOrder struct {
	held sync.Mutex // from Order to Placed
	mu   sync.Mutex
	ids  []base.TrxID
	// of those that wait, which need wait no more
	waiting, confirmed map[base.TrxID]bool
}

func (j *orderedJournal) Order() error {
	j.all.held.Lock()
	return nil
}

func (j *orderedJournal) Log(*buffer.Mtr) {
	j.all.mu.Lock()
	j.all.ids = append(j.all.ids, j.id)
	j.all.mu.Unlock()
}

func (j *orderedJournal) Waits() bool     { return j.waits }
func (j *orderedJournal) Placed(base.LSN) { j.all.held.Unlock() }
func (j *orderedJournal) Abandon()        { j.all.held.Unlock() }

// Durable waits as for a replica: nobody may see the transaction meanwhile.
func (j *orderedJournal) Durable(base.LSN) {
	if j.waits {
		runtime.Gosched()
		j.all.mu.Lock()
		j.all.confirmed[j.id] = true
		j.all.mu.Unlock()
	}
}

// TestVisibleInJournalOrder: what a view sees of the journal is a prefix of it.
func TestVisibleInJournalOrder(t *testing.T) {
	e := newEnv(t, 256, 0)
	all := &journalOrder{waiting: map[base.TrxID]bool{}, confirmed: map[base.TrxID]bool{}}
	done := make(chan struct{})
	var writers, readers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				trx := e.sys.Begin(RepeatableRead, false)
				if err := e.change(trx, w*20+i%20, uint64(i+1), false); err != nil {
					t.Errorf("change: %v", err)
				}
				sync := []SyncMode{SyncFlush, SyncNone, SyncWrite}[i%3]
				j := &orderedJournal{all, trx.ID(), i%7 == 3}
				all.mu.Lock()
				all.waiting[j.id] = j.waits
				all.mu.Unlock()
				if err := e.sys.Commit(trx, sync, j); err != nil {
					t.Errorf("commit: %v", err)
				}
			}
		})
	}
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			trx := e.sys.Begin(RepeatableRead, true)
			view := trx.View()
			all.mu.Lock()
			hidden := false
			for _, id := range all.ids {
				if view.Sees(id) && hidden {
					t.Errorf("transaction %d is visible, one before it in the journal is not", id)
				}
				if view.Sees(id) && all.waiting[id] && !all.confirmed[id] {
					t.Errorf("transaction %d is visible, and has not been confirmed", id)
				}
				hidden = hidden || !view.Sees(id)
			}
			all.mu.Unlock()
			if err := e.sys.Commit(trx, SyncNone, nil); err != nil {
				t.Errorf("commit: %v", err)
			}
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()
	require.Len(t, all.ids, 8*50)
}
