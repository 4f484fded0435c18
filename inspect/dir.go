package inspect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"emberdb/engine"
	"emberdb/engine/btree"
	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Dir is a data directory to look at. It belongs to one goroutine.
type Dir struct {
	fs   vfs.FS
	path string
	UUID string // "" when the identity cannot be read

	open    vfs.File // the tablespace file used last
	openID  base.SpaceID
	catalog *dictionary              // once read
	redo    map[base.PageID][]change // with UseRedo: changes the files may lack
}

// Open looks at a directory. It refuses one that holds nothing of Ember's.
func Open(fsys vfs.FS, path string) (*Dir, error) {
	info, err := fsys.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Dir {
		return nil, fmt.Errorf("%s is not a directory", path)
	}
	d := &Dir{fs: fsys, path: path}
	d.UUID, err = engine.Identity(fsys, path)
	if err == nil {
		return d, nil
	}
	for _, sub := range []string{"spaces", "redo"} {
		if _, statErr := fsys.Stat(filepath.Join(path, sub)); statErr == nil {
			return d, nil // damaged, and worth a look
		}
	}
	return nil, err
}

// Close closes what was opened.
func (d *Dir) Close() error {
	if d.open == nil {
		return nil
	}
	err := d.open.Close()
	d.open = nil
	return err
}

// file returns the tablespace's file.
func (d *Dir) file(s base.SpaceID) (vfs.File, error) {
	if d.open != nil && d.openID == s {
		return d.open, nil
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	f, err := d.fs.Open(pagefile.PathIn(d.path, s), vfs.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	d.open, d.openID = f, s
	return f, nil
}

// pages is the length of a tablespace's file.
func (d *Dir) pages(s base.SpaceID) (base.PageNo, error) {
	f, err := d.file(s)
	if err != nil {
		return 0, err
	}
	size, err := f.Size()
	return base.PageNo(size / base.PageSize), err
}

// page reads one page. With an error about its content the bytes are returned all the same.
func (d *Dir) page(id base.PageID) ([]byte, error) {
	page, _, err := d.pageAndRedo(id)
	return page, err
}

// pageAndRedo is page, and the number of redo records applied to what stands in the file.
func (d *Dir) pageAndRedo(id base.PageID) ([]byte, int, error) {
	f, err := d.file(id.Space)
	if err != nil {
		return nil, 0, err
	}
	page, err := readPage(f, id)
	return d.withRedo(id, page, err)
}

// tornReads is how often a page that does not verify is read again: a server may be writing it.
const tornReads = 3

func readPage(f vfs.File, id base.PageID) ([]byte, error) {
	page := make([]byte, base.PageSize)
	for attempt := 0; ; attempt++ {
		n, err := f.ReadAt(page, int64(id.No)*base.PageSize)
		if err == io.EOF {
			size, err := f.Size()
			if err != nil {
				return nil, err
			}
			return nil, &base.CorruptError{File: f.Name(), Page: id, Offset: int64(id.No) * base.PageSize,
				Detail: fmt.Sprintf("the file ends after %d pages and %d bytes", size/base.PageSize, size%base.PageSize)}
		}
		if err != nil || n < len(page) {
			return nil, err
		}
		err = pagefile.Verify(page, id, f.Name())
		if !errors.Is(err, base.ErrCorrupt) || attempt == tornReads {
			return page, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// header reads and decodes the header of a space.
func (d *Dir) header(s base.SpaceID) (space.HeaderView, error) {
	page, err := d.page(base.PageID{Space: s})
	if err != nil {
		return space.HeaderView{}, err
	}
	h, err := space.ViewHeader(page)
	if err != nil {
		return h, &base.CorruptError{File: pagefile.PathIn(d.path, s), Page: base.PageID{Space: s}, Detail: err.Error()}
	}
	return h, nil
}

// leaves calls fn for the leaves of a tree in key order, going down from the root by the children
// alone, so that a damaged leaf hides no other. Damage is told to problem.
func (d *Dir) leaves(s base.SpaceID, root base.PageNo, tree base.IndexID, fn func(btree.View) error, problem func(error)) error {
	var seen space.PageSet
	var walk func(no base.PageNo, level int) error
	walk = func(no base.PageNo, level int) error {
		id := base.PageID{Space: s, No: no}
		v, err := d.treePage(id, tree, level)
		switch {
		case errors.Is(err, base.ErrCorrupt):
			problem(err)
			return nil
		case err != nil:
			return err
		case !seen.Add(no):
			problem(d.corrupt(id, fmt.Sprintf("tree %d reaches the page twice", tree)))
			return nil
		case v.Level() == 0:
			return fn(v)
		}
		for _, child := range v.Children() {
			if err := walk(child, v.Level()-1); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(root, -1)
}

// treePage reads a page of a tree; level -1: any.
func (d *Dir) treePage(id base.PageID, tree base.IndexID, level int) (btree.View, error) {
	page, err := d.page(id)
	if errors.Is(err, pagefile.ErrNeverWritten) {
		return btree.View{}, d.corrupt(id, "the page was never written")
	}
	if err != nil {
		return btree.View{}, err
	}
	v, err := btree.ViewPage(page)
	switch {
	case err != nil:
		return v, d.corrupt(id, err.Error())
	case v.Tree() != tree:
		return v, d.corrupt(id, fmt.Sprintf("page of tree %d where one of tree %d is expected", v.Tree(), tree))
	case level >= 0 && v.Level() != level:
		return v, d.corrupt(id, fmt.Sprintf("page of level %d where level %d is expected", v.Level(), level))
	}
	return v, nil
}

func (d *Dir) corrupt(id base.PageID, detail string) error {
	return &base.CorruptError{File: pagefile.PathIn(d.path, id.Space), Page: id, Offset: int64(id.No) * base.PageSize, Detail: detail}
}

// Problem is something that could not be decoded, and where.
type Problem struct {
	File   string `json:"file,omitempty"`
	Page   string `json:"page,omitempty"`
	Offset int64  `json:"offset"`
	Detail string `json:"detail"`
}

func problemOf(err error) Problem {
	var c *base.CorruptError
	if !errors.As(err, &c) {
		return Problem{Detail: err.Error()}
	}
	p := Problem{File: c.File, Offset: c.Offset, Detail: c.Detail}
	if _, ok := pagefile.SpaceOf(c.File); ok || c.Page != (base.PageID{}) {
		p.Page = c.Page.String()
	}
	return p
}

func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Detail
	case p.Page == "":
		return fmt.Sprintf("file %s, offset %d: %s", p.File, p.Offset, p.Detail)
	}
	return fmt.Sprintf("file %s, page %s, offset %d: %s", p.File, p.Page, p.Offset, p.Detail)
}

func writeProblems(w io.Writer, problems []Problem) {
	for _, p := range problems {
		fmt.Fprintf(w, "damaged: %s\n", p)
	}
}

// tableName is schema.table.
func tableName(def *catalog.Table) string { return def.Schema + "." + catalog.ShownName(def.Name) }

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
