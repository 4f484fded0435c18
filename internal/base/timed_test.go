package base

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimed(t *testing.T) {
	var a, b Timed
	require.Zero(t, a.Sum())
	a.Add(10, 0)
	a.Add(20, 5)
	require.Equal(t, TimedSum{Events: 2, Bytes: 30, Sum: 5, Min: 0, Max: 5}, a.Sum())
	b.Add(1, 3)
	b.Add(1, 9*time.Nanosecond)
	b.Add(1, 7)
	require.Equal(t, TimedSum{Events: 3, Bytes: 3, Sum: 19, Min: 3, Max: 9}, b.Sum())
	require.Equal(t, TimedSum{Events: 5, Bytes: 33, Sum: 24, Min: 0, Max: 9}, a.Sum().Plus(b.Sum()))
	require.Equal(t, b.Sum(), TimedSum{}.Plus(b.Sum()))
	require.Equal(t, b.Sum(), b.Sum().Plus(TimedSum{}))
	a.Set(b.Sum())
	require.Equal(t, b.Sum(), a.Sum())
	a.Set(TimedSum{})
	a.Add(0, 4)
	require.Equal(t, TimedSum{Events: 1, Sum: 4, Min: 4, Max: 4}, a.Sum())
}
