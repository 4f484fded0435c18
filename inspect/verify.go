package inspect

import (
	"context"
	"errors"
	"fmt"

	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// Verify reads every page in use of every tablespace file and tells problem what does not carry the
// right checksum and id: what can be said of a directory the engine refuses to open. progress,
// which may be nil, is called with pages.
func (d *Dir) Verify(ctx context.Context, problem func(Problem), progress func(done, total int64, name string)) error {
	spaces, err := pagefile.SpacesIn(d.fs, d.path)
	if err != nil {
		return err
	}
	var done, total int64
	for _, s := range spaces {
		if n, err := d.pages(s); err == nil {
			total += int64(n)
		}
	}
	for _, s := range spaces {
		n, err := d.verifySpace(ctx, s, problem, func(no base.PageNo) {
			if progress != nil {
				progress(done+int64(no), total, fmt.Sprintf("space %d", s))
			}
		})
		if err != nil {
			return err
		}
		done += int64(n)
	}
	return nil
}

// verifySpace verifies one file and returns its length.
func (d *Dir) verifySpace(ctx context.Context, s base.SpaceID, problem func(Problem), at func(base.PageNo)) (base.PageNo, error) {
	n, err := d.pages(s)
	if err != nil {
		return 0, err
	}
	r := &SpaceReport{Space: s, FilePages: n}
	if r.Header, err = d.header(s); err != nil {
		r.Header.Size = n
	}
	if err := d.readBitmaps(r); err != nil {
		return n, err
	}
	for no := range n {
		if no%space.ExtentPages == 0 {
			at(no)
			if err := ctx.Err(); err != nil {
				return n, err
			}
		}
		if no < r.Header.Size && !r.inUse(no) {
			continue
		}
		_, err := d.page(base.PageID{Space: s, No: no})
		switch {
		case err == nil, errors.Is(err, pagefile.ErrNeverWritten):
		case errors.Is(err, base.ErrCorrupt):
			problem(problemOf(err))
		default:
			return n, err
		}
	}
	if r.Header.Size > n {
		problem(problemOf(d.corrupt(base.PageID{Space: s, No: n}, fmt.Sprintf("the header says %d pages, the file ends after %d", r.Header.Size, n))))
	}
	return n, nil
}
