package table

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

func TestHiddenRowID(t *testing.T) {
	e := newEnv(t, 512, 0)
	def := &catalog.Table{Name: "n", AutoInc: -1, Columns: named(col(row.TInt32, true), col(row.TVarchar, true)),
		Indexes: []*catalog.Index{{Clustered: true, Unique: true}, {Name: "a", Parts: parts(0)}}}
	tab := e.create(def)
	e.do(func(tx *txn.Trx) {
		for i := range 4 {
			require.NoError(t, tab.Insert(bg, tx, vals(7, fmt.Sprint("r", i)))) // equal keys are fine
		}
	})
	require.Equal(t, []string{"7 r0 u1", "7 r1 u2", "7 r2 u3", "7 r3 u4"}, e.now(tab, 1))
	e.do(func(tx *txn.Trx) {
		s := tab.NewScan(tx, ScanOptions{Index: def.Indexes[1], Columns: []int{0}, Lock: Exclusive, Target: true})
		for vs, err := s.Next(bg); err == nil; vs, err = s.Next(bg) {
			switch vs[2].Uint() {
			case 2:
				require.NoError(t, tab.Delete(bg, tx, vs))
			case 3:
				require.NoError(t, tab.Update(bg, tx, vs, vals(8, "changed")))
			}
		}
	})
	// Another Table over the same trees goes on behind the last id.
	again := New(def, e.svc, nil)
	e.do(func(tx *txn.Trx) { require.NoError(t, again.Insert(bg, tx, vals(9, "new"))) })
	require.Equal(t, []string{"7 r0 u1", "8 changed u3", "7 r3 u4", "9 new u5"}, e.now(tab, 0))
	e.drain()
	e.check()
}

func TestAutoIncrement(t *testing.T) {
	e := newEnv(t, 512, 0)
	def := simpleDef()
	def.AutoInc = 0
	tab := e.create(def)
	next := func(tab *Table, n int) uint64 {
		v, err := tab.NextAutoInc(bg, nil, n)
		require.NoError(t, err)
		return v
	}
	require.EqualValues(t, 1, next(tab, 3))
	require.EqualValues(t, 4, next(tab, 1))
	e.do(func(tx *txn.Trx) { require.NoError(t, tab.Insert(bg, tx, vals(100, 1, nil, nil))) })
	require.EqualValues(t, 101, next(tab, 1))
	tx := e.begin(txn.RepeatableRead)
	require.NoError(t, tab.Insert(bg, tx, vals(200, 1, nil, nil)))
	require.NoError(t, tab.Insert(bg, tx, vals(-5, 1, nil, nil)))
	e.rollback(tx)
	require.EqualValues(t, 201, next(New(def, e.svc, nil), 0), "what was inserted is remembered, rolled back or not")
	require.NoError(t, tab.SetAutoInc(1000))
	require.NoError(t, tab.SetAutoInc(5))
	v, err := New(def, e.svc, nil).PeekAutoInc()
	require.NoError(t, err)
	require.EqualValues(t, 1000, v)
	e.drain()
}

// Keys on prefixes of long texts, descending, under PAD SPACE.
func TestPrefixKeys(t *testing.T) {
	e := newEnv(t, 1024, 0)
	def := &catalog.Table{Name: "p", AutoInc: -1, Columns: named(col(row.TText, false), col(row.TText, true)),
		Indexes: []*catalog.Index{
			{Name: "PRIMARY", Clustered: true, Unique: true, Parts: []row.KeyPart{{Column: 0, Prefix: 3}}},
			{Name: "b", Unique: true, Parts: []row.KeyPart{{Column: 1, Prefix: 2, Desc: true}}}}}
	tab := e.create(def)
	long := func(s string) string { return s + strings.Repeat("-", 9000) }
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(long("aaa"), long("xx"))))
		require.NoError(t, tab.Insert(bg, tx, vals(long("bbb"), nil)))
		require.NoError(t, tab.Insert(bg, tx, vals("c", long("yy"))))
		var de *DuplicateError
		require.ErrorAs(t, tab.Insert(bg, tx, vals("aaaz", "zz")), &de)
		require.ErrorAs(t, tab.Insert(bg, tx, vals("c  ", "zz")), &de)
		require.ErrorAs(t, tab.Insert(bg, tx, vals("d", "xxx")), &de)
		require.Equal(t, "b", de.Index.Name)
		require.Len(t, de.Row[1].B, 9002)
	})
	require.Equal(t, []string{"c y*9002", "a*9003 x*9002", "b*9003 -"}, e.now(tab, 1))
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Update(bg, tx, vals("aaa", nil), vals(long("aaa"), long("zz"))))
		require.NoError(t, tab.Delete(bg, tx, vals("bbb", nil)))
	})
	require.Equal(t, []string{"a*9003 z*9002", "c y*9002"}, e.now(tab, 1))
	e.drain()
	e.check()
}

