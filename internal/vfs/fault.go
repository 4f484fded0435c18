package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// errCut marks the very operation that meets the power cut: it may reach the disk before the caller
// sees ErrPowerLost.
var errCut = fmt.Errorf("cut: %w", ErrPowerLost)

// Fault makes operations fail.
type Fault struct {
	Ops   Op     // kinds that count
	Match string // only files whose path contains it; empty: all
	Nth   int64  // which of the counted ones fails, the first being 0
	Err   error
	Short bool // a failing write has stored its first half
	Stay  bool // all later ones fail too

	seen int64
}

// shortError carries a fault that lets half a write through.
type shortError struct{ err error }

func (e *shortError) Error() string { return e.err.Error() }

// Inject arms a fault. Several may be armed; the first that matches strikes.
func (m *Mem) Inject(f Fault) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults = append(m.faults, &f)
}

// FailNth makes the n-th operation of the given kinds fail with err, the first being 0.
func (m *Mem) FailNth(kinds Op, n int64, err error) { m.Inject(Fault{Ops: kinds, Nth: n, Err: err}) }

// ClearFaults disarms all faults.
func (m *Mem) ClearFaults() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults = nil
}

// Struck names the first operation that a fault has made fail since the disk was made; "" if there
// was none.
func (m *Mem) Struck() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.struck
}

// FlipBit inverts one bit of a file, durably: what a decaying disk does.
func (m *Mem) FlipBit(name string, bit int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.lookupLocked("flip bit", name)
	if err != nil {
		return err
	}
	if bit/8 >= n.size {
		return fmt.Errorf("flip bit %s: %w: bit %d is behind the end", name, fs.ErrInvalid, bit)
	}
	var b [1]byte
	n.read(b[:], bit/8)
	b[0] ^= 1 << (bit % 8)
	s := bit / 8 / SectorSize
	kept, was := n.dirty[s]
	n.write(b[:], bit/8)
	if was {
		n.dirty[s] = kept
	} else {
		delete(n.dirty, s)
	}
	return nil
}

// aliveLocked fails once the power is cut. REQUIRES: m.mu held.
func (m *Mem) aliveLocked() error {
	if m.crashed {
		return ErrPowerLost
	}
	return nil
}

// beginLocked counts and traces an operation and tells whether it may go on. errCut: the caller
// does what the disk might still have done and then returns ErrPowerLost.
// REQUIRES: m.mu held.
func (m *Mem) beginLocked(op Op, name string, off int64, n int) error {
	if m.crashed {
		return ErrPowerLost
	}
	if op&Changes != 0 {
		k := m.changes
		m.changes++
		if k == m.crashAt {
			m.crashed = true
			return errCut
		}
	}
	if m.trace != nil {
		m.trace(Event{Op: op, Name: name, Off: off, Len: n})
	}
	for _, f := range m.faults {
		if f.Ops&op == 0 || !strings.Contains(name, f.Match) {
			continue
		}
		k := f.seen
		f.seen++
		if k == f.Nth || (f.Stay && k > f.Nth) {
			if m.struck == "" {
				m.struck = fmt.Sprintf("%s of %s at %d, %d bytes", op, name, off, n)
			}
			err := fmt.Errorf("%s: %w", name, f.Err)
			if f.Short && op == OpWrite {
				return &shortError{err}
			}
			return err
		}
	}
	return nil
}

func cutToLost(err error) error {
	if errors.Is(err, errCut) {
		return ErrPowerLost
	}
	return err
}
