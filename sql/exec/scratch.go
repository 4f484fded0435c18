package exec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	bit "math/bits"
	"strings"
	"syscall"

	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/sql/fn"
)

// Scratch is the file in which the operators of a statement keep what exceeds their memory. It has
// no name, so that nothing is left of it when the process is killed. It is made when it is first
// needed. Space that is freed is used again. The file has no holes: a file system frees a file of
// a million parts for a minute where it frees one that is contiguous at once.
type Scratch struct {
	FS  vfs.FS
	Dir string
	// Background runs the end of a large file, which can take long. Without it the statement waits.
	Background func(func())

	file  vfs.File
	end   int64
	given int             // how many extents there are
	free  map[int][]int64 // those that are free, by their size with their padding
	buf   []byte          // what is written next
}

// extent is a part of the file.
type extent struct {
	at   int64
	size int // of what is in it
}

// scratchHead is the checksum in front of what is written.
const scratchHead = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// write keeps what fill appends.
func (s *Scratch) write(c *Ctx, fill func(dst []byte) []byte) (extent, error) {
	if err := c.Err(); err != nil {
		return extent{}, err
	}
	if s.file == nil {
		f, err := s.FS.Open(s.Dir, vfs.Options{Temporary: true})
		if err != nil {
			return extent{}, s.fault(1, "Can't create/write to file '%s' (OS errno %d - %s)", err)
		}
		s.file = f
		c.count(txn.CreatedTmpFiles, 1)
	}
	s.buf = fill(append(s.buf[:0], make([]byte, scratchHead)...))
	binary.LittleEndian.PutUint32(s.buf, crc32.Checksum(s.buf[scratchHead:], castagnoli))
	e := s.place(len(s.buf))
	s.buf = append(s.buf, make([]byte, padded(e.size)-e.size)...)
	if err := s.writeOut(c, s.buf, e.at); err != nil {
		s.give(e)
		return extent{}, err
	}
	if cap(s.buf) > 1<<20 {
		s.buf = nil
	}
	return e, nil
}

// pieceBytes is how much is read or written before the statement may end.
const pieceBytes = 4 << 20

func (s *Scratch) writeOut(c *Ctx, buf []byte, at int64) error {
	for len(buf) > 0 {
		if err := c.Err(); err != nil {
			return err
		}
		n := min(len(buf), pieceBytes)
		if _, err := s.file.WriteAt(buf[:n], at); err != nil {
			return s.fault(3, "Error writing file '%s' (OS errno %d - %s)", err)
		}
		buf, at = buf[n:], at+int64(n)
	}
	return nil
}

// read gives back what was written, in memory of its own.
func (s *Scratch) read(c *Ctx, e extent) ([]byte, error) {
	buf := make([]byte, e.size)
	for from := 0; from < len(buf); from += pieceBytes {
		if err := c.Err(); err != nil {
			return nil, err
		}
		if _, err := s.file.ReadAt(buf[from:min(from+pieceBytes, len(buf))], e.at+int64(from)); err != nil {
			return nil, s.fault(2, "Error reading file '%s' (OS errno %d - %s)", err)
		}
	}
	if binary.LittleEndian.Uint32(buf) != crc32.Checksum(buf[scratchHead:], castagnoli) {
		return nil, s.fault(2, "Error reading file '%s' (OS errno %d - %s)", syscall.EIO)
	}
	return buf[scratchHead:], nil
}

// leastExtent is the size of the smallest extents, that of a block of usual file systems.
const leastExtent = 4 << 10

// padded is the size of an extent for so many bytes: the next multiple of an eighth of the power
// of two below, so that extents of similar sizes can take each other's place.
func padded(size int) int {
	step := max(leastExtent, 1<<max(0, bit.Len(uint(size-1))-4))
	return (size + step - 1) / step * step
}

func (s *Scratch) place(size int) extent {
	n := padded(size)
	if list := s.free[n]; len(list) > 0 {
		s.free[n] = list[:len(list)-1]
		return extent{list[len(list)-1], size}
	}
	s.end += int64(n)
	s.given++
	return extent{s.end - int64(n), size}
}

// give gives an extent back.
func (s *Scratch) give(e extent) {
	if s.free == nil {
		s.free = map[int][]int64{}
	}
	n := padded(e.size)
	s.free[n] = append(s.free[n], e.at)
}

// largeScratch is the size beyond which a statement does not wait for the end of its file.
const largeScratch = 16 << 20

// Close gives all space back.
func (s *Scratch) Close() {
	if file := s.file; file != nil {
		end := func() { _ = file.Close() } // nothing is read any more
		if s.Background != nil && s.end > largeScratch {
			s.Background(end)
		} else {
			end()
		}
	}
	*s = Scratch{FS: s.FS, Dir: s.Dir, Background: s.Background}
}

// fault is an error of the file as MySQL tells it.
func (s *Scratch) fault(code int, form string, err error) error {
	errno := syscall.EIO
	if errors.Is(err, base.ErrDiskFull) {
		errno = syscall.ENOSPC
	} else {
		_ = errors.As(err, &errno)
	}
	text := errno.Error()
	return &fn.Fault{Code: code, Text: fmt.Sprintf(form, strings.TrimSuffix(s.Dir, "/")+"/ember-scratch", int(errno), strings.ToUpper(text[:1])+text[1:])}
}
