package binlog

// What the log writes into redo. On disk; fixed. A record is the body of one redo record; numbers
// are uvarints unless said otherwise.
//
//	bytes   1 kind 1   1 flags   file   offset   the bytes that stand there
//	events  1 kind 5   1 flags   file   offset   the events that stand there, all of a unit's; position and checksum of each are made where they enter the file
//	adopt   1 kind 2   1 flags   file   length of the whole file   length of the cache file's name   name   the head of the file
//	purge   1 kind 3   1 flags   first file kept   number of files before it that go   length of a set   purged set   then the set to add to the executed one
//	reset   1 kind 4   1 flags   the file that comes next, the first one   the oldest and the newest file that go
//
// flags: 1 first record of a unit, 2 last one. Of a unit without its last record nothing counts.

import (
	"encoding/binary"
	"fmt"
	"slices"
)

const (
	recordBytes  = 1
	recordAdopt  = 2
	recordPurge  = 3
	recordReset  = 4
	recordEvents = 5

	unitFirst = 1
	unitLast  = 2

	maxRecordHead = 2 + 2*binary.MaxVarintLen64
)

// piece is a part of a unit: bytes for a file, or a cache file that becomes one.
type piece struct {
	file  uint32
	off   int64
	data  []byte
	raw   bool   // data is events that have no position yet: see placed
	adopt string // name of the cache file; data is then the head, length the size of the whole
	size  int64
}

// placed gives the events of a raw piece their positions and checksums.
func (p *piece) placed() {
	if p.raw {
		Place(p.data, p.off)
		p.raw = false
	}
}

// Records gives the records of a unit, one after the other.
type Records struct {
	pieces  []piece // whose records, or the rest of them, are to come
	max     int     // the longest record
	given   int     // bytes of the first piece
	begun   bool
	scratch []byte
}

// More tells whether a record is to come.
func (r *Records) More() bool { return len(r.pieces) > 0 }

// Next gives it as two parts, to be written one after the other. They are valid until the next
// call.
// REQUIRES: More.
func (r *Records) Next() (head, data []byte) {
	p, room := &r.pieces[0], r.max-maxRecordHead
	if p.adopt == "" && len(p.data) > room {
		p.placed() // who reads a part of an event cannot place it
	}
	off := p.off + int64(r.given)
	if data = p.data[r.given:]; p.adopt == "" && len(data) > room {
		data = data[:room]
		r.given += room
	} else {
		r.pieces, r.given = r.pieces[1:], 0
	}
	flags := byte(0)
	if !r.begun {
		flags, r.begun = unitFirst, true
	}
	if !r.More() {
		flags |= unitLast
	}
	kind := byte(recordBytes)
	switch {
	case p.adopt != "":
		kind, off = recordAdopt, p.size
	case p.raw:
		kind = recordEvents
	}
	head = append(r.scratch[:0], kind, flags)
	head = binary.AppendUvarint(head, uint64(p.file))
	head = binary.AppendUvarint(head, uint64(off))
	if p.adopt != "" {
		head = append(binary.AppendUvarint(head, uint64(len(p.adopt))), p.adopt...)
	}
	r.scratch = head
	return head, data
}

// bodies are the records of pieces, each in one part.
func bodies(pieces []piece) (all [][]byte) {
	for r := (Records{pieces: pieces, max: maxUnitRecord}); r.More(); {
		head, data := r.Next()
		all = append(all, slices.Concat(head, data))
	}
	return all
}

// record is a parsed record.
type record struct {
	kind, flags byte
	file        uint32
	off         int64 // adopt: length of the file; purge: number of files
	name        string
	data        []byte
	purged      *Set
	executed    *Set
	gone        [2]uint32 // reset: oldest and newest file removed
}

// end is where the file ends behind what the record writes.
func (r *record) end() int64 {
	if r.kind == recordAdopt {
		return r.off
	}
	return r.off + int64(len(r.data))
}

func parseRecord(b []byte) (record, error) {
	bad := func(why string) (record, error) {
		return record{}, fmt.Errorf("binlog record of %d bytes: %s", len(b), why)
	}
	if len(b) < 3 {
		return bad("too short")
	}
	r := record{kind: b[0], flags: b[1]}
	rest := b[2:]
	number := func() uint64 {
		n, size := binary.Uvarint(rest)
		if size <= 0 {
			rest = nil
			return 1 << 63
		}
		rest = rest[size:]
		return n
	}
	file := number()
	if file == 0 || file > maxFile {
		return bad("impossible file number")
	}
	r.file = uint32(file)
	switch r.kind {
	case recordReset:
		first, last := number(), number()
		if first > maxFile || last > maxFile {
			return bad("impossible file number")
		}
		r.gone = [2]uint32{uint32(first), uint32(last)}
		return r, nil
	case recordBytes, recordAdopt, recordEvents:
		off := number()
		if off >= 1<<62 {
			return bad("impossible offset")
		}
		r.off = int64(off)
		if r.kind == recordAdopt {
			n := number()
			if n > uint64(len(rest)) {
				return bad("name cut off")
			}
			r.name, rest = string(rest[:n]), rest[n:]
		}
		r.data = rest
		if r.kind == recordEvents {
			if err := checkEvents(rest); err != nil {
				return bad(err.Error())
			}
		}
		return r, nil
	case recordPurge:
		r.off = int64(number())
		n := number()
		if n > uint64(len(rest)) || r.off < 0 || r.off > int64(r.file) {
			return bad("set cut off")
		}
		var err error
		if r.purged, err = ParseBinary(rest[:n]); err == nil {
			r.executed, err = ParseBinary(rest[n:])
		}
		return r, err
	}
	return bad(fmt.Sprintf("unknown kind %d", r.kind))
}

func appendPurgeRecord(dst []byte, first, removed uint32, purged, executed *Set) []byte {
	dst = append(dst, recordPurge, unitFirst|unitLast)
	dst = binary.AppendUvarint(dst, uint64(first))
	dst = binary.AppendUvarint(dst, uint64(removed))
	dst = binary.AppendUvarint(dst, uint64(purged.BinarySize()))
	return executed.AppendBinary(purged.AppendBinary(dst))
}

func appendResetRecord(dst []byte, next, first, last uint32) []byte {
	dst = binary.AppendUvarint(append(dst, recordReset, unitFirst|unitLast), uint64(next))
	return binary.AppendUvarint(binary.AppendUvarint(dst, uint64(first)), uint64(last))
}

// DescribeRecord tells in a line what a record of the log says, for inspectors of redo.
func DescribeRecord(b []byte) string {
	r, err := parseRecord(b)
	if err != nil {
		return err.Error()
	}
	switch r.kind {
	case recordBytes, recordEvents:
		return fmt.Sprintf("file %d, offset %d, %d bytes%s", r.file, r.off, len(r.data), flagText(r.flags))
	case recordAdopt:
		return fmt.Sprintf("file %d of %d bytes from %s%s", r.file, r.off, r.name, flagText(r.flags))
	case recordPurge:
		return fmt.Sprintf("purge files before %d, purged set %s, executed set grows by %s", r.file, r.purged, r.executed)
	}
	return fmt.Sprintf("reset, next file %d", r.file)
}

func flagText(flags byte) string {
	s := ""
	if flags&unitFirst != 0 {
		s += ", first"
	}
	if flags&unitLast != 0 {
		s += ", last"
	}
	return s
}
