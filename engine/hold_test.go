package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/warm"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// TestHold keeps back redo and the load of the LRU list until it is let go: queries have the files to
// themselves, and what they ask for is redone and read.
func TestHold(t *testing.T) {
	fs := vfs.NewMem(1)
	o := warmOptions(fs)
	e := open(t, o)
	createItems(t, e, "a")
	createItems(t, e, "b")
	rows := wideItems(1, 300)
	require.NoError(t, insertItems(e, "a", rows...))
	require.NoError(t, e.pool.Flusher().All())
	require.NoError(t, e.Checkpoint())
	require.NoError(t, insertItems(e, "b", rows...))
	testkit.Eventually(t, func() bool {
		l, _, err := warm.Newest(fs, listPath)
		return err == nil && l != nil && len(l.IDs) > 20
	})
	abandonEngine(e)
	fs.Crash()

	o.FS = fs.Reboot(1)
	hold := make(chan struct{})
	o.Hold = hold
	e = open(t, o)
	require.Equal(t, rows[:1], items(t, e, "b", 0)[:1])
	require.True(t, e.warm.Loading())
	require.Positive(t, e.redo.Left(), "pages that nobody has asked for were redone")
	close(hold)
	testkit.Eventually(t, func() bool { return e.redo.Left() == 0 && !e.warm.Loading() })
	require.Equal(t, rows, items(t, e, "a", 0))
	require.NoError(t, e.Close(false))

	e = open(t, func() Options { o := warmOptions(o.FS); o.Hold = make(chan struct{}); return o }())
	require.NoError(t, e.Close(false), "a close does not wait for it")
}
