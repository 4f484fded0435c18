package server

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/certs"
	"emberdb/server/grants"
	"emberdb/server/version"
	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// The connection phase.
//
//	server                                     client
//	greeting (version, id, salt, plugin) ---->
//	                                     <---- [SSLRequest, TLS handshake]
//	                                     <---- login (capabilities, user, answer to the salt,
//	                                     database, plugin)
//	[switch to the account's plugin]     ---->
//	                                     <---- [answer]
//	[plugin's own exchange, auth.go]     <--->
//	OK or ERR                            ---->
//
// The library's part is played back to it: its greeting is swallowed (it tells the connection id),
// it is given a login that always succeeds, and its final OK or ERR goes to the client with the
// sequence number of the real exchange.

// login runs the connection phase with the client. On error the client has been told and the
// connection is over.
func (w *wireConn) login() error {
	w.loginTime = time.Now()
	w.Conn.SetDeadline(w.loginTime.Add(time.Duration(w.srv.globals.connectTimeout.Load()) * time.Second))
	err := w.runLogin()
	w.Conn.SetDeadline(time.Time{})
	if err == nil {
		w.phase = phaseLoggedIn
		w.in = w.syntheticLogin()
		w.filter = w.finishLogin
		return nil
	}
	w.srv.counters.abortedConnects.Add(1)
	var e *mysql.SQLError
	switch {
	case errors.As(err, &e):
		w.srv.log.Warn("login refused: "+e.Message, "connection", w.id, "host", w.host())
		w.sendLast(w.seq, e)
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
	default:
		w.srv.log.Info("login failed", "connection", w.id, "host", w.host(), "error", err)
		if isTimeout(err) {
			w.sendLast(w.seq, sqlerr.NewError(1159, "Got timeout reading communication packets"))
		}
	}
	return err
}

func isTimeout(err error) bool {
	var ne net.Error
	return errors.As(err, &ne) && ne.Timeout()
}

func (w *wireConn) runLogin() error {
	if err := w.admit(); err != nil {
		return err
	}
	if err := w.greet(); err != nil {
		return err
	}
	req, err := w.readLogin()
	if err != nil {
		return err
	}
	w.user, w.database, w.charset = req.user, req.database, req.charset
	if w.srv.globals.requireSecure.Load() && !w.secure {
		return sqlerr.NewError(3159, "Connections using insecure transport are prohibited while --require_secure_transport=ON.")
	}
	acct, err := w.authenticate(req)
	if err != nil {
		return err
	}
	if w.event != nil {
		w.setAccount(acct)
		return nil
	}
	if err := w.srv.admitAccount(w, acct, true); err != nil {
		w.srv.release(w) // its place is free before the client hears of it
		return err
	}
	return nil
}

// setAccount tells who the client is, to this connection and to others (KILL, the process list).
func (w *wireConn) setAccount(a clientAccount) {
	w.account = a
	w.public.Store(&a)
}

// owner is the key of the client's account, "" before the login. Any goroutine may ask.
func (w *wireConn) owner() string {
	if a := w.public.Load(); a != nil {
		return a.key()
	}
	return ""
}

func (w *wireConn) ownerName() string {
	if a := w.public.Load(); a != nil {
		return a.String()
	}
	return ""
}

// admit refuses clients beyond max_connections, one of which is reserved for an administrator
// (admitAccount).
func (w *wireConn) admit() error {
	if w.srv.closing.Load() {
		return sqlerr.NewError(1053, "Server shutdown in progress")
	}
	if w.event == nil && w.srv.live.Load() > w.srv.globals.maxConnections.Load()+1 {
		w.srv.counters.refusedConnections.Add(1)
		return sqlerr.NewError(1040, "Too many connections")
	}
	return nil
}

// swallowGreeting keeps the library's greeting from the client and learns the connection's id from
// it.
func (w *wireConn) swallowGreeting(p []byte) (bool, error) {
	if body := w.assemble(p); body != nil {
		c := wire.Cursor{Rest: body}
		c.Uint8()
		c.CString()
		w.id = c.Uint32()
		w.filter = nil
	}
	return true, nil
}

