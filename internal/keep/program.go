package keep

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// program is a file of which the holder keeps the pages mapped, so that they stay in the page cache
// while nobody runs it: the next process would read some fifty megabytes of it before its first
// answer. The kernel still takes the memory back when it is short of it.
type program struct {
	file   os.FileInfo
	mapped []byte
}

// keepProgram maps the program of the process on the other side, in the place of the one before.
// Errors do not matter: then the next start reads it.
func (h *holding) keepProgram(c *net.UnixConn) {
	cred, err := peer(c)
	if err != nil {
		return
	}
	f, err := os.Open(fmt.Sprintf("/proc/%d/exe", cred.Pid))
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.program.file != nil && os.SameFile(h.program.file, info) && h.program.file.Size() == info.Size() {
		return
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return
	}
	if h.program.mapped != nil {
		_ = unix.Munmap(h.program.mapped)
	}
	h.program = program{info, b}
	go func() { _ = unix.Madvise(b, unix.MADV_POPULATE_READ) }()
}
