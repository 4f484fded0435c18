package backup

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Verified is what Verify has looked at.
type Verified struct {
	Sets, Pieces, Pages int64
	Faults              []string // what is damaged or missing
}

// mostFaults is how many faults are told.
const mostFaults = 100

// Verify reads a set and those it stands on: every piece, the checksum and the address of every
// page, and that no part of a file is missing.
func Verify(ctx context.Context, c *Chain, tell func(done, total int64)) (*Verified, error) {
	v := &Verified{Sets: int64(len(c.Sets))}
	var (
		mu          sync.Mutex
		done, pages atomic.Int64
		total       int64
	)
	fault := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if len(v.Faults) < mostFaults {
			v.Faults = append(v.Faults, err.Error())
		}
	}
	for _, s := range c.Sets {
		total += int64(len(s.entries))
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0) + 2)
	for _, s := range c.Sets {
		for i := range s.entries {
			e := &s.entries[i]
			work.Go(func() error {
				n, err := verifyPiece(ctx, s, e)
				pages.Add(n)
				if at := done.Add(1); tell != nil {
					tell(at, total)
				}
				if errors.Is(err, base.ErrCorrupt) || errors.Is(err, ErrNoObject) {
					fault(err)
					return nil
				}
				return err
			})
		}
	}
	err := work.Wait()
	v.Pieces, v.Pages = total, pages.Load()
	for _, s := range c.Sets {
		if err := s.wholeFiles(); err != nil {
			fault(err)
		}
	}
	if _, derr := redo.DecodeCheckpoint(c.top().Checkpoint); derr != nil {
		fault(derr)
	}
	return v, err
}

func verifyPiece(ctx context.Context, s *Set, e *entry) (pages int64, err error) {
	data, err := s.piece(ctx, e)
	if err != nil || e.kind != kindPages {
		return 0, err
	}
	for i := range chunkPages {
		if e.present>>i&1 == 0 {
			continue
		}
		id := base.PageID{Space: base.SpaceID(e.id), No: base.PageNo(e.at) + base.PageNo(i)}
		if err := pagefile.Verify(data[:base.PageSize], id, packName(s.ID, e.pack)); err != nil {
			return pages, err
		}
		data = data[base.PageSize:]
		pages++
	}
	return pages, nil
}

// wholeFiles fails if a part of a file is in no piece.
func (s *Set) wholeFiles() error {
	have := make([]int64, len(s.Files))
	for i := range s.entries {
		if e := &s.entries[i]; e.kind == kindFile {
			have[e.id] += int64(e.size)
		}
	}
	for i, f := range s.Files {
		if have[i] != f.Size {
			return damaged(s.ID+"/"+f.Name, "%d of %d bytes are there", have[i], f.Size)
		}
	}
	for _, seg := range s.Point.Segments {
		found := false
		for _, f := range s.Files {
			found = found || f.Name == segmentName(seg) && f.Size == seg.FileRange(s.Point.LSN)
		}
		if !found {
			return damaged(s.ID, "%s is missing", segmentName(seg))
		}
	}
	return nil
}
