package buffer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A loan takes free frames only and gives them back; the pool goes on with the others, and shrinks when it has them all back.
func TestLend(t *testing.T) {
	e := newEnv(t, envOptions{frames: 100, pages: 60})
	e.create(t, 60)
	require.Equal(t, 40, e.pool.Stats().PagesFree)
	l := e.pool.Lend(30)
	require.Equal(t, 30, l.Pages())
	require.Equal(t, 10, e.pool.Stats().PagesFree)
	rest := e.pool.Lend(30)
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
