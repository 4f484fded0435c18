package pagefile

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// batch is the order in which WriteBatch writes its pages in place, and scratch for the vectored
// calls.
type batch struct {
	order []int // indexes into the caller's slices, by page id
	runs  []writeRun
	used  []*handle
}

// writeRun is neighbouring pages of one file, as indexes into the caller's slices.
type writeRun struct {
	h     *handle
	pages []int
}

// writesInFlight is how many runs of a batch are written at a time.
const writesInFlight = 16

var batches = sync.Pool{New: func() any { return new(batch) }}

// WriteBatch writes pages durably: it stamps their checksums, writes and syncs their copies in the
// doublewrite area, writes them in place, neighbours in one call, and syncs each file.
// REQUIRES: redo is durable up to their LSNs; the pages do not change meanwhile.
//
// A missing file is reported as ErrNoSpace and is no failure of the others: all pages whose file
// exists are written. Any other error leaves the disk in doubt and enters the failed state.
func (f *Files) WriteBatch(ids []base.PageID, pages [][]byte) error {
	if err := f.failed(); err != nil {
		return err
	}
	began := time.Now()
	defer func() { f.stats.writeNanos.Add(int64(time.Since(began))) }()
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

// writePart writes what fits the doublewrite area at once. The area is free again when the files
// are synced.
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
		clear(b.runs)
	}()
	missing, err := f.cutRuns(b, order, ids)
	if err == nil {
		err = f.writeRuns(b, ids, pages)
	}
	if err != nil {
		return err
	}
	f.stats.syncs.Add(uint64(len(b.used)))
	if err := f.several(len(b.used), func(i int) error { return b.used[i].sync(vfs.File.Sync) }); err != nil {
		return err
	}
	return missing
}

// several calls do with 0 .. n-1 until one fails. With direct I/O some calls are under way at a
// time: the file system puts what they wait for into one turn of its journal.
func (f *Files) several(n int, do func(i int) error) error {
	workers := 1
	if f.o.Direct {
		workers = min(writesInFlight, n)
	}
	var (
		next atomic.Int64
		wg   sync.WaitGroup
		errs [writesInFlight]error
	)
	work := func(w int) {
		for i := int(next.Add(1)) - 1; i < n && errs[w] == nil; i = int(next.Add(1)) - 1 {
			errs[w] = do(i)
		}
	}
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
	return errors.Join(errs[:]...)
}

// cutRuns divides the pages, sorted by id, into runs of neighbours, and opens the files. Pages
// without a file are left out and reported.
func (f *Files) cutRuns(b *batch, order []int, ids []base.PageID) (missing, err error) {
	b.runs = b.runs[:0]
	for len(order) > 0 {
		n := 1
		for n < len(order) && ids[order[n]] == nextPage(ids[order[n-1]]) {
			n++
		}
		space := ids[order[0]].Space
		if len(b.used) == 0 || b.used[len(b.used)-1].space != space {
			h, err := f.table.acquire(space)
			if isMissing(err) {
				missing = err
				order = order[n:]
				continue
			}
			if err != nil {
				return missing, err
			}
			b.used = append(b.used, h)
		}
		b.runs = append(b.runs, writeRun{b.used[len(b.used)-1], order[:n]})
		order = order[n:]
	}
	return missing, nil
}

// writeRuns writes the runs. With direct I/O, where a write takes as long as the device, several
// are in flight.
func (f *Files) writeRuns(b *batch, ids []base.PageID, pages [][]byte) error {
	writers := 1
	if f.o.Direct {
		writers = min(writesInFlight, len(b.runs))
	}
	if writers <= 1 {
		return f.writeEach(b.runs, new(atomic.Int64), ids, pages)
	}
	var (
		next atomic.Int64
		wg   sync.WaitGroup
		errs [writesInFlight]error
	)
	for w := range writers {
		wg.Go(func() { errs[w] = f.writeEach(b.runs, &next, ids, pages) })
	}
	wg.Wait()
	return errors.Join(errs[:]...)
}

// writeEach writes the runs nobody else took, until one fails.
func (f *Files) writeEach(runs []writeRun, next *atomic.Int64, ids []base.PageID, pages [][]byte) error {
	var vec [][]byte
	for {
		i := int(next.Add(1)) - 1
		if i >= len(runs) {
			return nil
		}
		r := runs[i]
		vec = vec[:0]
		for _, k := range r.pages {
			vec = append(vec, pages[k])
		}
		start := time.Now()
		n, err := r.h.file.WriteVAt(vec, int64(ids[r.pages[0]].No)*base.PageSize)
		r.h.use.write.Add(n, time.Since(start))
		f.stats.writes.Add(1)
		f.stats.pagesWritten.Add(uint64(n / base.PageSize))
		f.stats.bytesWritten.Add(uint64(n))
		if err != nil {
			return err
		}
	}
}

func nextPage(id base.PageID) base.PageID { return base.PageID{Space: id.Space, No: id.No + 1} }
