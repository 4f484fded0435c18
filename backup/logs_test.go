package backup

import (
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// readLog reads a file of an archive whole.
func readLog(t *testing.T, f *LogFile) []byte {
	t.Helper()
	r, err := f.open(ctx)
	require.NoError(t, err)
	defer r.Close()
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Len(t, data, int(f.Size))
	return data
}

// TestLogArchive writes files in small and large pieces, joins them, and reads them again: whole,
// behind an interruption, and damaged.
func TestLogArchive(t *testing.T) {
	seed := testkit.Seed(t)
	random := rand.NewChaCha8([32]byte{byte(seed)})
	id, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	const server = "00000000-0000-0000-0000-000000000001"
	fsys := vfs.NewMem(1)
	store := newDirStore(fsys, "/b")
	w := &tail{o: TailOptions{Recipients: []age.Recipient{id.Recipient()}}, archive: newLogArchive(store, nil), server: server}
	require.NoError(t, w.makeKey(ctx))
	var want [][]byte
	for n, sizes := range [][]int{{100, 200, 5}, {2*maxChunk + 77, 10, 20}, {1}} {
		w.file = &LogFile{Server: server, Name: []string{"b.000009", "b.000010", "b.000001"}[n], Created: int64(1000 + n/2), archive: w.archive}
		var all []byte
		for _, size := range sizes {
			w.buf = make([]byte, size)
			_, _ = random.Read(w.buf)
			all = append(all, w.buf...)
			require.NoError(t, w.flush(ctx))
		}
		want = append(want, all)
	}
	check := func() []*LogFile {
		files, err := newLogArchive(store, []age.Identity{id}).files(ctx, server)
		require.NoError(t, err)
		require.Len(t, files, len(want))
		for i, f := range files {
			require.Equal(t, want[i], readLog(t, f), f.Name)
		}
		return files
	}
	files := check()
	require.Equal(t, "b.000010", files[1].Name)
	for _, f := range files[:2] {
		require.NoError(t, w.join(ctx, f))
	}
	files = check()
	require.Len(t, files[0].chunks, 1)
	require.Len(t, files[1].chunks, 3)

	_, err = newLogArchive(store, nil).chunk(ctx, server, files[0].chunks[0])
	require.ErrorIs(t, err, errNoIdentity)
	data, err := vfs.ReadFile(fsys, "/b/"+files[0].chunks[0].name)
	require.NoError(t, err)
	data[len(data)-1] ^= 1
	require.NoError(t, vfs.WriteFile(fsys, "/b/"+files[0].chunks[0].name, data))
	_, err = files[0].archive.chunk(ctx, server, files[0].chunks[0])
	require.ErrorContains(t, err, "corruption")

	// What is behind a gap is no part of the file: pieces are written from the last one on.
	require.NoError(t, store.Remove(ctx, files[1].chunks[1].name))
	files, err = newLogArchive(store, nil).files(ctx, "")
	require.NoError(t, err)
	require.Equal(t, int64(maxChunk), files[1].Size)
}

// TestOldLogs prunes: the file in which the logs of the oldest set go on stays, and all behind it,
// also behind a reset.
func TestOldLogs(t *testing.T) {
	store := newDirStore(vfs.NewMem(1), "/b")
	w := &tail{archive: newLogArchive(store, nil), server: "s"}
	require.NoError(t, w.makeKey(ctx))
	for _, f := range []LogFile{{Name: "b.000001", Created: 10}, {Name: "b.000002", Created: 20}, {Name: "b.000003", Created: 30}, {Name: "b.000001", Created: 40}, {Name: "b.000002", Created: 50}} {
		f.Server = "s"
		_, err := w.put(ctx, &f, 0, []byte("events"))
		require.NoError(t, err)
	}
	left := func(sets ...*Manifest) (created []int64) {
		old, err := oldLogs(ctx, store, sets)
		require.NoError(t, err)
		for _, f := range old {
			created = append(created, f.Created)
		}
		return created
	}
	set := func(server string, file uint32, at int64) *Manifest {
		return &Manifest{Begun: Begun{UUID: server}, Point: &engine.BackupPoint{Time: time.Unix(at, 0), Binlog: &engine.BackupBinlog{Base: "b", File: file}}}
	}
	require.Empty(t, left())
	require.Empty(t, left(set("other", 2, 60)))
	require.Equal(t, []int64{10}, left(set("s", 2, 25), set("s", 2, 55)))
	require.Equal(t, []int64{10, 20, 30, 40}, left(set("s", 2, 55)))
	require.Empty(t, left(set("s", 7, 55)), "its file is not archived")
	old, err := oldLogs(ctx, store, []*Manifest{set("s", 2, 55)})
	require.NoError(t, err)
	require.NoError(t, removeLog(ctx, store, old[0]))
	files, err := newLogArchive(store, nil).files(ctx, "s")
	require.NoError(t, err)
	require.Len(t, files, 4)
}

// TestAppliedPlace: the applier may stand behind the last transaction that was sent, in a file
// whose head alone was sent.
func TestAppliedPlace(t *testing.T) {
	sent := FeedState{File: "binlog.000009", Pos: 500, Transactions: 1}
	for place, want := range map[[2]string]bool{
		{"binlog.000009", "500"}: true, {"binlog.000009", "499"}: false, {"binlog.000010", "198"}: true, {"binlog.000008", "900"}: false, {"", ""}: false,
	} {
		row := map[string]string{"Relay_Source_Log_File": place[0], "Exec_Source_Log_Pos": place[1]}
		require.Equal(t, want, applied(row, &sent, false), place)
	}
}

// TestAppliedSet: with GTIDs it is the set that counts, wherever the applier stands.
func TestAppliedSet(t *testing.T) {
	sent := FeedState{File: "binlog.000009", Pos: 500, Transactions: 1}
	const server = "11111111-2222-3333-4444-555555555555"
	sent.Executed, _ = binlog.ParseSet(server + ":1-9")
	for executed, want := range map[string]bool{":1-9": true, ":1-7:9": false, ":1-12": true, ":2-9": false} {
		row := map[string]string{"Relay_Source_Log_File": "binlog.000009", "Exec_Source_Log_Pos": "500", "Executed_Gtid_Set": server + executed}
		require.Equal(t, want, applied(row, &sent, true), executed)
	}
}

// TestGoalPassed compares goals with the end of a backup.
func TestGoalPassed(t *testing.T) {
	const server, other = "11111111-2222-3333-4444-555555555555", "21111111-2222-3333-4444-555555555555"
	end := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	m := &Manifest{Begun: Begun{ID: "b"}, Point: &engine.BackupPoint{Time: end, Binlog: &engine.BackupBinlog{Base: "binlog", File: 9, Offset: 500, Executed: server + ":1-5"}}}
	for _, c := range []struct {
		to, gtids, before, position string
		passed                      bool
	}{
		{to: "2026-01-31T12:00:00Z"}, {to: "2026-01-31T11:59:59Z", passed: true}, {to: "2026-01-31T12:00:01Z"},
		{gtids: server + ":5"}, {gtids: server + ":1-5"}, {gtids: server + ":6"}, {gtids: server + ":4", passed: true}, {gtids: other + ":1"}, {gtids: server + ":2," + other + ":7"},
		{before: server + ":5", passed: true}, {before: server + ":6"}, {before: other + ":1"},
		{position: "binlog.000009:500"}, {position: "binlog.000009:499", passed: true}, {position: "binlog.000008:900", passed: true}, {position: "binlog.000010:4"},
		{position: "binlog.1000000:4"}, {},
	} {
		g, _, err := ParseGoal(c.to, c.gtids, c.before, c.position)
		require.NoError(t, err)
		require.Equal(t, c.passed, g.passed(m) != nil, "%+v", c)
	}
}
