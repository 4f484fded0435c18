package buffer

import (
	"sync"
	"sync/atomic"

	"emberdb/internal/base"
)

// What checkpoints at other distances would cost. A page that is written when its oldest change is
// a given number of log bytes old is written once for each stretch of that length in which it
// changes. The trace follows a sample of the pages and counts, for several such ages, how often a
// clean page would have become dirty: in the long run as often as it would have been written. Small
// ages mean many writes of the same page.

// traceAges are the ages looked at, in bytes of log.
var traceAges = [...]base.LSN{1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20, 1 << 30, 4 << 30, 16 << 30}

const (
	traceShift = 6       // one page in 64 at first
	traceMost  = 4096    // pages followed; more: half of them, and of those to come, are left out
	traceFade  = 1 << 16 // counts after which older ones count half
)

// dirtyTrace is called under the log's append mutex for the pages of the sample, so that LSNs come
// in order; mu is a leaf.
type dirtyTrace struct {
	mask atomic.Uint64 // pages whose hash has none of these bits are in the sample

	mu      sync.Mutex
	pages   map[uint64][len(traceAges)]base.LSN // by age: since when the page would be dirty
	dirtied [len(traceAges)]float64
	bytes   float64 // of log, of the counts
	touches int
	begin   base.LSN
	end     base.LSN
}

func (t *dirtyTrace) init() {
	t.mask.Store(1<<traceShift - 1)
	t.pages = make(map[uint64][len(traceAges)]base.LSN)
}

// samples tells whether the page is followed.
func (t *dirtyTrace) samples(page uint64) bool { return traceHash(page)&t.mask.Load() == 0 }

func traceHash(page uint64) uint64 { return page * 0x9E3779B97F4A7C15 >> 32 }

// touch notes a change of a page at lsn.
func (t *dirtyTrace) touch(page uint64, lsn base.LSN) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.end == 0 {
		t.begin, t.end = lsn, lsn
	}
	t.bytes += float64(lsn - t.end)
	t.end = lsn
	since, known := t.pages[page]
	for k, age := range traceAges {
		if !known || lsn-since[k] > age {
			since[k] = lsn
			t.dirtied[k]++
		}
	}
	t.pages[page] = since
	if t.touches++; t.touches == traceFade {
		t.fadeLocked()
		t.touches = 0
	}
	if len(t.pages) > traceMost {
		t.thinLocked()
	}
}

func (t *dirtyTrace) fadeLocked() {
	t.bytes /= 2
	for k := range t.dirtied {
		t.dirtied[k] /= 2
	}
}

// thinLocked halves the sample.
func (t *dirtyTrace) thinLocked() {
	mask := t.mask.Load()<<1 | 1
	t.mask.Store(mask)
	for page := range t.pages {
		if traceHash(page)&mask != 0 {
			delete(t.pages, page)
		}
	}
	for k := range t.dirtied {
		t.dirtied[k] /= 2
	}
}

// WritesAtAge is what keeping the redo log that a restart repeats at one length would mean, by the
// changes seen so far.
type WritesAtAge struct {
	Age    int64   // bytes of log
	Writes float64 // pages written for each byte of log
	Dirty  int64   // pages dirty at a time
}

// Trace tells what checkpoints at other distances would mean, by growing age. Ages that more log
// than was seen would fill are left out, but for the first.
func (f *Flusher) Trace() (out []WritesAtAge) {
	t := &f.trace
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bytes == 0 {
		return nil
	}
	each := float64(t.mask.Load() + 1)
	var dirty [len(traceAges)]int64
	for _, since := range t.pages {
		for k, age := range traceAges {
			if t.end-since[k] <= age {
				dirty[k]++
			}
		}
	}
	for k, age := range traceAges {
		if k > 0 && age > t.end-t.begin {
			break
		}
		out = append(out, WritesAtAge{Age: int64(age), Writes: t.dirtied[k] * each / t.bytes, Dirty: min(dirty[k]*int64(each), int64(f.limitRef()))})
	}
	return out
}
