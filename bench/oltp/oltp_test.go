package oltp

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"emberdb/bench"

	"github.com/stretchr/testify/require"
)

func TestDistributions(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	const rows, choices = 10000, 50000
	hot := map[string]int{}
	for _, d := range []string{Uniform, Special} {
		r := newGen(seed, 1, rows, d)
		low, high := int64(rows), int64(1)
		for range choices {
			id := r.row()
			require.True(t, id >= 1 && id <= rows)
			if id > 4950 && id <= 5050 {
				hot[d]++
			}
			low, high = min(low, id), max(high, id)
		}
		require.Less(t, low, int64(3000), d)
		require.Greater(t, high, int64(7000), d)
	}
	require.InDelta(t, 0.01, float64(hot[Uniform])/choices, 0.005)
	require.InDelta(t, 0.76, float64(hot[Special])/choices, 0.02)
	for _, d := range []string{Uniform, Special} {
		require.EqualValues(t, 1, newGen(seed, 1, 1, d).row())
	}
}

func TestChunk(t *testing.T) {
	text := string(appendChunk(nil, newGen(1, 2, 50, Uniform), 3, 11, 2))
	require.Equal(t, text, string(appendChunk(nil, newGen(1, 2, 50, Uniform), 3, 11, 2)))
	row := `\(%,\d{1,2},'(\d{11}-){9}\d{11}','(\d{11}-){4}\d{11}'\)`
	want := `^INSERT INTO sbtest3 \(id, k, c, pad\) VALUES ` + strings.Replace(row, "%", "11", 1) + "," + strings.Replace(row, "%", "12", 1) + "$"
	require.Regexp(t, regexp.MustCompile(want), text)
}

func TestOptions(t *testing.T) {
	good := RunOptions{Run: bench.Run{Threads: 1, Duration: 1}, Workload: "read_only", Tables: 1, TableSize: 1, RangeSize: 1, Distribution: Uniform}
	_, err := good.check()
	require.NoError(t, err)
	for want, spoil := range map[string]func(*RunOptions){
		`--workload "tea"`:     func(o *RunOptions) { o.Workload = "tea" },
		"--tables 0":           func(o *RunOptions) { o.Tables = 0 },
		"--table-size -1":      func(o *RunOptions) { o.TableSize = -1 },
		"--range-size 0":       func(o *RunOptions) { o.RangeSize = 0 },
		"--threads 0":          func(o *RunOptions) { o.Threads = 0 },
		"--seconds":            func(o *RunOptions) { o.Duration = 0 },
		`--distribution "zip"`: func(o *RunOptions) { o.Distribution = "zip" },
		"--dsn":                func(o *RunOptions) { o.Target.DSN = "x" },
	} {
		bad := good
		spoil(&bad)
		_, err := bad.check()
		require.ErrorContains(t, err, want)
	}
	for _, name := range Workloads() {
		_, err := lookUp(name)
		require.NoError(t, err)
	}
	require.Len(t, Workloads(), len(workloads))
}

// TestReport follows transactions through an interval and the summary: the warm-up counts in the
// first only.
func TestReport(t *testing.T) {
	var out, log bytes.Buffer
	r := newReporter(&RunOptions{Run: bench.Run{Warmup: time.Hour, Threads: 2, Prepared: true, JSON: true, Out: &out, Log: &log}, Workload: "insert"}, 0)
	r.meters[0].done(10*time.Millisecond, 5, 7)
	r.meters[1].retried()
	line := r.interval(r.start.Add(2*time.Second), 2*time.Second)
	require.True(t, line.Warmup)
	require.InDelta(t, 0.5, line.TPS, 1e-9)
	require.InDelta(t, 2.5, line.QPS, 1e-9)
	require.EqualValues(t, 1, line.Retries)

	r.measureFrom(time.Now().Add(-time.Second))
	r.meters[0].done(time.Millisecond, 1, 1)
	r.meters[1].done(3*time.Millisecond, 1, 0)
	r.meters[1].lost()
	r.meters[1].failed(errors.New("no such thing"))
	r.gather()
	require.NoError(t, r.print(r.summary()))
	var s Summary
	require.NoError(t, json.Unmarshal(out.Bytes(), &s))
	require.Equal(t, Counters{Transactions: 2, Statements: 2, Rows: 1, Lost: 1, Errors: 1}, s.Counters)
	require.InDelta(t, 3, s.Latency.MaxMS, 0.1)
	require.Equal(t, "prepared", s.Protocol)
	require.Equal(t, "no such thing", s.FirstError)
	require.Contains(t, log.String(), "no such thing")
}
