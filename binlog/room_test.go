package binlog

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// A full disk keeps the log back and does not fail it, whatever the writer is about to write:
// events, the next file, the index, the file of a large transaction.
func TestFullDisk(t *testing.T) {
	for name, fault := range map[string]vfs.Fault{
		"events":       {Ops: vfs.OpWrite, Match: "binlog.0"},
		"short events": {Ops: vfs.OpWrite, Match: "binlog.0", Short: true},
		"next file":    {Ops: vfs.OpCreate, Match: "binlog.0"},
		"index":        {Ops: vfs.OpWrite, Match: "binlog.index"},
		"index's name": {Ops: vfs.OpRename, Match: "binlog.index"},
		"large":        {Ops: vfs.OpRename, Match: "#binlog_cache"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, vfs.NewMem(1), smallLimits())
			require.NoError(t, s.open())
			c := s.log.NewCache()
			require.NoError(t, s.commit(c, "before", true))
			require.NoError(t, s.checkpoint())
			fault.Err, fault.Stay = base.ErrDiskFull, true
			s.fs.Inject(fault)
			testkit.Eventually(t, func() bool { // goes on until the writer has met the fault
				size := 300
				if name == "large" {
					size = 7000
				}
				err := s.commit(c, strings.Repeat("x", size), true)
				if err == nil {
					return false
				}
				require.ErrorIs(t, err, base.ErrDiskFull)
				c.Reset()
				return true
			})
			require.NoError(t, s.log.Err())
			require.ErrorIs(t, s.checkpoint(), base.ErrDiskFull, "nobody waits for the writer")
			require.ErrorIs(t, s.log.Settle(), base.ErrDiskFull)
			require.ErrorIs(t, s.log.Reset(0), base.ErrDiskFull)

			s.fs.ClearFaults()
			testkit.Eventually(t, func() bool {
				if s.commit(c, "after", true) == nil {
					return true
				}
				c.Reset()
				return false
			})
			require.NoError(t, s.checkpoint())
			s.verify()
			_, err := s.log.Close()
			require.NoError(t, err)
			require.NoError(t, s.open())
			s.verify()
			s.shutdown()
		})
	}
}

// A log that waits for room can be closed: redo has what its files lack.
func TestFullDiskAtTheEnd(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	c := s.log.NewCache()
	s.fs.Inject(vfs.Fault{Ops: vfs.OpWrite, Match: "binlog.0", Err: base.ErrDiskFull, Stay: true})
	testkit.Eventually(t, func() bool { return s.commit(c, "events", true) != nil })
	_, err := s.log.Close()
	require.True(t, errors.Is(err, base.ErrDiskFull), "%v", err)
	s.fs.ClearFaults()
	require.NoError(t, s.open())
	s.verify()
	s.shutdown()
}

// Nothing begins a file on a full disk: what redo has taken could not be refused any more.
func TestNoFileBegunOnFullDisk(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	c := s.log.NewCache()
	require.NoError(t, s.commit(c, "one", true))
	s.fs.Inject(vfs.Fault{Ops: vfs.OpWrite, Match: "/room", Err: base.ErrDiskFull, Stay: true})
	require.ErrorIs(t, s.log.Rotate(), base.ErrDiskFull)
	require.ErrorIs(t, s.log.Reset(0), base.ErrDiskFull)
	require.NoError(t, s.commit(c, "two", true))
	s.fs.ClearFaults()
	require.NoError(t, s.log.Rotate())
	require.NoError(t, s.checkpoint())
	s.verify()
	s.shutdown()
}
