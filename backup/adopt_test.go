package backup

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/internal/vfs"
)

// cloneHere makes a data directory with old data and a clone in it.
func cloneHere(t *testing.T, seed uint64) *vfs.Mem {
	t.Helper()
	m := vfs.NewMem(seed)
	for _, d := range []string{"/d/spaces", "/d/redo", "/d/" + CloneDir + "/spaces", "/d/" + CloneDir + "/redo"} {
		require.NoError(t, m.MkdirAll(d))
	}
	for _, name := range []string{"spaces/1", "spaces/9", "redo/1", "doublewrite.edw", "ib_buffer_pool", "ib_buffer_pool.1", "bin.000001", "bin.000007", "other.000001", "server.pem"} {
		require.NoError(t, vfs.WriteFile(m, "/d/"+name, []byte("old")))
	}
	require.NoError(t, vfs.WriteFile(m, "/d/bin.index", []byte("./bin.000001\nbin.000007\n../other.000001\n")))
	require.NoError(t, engine.Adopt(m, "/d", "11111111-1111-1111-1111-111111111111", 1))
	for _, name := range []string{"spaces/1", "spaces/2", "redo/3", "ib_buffer_pool", "bin.000002", "bin.index"} {
		require.NoError(t, vfs.WriteFile(m, "/d/"+CloneDir+"/"+name, []byte("new")))
	}
	for _, d := range []string{"/d", "/d/spaces", "/d/redo", "/d/" + CloneDir, "/d/" + CloneDir + "/spaces", "/d/" + CloneDir + "/redo"} {
		require.NoError(t, m.SyncDir(d))
	}
	return m
}

// filesOf lists the files of a directory with what is in them.
func filesOf(t *testing.T, m *vfs.Mem, dir string) (out []string) {
	t.Helper()
	names, err := m.List(dir)
	require.NoError(t, err)
	for _, n := range names {
		path := dir + "/" + n
		info, err := m.Stat(path)
		require.NoError(t, err)
		if info.Dir {
			out = append(out, filesOf(t, m, path)...)
			continue
		}
		data, err := vfs.ReadFile(m, path)
		require.NoError(t, err)
		if len(data) > 3 {
			data = data[:0]
		}
		out = append(out, path+"="+string(data))
	}
	return out
}

// TestAdoptClone cuts the power at every change while a clone is put in place: the next start finds
// the old data whole, or goes on; what is left in the end is the clone and what is no data.
func TestAdoptClone(t *testing.T) {
	want := []string{"/d/bin.000002=new", "/d/bin.index=new", "/d/ember.json=", "/d/ember.restored=", "/d/ib_buffer_pool=new", "/d/other.000001=old", "/d/redo/3=new",
		"/d/server.pem=old", "/d/spaces/1=new", "/d/spaces/2=new"}
	for k := int64(0); ; k++ {
		m := cloneHere(t, uint64(k))
		require.NoError(t, engine.Adopt(m, "/d/"+CloneDir, "22222222-2222-2222-2222-222222222222", 7))
		m.CrashAt(k)
		_, err := AdoptClone(m, "/d")
		cut := m.Crashed()
		if !cut {
			require.NoError(t, err)
			require.Greater(t, k, int64(20), "changes")
		}
		for round := range uint64(3) { // the same when it is cut again
			m = m.Reboot(round)
			if uuid, err := engine.Identity(m, "/d"); err == nil && strings.HasPrefix(uuid, "1") {
				require.Subset(t, filesOf(t, m, "/d"), []string{"/d/spaces/1=old", "/d/spaces/9=old", "/d/redo/1=old", "/d/bin.000007=old"}, "change %d", k)
			}
			if round == 0 {
				m.CrashAt(k / 2)
			}
			_, err = AdoptClone(m, "/d")
			if round > 0 {
				require.NoError(t, err, "change %d", k)
			}
		}
		uuid, err := engine.Identity(m, "/d")
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(uuid, "2"))
		got := slices.DeleteFunc(filesOf(t, m, "/d"), func(name string) bool { return strings.HasSuffix(name, engine.LockFile+"=") })
		require.Equal(t, want, got, "change %d", k)
		if !cut {
			return
		}
	}
}

// TestAdoptInterrupted removes a clone that was not completed and leaves the data alone.
func TestAdoptInterrupted(t *testing.T) {
	m := cloneHere(t, 1)
	adopted, err := AdoptClone(m, "/d")
	require.NoError(t, err)
	require.False(t, adopted)
	files := filesOf(t, m, "/d")
	require.Contains(t, files, "/d/spaces/9=old")
	require.NotContains(t, strings.Join(files, " "), CloneDir)
	adopted, err = AdoptClone(vfs.NewMem(1), "/none")
	require.NoError(t, err)
	require.False(t, adopted)
}
