package dashboard

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// busy is a server at work; n makes its counts grow.
func busy(n uint64) Snapshot {
	s := Snapshot{State: State{Status: "ready", Ready: true, Percent: 100}, Version: "8.4.0", Host: "db1", Uptime: 3600 + float64(n),
		Counts: map[string]float64{"queries": float64(5000 * n), "commits": float64(900 * n), "reads": float64(30 * n), "read_requests": float64(90000 * n),
			"pages_total": 8192, "pages_data": 7000, "running": 4, "connected": 33},
		Histogram: []Bucket{{End: 1e-4, Count: 4000 * n}, {End: 2e-3, Count: 900 * n}, {End: 0.1, Count: 100 * n}},
		Recovery:  Recovery{Estimate: 1.4, Last: 2.1}, Disk: Disk{Free: 400 << 30, Redo: 1 << 30, Binlog: 3 << 30}}
	for i := range 12 {
		s.Tables = append(s.Tables, Table{Name: fmt.Sprintf("shop.table_%d", i), Listed: 4000 / (i + 1), Resident: 4000 / (i + 1) * (100 - 8*i) / 100, Warm: float64(100 - 8*i)})
		s.Digests = append(s.Digests, Digest{Schema: "shop", Text: fmt.Sprintf("SELECT `c` FROM `table_%d` WHERE `id` = ? AND `name` LIKE ? ORDER BY `n` LIMIT ?", i),
			Sample: "SELECT c FROM t WHERE id = '</td><b>1'", Count: 1000 * n, Total: 12.5, Mean: 0.0002, P95: 0.001, Max: 0.3, Sent: 900 * n, Examined: 90000 * n})
		s.Threads = append(s.Threads, Thread{ID: uint32(i), User: "app", Host: "10.0.0.7:4711", DB: "shop", Command: "Query", Seconds: int64(i), State: "executing", Query: "UPDATE orders SET n = n + 1 WHERE id = 42"})
	}
	for i := range 3 {
		s.Starts = append(s.Starts, Start{Began: fmt.Sprintf("2026-11-2%dT10:00:00Z", i+1), Phases: []Phase{{Name: "process", Took: 0.1, Done: true}, {Name: "redo scan", At: 0.1, Took: 0.5 * float64(i+1), Done: true},
			{Name: "redo", At: 0.6, Took: 3, Done: true}}})
	}
	s.Waits = []Wait{{Waiting: 3, Blocking: 5, Table: "shop.orders", Index: "PRIMARY", Mode: "X,REC_NOT_GAP", Seconds: 12, Query: "UPDATE orders SET n = 2 WHERE id = 42"}}
	s.Replica = []Field{{Name: "Source Host", Value: "db0"}, {Name: "Seconds Behind Source", Value: "3"}}
	s.Backups = []string{"20261127T034527Z-full"}
	return s
}

// states are what the page must show well: its badge, and how it is looked at.
var states = []struct {
	name, badge string
	width       int
	dark        bool
	make        func(n uint64) Snapshot
}{
	{"empty", "ready", 1280, false, func(n uint64) Snapshot {
		return Snapshot{State: State{Status: "ready", Ready: true, Percent: 100}, Version: "8.4.0", Host: "db1", Uptime: float64(n), Counts: map[string]float64{"queries": 0, "commits": 0, "reads": 0, "read_requests": 0, "pages_total": 8192, "pages_data": 3, "running": 0, "connected": 0}}
	}},
	{"busy", "ready", 1280, false, busy},
	{"recovering", "recovering", 1280, false, func(uint64) Snapshot {
		return Snapshot{State: State{Status: "recovering", Percent: 43, ETA: 12, Text: "redo: 43 %, 12 s left"}, Version: "8.4.0", Host: "db1"}
	}},
	{"readonly", "read only", 1280, true, func(n uint64) Snapshot {
		s := busy(n)
		s.ReadOnly = true
		return s
	}},
	{"failed", "failed", 1280, false, func(n uint64) Snapshot {
		s := busy(n)
		s.Failed = "write /var/lib/ember/redo/0000000000000007.redo: no space left on device"
		return s
	}},
	{"phone", "ready", 390, true, busy},
}

