package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/server/options"
)

func startHealth(t *testing.T, args ...string) (*Health, error) {
	t.Helper()
	res, err := options.Load(append([]string{"--no-defaults", "--datadir=" + t.TempDir()}, args...))
	require.NoError(t, err)
	return StartHealth(res.Settings, nil)
}

// probe asks the health endpoint.
func probe(t *testing.T, h *Health, path string) (code int, a healthAnswer) {
	t.Helper()
	r, err := http.Get("http://" + h.Addr().String() + path)
	require.NoError(t, err)
	defer r.Body.Close()
	require.NoError(t, json.NewDecoder(r.Body).Decode(&a))
	return r.StatusCode, a
}

// A probe tells a server that recovers from a dead one, and is ready when statements are served:
// the gate of ember_ready_when_warm_pct is the one it looks at.
func TestHealth(t *testing.T) {
	h, err := startHealth(t, "--ember-health-address=0")
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
	h, err := startHealth(t)
	require.NoError(t, err)
	require.Nil(t, h.Addr())
	h.Stopping()
	h.Close()
	first, err := startHealth(t, "--ember-health-address=127.0.0.1:0")
	require.NoError(t, err)
	defer first.Close()
	_, err = startHealth(t, "--ember-health-address="+first.Addr().String())
	require.ErrorContains(t, err, "ember_health_address")
}

// What a server counts is told to the loopback interface, or to those who know the password, once
// statements are served.
func TestHealthMetrics(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte("prometheus:p:w\n"), 0o604))
	_, err := startHealth(t, "--ember-health-address=0", "--ember-health-password-file="+file)
	require.ErrorContains(t, err, "ember_health_password_file")
	require.NoError(t, os.Chmod(file, 0o600))
	h, err := startHealth(t, "--ember-health-address=0", "--ember-health-password-file="+file)
	require.NoError(t, err)
	defer h.Close()
	get := func(user, password string) (int, string) {
		r, err := http.NewRequest("GET", "http://"+h.Addr().String()+"/metrics", nil)
		require.NoError(t, err)
		if user != "" {
			r.SetBasicAuth(user, password)
		}
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(body)
	}
	code, _ := get("prometheus", "p:w")
	require.Equal(t, 503, code, "nothing is served yet")
	ts := startIn(t, t.TempDir(), &memBackend{})
	h.Serving(ts.Server)
	for _, wrong := range [][2]string{{"", ""}, {"prometheus", "p"}, {"x", "p:w"}} {
		code, body := get(wrong[0], wrong[1])
		require.Equal(t, 401, code)
		require.NotContains(t, body, "mysql_")
	}
	code, body := get("prometheus", "p:w")
	require.Equal(t, 200, code)
	require.Contains(t, body, "\nmysql_up 1\n")
	require.Contains(t, body, "\nmysql_global_status_threads_connected 0\n")
	require.Contains(t, body, "\nmysql_global_variables_max_connections 151\n")
	require.Contains(t, body, "mysql_info_schema_innodb_metrics_buffer_buffer_pool_pages_total 42\n")
}

// Without a password, other hosts are refused.
func TestHealthFromElsewhere(t *testing.T) {
	h, err := startHealth(t)
	require.NoError(t, err)
	for remote, want := range map[string]int{"127.0.0.1:5": 200, "[::1]:5": 200, "10.0.0.1:5": 403, "": 403} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.RemoteAddr = remote
		h.guarded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
		require.Equal(t, want, w.Code, remote)
	}
}

// TestDashboard: the page answers before there is a server, and then shows what the server does.
func TestDashboard(t *testing.T) {
	h := &Health{}
	h.Progress(engine.Progress{Phase: "recovering", Done: 1, Total: 4})
	data := func(from string) (int, map[string]any) {
		r := httptest.NewRequest("GET", "/dashboard/data", nil)
		r.RemoteAddr = from
		w := httptest.NewRecorder()
		h.routes().ServeHTTP(w, r)
		var got map[string]any
		if w.Code == http.StatusOK {
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
		}
		return w.Code, got
	}
	code, _ := data("192.0.2.1:5")
	require.Equal(t, http.StatusForbidden, code)
	code, got := data("127.0.0.1:5")
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, "recovering", got["state"].(map[string]any)["status"])
	require.Nil(t, got["counts"])

	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	exec(t, db, "SET GLOBAL super_read_only = 1")
	h.Serving(ts.Server)
	_, got = data("127.0.0.1:5")
	require.Equal(t, true, got["readOnly"])
	require.NotEmpty(t, got["threads"])
	require.NotEmpty(t, got["starts"])
	require.Contains(t, fmt.Sprint(got["digests"]), "SET GLOBAL")
	require.Greater(t, got["counts"].(map[string]any)["pages_total"], 0.0)
}

// TestHealthPlan: plans are given to who has logged in, of queries alone, and of what the page
// knows.
func TestHealthPlan(t *testing.T) {
	none, err := startHealth(t, "--ember-health-address=0")
	require.NoError(t, err)
	defer none.Close()
	r, err := http.Get("http://" + none.Addr().String() + "/dashboard/plan")
	require.NoError(t, err)
	r.Body.Close()
	require.Equal(t, 403, r.StatusCode, "no password is set")

	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte("dba:pw\n"), 0o600))
	h, err := startHealth(t, "--ember-health-address=0", "--ember-health-password-file="+file)
	require.NoError(t, err)
	defer h.Close()
	ts := startIn(t, t.TempDir(), &memBackend{})
	h.Serving(ts.Server)
	db := ts.open("root", "", "")
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, n INT)", "INSERT INTO d.t VALUES (1, 2)", "UPDATE d.t SET n = 3 WHERE id = 1"} {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
	var n int
	require.NoError(t, db.QueryRow("SELECT n FROM d.t WHERE n > 2").Scan(&n))
	plan := func(text string) (plan, why string) {
		for _, d := range ts.performance.Digests() {
			if d.Text != text {
				continue
			}
			r, err := http.NewRequest("GET", "http://"+h.Addr().String()+"/dashboard/plan?"+url.Values{"schema": {d.Schema}, "digest": {d.ID}}.Encode(), nil)
			require.NoError(t, err)
			r.SetBasicAuth("dba", "pw")
			answer, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer answer.Body.Close()
			var a struct{ Plan, Error string }
			require.NoError(t, json.NewDecoder(answer.Body).Decode(&a))
			return a.Plan, a.Error
		}
		t.Fatalf("no digest: %s", text)
		return "", ""
	}
	got, why := plan("SELECT `n` FROM `d` . `t` WHERE `n` > ?")
	require.Empty(t, why)
	require.Contains(t, got, "t.n > 2")
	_, why = plan("UPDATE `d` . `t` SET `n` = ? WHERE `id` = ?")
	require.Equal(t, "only queries are explained", why)
	require.NoError(t, db.QueryRow("SELECT n FROM d.t").Scan(&n))
	require.Equal(t, 3, n)
}
