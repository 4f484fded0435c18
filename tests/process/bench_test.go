package process

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/bench/oltp"
	"emberdb/tests/emberd"
)

// TestBenchOLTP runs every workload over either protocol.
func TestBenchOLTP(t *testing.T) {
	s := emberd.Start(t)
	shape := []string{"--socket", s.Socket, "--tables", "2"}
	out, code := tool(t, append([]string{"bench", "oltp", "prepare", "--table-size", "1500", "--quiet"}, shape...)...)
	require.Zero(t, code, out)
	require.Contains(t, out, "2 tables, 3000 rows prepared")
	for _, workload := range oltp.Workloads() {
		for _, protocol := range []string{"text", "prepared"} {
			var sum oltp.Summary
			longer(t, 0.2, func(seconds float64) bool {
				out, code := tool(t, append([]string{"bench", "oltp", "run", "--workload", workload, "--protocol", protocol, "--table-size", "1500",
					"--threads", "2", "--seconds", fmt.Sprint(seconds), "--report-interval", "0", "--json"}, shape...)...)
				require.Zero(t, code, "%s %s: %s", workload, protocol, out)
				require.NoError(t, json.Unmarshal([]byte(out), &sum), out)
				return sum.Transactions > 0
			})
			require.Zero(t, sum.Errors, out)
			require.Positive(t, sum.ServerCPU+sum.ClientCPU, out)
			switch workload {
			case "point_select": // no row is deleted before the last workload
				require.Equal(t, sum.Transactions, sum.Rows, out)
			case "read_only":
				require.Equal(t, 16*sum.Transactions, sum.Statements, out)
				require.Greater(t, sum.Rows, 100*sum.Transactions, out)
			case "insert":
				require.Zero(t, sum.Rows, out)
			}
		}
	}
	out, code = tool(t, append([]string{"bench", "oltp", "cleanup"}, shape...)...)
	require.Zero(t, code, out)
	out, code = tool(t, append([]string{"bench", "oltp", "run"}, shape...)...)
	require.Equal(t, 1, code, out)
	require.Contains(t, out, "is the prepared data there?")
}

// longer measures for more and more time until a measurement has something in it, which takes the
// longer the slower the machine is.
func longer(t *testing.T, seconds float64, measured func(seconds float64) bool) {
	t.Helper()
	for ; !measured(seconds); seconds *= 4 {
		require.Less(t, seconds, 60.0, "nothing happens")
	}
}

// benchServer makes the flags of a server that a bench starts, stops and kills by itself.
func benchServer(t *testing.T, name string) []string {
	t.Helper()
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	return []string{
		"--server", fmt.Sprintf("%s=root@unix(%s)/", name, socket),
		"--start", fmt.Sprintf("%s=exec %s --datadir=%s --port=0 --socket=%s", name, emberd.Build(t, "emberd"), filepath.Join(dir, "data"), socket),
	}
}

// benchLines runs a bench and returns its JSON lines of a kind; the chart must be there too.
func benchLines[T any](t *testing.T, kind string, args ...string) (lines []T) {
	t.Helper()
	dir := t.TempDir()
	report, chart := filepath.Join(dir, "lines"), filepath.Join(dir, "chart")
	out, code := tool(t, append(append([]string{"bench"}, args...), "--out", report, "--chart", chart)...)
	require.Zero(t, code, out)
	for _, ext := range []string{".png", ".svg"} {
		require.FileExists(t, chart+ext)
	}
	f, err := os.Open(report)
	require.NoError(t, err)
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var head struct{ Kind string }
		require.NoError(t, json.Unmarshal(sc.Bytes(), &head))
		if head.Kind == kind {
			var line T
			require.NoError(t, json.Unmarshal(sc.Bytes(), &line))
			lines = append(lines, line)
		}
	}
	return lines
}

