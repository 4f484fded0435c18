package server

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer"
)

// Authentication plugins.
//
// mysql_native_password: the account stores SHA1(SHA1(password)); the client answers SHA1(password) XOR SHA1(salt, stored).
//
// caching_sha2_password: the account stores a salted hash of thousands of rounds ("$A$005$..."). The client answers
// SHA256(password) XOR SHA256(SHA256(SHA256(password)), salt). With SHA256(SHA256(password)) in the cache from an earlier login that is
// enough (fast); otherwise the client must send the password itself: in clear over TLS or the unix socket, else encrypted
// with the server's RSA key, which it may ask for.
//
//	fast:  -> 01 03, OK                 full:  -> 01 04, <- password NUL                                  (secure transport)
//	                                           -> 01 04, <- [02, -> 01 PEM,] <- RSA(password NUL XOR salt) (otherwise)

const (
	pluginNative = string(mysql.MysqlNativePassword)
	pluginSha2   = string(mysql.CachingSha2Password)
	pluginClear  = string(mysql.MysqlClearPassword)
	sha2Fast     = 3
	sha2Full     = 4
	sha2AskKey   = 2
)

// sha2Cache remembers SHA256(SHA256(password)) of accounts that logged in.
type sha2Cache struct {
	mu      sync.Mutex
	entries map[string]sha2Entry // by user@host of the account
}

type sha2Entry struct {
	stored string // the account's stored hash at that time: a changed password invalidates the entry
	double [sha256.Size]byte
}

func (c *sha2Cache) get(a account) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[a.key()]
	if !ok || e.stored != a.stored {
		return nil, false
	}
	return e.double[:], true
}

func (c *sha2Cache) put(a account, password []byte) {
	once := sha256.Sum256(password)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[string]sha2Entry{}
	}
	c.entries[a.key()] = sha2Entry{a.stored, sha256.Sum256(once[:])}
}

func (c *sha2Cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = nil
}

// authenticate finds the client's account and checks its credentials.
func (w *wireConn) authenticate(r *loginRequest) (account, error) {
	if w.event != nil {
		acct, known := w.srv.accounts.named(w.event.Definer())
		if !known {
			return acct, w.denied(r.user, false)
		}
		return acct, nil
	}
	acct, known := w.srv.accounts.find(r.user, w.Conn.RemoteAddr())
	if w.inside && known {
		return acct, nil
	}
	plugin := acct.plugin
	if !known {
		plugin = pluginSha2 // unknown users take the same way as known ones, and fail at its end
	}
	answer := r.answer
	if plugin == pluginNative && !w.srv.globals.nativePassword {
		return acct, sqllayer.NewError(1524, "Plugin '%s' is not loaded", plugin)
	}
	if plugin != pluginNative && plugin != pluginSha2 {
		return acct, sqllayer.NewError(1524, "Plugin '%s' is not loaded", plugin)
	}
	// A MariaDB replica does not know the greeting's plugin: it answers nothing and waits for a scramble made for its own.
	if r.plugin != plugin || plugin == pluginNative && len(answer) == 0 && acct.stored != "" {
		var err error
		if answer, err = w.switchPlugin(plugin); err != nil {
			return acct, err
		}
	}
	ok, err := w.checkPassword(acct, known, plugin, answer)
	if err != nil {
		return acct, err
	}
	switch {
	case !ok || !known:
		return acct, w.denied(r.user, len(answer) > 0)
	case acct.locked:
		w.srv.counters.lockedAccounts.Add(1)
		return acct, sqllayer.NewError(3118, "Access denied for user '%s'@'%s'. Account is locked.", r.user, w.host())
	case acct.isRole:
		return acct, w.denied(r.user, len(answer) > 0)
	}
	if err := acct.checkTransport(w); err != nil {
		return acct, err
	}
	w.sandbox = acct.attributes.Expired
	if w.sandbox && w.caps&capExpiredPwd == 0 {
		return acct, sqllayer.NewError(1862, "Your password has expired. To log in you must change it using a client that supports expired passwords.")
	}
	return acct, nil
}

func (w *wireConn) denied(user string, password bool) error {
	using := "NO"
	if password {
		using = "YES"
	}
	return sqllayer.NewError(1045, "Access denied for user '%s'@'%s' (using password: %s)", user, w.host(), using)
}

