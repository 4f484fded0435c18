package backup

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestClone makes two replicas of a server under load at once, one of which was begun before and
// killed. They follow, and hold what the source holds in the end.
func TestClone(t *testing.T) {
	seed := testkit.Seed(t)
	gtids := append([]string{"--server-id=1"}, options...)
	s := emberd.Start(t, gtids...)
	db := open(t, s, "")
	exec1(t, db, "CREATE USER cloner IDENTIFIED WITH mysql_native_password BY 'it''s'", "GRANT BACKUP_ADMIN, REPLICATION SLAVE ON *.* TO cloner")
	fill(t, db)
	l := startLoad(t, s, seed)
	clone := func(r *emberd.Server) *exec.Cmd {
		args := []string{"clone", "--from", fmt.Sprintf("127.0.0.1:%d", s.Port), "--user", "cloner", "--password", "it's", "--datadir", r.Dir, "--quiet"}
		return exec.Command(emberd.Build(t, "ember"), args...)
	}
	replicas := make([]*emberd.Server, 2)
	for i := range replicas {
		replicas[i] = emberd.Prepare(t, append([]string{fmt.Sprintf("--server-id=%d", i+2)}, options...)...)
	}
	first := clone(replicas[0])
	require.NoError(t, first.Start())
	time.Sleep(300 * time.Millisecond)
	_ = first.Process.Kill()
	_ = first.Wait()
	if _, err := os.Stat(filepath.Join(replicas[0].Dir, "ember.json")); err == nil {
		require.NoError(t, os.RemoveAll(replicas[0].Dir)) // it was quicker than the kill
	}
	ended := make(chan error, len(replicas))
	for _, r := range replicas {
		go func() {
			out, err := clone(r).CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w\n%s", err, out)
			}
			ended <- err
		}()
	}
	for range replicas {
		require.NoError(t, <-ended)
	}
	for _, r := range replicas {
		require.NoError(t, r.Launch())
	}
	time.Sleep(time.Second)
	l.end()
	var gtid string
	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&gtid))
	at := l.seen()
	uuids := map[string]bool{}
	for _, r := range replicas {
		db := open(t, r, "")
		var waited int
		require.NoError(t, db.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(?, 600)", gtid).Scan(&waited))
		require.Zero(t, waited, "the replica does not follow")
		look(t, db, at, at)
		lookCold(t, db)
		var uuid string
		require.NoError(t, db.QueryRow("SELECT @@server_uuid").Scan(&uuid))
		uuids[uuid] = true
		run(t, "check", "--socket", r.Socket, "--quiet")
		require.NoError(t, r.Stop())
	}
	require.Len(t, uuids, len(replicas))
}

// TestCloneKilled kills clones at random moments. No server opens half a clone, nor one whose
// replication is not set up; the same command begins again. A server whose own data is replaced has
// the old data or the clone.
func TestCloneKilled(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 11))
	s := emberd.Start(t, append([]string{"--server-id=1"}, options...)...)
	db := open(t, s, "")
	exec1(t, db, "CREATE USER cloner IDENTIFIED BY 'x'", "GRANT BACKUP_ADMIN, REPLICATION SLAVE ON *.* TO cloner")
	fill(t, db)
	l := startLoad(t, s, seed)
	r := emberd.Prepare(t, append([]string{"--server-id=2"}, options...)...)
	clone := []string{"clone", "--from", fmt.Sprintf("127.0.0.1:%d", s.Port), "--user", "cloner", "--password", "x", "--datadir", r.Dir, "--quiet"}
	began := time.Now()
	run(t, clone...)
	long := time.Since(began)
	half, whole := 0, 0 // that were killed
	for range 3 * *rounds {
		if _, err := os.Stat(filepath.Join(r.Dir, "ember.fetch", "state")); err != nil { // a whole clone is in the way
			require.NoError(t, os.RemoveAll(r.Dir))
		}
		if killed(t, time.Duration(rng.Int64N(int64(long))), clone...) {
			continue
		}
		if _, err := os.Stat(filepath.Join(r.Dir, "ember.fetch", "state")); err != nil {
			whole++ // or not begun
			continue
		}
		half++
		out, code := emberd.Exits(t, "--datadir="+r.Dir)
		require.NotZero(t, code, out)
		require.Contains(t, out, "interrupted")
	}
	t.Logf("%d clones were killed while they were made, %d before or after", half, whole)
	if _, err := os.Stat(filepath.Join(r.Dir, "ember.fetch", "state")); err != nil {
		require.NoError(t, os.RemoveAll(r.Dir))
	}
	run(t, clone...)
	require.NoError(t, r.Launch())
	l.end()
	var gtid string
	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&gtid))
	replica := open(t, r, "")
	var waited int
	require.NoError(t, replica.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(?, 600)", gtid).Scan(&waited))
	require.Zero(t, waited, "the replica does not follow")
	at := l.seen()
	look(t, replica, at, at)
	lookCold(t, replica)
	require.NoError(t, r.Stop())
	run(t, "check", r.Dir, "--quiet")
}

// TestCloneInstanceKilled kills servers whose own data is being replaced by a clone: each has the
// old data or the clone afterwards, whole.
func TestCloneInstanceKilled(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 12))
	donor := emberd.Start(t, options...)
	db := open(t, donor, "")
	exec1(t, db, "CREATE USER cloner IDENTIFIED BY 'x'", "GRANT BACKUP_ADMIN ON *.* TO cloner")
	fill(t, db)
	l := startLoad(t, donor, seed)
	at := fmt.Sprintf("127.0.0.1:%d", donor.Port)
	old := emberd.Start(t, options...)
	exec1(t, open(t, old, ""), "CREATE DATABASE old", "CREATE TABLE old.t (a INT PRIMARY KEY)", "INSERT INTO old.t VALUES (7)")
	require.NoError(t, old.Stop())
	r, kept, replaced := (*emberd.Server)(nil), 0, 0
	for range 2 * *rounds {
		if r == nil {
			r = emberd.Prepare(t, options...)
			require.NoError(t, os.CopyFS(r.Dir, os.DirFS(old.Dir)))
			require.NoError(t, r.Launch())
		}
		own := r.Open("")
		exec1(t, own, "SET GLOBAL clone_valid_donor_list = '"+at+"'")
		before := l.seen()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = own.Exec("CLONE INSTANCE FROM cloner@" + at + " IDENTIFIED BY 'x'") // the server is killed, or restarts
		}()
		time.Sleep(time.Duration(20+rng.IntN(3000)) * time.Millisecond)
		r.Kill()
		<-ended
		own.Close()
		require.NoError(t, r.Launch())
		after := l.seen()
		again := open(t, r, "")
		schemas := column(t, again, "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN ('old', 'bank')")
		require.NoDirExists(t, filepath.Join(r.Dir, "#clone"))
		if len(schemas) == 1 && schemas[0] == "old" {
			kept++
			require.Equal(t, []string{"7"}, column(t, again, "SELECT a FROM old.t"))
			continue
		}
		replaced++
		require.Equal(t, []string{"bank"}, schemas)
		look(t, again, before, after)
		lookCold(t, again)
		require.NoError(t, r.Stop())
		run(t, "check", r.Dir, "--quiet")
		require.NoError(t, os.RemoveAll(r.Dir))
		r = nil
	}
	t.Logf("killed servers: %d had the old data, %d the clone", kept, replaced)
	l.end()
}
