package binlog

// How bytes come into the file. A little goes through the page cache. Much goes past it in whole
// blocks, all of a round in one write and from the memory they stand in where that is aligned; what
// is left over of the last block is held until more comes, or until somebody wants it:
//
//	file    ------ written ------|                at: end of what is in the file    off: end of what is held
//	                     |=======|+++++++|        block[:off%BlockSize]: the file's last block, what is in the file of it and what is held
//
// What is in the file then ends anywhere within an event, so readers are shown none of it before
// the rest is written, which a reader that comes asks for.
//
// So a log that nobody follows grows by whole blocks. A block that was written before it was full
// is written once more when it is: what stands in it stays.

import (
	"fmt"

	"emberdb/internal/vfs"
)

// flushPieces brings what was gathered into the file; of what goes past the page cache less than a
// block may be held.
func (l *Log) flushPieces() error {
	w := &l.w
	n := total(w.bufs)
	if n == 0 {
		return nil
	}
	var err error
	if l.o.DirectAfter > 0 && n >= l.o.DirectAfter {
		err = l.writeDirect()
	} else if err = l.writeHeld(); err == nil {
		err = l.put(w.bufs)
		w.off, w.known = w.at, false
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	clear(w.bufs)
	w.bufs = w.bufs[:0]
	return nil
}

func total(bufs [][]byte) (n int64) {
	for _, b := range bufs {
		n += int64(len(b))
	}
	return n
}

// put writes at the end of the file, through the page cache.
func (l *Log) put(bufs [][]byte) error {
	w := &l.w
	n := total(bufs)
	err := l.writeAt(w.file, bufs, w.at)
	if err == nil {
		w.at, w.unsynced = w.at+n, w.unsynced+n
	}
	return err
}

func (l *Log) writeAt(f vfs.File, bufs [][]byte, off int64) error {
	return l.untilRoom(func() error {
		_, err := f.WriteVAt(bufs, off)
		return err
	})
}

// writeHeld brings what is held into the file.
func (l *Log) writeHeld() error {
	w := &l.w
	if w.at == w.off {
		return nil
	}
	return l.put([][]byte{w.block[w.at%vfs.BlockSize:][:w.off-w.at]})
}

// writeDirect writes whole blocks of what was gathered, and holds the rest. Bytes that do not stand
// in whole blocks of memory go through block: those of the file's last block, those at the ends of
// chunks, and those of units with memory of their own.
func (l *Log) writeDirect() error {
	w := &l.w
	if err := l.beginBlocks(); err != nil {
		return err
	}
	fill := int(w.off % vfs.BlockSize)
	first := w.off - int64(fill) // where vec goes
	from := 0                    // block[from:fill] comes behind it
	for _, b := range w.bufs {
		for len(b) > 0 {
			odd := fill % vfs.BlockSize
			if whole := len(b) / vfs.BlockSize * vfs.BlockSize; odd == 0 && whole > 0 && vfs.Aligned(b) {
				w.push(w.block[from:fill])
				w.push(b[:whole])
				b, from = b[whole:], fill
				continue
			}
			if fill == len(w.block) {
				w.push(w.block[from:])
				if err := l.putBlocks(&first); err != nil {
					return err
				}
				fill, from = 0, 0
			}
			n := copy(w.block[fill:fill-odd+vfs.BlockSize], b)
			b, fill = b[n:], fill+n
		}
	}
	rest := fill % vfs.BlockSize
	w.push(w.block[from : fill-rest])
	if err := l.putBlocks(&first); err != nil {
		return err
	}
	copy(w.block, w.block[fill-rest:fill])
	w.off = first + int64(rest)
	return nil
}

// beginBlocks makes ready for writeDirect: the file is open past the page cache, and block holds
// what stands in the file's last block.
func (l *Log) beginBlocks() (err error) {
	w := &l.w
	if w.direct == nil {
		if w.direct, err = l.fs.Open(l.path(w.no), vfs.Options{Direct: true}); err != nil {
			return err
		}
	}
	if w.block == nil {
		w.block = vfs.AlignedBlock(lingerBytes)
	}
	if odd := w.off % vfs.BlockSize; odd > 0 && !w.known {
		if _, err := w.file.ReadAt(w.block[:odd], w.off-odd); err != nil {
			return err
		}
	}
	w.known = true
	return nil
}

func (w *writer) push(b []byte) {
	if len(b) > 0 {
		w.vec = append(w.vec, b)
	}
}

// putBlocks writes vec at a block of the file, and moves that behind it.
func (l *Log) putBlocks(first *int64) error {
	w := &l.w
	if n := total(w.vec); n > 0 {
		if err := l.writeAt(w.direct, w.vec, *first); err != nil {
			return err
		}
		*first += n
		w.at, w.unsynced = *first, w.unsynced+n
	}
	clear(w.vec)
	w.vec = w.vec[:0]
	return nil
}
