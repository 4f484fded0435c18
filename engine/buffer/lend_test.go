package buffer

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// A loan takes free frames only and gives them back; the pool goes on with the others, and shrinks
// when it has them all back.
func TestLend(t *testing.T) {
	e := newEnv(t, envOptions{frames: 100, pages: 60})
	e.create(t, 60)
	require.Equal(t, 40, e.pool.Stats().PagesFree)
	l := e.pool.Recovery().Lend(30)
	require.Equal(t, 30, l.Pages())
	require.Equal(t, 10, e.pool.Stats().PagesFree)
	rest := e.pool.Recovery().Lend(30)
	require.Equal(t, 10, rest.Pages(), "nothing is evicted")
	for i := range l.Pages() {
		for k := range l.Page(i) {
			l.Page(i)[k] = byte(i)
		}
	}
	e.check(t)
	e.cold(t)
	e.create(t, 60)
	for i := range l.Pages() {
		require.Equal(t, byte(i), l.Page(i)[0])
		require.Equal(t, byte(i), l.Page(i)[len(l.Page(i))-1])
	}
	shrunk := make(chan error)
	go func() { shrunk <- e.pool.Resize(50) }()
	rest.Keep(0)
	l.Keep(31)
	require.Equal(t, 30, l.Pages())
	l.Keep(12)
	require.Equal(t, 12, l.Pages())
	select {
	case err := <-shrunk:
		t.Fatal("shrunk below a frame that is lent", err)
	default:
	}
	l.Keep(0)
	require.NoError(t, <-shrunk)
	require.Equal(t, 50, e.pool.Frames())
	e.check(t)
}

// A page built in a lent frame becomes the pool's there, dirty from the LSN that the hook tells;
// one that is there already, or that the hook does not want, does not.
func TestLoanEnter(t *testing.T) {
	e := newEnv(t, envOptions{frames: 100, pages: 60})
	e.create(t, 3)
	wanted := true
	e.pool.Recovery().SetSource(sourceFunc(func(id base.PageID, page []byte) (base.LSN, error) {
		if !wanted {
			return 0, nil
		}
		pagefile.SetLSN(page, e.log.Appended())
		return e.log.Appended(), nil
	}))
	l := e.pool.Recovery().Lend(10)
	build := func(i, no int) {
		clear(l.Page(i))
		pagefile.Init(l.Page(i), pageID(no), pagefile.TypeTree)
		binary.LittleEndian.PutUint64(l.Page(i)[bodyAt:], uint64(1000+no))
	}
	build(0, 7)
	require.NoError(t, l.Enter(0, pageID(7)))
	build(1, 2) // resident
	require.NoError(t, l.Enter(1, pageID(2)))
	wanted = false
	build(2, 8)
	require.NoError(t, l.Enter(2, pageID(8)))
	require.False(t, e.pool.Reader().Resident(pageID(8)))

	m := e.pool.BeginRead()
	for _, no := range []int{7, 2} {
		pg, err := m.Pin(pageID(no), Shared)
		require.NoError(t, err)
		want := uint64(no)
		if no == 7 {
			want += 1000
		}
		require.Equal(t, want, word(pg, 0))
	}
	m.Commit()
	require.NoError(t, e.pool.Recovery().Flush(t.Context()))
	l.Keep(100)
	require.Equal(t, 8, l.Pages(), "a frame is the page's, another went back")
	l.Keep(0)
	e.check(t)
	require.Equal(t, 100-4, e.pool.Stats().PagesFree)
	e.pool.Recovery().SetSource(nil)
	e.cold(t)
	pg, err := e.pool.BeginRead().Pin(pageID(7), Shared)
	require.NoError(t, err)
	require.Equal(t, uint64(1007), word(pg, 0), "it was dirty")
}
