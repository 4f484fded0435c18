package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"emberdb/engine/btree"
	"emberdb/engine/catalog"
	"emberdb/engine/hotset"
	"emberdb/engine/table"
	"emberdb/engine/warm"
	"emberdb/internal/base"
)

// What is hot here, by names that another server understands, and the other way round: see package
// hotset.

// mostNamed bounds the memory of a walk: pages of 64 GiB, the hottest ones.
const mostNamed = 4 << 20

// HotNamer names the hot pages of the pool, again and again. It belongs to one goroutine.
type HotNamer struct {
	e      *Engine
	before []uint64 // pages of the walk before, sorted
	begun  bool
}

// NewHotNamer makes one.
func (e *Engine) NewHotNamer() *HotNamer { return &HotNamer{e: e} }

// hotLeaf is a leaf of the pool. The keys stand one behind the other in the memory of the walk.
type hotLeaf struct {
	page, next base.PageNo
	hotset.Leaf
}

// Name returns what is hot: of the leaves in the pool, those that the walk before has found, too. A
// pool of n pages takes about n microseconds.
func (h *HotNamer) Name() (set *hotset.Set, pages int, err error) {
	indexes, err := h.e.namedIndexes()
	if err != nil {
		return nil, 0, err
	}
	leaves, found := h.walk(indexes)
	set = &hotset.Set{}
	for id, of := range leaves {
		slices.SortFunc(of, func(a, b hotLeaf) int { return bytes.Compare(a.First, b.First) })
		named := make([]hotset.Leaf, 0, len(of))
		for i, l := range of {
			if i > 0 && bytes.Compare(of[i-1].Last, l.First) >= 0 {
				continue // it was split or merged during the walk
			}
			l.Next = i+1 < len(of) && of[i+1].page == l.next
			named = append(named, l.Leaf)
		}
		set.Add(indexes[id], named)
		pages += len(named)
	}
	h.before, h.begun = found, true
	return set, pages, nil
}

// walk finds the leaves, by index, and the pages they are.
func (h *HotNamer) walk(indexes map[base.IndexID]hotset.Index) (leaves map[base.IndexID][]hotLeaf, found []uint64) {
	leaves = map[base.IndexID][]hotLeaf{}
	pool, at := h.e.pool, 0
	total := max(1, pool.Stats().PagesData)
	var keys []byte
	pool.LRU().Walk(func(ids []base.PageID, _, late bool) bool {
		for _, id := range ids {
			quarter := uint8(0)
			if !late { // those have moved to the head meanwhile
				quarter = uint8(min(hotset.Quarters*at/total, hotset.Quarters-1))
			}
			at++
			pool.Reader().Peek(id, func(page []byte) {
				tree, next, first, last, ok := btree.LeafEnds(page)
				if _, known := indexes[tree]; !ok || !known {
					return
				}
				found = append(found, id.Uint64())
				if _, again := slices.BinarySearch(h.before, id.Uint64()); h.begun && !again {
					return
				}
				if need := len(first) + len(last); cap(keys)-len(keys) < need {
					keys = make([]byte, 0, max(keyChunk, need))
				}
				l := hotset.Leaf{Quarter: quarter}
				l.First, keys = keep(keys, first)
				l.Last, keys = keep(keys, last)
				leaves[tree] = append(leaves[tree], hotLeaf{id.No, next, l})
			})
		}
		return at < mostNamed
	})
	slices.Sort(found)
	return leaves, found
}

const keyChunk = 64 << 10

// keep appends a key to memory that has room for it.
func keep(memory, key []byte) (kept, all []byte) {
	all = append(memory, key...)
	return all[len(memory):len(all):len(all)], all
}

// namedIndexes are the indexes whose keys mean the same on a replica.
func (e *Engine) namedIndexes() (map[base.IndexID]hotset.Index, error) {
	defs, err := e.tables()
	if err != nil {
		return nil, err
	}
	out := map[base.IndexID]hotset.Index{}
	for _, t := range defs {
		if t.Schema == catalog.SystemSchema || t.Schema == "mysql" || t.Temporary {
			continue
		}
		for _, i := range t.Indexes {
			if len(i.Parts) > 0 {
				out[i.ID] = hotset.Index{Schema: t.Schema, Table: t.Name, Name: i.Name}
			}
		}
	}
	return out, nil
}

// BringHot brings the pages into the pool that are hot on other servers, as far as it has room. It
// returns when that is done.
func (e *Engine) BringHot(ctx context.Context, sets []*hotset.Set) (warm.Brought, error) {
	var byHeat [hotset.Quarters][]uint64
	for _, s := range sets {
		for _, x := range s.Indexes() {
			if err := ctx.Err(); err != nil {
				return warm.Brought{}, err
			}
			if err := e.findHot(ctx, x, s.Of(x), &byHeat); err != nil {
				return warm.Brought{}, err
			}
		}
	}
	return e.warm.Bring(ctx, slices.Concat(byHeat[:]...))
}

// findHot adds the leaves of an index, by their heat; no more than the pool has pages.
func (e *Engine) findHot(ctx context.Context, x hotset.Index, ranges []hotset.Range, byHeat *[hotset.Quarters][]uint64) error {
	spans := make([]btree.Span, 0, len(ranges))
	heat := make([]uint8, 0, len(ranges))
	for _, r := range ranges {
		if n := len(spans); n > 0 && bytes.Compare(r.First, spans[n-1].Last) <= 0 {
			continue // a source that is wrong about the order
		}
		spans, heat = append(spans, btree.Span{First: r.First, Last: r.Last}), append(heat, r.Heat)
	}
	most := e.pool.Frames()
	err := e.Look(ctx, nil, x.Schema, x.Table, func(t *table.Table) error {
		return t.HotLeaves(x.Name, spans, func(id base.PageID, span int) bool {
			h := heat[span]
			if len(byHeat[h]) < most {
				byHeat[h] = append(byHeat[h], id.Uint64())
			}
			return ctx.Err() == nil && len(byHeat[h]) < most
		})
	})
	if errors.Is(err, base.ErrNotFound) || btree.IsGone(err) {
		return nil // there is no such table here, or a page of it has gone meanwhile
	}
	return err
}
