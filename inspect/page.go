package inspect

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"emberdb/engine/btree"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// PageReport is one page.
type PageReport struct {
	File    string   `json:"file"`
	Page    string   `json:"page"`
	Offset  int64    `json:"offset"`
	Header  string   `json:"header,omitempty"`
	Owner   string   `json:"owner,omitempty"` // what the catalog says
	Redo    int      `json:"redo,omitempty"`  // records of the log applied to what stands in the file
	Problem *Problem `json:"problem,omitempty"`
	Body    []string `json:"body,omitempty"`
}

// PageOptions says how much of a page is shown.
type PageOptions struct {
	Records bool // every record or entry
	Hex     bool // the bytes
}

// Page shows a page of the directory.
func (d *Dir) Page(id base.PageID, o PageOptions) (*PageReport, error) {
	page, n, err := d.pageAndRedo(id)
	if err != nil && page == nil && !errors.Is(err, base.ErrCorrupt) {
		return nil, fmt.Errorf("space %d: %w", id.Space, err)
	}
	r := pageReport(pagefile.PathIn(d.path, id.Space), id, page, err, o)
	r.Redo = n
	if page != nil {
		r.Owner = d.ownerOf(id, page)
	}
	return r, nil
}

// ownerOf names what the page belongs to.
func (d *Dir) ownerOf(id base.PageID, page []byte) string {
	name := d.nameOfSpace(id.Space)
	if v, err := btree.ViewPage(page); err == nil && id.Space != base.UndoSpace {
		if index := d.dictionary().indexes[v.Tree()]; index != "" {
			return "index " + index
		}
	}
	if name == "" {
		return "no table of the catalog"
	}
	return name
}

// PageOfFile shows a page of a tablespace file wherever it lies. The space is the one id names, or
// that the file's name tells, or the page itself.
func PageOfFile(fsys vfs.FS, path string, id base.PageID, anySpace bool, o PageOptions) (*PageReport, error) {
	f, err := fsys.Open(path, vfs.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if anySpace {
		if s, ok := pagefile.SpaceOf(path); ok {
			id.Space = s
		} else if page, _ := readPage(f, id); page != nil {
			id.Space = pagefile.ID(page).Space
		}
	}
	page, err := readPage(f, id)
	if err != nil && page == nil && !errors.Is(err, base.ErrCorrupt) {
		return nil, err
	}
	return pageReport(path, id, page, err, o), nil
}

// pageReport describes a page; err is what its verification said.
func pageReport(file string, id base.PageID, page []byte, err error, o PageOptions) *PageReport {
	r := &PageReport{File: file, Page: id.String(), Offset: int64(id.No) * base.PageSize}
	if err != nil && !errors.Is(err, pagefile.ErrNeverWritten) {
		p := problemOf(err)
		r.Problem = &p
	}
	if page == nil {
		return r
	}
	r.Header = pagefile.Describe(page)
	var b bytes.Buffer
	if err == nil || r.Problem != nil {
		dumpBody(&b, page, o.Records)
	}
	if o.Hex {
		b.WriteString(hex.Dump(page))
	}
	if b.Len() > 0 {
		r.Body = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	}
	return r
}

// dumpBody writes the picture of a page by its type. The writer is memory: nothing fails.
func dumpBody(w io.Writer, page []byte, records bool) {
	switch pagefile.Type(page) {
	case pagefile.TypeSpaceHeader, pagefile.TypeSpaceBitmap:
		_ = space.Dump(w, page)
	case pagefile.TypeTree:
		_ = btree.Dump(w, page, records)
	case pagefile.TypeUndo, pagefile.TypeUndoHeader:
		_ = txn.Dump(w, page, records)
	case pagefile.TypeOverflow:
		_ = table.DumpOverflow(w, page)
	}
}

// WriteText prints the report.
func (r *PageReport) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "file %s, offset %d\n", r.File, r.Offset)
	if r.Header != "" {
		fmt.Fprintln(w, r.Header)
	}
	if r.Problem != nil {
		fmt.Fprintf(w, "damaged: %s\n", r.Problem)
	}
	if r.Redo > 0 {
		fmt.Fprintf(w, "with %d records of the redo log applied\n", r.Redo)
	}
	if r.Owner != "" {
		fmt.Fprintf(w, "belongs to %s\n", r.Owner)
	}
	_, err := io.WriteString(w, strings.Join(append(r.Body, ""), "\n"))
	return err
}
