package tpcc

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"emberdb/bench"

	"github.com/stretchr/testify/require"
)

// TestReport follows transactions through an interval and the summary: the warm-up counts in the
// first only.
func TestReport(t *testing.T) {
	var out, log bytes.Buffer
	r := newReporter(&RunOptions{Run: bench.Run{Warmup: time.Hour, Threads: 3, Prepared: true, JSON: true, Out: &out, Log: &log, Seed: 5}})
	r.committed(newOrder, 10*time.Millisecond)
	r.retried()
	line := r.interval(r.start.Add(2*time.Second), 2*time.Second)
	require.True(t, line.Warmup)
	require.InDelta(t, 0.5, line.TPS, 1e-9)
	require.InDelta(t, 30, line.NOTPM, 1e-9)
	require.EqualValues(t, 1, line.Retries)
	require.InDelta(t, 10, line.Tx["new_order"].P99MS, 0.1)

	r.measureFrom(time.Now().Add(-time.Second))
	r.committed(payment, time.Millisecond)
	r.committed(payment, 3*time.Millisecond)
	r.committed(stockLevel, time.Hour)
	r.rolledBack()
	r.lost()
	r.failed(delivery, errors.New("no such thing"))
	line = r.interval(time.Now(), time.Second)
	require.False(t, line.Warmup)
	require.Zero(t, line.Retries)
	require.EqualValues(t, 1, line.Errors)

	require.NoError(t, r.print(r.summary(4)))
	var s Summary
	require.NoError(t, json.Unmarshal(out.Bytes(), &s))
	require.True(t, s.Summary)
	require.Equal(t, "prepared", s.Protocol)
	require.EqualValues(t, 0, s.Tx["new_order"].Count)
	require.EqualValues(t, 2, s.Tx["payment"].Count)
	require.InDelta(t, 3, s.Tx["payment"].MaxMS, 0.01)
	require.Equal(t, Counters{RolledBack: 1, Lost: 1, Errors: 1}, s.Counters)
	require.Equal(t, "delivery: no such thing", s.FirstError)
	require.Contains(t, log.String(), "delivery: no such thing")
}