func (w *wireConn) capabilities() uint32 {
	c := uint32(wire.CapLongPassword | wire.CapFoundRows | wire.CapLongFlag | wire.CapConnectWithDB | wire.CapLocalFiles | wire.CapIgnoreSpace | wire.CapProtocol41 |
		wire.CapInteractive | wire.CapTransactions | wire.CapSecureConn | wire.CapMultiStmts | wire.CapMultiResults | wire.CapPSMultiResults | wire.CapPluginAuth |
		wire.CapConnectAttrs | wire.CapPluginLenEnc | wire.CapExpiredPwd | wire.CapSessionTrack | wire.CapDeprecateEOF | wire.CapQueryAttributes)
	if w.srv.tls.Load() != nil {
		c |= wire.CapSSL
	}
	return c | w.srv.compressionCapabilities()
}

func (w *wireConn) greet() error {
	salt, err := mysql.NewSalt()
	if err != nil {
		return err
	}
	w.salt = salt
	caps := w.capabilities()
	b := append([]byte{10}, version.ServerVersion()...)
	b = append(b, 0, byte(w.id), byte(w.id>>8), byte(w.id>>16), byte(w.id>>24))
	b = append(append(b, salt[:8]...), 0)
	b = append(b, byte(caps), byte(caps>>8), 255, mysql.ServerStatusAutocommit, 0, byte(caps>>16), byte(caps>>24), byte(len(salt)+1))
	b = append(b, make([]byte, 10)...)
	b = append(append(b, salt[8:]...), 0)
	b = append(append(b, grants.PluginSha2...), 0)
	return w.sendLogin(b)
}

// sendLogin writes a packet of the connection phase or of an exchange that resembles it.
func (w *wireConn) sendLogin(payload []byte) error {
	_, err := w.write(wire.Frame(w.seq, payload))
	w.seq++
	return err
}

// recvLogin reads the client's next packet of the connection phase.
func (w *wireConn) recvLogin() ([]byte, error) {
	seq, p, err := wire.ReadFrame(w.rd, wire.MaxLoginSize)
	var long *wire.TooLong
	if errors.As(err, &long) { // a client that has sent all of it reads why it is refused
		w.seq = seq + 1
		if _, err := io.CopyN(io.Discard, w.rd, int64(long.Size)); err != nil {
			return nil, err
		}
		return nil, errBadHandshake
	}
	if err != nil {
		return nil, err
	}
	if seq != w.seq {
		w.seq = seq + 1
		return nil, sqlerr.NewError(1156, "Got packets out of order")
	}
	w.seq = seq + 1
	return p, nil
}

// loginRequest is the client's login packet.
type loginRequest struct {
	caps     uint32
	charset  byte
	user     string
	answer   []byte // to the salt
	database string
	plugin   string
}

var errOldClient = sqlerr.NewError(1251, "Client does not support authentication protocol requested by server; consider upgrading MySQL client")

var errBadHandshake = sqlerr.NewError(1043, "Bad handshake")

// readLogin reads the login, after switching to TLS if the client asks for it.
func (w *wireConn) readLogin() (*loginRequest, error) {
	if err := w.readProxyHeader(); err != nil {
		return nil, err
	}
	p, err := w.recvLogin()
	if err != nil {
		return nil, err
	}
	if len(p) >= 32 && len(p) <= 36 && p[1]&(wire.CapSSL>>8) != 0 {
		if p, err = w.startTLS(); err != nil {
			return nil, err
		}
	}
	return w.parseLogin(p)
}

