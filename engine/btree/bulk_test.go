package btree

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

func TestBulk(t *testing.T) {
	for _, records := range []int{0, 1, 100, 30000} {
		e := newEnv(t, 256)
		b := e.tree.NewBulk(9)
		for i := range records {
			require.NoError(t, b.Add(intKey(i), fmt.Appendf(nil, "%0100d", i)))
		}
		require.NoError(t, b.Finish())
		got, st := e.check()
		require.Len(t, got, records)
		if records > 10000 {
			require.Greater(t, st.Fill(), 0.92)
			require.ErrorIs(t, b.Add(intKey(records-1), nil), base.ErrExists)
			require.Error(t, b.Add(intKey(3), nil))
		}
		// The tree goes on living, and a second load may follow.
		require.NoError(t, e.put(intKey(records+5), []byte("x")))
		b = e.tree.NewBulk(9)
		require.NoError(t, b.Add(intKey(records+6), make([]byte, 5000)))
		require.NoError(t, b.Finish())
		got, _ = e.check()
		require.Len(t, got, records+2)
		b = e.tree.NewBulk(9)
		require.NoError(t, b.Add(intKey(0), nil))
		require.Error(t, b.Finish(), "keys behind the first one exist")
	}
}

// TestBulkLarge loads records of the greatest size.
func TestBulkLarge(t *testing.T) {
	e := newEnv(t, 256)
	b := e.tree.NewBulk(0)
	for i := range 100 {
		require.NoError(t, b.Add(append(intKey(i), make([]byte, MaxKey-8)...), make([]byte, childSize)))
	}
	require.ErrorIs(t, b.Add(make([]byte, MaxKey+1), nil), base.ErrRowTooBig)
	require.NoError(t, b.Finish())
	got, _ := e.check()
	require.Len(t, got, 100)
}

// TestDrop gives all pages of a tree back, also when it is interrupted.
func TestDrop(t *testing.T) {
	for _, keyLen := range []int{20, 2000} { // few and many levels
		for steps := range 4 {
			e := newEnv(t, 256)
			for i := range 2500 {
				require.NoError(t, e.put(append(intKey(i*7919%2500), make([]byte, keyLen)...), make([]byte, 10)))
			}
			for range steps {
				m := e.pool.Begin()
				_, err := e.tree.dropSome(m)
				m.Commit()
				require.NoError(t, err)
			}
			require.NoError(t, e.tree.Drop())
			require.NoError(t, e.tree.Drop(), "a second time finds nothing")
			require.NoError(t, space.Check(e.pool, testSpace, &space.PageSet{}))
			m := e.pool.BeginRead()
			_, err := space.Root(m, testSpace, testIndex)
			require.ErrorIs(t, err, base.ErrNotFound)
			m.Commit()
		}
	}
}

func TestEstimate(t *testing.T) {
	e := newEnv(t, 512)
	const records = 30000
	for _, i := range newRand(t).Perm(records) {
		require.NoError(t, e.put(intKey(i), make([]byte, 100)))
	}
	for _, c := range []struct {
		lo, hi int
		within float64 // relative error allowed
	}{{0, records, 0.5}, {100, 103, 0}, {500, 500, 0}, {700, 600, 0}, {1000, 1300, 0}, {5000, 25000, 0.5}} {
		got, err := e.tree.Estimate(intKey(c.lo), intKey(c.hi))
		require.NoError(t, err)
		want := float64(max(c.hi-c.lo, 0))
		// Bounds a few leaves apart are exact.
		require.LessOrEqual(t, math.Abs(got-want), want*c.within, "[%d, %d): %f", c.lo, c.hi, got)
	}
	all, err := e.tree.Estimate(nil, nil)
	require.NoError(t, err)
	require.InEpsilon(t, records, all, 0.5)
	shape, err := e.tree.Shape()
	require.NoError(t, err)
	_, st := e.check()
	require.Equal(t, st.Levels, shape.Levels)
	require.InEpsilon(t, st.Leaves, int(shape.Leaves), 0.3)
}

