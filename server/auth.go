package server

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/grants"
	"emberdb/server/wire"
	"emberdb/sqllayer/sqlerr"
)

// Authentication plugins.
//
// mysql_native_password: the account stores SHA1(SHA1(password)); the client answers SHA1(password)
// XOR SHA1(salt, stored).
//
// caching_sha2_password: the account stores a salted hash of thousands of rounds ("$A$005$...").
// The client answers SHA256(password) XOR SHA256(SHA256(SHA256(password)), salt). With
// SHA256(SHA256(password)) in the cache from an earlier login that is enough (fast); otherwise the
// client must send the password itself: in clear over TLS or the unix socket, else encrypted with
// the server's RSA key, which it may ask for.
//
//	fast:  -> 01 03, OK                 full:  -> 01 04, <- password NUL                                  (secure transport)
//	                                           -> 01 04, <- [02, -> 01 PEM,] <- RSA(password NUL
//	                                           XOR salt) (otherwise)

// sha2Cache remembers SHA256(SHA256(password)) of accounts that logged in.
type sha2Cache struct {
	mu      sync.Mutex
	entries map[string]grants.Sha2Entries // by user@host of the account
}

func (c *sha2Cache) get(a clientAccount, stored string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	double, ok := c.entries[a.key()][stored]
	return double[:], ok
}

// put forgets passwords that the account has no more.
func (c *sha2Cache) put(a clientAccount, stored string, password []byte) {
	once := sha256.Sum256(password)
	kept := grants.Sha2Entries{stored: sha256.Sum256(once[:])}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, other := range a.hashes() {
		if double, ok := c.entries[a.key()][other]; ok && other != stored {
			kept[other] = double
		}
	}
	if c.entries == nil {
		c.entries = map[string]grants.Sha2Entries{}
	}
	c.entries[a.key()] = kept
}

func (c *sha2Cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = nil
}

// authenticate finds the client's account and checks its credentials.
func (w *wireConn) authenticate(r *loginRequest) (clientAccount, error) {
	if w.event != nil {
		acct, known := w.srv.accounts.named(w.event.Definer())
		if !known {
			return acct, w.denied(r.user, false)
		}
		return acct, nil
	}
	if w.srv.accounts.open.Load() {
		return everyman, nil
	}
	acct, known := w.srv.accounts.find(r.user, w.peer())
	if w.inside && known {
		return acct, nil
	}
	plugin := acct.plugin
	if !known {
		plugin = grants.PluginSha2 // unknown users take the same way as known ones, and fail at its end
	}
	answer := r.answer
	if plugin == grants.PluginNative && !w.srv.globals.nativePassword {
		return acct, sqlerr.NewError(1524, "Plugin '%s' is not loaded", plugin)
	}
	if plugin != grants.PluginNative && plugin != grants.PluginSha2 {
		return acct, sqlerr.NewError(1524, "Plugin '%s' is not loaded", plugin)
	}
	// A MariaDB replica does not know the greeting's plugin: it answers nothing and waits for a
	// scramble made for its own.
	if r.plugin != plugin || plugin == grants.PluginNative && len(answer) == 0 && acct.stored != "" {
		var err error
		if answer, err = w.switchPlugin(plugin); err != nil {
			return acct, err
		}
	}
	w.withPassword = len(answer) > 0
	ok, err := w.checkPassword(acct, known, plugin, answer)
	if err != nil {
		return acct, err
	}
	if known {
		if err := w.checkFailures(acct, ok); err != nil {
			return acct, err
		}
	}
	switch {
	case !ok || !known:
		return acct, w.denied(r.user, len(answer) > 0)
	case acct.locked:
		w.srv.counters.lockedAccounts.Add(1)
		return acct, sqlerr.NewError(3118, "Access denied for user '%s'@'%s'. Account is locked.", r.user, w.host())
	case acct.isRole:
		return acct, w.denied(r.user, len(answer) > 0)
	}
	if err := acct.checkTransport(w); err != nil {
		return acct, err
	}
	w.sandbox = acct.policy.PasswordExpired(acct.changed, grants.GlobalNumber("default_password_lifetime"), time.Now())
	if w.sandbox && w.caps&wire.CapExpiredPwd == 0 && grants.GlobalNumber("disconnect_on_expired_password") != 0 {
		return acct, sqlerr.NewError(1862, "Your password has expired. To log in you must change it using a client that supports expired passwords.")
	}
	return acct, nil
}

// checkFailures counts wrong passwords, and refuses an account with too many in a row.
func (w *wireConn) checkFailures(acct clientAccount, right bool) error {
	left, blocked := w.srv.usage.Of(acct.name()).Login(&acct.policy, right)
	if !blocked {
		return nil
	}
	days, remaining := "unlimited", "unlimited"
	if n := acct.policy.LockDays; n > 0 {
		days = strconv.Itoa(n)
		remaining = strconv.Itoa(int((left + 24*time.Hour - 1) / (24 * time.Hour)))
	}
	return sqlerr.NewError(3955, "Access denied for user '%s'@'%s'. Account is blocked for %s day(s) (%s day(s) remaining) due to %d consecutive failed logins.",
		acct.user, w.host(), days, remaining, acct.policy.FailedAttempts)
}

func (w *wireConn) denied(user string, password bool) error {
	using := "NO"
	if password {
		using = "YES"
	}
	return sqlerr.NewError(1045, "Access denied for user '%s'@'%s' (using password: %s)", user, w.host(), using)
}

