package quota

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func bound(t *testing.T, err error) Bound {
	t.Helper()
	var e *Exceeded
	require.True(t, errors.As(err, &e), "%v", err)
	return e.Bound
}

// Each limit refuses what exceeds it, and what was refused is not held.
func TestLimits(t *testing.T) {
	s := NewServer(4 * step)
	a, b := NewAccount(s), NewAccount(s)
	a.SetLimits(100, 150)
	require.NoError(t, a.Keep(60))
	require.NoError(t, a.Take(90))
	require.Equal(t, OfStatement, bound(t, a.Take(11)))
	require.Equal(t, OfConnection, bound(t, a.Take(1)))
	require.EqualValues(t, 150, a.Used())
	a.End()
	require.EqualValues(t, 60, a.Used())
	require.EqualValues(t, step, s.Used())
	require.NoError(t, b.Take(3*step))
	require.Equal(t, OfServer, bound(t, b.Take(1)))
	require.NoError(t, a.Keep(-60))
	a.End()
	require.Equal(t, OfServer, bound(t, b.Take(step)), "the last eighth is for others")
	require.NoError(t, a.Take(1))
	a.End()
	b.End()
	require.Zero(t, s.Used())
	require.EqualValues(t, 4*step, s.Peak())
	require.EqualValues(t, 4, s.Refused())
}

// A holder gives back what it took, and the server's sum stays within its limit under many
// accounts.
func TestManyAccounts(t *testing.T) {
	s := NewServer(20 * step)
	var wg sync.WaitGroup
	for range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a := NewAccount(s)
			defer a.Close()
			for range 50 {
				h := Holder{Account: a}
				for h.Add(10_000) == nil && a.Used() < 3*step {
				}
				if s.Used() > s.Limit() {
					t.Error("the sum exceeds the limit")
				}
				h.Release()
				if a.Used() != 0 {
					t.Error("a holder has kept something")
				}
				a.End()
			}
		}()
	}
	wg.Wait()
	require.Zero(t, s.Used())
	require.LessOrEqual(t, s.Peak(), s.Limit())
}
