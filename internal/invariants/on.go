//go:build invariants

package invariants

import "fmt"

// Enabled tells whether the checks are compiled in.
const Enabled = true

// Assert panics when cond does not hold.
func Assert(cond bool, format string, args ...any) {
	if !cond {
		panic("invariant violated: " + fmt.Sprintf(format, args...))
	}
}

// Mangle fills memory that nobody may read any more with rubbish.
func Mangle(buf []byte) {
	for i := range buf {
		buf[i] = 0xDB
	}
}
