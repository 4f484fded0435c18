package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/dashboard"
	"emberdb/engine"
	"emberdb/metrics"
	"emberdb/server/certs"
	"emberdb/server/options"
)

// Health answers HTTP requests about the state of the server (ember_health_address), from before
// recovery until the end of the process, so that no supervisor takes a server that recovers for a
// dead one:
//
//	GET /health   200 when statements are served, else 503: for a load balancer, for a readiness probe
//	GET /live     200 always: for a liveness probe
//	GET /metrics  what the server counts, for Prometheus: see package metrics
//	GET /         a page on which a person watches the server: see package dashboard
//
// The first two bodies are the same JSON object: {"status": "warming", "ready": false, "percent":
// 43.1, "eta_seconds": 12, "text": "warming 43 %, 12 s left"}.
//
// /metrics and the page are for clients on the loopback interface; from elsewhere they ask for the
// user and password of ember_health_password_file, if one is given for everyone's, and are refused
// with 403 if none is. Plans of statements are given to those who know the password alone.
type Health struct {
	http     http.Server
	listener net.Listener
	addr     net.Addr
	secret   *healthSecret // nil: no password is set
	progress atomic.Pointer[engine.Progress]
	server   atomic.Pointer[Server]
	stopping atomic.Bool
	planning sync.Mutex // held while a plan is made
}

// healthAnswer is what /health and /live tell.
type healthAnswer struct {
	Status  string  `json:"status"` // starting, recovering, warming, ready, stopping
	Ready   bool    `json:"ready"`
	Percent float64 `json:"percent"`
	ETA     float64 `json:"eta_seconds"` // 0: not known, or nothing is left
	Text    string  `json:"text"`
}

// StartHealth listens on ember_health_address, HOST:PORT; a port alone means the loopback address.
// An empty address: nothing listens, and all methods do nothing. left is what the previous process
// has listened on; nil: there is none.
func StartHealth(o *options.Settings, left *os.File) (*Health, error) {
	h := &Health{}
	h.Progress(engine.Progress{Phase: "starting"})
	address := o.String("ember_health_address")
	if address == "" {
		return h, nil
	}
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	var err error
	if h.secret, err = readHealthSecret(o.String("ember_health_password_file")); err != nil {
		return nil, err
	}
	l, err := listenHealth(address, left)
	if err != nil {
		return nil, fmt.Errorf("ember_health_address: %w", err)
	}
	h.listener, h.addr = l, l.Addr()
	if o.Bool("ember_health_tls") {
		l = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return certs.CertificateOf(o, o.String("datadir"))
		}})
	}
	h.http = http.Server{Handler: h.routes(), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
		ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug)}
	go func() { _ = h.http.Serve(l) }() // ends with Close
	return h, nil
}

// listenHealth goes on with what the previous process has listened on, if that is the address.
func listenHealth(address string, left *os.File) (net.Listener, error) {
	if left != nil {
		defer left.Close()
		l, err := net.FileListener(left)
		if err == nil && listensOn(l, "tcp", address) {
			return l, nil
		}
		if err == nil {
			l.Close()
		}
	}
	return net.Listen("tcp", address)
}

// HandOver ends the listener, and returns what it has listened on; nil: nothing.
func (h *Health) HandOver() (*os.File, error) {
	if h.listener == nil {
		return nil, nil
	}
	defer h.Close()
	return h.listener.(*net.TCPListener).File()
}

func (h *Health) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { h.answer(w, true) })
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) { h.answer(w, false) })
	scrape := metrics.Handler(func() metrics.Snapshot { return h.server.Load().metricsSnapshot() })
	mux.Handle("GET /metrics", h.guarded(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.server.Load() == nil {
			h.answer(w, true) // it is not ready
			return
		}
		scrape.ServeHTTP(w, r)
	})))
	dashboard.Register(mux, h.guarded, h.dashboardSnapshot, dashboard.Plans{Guard: h.loggedIn, Of: h.plan})
	return mux
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

// healthSecret is the user and the password of ember_health_password_file, hashed so that comparing
// them takes the same time whatever is sent.
type healthSecret [sha256.Size]byte

func hashHealth(user, password string) healthSecret {
	return sha256.Sum256([]byte(user + ":" + password))
}

// readHealthSecret reads a file of one line, USER:PASSWORD, that nobody but its owner and group may
// read. An empty path: nil.
func readHealthSecret(path string) (*healthSecret, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("ember_health_password_file: %w", err)
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("ember_health_password_file %s can be read or changed by everybody; run chmod o= on it", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ember_health_password_file: %w", err)
	}
	user, password, ok := strings.Cut(strings.TrimRight(string(text), "\r\n"), ":")
	if !ok || user == "" || password == "" || strings.ContainsAny(password, "\r\n") {
		return nil, fmt.Errorf("ember_health_password_file %s does not hold one line USER:PASSWORD", path)
	}
	secret := hashHealth(user, password)
	return &secret, nil
}

// guarded lets clients in that know the password, or, if none is set, those on the loopback
// interface.
func (h *Health) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.secret == nil {
			host, _, err := net.SplitHostPort(r.RemoteAddr)
			if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
				http.Error(w, "set ember_health_password_file to read this from another host", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		user, password, _ := r.BasicAuth()
		given := hashHealth(user, password)
		if subtle.ConstantTimeCompare(given[:], h.secret[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="Ember"`)
			http.Error(w, "wrong user or password", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
