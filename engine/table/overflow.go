package table

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/row"
	"emberdb/engine/space"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// A long value lives in a chain of overflow pages. Body of such a page, behind the 32 bytes of the
// page header. On disk; fixed.
//
//	offset size
//	32     8    owner: the transaction that wrote the chain; 0 = the page has been freed
//	40     4    next page, NilPage at the end
//	44     4    position of the page in its chain, from 0; chainGoing on the first page while the others are freed
//	48     2    bytes of the value on this page
//	50     ..   the bytes
//
// A chain is written before the row refers to it, page by page, each page in a mini-transaction of
// its own that also links it to the one before. The undo record that names its first page is
// written first of all, inside the first of these mini-transactions, so a chain is found by
// rollback whenever the power goes. Chains are never changed. They are freed from the second page
// on, each step one mini-transaction, the first page last; so a chain that is partly freed is still
// found, and freeing twice is harmless: a page that does not bear the owner any more is somebody
// else's. A reader that nothing keeps the chain for finds that it is going, and never takes it for
// a shorter one.
const (
	offOwner     = pagefile.HeaderSize
	offNext      = offOwner + 8
	offPosition  = offNext + 4
	offBytes     = offPosition + 4
	offData      = offBytes + 2
	overflowData = base.PageSize - offData

	overflowHead = offData - offOwner

	chainGoing = 1<<32 - 1
)

// moveOut chooses the values to move out of the row, longest first, until the record is small
// enough. keyLen is the size of the clustered key. It returns the columns in w.over, in column
// order, with their lengths.
func (t *Table) moveOut(w *work, vals []row.Value, keyLen int) error {
	w.over = w.over[:0]
	size := keyLen + headerLen + t.layout.Size(vals)
	for size > btree.MaxRecord {
		longest := -1
		for i := range t.cols {
			if t.cols[i].Overflows() && len(vals[i].B) > row.OverflowRefSize && !isOut(w.over, i) &&
				(longest < 0 || len(vals[i].B) > len(vals[longest].B)) {
				longest = i
			}
		}
		if longest < 0 {
			return fmt.Errorf("table %s.%s: %w", t.told.Schema, t.told.Name, base.ErrRowTooBig)
		}
		at := len(w.over)
		for at > 0 && w.over[at-1].Column > longest {
			at--
		}
		w.over = append(w.over, row.OverflowRef{})
		copy(w.over[at+1:], w.over[at:])
		w.over[at] = row.OverflowRef{Column: longest, First: base.NilPage, Length: uint32(len(vals[longest].B))}
		size += row.OverflowRefSize - len(vals[longest].B)
	}
	return nil
}

func isOut(over []row.OverflowRef, column int) bool {
	for i := range over {
		if over[i].Column == column {
			return true
		}
	}
	return false
}

// writeChains writes the values that moveOut chose and that have no chain yet.
func (t *Table) writeChains(ctx context.Context, tx *txn.Trx, w *work, vals []row.Value) error {
	for i := range w.over {
		if w.over[i].First != base.NilPage {
			continue
		}
		if err := t.writeChain(ctx, tx, w, &w.over[i], vals[w.over[i].Column].B); err != nil {
			return err
		}
	}
	return nil
}

// writeChain stores b and sets ref. REQUIRES: no latch held.
func (t *Table) writeChain(ctx context.Context, tx *txn.Trx, w *work, ref *row.OverflowRef, b []byte) error {
	ref.Owner, ref.Length = tx.ID(), uint32(len(b))
	prev := base.NilPage
	for position := 0; len(b) > 0; position++ {
		if err := interrupted(ctx); err != nil {
			return err // what was written is undone with the row
		}
		part := b[:min(len(b), overflowData)]
		no, err := t.writeChainPage(tx, w, ref, prev, position, part)
		if err != nil {
			return err
		}
		space.Prepare(t.svc.Pool, base.PageID{Space: t.def.Space, No: no})
		prev, b = no, b[len(part):]
	}
	return nil
}

