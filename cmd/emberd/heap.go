package main

import (
	"runtime"
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
