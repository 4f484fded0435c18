package backup

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/vfs"
)

// A restore that was interrupted when its server had forgotten how far it had come does not apply
// the logs again, and goes to no other moment.
func TestAppliedOnce(t *testing.T) {
	fsys, dir := vfs.NewOS(nil), t.TempDir()
	o := &ApplyOptions{Dir: dir, Set: new(Manifest), Goal: Goal{File: "binlog.000001", Pos: 4711}}
	o.Set.ID = "20260101T000000-full"
	begin := func(want bool) {
		t.Helper()
		over, err := o.begin(fsys)
		require.NoError(t, err)
		require.Equal(t, want, over)
		b, err := os.ReadFile(filepath.Join(dir, applyingFile))
		require.NoError(t, err)
		require.Contains(t, string(b), o.Set.ID)
	}
	begin(false)
	begin(false)
	require.NoError(t, o.markApplied(fsys))
	begin(true)
	o.Goal.Pos = 4712
	_, err := o.begin(fsys)
	require.ErrorContains(t, err, "another moment")
	o.Goal.Pos = 4711
	begin(true)
	o.Set.ID = "20260102T000000-full" // a folder that was restored anew
	begin(false)
	o.Set.ID = "20260101T000000-full"
	begin(false)
}
