package server

import (
	"context"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"
)

// TestKillWhileReading ends a statement that is not listed yet: its reading stops, or it is listed
// as ended. An idle connection has nothing to end.
func TestKillWhileReading(t *testing.T) {
	l := newProcessList()
	l.AddConnection(7, "here")
	p := l.get(7)
	sess := sql.NewBaseSessionWithClientServer("", sql.Client{}, 7)
	listed := func() error {
		ctx, err := l.begin(sql.NewContext(context.Background(), sql.WithSession(sess), sql.WithPid(1)), sql.ProcessCommandQuery, "SELECT 1")
		require.NoError(t, err)
		defer l.EndQuery(ctx)
		return ctx.Err()
	}

	require.True(t, l.interrupt(7, killedQuery))
	require.Equal(t, notKilled, p.takeKill())

	p.setComing(true)
	require.Zero(t, p.ended().Load())
	require.True(t, l.interrupt(7, killedQuery))
	require.NotZero(t, p.ended().Load())
	require.ErrorIs(t, listed(), context.Canceled)
	require.Equal(t, killedQuery, p.takeKill())

	p.setComing(true) // the next one is not that one
	require.NoError(t, listed())
	require.True(t, l.interrupt(7, killedQuery))
	require.Equal(t, notKilled, p.takeKill())
}
