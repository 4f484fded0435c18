package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
)

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
