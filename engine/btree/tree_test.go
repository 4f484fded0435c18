package btree

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
)

func intKey(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }

// TestTreeModel compares a tree under random changes and reads with a map.
func TestTreeModel(t *testing.T) {
	for _, size := range []struct{ key, val int }{{6, 30}, {60, 300}, {600, 4000}, {3000, 5000}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			rng := newRand(t)
			e := newEnv(t, 256)
			model := map[string]string{}
			for phase := range 4 {
				for range 2500 {
					key := randomBytes(rng, 1, size.key)
					if len(model) > 0 && rng.IntN(4) == 0 { // often an existing one
						for k := range model {
							key = []byte(k)
							break
						}
					}
					if rng.IntN(10) < 3+phase*2-phase/3*2 {
						found, err := e.del(key)
						require.NoError(t, err)
						_, want := model[string(key)]
						require.Equal(t, want, found)
						delete(model, string(key))
						continue
					}
					val := randomBytes(rng, 0, size.val)
					require.NoError(t, e.put(key, val))
					model[string(key)] = string(val)
				}
				got, _ := e.check()
				require.True(t, maps.Equal(model, got), "%d records, want %d", len(got), len(model))
				e.compareScans(model, rng.IntN)
			}
			for k := range model {
				_, err := e.del([]byte(k))
				require.NoError(t, err)
			}
			_, st := e.check()
			require.Equal(t, 1, st.Leaves, "an emptied tree ends as a root leaf")
			require.Equal(t, 1, st.Levels)
		})
	}
}

// compareScans walks ranges forwards and backwards, with cursors saved and restored on the way.
func (e *env) compareScans(model map[string]string, intN func(int) int) {
	t := e.t
	keys := slices.Sorted(maps.Keys(model))
	for range 30 {
		from := intN(len(keys))
		m := e.pool.BeginRead()
		c, err := e.tree.Seek(m, []byte(keys[from]), buffer.Shared)
		require.NoError(t, err)
		steps := min(200, len(keys)-from)
		for i := from; i < from+steps; i++ {
			require.True(t, c.Valid())
			require.Equal(t, keys[i], string(c.Key()))
			require.Equal(t, model[keys[i]], string(c.Value()))
			next, ok, err := c.PeekNext()
			require.NoError(t, err)
			require.Equal(t, i+1 < len(keys), ok)
			if ok {
				require.Equal(t, keys[i+1], string(next))
			}
			require.NoError(t, c.Next())
		}
		require.Equal(t, from+steps < len(keys), c.Valid())
		for i := from + steps - 1; i >= 0 && i >= from-100; i-- {
			require.NoError(t, c.Prev())
			require.True(t, c.Valid())
			require.Equal(t, keys[i], string(c.Key()))
		}
		var p Position
		c.Save(&p)
		want := c.Valid()
		m.Commit()
		m = e.pool.BeginRead()
		c, same, err := e.tree.Restore(m, &p, buffer.Shared)
		require.NoError(t, err)
		require.True(t, same)
		require.Equal(t, want, c.Valid())
		m.Commit()
	}
}

// TestSeekLast compares with the definition on a tree with gaps.
func TestSeekLast(t *testing.T) {
	e := newEnv(t, 256)
	const records = 3000
	for i := range records {
		require.NoError(t, e.put(intKey(2*i), make([]byte, 40)))
	}
	m := e.pool.BeginRead()
	defer m.Commit()
	for i := -1; i <= 2*records; i += 7 {
		key := intKey(max(i, 0))
		if i < 0 {
			key = []byte{}
		}
		m := e.pool.BeginRead()
		c, err := e.tree.SeekLast(m, key, buffer.Shared)
		require.NoError(t, err)
		if i < 0 {
			require.False(t, c.Valid())
			require.NoError(t, c.Next())
			require.True(t, c.Exact(intKey(0)))
		} else {
			require.True(t, c.Exact(intKey(min(i/2, records-1)*2)), "%d", i)
		}
		m.Commit()
	}
	c, err := e.tree.SeekLast(m, nil, buffer.Shared)
	require.NoError(t, err)
	require.True(t, c.Exact(intKey(2*records-2)))
	require.NoError(t, c.Next())
	require.False(t, c.Valid())
	require.NoError(t, c.Prev())
	require.True(t, c.Exact(intKey(2*records-2)))
}

