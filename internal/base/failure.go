package base

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// Failure is the failed state of an engine. Redo log, tablespace files, buffer pool and binary log
// share one: none of them has a failed state of its own.
//
//	running --Enter(cause)--> failed --a new start--> running
//
// Whoever meets an error that leaves memory and disk in doubt enters it: a failed write or sync of
// redo, of a tablespace, of the doublewrite area, of a checkpoint, of a binary log or its index,
// and redo that cannot be applied. Entering takes place under the append mutex of redo, so it is a
// point in the order of the log:
//
//	running  Append takes a group or waits; who appended may still wait for its sync
//	failed   Append takes no group, so nothing that was appended can be contradicted by what follows;
//	         who waits for a sync that has not happened gets the error, and so does who waits for
//	         room,
//	         for a page to be written, for the binary log; no file is written any more but by an
//	         operation that was under way; changed pages stay in memory; reading goes on
//
// A commit whose group is durable is a commit, before and after. One that got the error in between
// is committed or not, as the next start finds its group in the log or not.
type Failure struct {
	err     atomic.Pointer[error]
	entered chan struct{}

	mu   sync.Mutex // guards what follows
	gate sync.Locker
	wake []func()
}

// NewFailure returns the state running.
func NewFailure() *Failure { return &Failure{entered: make(chan struct{}), gate: new(sync.Mutex)} }

// Err is nil while the engine runs, and then why it does not. It wraps ErrFailed.
func (f *Failure) Err() error {
	if p := f.err.Load(); p != nil {
		return *p
	}
	return nil
}

// Entered is closed when the engine has failed.
func (f *Failure) Entered() <-chan struct{} { return f.entered }

// Guard makes gate the mutex under which the state is entered. Redo calls it, with its append
// mutex, before the first group is appended.
func (f *Failure) Guard(gate sync.Locker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate = gate
}

// OnEnter has fn called once the engine has failed, to wake those who wait for something that will
// not happen. fn must be short.
func (f *Failure) OnEnter(fn func()) {
	f.mu.Lock()
	failed := f.Err() != nil
	if !failed {
		f.wake = append(f.wake, fn)
	}
	f.mu.Unlock()
	if failed {
		fn()
	}
}

// Enter enters the failed state and returns why the engine has failed, which is an earlier cause if
// there is one.
// REQUIRES: the caller holds neither the append mutex nor what OnEnter's functions take.
func (f *Failure) Enter(cause error) error {
	if err := f.Err(); err != nil {
		return err
	}
	if !errors.Is(cause, ErrFailed) {
		cause = fmt.Errorf("%w (%w)", ErrFailed, cause)
	}
	f.mu.Lock()
	f.gate.Lock()
	first := f.err.CompareAndSwap(nil, &cause)
	f.gate.Unlock()
	wake := f.wake
	f.wake = nil
	f.mu.Unlock()
	if first {
		close(f.entered)
		for _, fn := range wake {
			fn()
		}
	}
	return f.Err()
}
