package binlog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/vfs"
)

func TestOwnedNames(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	l, own := s.log, GTID{Source{Server: testUUID}, 1}
	executed, busy := l.Own(own, 3)
	require.False(t, executed)
	require.Nil(t, busy)
	_, busy = l.Own(own, 4)
	require.NotNil(t, busy)
	require.Equal(t, map[GTID]uint32{own: 3}, l.Owned())

	// An automatic number leaves the owned one out, and the naming cannot lose it.
	c := l.NewCache()
	require.NoError(t, s.commit(c, "x", true))
	require.Equal(t, testUUID.String()+":2", l.Executed().String())
	require.ErrorIs(t, l.SetNaming(false, false, true), ErrOwned)
	l.HoldAnonymous(1)
	require.ErrorIs(t, l.SetNaming(true, true, false), ErrOwned)
	l.HoldAnonymous(-1)
	require.NoError(t, l.SetNaming(true, true, false))

	l.Disown(own)
	<-busy
	require.NoError(t, s.commit(c, "x", true))
	require.Equal(t, testUUID.String()+":1-2", l.Executed().String())
	executed, _ = l.Own(own, 4)
	require.True(t, executed)
	require.NoError(t, l.SetNaming(false, false, true))
	require.NoError(t, s.commit(c, "x", true))
	require.Equal(t, testUUID.String()+":1-2", l.Executed().String())
	require.NoError(t, c.Close())
	_, err := l.Close()
	require.NoError(t, err)
}