func TestLimits(t *testing.T) {
	e := newEnv(t, 512, 0)
	def := simpleDef()
	for range 1000 {
		def.Columns = append(def.Columns, col(row.TBinary, false))
		def.Columns[len(def.Columns)-1].Length = 9
	}
	wide := e.create(def)
	tab := e.create(simpleDef())
	big := vals(1, 1, nil, nil)
	for range 1000 {
		big = append(big, row.BytesValue(nil))
	}
	e.do(func(tx *txn.Trx) {
		require.ErrorIs(t, wide.Insert(bg, tx, big), base.ErrRowTooBig)
		require.ErrorIs(t, tab.Insert(bg, tx, vals(1, 1, strings.Repeat("x", 9000), nil)), base.ErrKeyTooLong)
		require.Error(t, tab.Insert(bg, tx, vals(1, 1, "x")))
		require.ErrorContains(t, tab.Insert(bg, tx, vals(nil, 1, "x", nil)), "does not fit")
		require.ErrorContains(t, tab.Insert(bg, tx, vals(1<<40, 1, "x", nil)), "does not fit")
		_, err := readAll(tab.NewScan(tx, ScanOptions{Index: &catalog.Index{ID: 4711}}))
		require.ErrorIs(t, err, base.ErrTableGone)
		ctx, cancel := context.WithCancel(bg)
		cancel()
		require.ErrorIs(t, tab.Insert(ctx, tx, vals(1, 1, nil, nil)), base.ErrInterrupted)
		_, err = tab.NewScan(tx, ScanOptions{Lock: Shared}).Next(ctx)
		require.ErrorIs(t, err, base.ErrInterrupted)
	})
	ro := e.txns.Begin(txn.RepeatableRead, true)
	require.ErrorIs(t, tab.Insert(bg, ro, vals(1, 1, nil, nil)), base.ErrReadOnly)
	e.commit(ro)
	e.drain()
	e.requireEmpty(tab)
}

func TestEstimateAndStats(t *testing.T) {
	e := newEnv(t, 1024, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		for i := range 5000 {
			require.NoError(t, tab.Insert(bg, tx, vals(i, i/10, nil, "some text to fill the row")))
		}
	})
	n, err := tab.Estimate(nil, e.pk(tab, 1000), e.pk(tab, 2000))
	require.NoError(t, err)
	require.InDelta(t, 1000, n, 300)
	st, err := tab.Stats()
	require.NoError(t, err)
	require.InDelta(t, 5000, st.Rows, 1500)
	require.Positive(t, st.DataBytes)
	require.Positive(t, st.IndexBytes)
}