// TestFill pins what the cut rules are for: ordered inserts fill the pages, random ones reach about
// 70 %.
func TestFill(t *testing.T) {
	const records = 20000
	shuffled := newRand(t).Perm(records)
	order := map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return records - i },
		"groups":     func(i int) int { return i/8%10*records + i/80*8 + i%8 }, // ten ascending runs, eight records at a time: order lines per district
		"random":     func(i int) int { return shuffled[i] },
	}
	least := map[string]float64{"ascending": 0.92, "descending": 0.92, "groups": 0.82, "random": 0.62}
	for name, at := range order {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, 512)
			for i := range records {
				require.NoError(t, e.put(intKey(at(i)), make([]byte, 90)))
			}
			got, st := e.check()
			require.Len(t, got, records)
			require.Greater(t, st.Fill(), least[name], "%d leaves", st.Leaves)
		})
	}
}

// TestNeighbours pins that an ordered load leaves the leaves in the order of their pages, so that
// read-ahead finds them.
func TestNeighbours(t *testing.T) {
	e := newEnv(t, 512)
	for i := range 30000 {
		require.NoError(t, e.put(intKey(i), make([]byte, 100)))
	}
	m := e.pool.BeginRead()
	defer m.Commit()
	c, err := e.tree.Seek(m, nil, buffer.Shared)
	require.NoError(t, err)
	leaves, steps, last := 0, 0, c.page.ID().No
	for ; c.Valid(); err = c.Next() {
		require.NoError(t, err)
		if no := c.page.ID().No; no != last {
			leaves++
			if no == last+1 {
				steps++
			}
			last = no
		}
	}
	require.Greater(t, leaves, 200)
	require.Greater(t, steps, leaves*9/10)
}

// TestRedoVolume bounds what structure changes add to the log: splits of ordered loads move little,
// and emptied leaves are unlinked, not copied.
func TestRedoVolume(t *testing.T) {
	const records, size = 20000, 100
	e := newEnv(t, 512)
	from := e.log.Appended()
	for i := range records {
		require.NoError(t, e.put(intKey(i), make([]byte, size)))
	}
	inserted := e.log.Appended()
	require.Less(t, float64(inserted-from)/records, 1.4*size)
	for i := range records {
		_, err := e.del(intKey(i))
		require.NoError(t, err)
	}
	require.Less(t, float64(e.log.Appended()-inserted)/records, 0.4*size)
	_, st := e.check()
	require.Equal(t, 1, st.Leaves)
}

// TestPositionEnds saves positions at both ends of a tree and in an empty one.
func TestPositionEnds(t *testing.T) {
	e := newEnv(t, 256)
	for _, records := range []int{0, 1, 2000} {
		for i := range records {
			require.NoError(t, e.put(intKey(i), make([]byte, 40)))
		}
		m := e.pool.BeginRead()
		c, err := e.tree.Seek(m, nil, buffer.Shared)
		require.NoError(t, err)
		require.NoError(t, c.Prev())
		require.NoError(t, c.Prev(), "before the first it stays")
		require.False(t, c.Valid())
		var before, behind Position
		c.Save(&before)
		require.NoError(t, c.Next())
		require.Equal(t, records > 0, c.Valid())
		m.Commit()

		m = e.pool.BeginRead()
		c, err = e.tree.SeekLast(m, nil, buffer.Shared)
		require.NoError(t, err)
		require.NoError(t, c.Next())
		require.NoError(t, c.Next(), "behind the last it stays")
		require.False(t, c.Valid())
		c.Save(&behind)
		require.Nil(t, behind.Key())
		m.Commit()

		m = e.pool.BeginRead()
		c, same, err := e.tree.Restore(m, &before, buffer.Shared)
		require.NoError(t, err)
		require.True(t, same && !c.Valid())
		require.NoError(t, c.Next())
		require.Equal(t, records > 0, c.Exact(intKey(0)))
		m.Commit()

		m = e.pool.BeginRead()
		c, same, err = e.tree.Restore(m, &behind, buffer.Shared)
		require.NoError(t, err)
		require.True(t, same && !c.Valid())
		require.NoError(t, c.Prev())
		require.Equal(t, records > 0, c.Exact(intKey(records-1)))
		m.Commit()
	}
}

