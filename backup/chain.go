package backup

import (
	"context"
	"fmt"
	"slices"

	"filippo.io/age"
	"golang.org/x/sync/errgroup"

	"emberdb/internal/base"
)

// Chain is a set with those it stands on.
type Chain struct {
	Sets   []*Set // the newest first; the last one is full
	layers map[uint64][]layer
}

// layer is a piece of a chunk.
type layer struct {
	set *Set
	e   *entry
}

func chunkKey(space base.SpaceID, first base.PageNo) uint64 {
	return uint64(space)<<32 | uint64(first/chunkPages)
}

// mostSets bounds a chain.
const mostSets = 1000

// OpenChain opens a set and those below it.
func OpenChain(ctx context.Context, store Store, id string, identities []age.Identity) (*Chain, error) {
	c := &Chain{layers: map[uint64][]layer{}}
	for next := id; next != ""; {
		s, err := OpenSet(ctx, store, next, identities)
		if err != nil {
			return nil, err
		}
		if len(c.Sets) > 0 {
			above := c.Sets[len(c.Sets)-1]
			if above.UUID != s.UUID || above.Since != s.Start || len(c.Sets) == mostSets {
				return nil, fmt.Errorf("backup %s does not stand on %s: %w", above.ID, s.ID, base.ErrCorrupt)
			}
		}
		c.Sets = append(c.Sets, s)
		next = s.Base
	}
	for _, s := range c.Sets {
		for i := range slices.Backward(s.entries) { // a resumption's pieces, which lie above, have later packs
			if e := &s.entries[i]; e.kind == kindPages {
				key := chunkKey(base.SpaceID(e.id), base.PageNo(e.at))
				c.layers[key] = append(c.layers[key], layer{s, e})
			}
		}
	}
	return c, nil
}

// Newest finds the newest complete set of a store.
func Newest(ctx context.Context, store Store) (string, error) {
	complete, incomplete, err := List(ctx, store)
	switch {
	case err != nil:
		return "", err
	case len(complete) > 0:
		return complete[len(complete)-1].ID, nil
	case len(incomplete) > 0:
		return "", fmt.Errorf("%s holds no complete backup; %s was interrupted", store.URL(), incomplete[len(incomplete)-1])
	}
	return "", fmt.Errorf("%s holds no backup", store.URL())
}

// has tells whether the chain has pages of the chunk.
func (c *Chain) has(space base.SpaceID, first base.PageNo) bool {
	return c.layers[chunkKey(space, first)] != nil
}

// chunk reads the pages of a chunk to their places in buf. present has a bit for each page there
// is; the others are not touched.
func (c *Chain) chunk(ctx context.Context, space base.SpaceID, first base.PageNo, buf []byte) (present uint64, err error) {
	for _, l := range c.layers[chunkKey(space, first)] {
		if l.e.present&^present == 0 {
			continue
		}
		data, err := l.set.piece(ctx, l.e)
		if err != nil {
			return 0, err
		}
		for i := range chunkPages {
			bit := uint64(1) << i
			if l.e.present&bit == 0 {
				continue
			}
			if present&bit == 0 {
				copy(buf[i*base.PageSize:][:base.PageSize], data)
				present |= bit
			}
			data = data[base.PageSize:]
		}
	}
	return present, nil
}

// top is the set whose point the chain restores.
func (c *Chain) top() *Set { return c.Sets[0] }

// files calls fn with the pieces of the top set's files, with so many at a time in the order of each
// file.
func (c *Chain) files(ctx context.Context, parallel int, want func(name string) bool, fn func(f SetFile, off int64, data []byte) error) error {
	s := c.top()
	var pieces []*entry
	for i := range s.entries {
		if e := &s.entries[i]; e.kind == kindFile && want(s.Files[e.id].Name) {
			pieces = append(pieces, e)
		}
	}
	slices.SortStableFunc(pieces, func(a, b *entry) int {
		if a.id != b.id {
			return int(int64(a.id) - int64(b.id))
		}
		return int(int64(a.at) - int64(b.at))
	})
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(parallel)
	for _, e := range pieces {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			data, err := s.piece(ctx, e)
			if err != nil {
				return err
			}
			return fn(s.Files[e.id], int64(e.at), data)
		})
	}
	return work.Wait()
}
