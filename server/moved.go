package server

// A connection on its way: exported by the old process, restored by the new one. The library is
// played a login back, as for every connection (login.go), but no packet of it reaches the client,
// who has sent nothing.

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/server/commands"
	"emberdb/server/wire"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
	"emberdb/sql/token"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sessionstate"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// movedConn is a connection on its way.
type movedConn struct {
	ID           uint32
	Capabilities uint32
	Charset      byte
	User         string
	Account      trees.Role
	Attributes   [][2]string
	Unix, Secure bool
	Proxied      string // address told by a proxy
	WithPassword bool
	Sandbox      bool
	LoginTime    time.Time
	Relayed      *movedPeer // the socket is one end of a relay
	TLS          *movedTLS
	Pending      []byte // what the client has sent, and nobody has read
	Compression  *movedCompression
	StatusFlags  uint16

	LastStatement uint32
	Statements    map[uint32]movedStatement
	Named         map[string]movedStatement

	Commands          map[string]uint32
	Slow              uint32
	BytesIn, BytesOut uint64
	Questions         uint64

	Session *sessionstate.Moved
}

// movedPeer is the client of a relay.
type movedPeer struct{ Network, Address string }

// movedTLS is what is known of a client's TLS.
type movedTLS struct {
	Version, Cipher uint16
	Server          string
	Certificates    [][]byte
	Verified        bool

	state tls.ConnectionState
}

// movedStatement is a prepared statement.
type movedStatement struct {
	Text     string
	Mode     uint32
	Charset  string
	Database string
	Types    []int32 // of the parameters, as the client has told them
}

// export tells what the connection is.
// REQUIRES: its own goroutine, between two commands; stays is "".
func (w *wireConn) export(globals map[string]sessionstate.MovedValue) (*movedConn, error) {
	s, err := w.session.(*sqllayer.Session).Move(globals)
	if err != nil {
		return nil, err
	}
	m := &movedConn{ID: w.id, Capabilities: w.caps, Charset: w.charset, User: w.user, Account: trees.Role{User: w.account.user, Host: w.account.host},
		Unix: w.unix, Secure: w.secure, WithPassword: w.withPassword, Sandbox: w.sandbox, LoginTime: w.loginTime, TLS: w.exportTLS(),
		Pending: w.rd.Buffered(), Compression: w.exportCompression(), StatusFlags: w.conn.StatusFlags, LastStatement: w.conn.StatementID,
		Statements: map[uint32]movedStatement{}, Named: map[string]movedStatement{}, Commands: map[string]uint32{},
		Slow: w.slow.Load(), BytesIn: w.bytesIn.Load(), BytesOut: w.bytesOut.Load(), Questions: w.questions.Load(), Session: s}
	if w.proxied != nil {
		m.Proxied = w.proxied.String()
	}
	if m.TLS != nil {
		addr := w.Conn.RemoteAddr()
		m.Relayed = &movedPeer{Network: addr.Network(), Address: addr.String()}
	}
	for _, a := range w.attrs {
		m.Attributes = append(m.Attributes, [2]string{a.name, a.value})
	}
	for id, p := range w.statements {
		one := exportStatement(p)
		if data := w.conn.PrepareData[id]; data != nil {
			one.Types = data.ParamsType
		}
		m.Statements[id] = one
	}
	for name, p := range w.named {
		m.Named[name] = exportStatement(p)
	}
	for i, name := range commands.ComNames {
		if n := w.commands[i].Load(); n > 0 {
			m.Commands[name] = n
		}
	}
	return m, nil
}

func exportStatement(p *preparedStatement) movedStatement {
	m := movedStatement{Text: p.Text, Mode: uint32(p.Options.Mode), Database: p.db}
	if p.Options.Charset != nil {
		m.Charset = p.Options.Charset.Name()
	}
	return m
}

func (w *wireConn) exportTLS() *movedTLS {
	state, ok := w.tlsState()
	if !ok {
		return nil
	}
	m := &movedTLS{Version: state.Version, Cipher: state.CipherSuite, Server: state.ServerName, Verified: len(state.VerifiedChains) > 0}
	for _, c := range state.PeerCertificates {
		m.Certificates = append(m.Certificates, c.Raw)
	}
	return m
}

// restore makes state of what has moved.
func (m *movedTLS) restore() error {
	m.state = tls.ConnectionState{HandshakeComplete: true, Version: m.Version, CipherSuite: m.Cipher, ServerName: m.Server}
	for _, raw := range m.Certificates {
		c, err := x509.ParseCertificate(raw)
		if err != nil {
			return err
		}
		m.state.PeerCertificates = append(m.state.PeerCertificates, c)
	}
	if m.Verified {
		m.state.VerifiedChains = [][]*x509.Certificate{m.state.PeerCertificates}
	}
	return nil
}

// relayedConn is the socket of a relay, with the address of the client behind it.
type relayedConn struct {
	*net.UnixConn
	remote net.Addr
}

// RemoteAddr implements net.Conn.
func (c relayedConn) RemoteAddr() net.Addr { return c.remote }

// SyscallConn implements syscall.Conn.
func (c relayedConn) SyscallConn() (syscall.RawConn, error) { return c.UnixConn.SyscallConn() }

// readMoved reads the state that the previous process has handed over.
func (s *Server) readMoved() error {
	if s.cfg.Moved == nil {
		return nil
	}
	if err := json.Unmarshal(s.cfg.Moved.State, &s.movedState); err != nil {
		return fmt.Errorf("the state of the previous process cannot be read: %w", err)
	}
	s.lastID.Store(s.movedState.LastID)
	return nil
}

