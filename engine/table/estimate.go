package table

import (
	"emberdb/engine/catalog"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// Stats is about how large a table is.
type Stats struct {
	Rows       float64
	DataBytes  int64
	IndexBytes int64
	FreeBytes  int64 // of the table's space
}

// Estimate returns about how many rows have keys in the range of idx; lower and upper as for an
// ordinary scan, nil = open.
func (t *Table) Estimate(idx *catalog.Index, lower, upper []byte) (float64, error) {
	ix, err := t.indexOf(idx)
	if err != nil {
		return 0, err
	}
	if t.parts != nil {
		sum := 0.0
		for _, p := range t.parts {
			n, err := p.Estimate(p.indexes[ix.pos].def, lower, upper)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum, nil
	}
	return ix.tree.Estimate(lower, upper)
}

// Separators returns keys that divide the rows into parts of about the same size: at least so many
// if the table is large enough. A partitioned table has none.
func (t *Table) Separators(atLeast int) ([][]byte, error) {
	if t.parts != nil {
		return nil, nil
	}
	return t.clustered().tree.Separators(atLeast)
}

// Stats estimates from a few pages of every tree.
func (t *Table) Stats() (st Stats, err error) {
	for _, p := range t.parts {
		of, err := p.Stats()
		if err != nil {
			return st, err
		}
		st.Rows += of.Rows
		st.DataBytes += of.DataBytes
		st.IndexBytes += of.IndexBytes
		st.FreeBytes += of.FreeBytes
	}
	if t.parts != nil {
		return st, nil
	}
	if st.Rows, err = t.clustered().tree.Estimate(nil, nil); err != nil {
		return st, err
	}
	for _, ix := range t.indexes {
		shape, err := ix.tree.Shape()
		if err != nil {
			return st, err
		}
		bytes := int64(shape.Leaves) * base.PageSize
		if ix.pos == 0 {
			st.DataBytes = bytes
		} else {
			st.IndexBytes += bytes
		}
	}
	m := t.svc.Pool.BeginRead()
	defer m.Commit()
	use, err := space.Usage(m, t.def.Space)
	st.FreeBytes = int64(use.Size-use.Used) * base.PageSize
	return st, err
}
