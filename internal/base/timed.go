package base

import (
	"sync/atomic"
	"time"
)

// Timed counts events of one kind: how many there were, the bytes they moved, and the time they
// took. The zero value is ready. Its parts are read one after the other, so that a TimedSum is
// consistent only at rest.
type Timed struct {
	events, bytes, sum, max atomic.Uint64
	least                   atomic.Uint64 // the shortest time plus one; 0: there is none
}

// TimedSum is what a Timed has counted. Times are nanoseconds.
type TimedSum struct{ Events, Bytes, Sum, Min, Max uint64 }

// Add counts an event.
func (t *Timed) Add(bytes int, took time.Duration) {
	n := uint64(max(took, 0))
	t.events.Add(1)
	t.bytes.Add(uint64(bytes))
	t.sum.Add(n)
	for old := t.max.Load(); n > old && !t.max.CompareAndSwap(old, n); old = t.max.Load() {
	}
	for old := t.least.Load(); (old == 0 || n+1 < old) && !t.least.CompareAndSwap(old, n+1); old = t.least.Load() {
	}
}

// Sum returns what has been counted.
func (t *Timed) Sum() TimedSum {
	s := TimedSum{Events: t.events.Load(), Bytes: t.bytes.Load(), Sum: t.sum.Load(), Max: t.max.Load()}
	if least := t.least.Load(); least > 0 {
		s.Min = least - 1
	}
	return s
}

// Set makes the counts those of s.
func (t *Timed) Set(s TimedSum) {
	t.events.Store(s.Events)
	t.bytes.Store(s.Bytes)
	t.sum.Store(s.Sum)
	t.max.Store(s.Max)
	least := uint64(0)
	if s.Events > 0 {
		least = s.Min + 1
	}
	t.least.Store(least)
}

// Plus is the sum of both.
func (s TimedSum) Plus(o TimedSum) TimedSum {
	switch {
	case o.Events == 0:
		return s
	case s.Events == 0:
		return o
	}
	return TimedSum{Events: s.Events + o.Events, Bytes: s.Bytes + o.Bytes, Sum: s.Sum + o.Sum, Min: min(s.Min, o.Min), Max: max(s.Max, o.Max)}
}
