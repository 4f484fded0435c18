package recovery

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"sync/atomic"

	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// spill holds the records of the parts of a round that have to wait for their turn, in a file
// without a name: it goes with the process. It is a sequence of blocks, each of one part and one
// lane, in which entries follow each other, also across blocks:
//
//	0 4 place of the page in its part   4 4 length of the body   8 8 LSN of the group   16 4 length of the group   20 1 op   21.. body
//
// Where the blocks stand, and their checksums, is known in memory only. A lane's blocks of a part
// are in LSN order.
type spill struct {
	file  vfs.File
	block int
	lanes []*spillLane
	end   atomic.Int64 // of the file
}

// spillLane is what one goroutine writes.
type spillLane struct {
	s     *spill
	parts []spillPart
}

// spillPart is the stream of one part.
type spillPart struct {
	buf    []byte // the last block, not yet written; nil before the first entry
	n      int    // bytes in it
	blocks []spillBlock
}

type spillBlock struct {
	off int64
	n   int
	sum uint32
}

const spillBlockMost = 256 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// newSpill makes a spill for so many parts.
func (r *Redo) newSpill(lanes, parts int) (*spill, error) {
	block := min(spillBlockMost, int(r.o.Budget/4)/(lanes*parts)) / vfs.BlockSize * vfs.BlockSize
	s := &spill{block: max(block, vfs.BlockSize)}
	for range lanes {
		s.lanes = append(s.lanes, &spillLane{s: s, parts: make([]spillPart, parts)})
	}
	file, err := r.o.Log.Scratch()
	if err != nil {
		return nil, err
	}
	s.file = file
	return s, nil
}

// add appends a record of a page.
func (l *spillLane) add(part int, place uint32, rec redo.Record, g redo.Group) error {
	var h [entryHeader]byte
	binary.LittleEndian.PutUint32(h[0:], place)
	binary.LittleEndian.PutUint32(h[4:], uint32(len(rec.Body)))
	binary.LittleEndian.PutUint64(h[8:], uint64(g.LSN))
	binary.LittleEndian.PutUint32(h[16:], uint32(g.End-g.LSN))
	h[20] = byte(rec.Op)
	p := &l.parts[part]
	if err := l.write(p, h[:]); err != nil {
		return err
	}
	return l.write(p, rec.Body)
}

func (l *spillLane) write(p *spillPart, b []byte) error {
	if p.buf == nil {
		p.buf = vfs.AlignedBlock(l.s.block)
	}
	for {
		n := copy(p.buf[p.n:], b)
		p.n += n
		if b = b[n:]; len(b) == 0 {
			return nil
		}
		if err := l.put(p); err != nil {
			return err
		}
	}
}

// put writes the block that is in memory.
func (l *spillLane) put(p *spillPart) error {
	whole := (p.n + vfs.BlockSize - 1) / vfs.BlockSize * vfs.BlockSize
	off := l.s.end.Add(int64(whole)) - int64(whole)
	if _, err := l.s.file.WriteAt(p.buf[:whole], off); err != nil {
		return err
	}
	p.blocks = append(p.blocks, spillBlock{off, p.n, crc32.Checksum(p.buf[:p.n], castagnoli)})
	p.n = 0
	return nil
}

// finish writes what is left in memory.
func (l *spillLane) finish() error {
	for i := range l.parts {
		p := &l.parts[i]
		if p.n > 0 {
			if err := l.put(p); err != nil {
				return err
			}
		}
		p.buf = nil
	}
	return nil
}

// take moves the records of a part into chains, one for each lane.
func (s *spill) take(ctx context.Context, part int, to []*chains) error {
	errs := make([]error, len(s.lanes))
	var wg sync.WaitGroup
	for k, l := range s.lanes {
		wg.Go(func() { errs[k] = s.takeLane(ctx, &l.parts[part], to[k]) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (s *spill) takeLane(ctx context.Context, p *spillPart, to *chains) error {
	block := vfs.AlignedBlock(s.block)
	var rest []byte // the beginning of an entry that goes on in the next block
	for _, b := range p.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		whole := (b.n + vfs.BlockSize - 1) / vfs.BlockSize * vfs.BlockSize
		if _, err := s.file.ReadAt(block[:whole], b.off); err != nil {
			return err
		}
		in := block[:b.n]
		if crc32.Checksum(in, castagnoli) != b.sum {
			return &base.CorruptError{File: s.file.Name(), Offset: b.off, Detail: "a block of records set aside by recovery does not verify"}
		}
		if len(rest) > 0 { // complete the entry, and only that: what follows is read where it is
			need := entryHeader
			if len(rest) >= entryHeader {
				need = entryLen(rest)
			}
			for len(rest) < need && len(in) > 0 {
				n := min(need-len(rest), len(in))
				rest, in = append(rest, in[:n]...), in[n:]
				if len(rest) == entryHeader {
					need = entryLen(rest)
				}
			}
			if len(rest) < need {
				continue
			}
			if err := to.addEntry(rest); err != nil {
				return err
			}
			rest = rest[:0]
		}
		for len(in) >= entryHeader && len(in) >= entryLen(in) {
			n := entryLen(in)
			if err := to.addEntry(in[:n]); err != nil {
				return err
			}
			in = in[n:]
		}
		rest = append(rest, in...)
	}
	if len(rest) > 0 {
		return fmt.Errorf("recovery: %d bytes behind the last record set aside", len(rest))
	}
	*p = spillPart{}
	return nil
}

func entryLen(e []byte) int { return entryHeader + int(binary.LittleEndian.Uint32(e[4:])) }

// addEntry is add of an entry as it stands in a spill.
func (c *chains) addEntry(e []byte) error {
	start := base.LSN(binary.LittleEndian.Uint64(e[8:]))
	return c.add(binary.LittleEndian.Uint32(e), redo.Record{Op: redo.Op(e[20]), Body: e[entryHeader:]},
		redo.Group{LSN: start, End: start + base.LSN(binary.LittleEndian.Uint32(e[16:]))})
}

func (s *spill) close() { _ = s.file.Close() } // what was in it has been used, or is gathered anew

// spillRoom tells how many bytes recovery may set aside: half of what is free, for the server
// writes meanwhile.
func (r *Redo) spillRoom() int64 {
	if r.noSpill {
		return 0
	}
	return r.o.Log.FreeBytes() / 2
}