func (t *Table) writeChainPage(tx *txn.Trx, w *work, ref *row.OverflowRef, prev base.PageNo, position int, part []byte) (base.PageNo, error) {
	m := t.svc.Pool.Begin()
	defer m.Commit()
	var before buffer.Page
	hint := base.PageNo(0)
	if prev != base.NilPage {
		var err error
		if before, err = m.Pin(base.PageID{Space: t.def.Space, No: prev}, buffer.Exclusive); err != nil {
			return 0, err
		}
		hint = prev + 1
	}
	fresh, err := space.ReserveAlloc(m, t.def.Space, hint)
	if err != nil {
		return 0, err
	}
	no := fresh.ID().No
	if prev == base.NilPage {
		ref.First = no
		w.rec = txn.UndoRecord{Type: txn.UndoInsert, NoPurge: true, Table: t.def.ID, Key: w.rec.Key[:0], Body: row.AppendRef(w.body[:0], *ref)}
		w.body = w.rec.Body
		if _, err := tx.LogUndo(&w.rec); err != nil {
			return 0, err
		}
	}
	pg := space.Alloc(m, &fresh, pagefile.TypeOverflow)
	var head [overflowHead]byte
	le.PutUint64(head[0:], uint64(ref.Owner))
	le.PutUint32(head[offNext-offOwner:], uint32(base.NilPage))
	le.PutUint32(head[offPosition-offOwner:], uint32(position))
	le.PutUint16(head[offBytes-offOwner:], uint16(len(part)))
	m.WriteBytes(pg, offOwner, head[:])
	m.WriteBytes(pg, offData, part)
	if before.Valid() {
		m.WriteBytes(before, offNext, le.AppendUint32(nil, uint32(no)))
	}
	return no, nil
}

// pinChain latches page no of a chain; ok is false when the page is not, or no longer, that page of
// the chain.
func (t *Table) pinChain(m *buffer.Mtr, no base.PageNo, mode buffer.Mode, owner base.TrxID, position int) (pg buffer.Page, ok bool, err error) {
	pg, err = m.Pin(base.PageID{Space: t.def.Space, No: no}, mode)
	return t.ofChain(m, pg, err, owner, position)
}

// ofChain ends pinChain.
func (t *Table) ofChain(m *buffer.Mtr, pg buffer.Page, err error, owner base.TrxID, position int) (_ buffer.Page, ok bool, _ error) {
	if errors.Is(err, pagefile.ErrNeverWritten) {
		return pg, false, nil // the power went between the undo record that names the chain and its first page
	}
	if err != nil {
		return pg, false, err
	}
	b := pg.Data()
	ok = pagefile.Type(b) == pagefile.TypeOverflow && base.TrxID(le.Uint64(b[offOwner:])) == owner &&
		(position < 0 || int(le.Uint32(b[offPosition:])) == position)
	if !ok {
		m.Release(pg)
	}
	return pg, ok, nil
}

// readChain appends the value of a chain to dst. A chain that is not there any more is
// base.ErrNotFound: that happens only to readers without a lock or a view that holds the row (READ
// UNCOMMITTED).
// REQUIRES: no tree page latched exclusively.
func (t *Table) readChain(dst []byte, ref row.OverflowRef) ([]byte, error) {
	return t.readChainBeside(nil, dst, ref)
}

// errBusy says that a page is latched by somebody who may wait for a latch of the caller.
var errBusy = errors.New("page is latched")

// lookPages is after how many pages of a chain who reads it is asked whether it goes on.
const lookPages = 64

// chainAhead is the most memory that is taken for a chain before its bytes are there.
const chainAhead = 32 << 20

// readChainWhile is readChain as long as the statement of ctx goes on.
func (t *Table) readChainWhile(ctx context.Context, dst []byte, ref row.OverflowRef) ([]byte, error) {
	return t.followChain(nil, dst, ref, func() error { return interrupted(ctx) })
}

// readChainBeside is readChain beside a tree page that held, if it is not nil, holds exclusively: a
// page that was freed may be a page of any tree by now, even that one, so no latch is waited for.
// errBusy: let go of the tree page and try again.
func (t *Table) readChainBeside(held *buffer.Mtr, dst []byte, ref row.OverflowRef) ([]byte, error) {
	return t.followChain(held, dst, ref, func() error { return nil })
}

