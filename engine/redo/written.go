package redo

import (
	"encoding/binary"
	"iter"

	"emberdb/internal/base"
)

// PageLSN names a version of a page.
type PageLSN struct {
	Page base.PageID
	LSN  base.LSN
}

// NoteWritten logs that these versions of pages are durable at their places: recovery need not look
// at older changes of theirs, not even read the pages. The note is a wish: without it the pages are
// read and found to be up to date. It does nothing before the log is started, or after it failed.
//
// The body of the record, op OpWritten: for each page space, page, LSN, all uvarints.
func (l *Log) NoteWritten(pages []PageLSN) {
	if !l.started.Load() || len(pages) == 0 {
		return
	}
	var body []byte
	for _, w := range pages {
		body = binary.AppendUvarint(body, uint64(w.Page.Space))
		body = binary.AppendUvarint(body, uint64(w.Page.No))
		body = binary.AppendUvarint(body, uint64(w.LSN))
	}
	_, _ = l.Append(AppendRecord(nil, OpWritten, base.PageID{}, body), nil) // a failure is kept in the log and told to the next writer
}

// Written walks the body of an OpWritten record.
func Written(body []byte) iter.Seq[PageLSN] {
	return func(yield func(PageLSN) bool) {
		b := uvarints(body)
		for len(b) > 0 {
			id := base.PageID{Space: base.SpaceID(b.next()), No: base.PageNo(b.next())}
			if w := (PageLSN{id, base.LSN(b.next())}); !yield(w) {
				return
			}
		}
	}
}

// uvarints is read from the front. What does not parse reads as 0, to the end: callers check what
// they read.
type uvarints []byte

func (b *uvarints) next() uint64 {
	s := *b
	if len(s) > 0 && s[0] < 0x80 {
		*b = s[1:]
		return uint64(s[0])
	}
	v, n := binary.Uvarint(s)
	if n <= 0 {
		*b = nil
		return 0
	}
	*b = s[n:]
	return v
}

func (b *uvarints) byte() byte {
	s := *b
	if len(s) == 0 {
		return 0
	}
	*b = s[1:]
	return s[0]
}
