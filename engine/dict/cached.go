package dict

import "emberdb/engine/catalog"

// Cached returns the definitions in the cache: of every table in use, and of others. It names what locks and status know by id.
func (d *Dict) Cached() []*catalog.Table {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := make([]*catalog.Table, 0, len(d.mu.byID))
	for _, t := range d.mu.byID {
		out = append(out, t.Def())
	}
	return out
}
