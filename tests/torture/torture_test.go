package torture

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/bench"
	"emberdb/bench/tpcc"
	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var (
	kills = flag.Int("kills", 4, "how often each load's server is killed")
	whole = flag.Int("warehouses", 0, "warehouses of full size for the TPC-C-like load, every kill followed by a check of every table; 0: two small ones")
)

const threads = 8

// Small limits, so that eviction, checkpoints and the recycling of redo happen within seconds.
var (
	options     = []string{"--innodb-buffer-pool-size=32M", "--innodb-redo-log-capacity=32M"}
	fullOptions = []string{"--innodb-buffer-pool-size=256M", "--innodb-redo-log-capacity=512M"}
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(testkit.Seed(t), 0))
}

// killer kills servers at random moments.
type killer struct {
	t *testing.T
	r *rand.Rand
	s *emberd.Server
}

// strike lets the load run for a random time and kills the server.
func (k *killer) strike() {
	// Short times are as likely as long ones: much happens in a server's first moments.
	after := time.Duration(50<<k.r.IntN(7)) * time.Millisecond
	after += time.Duration(k.r.Int64N(int64(after)))
	time.Sleep(after)
	k.s.Kill()
}

// revive starts the server again. One time in four it is killed once more before it is up; one time in four the dead
// server's directory is checked first, which recovers it.
func (k *killer) revive() {
	k.t.Helper()
	switch k.r.IntN(4) {
	case 0:
		require.NoError(k.t, k.s.Spawn())
		time.Sleep(time.Duration(k.r.IntN(400)) * time.Millisecond)
		k.s.Kill()
	case 1:
		checkDirectory(k.t, k.s.Dir)
	}
	require.NoError(k.t, k.s.Launch())
}

// checkDirectory verifies every page of a directory no server runs on.
func checkDirectory(t *testing.T, dir string) {
	t.Helper()
	out, err := exec.Command(emberd.Build(t, "ember"), "check", dir).CombinedOutput()
	require.NoError(t, err, "ember check:\n%s", out)
}

// checkServer has a running server verify all of its tables.
func checkServer(t *testing.T, s *emberd.Server) {
	t.Helper()
	out, err := exec.Command(emberd.Build(t, "ember"), "check", "--quiet", "--timeout=20m", "--socket="+s.Socket).CombinedOutput()
	require.NoError(t, err, "ember check:\n%s", out)
}

// TestOrderEntry is the TPC-C-like load with its ledger.
func TestOrderEntry(t *testing.T) {
	ctx := context.Background()
	r := newRand(t)
	data, opts := tpcc.LoadOptions{Warehouses: 2, Threads: 2, Small: true, Seed: 1}, options
	if *whole > 0 {
		data.Warehouses, data.Small, opts = *whole, false, fullOptions
	}
	s := emberd.Start(t, opts...)
	target := bench.Target{Socket: s.Socket, User: "root", Database: "tpcc", Timeout: 10 * time.Minute}
	data.Target = target
	_, err := tpcc.Load(ctx, data)
	require.NoError(t, err)
	ledger := filepath.Join(t.TempDir(), "ledger")
	k := &killer{t, r, s}
	for i := range *kills {
		load, stop := context.WithCancel(ctx)
		type result struct {
			sum tpcc.Summary
			err error
		}
		ended := make(chan result, 1)
		go func() {
			sum, err := tpcc.Run(load, tpcc.RunOptions{LedgerPath: ledger, Run: bench.Run{Target: target, Threads: threads, Duration: time.Hour,
				Prepared: i%2 == 0, Seed: r.Uint64(), Out: &bytes.Buffer{}}})
			ended <- result{sum, err}
		}()
		k.strike()
		stop()
		res := <-ended
		k.revive()
		// A server that dies while Run looks at the tables is an error of Run and none of ours.
		if res.err == nil {
			require.Zero(t, res.sum.Errors, "transactions failed before the kill: %s", res.sum.FirstError)
		}
		var out bytes.Buffer
		rep, err := tpcc.Check(ctx, tpcc.CheckOptions{Target: target, LedgerPath: ledger, Out: &out})
		require.NoError(t, err)
		require.True(t, rep.Passed, "after kill %d:\n%s", i+1, out.String())
		if *whole > 0 {
			checkServer(t, s)
		}
		t.Logf("kill %d: %d acknowledged, %d in doubt", i+1, rep.Certain, rep.Doubtful)
	}
	require.NoError(t, s.Stop())
	checkDirectory(t, s.Dir)
}
