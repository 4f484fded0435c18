package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"unsafe"

	"golang.org/x/sys/unix"
)

// heapHuge is how much of Go's heap may stand on huge pages: more than the server's heap grows to
// with some hundred sessions.
const heapHuge = 256 << 20

// hugeHeap asks for huge pages for the memory that Go's heap is going to use first. A session's
// data lies all over the heap, and hundreds of them take turns: with pages of 4 KiB each of the
// lines they touch is a miss of the translation buffer, too. The buffer pool asks for its own.
//
// The heap is asked for a block it has not mapped yet, which is given back and not touched: the
// advice stays with the addresses, and Go's heap takes the lowest free ones first. What is made
// before a collection has freed the block stands behind it, on small pages: so one begins here, and
// a start does not wait for it.
func hugeHeap() {
	b := make([]byte, heapHuge)
	start := uintptr(unsafe.Pointer(&b[0]))
	page := uintptr(unix.Getpagesize())
	from := (page - start%page) % page
	_ = unix.Madvise(b[from:uintptr(len(b))&^(page-1)-from], unix.MADV_HUGEPAGE) // a wish: the server works without
	runtime.KeepAlive(b)
	go runtime.GC()
}

// leastGrowth is how much the heap grows at least between two collections. While little lives on it,
// a report that takes some MB for its hash tables would otherwise pay for a collection each time.
const leastGrowth = 64 << 20

// paceHeap lets the heap grow by gcPercent of what lives on it, and by leastGrowth at least. The
// collector has no such setting: so its percentage is set anew when a collection has ended and what
// lives is another size.
func paceHeap() {
	p := &pace{live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	p.set()
}

// pace is the percentage that was set last.
type pace struct {
	live    []metrics.Sample
	percent int
}

// marker is what a collection frees, so that its end is seen.
type marker struct{ _ *byte }

// set sets the percentage, now and after every collection.
func (p *pace) set() {
	metrics.Read(p.live)
	if n := percentOf(p.live[0].Value.Uint64()); p.percent == 0 || 8*max(n-p.percent, p.percent-n) > p.percent {
		p.percent = n
		debug.SetGCPercent(n)
	}
	runtime.AddCleanup(&marker{}, (*pace).set, p)
}

// percentOf is by how much of what lives the heap may grow.
func percentOf(live uint64) int {
	return max(gcPercent, int(100*leastGrowth/max(live, leastHeap)))
}

// leastHeap keeps the percentage small before the first collection has told what lives.
const leastHeap = 4 << 20
