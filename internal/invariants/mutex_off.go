//go:build !invariants

package invariants

import "sync"

// Mutex is a mutex of a class.
type Mutex[C Class] struct{ sync.Mutex }

// RWMutex is a mutex of a class with readers.
type RWMutex[C Class] struct{ sync.RWMutex }

// Held notes a latch that the goroutine has acquired.
func Held(Class, bool) {}

// Released notes that it has let go of a latch.
func Released(Class) {}
