package inspect

import (
	"errors"
	"slices"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Redo in memory. After a crash the pages on disk lack what the redo log has behind the checkpoint.
// With UseRedo the pages are shown as recovery would make them: each read applies the page's
// records that are younger than the page. The files stay as they are. Transactions that never
// committed are not undone.

// change is a record and the end of its group.
type change struct {
	end base.LSN
	rec redo.Record
}

// UseRedo reads the log from the checkpoint on, which takes about as much memory as that part of
// the log is long. It returns what of the log cannot be read. To be called before anything else is
// read.
func (d *Dir) UseRedo() ([]Problem, error) {
	v, err := redo.OpenView(d.fs, d.path)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	d.redo = map[base.PageID][]change{}
	var problems []Problem
	cp, ok := v.Checkpoint()
	if !ok {
		for _, f := range v.Checkpoints {
			problems = append(problems, problemOf(f.Err))
		}
		return problems, nil
	}
	for g, err := range v.Groups(cp.LSN) {
		if err != nil { // what follows damage may rest on what is lost
			return append(problems, problemOf(err)), nil
		}
		payload := slices.Clone(g.Payload) // the records alias it
		for rec, err := range redo.Records(payload) {
			switch {
			case err != nil:
				return append(problems, problemOf(err)), nil
			case rec.Op == redo.OpSpaceDrop:
				d.forget(rec.Page.Space)
			case rec.Op >= redo.OpFirstPage:
				d.redo[rec.Page] = append(d.redo[rec.Page], change{g.End, rec})
			}
		}
	}
	return problems, nil
}

// forget drops the changes of a tablespace that is gone.
func (d *Dir) forget(s base.SpaceID) {
	for id := range d.redo {
		if id.Space == s {
			delete(d.redo, id)
		}
	}
}

// withRedo applies the page's pending changes to what was read; err is what its verification said.
// n is the number of records applied.
func (d *Dir) withRedo(id base.PageID, page []byte, err error) (_ []byte, n int, _ error) {
	changes := d.redo[id]
	if len(changes) == 0 || err != nil && !errors.Is(err, base.ErrCorrupt) && !errors.Is(err, pagefile.ErrNeverWritten) {
		return page, 0, err
	}
	if err != nil {
		// Nothing to build on, unless the log has the page from its beginning.
		first := slices.IndexFunc(changes, func(c change) bool { return c.rec.Op == redo.OpInitPage })
		if first < 0 {
			return page, 0, err
		}
		page, changes = make([]byte, base.PageSize), changes[first:]
	}
	read := pagefile.LSN(page)
	for _, c := range changes {
		if c.end <= read {
			continue
		}
		if err := redo.Apply(c.rec, page); err != nil {
			return page, n, d.corrupt(id, "redo "+redo.Describe(c.rec)+": "+err.Error())
		}
		pagefile.SetLSN(page, c.end)
		n++
	}
	pagefile.Stamp(page)
	return page, n, nil
}
