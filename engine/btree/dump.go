package btree

import (
	"fmt"
	"io"

	"emberdb/internal/base"
)

// Dump writes a picture of a tree page. keys true: with every record.
func Dump(w io.Writer, page []byte, keys bool) error {
	if err := CheckPage(page); err != nil {
		fmt.Fprintf(w, "damaged: %v\n", err)
	}
	n := node(page)
	fmt.Fprintf(w, "tree %d level %d prev %s next %s leftmost %s\n", n.tree(), n.level(), pageName(n.prev()), pageName(n.next()), pageName(n.leftmost()))
	_, err := fmt.Fprintf(w, "records %d heap top %d garbage %d free %d prefix %d direction %d last %d run %d\n",
		n.count(), n.heapTop(), n.garbage(), n.free(), n.prefix(), n[offDir], n.lastInsert(), le.Uint16(n[offRun:]))
	if !keys || err != nil {
		return err
	}
	for i := range min(n.count(), nodeCap/slotSize) { // a damaged count must not lead out of the page
		if off := n.offset(i); off < heapStart || off+recHdr > base.PageSize || off+recSize(n, off) > base.PageSize {
			_, err = fmt.Fprintf(w, "%5d at %5d: beyond the page\n", i, off)
		} else if n.level() > 0 && len(n.value(i)) == childSize {
			_, err = fmt.Fprintf(w, "%5d at %5d head %08x key %x -> page %d\n", i, off, n.slotHead(i), n.key(i), n.child(i))
		} else {
			_, err = fmt.Fprintf(w, "%5d at %5d head %08x key %x value %x\n", i, off, n.slotHead(i), n.key(i), n.value(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func pageName(no base.PageNo) string {
	if no == base.NilPage {
		return "none"
	}
	return fmt.Sprint(no)
}

// View is a tree page that was read beside the pool, for inspectors.
type View struct{ n node }

// ViewPage returns the view of a page that is whole by itself.
func ViewPage(page []byte) (View, error) {
	if err := CheckPage(page); err != nil {
		return View{}, err
	}
	return View{node(page)}, nil
}

// Tree is the tree the page says it belongs to.
func (v View) Tree() base.IndexID { return v.n.tree() }

// Level is the distance from the leaves.
func (v View) Level() int { return v.n.level() }

// Count is the number of records, the leftmost child not included.
func (v View) Count() int { return v.n.count() }

// Next is the next leaf.
func (v View) Next() base.PageNo { return v.n.next() }

// Fill is the share of the page's capacity in use.
func (v View) Fill() float64 { return float64(v.n.used()) / nodeCap }

// Record returns key and value of a slot; they alias the page.
func (v View) Record(slot int) (key, value []byte) { return v.n.key(slot), v.n.value(slot) }

// Children returns the children of an inner page, in key order.
func (v View) Children() []base.PageNo {
	if v.n.level() == 0 {
		return nil
	}
	out := make([]base.PageNo, 0, v.n.count()+1)
	for slot := -1; slot < v.n.count(); slot++ {
		out = append(out, v.n.child(slot))
	}
	return out
}
