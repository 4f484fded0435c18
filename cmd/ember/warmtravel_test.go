package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/engine/recovery"
	"emberdb/engine/warm"
	"emberdb/inspect"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// newServerDir makes a data directory and ends its life; the list is dumped at the end.
func newServerDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	e, err := engine.Open(engine.Options{FS: vfs.NewOS(nil), DataDir: dir, PoolBytes: 8 << 20, RedoCapacity: 8 << 20, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	require.NoError(t, err)
	require.NoError(t, e.Warm().DumpNow()) // a shutdown that stops recovery, as this one may, writes no list
	require.NoError(t, e.Close(false))
	return dir
}

// A list goes from one directory to another: its own comes back as it is, another's without tables
// in common is refused with the reason.
func TestWarmTravels(t *testing.T) {
	fsys := vfs.NewOS(nil)
	here, there := newServerDir(t), newServerDir(t)
	file := filepath.Join(t.TempDir(), "list")
	out, err := run("warm", "export", here, file)
	require.NoError(t, err)
	require.Contains(t, out, " pages of 0 named tables, list of ")
	exported, err := warm.ReadList(fsys, file)
	require.NoError(t, err)

	out, err = run("warm", "import", file, here)
	require.NoError(t, err)
	require.Contains(t, out, "written by this server")
	l, _, err := warm.Newest(fsys, filepath.Join(here, warm.DefaultFilename))
	require.NoError(t, err)
	require.Equal(t, exported.IDs, l.IDs)
	require.Equal(t, exported.Generation+1, l.Generation)

	_, err = run("warm", "import", file, there)
	require.ErrorIs(t, err, warm.ErrForeignList)
	require.ErrorContains(t, err, "no table names")
	exported.Names = map[base.SpaceID]warm.TableName{16: {Schema: "shop", Name: "orders"}}
	require.NoError(t, exported.WriteFile(fsys, file))
	_, err = run("warm", "import", file, there)
	require.ErrorContains(t, err, "none of its 1 tables (shop.orders, ...) is here")
	require.NoError(t, os.WriteFile(file, []byte("nonsense"), 0o600))
	_, err = run("warm", "import", file, there)
	require.ErrorIs(t, err, base.ErrCorrupt)

	out, err = run("warm", "diff", here, filepath.Join(here, warm.DefaultFilename+".1"))
	require.NoError(t, err)
	require.Contains(t, out, "(100.0 % of A), rank correlation 1.0000")
	out, err = run("warm", "diff", here, there, "--json")
	require.NoError(t, err)
	var d inspect.WarmDiff
	require.NoError(t, json.Unmarshal([]byte(out), &d))
	require.Equal(t, d.PagesA, d.Common+d.Spaces[0].OnlyA+d.Spaces[1].OnlyA)
}

func TestRestartReport(t *testing.T) {
	dir := newServerDir(t)
	svg := filepath.Join(t.TempDir(), "start.svg")
	out, err := run("restart", "report", dir, "--svg", svg)
	require.NoError(t, err)
	for _, phase := range []string{"process ", "redo scan ", "open ", "list read "} {
		require.Contains(t, out, "\n"+phase)
	}
	drawn, err := os.ReadFile(svg)
	require.NoError(t, err)
	require.Contains(t, string(drawn), ">redo scan</text>")
	_, err = run("restart", "report", dir, "--back", "1")
	require.ErrorContains(t, err, "1 starts are recorded")

	s := startReport{Start: recovery.Start{Began: time.Now(), Phases: []recovery.Phase{{Name: "load", Start: time.Second, Took: 3 * time.Second, Done: true, Note: "a < b"}, {Name: "mark", Start: 2 * time.Second, Done: true},
		{Name: "redo", Start: time.Second}}}}
	require.Equal(t, 4*time.Second, s.end())
	require.Contains(t, string(s.svg()), "a &lt; b")
	require.Equal(t, []string{"3s", "", "unfinished"}, []string{took(s.Phases[0]), took(s.Phases[1]), took(s.Phases[2])})
}
