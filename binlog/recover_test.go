package binlog

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/vfs"
)

// A file begins with four bytes that are no event. Read as one, they and the time behind them say
// at some seconds that a transaction follows.
func TestHeadOfFileIsNoTransaction(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	s := newServer(t, vfs.NewMem(1), Options{Now: func() time.Time { return time.Unix(1_700_000_000&^0xff|int64(EventGTID), 0) }})
	s.o.ServerVersion = "8.4.6-Ember-1.2.3" // long enough to be a number as well
	for range 3 {                           // the third one finds the head of the second's file in redo
		require.NoError(t, s.open())
		require.Empty(t, s.log.Executed().String())
		s.redo.crash(rnd)
		s.shutdown()
		s.fs.Crash()
		s.fs = s.fs.Reboot(1)
	}
}

// TestMissingFilesAreTold: a start names the files of the index that somebody removed.
func TestMissingFilesAreTold(t *testing.T) {
	var told bytes.Buffer
	s := newServer(t, vfs.NewMem(1), Options{Logger: slog.New(slog.NewTextHandler(&told, nil))})
	for range 5 {
		require.NoError(t, s.open())
		s.shutdown()
	}
	require.NotContains(t, told.String(), "missing")
	for _, n := range []uint32{2, 3} {
		require.NoError(t, s.fs.Remove(fmt.Sprintf("/data/binlog.%06d", n)))
	}
	require.NoError(t, s.open())
	require.Contains(t, told.String(), "files=2 first=binlog.000002 last=binlog.000003")
	files, err := s.log.Files()
	require.NoError(t, err)
	require.Len(t, files, 6)
	s.shutdown()
}
