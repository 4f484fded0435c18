package txn

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/lock"
	"emberdb/internal/base"
)

// sequence gives turns by number, from 1.
type sequence struct {
	mu    sync.Mutex
	moved *sync.Cond
	next  int64
}

type numbered struct {
	s *sequence
	n int64
}

func (t numbered) Wait() error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	for t.s.next != t.n {
		t.s.moved.Wait()
	}
	return nil
}

func (t numbered) Pass() {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.next++
	t.s.moved.Broadcast()
}

func (numbered) Yield() {} // nobody waits for a lock

func (t numbered) Before(o lock.Ordered) bool { return t.n < o.(numbered).n }

// Transactions of a replica without a binary log become visible in the order of their turns, however
// durable each was asked to be.
func TestVisibleInTheOrderOfTurns(t *testing.T) {
	e := newEnv(t, 256, 0)
	s := &sequence{next: 1}
	s.moved = sync.NewCond(&s.mu)
	var last atomic.Int64
	var mu sync.Mutex // guards what follows
	numbers := map[base.TrxID]int64{}
	done := make(chan struct{})
	var writers, readers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				trx := e.sys.Begin(RepeatableRead, false)
				if err := e.change(trx, w*20+i%20, uint64(i+1), false); err != nil {
					t.Errorf("change: %v", err)
				}
				mu.Lock()
				n := last.Add(1)
				numbers[trx.ID()] = n
				mu.Unlock()
				trx.Turn = numbered{s, n}
				if err := e.sys.Commit(trx, []SyncMode{SyncFlush, SyncNone, SyncWrite}[i%3]); err != nil {
					t.Errorf("commit: %v", err)
				}
			}
		})
	}
	readers.Go(func() {
		e.watch(done, func(view *ReadView) {
			mu.Lock()
			defer mu.Unlock()
			seen, hidden := int64(0), int64(1<<62)
			for id, n := range numbers {
				if view.Sees(id) {
					seen = max(seen, n)
				} else {
					hidden = min(hidden, n)
				}
			}
			if seen > hidden {
				t.Errorf("a view sees transaction %d and not %d", seen, hidden)
			}
		})
	})
	writers.Wait()
	close(done)
	readers.Wait()
	require.Len(t, numbers, 8*50)
}