// TestPositionMoves changes the tree under a saved position: a stale page must never be taken for
// the saved one.
func TestPositionMoves(t *testing.T) {
	e := newEnv(t, 256)
	for i := range 2000 {
		require.NoError(t, e.put(intKey(2*i), make([]byte, 100)))
	}
	save := func(key int) (p Position) {
		m := e.pool.BeginRead()
		defer m.Commit()
		c, err := e.tree.Seek(m, intKey(key), buffer.Shared)
		require.NoError(t, err)
		c.Save(&p)
		return p
	}
	p := save(2000)
	require.Equal(t, intKey(2000), p.Key())
	restore := func(want int, wantSame bool) {
		m := e.pool.BeginRead()
		defer m.Commit()
		c, same, err := e.tree.Restore(m, &p, buffer.Exclusive)
		require.NoError(t, err)
		require.Equal(t, wantSame, same)
		require.True(t, c.Exact(intKey(want)), "%x", c.Key())
	}
	restore(2000, true)
	require.NoError(t, e.put(intKey(1999), nil))
	restore(2000, true)
	_, err := e.del(intKey(2000))
	require.NoError(t, err)
	restore(2002, false)
	for i := range 1500 { // its leaf and the neighbours vanish
		_, err := e.del(intKey(2 * i))
		require.NoError(t, err)
	}
	restore(3000, false)
}

// TestScanExclusive changes records along a scan, in one mini-transaction across several leaves,
// looking ahead all the time.
func TestScanExclusive(t *testing.T) {
	e := newEnv(t, 256)
	for i := range 1000 {
		require.NoError(t, e.put(intKey(i), make([]byte, 100)))
	}
	for i := 100; i < 700; i++ {
		m := e.pool.Begin()
		c, err := e.tree.Seek(m, intKey(i), buffer.Exclusive)
		require.NoError(t, err)
		require.True(t, c.Exact(intKey(i)))
		next, ok, err := c.PeekNext()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, intKey(i+1), next)
		if i%3 == 0 {
			c.Delete()
			require.True(t, !c.Valid() || bytes.Equal(intKey(i+1), c.Key()))
		} else {
			c.Patch(5, []byte("patch"))
		}
		m.Commit()
	}
	got, _ := e.check()
	require.Len(t, got, 800)
	require.Equal(t, "patch", got[string(intKey(101))][5:10])
	require.NotContains(t, got, string(intKey(699)))
}

// TestPeekWaitsForReader has a reader that has come to a leaf and let go of the one before it. It
// will lock the first record there; who inserts at the end of the leaf before must see that lock,
// so PeekNext of a writer waits for the reader.
func TestPeekWaitsForReader(t *testing.T) {
	e := newEnv(t, 64)
	key := func(i int) []byte { return fmt.Appendf(nil, "key %04d", 2*i) }
	for i := range 400 {
		require.NoError(t, e.put(key(i), make([]byte, 100)))
	}
	reader := e.pool.BeginRead()
	cur, err := e.tree.Seek(reader, nil, buffer.Shared)
	require.NoError(t, err)
	var last []byte
	for first := cur.Page().ID(); cur.Page().ID() == first; require.NoError(t, cur.Next()) {
		last = append(last[:0], cur.Key()...)
	}
	began, done := make(chan struct{}), make(chan error)
	go func() {
		m, c, err := e.tree.SeekWrite(append(last, '+'), 0) // behind the last record of the first leaf
		close(began)
		if err == nil {
			_, _, err = c.PeekNext()
			m.Commit()
		}
		done <- err
	}()
	<-began
	select {
	case <-done:
		t.Error("a writer has looked beside a reader")
		reader.Commit()
	case <-time.After(20 * time.Millisecond):
		reader.Commit()
		require.NoError(t, <-done)
	}
}
