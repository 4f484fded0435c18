package buffer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"reflect"
	"unsafe"

	"golang.org/x/sys/unix"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Memory that outlives the process: a file in memory, mapped shared. Somebody else keeps the file
// when the process ends; the next process maps it and takes the pages over (attach.go).
//
// The header says whose memory it is. A process takes it over only if magic, layout, sizes and
// owner are its own, and if no earlier process has died, or failed, while it took the memory over:
// then opening is still set, and the next start does without. Whether the pages belong to what is
// in the data files is told
// by the life: the stretch of the redo log that a process writes. The pages are newest versions
// only if the log ends in the life that the memory was last used in: nobody has written the data
// files without the memory since.

// SharedMemory is the file of a pool whose memory outlives the process.
type SharedMemory struct {
	File  *os.File // MemorySize long
	Left  bool     // an earlier process has left it
	Owner Owner
	// Reserve has the file system set the memory aside before it is used: without it, a full one
	// ends the process.
	Reserve bool
}

// Owner is whose pages a memory holds.
type Owner struct {
	UUID      [16]byte // of the server
	Directory uint64   // identity of the data directory on this machine
}

// ErrNotTaken says why the memory an earlier process left is of no use.
var ErrNotTaken = errors.New("unusable memory")

func notTaken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNotTaken, fmt.Sprintf(format, args...))
}

// MemorySize is how long the file of a pool with these options is.
func (o Options) MemorySize() int64 {
	o.setDefaults()
	return memorySize(o.MaxFrames)
}

// mapInto maps the file in the place of reserved address space.
func (s *SharedMemory) mapInto(at []byte) error {
	fi, err := s.File.Stat()
	if err != nil {
		return notTaken("%v", err)
	}
	if fi.Size() != int64(len(at)) {
		return notTaken("it has %d bytes, this pool takes %d", fi.Size(), len(at))
	}
	_, err = unix.MmapPtr(int(s.File.Fd()), 0, unsafe.Pointer(&at[0]), uintptr(len(at)), unix.PROT_NONE, unix.MAP_SHARED|unix.MAP_FIXED|unix.MAP_NORESERVE)
	if err != nil {
		return notTaken("mmap: %v", err)
	}
	return nil
}

// prepare has the file system set a part of the memory aside, if that is wanted.
func (m *memory) prepare(from, to int) error {
	if m.shared == nil || !m.shared.Reserve {
		return nil
	}
	if err := unix.Fallocate(int(m.shared.File.Fd()), 0, int64(from), int64(to-from)); err != nil {
		return fmt.Errorf("buffer pool: %s: %w", m.shared.File.Name(), err)
	}
	return nil
}

// check tells why a process may not take the memory over.
func (h *poolHeader) check(maxFrames int, owner Owner) error {
	switch {
	case h.magic != layoutMagic:
		return notTaken("it is no buffer pool")
	case h.layout != layoutHash() || h.pageSize != base.PageSize:
		return notTaken("another build with another layout has left it")
	case h.owner.UUID != owner.UUID:
		return notTaken("it belongs to another server, %x", h.owner.UUID)
	case h.owner.Directory != owner.Directory:
		return notTaken("it belongs to another data directory")
	case int64(h.maxFrames) != int64(maxFrames) || h.limit < minFrames || h.limit > h.maxFrames:
		return notTaken("it has other sizes: %d frames of at most %d", h.limit, h.maxFrames)
	case h.opening != 0:
		return notTaken("the last start that took it over did not come to its end")
	}
	return nil
}

// layoutHash changes with the place of every field.
func layoutHash() uint64 {
	h := fnv.New64a()
	number := func(n int) { _, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n))) }
	number(layoutVersion)
	number(headerSize)
	for _, t := range []reflect.Type{reflect.TypeFor[poolHeader](), reflect.TypeFor[lruHeader](), reflect.TypeFor[frameState](), reflect.TypeFor[Owner](), reflect.TypeFor[redo.Life]()} {
		for i := range t.NumField() {
			f := t.Field(i)
			_, _ = h.Write([]byte(f.Name + " " + f.Type.String()))
			number(int(f.Offset))
		}
	}
	return h.Sum64()
}