// TestWriterThroughSplits: whatever leaf a record ends up in, its page's newest writer is at least
// the one who changed it.
func TestWriterThroughSplits(t *testing.T) {
	e := newEnv(t, 256)
	rng := newRand(t)
	by := map[string]base.TrxID{}
	for i := range 5000 {
		key, trx := intKey(rng.IntN(3000)), base.TrxID(rng.IntN(100000))
		m, c, err := e.tree.SeekWrite(key, 200)
		require.NoError(t, err)
		c.SetWriter(trx)
		switch {
		case !c.Exact(key):
			c.Insert(key, make([]byte, 100))
		case i%3 == 0:
			c.Delete()
		default:
			require.True(t, c.SetValue(make([]byte, rng.IntN(200))))
		}
		require.GreaterOrEqual(t, pagefile.Writer(c.Page().Data()), trx)
		under := c.Underfull()
		m.Commit()
		by[string(key)] = max(by[string(key)], trx)
		if under {
			require.NoError(t, e.tree.Merge(key))
		}
	}
	m := e.pool.BeginRead()
	defer m.Commit()
	c, err := e.tree.Seek(m, nil, buffer.Shared)
	require.NoError(t, err)
	for ; c.Valid(); err = c.Next() {
		require.NoError(t, err)
		require.GreaterOrEqual(t, pagefile.Writer(c.Page().Data()), by[string(c.Key())])
	}
}

// putRun inserts records from key on, as many as the place takes, in one change.
func (e *env) putRun(key []byte, rng *rand.Rand) {
	var r Run
	m, err := e.tree.SeekRun(&r, key, 200)
	require.NoError(e.t, err)
	defer m.Commit()
	if r.Exact(key) {
		return
	}
	var recs []byte
	room := r.Room()
	for range 1 + rng.IntN(8) {
		val := randomBytes(rng, 0, 100)
		if room -= RecordHeader + SlotSize + len(key) + len(val); room < 0 || len(recs) > 0 && !r.Precedes(key) {
			break
		}
		recs = AppendRecord(recs, key, val)
		key = append(bytes.Clone(key), byte(rng.IntN(3)))
	}
	r.InsertRun(recs)
}

// TestRun inserts ascending keys, near to and far from each other, a leaf's worth with one descent,
// between deletes and merges.
func TestRun(t *testing.T) {
	e := newEnv(t, 512)
	rng := newRand(t)
	have := map[int]bool{}
	var r Run
	most := 0
	for range 400 {
		at, step := rng.IntN(40000), 1+rng.IntN(200)
		for left := rng.IntN(200); left > 0; {
			m, err := e.tree.SeekRun(&r, intKey(at), 100)
			require.NoError(t, err)
			n := 0
			for ; left > 0 && r.Room() >= RecordHeader+SlotSize+100; left-- {
				if n > 0 && !r.Advance(intKey(at)) {
					break
				}
				require.Equal(t, have[at], r.Exact(intKey(at)))
				if !r.Exact(intKey(at)) {
					r.Insert(intKey(at), make([]byte, 92))
					have[at] = true
				}
				at += 1 + rng.IntN(step)
				n++
			}
			require.Positive(t, n)
			most = max(most, n)
			m.Commit()
		}
		for key := range have {
			if rng.IntN(4) > 0 {
				continue
			}
			m, c, err := e.tree.SeekWrite(intKey(key), 0)
			require.NoError(t, err)
			require.True(t, c.Exact(intKey(key)))
			c.Delete()
			under := c.Underfull()
			m.Commit()
			if under {
				require.NoError(t, e.tree.Merge(intKey(key)))
			}
			delete(have, key)
		}
	}
	require.Greater(t, most, 20)
	_, st := e.check()
	require.EqualValues(t, len(have), st.Records)
}

// TestInsertRun compares a run with its records inserted one by one: the pages are the same byte by
// byte.
func TestInsertRun(t *testing.T) {
	rng := newRand(t)
	for range 300 {
		one, run := newNode(), newNode()
		for range rng.IntN(40) {
			key := randomBytes(rng, 1, 6)
			slot, exact := one.search(key)
			if !exact {
				val := randomBytes(rng, 0, 200)
				require.True(t, one.insert(slot, key, val))
				require.True(t, run.insert(slot, key, val))
			}
		}
		first := randomBytes(rng, 1, 6)
		slot, exact := one.search(first)
		if exact {
			continue
		}
		var recs []byte
		key := first
		for i := range 1 + rng.IntN(20) {
			if at, exact := one.search(key); at != slot+i || exact {
				break
			}
			val := randomBytes(rng, 0, 60)
			require.True(t, one.insert(slot+i, key, val))
			recs = AppendRecord(recs, key, val)
			key = append(bytes.Clone(key), 0)
		}
		require.NoError(t, applyInsertRun(run, append(encodeSlot(nil, slot, 0), recs...)))
		require.True(t, bytes.Equal(one, run))
		require.NoError(t, one.check())
		cut := rng.IntN(len(recs) + 1) // an error perhaps, never a panic
		_ = applyInsertRun(newNode(), append(encodeSlot(nil, 0, 0), recs[:cut]...))
	}
}

