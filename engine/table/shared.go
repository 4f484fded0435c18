package table

import (
	"hash/maphash"
	"sync/atomic"

	"emberdb/engine/btree"
	"emberdb/engine/catalog"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// shared is what the tables of one engine have in common. It is made with their Services.
type shared struct {
	shapes btree.Shapes
	uses   uses
	placer atomic.Pointer[func(*catalog.Table) (Placer, error)] // see parts.go

	// unique serialises insertions of a unique key: looking for an equal key and inserting are one
	// step (invariant 6).
	unique [stripes]stripe[invariants.UniqueKey]
	// undo serialises the undo of a row. Otherwise the second look after one (settleAgain) takes
	// entries that another goroutine has restored for those of an older version.
	undo [stripes]stripe[invariants.RowUndo]
	seed maphash.Seed // of both

	// building counts the index builds that run, built those that have ended. A build that ends
	// raises built before it lowers building.
	building atomic.Int32
	built    atomic.Uint64

	learned learnedTables
}

const stripes = 256

// stripe is the latch of all keys that hash alike, on a cache line of its own.
type stripe[C invariants.Class] struct {
	invariants.Mutex[C]
	_ [56]byte
}

func newShared() *shared { return &shared{seed: maphash.MakeSeed()} }

// uniqueStripe is the latch of a key of a unique index.
func (s *shared) uniqueStripe(id base.IndexID, key []byte) *stripe[invariants.UniqueKey] {
	return &s.unique[s.hash(id, key)]
}

// undoStripe is the latch of a row, given by the id of the clustered index and its key there.
func (s *shared) undoStripe(id base.IndexID, key []byte) *stripe[invariants.RowUndo] {
	return &s.undo[s.hash(id, key)]
}

func (s *shared) hash(id base.IndexID, key []byte) uint8 {
	return uint8((maphash.Bytes(s.seed, key) ^ uint64(id)*0x9E3779B97F4A7C15) >> 56)
}
