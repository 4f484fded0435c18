package table

import (
	"bytes"
	"fmt"
	"io"

	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/engine/row"
	"emberdb/internal/base"
)

// What inspectors see of records and pages that were read beside the pool.

// StoredRow is a clustered record as it stands on its page: the newest version, whoever wrote it.
type StoredRow struct {
	Deleted bool // delete-marked
	Trx     base.TrxID
	Ptr     base.RollPtr
	Vals    []row.Value // alias the record
	Long    []row.OverflowRef
}

// Decoder decodes the clustered records of one table.
type Decoder struct{ t *Table }

// NewDecoder returns the decoder of a definition.
func NewDecoder(def *catalog.Table) *Decoder { return &Decoder{New(def, Services{}, nil)} }

// Row decodes a clustered value.
func (d *Decoder) Row(value []byte) (r StoredRow, err error) {
	if err := d.t.checkValue(value); err != nil {
		return r, err
	}
	h := parseHeader(value)
	r = StoredRow{Deleted: h.deleted(), Trx: h.trx, Ptr: h.ptr, Vals: d.t.layout.Decode(value[headerLen:], nil)}
	r.Long = d.t.layout.AppendOverflow(nil, value[headerLen:])
	return r, nil
}

// ReadChain reads a long value through read, which returns a verified page of the table's space.
func ReadChain(ref row.OverflowRef, read func(base.PageNo) ([]byte, error)) ([]byte, error) {
	var out bytes.Buffer
	no := ref.First
	for position := 0; no != base.NilPage && out.Len() < int(ref.Length); position++ {
		page, err := read(no)
		if err != nil {
			return nil, err
		}
		n := int(le.Uint16(page[offBytes:]))
		if pagefile.Type(page) != pagefile.TypeOverflow || base.TrxID(le.Uint64(page[offOwner:])) != ref.Owner ||
			int(le.Uint32(page[offPosition:])) != position || n > overflowData {
			return nil, &base.CorruptError{File: "overflow chain", Page: pagefile.ID(page), Offset: int64(no) * base.PageSize,
				Detail: fmt.Sprintf("not page %d of the chain of transaction %d", position, ref.Owner)}
		}
		out.Write(page[offData:][:n])
		no = base.PageNo(le.Uint32(page[offNext:]))
	}
	if out.Len() != int(ref.Length) {
		return nil, fmt.Errorf("long value of %d bytes: the chain has %d: %w", ref.Length, out.Len(), base.ErrCorrupt)
	}
	return out.Bytes(), nil
}

// DumpOverflow writes a picture of an overflow page.
func DumpOverflow(w io.Writer, page []byte) error {
	next := "none"
	if no := base.PageNo(le.Uint32(page[offNext:])); no != base.NilPage {
		next = fmt.Sprint(no)
	}
	owner := fmt.Sprintf("transaction %d", le.Uint64(page[offOwner:]))
	if le.Uint64(page[offOwner:]) == 0 {
		owner = "none: freed"
	}
	n := int(le.Uint16(page[offBytes:]))
	if n > overflowData {
		_, err := fmt.Fprintf(w, "damaged: %d bytes of a value, %d fit\n", n, overflowData)
		return err
	}
	_, err := fmt.Fprintf(w, "owner %s position %d next %s bytes %d\n", owner, le.Uint32(page[offPosition:]), next, n)
	return err
}
