package binlog

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/vfs"
)

func TestGather(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	l := s.log
	l.Gather() // no delay
	l.SetSyncDelay(int64(time.Hour / time.Microsecond))
	l.SetSyncNoDelayCount(3)
	for range 2 {
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(l.Gather)
		}
		wg.Wait() // the third ends the hour
	}
	l.SetSyncNoDelayCount(0)
	l.SetSyncDelay(5000)
	start := time.Now()
	l.Gather()
	require.GreaterOrEqual(t, time.Since(start), 5*time.Millisecond)
	_, err := l.Close()
	require.NoError(t, err)
}