// switchPlugin tells the client to use another plugin and returns its answer to a fresh salt.
func (w *wireConn) switchPlugin(plugin string) ([]byte, error) {
	if w.caps&capPluginAuth == 0 {
		return nil, sqllayer.NewError(1251, "Client does not support authentication protocol requested by server; consider upgrading MySQL client")
	}
	salt, err := mysql.NewSalt()
	if err != nil {
		return nil, err
	}
	w.salt = salt
	b := append(append([]byte{packetEOF}, plugin...), 0)
	if err := w.sendLogin(append(append(b, salt...), 0)); err != nil {
		return nil, err
	}
	return w.recvLogin()
}

func (w *wireConn) checkPassword(a account, known bool, plugin string, answer []byte) (bool, error) {
	empty := len(answer) == 0 || len(answer) == 1 && answer[0] == 0
	switch {
	case empty:
		return known && a.stored == "", nil
	case plugin == pluginNative:
		if a.stored == "" {
			return false, nil
		}
		hash, err := mysql.DecodeMysqlNativePasswordHex(a.stored)
		return err == nil && len(answer) == sha1.Size && mysql.VerifyHashedMysqlNativePassword(answer, w.salt, hash), nil
	}
	if double, ok := w.srv.sha2.get(a); known && ok && len(answer) == sha256.Size &&
		mysql.VerifyHashedCachingSha2Password(answer, w.salt, double) {
		return true, w.sendLogin([]byte{packetMore, sha2Fast})
	}
	return w.fullSha2(a, known)
}

// fullSha2 asks for the password itself and compares it with the stored hash.
func (w *wireConn) fullSha2(a account, known bool) (bool, error) {
	if err := w.sendLogin([]byte{packetMore, sha2Full}); err != nil {
		return false, err
	}
	p, err := w.recvLogin()
	if err != nil {
		return false, err
	}
	if len(p) == 1 && p[0] == sha2AskKey {
		if w.srv.rsaKey == nil {
			return false, w.denied(w.user, true)
		}
		if err := w.sendLogin(append([]byte{packetMore}, w.srv.rsaPublicPEM...)); err != nil {
			return false, err
		}
		if p, err = w.recvLogin(); err != nil {
			return false, err
		}
		p, err = decryptPassword(w.srv.rsaKey, p, w.salt)
	} else if !w.secure {
		p, err = decryptPassword(w.srv.rsaKey, p, w.salt)
	}
	if err != nil {
		return false, w.denied(w.user, true)
	}
	password := bytes.TrimSuffix(p, []byte{0})
	if !known || a.stored == "" {
		matchesSha2(decoyHash, password) // as slow as a wrong password of a known user
		return false, nil
	}
	if !matchesSha2(a.stored, password) {
		return false, nil
	}
	w.srv.sha2.put(a, password)
	return true, nil
}

// decoyHash is no account's.
const decoyHash = "$A$005$abcdefghijklmnopqrstABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQ"

var errNoKey = errors.New("no key pair for the password exchange")

// decryptPassword undoes RSA-OAEP and the XOR with the salt.
func decryptPassword(key *rsa.PrivateKey, p, salt []byte) ([]byte, error) {
	if key == nil {
		return nil, errNoKey
	}
	plain, err := rsa.DecryptOAEP(sha1.New(), rand.Reader, key, p, nil)
	if err != nil {
		return nil, err
	}
	for i := range plain {
		plain[i] ^= salt[i%len(salt)]
	}
	return plain, nil
}

// matchesSha2 hashes password the way stored was hashed and compares.
func matchesSha2(stored string, password []byte) bool {
	digest, rounds, salt, _, err := mysql.DeserializeCachingSha2PasswordAuthString([]byte(stored))
	if err != nil || digest != "SHA256" {
		return false
	}
	hash, err := mysql.SerializeCachingSha2PasswordAuthString(string(password), salt, rounds)
	return err == nil && subtle.ConstantTimeCompare(hash, []byte(stored)) == 1
}

// admitAccount applies the limits that depend on who the client is.
func (s *Server) admitAccount(a account) error {
	admin := s.accounts.isAdmin(a)
	if s.live.Load() > s.globals.maxConnections.Load() && !admin {
		s.counters.refusedConnections.Add(1)
		return sqllayer.NewError(1040, "Too many connections")
	}
	if s.globals.offlineMode.Load() && !admin {
		return sqllayer.NewError(3032, "The server is currently in offline mode")
	}
	if limit := s.globals.maxUserConnections.Load(); limit > 0 && s.countConnections(a) >= limit {
		return sqllayer.NewError(1203, "User %s already has more than 'max_user_connections' active connections", a.user)
	}
	return nil
}

// checkTransport applies REQUIRE SSL and its variants.
func (a account) checkTransport(w *wireConn) error {
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

func (a account) String() string { return fmt.Sprintf("'%s'@'%s'", a.user, a.host) }
