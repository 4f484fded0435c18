package backup

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestS3 keeps backups and the binary log of a server in S3, and restores them: whole, beneath a
// server, and to the end of the log.
func TestS3(t *testing.T) {
	mem := s3mem.New()
	require.NoError(t, mem.CreateBucket("backups"))
	service := httptest.NewServer(gofakes3.New(mem, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	defer service.Close()
	t.Setenv("AWS_ENDPOINT_URL", service.URL)
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "a secret")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	const place = "s3://backups/db1"

	seed := testkit.Seed(t)
	s := emberd.Start(t, options...)
	fill(t, open(t, s, ""))
	l := startLoad(t, s, seed)
	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet")
	before := l.seen()
	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet", "--incremental")
	after := l.seen()
	out := run(t, "backup", "list", place)
	require.Contains(t, out, "-incremental")
	require.Contains(t, run(t, "backup", "verify", place, "--quiet"), " 0 faults")

	r := emberd.Prepare(t, options...)
	serveOn(t, r, []string{"restore", "--from", place, "--datadir", r.Dir, "--quiet"})
	state, err := os.ReadFile(filepath.Join(r.Dir, "ember.fetch", "state"))
	if err == nil { // the last page may be there already
		require.NotContains(t, string(state), "a secret")
	}
	db := open(t, r, "")
	look(t, db, before, after)
	lookCold(t, db)
	waitComplete(t, r)
	run(t, "check", "--socket", r.Socket, "--quiet")
	require.NoError(t, r.Stop())

	l.end()
	run(t, "backup", "log", "--socket", s.Socket, "--to", place, "--once", "--quiet")
	last := emberd.Prepare(t, options...)
	run(t, "restore", "--from", place, "--datadir", last.Dir, "--quiet", "--to-latest")
	require.NoError(t, last.Launch())
	look(t, open(t, last, ""), l.seen(), l.seen())
	require.NoError(t, last.Stop())

	// A backup that is killed goes on where it was.
	cmd := exec.Command(emberd.Build(t, "ember"), "backup", "--socket", s.Socket, "--to", place+"/killed", "--quiet", "--rate-limit=1M")
	require.NoError(t, cmd.Start())
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	_ = cmd.Wait()
	run(t, "backup", "--socket", s.Socket, "--to", place+"/killed", "--quiet")
	require.Contains(t, run(t, "backup", "verify", place+"/killed", "--quiet"), " 0 faults")

	run(t, "backup", "--socket", s.Socket, "--to", place, "--quiet")
	require.NotEmpty(t, run(t, "backup", "prune", place, "--keep", "1"))
	require.Contains(t, run(t, "backup", "verify", place, "--quiet"), " 0 faults")

	out, code := tool(t, "backup", "--socket", s.Socket, "--to", "s3://nobackups/db1", "--quiet")
	require.NotZero(t, code)
	require.Contains(t, out, "no such bucket")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", service.URL) // no role of this machine
	out, code = tool(t, "backup", "list", place)
	require.NotZero(t, code)
	require.Contains(t, out, "no keys for S3")
}
