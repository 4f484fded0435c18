package replication

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

var (
	mysqlbinlog = flag.String("mysqlbinlog", "", "command of MySQL's mysqlbinlog, which must be able to read every file")
	others      = flag.String("otherbinlog", "", "command of another mysqlbinlog that must be able to read every file")
	client      = flag.String("client", "mysql", "command line client that gives an empty MySQL what mysqlbinlog prints")
	replay      = flag.String("replay", "", "DSN, by socket, of that MySQL, or of a server of this build; it has gtid_mode=ON")
)

// TestReplay has MySQL's tools read every file of a source that ran the scripts and was killed
// under load, and an empty MySQL run all that they print.
func TestReplay(t *testing.T) {
	if *replay == "" {
		t.Skip("no -replay")
	}
	s := emberd.Start(t, options...)
	l := listen(t, s)
	for _, path := range scripts(t) {
		db := s.Open("")
		runScript(t, db, path)
		require.NoError(t, db.Close())
	}
	loadData(t, s, nil)
	underKills(t, s, l, nil)
	require.NoError(t, s.Stop())
	all := readLog(t, s)
	require.NoError(t, s.Launch())
	began := time.Now()
	verify(t, s)
	t.Logf("verified after %v", time.Since(began).Round(time.Second))
	began = time.Now()
	replayed(t, s)
	t.Logf("%d transactions of %d files, replayed and equal after %v", len(all), len(logFiles(t, s)), time.Since(began).Round(time.Second))
}

// verify has the tools read every file.
func verify(t *testing.T, s *emberd.Server) {
	for _, tool := range []string{*mysqlbinlog, *others} {
		if tool == "" {
			continue
		}
		for _, path := range logFiles(t, s) {
			var stderr bytes.Buffer
			cmd := exec.Command(tool, "--verify-binlog-checksum", path)
			cmd.Stderr = &stderr
			require.NoError(t, cmd.Run(), "%s: %s", path, stderr.String())
			require.Empty(t, stderr.String(), path)
		}
	}
}

// replayed gives the log to the empty MySQL, which then has the source's rows and the source's
// transactions.
func replayed(t *testing.T, s *emberd.Server) {
	cfg, err := mysql.ParseDSN(*replay)
	require.NoError(t, err)
	out, err := exec.Command("bash", "-c", fmt.Sprintf("set -o pipefail; %s --verify-binlog-checksum %s | %s --user=%s --socket=%s --max-allowed-packet=1G --binary-mode",
		*mysqlbinlog, strings.Join(logFiles(t, s), " "), *client, cfg.User, cfg.Addr)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	db := s.Open("")
	defer db.Close()
	c, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	other := sql.OpenDB(c)
	defer other.Close()
	sameContents(t, "the replayed log", look(t, db), look(t, other))
	var want, got string
	require.NoError(t, db.QueryRow("SELECT @@gtid_executed").Scan(&want))
	require.NoError(t, other.QueryRow("SELECT @@gtid_executed").Scan(&got))
	require.Equal(t, want, got)
}