// TestBenchServers runs the benches that start and end servers, small.
func TestBenchServers(t *testing.T) {
	two := append(benchServer(t, "one"), benchServer(t, "two")...)
	small := []string{"--table-size", "1000", "--quiet"}
	args := func(verb string, more ...string) []string {
		return append(append(append([]string{verb}, more...), small...), two...)
	}

	longer(t, 0.3, func(seconds float64) bool {
		compare := benchLines[struct {
			TPS, Ratio float64
		}](t, "median", args("compare", "--workload", "point_select,update_index", "--threads", "1,2", "--rounds", "1", "--seconds", fmt.Sprint(seconds), "--warmup", "0")...)
		require.Len(t, compare, 8)
		worst := compare[0]
		for _, c := range compare {
			worst.TPS, worst.Ratio = min(worst.TPS, c.TPS), min(worst.Ratio, c.Ratio)
		}
		return worst.TPS > 0 && worst.Ratio > 0
	})

	longer(t, 1, func(seconds float64) bool {
		restart := benchLines[struct {
			SteadyTPS float64   `json:"steady_tps"`
			First     float64   `json:"first_query_s"`
			FirstTx   *float64  `json:"first_transaction_s"`
			TPS       []float64 `json:"tps"`
		}](t, "run", args("restart", "--workload", "read_write", "--threads", "2", "--how", "clean,kill", "--warmup", fmt.Sprint(seconds), "--most-warmup", fmt.Sprint(seconds), "--seconds", "3")...)
		require.Len(t, restart, 4)
		steady := restart[0].SteadyTPS
		for _, r := range restart {
			steady = min(steady, r.SteadyTPS)
			require.Positive(t, r.First)
			require.Len(t, r.TPS, 3)
		}
		return steady > 0
	})

	longer(t, 1, func(seconds float64) bool {
		socket, pid := filepath.Join(t.TempDir(), "s"), filepath.Join(t.TempDir(), "pid")
		restart := "memory=" + emberd.Build(t, "ember") + " restart --socket=" + socket
		start := fmt.Sprintf("memory=exec %s --datadir=%s --port=0 --socket=%s --pid-file=%s", emberd.Build(t, "emberd"), filepath.Join(t.TempDir(), "data"), socket, pid)
		memory := []string{"--server", "memory=root@unix(" + socket + ")/", "--start", start, "--attach", start + " " + strings.Join(emberd.KeepMemory(t, "hold"), " "),
			"--stop", fmt.Sprintf("memory=p=$(cat %s); kill $p; while kill -0 $p 2>/dev/null; do sleep 0.05; done", pid), "--keep", restart, "--upgrade", restart + " --binary=" + emberd.Build(t, "emberd")}
		ways := benchLines[struct {
			Server, How string
			SteadyTPS   float64   `json:"steady_tps"`
			Fine        []float64 `json:"tps_fine"`
		}](t, "run", append(append(append([]string{"restart", "--workload", "read_write", "--threads", "2", "--how", "upgrade,kill,attach-kill,keep-connections,attach-clean",
			"--warmup", fmt.Sprint(seconds), "--most-warmup", fmt.Sprint(seconds), "--seconds", "3"}, small...), memory...), benchServer(t, "peer")...)...)
		var done []string
		steady := math.Inf(1)
		for _, w := range ways {
			done, steady = append(done, w.Server+" "+w.How), min(steady, w.SteadyTPS)
			require.Len(t, w.Fine, 50, "two seconds before it, and three behind it")
		}
		require.Equal(t, []string{"memory upgrade", "memory kill", "memory attach-kill", "memory keep-connections", "memory attach-clean", "peer clean", "peer kill"}, done)
		return steady > 0
	})

	rollback := benchLines[struct {
		Way                string
		Updatable, Cleaned float64
	}](t, "run", append([]string{"rollback", "--rows", "6000", "--threads", "1", "--quiet", "--table-size", "1000"}, benchServer(t, "one")...)...)
	require.Len(t, rollback, 2)

	recovery := benchLines[struct {
		Redo   int64
		First  float64 `json:"first_query_s"`
		Redone float64 `json:"redone_s"`
	}](t, "run", append([]string{"recovery", "--redo", "64K", "--workload", "update_index", "--threads", "2", "--seconds", "1", "--quiet", "--table-size", "1000"},
		benchServer(t, "one")...)...)
	require.Len(t, recovery, 1)
	require.GreaterOrEqual(t, recovery[0].Redo, int64(64<<10))
	require.GreaterOrEqual(t, recovery[0].Redone, recovery[0].First)
}

