package btree

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"testing"

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

// TestFill pins what the cut rules are for: ordered inserts fill the pages, random ones reach about 70 %.
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
