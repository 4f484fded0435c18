package expr

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// lockSession is a session with a budget.
type lockSession struct {
	id    uint32
	locks *UserLocks
	kept  int64
	most  int64
}

func (s *lockSession) ID() uint32            { return s.id }
func (s *lockSession) UserLocks() *UserLocks { return s.locks }

func (s *lockSession) KeepMemory(n int64) error {
	if s.kept+n > s.most {
		return fmt.Errorf("no more than %d bytes", s.most)
	}
	s.kept += n
	return nil
}

// TestUserLocks: locks are counted, names without a holder are forgotten, memory is paid for and
// given back, and a circle of three sessions is refused where it would close.
func TestUserLocks(t *testing.T) {
	l := NewUserLocks()
	session := func(id uint32) *lockSession { return &lockSession{id: id, locks: l, most: 10_000} }
	a, b, c := session(1), session(2), session(3)
	get := func(s *lockSession, name string, want bool) {
		blocked, err := l.Try(s, name)
		require.NoError(t, err)
		require.Equal(t, want, blocked, name)
	}
	get(a, "x", false)
	get(a, "x", false)
	get(b, "x", true)
	l.StopWaiting(b.id)
	l.Release(a, "x")
	get(b, "x", true)
	l.Release(b, "x") // is not b's
	l.Release(a, "x")
	get(b, "x", false)

	get(a, "y", false)
	get(c, "z", false)
	get(a, "x", true) // a waits for b
	get(b, "z", true) // b for c
	_, err := l.Try(c, "y")
	require.ErrorContains(t, err, "Deadlock found when trying to get user-level lock")
	l.StopWaiting(b.id)
	get(c, "y", true)

	require.Equal(t, 1, l.ReleaseAll(a))
	require.Equal(t, 1, l.ReleaseAll(b))
	require.Equal(t, 1, l.ReleaseAll(c))
	for i := 0; ; i++ {
		if _, err := l.Try(a, fmt.Sprint(i)); err != nil {
			require.Equal(t, l.ReleaseAll(a), i)
			break
		}
	}
	require.Empty(t, l.Held)
	require.Empty(t, l.Of)
	require.Zero(t, a.kept+b.kept+c.kept)
	require.False(t, l.Holds(a.id))
}