func (w *wireConn) startTLS() ([]byte, error) {
	cfg := w.srv.tls.Load()
	if cfg == nil {
		return nil, errBadHandshake
	}
	// The client may have sent its first TLS record along with the request: it is in the read
	// buffer.
	t := tls.Server(bufferedConn{w.raw, w.rd}, cfg)
	if err := t.Handshake(); err != nil {
		return nil, fmt.Errorf("TLS handshake: %w", err)
	}
	w.srv.counters.sslAccepts.Add(1)
	w.raw, w.rd, w.secure = t, wire.NewReader(t), true
	return w.recvLogin()
}

type bufferedConn struct {
	net.Conn
	r io.Reader
}

func (c bufferedConn) Read(p []byte) (int, error) { return c.r.Read(p) }

func (w *wireConn) parseLogin(p []byte) (r *loginRequest, err error) {
	c := wire.Cursor{Rest: p}
	r = &loginRequest{caps: c.Uint32()}
	if !c.Bad && r.caps&wire.CapProtocol41 == 0 {
		w.stateless = true
		if len(p) > 5 && bytes.IndexByte(p[5:], 0) >= 0 { // behind capabilities of two bytes and a size of three
			return nil, errOldClient
		}
		return nil, errBadHandshake
	}
	c.Uint32() // largest packet the client takes
	r.charset = c.Uint8()
	c.Bytes(23)
	if c.Bad {
		return nil, errBadHandshake
	}
	r.user = wholeCharacters(c.CString())
	switch {
	case r.caps&wire.CapPluginLenEnc != 0:
		r.answer = c.Bytes(c.LenEnc())
	case r.caps&wire.CapSecureConn != 0:
		r.answer = c.Bytes(int(c.Uint8()))
	default:
		r.answer = []byte(c.CString())
	}
	if r.caps&wire.CapConnectWithDB != 0 {
		r.database = wholeCharacters(c.CString())
	}
	r.plugin = grants.PluginNative
	if r.caps&wire.CapPluginAuth != 0 {
		if name := c.CString(); name != "" {
			r.plugin = name
		}
	}
	if c.Bad || len(r.user) > 4*80 || len(r.database) > 4*64 {
		return nil, errBadHandshake
	}
	w.caps = r.caps & w.capabilities()
	if r.caps&wire.CapConnectAttrs != 0 {
		if w.attrs = attributesOf(&c); c.Bad {
			return nil, errBadHandshake
		}
	}
	w.compression, err = w.srv.chooseCompression(r.caps, c.Uint8())
	return r, err
}

// wholeCharacters ends a name where it is no UTF-8.
func wholeCharacters(s string) string {
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			return s[:i]
		}
	}
	return s
}

// attribute is a connection attribute: what the client says of itself.
type attribute struct{ name, value string }

// attributes reads the connection attributes at the end of the login; a cut list ends where it is
// cut.
func attributesOf(c *wire.Cursor) (out []attribute) {
	list := wire.Cursor{Rest: c.Bytes(c.LenEnc())}
	for len(list.Rest) > 0 {
		a := attribute{name: string(list.Bytes(list.LenEnc())), value: string(list.Bytes(list.LenEnc()))}
		if list.Bad {
			break
		}
		out = append(out, a)
	}
	return out
}

// syntheticLogin is the login packet the library gets to see.
func (w *wireConn) syntheticLogin() []byte {
	caps := w.caps&(wire.CapDeprecateEOF|wire.CapFoundRows|wire.CapMultiStmts) | wire.CapProtocol41 | wire.CapSecureConn | wire.CapPluginAuth | wire.CapConnectWithDB
	b := []byte{byte(caps), byte(caps >> 8), byte(caps >> 16), byte(caps >> 24), 0, 0, 0, 1, w.charset}
	b = append(b, make([]byte, 23)...)
	b = append(append(b, w.user...), 0)
	b = append(b, 1, 0) // an answer of one byte; nobody looks at it
	b = append(append(b, w.database...), 0)
	b = append(append(b, grants.PluginNative...), 0)
	return wire.Frame(1, b)
}

