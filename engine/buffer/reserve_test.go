package buffer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/internal/invariants"
)

// A page that was reserved and not made is what it was before: for who waits for it, and for who
// comes later.
func TestReserveNewGivenUp(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	e.create(t, 4)
	for _, resident := range []bool{true, false} {
		if !resident {
			e.cold(t)
		}
		m := e.pool.Begin()
		fresh, err := m.ReserveNew(pageID(3))
		require.NoError(t, err)
		require.Equal(t, pageID(3), fresh.ID())
		require.True(t, m.Holds(pageID(3)))
		read := make(chan uint64)
		go func() { read <- e.readWord(t, 3, 0) }()
		_, err = m.Commit()
		require.NoError(t, err)
		require.EqualValues(t, 3, <-read)

		m = e.pool.Begin()
		fresh, err = m.ReserveNew(pageID(3))
		require.NoError(t, err)
		m.Unreserve(fresh)
		require.False(t, m.Holds(pageID(3)))
		_, err = m.Commit()
		require.NoError(t, err)
		require.EqualValues(t, 3, e.readWord(t, 3, 0))
	}
	m := e.pool.Begin()
	fresh, err := m.ReserveNew(pageID(3))
	require.NoError(t, err)
	require.Zero(t, word(m.Create(fresh, pagefile.TypeTree), 0))
	_, err = m.Commit()
	require.NoError(t, err)
	require.Zero(t, e.readWord(t, 3, 0))
	e.check(t)
}

// What can fail comes before the first change.
func TestPinAfterApply(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("a check of the build with invariants")
	}
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	e.create(t, 3)
	m := e.pool.Begin()
	pg, err := m.Pin(pageID(1), Exclusive)
	require.NoError(t, err)
	setWord(m, pg, 1, 5)
	require.Panics(t, func() { _, _ = m.Pin(pageID(2), Shared) })
	require.Panics(t, func() { _, _, _ = m.TryPin(pageID(2), Shared) })
	require.Panics(t, func() { _, _ = m.ReserveNew(pageID(9)) })
	_, err = m.Pin(pageID(1), Exclusive)
	require.NoError(t, err, "held already")
	m.Commit()
}
