package lock

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"emberdb/internal/base"
)

// Mode is the strength of a record or table lock.
type Mode uint8

const (
	IS Mode = iota
	IX
	S
	X
	AutoInc
)

// Kind tells which part of (record, gap before it) a record lock is on.
type Kind uint8

const (
	NextKey         Kind = iota // the record and the gap before it
	Record                      // the record alone
	Gap                         // the gap before the record alone
	InsertIntention             // a wish to insert into the gap before the record; once granted it leaves no entry
)

// MetaMode is the strength of a metadata lock.
type MetaMode uint8

const (
	MetaDefinition  MetaMode = iota // reads the object's definition alone: PREPARE
	MetaShared                      // reads the object
	MetaSharedWrite                 // changes its rows
	MetaReadOnly                    // LOCK TABLES READ, global read lock: keeps writers out
	MetaUpgradable                  // online DDL at work: one at a time, beside readers and writers
	MetaNoReadWrite                 // LOCK TABLES WRITE: keeps all out who want rows
	MetaExclusive                   // changes the object itself
)

// Scope is how long a metadata lock is held.
type Scope uint8

const (
	Statement Scope = iota
	Transaction
	Explicit // LOCK TABLES, FLUSH TABLES WITH READ LOCK, GET_LOCK
)

// MetaGlobal is the name that writing statements hold with MetaSharedWrite and a global read lock
// with MetaReadOnly.
const MetaGlobal = "\x00"

// metaName is a name that MetaName has made.
type metaName struct{ schema, table, name string }

// metaNames are names made lately: every statement asks for one. A newer one takes the place of
// another by its hash.
var (
	metaNames [256]atomic.Pointer[metaName]
	metaSeed  = maphash.MakeSeed()
)

// MetaName is the name of a table's metadata lock; with an empty table, that of the schema. Names
// that differ only in case share a lock, for no two tables may bear them.
func MetaName(schema, table string) string {
	h := maphash.String(metaSeed, schema)*31 + maphash.String(metaSeed, table)
	at := &metaNames[h%uint64(len(metaNames))]
	if m := at.Load(); m != nil && m.schema == schema && m.table == table {
		return m.name
	}
	m := &metaName{strings.Clone(schema), strings.Clone(table), strings.ToLower(schema) + "\x00" + strings.ToLower(table)}
	at.Store(m)
	return m.name
}

// Supremum stands for the end of a tree, behind all keys. No encoded key is empty.
var Supremum = []byte{}

// class is the family of a locked object; each has conflict rules of its own.
type class uint8

const (
	classRecord class = iota
	classTable
	classMeta
)

// tableConflicts[requested] is the set of held modes that it waits for; recordConflicts alike for S
// and X.
var tableConflicts = [...]uint8{
	IS:      1 << X,
	IX:      1<<S | 1<<X,
	S:       1<<IX | 1<<X | 1<<AutoInc,
	X:       1<<IS | 1<<IX | 1<<S | 1<<X | 1<<AutoInc,
	AutoInc: 1<<S | 1<<X | 1<<AutoInc,
}

var metaConflicts = [...]uint8{
	MetaDefinition:  1 << MetaExclusive,
	MetaShared:      1<<MetaNoReadWrite | 1<<MetaExclusive,
	MetaSharedWrite: 1<<MetaReadOnly | 1<<MetaNoReadWrite | 1<<MetaExclusive,
	MetaReadOnly:    1<<MetaSharedWrite | 1<<MetaNoReadWrite | 1<<MetaExclusive,
	MetaUpgradable:  1<<MetaUpgradable | 1<<MetaNoReadWrite | 1<<MetaExclusive,
	MetaNoReadWrite: allMetas &^ (1 << MetaDefinition),
	MetaExclusive:   allMetas,
}

// allMetas is the set of all modes of metadata locks.
const allMetas = 1<<(MetaExclusive+1) - 1

// tableCovers[held] is the set of modes that a holder of that mode need not ask for; metaCovers
// alike.
var tableCovers = [...]uint8{
	IS:      1 << IS,
	IX:      1<<IS | 1<<IX,
	S:       1<<IS | 1<<S,
	X:       1<<IS | 1<<IX | 1<<S | 1<<X | 1<<AutoInc,
	AutoInc: 1 << AutoInc,
}

var metaCovers = [...]uint8{
	MetaDefinition:  1 << MetaDefinition,
	MetaShared:      1<<MetaDefinition | 1<<MetaShared,
	MetaSharedWrite: 1<<MetaDefinition | 1<<MetaShared | 1<<MetaSharedWrite,
	MetaReadOnly:    1<<MetaDefinition | 1<<MetaShared | 1<<MetaReadOnly,
	MetaUpgradable:  1<<MetaDefinition | 1<<MetaShared | 1<<MetaSharedWrite | 1<<MetaUpgradable,
	MetaNoReadWrite: allMetas &^ (1 << MetaExclusive),
	MetaExclusive:   allMetas,
}

// weak tells that no two weak locks of a class conflict, so that a queue without strong ones need
// not be looked at. Record locks are never weak: their queues are short.
func weak(c class, mode uint8) bool {
	switch c {
	case classTable:
		return Mode(mode) == IS || Mode(mode) == IX
	case classMeta:
		return MetaMode(mode) <= MetaSharedWrite
	}
	return false
}

// conflicts tells whether a request of (mode, kind) must wait for a lock or an earlier request
// (heldMode, heldKind) of another owner.
//
// Records, requested against held:
//
//	                  NextKey   Record    Gap       InsertIntention
//	NextKey, Record   by mode   by mode   -         -
//	Gap               -         -         -         -
//	InsertIntention   by mode   -         by mode   -
//
// An insert intention has mode X, so "by mode" is always a conflict for it. Locks on Supremum are
// made Gap by the manager.
func conflicts(c class, mode uint8, kind Kind, heldMode uint8, heldKind Kind) bool {
	switch c {
	case classTable:
		return tableConflicts[mode]>>heldMode&1 != 0
	case classMeta:
		return metaConflicts[mode]>>heldMode&1 != 0
	}
	if heldKind == InsertIntention || kind == Gap {
		return false
	}
	if kind == InsertIntention {
		return heldKind != Record
	}
	return heldKind != Gap && (Mode(mode) == X || Mode(heldMode) == X)
}

// covers tells whether an owner that holds (heldMode, heldKind) need not ask for (mode, kind).
func covers(c class, heldMode uint8, heldKind Kind, mode uint8, kind Kind) bool {
	switch c {
	case classTable:
		return tableCovers[heldMode]>>mode&1 != 0
	case classMeta:
		return metaCovers[heldMode]>>mode&1 != 0
	}
	if kind == InsertIntention || (Mode(heldMode) != X && Mode(mode) == X) {
		return false
	}
	return heldKind == kind || heldKind == NextKey
}

func (m Mode) String() string {
	return [...]string{"IS", "IX", "S", "X", "AUTO-INC"}[m]
}

func (m MetaMode) String() string {
	return [...]string{"SHARED", "SHARED_READ", "SHARED_WRITE", "SHARED_READ_ONLY", "SHARED_UPGRADABLE", "SHARED_NO_READ_WRITE", "EXCLUSIVE"}[m]
}

// object names what is locked.
type object struct {
	class class
	tree  uint64 // base.IndexID or base.TableID; 0 for metadata
	key   []byte // record key or metadata name
}

func recordObject(tree base.IndexID, key []byte) object {
	return object{class: classRecord, tree: uint64(tree), key: key}
}
