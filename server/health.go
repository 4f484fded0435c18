package server

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"emberdb/engine"
)

// Health answers HTTP requests about the state of the server (ember_health_address), from before recovery until the end of the process, so that no supervisor
// takes a server that recovers for a dead one:
//
//	GET /health   200 when statements are served, else 503: for a load balancer, for a readiness probe
//	GET /live     200 always: for a liveness probe
//
// Both bodies are the same JSON object: {"status": "warming", "ready": false, "percent": 43.1, "eta_seconds": 12, "text": "warming 43 %, 12 s left"}.
type Health struct {
	http     http.Server
	addr     net.Addr
	progress atomic.Pointer[engine.Progress]
	server   atomic.Pointer[Server]
	stopping atomic.Bool
}

// healthAnswer is what /health and /live tell.
type healthAnswer struct {
	Status  string  `json:"status"` // starting, recovering, warming, ready, stopping
	Ready   bool    `json:"ready"`
	Percent float64 `json:"percent"`
	ETA     float64 `json:"eta_seconds"` // 0: not known, or nothing is left
	Text    string  `json:"text"`
}

// StartHealth listens on HOST:PORT; a port alone means the loopback address. An empty address: nothing listens, and all methods do nothing.
func StartHealth(address string) (*Health, error) {
	h := &Health{}
	h.Progress(engine.Progress{Phase: "starting"})
	if address == "" {
		return h, nil
	}
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("ember_health_address: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { h.answer(w, true) })
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) { h.answer(w, false) })
	h.http = http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10}
	h.addr = l.Addr()
	go func() { _ = h.http.Serve(l) }() // ends with Close
	return h, nil
}

// Addr is where it listens; nil if it does not.
func (h *Health) Addr() net.Addr { return h.addr }

// Progress tells how far the start has come.
func (h *Health) Progress(p engine.Progress) { h.progress.Store(&p) }

// Serving tells that s accepts clients.
func (h *Health) Serving(s *Server) { h.server.Store(s) }

// Stopping tells that the server is on its way out.
func (h *Health) Stopping() { h.stopping.Store(true) }

// Close ends the listener.
func (h *Health) Close() { _ = h.http.Close() }

// Text is the state in words, for the service manager.
func (h *Health) Text() string { return h.state().Text }

func (h *Health) state() healthAnswer {
	p := *h.progress.Load()
	s := h.server.Load()
	if s != nil {
		p = s.progress()
	}
	a := healthAnswer{Status: p.Phase, Ready: s != nil && !s.gate.closed(), Percent: p.Percent(), ETA: p.ETA.Seconds(), Text: p.String()}
	if p.Phase == "" {
		a.Status, a.Percent = "ready", 100
	}
	if h.stopping.Load() {
		a = healthAnswer{Status: "stopping", Text: "stopping"}
	}
	return a
}

func (h *Health) answer(w http.ResponseWriter, byState bool) {
	a := h.state()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if byState && !a.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(a) // the client is gone
}

// progress is how far the start has come.
func (s *Server) progress() engine.Progress {
	if e := s.backend.Engine(); e != nil {
		return e.Progress()
	}
	return engine.Progress{Opened: true}
}
