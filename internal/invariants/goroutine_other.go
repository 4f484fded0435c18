//go:build invariants && !amd64 && !arm64

package invariants

import (
	"bytes"
	"runtime"
)

// goroutine is the number of the running goroutine, as its stack trace begins with it.
func goroutine() (n uint64) {
	var buf [32]byte
	for _, c := range bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine ")) {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + uint64(c-'0')
	}
	return n
}
