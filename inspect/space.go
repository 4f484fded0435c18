package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"emberdb/engine/btree"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// SpaceReport is one tablespace.
type SpaceReport struct {
	Space       base.SpaceID     `json:"space"`
	Name        string           `json:"name,omitempty"`
	File        string           `json:"file"`
	FilePages   base.PageNo      `json:"file_pages"`
	Header      space.HeaderView `json:"header"`
	Used        int              `json:"used"` // as the bitmaps say; header and bitmaps included
	Free        int              `json:"free"`
	FreeExtents int              `json:"free_extents"`
	Types       []TypeCount      `json:"types"` // pages in use, by type
	Trees       []TreeReport     `json:"trees"`
	Problems    []Problem        `json:"problems,omitempty"`

	maps []space.BitmapView
}

// TypeCount counts pages of a type.
type TypeCount struct {
	Type  string `json:"type"`
	Pages int    `json:"pages"`
}

// TreeReport is the shape of a tree.
type TreeReport struct {
	Index   base.IndexID  `json:"index"`
	Name    string        `json:"name,omitempty"`
	Root    base.PageNo   `json:"root"`
	Levels  []LevelReport `json:"levels"` // the root's first
	Records int           `json:"records"`
	Fill    float64       `json:"fill"` // share of the leaves' capacity in use
}

// LevelReport is one level of a tree.
type LevelReport struct {
	Level   int     `json:"level"`
	Pages   int     `json:"pages"`
	Records int     `json:"records"`
	Fill    float64 `json:"fill"`
}

// SpaceOfName finds a tablespace by number or by SCHEMA.TABLE.
func (d *Dir) SpaceOfName(name string) (base.SpaceID, error) {
	if n, err := strconv.ParseUint(name, 10, 32); err == nil {
		return base.SpaceID(n), nil
	}
	c := d.dictionary()
	for s, def := range c.tables {
		if tableName(def) == name {
			return s, nil
		}
	}
	err := fmt.Errorf("table %s: %w in the catalog; want a space number or SCHEMA.TABLE", name, base.ErrNotFound)
	for _, p := range c.problems {
		err = errors.Join(err, errors.New("damaged: "+p.String()))
	}
	return 0, err
}

// Space reads a tablespace: header, bitmaps, and every page in use once, in file order.
func (d *Dir) Space(s base.SpaceID) (*SpaceReport, error) {
	n, err := d.pages(s)
	if err != nil {
		return nil, err
	}
	r := &SpaceReport{Space: s, Name: d.nameOfSpace(s), File: pagefile.PathIn(d.path, s), FilePages: n}
	if r.Header, err = d.header(s); err != nil {
		r.problem(err)
		r.Header.Size = n // a guess that lets the rest be shown
	} else if r.Header.Size > n {
		r.problem(d.corrupt(base.PageID{Space: s}, fmt.Sprintf("the header says %d pages, the file has %d", r.Header.Size, n)))
	}
	if err := d.readBitmaps(r); err != nil {
		return nil, err
	}
	return r, d.readUsed(r)
}

func (r *SpaceReport) problem(err error) { r.Problems = append(r.Problems, problemOf(err)) }

// readBitmaps reads the map. Of what a damaged bitmap describes, every page counts as used.
func (d *Dir) readBitmaps(r *SpaceReport) error {
	size := min(r.Header.Size, r.FilePages)
	for no := range space.OwnPages(size) {
		if no == 0 {
			continue
		}
		id := base.PageID{Space: r.Space, No: no}
		page, err := d.page(id)
		var v space.BitmapView
		if err == nil {
			if v, err = space.ViewBitmap(page); err != nil {
				err = d.corrupt(id, err.Error())
			}
		}
		if err != nil && !errors.Is(err, base.ErrCorrupt) && !errors.Is(err, pagefile.ErrNeverWritten) {
			return err
		}
		if err != nil {
			r.problem(err)
			continue
		}
		r.maps = append(r.maps, v)
		r.Free += v.Free()
		r.FreeExtents += v.FreeExtents()
	}
	r.Used = int(r.Header.Size) - r.Free
	return nil
}

// inUse tells whether a page is worth reading.
func (r *SpaceReport) inUse(no base.PageNo) bool {
	for _, v := range r.maps {
		if no >= v.First() && no-v.First() < space.PagesPerBitmap {
			return v.InUse(no)
		}
	}
	return true
}

type levelKey struct {
	tree  base.IndexID
	level int
}

// shape gathers what the pages say while they pass.
type shape struct {
	types  map[string]int
	levels map[levelKey]*LevelReport
}

