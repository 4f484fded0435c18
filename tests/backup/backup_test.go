package backup

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestBackup takes full and incremental backups of a server under load and restores each, before
// the server is started and beneath it.
func TestBackup(t *testing.T) {
	seed := testkit.Seed(t)
	s := emberd.Start(t, options...)
	fill(t, open(t, s, ""))
	l := startLoad(t, s, seed)
	place := t.TempDir()
	kinds := []string{"--fresh", "--incremental"}
	for n := range max(*rounds, 2) {
		before := l.seen()
		args := []string{"backup", "--socket", s.Socket, "--to", place, "--json", "--quiet", kinds[min(n, 1)]}
		out := run(t, args...)
		after := l.seen()
		var told struct {
			ID, Kind, GTID string
			Gtid           string `json:"gtid_executed"`
			Pages          int64
		}
		require.NoError(t, json.Unmarshal([]byte(out), &told), out)
		t.Logf("%s: %d pages, %s", told.ID, told.Pages, told.Gtid)
		for _, serve := range []bool{false, true} {
			r := emberd.Prepare(t, options...)
			restore := []string{"restore", "--from", place, "--backup", told.ID, "--datadir", r.Dir, "--quiet"}
			if serve {
				serveOn(t, r, restore)
			} else {
				run(t, restore...)
				out := run(t, "check", r.Dir, "--quiet")
				require.Contains(t, out, "tables")
				require.NoError(t, r.Launch())
			}
			db := open(t, r, "")
			var gtid string
			require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&gtid))
			require.Equal(t, told.Gtid, strings.ReplaceAll(gtid, "\n", ""))
			look(t, db, before, after)
			lookCold(t, db)
			exec1(t, db, "INSERT INTO bank.cold (pad) VALUES ('new')", "DELETE FROM bank.cold WHERE pad = 'new'")
			waitComplete(t, r)
			run(t, "check", "--socket", r.Socket, "--quiet")
			require.NoError(t, r.Stop())
		}
	}
	l.end()
	scratch, report := t.TempDir(), filepath.Join(t.TempDir(), "report")
	require.NoError(t, os.MkdirAll(filepath.Join(scratch, "ember-verify", "redo"), 0o755)) // what an interrupted run has left
	require.Contains(t, run(t, "backup", "verify", place, "--restore", scratch, "--report", report, "--quiet"), " rows, 0 faults")
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.Contains(t, string(text), `"clean":true`)
	require.Contains(t, string(text), `"restored":true`)
	left, err := os.ReadDir(scratch)
	require.NoError(t, err)
	require.Empty(t, left)
	out := run(t, "backup", "list", place, "--json")
	require.Equal(t, max(*rounds, 2), strings.Count(out, `"id"`))
	out = run(t, "backup", "prune", place, "--keep", "1")
	require.Empty(t, out, "all stand in one chain")
}

// serveOn makes the directory of r with restore --serve and starts r on it, as ember itself would.
func serveOn(t *testing.T, r *emberd.Server, restore []string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/bin/true", filepath.Join(dir, "emberd"))) // stands in for the server, which the test starts itself
	cmd := exec.Command(emberd.Build(t, "ember"), append(restore, "--serve")...)
	cmd.Path = linkOf(t, dir, emberd.Build(t, "ember"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, r.Launch())
}

// linkOf gives a program another place.
func linkOf(t *testing.T, dir, program string) string {
	t.Helper()
	to := filepath.Join(dir, filepath.Base(program))
	if os.Link(program, to) == nil {
		return to
	}
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, data, 0o755))
	return to
}

// TestServeKilled kills a server whose pages are still in the backup, again and again, while it is
// written to.
func TestServeKilled(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 9))
	s := emberd.Start(t, options...)
	fill(t, open(t, s, ""))
	place := t.TempDir()
	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet")
	require.NoError(t, s.Stop())
	r := emberd.Prepare(t, options...)
	serveOn(t, r, []string{"restore", "--from", place, "--datadir", r.Dir, "--rate-limit", "2M"})
	base := [writers]int64{}
	for n := range 2 * *rounds {
		l := startLoad(t, r, seed+uint64(n))
		time.Sleep(time.Duration(100+rng.IntN(1500)) * time.Millisecond)
		l.stop.Store(true)
		r.Kill()
		l.work.Wait()
		_, err := os.Stat(r.Dir + "/ember.fetch/state")
		t.Logf("kill %d: %v acknowledged, complete: %v", n, l.seen(), os.IsNotExist(err))
		require.NoError(t, r.Launch())
		db := open(t, r, "")
		after := l.seen()
		look(t, db, after, after)
		exec1(t, db, "TRUNCATE TABLE bank.move", "UPDATE bank.account SET amount = 1000")
	}
	db := open(t, r, "")
	look(t, db, base, base)
	lookCold(t, db)
	waitComplete(t, r)
	run(t, "check", "--socket", r.Socket, "--quiet")
	require.NoError(t, r.Stop())
	run(t, "check", r.Dir, "--quiet")
}

// killed runs ember and kills it after a while; it tells whether the program was over before.
func killed(t *testing.T, after time.Duration, args ...string) (over bool) {
	t.Helper()
	cmd := exec.Command(emberd.Build(t, "ember"), args...)
	require.NoError(t, cmd.Start())
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	return cmd.Wait() == nil
}