// arrive serves the connections of the previous process. Those that cannot go on are told 1053.
func (s *Server) arrive() {
	for _, m := range s.movedState.Connections {
		f := s.cfg.Moved.Files[socketName(m.ID)]
		if f == nil {
			continue
		}
		c, err := m.socket(f)
		f.Close()
		if err != nil {
			s.log.Error("a connection of the previous process is lost", "connection", m.ID, "error", err)
			continue
		}
		s.accept.later(s.adopt(c, m))
	}
	s.movedState.Connections = nil
	if s.cfg.Moved == nil {
		return
	}
	for name, f := range s.cfg.Moved.Files { // nobody listens there any more: clients are not to wait
		if strings.HasPrefix(name, "listen-") {
			f.Close()
		}
	}
}

// socket makes a connection of the descriptor.
func (m *movedConn) socket(f *os.File) (net.Conn, error) {
	c, err := net.FileConn(f)
	if err != nil || m.Relayed == nil {
		return c, err
	}
	u, ok := c.(*net.UnixConn)
	remote, rerr := net.ResolveTCPAddr("tcp", m.Relayed.Address)
	if !ok || m.Relayed.Network == "tcp" && rerr != nil {
		c.Close()
		return nil, fmt.Errorf("the relay of %s is none: %w", m.Relayed.Address, rerr)
	}
	if m.Relayed.Network != "tcp" {
		return relayedConn{u, localAddr{}}, nil
	}
	return relayedConn{u, remote}, nil
}

// loginAgain makes the connection one that has logged in, as it has in another process.
func (w *wireConn) loginAgain() error {
	m := w.arrived
	w.user, w.caps, w.charset, w.loginTime = m.User, m.Capabilities, m.Charset, m.LoginTime
	w.unix, w.secure, w.withPassword, w.sandbox = m.Unix, m.Secure, m.WithPassword, m.Sandbox
	if m.Proxied != "" {
		client, err := netip.ParseAddrPort(m.Proxied)
		if err != nil {
			return err
		}
		w.proxied = net.TCPAddrFromAddrPort(client)
	}
	for _, a := range m.Attributes {
		w.attrs = append(w.attrs, attribute{a[0], a[1]})
	}
	if m.TLS != nil {
		if err := m.TLS.restore(); err != nil {
			return err
		}
		w.tlsThere = m.TLS
	}
	if err := w.resumeCompression(m.Compression); err != nil {
		return err
	}
	if err := w.rd.Preload(m.Pending); err != nil {
		return err
	}
	acct, known := w.srv.accounts.named(m.Account)
	if w.srv.accounts.open.Load() {
		acct, known = everyman, true
	}
	if !known {
		return fmt.Errorf("there is no account %s any more", m.Account)
	}
	w.used = w.srv.usage.Of(acct.name())
	w.setAccount(acct)
	for i, name := range commands.ComNames {
		w.commands[i].Store(m.Commands[name])
	}
	w.slow.Store(m.Slow)
	w.bytesIn.Store(m.BytesIn)
	w.bytesOut.Store(m.BytesOut)
	w.questions.Store(m.Questions)
	w.phase = phaseLoggedIn
	w.in = w.syntheticLogin()
	w.filter = w.finishLoginAgain
	return nil
}

// finishLoginAgain keeps the library's verdict from the client.
func (w *wireConn) finishLoginAgain(p []byte) (bool, error) {
	body := w.assemble(p)
	if body == nil {
		return true, nil
	}
	w.filter = nil
	if body[0] == wire.OK {
		w.phase = phaseServing
		return true, nil
	}
	w.sendLast(0, sqlerr.NewError(1053, "Server shutdown in progress"))
	return true, nil
}

// restore makes session and prepared statements what they were in another process.
func (h *handler) restore(c *mysql.Conn, w *wireConn) error {
	m := w.arrived
	w.arrived = nil
	own, ok := w.session.(*sqllayer.Session)
	if !ok {
		return fmt.Errorf("a session of type %T cannot be restored", w.session)
	}
	if err := own.Arrive(m.Session, h.s.movedState.Globals); err != nil {
		h.s.log.Error("a connection that has come from the previous process ends", "connection", w.id, "error", err)
		return err
	}
	w.followVariables()
	w.process.setDatabase(m.Session.Database)
	c.StatusFlags, c.StatementID = m.StatusFlags, m.LastStatement
	w.statements, w.named = map[uint32]*preparedStatement{}, map[string]*preparedStatement{}
	for id, one := range m.Statements {
		p, err := one.restore()
		if err != nil {
			return err
		}
		if err := w.keepPrepared(p); err != nil {
			return err
		}
		w.statements[id] = p
		data := &mysql.PrepareData{StatementID: id, PrepareStmt: sqllayer.LibraryText(p.Text, p.Options), ParamsCount: uint16(p.Params), ParamsType: make([]int32, p.Params)}
		copy(data.ParamsType, one.Types)
		data.BindVars = make(map[string]*querypb.BindVariable, p.Params)
		c.PrepareData[id] = data
	}
	for name, one := range m.Named {
		p, err := one.restore()
		if err != nil {
			return err
		}
		if err := w.keepPrepared(p); err != nil {
			return err
		}
		w.named[name] = p
	}
	return nil
}

// restore reads the statement again. Its plan is made when it runs.
func (m movedStatement) restore() (*preparedStatement, error) {
	st, _, err := statement.Read(m.Text, parse.Options{Mode: token.Mode(m.Mode), Charset: token.FindCharset(m.Charset), Version: tabledef.VersionNumber})
	if err != nil {
		return nil, fmt.Errorf("a prepared statement cannot be read: %w", err)
	}
	return &preparedStatement{Statement: st, db: m.Database, arrived: true}, nil
}

// later passes a connection to the protocol library without waiting until it asks for one.
func (a *acceptor) later(w *wireConn) { go a.deliver(w) }
