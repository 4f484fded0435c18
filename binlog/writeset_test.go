package binlog

import (
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/internal/base"
)

func number(n int) row.Value { return row.Value{Kind: row.Int, N: uint64(n)} }

// pairs is a table of a primary key and of a unique key.
func pairs(id int, more ...func(*catalog.Table)) *rowKeys {
	def := &catalog.Table{Schema: "d", Name: "t", Columns: []catalog.Column{{Column: row.Column{Type: row.TInt32}}, {Column: row.Column{Type: row.TInt32, Nullable: true}}},
		Indexes: []*catalog.Index{{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}}, {Name: "u", Unique: true, Parts: []row.KeyPart{{Column: 1}}}}}
	def.ID = base.TableID(id)
	for _, m := range more {
		m(def)
	}
	k := newRowKeys(def)
	return &k
}

func newHistory(size int64) *history {
	h := &history{seed: maphash.MakeSeed()}
	h.resize(size, 0)
	return h
}

// TestDependencies looks at what one transaction depends on. Two keys may share a place in the
// history, which makes a dependency that need not be; with another seed they do not.
func TestDependencies(t *testing.T) {
	want := []int64{
		0,  // 1
		0,  // 2, another row
		0,  // 3, other tables
		1,  // 4, the same row
		4,  // 5, a unique key that the update has freed
		2,  // 6
		0,  // 7
		0,  // 8, NULL is no key
		8,  // 9, no primary key
		0,  // 10, not beyond commits
		9,  // 11, a child
		11, // 12, behind a child
		12, // 13
		13, // 14
		14, // 15
		15, // 16
		16, // 17, a history that has just begun
	}
	got := dependencies(t)
	for range 5 {
		if !slices.Equal(got, want) {
			got = dependencies(t)
		}
	}
	require.Equal(t, want, got)
}

// dependencies are what the transactions of TestDependencies depend on.
func dependencies(t *testing.T) (out []int64) {
	h, sequence := newHistory(1000), int64(0)
	commit := func(committed int64, write func(w *writeSet)) {
		var w writeSet
		write(&w)
		sequence++
		out = append(out, h.place(&w, sequence, committed))
	}
	plain, other := pairs(1), pairs(2)
	heap := pairs(3, func(d *catalog.Table) { d.Indexes[0].Name, d.Indexes = "", d.Indexes[:1] })
	child := pairs(4, func(d *catalog.Table) { d.ForeignKeys = []catalog.ForeignKey{{}} })
	insert := func(k *rowKeys, id int, u row.Value) func(*writeSet) {
		return func(w *writeSet) { w.row(h, k, nil, []row.Value{number(id), u}) }
	}
	commit(0, insert(plain, 1, number(7)))
	commit(1, insert(plain, 2, number(8)))
	commit(2, insert(other, 1, number(7)))
	commit(3, func(w *writeSet) {
		w.row(h, plain, []row.Value{number(1), number(7)}, []row.Value{number(1), number(9)})
	})
	commit(4, insert(plain, 3, number(7)))
	commit(5, func(w *writeSet) {
		w.row(h, plain, []row.Value{number(2), number(8)}, nil)
	})
	commit(6, insert(plain, 8, row.Value{}))
	commit(7, insert(plain, 9, row.Value{}))
	commit(8, insert(heap, 1, number(1)))
	commit(0, insert(plain, 8, number(11)))
	commit(9, insert(child, 1, number(1)))
	commit(11, insert(plain, 20, number(20)))
	commit(12, func(w *writeSet) { w.block() })
	commit(13, insert(plain, 21, number(21)))
	commit(14, func(w *writeSet) {
		for i := range 501 {
			insert(plain, 1000+i, number(1000+i))(w)
		}
		require.True(t, w.barrier)
		require.Empty(t, w.keys, "what no history holds takes no memory")
	})
	commit(15, insert(plain, 22, number(22)))
	h.resize(10, sequence)
	commit(16, insert(plain, 23, number(23)))
	return out
}

// TestDependenciesOfMany holds many transactions against what each must wait for, found by
// comparing all rows.
func TestDependenciesOfMany(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	h, k := newHistory(200), pairs(1)
	last, free := map[[2]int]int64{}, 0
	for sequence := int64(1); sequence <= 5000; sequence++ {
		var w writeSet
		want := int64(0)
		for range 1 + r.IntN(4) {
			id, before, after := r.IntN(3000), r.IntN(3000), r.IntN(3000)
			w.row(h, k, []row.Value{number(id), number(before)}, []row.Value{number(id), number(after)})
			keys := [][2]int{{0, id}}
			if before != after {
				keys = append(keys, [2]int{1, before}, [2]int{1, after})
			}
			for _, key := range keys {
				if at := last[key]; at < sequence {
					want = max(want, at)
				}
				last[key] = sequence
			}
		}
		committed := max(0, sequence-1-r.Int64N(3))
		got := h.place(&w, sequence, committed)
		require.GreaterOrEqual(t, got, min(want, committed), "transaction %d", sequence)
		require.LessOrEqual(t, got, committed)
		if got < committed {
			free++
		}
	}
	require.Greater(t, free, 1000, "hardly any is free")
}

func BenchmarkWriteSet(b *testing.B) {
	h, k := newHistory(mostKeys), pairs(1)
	var w writeSet
	vals, sequence := []row.Value{number(1), number(2)}, int64(0)
	for b.Loop() {
		sequence++
		vals[0].N++
		w.reset()
		w.row(h, k, vals, vals)
		h.place(&w, sequence, sequence-1)
	}
}
