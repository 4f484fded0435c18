package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/engine/txn"
)

const benchRows = 20_000

func benchTable(b *testing.B) (*env, *Table) {
	e := newEnv(b, 8192, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		for i := range benchRows {
			require.NoError(b, tab.Insert(bg, tx, vals(i, i/10, fmt.Sprint("tag", i), strings.Repeat("x", 100))))
		}
	})
	return e, tab
}

func BenchmarkGet(b *testing.B) {
	e, tab := benchTable(b)
	r := newRand(b)
	for _, l := range []LockMode{None, Exclusive} {
		b.Run([]string{"snapshot", "shared", "for update"}[l], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tx := e.begin(txn.RepeatableRead)
				_, ok, err := tab.Get(bg, tx, tab.def.Indexes[0], e.pk(tab, r.IntN(benchRows)), l, Wait)
				if !ok || err != nil {
					b.Fatal(ok, err)
				}
				e.commit(tx)
			}
		})
	}
	b.Run("snapshot in one transaction", func(b *testing.B) {
		tx := e.begin(txn.RepeatableRead)
		defer e.commit(tx)
		key := e.pk(tab, 77)
		b.ReportAllocs()
		for b.Loop() {
			_, ok, err := tab.Get(bg, tx, tab.def.Indexes[0], key, None, Wait)
			if !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	e, tab := benchTable(b)
	covering := ScanOptions{Index: tab.def.Indexes[1], Columns: []int{0, 1}}
	for _, c := range []struct {
		name string
		o    ScanOptions
	}{{"clustered", ScanOptions{}}, {"secondary", ScanOptions{Index: tab.def.Indexes[1]}}, {"covering", covering}, {"for update", ScanOptions{Lock: Exclusive}}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			var s *Scan
			var tx *txn.Trx
			for b.Loop() {
				if s == nil {
					tx = e.begin(txn.RepeatableRead)
					s = tab.NewScan(tx, c.o)
				}
				if _, err := s.Next(bg); err != nil {
					s = nil
					e.commit(tx)
				}
				n++
			}
			if s != nil {
				e.commit(tx)
			}
		})
	}
}

func BenchmarkChange(b *testing.B) {
	e, tab := benchTable(b)
	r := newRand(b)
	b.Run("update a column", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tx := e.begin(txn.RepeatableRead)
			i := r.IntN(benchRows)
			old, ok, err := tab.Get(bg, tx, nil, e.pk(tab, i), Exclusive, Wait)
			if !ok || err != nil {
				b.Fatal(ok, err)
			}
			new := append([]row.Value(nil), old...)
			new[3] = row.BytesValue([]byte(strings.Repeat(string(rune('a'+r.IntN(26))), 100)))
			if err := tab.Update(bg, tx, old, new); err != nil {
				b.Fatal(err)
			}
			e.commit(tx)
		}
	})
	b.Run("update an index", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tx := e.begin(txn.RepeatableRead)
			i := r.IntN(benchRows)
			if err := tab.Update(bg, tx, vals(i, nil, nil, nil), vals(i, r.IntN(benchRows), fmt.Sprint("tag", i), "x")); err != nil {
				b.Fatal(err)
			}
			e.commit(tx)
		}
	})
	b.Run("insert", func(b *testing.B) {
		b.ReportAllocs()
		i := benchRows
		for b.Loop() {
			tx := e.begin(txn.RepeatableRead)
			if err := tab.Insert(bg, tx, vals(i, i/10, fmt.Sprint("tag", i), "x")); err != nil {
				b.Fatal(err)
			}
			e.commit(tx)
			i++
		}
	})
}
