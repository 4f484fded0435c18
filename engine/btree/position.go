package btree

import (
	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// Position is a saved place of a cursor that outlives its mini-transaction. It can be used again
// and again without allocating.
type Position struct {
	page base.PageNo
	lsn  base.LSN
	slot int
	key  []byte
	at   positionKind
}

type positionKind uint8

const (
	atRecord positionKind = iota
	beforeFirst
	afterLast
)

// Key is the key the position was saved at; nil at either end of the tree.
func (p *Position) Key() []byte {
	if p.at != atRecord {
		return nil
	}
	return p.key
}

// Save notes where the cursor stands.
func (c *Cursor) Save(p *Position) {
	p.page, p.lsn, p.slot, p.key = c.page.ID().No, c.page.LSN(), c.slot, p.key[:0]
	switch {
	case c.Valid():
		p.at, p.key = atRecord, append(p.key, c.Key()...)
	case c.slot < 0:
		p.at = beforeFirst
	default:
		p.at = afterLast
	}
	if c.m.Changed() {
		p.lsn = 0 // the page's LSN is about to change
	}
}

// Restore returns a cursor at a saved position: quickly if its page is unchanged since, else by
// key. same tells that it stands on the very record; otherwise it stands on the first record behind
// the saved key (beyond either end: at that end).
func (t *Tree) Restore(m *buffer.Mtr, p *Position, mode buffer.Mode) (c Cursor, same bool, err error) {
	if p.lsn != 0 && p.at == atRecord {
		// The page may have left the tree, even be damaged by now: whatever is odd about it, the
		// key decides.
		if pg, n, err := t.pin(m, p.page, 0, mode); err == nil {
			if pg.LSN() == p.lsn && p.slot < n.count() {
				return Cursor{t: t, m: m, page: pg, n: n, slot: p.slot}, true, nil
			}
			m.Release(pg)
		}
	}
	switch p.at {
	case beforeFirst:
		c, err = t.Seek(m, nil, mode)
		if err == nil && c.Valid() {
			c.slot = -1
		}
		return c, true, err
	case afterLast:
		c, err = t.SeekLast(m, nil, mode)
		c.slot++
		return c, true, err
	}
	c, err = t.Seek(m, p.key, mode)
	return c, err == nil && c.Exact(p.key), err
}
