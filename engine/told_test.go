package engine

import (
	"bytes"
	"log/slog"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

// TestRecoveryIsTold opens a directory that was not shut down: whatever the log's verbosity, it has
// the figures of recovery. The timeline has the rollback. After a shutdown there is nothing to tell.
func TestRecoveryIsTold(t *testing.T) {
	fs, _, _ := unfinished(t)
	o := smallOptions(fs)
	var told bytes.Buffer
	o.Logger = slog.New(slog.NewTextHandler(&told, &slog.HandlerOptions{Level: base.LevelSystem}))
	e := open(t, o)
	e.background.Wait()
	for _, want := range []string{
		`The server was not shut down\. .* redo from LSN \d+ to \d+ \(0\.\d MiB\), [1-9]\d* pages, 1 unfinished transactions\.`,
		`Redo is complete .* after the start: [1-9]\d* pages changed, \d+ of them because clients asked, [1-9]\d* records applied, \d+ skipped\.`,
		`Rollback of 1 unfinished transactions is complete .* after the start\.`,
	} {
		require.Regexp(t, regexp.MustCompile(want), told.String())
	}
	phases := e.Timeline().Phases()
	last := phases[len(phases)-1]
	require.Equal(t, "rollback", last.Name)
	require.Equal(t, "1 transactions", last.Note)
	require.True(t, last.Done)
	require.NoError(t, e.Close(false))

	told.Reset()
	e = open(t, o)
	e.background.Wait()
	require.NoError(t, e.Close(false))
	require.Empty(t, told.String())
}
