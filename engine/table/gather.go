package table

import (
	"encoding/binary"
	"errors"
	"fmt"

	"emberdb/internal/vfs"
)

// gatherer sorts the secondary keys of rows that are being loaded, beside whoever adds the rows. It
// serves all parts of a partitioned table: a key has the number of its part ahead of it.
type gatherer struct {
	sorters []*sorter // of the indexes but the clustered one
	batch   loaded    // at work
	full    chan loaded
	empty   chan loaded
	done    chan error // of the goroutine: one error, or nil
	err     error      // what came of it
}

// loaded are rows that the clustered index has taken.
type loaded struct {
	arena []byte
	rows  []loadedRow
}

type loadedRow struct {
	item
	part int
}

const (
	partBytes    = 2         // of a part's number, big-endian
	gatherMemory = 256 << 20 // of all sorters of a load together, at most
	gatherLeast  = 4 << 20   // of one of them
)

// newGatherer starts a gatherer for a table with these parts, or for the parts of a table. All have
// the same indexes. Sort runs go to the folder tmp.
func newGatherer(parts []*Table, fs vfs.FS, tmp string) *gatherer {
	g := &gatherer{full: make(chan loaded), empty: make(chan loaded, 2), done: make(chan error, 1)}
	secondary := parts[0].indexes[1:]
	for _, ix := range secondary {
		s := newSorter(fs, tmp, fmt.Sprintf("load-%d", ix.def.ID))
		s.memory = max(gatherLeast, min(sortMemory, gatherMemory/len(secondary)))
		g.sorters = append(g.sorters, s)
	}
	g.empty <- loaded{}
	go func() { g.done <- g.run(parts) }()
	return g
}

// add takes a row with its clustered key and value.
func (g *gatherer) add(part int, key, value []byte) error {
	b := &g.batch
	at := uint32(len(b.arena))
	b.arena = append(append(b.arena, key...), value...)
	b.rows = append(b.rows, loadedRow{item{key: at, value: at + uint32(len(key)), end: uint32(len(b.arena))}, part})
	if len(b.arena) < batchBytes {
		return nil
	}
	return g.pass()
}

// pass hands the batch over.
func (g *gatherer) pass() error {
	select {
	case g.full <- g.batch:
		g.batch = <-g.empty
		return nil
	case g.err = <-g.done: // it takes no more
		close(g.done)
		return g.err
	}
}

// finish waits until all keys are with the sorters.
func (g *gatherer) finish() error {
	if g.full == nil {
		return g.err
	}
	if g.err == nil {
		if err := g.pass(); err != nil {
			return err
		}
	}
	close(g.full)
	g.full = nil
	if err, ok := <-g.done; ok {
		g.err = err
	}
	return g.err
}

// close gives the run files back.
func (g *gatherer) close() (err error) {
	_ = g.finish() // whoever closes it early has another error
	for _, s := range g.sorters {
		err = errors.Join(err, s.close())
	}
	return err
}

func (g *gatherer) run(parts []*Table) error {
	w := getWork()
	defer w.put()
	for b := range g.full {
		for _, r := range b.rows {
			if err := g.keys(w, parts[r.part], r.part, b.arena[r.key:r.value:r.value], b.arena[r.value:r.end:r.end]); err != nil {
				return err
			}
		}
		g.empty <- loaded{b.arena[:0], b.rows[:0]}
	}
	return nil
}

// keys gives the sorters the keys of a row.
func (g *gatherer) keys(w *work, t *Table, part int, key, value []byte) error {
	v := newVersion(value)
	for i, ix := range t.indexes[1:] {
		s := g.sorters[i]
		s.ahead = binary.BigEndian.AppendUint16(s.ahead[:0], uint16(part))
		if err := t.gatherVersion(w, ix, s, key, &v); err != nil {
			return err
		}
	}
	return nil
}
