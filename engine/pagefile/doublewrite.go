package pagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The doublewrite area is the file <datadir>/doublewrite.edw: one header block and then one slot
// for each page of a batch.
//
//	offset size
//	0      8   magic "EMBRDBLW"
//	8      4   version, now 1
//	12     4   CRC-32C of the whole header block with this field zero
//	16     4   number of pages in the batch
//	20     4   reserved, zero
//	24     8   batch number, counting up
//	32     ..  entries of 16 bytes: space u32, page u32, checksum of the page u32, reserved u32
//	4096   ..  the pages
//
// Header and slots are written in one call and synced before any of the pages is written in place,
// and the area is written again only after those writes are synced. So one of three holds after a
// crash:
//
//	(a) the header is torn, or a slot differs from its entry: the batch was not synced, nothing
//	was written in place yet
//	(b) header and slots are whole: any place may be torn, and its slot repairs it
//	(c) the same, and every place is whole: nothing to do
const (
	DoublewriteFile  = "doublewrite.edw"
	doublewriteMagic = "EMBRDBLW"
	doublewriteSlots = 128
	dwHeaderSize     = vfs.BlockSize
	dwEntrySize      = 16
	dwEntries        = 32
)

type doublewrite struct {
	mu     sync.Mutex // one batch at a time
	file   vfs.File
	number uint64
	header []byte
	vec    [][]byte
}

// Repaired is what RepairTorn did.
type Repaired struct {
	Batch        int           // pages in the doublewrite area
	Pages        []base.PageID // rewritten from their copies
	Unrepairable []base.PageID // torn in place, and the copy is damaged too
}

// open opens the area. With doublewrite off an area left by an earlier start is still opened, for
// RepairTorn.
func (d *doublewrite) open(fsys vfs.FS, datadir string, o Options) error {
	name := filepath.Join(datadir, DoublewriteFile)
	d.header = vfs.AlignedBlock(dwHeaderSize)
	file, err := fsys.Open(name, vfs.Options{Direct: o.Direct})
	if errors.Is(err, fs.ErrNotExist) {
		if !o.Doublewrite || o.ReadOnly {
			return nil
		}
		return d.create(fsys, datadir, name, o)
	}
	if err != nil {
		return err
	}
	d.file = file
	return nil
}

