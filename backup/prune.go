package backup

import (
	"context"
	"slices"
	"time"
)

// Prune removes the sets that keep says nobody needs, whole chains at a time, and what was interrupted before the newest complete set. It returns their names.
func Prune(ctx context.Context, store Store, keep func(sets []*Manifest) (needed []string), dry bool) ([]string, error) {
	complete, incomplete, err := List(ctx, store)
	if err != nil {
		return nil, err
	}
	byID, needed := map[string]*Manifest{}, map[string]bool{}
	for _, m := range complete {
		byID[m.ID] = m
	}
	for _, id := range keep(complete) {
		for ; id != "" && byID[id] != nil && !needed[id]; id = byID[id].Base {
			needed[id] = true
		}
	}
	var gone []string
	for _, m := range slices.Backward(complete) { // what stands on others first
		if !needed[m.ID] {
			gone = append(gone, m.ID)
		}
	}
	for _, id := range incomplete {
		if len(complete) > 0 && id < complete[len(complete)-1].ID {
			gone = append(gone, id)
		}
	}
	if dry {
		return gone, nil
	}
	for _, id := range gone {
		if err := removeSet(ctx, store, id); err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// removeSet removes a set: its manifest first, so that nobody takes what is left for a backup.
func removeSet(ctx context.Context, store Store, id string) error {
	if err := store.Remove(ctx, id+"/manifest"); err != nil {
		return err
	}
	objects, err := store.List(ctx, id+"/")
	if err != nil {
		return err
	}
	for _, o := range objects {
		if o.Name != id+"/begin" {
			if err := store.Remove(ctx, o.Name); err != nil {
				return err
			}
		}
	}
	return store.Remove(ctx, id+"/begin")
}

// Keep returns a rule for Prune: the newest n sets, and those that ended within the time before now.
func Keep(n int, within time.Duration, now time.Time) func([]*Manifest) []string {
	return func(sets []*Manifest) (needed []string) {
		for i, m := range sets {
			if i >= len(sets)-n || within > 0 && now.Sub(m.Ended) <= within {
				needed = append(needed, m.ID)
			}
		}
		return needed
	}
}