// readUsed reads the pages in use.
func (d *Dir) readUsed(r *SpaceReport) error {
	sh := shape{map[string]int{}, map[levelKey]*LevelReport{}}
	for no := base.PageNo(0); no < min(r.Header.Size, r.FilePages); no++ {
		if !r.inUse(no) {
			continue
		}
		id := base.PageID{Space: r.Space, No: no}
		page, err := d.page(id)
		switch {
		case errors.Is(err, pagefile.ErrNeverWritten):
			sh.types["never written"]++
		case errors.Is(err, base.ErrCorrupt):
			sh.types["damaged"]++
			if no != 0 {
				r.problem(err)
			}
		case err != nil:
			return err
		default:
			sh.types[pagefile.Type(page).String()]++
			if pagefile.Type(page) == pagefile.TypeTree {
				if err := sh.tree(page); err != nil {
					r.problem(d.corrupt(id, err.Error()))
				}
			}
		}
	}
	for t, n := range sh.types {
		r.Types = append(r.Types, TypeCount{t, n})
	}
	slices.SortFunc(r.Types, func(a, b TypeCount) int { return cmp.Or(b.Pages-a.Pages, cmp.Compare(a.Type, b.Type)) })
	r.trees(d, &sh)
	return nil
}

// tree counts a page of a tree.
func (sh *shape) tree(page []byte) error {
	v, err := btree.ViewPage(page)
	if err != nil {
		return err
	}
	k := levelKey{v.Tree(), v.Level()}
	l := sh.levels[k]
	if l == nil {
		l = &LevelReport{Level: v.Level()}
		sh.levels[k] = l
	}
	l.Pages++
	l.Records += v.Count()
	l.Fill += v.Fill()
	return nil
}

// trees puts the levels together. Trees that no root names are listed too: they are being built or
// removed.
func (r *SpaceReport) trees(d *Dir, sh *shape) {
	byTree := map[base.IndexID]*TreeReport{}
	for _, root := range r.Header.Roots {
		byTree[root.Index] = &TreeReport{Index: root.Index, Root: root.Page}
	}
	for k, l := range sh.levels {
		t := byTree[k.tree]
		if t == nil {
			t = &TreeReport{Index: k.tree, Root: base.NilPage}
			byTree[k.tree] = t
		}
		l.Fill /= float64(l.Pages)
		if k.level == 0 {
			t.Records, t.Fill = l.Records, l.Fill
		}
		t.Levels = append(t.Levels, *l)
	}
	for id, t := range byTree {
		slices.SortFunc(t.Levels, func(a, b LevelReport) int { return b.Level - a.Level })
		if r.Space == base.UndoSpace {
			t.Name = "undo directory"
		} else {
			t.Name = d.dictionary().indexes[id]
		}
		r.Trees = append(r.Trees, *t)
	}
	slices.SortFunc(r.Trees, func(a, b TreeReport) int { return cmp.Compare(a.Index, b.Index) })
}

// WriteText prints the report; with extents, the map of the pages too.
func (r *SpaceReport) WriteText(w io.Writer, extents bool) error {
	fmt.Fprintf(w, "space %d %s\nfile %s, %d pages, %s\n", r.Space, r.Name, r.File, r.FilePages, bytesText(int64(r.FilePages)*base.PageSize))
	h := r.Header
	fmt.Fprintf(w, "header: table %d, auto-increment %d, size %d pages\n", h.Table, h.AutoInc, h.Size)
	fmt.Fprintf(w, "map: %d pages used, %d free, %d extents wholly free\n", r.Used, r.Free, r.FreeExtents)
	writeProblems(w, r.Problems)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range r.Types {
		fmt.Fprintf(t, "  %s\t%d\n", c.Type, c.Pages)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, tree := range r.Trees {
		root := "no root names it"
		if tree.Root != base.NilPage {
			root = fmt.Sprintf("root %d", tree.Root)
		}
		fmt.Fprintf(w, "tree %d %s, %s, %d records\n", tree.Index, tree.Name, root, tree.Records)
		for _, l := range tree.Levels {
			fmt.Fprintf(t, "  level %d\t%d pages\t%d records\tfill %.0f %%\n", l.Level, l.Pages, l.Records, 100*l.Fill)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if !extents {
		return nil
	}
	for _, v := range r.maps {
		if err := v.Map(w, r.Header.Size); err != nil {
			return err
		}
	}
	return nil
}

// bytesText renders a size for people.
func bytesText(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}
