package pagefile

import (
	"cmp"
	"slices"
	"sync"

	"emberdb/internal/base"
)

// batch is the order in which WriteBatch writes its pages in place, and scratch for the vectored calls.
type batch struct {
	order []int // indexes into the caller's slices, by page id
	vec   [][]byte
	used  []*handle
}

var batches = sync.Pool{New: func() any { return new(batch) }}

// WriteBatch writes pages durably: it stamps their checksums, writes and syncs their copies in the doublewrite area, writes them in place, neighbours
// in one call, and syncs each file. REQUIRES: redo is durable up to their LSNs; the pages do not change meanwhile.
//
// A missing file is reported as ErrNoSpace and is no failure of the others: all pages whose file exists are written.
// Any other error leaves the disk in doubt and enters the failed state.
func (f *Files) WriteBatch(ids []base.PageID, pages [][]byte) error {
	if err := f.failed(); err != nil {
		return err
	}
	b := batches.Get().(*batch)
	defer batches.Put(b)
	b.order = b.order[:0]
	for i, id := range ids {
		if err := f.checkOwn(id, pages[i]); err != nil {
			return f.fail(err)
		}
		Stamp(pages[i])
		b.order = append(b.order, i)
	}
	slices.SortFunc(b.order, func(x, y int) int { return cmp.Compare(ids[x].Uint64(), ids[y].Uint64()) })

	var missing error
	for rest := b.order; len(rest) > 0; {
		n := min(len(rest), doublewriteSlots)
		err := f.writePart(b, rest[:n], ids, pages)
		if err != nil && !isMissing(err) {
			return f.fail(err)
		}
		if err != nil {
			missing = err
		}
		rest = rest[n:]
	}
	return missing
}

// writePart writes what fits the doublewrite area at once. The area is free again when the files are synced.
func (f *Files) writePart(b *batch, order []int, ids []base.PageID, pages [][]byte) error {
	if f.o.Doublewrite {
		f.dw.mu.Lock()
		defer f.dw.mu.Unlock()
		if err := f.dw.writeLocked(order, ids, pages, &f.stats); err != nil {
			return err
		}
	}
	b.used = b.used[:0]
	defer func() {
		for _, h := range b.used {
			f.table.release(h)
		}
		clear(b.used)
	}()
	var missing error
	for len(order) > 0 {
		run := 1
		for run < len(order) && ids[order[run]] == nextPage(ids[order[run-1]]) {
			run++
		}
		err := f.writeRun(b, order[:run], ids, pages)
		if err != nil && !isMissing(err) {
			return err
		}
		if err != nil {
			missing = err
		}
		order = order[run:]
	}
	for _, h := range b.used {
		f.stats.syncs.Add(1)
		if err := h.file.Sync(); err != nil {
			return err
		}
	}
	return missing
}

// writeRun writes neighbouring pages in place and keeps the file's handle in b.used for the sync.
func (f *Files) writeRun(b *batch, run []int, ids []base.PageID, pages [][]byte) error {
	first := ids[run[0]]
	if len(b.used) == 0 || b.used[len(b.used)-1].space != first.Space {
		h, err := f.table.acquire(first.Space)
		if err != nil {
			return err
		}
		b.used = append(b.used, h)
	}
	b.vec = b.vec[:0]
	for _, i := range run {
		b.vec = append(b.vec, pages[i])
	}
	n, err := b.used[len(b.used)-1].file.WriteVAt(b.vec, int64(first.No)*base.PageSize)
	clear(b.vec)
	f.stats.writes.Add(1)
	f.stats.pagesWritten.Add(uint64(n / base.PageSize))
	f.stats.bytesWritten.Add(uint64(n))
	return err
}

func nextPage(id base.PageID) base.PageID { return base.PageID{Space: id.Space, No: id.No + 1} }