// switchPlugin tells the client to use another plugin and returns its answer to a fresh salt.
func (w *wireConn) switchPlugin(plugin string) ([]byte, error) {
	if w.caps&wire.CapPluginAuth == 0 {
		return nil, errOldClient
	}
	salt, err := mysql.NewSalt()
	if err != nil {
		return nil, err
	}
	w.salt = salt
	b := append(append([]byte{wire.EOF}, plugin...), 0)
	if err := w.sendLogin(append(append(b, salt...), 0)); err != nil {
		return nil, err
	}
	return w.recvLogin()
}

func (w *wireConn) checkPassword(a clientAccount, known bool, plugin string, answer []byte) (bool, error) {
	empty := len(answer) == 0 || len(answer) == 1 && answer[0] == 0
	switch {
	case empty:
		return known && a.stored == "", nil
	case plugin == grants.PluginNative:
		if a.stored == "" {
			return false, nil
		}
		for _, stored := range a.hashes() {
			hash, err := mysql.DecodeMysqlNativePasswordHex(stored)
			if err == nil && len(answer) == sha1.Size && mysql.VerifyHashedMysqlNativePassword(answer, w.salt, hash) {
				return true, nil
			}
		}
		return false, nil
	case len(answer) != sha256.Size:
		return false, nil // no scramble: and the client is not asked for the password either
	}
	for _, stored := range a.hashes() {
		if double, ok := w.srv.sha2.get(a, stored); known && ok &&
			mysql.VerifyHashedCachingSha2Password(answer, w.salt, double) {
			return true, w.sendLogin([]byte{wire.More, grants.Sha2Fast})
		}
	}
	return w.fullSha2(a, known)
}

// fullSha2 asks for the password itself and compares it with the stored hash.
func (w *wireConn) fullSha2(a clientAccount, known bool) (bool, error) {
	if err := w.sendLogin([]byte{wire.More, grants.Sha2Full}); err != nil {
		return false, err
	}
	p, err := w.recvLogin()
	if err != nil {
		return false, err
	}
	switch {
	case w.secure: // whoever need not encrypt the password is not given the key: the byte is a password
		if len(p) == 0 || p[len(p)-1] != 0 {
			return false, nil
		}
	case len(p) == 1 && p[0] == grants.Sha2AskKey:
		if w.srv.rsaKey == nil {
			return false, w.denied(w.user, true)
		}
		if err := w.sendLogin(append([]byte{wire.More}, w.srv.rsaPublicPEM...)); err != nil {
			return false, err
		}
		if p, err = w.recvLogin(); err != nil {
			return false, err
		}
		p, err = grants.DecryptPassword(w.srv.rsaKey, p, w.salt)
	default:
		p, err = grants.DecryptPassword(w.srv.rsaKey, p, w.salt)
	}
	if err != nil {
		return false, w.denied(w.user, true)
	}
	password := bytes.TrimSuffix(p, []byte{0})
	if len(password) > grants.MaxPassword {
		return false, nil
	}
	if !known || a.stored == "" {
		grants.MatchesSha2(grants.DecoyHash, password) // as slow as a wrong password of a known user
		return false, nil
	}
	for _, stored := range a.hashes() {
		if grants.MatchesSha2(stored, password) {
			w.srv.sha2.put(a, stored, password)
			return true, nil
		}
	}
	return false, nil
}

// hashes are those of the passwords that open the account: the current one and one that was
// retained.
func (a clientAccount) hashes() []string {
	if a.policy.Second == "" {
		return []string{a.stored}
	}
	return []string{a.stored, a.policy.Second}
}

// admitAccount applies the limits that depend on who the client is, and makes the account the
// connection's. fresh: the connection is new.
func (s *Server) admitAccount(w *wireConn, a clientAccount, fresh bool) error {
	admin := s.accounts.isAdmin(a)
	if fresh && s.live.Load() > s.globals.maxConnections.Load() && !admin {
		s.counters.refusedConnections.Add(1)
		return sqlerr.NewError(1040, "Too many connections")
	}
	if s.globals.offlineMode.Load() && !admin {
		return sqlerr.NewError(3032, "The server is currently in offline mode")
	}
	used := s.usage.Of(a.name())
	s.admitting.Lock() // who is counted is not yet another's
	defer s.admitting.Unlock()
	own, everybody := a.policy.MaxUserConnections, s.globals.maxUserConnections.Load()
	if own > 0 || everybody > 0 {
		n := s.countConnections(w, a)
		if own > 0 && n >= int64(own) {
			return grants.Exceeded(a.user, "max_user_connections", own)
		}
		if own == 0 && n >= everybody {
			return sqlerr.NewError(1203, "User %s already has more than 'max_user_connections' active connections", a.user)
		}
	}
	if err := used.Connect(a.user, a.policy.Limits); err != nil {
		return err
	}
	w.used = used
	w.setAccount(a)
	return nil
}

// checkTransport applies REQUIRE SSL and its variants.
func (a clientAccount) checkTransport(w *wireConn) error {
	state, ok := w.tlsState()
	switch {
	case a.sslType == "" || a.sslType == "NONE":
		return nil
	case !ok:
		return w.denied(w.user, a.stored != "")
	case a.sslType == "ANY":
		return nil
	}
	certs := state.PeerCertificates
	if a.sslType == "X509" && len(certs) > 0 && len(state.VerifiedChains) > 0 {
		return nil
	}
	if a.sslType == "SPECIFIED" {
		if err := a.checkSpecified(w, state); err == nil {
			return nil
		}
	}
	return w.denied(w.user, a.stored != "")
}

func (a clientAccount) String() string { return fmt.Sprintf("'%s'@'%s'", a.user, a.host) }
