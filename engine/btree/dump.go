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
	for i := range n.count() {
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
