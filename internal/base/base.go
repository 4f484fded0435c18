// Package base holds the nouns every room of the engine shares: identifiers, positions and errors.
// It imports nothing of the project.
package base

import (
	"fmt"
	"runtime"
)

// PageSize is the size of every page of every tablespace, in bytes. On disk; fixed.
const PageSize = 16 << 10

// Processors is how many the process may use, as it was at its start.
var Processors = runtime.GOMAXPROCS(0)

type (
	// SpaceID names a tablespace. It is never reused in the life of a data directory.
	SpaceID uint32
	// PageNo is the position of a page in its tablespace, counted in pages.
	PageNo uint32
	// LSN is a byte position in the redo log. 0 means "never logged".
	LSN uint64
	// TrxID numbers transactions in the order of their first write; commit numbers come from the
	// same counter. 0 means "visible to everybody".
	TrxID uint64
	// RollPtr points to the undo record of the change that produced a row version:
	// salt (16 bits) << 48 | page number (32 bits) << 16 | offset in the page (16 bits). 0 means
	// "no older version". The salt is the low half of the record's number: a rollback to a
	// savepoint frees positions that the same transaction uses again, and a reader that still holds
	// the old pointer must not take the new record for the one it wants.
	RollPtr uint64
	// TableID names a table across renames. A table that is rebuilt gets a new one.
	TableID uint64
	// IndexID names an index (a tree). Unique in the data directory.
	IndexID uint64
)

// NilPage marks the absence of a page number.
const NilPage PageNo = 0xFFFFFFFF

// Fixed tablespaces. On disk; fixed.
const (
	SystemSpace SpaceID = 0 // catalog
	UndoSpace   SpaceID = 1 // undo streams
	FirstSpace  SpaceID = 16
)

// PageID is the address of a page.
type PageID struct {
	Space SpaceID
	No    PageNo
}

func (id PageID) String() string { return fmt.Sprintf("%d:%d", id.Space, id.No) }

// Uint64 packs id as space<<32 | page: the 8-byte form of the LRU list file.
func (id PageID) Uint64() uint64 { return uint64(id.Space)<<32 | uint64(id.No) }

// PageIDFrom unpacks what Uint64 packed.
func PageIDFrom(v uint64) PageID { return PageID{SpaceID(v >> 32), PageNo(v)} }

// MakeRollPtr packs an undo position.
func MakeRollPtr(no PageNo, off uint16) RollPtr { return RollPtr(no)<<16 | RollPtr(off) }

// WithSalt returns p with its salt set.
func (p RollPtr) WithSalt(salt uint16) RollPtr { return p<<16>>16 | RollPtr(salt)<<48 }

// Page, Offset and Salt unpack a RollPtr.
func (p RollPtr) Page() PageNo   { return PageNo(p >> 16) }
func (p RollPtr) Offset() uint16 { return uint16(p) }
func (p RollPtr) Salt() uint16   { return uint16(p >> 48) }
