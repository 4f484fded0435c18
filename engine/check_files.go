package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The check of files: pages as they are on disk, and files against definitions.

// readPages is how many pages are read at once.
const readPages = 64

// pages reads every page in use of a space from its file, beside the pool, and verifies checksum
// and id. It returns the size of the file.
//
// A page that does not verify may have a newer version in the pool that never reached the disk, or
// be on its way there at this moment; or it was freed, and the file cut. So the pool is flushed,
// and only pages still in use that are still wrong then count.
func (c *checker) pages(ctx context.Context, where string, s base.SpaceID) (size int64, err error) {
	used, err := c.pagesInUse(s)
	if n, err := c.e.files.Pages(s); err == nil {
		size = int64(n)
	}
	if errors.Is(err, base.ErrCorrupt) || errors.Is(err, pagefile.ErrNoSpace) {
		c.fault(where, err)
		c.advance(size)
		return size, nil
	}
	if err != nil {
		return size, err
	}
	suspects, err := c.readUsed(ctx, s, &used)
	var faults []error
	for range 4 { // a page nobody may change now can still be written once more
		if err == nil && len(suspects) > 0 {
			suspects, faults, err = c.readAgain(ctx, s, suspects)
		}
	}
	if err != nil {
		return size, err
	}
	for _, err := range faults {
		c.fault(where, err)
	}
	return size, nil
}

// readAgain reads pages once more, when their newest versions are on disk; it returns those that
// are in use and do not verify, and what is wrong with each.
func (c *checker) readAgain(ctx context.Context, s base.SpaceID, suspects []base.PageID) (still []base.PageID, faults []error, err error) {
	if err := c.e.pool.Flusher().AllUnless(ctx); err != nil {
		return nil, nil, err
	}
	used, err := c.pagesInUse(s)
	if err != nil {
		return nil, nil, err
	}
	page := vfs.AlignedBlock(base.PageSize)
	for _, id := range suspects {
		if !used.Has(id.No) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		err := c.e.files.Read(id, page)
		if errors.Is(err, pagefile.ErrNeverWritten) {
			err = &base.CorruptError{File: c.e.files.Path(s), Page: id, Offset: int64(id.No) * base.PageSize, Detail: "the page is in use and was never written"}
		}
		if err != nil {
			still, faults = append(still, id), append(faults, err)
		}
	}
	return still, faults, nil
}

// pagesInUse returns the pages that the map of a space names, header and bitmaps included.
func (c *checker) pagesInUse(s base.SpaceID) (set space.PageSet, err error) {
	m := c.e.pool.BeginRead()
	defer m.Commit()
	st, err := space.Usage(m, s)
	if err != nil {
		return set, err
	}
	if set, err = space.Used(m, s); err != nil {
		return set, err
	}
	for no := range space.OwnPages(st.Size) {
		set.Add(no)
	}
	return set, nil
}

// readUsed reads the pages of the set and returns those that do not verify.
func (c *checker) readUsed(ctx context.Context, s base.SpaceID, used *space.PageSet) (suspects []base.PageID, err error) {
	block := vfs.AlignedBlock(readPages * base.PageSize)
	var bufs [readPages][]byte
	var errs [readPages]error
	done := base.PageNo(0)
	for run := range runs(used) {
		for i := range run.n {
			bufs[i] = nil
			if used.Has(run.first + base.PageNo(i)) {
				bufs[i] = block[i*base.PageSize:][:base.PageSize]
			}
		}
		first := base.PageID{Space: s, No: run.first}
		if err := c.e.files.ReadRun(first, bufs[:run.n], errs[:run.n]); err != nil {
			return suspects, err
		}
		for i, err := range errs[:run.n] {
			if err != nil {
				suspects = append(suspects, base.PageID{Space: s, No: run.first + base.PageNo(i)})
			}
		}
		end := run.first + base.PageNo(run.n)
		c.advance(int64(end - done))
		done = end
		if err := ctx.Err(); err != nil {
			return suspects, err
		}
	}
	return suspects, nil
}

type pageRun struct {
	first base.PageNo
	n     int
}

// runs cuts a set into stretches of at most readPages pages, small gaps included.
func runs(set *space.PageSet) iter.Seq[pageRun] {
	const gap = 8
	return func(yield func(pageRun) bool) {
		var run pageRun
		for no := range set.All() {
			reach := int(no-run.first) + 1
			if run.n > 0 && reach <= readPages && reach-run.n <= gap {
				run.n = reach
				continue
			}
			if run.n > 0 && !yield(run) {
				return
			}
			run = pageRun{no, 1}
		}
		if run.n > 0 {
			yield(run)
		}
	}
}

// withoutDictionary reads the pages of all files: what can be said when the definitions cannot be
// read.
func (c *checker) withoutDictionary(ctx context.Context, spaces []base.SpaceID) error {
	for _, s := range spaces {
		if s < base.FirstSpace {
			continue
		}
		where := fmt.Sprintf("space %d", s)
		c.begin(where)
		size, err := c.pages(ctx, where, s)
		if err != nil {
			return err
		}
		c.advance(size)
	}
	return nil
}

// orphans reports tablespace files that no definition names. A file that DDL is making or removing
// stands in the DDL log until its definition is committed or the file is gone; the order of the
// looks below leaves no moment between.
func (c *checker) orphans(ctx context.Context) error {
	c.begin("files")
	onDisk, err := c.e.files.Spaces()
	if err != nil {
		return err
	}
	known, err := c.definedSpaces(ctx)
	if err != nil {
		return err
	}
	var suspects []base.SpaceID
	for _, s := range onDisk {
		if s >= base.FirstSpace && !known[s] {
			suspects = append(suspects, s)
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	left, err := c.e.dict.Leftovers(ctx)
	if err != nil {
		return err
	}
	for _, r := range left {
		if r.Index == 0 {
			known[r.Space] = true
		}
	}
	now, err := c.definedSpaces(ctx)
	if err != nil {
		return err
	}
	for _, s := range suspects {
		if !known[s] && !now[s] && c.e.files.Exists(s) {
			c.fault(fmt.Sprintf("space %d", s), &base.CorruptError{File: c.e.files.Path(s), Page: base.PageID{Space: s},
				Detail: "the file belongs to no table"})
		}
	}
	return nil
}

// definedSpaces returns the tablespaces that committed definitions name.
func (c *checker) definedSpaces(ctx context.Context) (map[base.SpaceID]bool, error) {
	objs, err := c.e.dict.ListObjects(ctx, nil, catalog.KindTable, "")
	if err != nil {
		return nil, err
	}
	known := make(map[base.SpaceID]bool, len(objs))
	for _, o := range objs {
		var def struct {
			Space base.SpaceID `json:"space"`
		}
		if err := json.Unmarshal(o.Data, &def); err != nil {
			c.fault(o.Schema+"."+o.Name, fmt.Errorf("table definition: %w: %v", base.ErrCorrupt, err))
			continue
		}
		known[def.Space] = true
	}
	return known, nil
}