// create makes the area at its full size, so that later syncs change no metadata.
func (d *doublewrite) create(fsys vfs.FS, datadir, name string, o Options) error {
	file, err := fsys.Open(name, vfs.Options{Create: true, Direct: o.Direct})
	if err != nil {
		return err
	}
	zeros := vfs.AlignedBlock(dwHeaderSize + doublewriteSlots*base.PageSize)
	_, err = file.WriteAt(zeros, 0)
	if err == nil {
		err = file.SyncAll()
	}
	if err == nil {
		err = fsys.SyncDir(datadir)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	d.file = file
	return nil
}

func (d *doublewrite) close() error {
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}

// writeLocked stores the copies of a batch, durably. REQUIRES: d.mu held.
func (d *doublewrite) writeLocked(order []int, ids []base.PageID, pages [][]byte, c *counters) error {
	d.number++
	clear(d.header)
	copy(d.header, doublewriteMagic)
	binary.LittleEndian.PutUint32(d.header[8:], 1)
	binary.LittleEndian.PutUint32(d.header[16:], uint32(len(order)))
	binary.LittleEndian.PutUint64(d.header[24:], d.number)
	d.vec = append(d.vec[:0], d.header)
	for k, i := range order {
		e := d.header[dwEntries+k*dwEntrySize:]
		binary.LittleEndian.PutUint32(e, uint32(ids[i].Space))
		binary.LittleEndian.PutUint32(e[4:], uint32(ids[i].No))
		binary.LittleEndian.PutUint32(e[8:], StoredChecksum(pages[i]))
		d.vec = append(d.vec, pages[i])
	}
	binary.LittleEndian.PutUint32(d.header[12:], crc32.Checksum(d.header, castagnoli))
	start := time.Now()
	n, err := d.file.WriteVAt(d.vec, 0)
	written := time.Now()
	c.dwWrite.Add(n, written.Sub(start))
	clear(d.vec)
	if err != nil {
		return err
	}
	c.syncs.Add(1)
	c.dwBatches.Add(1)
	c.dwPages.Add(uint64(len(order)))
	err = d.file.Sync()
	c.dwSync.Add(0, time.Since(written))
	return err
}

// readHeader returns the number of pages in the area; 0 in case (a).
func (d *doublewrite) readHeader() (int, error) {
	if _, err := d.file.ReadAt(d.header, 0); err == io.EOF {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	h := d.header
	sum := binary.LittleEndian.Uint32(h[12:])
	binary.LittleEndian.PutUint32(h[12:], 0)
	n := binary.LittleEndian.Uint32(h[16:])
	whole := string(h[:8]) == doublewriteMagic && crc32.Checksum(h, castagnoli) == sum
	if !whole {
		return 0, nil
	}
	if v := binary.LittleEndian.Uint32(h[8:]); v != 1 || n > doublewriteSlots {
		return 0, &base.CorruptError{File: d.file.Name(), Detail: fmt.Sprintf("version %d, %d pages", v, n)}
	}
	d.number = binary.LittleEndian.Uint64(h[24:])
	return int(n), nil
}

// RepairTorn rewrites every page whose place is torn from its copy in the doublewrite area. It runs
// once, at open, before any other write. With Options.ReadOnly nothing is written: who reads such a
// page gets the copy.
func (f *Files) RepairTorn() (Repaired, error) {
	var r Repaired
	d := &f.dw
	if d.file == nil {
		return r, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.readHeader()
	if err != nil {
		return r, err
	}
	r.Batch = n
	page, slot := vfs.AlignedBlock(base.PageSize), vfs.AlignedBlock(base.PageSize)
	for k := range n {
		e := d.header[dwEntries+k*dwEntrySize:]
		id := base.PageID{Space: base.SpaceID(binary.LittleEndian.Uint32(e)), No: base.PageNo(binary.LittleEndian.Uint32(e[4:]))}
		err := f.Read(id, page)
		switch {
		case err == nil, errors.Is(err, ErrNeverWritten), isMissing(err), errors.Is(err, ErrBeyondEnd):
			continue // whole as it was before or after the write; or dropped or cut off since
		case !errors.Is(err, base.ErrCorrupt):
			return r, err
		}
		_, err = d.file.ReadAt(slot, int64(dwHeaderSize+k*base.PageSize))
		if err != nil && err != io.EOF {
			return r, err
		}
		if err == io.EOF || StoredChecksum(slot) != binary.LittleEndian.Uint32(e[8:]) || verify(slot, id, d.file.Name()) != nil {
			r.Unrepairable = append(r.Unrepairable, id)
			continue
		}
		if f.o.ReadOnly {
			if f.copies == nil {
				f.copies = make(map[base.PageID][]byte)
			}
			f.copies[id] = bytes.Clone(slot)
		} else if err := f.rewrite(id, slot); err != nil {
			return r, f.fail(err)
		}
		r.Pages = append(r.Pages, id)
	}
	return r, nil
}

// rewrite puts the copy of a page in its place, durably.
func (f *Files) rewrite(id base.PageID, page []byte) error {
	h, err := f.table.acquire(id.Space)
	if err != nil {
		return err
	}
	defer f.table.release(h)
	if _, err := h.file.WriteAt(page, int64(id.No)*base.PageSize); err != nil {
		return err
	}
	f.stats.syncs.Add(1)
	return h.sync(vfs.File.Sync)
}

func isMissing(err error) bool { return errors.Is(err, ErrNoSpace) }