// followChain is readChainBeside that asks now and then whether it goes on.
func (t *Table) followChain(held *buffer.Mtr, dst []byte, ref row.OverflowRef, goesOn func() error) ([]byte, error) {
	from := len(dst)
	dst = slices.Grow(dst, min(int(ref.Length), chainAhead))
	no := ref.First
	for position := 0; len(dst)-from < int(ref.Length); position++ {
		if no == base.NilPage {
			return dst, t.corrupt("overflow chain from page %d ends after %d of %d bytes", ref.First, len(dst)-from, ref.Length)
		}
		if position%lookPages == 0 {
			if err := goesOn(); err != nil {
				return dst, err
			}
		}
		next, err := t.readChainPage(held, &dst, no, ref, position, from)
		if err != nil {
			return dst, err
		}
		no = next
	}
	return dst, nil
}

// readChainPage appends the bytes of one page and returns the next one.
func (t *Table) readChainPage(held *buffer.Mtr, dst *[]byte, no base.PageNo, ref row.OverflowRef, position, from int) (next base.PageNo, err error) {
	var pg buffer.Page
	ok := true
	m := held
	if m == nil {
		m = t.svc.Pool.BeginRead()
		defer m.Commit()
		pg, err = m.Pin(base.PageID{Space: t.def.Space, No: no}, buffer.Shared)
	} else if pg, ok, err = m.TryPin(base.PageID{Space: t.def.Space, No: no}, buffer.Shared); err == nil && !ok {
		return 0, errBusy
	}
	if pg, ok, err = t.ofChain(m, pg, err, ref.Owner, position); err != nil {
		return 0, err
	}
	if !ok {
		return 0, fmt.Errorf("overflow page %d of table %s.%s: %w", no, t.told.Schema, t.told.Name, base.ErrNotFound)
	}
	b := pg.Data()
	n := int(le.Uint16(b[offBytes:]))
	if n <= overflowData && len(*dst)-from+n <= int(ref.Length) {
		*dst = append(*dst, b[offData:offData+n]...)
		next = base.PageNo(le.Uint32(b[offNext:]))
	} else {
		err = t.corrupt("overflow page %d holds %d bytes", no, n)
	}
	m.Release(pg)
	return next, err
}

// freeChain frees the pages of a chain. What is free already is left alone.
// REQUIRES: no latch held.
func (t *Table) freeChain(ref row.OverflowRef) error {
	for {
		more, err := t.freeChainStep(ref)
		if err != nil || !more {
			return err
		}
	}
}

// freeChainStep frees the second page of the chain, or the first when it is the only one.
func (t *Table) freeChainStep(ref row.OverflowRef) (more bool, err error) {
	m := t.svc.Pool.Begin()
	defer m.Commit()
	first, ok, err := t.pinChain(m, ref.First, buffer.Exclusive, ref.Owner, -1)
	if err != nil || !ok {
		return false, err
	}
	position := le.Uint32(first.Data()[offPosition:])
	if position != 0 && position != chainGoing {
		return false, nil // a page of another chain
	}
	gone := first
	next := base.PageNo(le.Uint32(first.Data()[offNext:]))
	if next != base.NilPage {
		second, ok, err := t.pinChain(m, next, buffer.Exclusive, ref.Owner, -1)
		if err != nil {
			return false, err
		}
		if !ok {
			return false, t.corrupt("overflow chain from page %d leads to page %d, which is not of it", ref.First, next)
		}
		gone = second
	}
	free, err := space.ReserveFree(m, gone.ID())
	if err != nil {
		return false, err
	}
	space.Free(m, free)
	if gone != first {
		m.WriteBytes(first, offNext, gone.Data()[offNext:offNext+4])
		if position == 0 {
			m.WriteBytes(first, offPosition, le.AppendUint32(nil, chainGoing))
		}
	}
	m.WriteBytes(gone, offOwner, make([]byte, 8))
	return gone != first, nil
}
