// Package warmexe, imported for its effect, has the kernel read the program's file ahead. A start
// on a machine that has just booted would otherwise wait for its own text page fault by page fault:
// the first query needs tens of megabytes of it, from all over the file. Errors do not matter: then
// it waits.
//
// Packages are initialised in the order of their paths as far as their imports allow, so this one
// comes before the large libraries.
package warmexe

import (
	"os"

	"golang.org/x/sys/unix"
)

func init() {
	go func() {
		f, err := os.Open("/proc/self/exe")
		if err != nil {
			return
		}
		_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_WILLNEED)
		_ = f.Close()
	}()
}
