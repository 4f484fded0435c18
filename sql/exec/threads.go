package exec

import "sync/atomic"

// Threads are the goroutines that plans of a server may have beside the ones that run them.
type Threads struct {
	most int64
	used atomic.Int64
	lent atomic.Bool
}

// NewThreads makes so many.
func NewThreads(most int) *Threads { return &Threads{most: int64(most)} }

// take takes as many as are free, at most want.
func (t *Threads) take(want int) int {
	for {
		used := t.used.Load()
		n := min(int64(want), t.most-used)
		if n <= 0 {
			return 0
		}
		if t.used.CompareAndSwap(used, used+n) {
			t.lent.Store(true)
			return int(n)
		}
	}
}

// Lent tells whether plans have had some since it was asked last.
func (t *Threads) Lent() bool { return t.lent.Swap(t.used.Load() > 0) }

// give gives some back.
func (t *Threads) give(n int) {
	if n > 0 {
		t.used.Add(int64(-n))
	}
}
