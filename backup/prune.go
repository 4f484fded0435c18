package backup

import (
	"context"
	"slices"
	"time"
)

// Prune removes the sets that keep says nobody needs, whole chains at a time, what was interrupted
// before the newest complete set, and the binary logs from before the oldest set of their server
// that stays. It returns their names.
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
	logs, err := oldLogs(ctx, store, slices.DeleteFunc(complete, func(m *Manifest) bool { return !needed[m.ID] }))
	if err != nil {
		return nil, err
	}
	if !dry {
		for _, id := range gone {
			if err := removeSet(ctx, store, id); err != nil {
				return gone, err
			}
		}
	}
	for _, f := range logs {
		if !dry {
			if err := removeLog(ctx, store, f); err != nil {
				return gone, err
			}
		}
		gone = append(gone, logPrefix+f.Server+"/"+f.Name)
	}
	return gone, nil
}

// oldLogs lists the binary logs that no set needs: those before the file in which the logs of the
// oldest set of their server go on.
func oldLogs(ctx context.Context, store Store, sets []*Manifest) (old []*LogFile, err error) {
	files, err := newLogArchive(store, nil).files(ctx, "")
	if err != nil {
		return nil, err
	}
	first := map[string]*Manifest{} // by server
	for _, m := range sets {
		if first[m.UUID] == nil && m.Point.Binlog != nil {
			first[m.UUID] = m
		}
	}
	needed := map[string]*LogFile{}
	for _, f := range files {
		if m := first[f.Server]; m != nil && f.Name == m.Point.Binlog.Name(m.Point.Binlog.File) && f.Created <= m.Point.Time.Unix() {
			needed[f.Server] = f
		}
	}
	for _, f := range files {
		if n := needed[f.Server]; n != nil && f.Created <= n.Created && f != n && !(f.Created == n.Created && laterLog(f.Name, n.Name)) {
			old = append(old, f)
		}
	}
	return old, nil
}

// removeLog removes all objects of a binary log file, its begin first: what is left of it then
// stands behind a gap.
func removeLog(ctx context.Context, store Store, f *LogFile) error {
	objects, err := store.List(ctx, f.folder()+"/")
	if err != nil {
		return err
	}
	for _, o := range objects {
		if err := store.Remove(ctx, o.Name); err != nil {
			return err
		}
	}
	return nil
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

// Keep returns a rule for Prune: the newest n sets, and those that ended within the time before
// now.
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
