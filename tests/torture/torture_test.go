package torture

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	whole = flag.Int("warehouses", 0, "warehouses of full size for the TPC-C-like load, every check followed by one of every table, and transactions over 200000 rows; 0: two small ones, and 12000 rows")
)

const threads = 8

// Small limits, so that eviction, checkpoints and the recycling of redo happen within seconds.
var options = []string{"--innodb-buffer-pool-size=32M", "--log-bin", "--innodb-redo-log-capacity=32M"}

// fullOptions are those of a server with warehouses of full size: from a pool that lends recovery
// nothing, and little redo, to a pool with room for all pages that much redo builds.
func fullOptions(r *rand.Rand) []string {
	return []string{"--log-bin", fmt.Sprintf("--innodb-buffer-pool-size=%dM", 64<<r.IntN(5)), fmt.Sprintf("--innodb-redo-log-capacity=%dM", 64<<r.IntN(6))}
}

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

// revive starts the server again. One time in four it is killed once more on its way up, or while
// it redoes what is left; one time in four the dead server's directory is checked first, which
// recovers it.
func (k *killer) revive() {
	k.t.Helper()
	switch k.r.IntN(4) {
	case 0:
		k.rise()
	case 1:
		checkDirectory(k.t, k.s.Dir)
	}
	require.NoError(k.t, k.s.Launch())
}

// rise starts the server and kills it within two seconds.
func (k *killer) rise() {
	k.t.Helper()
	require.NoError(k.t, k.s.Spawn())
	time.Sleep(time.Duration(k.r.IntN(1+1<<k.r.IntN(12))) * time.Millisecond)
	k.s.Kill()
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
func TestOrderEntry(t *testing.T) { orderEntry(t, newRand(t), nil) }

// TestOrderEntryKeptMemory is the same with a buffer pool that outlives the server. Each start
// compares the pages it takes over with what their files and the redo log give, and fails if one
// differs.
func TestOrderEntryKeptMemory(t *testing.T) {
	r := newRand(t)
	orderEntry(t, r, append(emberd.KeepMemory(t, []string{"hold", "tmpfs"}[r.IntN(2)]), "--ember-pool-memory-verify=on"))
}

// orderEntry kills the server under the load; more are options of its own for it.
func orderEntry(t *testing.T, r *rand.Rand, more []string) {
	ctx := context.Background()
	data, opts := tpcc.LoadOptions{Warehouses: 2, Threads: 2, Small: true, Seed: 1}, options
	if *whole > 0 {
		data.Warehouses, data.Small, opts = *whole, false, fullOptions(r)
	}
	s := emberd.Start(t, slices.Concat(opts, more)...)
	target := bench.Target{Socket: s.Socket, User: "root", Database: "tpcc", Timeout: 10 * time.Minute}
	data.Target = target
	_, err := tpcc.Load(ctx, data)
	require.NoError(t, err)
	ledger := filepath.Join(t.TempDir(), "ledger")
	require.NoError(t, os.WriteFile(ledger, nil, 0o600)) // the first kill may come before any client
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
		if *whole > 0 && r.IntN(3) == 0 {
			time.Sleep(time.Duration(r.IntN(90)) * time.Second) // much redo
		}
		k.strike()
		stop()
		res := <-ended
		if *whole > 0 {
			s.Args = slices.Concat(fullOptions(r), more)
		}
		k.revive()
		// A server that dies while Run looks at the tables is an error of Run and none of ours.
		if res.err == nil {
			require.Zero(t, res.sum.Errors, "transactions failed before the kill: %s", res.sum.FirstError)
		}
		if i+1 < *kills && r.IntN(3) == 0 {
			continue // the next load, and kill, comes while pages wait for their redo
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
