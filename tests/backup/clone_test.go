package backup

import (
	"fmt"
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
