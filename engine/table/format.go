package table

import (
	"encoding/binary"
	"fmt"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

var le = binary.LittleEndian

// The value of a clustered record. On disk; fixed.
//
//	offset size
//	0      1    flags: 1 = delete-marked
//	1      8    trx id of the last writer
//	9      8    roll pointer: the undo record of the last change
//	17     ..   row bytes (package row)
//
// The value of a secondary record is the flags byte alone.
const (
	flagDeleted = 1

	offTrx    = 1
	offPtr    = 9
	headerLen = 17
)

// header is the decoded head of a clustered value.
type header struct {
	flags byte
	trx   base.TrxID
	ptr   base.RollPtr
}

func (h header) deleted() bool { return h.flags&flagDeleted != 0 }

// same tells whether h and g belong to the same version of a row.
func (h header) same(g header) bool { return h.trx == g.trx && h.ptr == g.ptr }

func parseHeader(value []byte) header {
	return header{value[0], base.TrxID(le.Uint64(value[offTrx:])), base.RollPtr(le.Uint64(value[offPtr:]))}
}

func appendHeader(dst []byte, h header) []byte {
	dst = append(dst, h.flags)
	dst = le.AppendUint64(dst, uint64(h.trx))
	return le.AppendUint64(dst, uint64(h.ptr))
}

// putVersion writes trx id and roll pointer into a value that was built before they were known.
func putVersion(value []byte, trx base.TrxID, ptr base.RollPtr) {
	le.PutUint64(value[offTrx:], uint64(trx))
	le.PutUint64(value[offPtr:], uint64(ptr))
}

// checkValue verifies a clustered value before anything relies on its shape.
func (t *Table) checkValue(value []byte) error {
	if len(value) < headerLen {
		return t.corrupt("clustered record of %d bytes", len(value))
	}
	if err := t.layout.Validate(value[headerLen:]); err != nil {
		return t.corrupt("%v", err)
	}
	return nil
}

func (t *Table) corrupt(format string, args ...any) error {
	return &base.CorruptError{File: fmt.Sprintf("space %d, table %s.%s", t.def.Space, t.def.Schema, catalog.ShownName(t.def.Name)),
		Page: base.PageID{Space: t.def.Space, No: t.clustered().def.Root}, Detail: fmt.Sprintf(format, args...)}
}

// The body of an undo record. On disk; fixed. Numbers are uvarints unless said otherwise.
//
//	insert of a row          empty
//	creation of a chain      encoded overflow reference (the record's key is empty)
//	update, delete, revival  flags of the version before, u8
//	                         prefix, suffix, length, bytes: the patch from the new row bytes to
//	                         the old ones
//	                         count, then encoded overflow references: chains that no version after
//	                         this change refers to
//	                         count, then index id, length, key each: secondary entries of the old
//	                         version that the new one has not
type undoBody struct {
	flags  byte
	prefix int
	suffix int
	middle []byte
	chains []byte // encoded references, row.OverflowRefSize each
	keys   []byte // encoded entries, see nextKey
	nKeys  int
}

// appendPatch begins the body of an update.
func appendPatch(dst []byte, flags byte, newRow, oldRow []byte) []byte {
	prefix, suffix, middle := row.Patch(newRow, oldRow)
	dst = append(dst, flags)
	dst = binary.AppendUvarint(dst, uint64(prefix))
	dst = binary.AppendUvarint(dst, uint64(suffix))
	dst = binary.AppendUvarint(dst, uint64(len(middle)))
	return append(dst, middle...)
}

// appendChains is the second part of the body.
func appendChains(dst []byte, refs []row.OverflowRef) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(refs)))
	for _, r := range refs {
		dst = row.AppendRef(dst, r)
	}
	return dst
}

// appendKey is one entry of the third part.
func appendKey(dst []byte, id base.IndexID, key []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(id))
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	return append(dst, key...)
}

// parseBody decodes the body of an update, delete or revival. The result aliases rec.
func (t *Table) parseBody(rec *txn.UndoRecord) (b undoBody, err error) {
	p := rec.Body
	number := func(limit uint64) int {
		v, n := binary.Uvarint(p)
		if n <= 0 || v > limit {
			err = t.corrupt("undo record %d:%d: malformed body", rec.Ptr.Page(), rec.Ptr.Offset())
			p = nil
			return 0
		}
		p = p[n:]
		return int(v)
	}
	if len(p) == 0 {
		return b, t.corrupt("undo record %d:%d: empty body", rec.Ptr.Page(), rec.Ptr.Offset())
	}
	b.flags, p = p[0], p[1:]
	b.prefix = number(row.MaxRow)
	b.suffix = number(row.MaxRow)
	n := number(uint64(len(p)))
	if err != nil || n > len(p) {
		return b, t.corrupt("undo record %d:%d: malformed patch", rec.Ptr.Page(), rec.Ptr.Offset())
	}
	b.middle, p = p[:n], p[n:]
	n = number(uint64(len(p))) * row.OverflowRefSize
	if err != nil || n > len(p) {
		return b, t.corrupt("undo record %d:%d: malformed chains", rec.Ptr.Page(), rec.Ptr.Offset())
	}
	b.chains, p = p[:n], p[n:]
	b.nKeys = number(uint64(len(p)))
	b.keys = p
	return b, err
}

// nextKey takes the next entry off the keys of a body.
func (b *undoBody) nextKey() (id base.IndexID, key []byte, ok bool) {
	if b.nKeys == 0 {
		return 0, nil, false
	}
	v, n := binary.Uvarint(b.keys)
	if n <= 0 {
		return 0, nil, false
	}
	l, m := binary.Uvarint(b.keys[n:])
	if m <= 0 || l > uint64(len(b.keys)-n-m) {
		return 0, nil, false
	}
	key = b.keys[n+m:][:l]
	b.keys = b.keys[n+m+int(l):]
	b.nKeys--
	return base.IndexID(v), key, true
}

// eachChain calls fn for the references of a body.
func (b *undoBody) eachChain(fn func(row.OverflowRef) error) error {
	for p := b.chains; len(p) > 0; p = p[row.OverflowRefSize:] {
		if err := fn(row.ParseOverflow(-1, p)); err != nil {
			return err
		}
	}
	return nil
}
