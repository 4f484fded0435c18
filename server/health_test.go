package server

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine"
)

// probe asks the health endpoint.
func probe(t *testing.T, h *Health, path string) (code int, a healthAnswer) {
	t.Helper()
	r, err := http.Get("http://" + h.Addr().String() + path)
	require.NoError(t, err)
	defer r.Body.Close()
	require.NoError(t, json.NewDecoder(r.Body).Decode(&a))
	return r.StatusCode, a
}

// A probe tells a server that recovers from a dead one, and is ready when statements are served: the gate of ember_ready_when_warm_pct is the one it looks at.
func TestHealth(t *testing.T) {
	h, err := StartHealth("0")
	require.NoError(t, err)
	defer h.Close()
	require.Contains(t, h.Addr().String(), "127.0.0.1:")

	h.Progress(engine.Progress{Phase: "recovering", Done: 43, Total: 100, ETA: 12 * time.Second})
	code, a := probe(t, h, "/health")
	require.Equal(t, 503, code)
	require.Equal(t, healthAnswer{Status: "recovering", Percent: 43, ETA: 12, Text: "recovering 43 %, 12 s left"}, a)
	code, _ = probe(t, h, "/live")
	require.Equal(t, 200, code)

	b := &memBackend{}
	ts := startIn(t, t.TempDir(), b, "--ember-ready-when-warm-pct=50")
	h.Serving(ts.Server)
	for !ts.gate.closed() {
		time.Sleep(time.Millisecond)
	}
	code, a = probe(t, h, "/health")
	require.Equal(t, 503, code)
	require.False(t, a.Ready)
	b.warmPct.Store(50)
	for ts.gate.closed() {
		time.Sleep(time.Millisecond)
	}
	code, a = probe(t, h, "/health")
	require.Equal(t, 200, code)
	require.Equal(t, healthAnswer{Status: "ready", Ready: true, Percent: 100, Text: "ready"}, a)

	h.Stopping()
	code, a = probe(t, h, "/health")
	require.Equal(t, 503, code)
	require.Equal(t, "stopping", a.Status)
}

func TestHealthAddress(t *testing.T) {
	h, err := StartHealth("")
	require.NoError(t, err)
	require.Nil(t, h.Addr())
	h.Stopping()
	h.Close()
	first, err := StartHealth("127.0.0.1:0")
	require.NoError(t, err)
	defer first.Close()
	_, err = StartHealth(first.Addr().String())
	require.ErrorContains(t, err, "ember_health_address")
}
