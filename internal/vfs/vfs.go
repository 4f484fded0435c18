// Package vfs is the one door to the file system: every file the server reads or writes goes
// through an FS.
//
// Two file systems stand behind it: the real one (NewOS), and a memory file system (NewMem) that
// knows which writes were synced and can lose power at any write or sync.
//
// Rules every caller keeps:
//
//	(1) Written data is durable after Sync or SyncAll; a created, renamed or removed name is
//	    durable after SyncDir of its folder.
//	(2) A File opened with Direct takes offsets and lengths that are multiples of BlockSize.
//	    Memory from AlignedBlock is read and written without a copy; other memory is copied
//	    through an aligned buffer.
//	(3) A failed Sync leaves the data in doubt. It is never called again in the hope of a better
//	    answer.
//	(4) Close is called when no other call on the File is running. Everything else may run
//	    concurrently.
//
// Errors: a missing file matches fs.ErrNotExist, an existing one fs.ErrExist, a full disk
// base.ErrDiskFull, a lock held by another process base.ErrInUse. ReadAt and ReadVAt return io.EOF
// when fewer bytes than asked for stand before the end of the file.
package vfs

import (
	"fmt"
	"io"
	"io/fs"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// BlockSize is the unit of direct I/O: offsets, lengths and memory addresses are multiples of
	// it.
	BlockSize = 4096
	// SectorSize is the largest unit a disk is trusted to write untorn.
	SectorSize = 512
	// DefaultPerm is the mode of files created without an explicit one.
	DefaultPerm fs.FileMode = 0o640
)

// Options says how Open opens a file.
type Options struct {
	Create    bool // create it when it does not exist
	Exclusive bool // with Create: fail with fs.ErrExist when it exists
	ReadOnly  bool
	Direct    bool // bypass the page cache where the file system can
	Truncate  bool // cut it to length 0
	// Temporary: the name is that of a folder, and the file is a new one in it that has no name.
	// It is gone when it is closed, or when the process ends.
	Temporary bool
	Perm      fs.FileMode
}

// FileInfo is what Stat tells.
type FileInfo struct {
	Name string // last element of the path
	Size int64
	Dir  bool
}

// FS is a file system.
type FS interface {
	Open(name string, o Options) (File, error)
	Remove(name string) error
	// Rename replaces newname when it exists, atomically.
	Rename(oldname, newname string) error
	// MkdirAll creates the folder and the missing ones above it; they are durable when it returns.
	MkdirAll(dir string) error
	// List returns the names in the folder, sorted.
	List(dir string) ([]string, error)
	Stat(name string) (FileInfo, error)
	SyncDir(dir string) error
	// Lock makes the file and takes it and its folder for this process until the lock is closed or
	// the process ends; base.ErrInUse when another holds either.
	Lock(name string) (io.Closer, error)
	// FreeBytes tells how much an unprivileged writer can still store in the file system of dir.
	FreeBytes(dir string) (int64, error)
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	// ReadVAt fills bufs one after the other from one stretch of the file.
	ReadVAt(bufs [][]byte, off int64) (int, error)
	// WriteVAt writes bufs one after the other to one stretch of the file.
	WriteVAt(bufs [][]byte, off int64) (int, error)
	// Sync makes the data durable, and the metadata needed to read it back (fdatasync).
	Sync() error
	// SyncAll makes data and all metadata durable (fsync).
	SyncAll() error
	// Allocate reserves the space of [off, off+n), reading as zeros where nothing was written, and
	// extends the file to off+n.
	Allocate(off, n int64) error
	// PunchHole gives the space of [off, off+n) back; it reads as zeros. The size stays.
	PunchHole(off, n int64) error
	Truncate(size int64) error
	Size() (int64, error)
	Close() error
	// Name is the path the file was opened by.
	Name() string
}

// AlignedBlock returns n zero bytes whose address is a multiple of BlockSize.
func AlignedBlock(n int) []byte {
	raw := make([]byte, n+BlockSize-1)
	skip := 0
	if r := int(uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % BlockSize); r != 0 {
		skip = BlockSize - r
	}
	return raw[skip : skip+n : skip+n]
}

// MapBlock is AlignedBlock outside the Go heap: the collector does not see it, and the heap does
// not grow with it.
func MapBlock(n int) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("mapping %d bytes of memory: %w", n, err)
	}
	return b, nil
}

// UnmapBlock gives the memory of a MapBlock back to the system.
// REQUIRES: nobody looks at it any more.
func UnmapBlock(b []byte) { _ = unix.Munmap(b) }

// Aligned tells whether the memory of p starts at a multiple of BlockSize.
func Aligned(p []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(p)))%BlockSize == 0
}

func totalLen(bufs [][]byte) int {
	n := 0
	for _, b := range bufs {
		n += len(b)
	}
	return n
}
