//go:build invariants

package invariants

import (
	"fmt"
	"slices"
	"sync"
)

// Mutex is a mutex of a class, whose rung is asserted at every Lock. It is unlocked by the
// goroutine that has locked it.
type Mutex[C Class] struct{ m sync.Mutex }

// Lock implements sync.Locker.
func (m *Mutex[C]) Lock() {
	var c C
	acquire(c.Rung())
	m.m.Lock()
}

// TryLock may be called against the order: it does not wait.
func (m *Mutex[C]) TryLock() bool {
	if !m.m.TryLock() {
		return false
	}
	var c C
	note(c.Rung())
	return true
}

// Unlock implements sync.Locker.
func (m *Mutex[C]) Unlock() {
	m.m.Unlock()
	var c C
	release(c.Rung())
}

// RWMutex is Mutex with readers.
type RWMutex[C Class] struct{ m sync.RWMutex }

// Lock locks for writing.
func (m *RWMutex[C]) Lock() {
	var c C
	acquire(c.Rung())
	m.m.Lock()
}

// Unlock ends Lock.
func (m *RWMutex[C]) Unlock() {
	m.m.Unlock()
	var c C
	release(c.Rung())
}

// RLock locks for reading.
func (m *RWMutex[C]) RLock() {
	var c C
	acquire(c.Rung())
	m.m.RLock()
}

// RUnlock ends RLock.
func (m *RWMutex[C]) RUnlock() {
	m.m.RUnlock()
	var c C
	release(c.Rung())
}

// held are the rungs of what each goroutine holds, in the order of acquisition.
var held [64]struct {
	sync.Mutex
	by map[uint64][]Rung
}

// acquire asserts that the goroutine holds nothing behind r, and notes it.
func acquire(r Rung) {
	g := goroutine()
	h := &held[g>>7%64]
	h.Lock()
	have := h.by[g]
	for _, other := range have {
		if other > r || other == r && !Ladder[r].Many {
			h.Unlock()
			panic(fmt.Sprintf("invariant violated: %q (%s) is acquired while %q (%s) is held; held are %v", Ladder[r].Name, Ladder[r].Package, Ladder[other].Name, Ladder[other].Package, have))
		}
	}
	if h.by == nil {
		h.by = make(map[uint64][]Rung)
	}
	h.by[g] = append(have, r)
	h.Unlock()
}

func note(r Rung) {
	g := goroutine()
	h := &held[g>>7%64]
	h.Lock()
	defer h.Unlock()
	if h.by == nil {
		h.by = make(map[uint64][]Rung)
	}
	h.by[g] = append(h.by[g], r)
}

func release(r Rung) {
	g := goroutine()
	h := &held[g>>7%64]
	h.Lock()
	defer h.Unlock()
	have := h.by[g]
	for i := len(have) - 1; i >= 0; i-- {
		if have[i] == r {
			if have = slices.Delete(have, i, i+1); len(have) == 0 {
				delete(h.by, g)
			} else {
				h.by[g] = have
			}
			return
		}
	}
	panic(fmt.Sprintf("invariant violated: %q is released by a goroutine that does not hold it", Ladder[r].Name))
}

// Held notes a latch that the goroutine has acquired, and asserts its rung unless it was only
// tried.
func Held(c Class, tried bool) {
	if tried {
		note(c.Rung())
	} else {
		acquire(c.Rung())
	}
}

// Released notes that it has let go of a latch.
func Released(c Class) { release(c.Rung()) }