// contrastScript returns the texts whose contrast with their background is below WCAG's 4.5, or 3 for
// large ones.
const contrastScript = `(() => {
	const c = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const rgba = v => { c.clearRect(0, 0, 1, 1); c.fillStyle = v; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
	const light = p => { const f = p.slice(0, 3).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * f[0] + .7152 * f[1] + .0722 * f[2]; };
	const behind = e => {
		if (e.closest("#map") && e.tagName === "text") return rgba(getComputedStyle(e.parentNode.querySelector("rect")).fill);
		for (; e; e = e.parentElement) { const p = rgba(getComputedStyle(e).backgroundColor); if (p[3] > 0) return p; }
		return [255, 255, 255, 255];
	};
	const bad = [];
	for (const e of document.body.querySelectorAll("*")) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length || ["SCRIPT", "NOSCRIPT", "title"].includes(e.tagName)) continue;
		const s = getComputedStyle(e), size = parseFloat(s.fontSize), a = light(rgba(e instanceof SVGElement ? s.fill : s.color)), b = light(behind(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05), least = size >= 24 || size >= 18.66 && s.fontWeight >= 700 ? 3 : 4.5;
		if (ratio < least) bad.push(e.tagName + " " + ratio.toFixed(2) + ": " + e.textContent.slice(0, 40));
	}
	return bad;
})()`

// focusScript names what has the keyboard's focus; "hidden" if nobody can see that it has.
const focusScript = `(() => { const e = document.activeElement, s = getComputedStyle(e);
	return (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2 ? "hidden " : "") + (e.id || e.className || e.tagName); })()`

// TestStates looks at the page in each state: no errors, nothing from elsewhere, contrast, names for
// those who hear it, nothing wider than a phone, and all of it within the keyboard's reach.
func TestStates(t *testing.T) {
	program := os.Getenv("EMBER_BROWSER")
	if program == "" {
		t.Skip("EMBER_BROWSER names no Chromium; make clients does")
	}
	var state atomic.Int64
	var n atomic.Uint64
	mux := http.NewServeMux()
	open := func(h http.Handler) http.Handler { return h }
	plans := Plans{Guard: open, Of: func(context.Context, string, string) (string, error) { return "-> Table scan on table_1", nil }}
	Register(mux, open, func() Snapshot { return states[state.Load()].make(n.Add(1)) }, plans)
	srv := httptest.NewServer(mux)
	defer srv.Close()
	b := startBrowser(t, program, srv.URL)
	for i, s := range states {
		state.Store(int64(i))
		b.look(srv.URL, s.name, s.badge, s.width, s.dark)
	}
	b.to.Close()
	<-b.ended // nothing is added to faults any more
	require.Empty(t, b.faults)
}

func (b *browser) look(url, name, badge string, width int, dark bool) {
	t := b.t
	var target struct{ TargetID string }
	b.must("", "Target.createTarget", params{"url": "about:blank"}, &target)
	var at struct{ SessionID string }
	b.must("", "Target.attachToTarget", params{"targetId": target.TargetID, "flatten": true}, &at)
	on := at.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.must(on, domain+".enable", params{}, nil)
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.must(on, "Emulation.setDeviceMetricsOverride", params{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.must(on, "Emulation.setEmulatedMedia", params{"features": []params{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.must(on, "Page.navigate", params{"url": url}, nil)
	testkit.Eventually(t, func() (shown bool) { // two pictures of the server make a rate
		b.evaluate(on, fmt.Sprintf(`document.getElementById("badge")?.textContent === %q && (points.length >= 2 || %q === "recovering")`, badge, badge), &shown)
		return shown
	}, "%s: the page does not show the state", name)
	if dir := os.Getenv("EMBER_SCREENSHOTS"); dir != "" {
		var shot struct{ Data string }
		b.must(on, "Page.captureScreenshot", params{"captureBeyondViewport": true}, &shot)
		png, err := base64.StdEncoding.DecodeString(shot.Data)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
	}
	var faint []string
	b.evaluate(on, contrastScript, &faint)
	require.Empty(t, faint, "%s: too little contrast", name)
	var overflow float64
	b.evaluate(on, "document.documentElement.scrollWidth - document.documentElement.clientWidth", &overflow)
	require.Zero(t, overflow, "%s: wider than its window", name)
	var unnamed int
	b.evaluate(on, `[...document.querySelectorAll("svg,button,[role=region]")].filter(e => !(e.getAttribute("aria-label") || e.textContent).trim()).length`, &unnamed)
	require.Zero(t, unnamed, "%s: without a name", name)
	var reached []string
	for range 8 {
		for _, kind := range []string{"keyDown", "keyUp"} {
			b.must(on, "Input.dispatchKeyEvent", params{"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}, nil)
		}
		var focus string
		b.evaluate(on, focusScript, &focus)
		reached = append(reached, focus)
	}
	want := []string{"skip", "pause", "scroll"}
	if badge == "recovering" { // there are no figures yet
		want = want[:2]
	}
	require.Equal(t, want, reached[:len(want)], name)
	if badge == "ready" && name != "empty" {
		require.True(t, slices.Contains(reached, "SUMMARY"), "%s: statements cannot be opened by the keyboard: %v", name, reached)
	}
	b.must("", "Target.closeTarget", params{"targetId": target.TargetID}, nil)
}
