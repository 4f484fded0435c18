package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// get asks for a path of a page that shows a Snapshot; guard refuses clients without a password.
func get(t *testing.T, path, password string, s Snapshot) (int, http.Header, string) {
	t.Helper()
	mux := http.NewServeMux()
	guard := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, given, _ := r.BasicAuth(); given != "right" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	plans := Plans{Guard: guard, Of: func(_ context.Context, schema, digest string) (string, error) {
		if digest != "d1" {
			return "", errors.New("it is not known")
		}
		return "plan of " + schema, nil
	}}
	Register(mux, guard, func() Snapshot { return s }, plans)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.SetBasicAuth("u", password)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	require.NoError(t, err)
	return w.Code, w.Header(), string(body)
}

var files = []string{"/", "/dashboard/page.js", "/dashboard/page.css", "/dashboard/data", "/dashboard/plan"}

// TestGuarded: nothing is given to who is not let in, and all answers carry the policy.
func TestGuarded(t *testing.T) {
	for _, path := range files {
		code, _, body := get(t, path, "wrong", Snapshot{Host: "secret"})
		require.Equal(t, http.StatusUnauthorized, code, path)
		require.Empty(t, body)
		code, h, body := get(t, path, "right", Snapshot{Host: "secret"})
		require.Equal(t, http.StatusOK, code, path)
		require.NotEmpty(t, body)
		require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'")
		require.Equal(t, "no-store", h.Get("Cache-Control"))
	}
}

// TestSelfContained: the page is small, loads nothing from elsewhere, and never makes markup of
// texts.
func TestSelfContained(t *testing.T) {
	size := 0
	for _, path := range files[:3] {
		_, _, body := get(t, path, "right", Snapshot{})
		size += len(body)
		for _, url := range regexp.MustCompile(`https?://[^"'\s)]*`).FindAllString(body, -1) {
			require.Equal(t, "http://www.w3.org/2000/svg", url, path)
		}
		for _, unsafe := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", " onclick", "<style", " style="} {
			require.NotContains(t, body, unsafe, path)
		}
	}
	require.Less(t, size, 32<<10)
}

// TestIDs: the script finds each element of the page that it fills.
func TestIDs(t *testing.T) {
	_, _, html := get(t, "/", "right", Snapshot{})
	_, _, js := get(t, "/dashboard/page.js", "right", Snapshot{})
	n := 0
	for _, m := range regexp.MustCompile(`(?:\$|fill|chart|table|list|width)\("([a-zA-Z]+)"`).FindAllStringSubmatch(js, -1) {
		require.Contains(t, html, `id="`+m[1]+`"`)
		n++
	}
	require.Greater(t, n, 15)
}

// TestData: what the script reads is what a Snapshot is written as.
func TestData(t *testing.T) {
	s := Snapshot{State: State{Status: "ready"}, Counts: map[string]float64{"queries": 1}, Digests: []Digest{{Text: "</script><b>"}}}
	_, _, body := get(t, "/dashboard/data", "right", s)
	require.NotContains(t, body, "</script>")
	var back Snapshot
	require.NoError(t, json.Unmarshal([]byte(body), &back))
	require.Equal(t, s, back)
	_, _, js := get(t, "/dashboard/page.js", "right", s)
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &fields))
	for name := range fields {
		require.True(t, strings.Contains(js, "s."+name), name)
	}
}

// TestPlan: a plan comes as JSON, and so does the reason why there is none.
func TestPlan(t *testing.T) {
	code, _, body := get(t, "/dashboard/plan?schema=a%26b&digest=d1", "right", Snapshot{})
	require.Equal(t, http.StatusOK, code)
	require.JSONEq(t, `{"plan":"plan of a&b","error":""}`, body)
	_, _, body = get(t, "/dashboard/plan?schema=a&digest=d2", "right", Snapshot{})
	require.JSONEq(t, `{"plan":"","error":"it is not known"}`, body)
}