// TestBenchBackup backs up a server under load, restores and clones it, small.
func TestBenchBackup(t *testing.T) {
	dir, ember := t.TempDir(), emberd.Build(t, "ember")
	path := func(name string) string { return filepath.Join(dir, name) }
	server := func(name, datadir string) string {
		return fmt.Sprintf("%s=root@unix(%s.sock)/", name, path(datadir))
	}
	find := "PATH=" + filepath.Dir(emberd.Build(t, "emberd")) + ":$PATH"
	port := emberd.FreePort(t)
	process := func(datadir string, id, port int) string { // all but its data directory
		return fmt.Sprintf("--socket=%s.sock --server-id=%d --port=%d --log-bin=binlog --gtid-mode=ON --enforce-gtid-consistency=ON", path(datadir), id, port)
	}
	backup := fmt.Sprintf("%s backup --socket=%s.sock --to=%s --quiet", ember, path("e"), path("backups"))
	restore := fmt.Sprintf("%s exec %s restore --from=%s --datadir=%s --serve --quiet -- ", find, ember, path("backups"), path("r"))
	clone := fmt.Sprintf("%s exec %s clone --from=127.0.0.1:%d --user=root --datadir=%s --serve --quiet -- ", find, ember, port, path("c"))
	type copied struct {
		Took   float64 `json:"s"`
		Stored int64   `json:"stored_bytes"`
		TPS    float64
	}
	type appeared struct {
		First    float64  `json:"first_query_s"`
		Complete *float64 `json:"complete_s"`
		TPS      []float64
	}
	runs := benchLines[struct {
		Data        int64   `json:"data_bytes"`
		SteadyTPS   float64 `json:"steady_tps"`
		Loaded      copied  `json:"under_load"`
		Idle        copied
		Incremental *copied
		Restored    *appeared
		Clone       *appeared
	}](t, "run", "backup", "--workload", "read_write", "--threads", "2", "--table-size", "1000", "--quiet", "--warmup", "1", "--most-warmup", "1", "--seconds", "2", "--ddl",
		"--server", server("e", "e"), "--start", fmt.Sprintf("e=exec %s --datadir=%s %s", emberd.Build(t, "emberd"), path("e"), process("e", 1, port)),
		"--data", "e="+path("e/spaces"), "--kept", "e="+path("backups"), "--backup", "e="+backup+" --fresh", "--incremental", "e="+backup+" --incremental",
		"--server", server("e/restored", "r"), "--start", "e/restored="+restore+process("r", 2, 0),
		"--server", server("e/clone", "c"), "--start", "e/clone="+clone+process("c", 3, 0))
	require.Len(t, runs, 1)
	r := runs[0]
	require.Positive(t, r.Data)
	require.Positive(t, r.Idle.Stored)
	require.Positive(t, r.Loaded.Stored)
	require.NotNil(t, r.Incremental)
	require.Less(t, r.Incremental.Stored, r.Idle.Stored)
	require.NotNil(t, r.Restored)
	require.GreaterOrEqual(t, *r.Restored.Complete, r.Restored.First)
	require.Len(t, r.Restored.TPS, 2)
	require.NotNil(t, r.Clone)
	require.GreaterOrEqual(t, *r.Clone.Complete, r.Clone.First)
}
