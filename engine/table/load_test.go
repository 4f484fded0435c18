package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/vfs"
)

func TestLoader(t *testing.T) {
	e := newEnv(t, 2048, 0)
	tab := e.create(simpleDef())
	r := newRand(t)
	tx := e.begin(txn.ReadCommitted)
	l, err := tab.NewLoader(tx, vfs.NewMem(1), "tmp")
	require.NoError(t, err)
	want := map[int]string{}
	for _, k := range r.Perm(3000) {
		c := any(fmt.Sprint("c", k))
		if k%5 == 0 {
			c = nil
		}
		vs := vals(k, r.IntN(50), c, strings.Repeat("x", r.IntN(100)))
		if k == 7 {
			vs[3] = row.BytesValue(make([]byte, 50_000))
		}
		want[k] = show(vs)
		require.NoError(t, l.Add(bg, vs))
	}
	require.NoError(t, l.Finish(bg))
	require.NoError(t, l.Close())
	e.commit(tx)
	e.drain()
	e.check()
	for ix := range 3 {
		got := e.now(tab, ix)
		require.Len(t, got, len(want))
		for _, s := range got {
			var k int
			_, err := fmt.Sscan(s, &k)
			require.NoError(t, err)
			require.Equal(t, want[k], s)
		}
	}
}

func TestLoaderDuplicates(t *testing.T) {
	e := newEnv(t, 512, 0)
	tab := e.create(simpleDef())
	tx := e.begin(txn.ReadCommitted)
	l, err := tab.NewLoader(tx, vfs.NewMem(1), "tmp")
	require.NoError(t, err)
	require.NoError(t, l.Add(bg, vals(1, 1, "x", nil)))
	var de *DuplicateError
	require.ErrorAs(t, l.Add(bg, vals(1, 2, "y", nil)), &de)
	require.Equal(t, "PRIMARY", de.Index.Name)
	require.NoError(t, l.Add(bg, vals(2, 2, "x ", nil)))
	require.ErrorAs(t, l.Finish(bg), &de)
	require.Equal(t, "c", de.Index.Name)
	require.Equal(t, "1 1 x -", show(de.Row))
	require.NoError(t, l.Close())
	e.rollback(tx)
}
