package tabledef

import (
	"sort"

	"emberdb/engine/row"
)

const (
	StatisticsSpace = "statistics"
	SampleRows      = 4000
	histogramCells  = 20
)

// IndexStatistics are of one index; Bounds are upper bounds of histogram cells, as key values.
type IndexStatistics struct {
	Name     string        `json:"name"`
	Distinct uint64        `json:"distinct"`
	Nulls    uint64        `json:"nulls"`
	Bounds   [][]row.Value `json:"bounds,omitempty"`
	Counts   []uint64      `json:"counts,omitempty"`
	PerCell  []uint64      `json:"per_cell,omitempty"` // distinct values
}

// Histogram makes the statistics of an index from a sample of a table with so many rows.
func (d *TableDef) Histogram(x *Index, sample [][]row.Value, rows uint64) IndexStatistics {
	type entry struct {
		key  string
		vals []row.Value
	}
	is := IndexStatistics{Name: x.Name}
	entries := make([]entry, 0, len(sample))
	for _, vals := range sample {
		e := entry{key: string(row.AppendKey(nil, d.Cols, x.Idx.Parts, vals))}
		null := false
		for _, c := range x.Columns {
			e.vals = append(e.vals, vals[c])
			null = null || vals[c].IsNull()
		}
		if null {
			is.Nulls++
			continue
		}
		entries = append(entries, e)
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].key < entries[j].key })
	scale := func(n uint64) uint64 {
		if len(sample) == 0 {
			return 0
		}
		return n * rows / uint64(len(sample))
	}
	is.Nulls = scale(is.Nulls)
	cells := min(histogramCells, len(entries))
	distinct := uint64(0)
	for i := range cells {
		from, to := i*len(entries)/cells, (i+1)*len(entries)/cells
		different := uint64(0)
		for j := from; j < to; j++ {
			if j == 0 || entries[j].key != entries[j-1].key {
				different++
			}
		}
		distinct += different
		is.Bounds = append(is.Bounds, entries[to-1].vals)
		is.Counts = append(is.Counts, scale(uint64(to-from)))
		is.PerCell = append(is.PerCell, max(different, 1))
	}
	// A sample in which hardly any value repeats comes from a table in which most are different.
	if is.Distinct = distinct; x.IsUnique() || distinct*10 > uint64(len(entries))*9 {
		is.Distinct = scale(distinct)
	}
	return is
}