// The checker finds what it is there for.
func TestCheckFindsFaults(t *testing.T) {
	damage := map[string]func(e *env, tab *Table){
		"has no entry": func(e *env, tab *Table) {
			m := e.pool.Begin()
			defer m.Commit()
			cur, err := tab.indexes[1].tree.Seek(m, nil, buffer.Exclusive)
			require.NoError(e.t, err)
			cur.Delete()
		},
		"has no row": func(e *env, tab *Table) {
			m, cur, err := tab.indexes[1].tree.SeekWrite(append(e.ik(tab, 1, 5), e.pk(tab, 999)...), 100)
			require.NoError(e.t, err)
			cur.Insert(append(e.ik(tab, 1, 5), e.pk(tab, 999)...), []byte{0})
			m.Commit()
		},
		"does not fit its row": func(e *env, tab *Table) {
			key := append(e.ik(tab, 1, 777), e.pk(tab, 1)...)
			m, cur, err := tab.indexes[1].tree.SeekWrite(key, 100)
			require.NoError(e.t, err)
			cur.Insert(key, []byte{0})
			m.Commit()
		},
		"row of": func(e *env, tab *Table) {
			m := e.pool.Begin()
			defer m.Commit()
			cur, err := tab.clustered().tree.Seek(m, nil, buffer.Exclusive)
			require.NoError(e.t, err)
			cur.Patch(headerLen+1, []byte{99})
		},
		"have the same key in unique index b": func(e *env, tab *Table) {
			e.do(func(tx *txn.Trx) { require.NoError(e.t, tab.Insert(bg, tx, vals(7, 3, nil, nil))) })
			tab.indexes[1].unique = true
		},
		"value of column d": func(e *env, tab *Table) {
			var ref row.OverflowRef
			value, _, err := tab.fetch(nil, e.pk(tab, 3))
			require.NoError(e.t, err)
			ref = tab.layout.AppendOverflow(nil, value[headerLen:])[0]
			require.NoError(e.t, tab.freeChain(ref))
		},
	}
	for want, fn := range damage {
		t.Run(want, func(t *testing.T) {
			e := newEnv(t, 512, 0)
			tab := e.create(simpleDef())
			e.do(func(tx *txn.Trx) {
				for i := range 5 {
					require.NoError(t, tab.Insert(bg, tx, vals(i, i, nil, strings.Repeat("x", 5000*i))))
				}
			})
			e.check()
			fn(e, tab)
			var faults []string
			_, err := tab.Check(bg, func(err error) {
				require.ErrorIs(t, err, base.ErrCorrupt)
				faults = append(faults, err.Error())
			})
			require.NoError(t, err)
			require.Contains(t, strings.Join(faults, "\n"), want)
		})
	}
}

// A chain that is being freed is gone for readers from the first step on: it is never a shorter
// value, nor damage.
func TestChainThatIsFreed(t *testing.T) {
	for _, size := range []int{5_000, 30_000, 45_000} {
		e := newEnv(t, 512, 0)
		tab := e.create(simpleDef())
		e.do(func(tx *txn.Trx) {
			require.NoError(t, tab.Insert(bg, tx, vals(1, 1, nil, strings.Repeat("x", 20_000+size))))
		})
		value, _, err := tab.fetch(nil, e.pk(tab, 1))
		require.NoError(t, err)
		ref := tab.layout.AppendOverflow(nil, value[headerLen:])[0]
		for more := true; more; {
			whole, err := tab.readChain(nil, ref)
			require.NoError(t, err)
			require.Len(t, whole, 20_000+size)
			for more {
				more, err = tab.freeChainStep(ref)
				require.NoError(t, err)
				_, err = tab.readChain(nil, ref)
				require.ErrorIs(t, err, base.ErrNotFound)
			}
		}
		require.NoError(t, tab.freeChain(ref), "once more")
	}
}

// A page of a chain that was freed may be any page by now, even the one whose latch the reader
// holds: nothing is waited for.
func TestChainBesideLatch(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := e.create(simpleDef())
	e.do(func(tx *txn.Trx) {
		require.NoError(t, tab.Insert(bg, tx, vals(1, 1, nil, strings.Repeat("x", 40_000))))
	})
	value, _, err := tab.fetch(nil, e.pk(tab, 1))
	require.NoError(t, err)
	ref := tab.layout.AppendOverflow(nil, value[headerLen:])[0]
	id := base.PageID{Space: tab.def.Space, No: ref.First}

	own, other := e.pool.Begin(), e.pool.Begin()
	_, err = other.Pin(id, buffer.Exclusive)
	require.NoError(t, err)
	_, err = tab.readChainBeside(own, nil, ref)
	require.ErrorIs(t, err, errBusy)
	other.Commit()
	whole, err := tab.readChainBeside(own, nil, ref)
	require.NoError(t, err)
	require.Len(t, whole, 40_000)
	own.Commit()

	require.NoError(t, tab.freeChain(ref))
	own = e.pool.Begin()
	_, err = own.Pin(id, buffer.Exclusive)
	require.NoError(t, err)
	_, err = tab.readChainBeside(own, nil, ref)
	require.ErrorIs(t, err, base.ErrNotFound)
	own.Commit()
}