// TestReplayEqual replays the log of a long run on blank pages: every byte must be what the run
// left in the pool.
func TestReplayEqual(t *testing.T) {
	e := newEnv(t, 1024)
	rng := newRand(t)
	from := redo.FirstLSN
	for range 6000 {
		key := randomBytes(rng, 1, 40)
		switch rng.IntN(6) {
		case 0, 1:
			_, err := e.del(key)
			require.NoError(t, err)
		case 2:
			e.putRun(key, rng)
		default:
			require.NoError(t, e.put(key, randomBytes(rng, 0, 900)))
		}
	}
	require.NoError(t, e.log.FlushTo(e.log.Appended()))
	pages := map[base.PageID][]byte{}
	described := map[redo.Op]bool{}
	for r := e.log.NewReader(from); ; {
		g, err := r.Next()
		if err != nil {
			break
		}
		for rec, err := range redo.Records(g.Payload) {
			require.NoError(t, err)
			if rec.Op < redo.OpFirstPage {
				continue
			}
			if pages[rec.Page] == nil {
				pages[rec.Page] = make([]byte, base.PageSize)
			}
			require.NoError(t, redo.Apply(rec, pages[rec.Page]))
			pagefile.SetLSN(pages[rec.Page], g.End)
			if !described[rec.Op] {
				described[rec.Op] = true
				require.False(t, strings.Contains(redo.Describe(rec), "malformed"), redo.Describe(rec))
			}
		}
	}
	require.Greater(t, len(pages), 20)
	m := e.pool.BeginRead()
	defer m.Commit()
	for id, want := range pages {
		pg, err := m.Pin(id, buffer.Shared)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want[4:], pg.Data()[4:]), "page %s differs (checksum apart)", id)
		m.Release(pg)
	}
}

// TestCheckFinds breaks a sound tree in many ways; the checker must see each.
func TestCheckFinds(t *testing.T) {
	grow := func(e *env) {
		for i := range 3000 {
			require.NoError(t, e.put(intKey(i), make([]byte, 100)))
		}
	}
	leafOf := func(e *env, key int) (*buffer.Mtr, node) {
		m, c, err := e.tree.SeekWrite(intKey(key), 0)
		require.NoError(t, err)
		return m, c.n
	}
	for name, harm := range map[string]func(n node){
		"order":    func(n node) { copy(n.key(3), n.key(9)) },
		"head":     func(n node) { n.setSlot(2, n.offset(2), 1) },
		"garbage":  func(n node) { n.put16(offGarbage, n.garbage()+1) },
		"heap":     func(n node) { n.put16(offHeapTop, n.heapTop()-1) },
		"overlap":  func(n node) { n.setSlot(2, n.offset(3), n.slotHead(2)) },
		"next":     func(n node) { n.setNext(n.prev()) },
		"prev":     func(n node) { n.setPrev(base.NilPage) },
		"level":    func(n node) { n[offLevel] = 1 },
		"tree":     func(n node) { n[offTree]++ },
		"bounds":   func(n node) { n.key(0)[0]++ },
		"prefix":   func(n node) { n.put16(offPrefix, n.prefix()+1) },
		"truncate": func(n node) { n.put16(offCount, n.count()-1) },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, 256)
			grow(e)
			e.check()
			m, n := leafOf(e, 1500)
			harm(n) // behind the mini-transaction's back
			m.Commit()
			_, err := e.tree.Check(nil)
			require.ErrorIs(t, err, base.ErrCorrupt)
		})
	}
}

func TestDump(t *testing.T) {
	n := newNode()
	require.True(t, n.insert(0, []byte("ab"), []byte("v")))
	require.True(t, n.insert(1, []byte("abc"), nil))
	var b strings.Builder
	require.NoError(t, Dump(&b, n, true))
	require.Equal(t, `tree 77 level 0 prev none next none leftmost none
records 2 heap top 82 garbage 0 free 16290 prefix 2 direction 1 last 1 run 1
    0 at    68 head 00000000 key 6162 value 76
    1 at    75 head 63000000 key 616263 value `+"\n", b.String())
	n.put16(offGarbage, 5)
	b.Reset()
	require.NoError(t, Dump(&b, n, false))
	require.Contains(t, b.String(), "damaged: garbage counter")
}