// finishLogin passes the library's verdict on the login (session and database) to the client.
func (w *wireConn) finishLogin(p []byte) (bool, error) {
	body := w.assemble(p)
	if body == nil {
		return true, nil
	}
	w.filter = nil
	if body[0] == wire.OK {
		w.phase = phaseServing
		if w.tracker != nil && w.database != "" {
			if entries := w.changed(&ast.Use{}, false); entries != nil {
				body = withChanges(body, entries)
			}
		}
		err := w.sendLogin(body)
		w.startCompression()
		return true, err
	}
	w.srv.counters.abortedConnects.Add(1)
	w.hangUp.Store(true)
	return true, w.sendLogin(body)
}

// assemble collects the pieces of one packet the library writes; it returns the body once it is
// complete.
func (w *wireConn) assemble(p []byte) []byte {
	if w.nheld < wire.HeaderSize {
		w.nheld += copy(w.held[w.nheld:], p)
		p = p[min(len(p), wire.HeaderSize):]
	}
	if n := wire.FrameLen(w.held[:]); w.nheld == wire.HeaderSize && len(p) >= n {
		w.nheld = 0
		return p[:n]
	}
	return nil
}

// vitessAuth lets the library's login succeed: login() has authenticated the client already.
type vitessAuth struct{ method acceptLogin }

func (a vitessAuth) AuthMethods() []mysql.AuthMethod { return []mysql.AuthMethod{a.method} }

func (a vitessAuth) DefaultAuthMethodDescription() mysql.AuthMethodDescription {
	return mysql.MysqlNativePassword
}

type acceptLogin struct{}

func (acceptLogin) Name() mysql.AuthMethodDescription   { return mysql.MysqlNativePassword }
func (acceptLogin) HandleUser(*mysql.Conn, string) bool { return true }
func (acceptLogin) AllowClearTextWithoutTLS() bool      { return true }
func (acceptLogin) AuthPluginData() ([]byte, error)     { return mysql.NewSalt() }
func (acceptLogin) HandleAuthPluginData(c *mysql.Conn, _ string, _, _ []byte, _ net.Addr) (mysql.Getter, error) {
	w := wireOf(c)
	if w == nil || w.phase != phaseLoggedIn {
		return nil, sqlerr.NewError(1045, "Access denied")
	}
	return sql.MysqlConnectionUser{User: w.account.user, Host: w.account.host}, nil
}

// wireOf finds the wireConn under a library connection.
func wireOf(c *mysql.Conn) *wireConn {
	w, _ := c.Conn.(*wireConn)
	return w
}

// Keys and certificates. Without ssl_cert a certificate authority, a server certificate and a
// client certificate are generated in the data directory on first start, and an RSA pair for the
// password exchange of clients without TLS, under MySQL's file names:
//
//	ca.pem ca-key.pem   server-cert.pem server-key.pem   client-cert.pem client-key.pem   private_key.pem public_key.pem
//
// Private keys are readable by the owner only. Existing files are never replaced.

func (w *wireConn) tlsState() (tls.ConnectionState, bool) {
	if w.tlsThere != nil {
		return w.tlsThere.state, true
	}
	t, ok := w.raw.(*tls.Conn)
	if !ok {
		return tls.ConnectionState{}, false
	}
	return t.ConnectionState(), true
}

// checkSpecified compares the client's certificate and cipher with REQUIRE ISSUER, SUBJECT and
// CIPHER.
func (a clientAccount) checkSpecified(w *wireConn, state tls.ConnectionState) error {
	if a.cipher != "" && a.cipher != certs.CipherName(state.CipherSuite) {
		return certs.ErrBadSpecified
	}
	if a.issuer == "" && a.subject == "" {
		return nil
	}
	if len(state.PeerCertificates) == 0 || len(state.VerifiedChains) == 0 {
		return certs.ErrBadSpecified
	}
	cert := state.PeerCertificates[0]
	if a.issuer != "" && a.issuer != certs.DistinguishedName(cert.Issuer) || a.subject != "" && a.subject != certs.DistinguishedName(cert.Subject) {
		return certs.ErrBadSpecified
	}
	return nil
}