// TestKilled kills backups and restores at random moments: the same command goes on with them.
func TestKilled(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 10))
	s := emberd.Start(t, options...)
	fill(t, open(t, s, ""))
	l := startLoad(t, s, seed)
	backups, restores := 0, 0 // that were killed
	for range *rounds {
		place := t.TempDir()
		take := []string{"backup", "--socket", s.Socket, "--to", place, "--quiet", "--rate-limit", "100M"}
		kills := 0
		for kills < 3 && !killed(t, time.Duration(100+rng.IntN(900))*time.Millisecond, take...) {
			kills++
			backups++
			out, code := tool(t, "restore", "--from", place, "--datadir", t.TempDir(), "--quiet")
			if code == 0 {
				break // it was complete when it was killed
			}
			require.Contains(t, out, "no ", "what was interrupted is not restored")
		}
		before := l.seen()
		run(t, take...)
		after := l.seen()
		require.Contains(t, run(t, "backup", "list", place), "-full")
		r := emberd.Prepare(t, options...)
		restore := []string{"restore", "--from", place, "--datadir", r.Dir, "--quiet", "--rate-limit", "100M"}
		for range 3 {
			if killed(t, time.Duration(50+rng.IntN(500))*time.Millisecond, restore...) {
				break
			}
			restores++
			if _, err := os.Stat(filepath.Join(r.Dir, "ember.fetch", "map")); err == nil {
				if _, err := os.Stat(filepath.Join(r.Dir, "ember.json")); err != nil {
					out, code := emberd.Exits(t, "--datadir="+r.Dir)
					require.NotZero(t, code, out)
					require.Contains(t, out, "interrupted", "a server does not open half a directory")
				}
			}
		}
		if _, err := os.Stat(filepath.Join(r.Dir, "ember.json")); err != nil {
			run(t, restore...)
		}
		require.NoError(t, r.Launch())
		look(t, open(t, r, ""), before, after)
		require.NoError(t, r.Stop())
		require.NoError(t, errors.Join(os.RemoveAll(r.Dir), os.RemoveAll(place)))
	}
	t.Logf("%d backups and %d restores were killed", backups, restores)
	l.end()
}

// TestEncrypted takes an encrypted backup, and shows what a wrong key, a missing one, a damaged and
// a missing piece lead to.
func TestEncrypted(t *testing.T) {
	s := emberd.Start(t, options...)
	exec1(t, open(t, s, ""), "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)", "INSERT INTO d.t VALUES (1), (2)", "CREATE USER clerk IDENTIFIED BY 'x'",
		"CREATE USER keeper IDENTIFIED BY 'x'", "GRANT BACKUP_ADMIN ON *.* TO keeper")
	keys := make([]string, 2)
	var recipient string
	for i := range keys {
		id, err := age.GenerateX25519Identity()
		require.NoError(t, err)
		keys[i] = filepath.Join(t.TempDir(), "key")
		require.NoError(t, os.WriteFile(keys[i], []byte(id.String()+"\n"), 0o600))
		if i == 0 {
			recipient = id.Recipient().String()
		}
	}
	place := t.TempDir()
	out, code := tool(t, "backup", "--socket", s.Socket, "--to", place, "--user", "clerk", "--password", "x")
	require.NotZero(t, code)
	require.Contains(t, out, "BACKUP_ADMIN")
	run(t, "backup", "--socket", s.Socket, "--to", place, "--user", "keeper", "--password", "x", "--recipient", recipient, "--quiet")
	restore := func(more ...string) (string, int) {
		return tool(t, append([]string{"restore", "--from", place, "--datadir", filepath.Join(t.TempDir(), "d"), "--quiet"}, more...)...)
	}
	out, code = restore()
	require.NotZero(t, code)
	require.Contains(t, out, "the backup is encrypted")
	out, code = restore("--identity", keys[1])
	require.NotZero(t, code)
	require.Contains(t, out, "the backup's key")
	require.Contains(t, run(t, "backup", "verify", place, "--identity", keys[0], "--quiet"), " 0 faults")
	r := emberd.Prepare(t, options...)
	run(t, "restore", "--from", place, "--datadir", r.Dir, "--identity", keys[0], "--quiet")
	require.NoError(t, r.Launch())
	var n int
	require.NoError(t, open(t, r, "").QueryRow("SELECT COUNT(*) FROM d.t").Scan(&n))
	require.Equal(t, 2, n)
	out, code = tool(t, "restore", "--from", place, "--datadir", r.Dir, "--identity", keys[0])
	require.NotZero(t, code)
	require.Contains(t, out, "in use")
	require.NoError(t, r.Stop())
	out, code = tool(t, "restore", "--from", place, "--datadir", r.Dir, "--identity", keys[0])
	require.NotZero(t, code)
	require.Contains(t, out, "not empty")

	packs, err := filepath.Glob(filepath.Join(place, "*", "pack.*"))
	require.NoError(t, err)
	data, err := os.ReadFile(packs[0])
	require.NoError(t, err)
	data[len(data)/2] ^= 1
	require.NoError(t, os.WriteFile(packs[0], data, 0o600))
	out, code = tool(t, "backup", "verify", place, "--identity", keys[0], "--quiet")
	require.Equal(t, 1, code)
	require.Contains(t, out, "fault: corruption: file")
	require.Contains(t, out, "pack.")
	out, code = restore("--identity", keys[0])
	require.NotZero(t, code)
	require.Contains(t, out, "corruption: file")
	require.NoError(t, os.Remove(packs[0]))
	out, code = restore("--identity", keys[0])
	require.NotZero(t, code)
	require.Contains(t, out, "no such object")
}
