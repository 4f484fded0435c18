// Package wire is a MySQL client that costs little: it sends statements and counts the rows that
// come back, without making Go values of them. A load driver shares its machine with the server it
// measures, so each microsecond the client takes is one the server lacks.
//
// go-sql-driver/mysql logs in, which knows the authentication plugins; from then on the command
// phase on its connection is spoken here. A connection belongs to one goroutine. TLS and
// compression are never used.
//
//	packet      length 3 | sequence 1 | payload, at most 2^24-1 bytes
//	answer      OK 00 ... | ERR ff code 2 '#' state 5 text | column count, columns, [EOF], rows, EOF or OK fe ...
//
// What a column or a value means is of no interest: only the kind of each packet is looked at.
package wire

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Capability flags and commands of the protocol.
const (
	capMySQL         = 1 << 0
	capDeprecateEOF  = 1 << 24
	extCacheMetadata = 1 << 4 // MariaDB: columns are not sent again when they are the same

	comQuery       = 0x03
	comStmtPrepare = 0x16
	comStmtExecute = 0x17

	maxPayload = 1<<24 - 1
)

// Result is what a statement's answer says.
type Result struct {
	Rows     int    // rows of the result set
	Affected uint64 // rows changed
}

// Conn is one connection.
type Conn struct {
	nc       net.Conn
	raw      syscall.RawConn // of nc
	login    driver.Conn     // owns nc; closing it says goodbye
	timeout  time.Duration
	deadline time.Time // as set last
	caps     uint32
	ext      uint32

	out  []byte // the packet being built
	swap swap
	in   []byte // bytes received
	r, w int    // in[r:w] is unread
	seq  byte
	err  error // sticky: the stream is out of step
}

// Dial logs in as cfg says.
func Dial(ctx context.Context, cfg *mysql.Config) (*Conn, error) {
	c := &Conn{timeout: cfg.ReadTimeout, in: make([]byte, 16<<10)}
	own := cfg.Clone()
	switch own.TLSConfig {
	case "", "false", "preferred":
		own.TLSConfig, own.TLS = "", nil
	default:
		return nil, fmt.Errorf("tls=%s: this client speaks without TLS", own.TLSConfig)
	}
	c.swap.step = c.swapStep
	spy := &loginConn{}
	own.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		nc, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		c.nc, spy.Conn = nc, nc
		return spy, err
	}
	connector, err := mysql.NewConnector(own)
	if err != nil {
		return nil, err
	}
	if c.login, err = connector.Connect(ctx); err != nil {
		return nil, err
	}
	if len(spy.response) < 36 {
		c.login.Close()
		return nil, errors.New("the handshake response was not seen")
	}
	sc, ok := c.nc.(syscall.Conn)
	if !ok {
		c.login.Close()
		return nil, fmt.Errorf("%s: not a socket of the system", own.Net)
	}
	if c.raw, err = sc.SyscallConn(); err != nil {
		c.login.Close()
		return nil, err
	}
	c.caps = binary.LittleEndian.Uint32(spy.response[4:])
	if c.caps&capMySQL == 0 {
		c.ext = binary.LittleEndian.Uint32(spy.response[32:])
	}
	return c, nil
}

// loginConn remembers the client's handshake response, which holds the capabilities both sides
// agreed on.
type loginConn struct {
	net.Conn
	response []byte
}

func (l *loginConn) Write(p []byte) (int, error) {
	if l.response == nil {
		l.response = append([]byte{}, p...)
	}
	return l.Conn.Write(p)
}

// SyscallConn lets the driver look whether an idle connection is still good.
func (l *loginConn) SyscallConn() (syscall.RawConn, error) {
	sc, ok := l.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return sc.SyscallConn()
}

// Hang breaks the connection off. Another goroutine may wait for an answer.
func (c *Conn) Hang() error { return c.nc.Close() }

// Close ends the connection.
func (c *Conn) Close() error {
	if c.err != nil {
		c.nc.Close() // no goodbye on a stream out of step
	}
	return c.login.Close()
}

// PeerPID is the process at the other end of a unix socket, 0 for other connections.
func (c *Conn) PeerPID() int {
	if _, ok := c.nc.(*net.UnixConn); !ok {
		return 0
	}
	pid := 0
	_ = c.raw.Control(func(fd uintptr) {
		if cred, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
			pid = int(cred.Pid)
		}
	})
	return pid
}

// Query runs a statement in the text protocol.
func (c *Conn) Query(text []byte) (Result, error) {
	c.begin(comQuery)
	c.out = append(c.out, text...)
	return c.roundTrip()
}

// Exec is Query for a string.
func (c *Conn) Exec(text string) (Result, error) {
	c.begin(comQuery)
	c.out = append(c.out, text...)
	return c.roundTrip()
}

func (c *Conn) roundTrip() (Result, error) {
	if err := c.send(); err != nil {
		return Result{}, err
	}
	return c.answer()
}

// begin starts a command packet; the header is filled in by send.
func (c *Conn) begin(command byte) { c.out = append(c.out[:0], 0, 0, 0, 0, command) }

func (c *Conn) send() error {
	if c.err != nil {
		return c.err
	}
	n := len(c.out) - 4
	if n >= maxPayload {
		return fmt.Errorf("statement of %d bytes: at most %d", n, maxPayload-1)
	}
	c.out[0], c.out[1], c.out[2], c.out[3] = byte(n), byte(n>>8), byte(n>>16), 0
	c.seq = 1
	if err := c.setDeadline(); err != nil {
		return c.fail(err)
	}
	c.r, c.w = 0, 0
	c.swap.sent, c.swap.err = -1, nil
	if err := c.raw.Read(c.swap.step); err != nil {
		return c.fail(err)
	}
	if c.swap.err != nil {
		return c.fail(c.swap.err)
	}
	if c.swap.sent < len(c.out) {
		if _, err := c.nc.Write(c.out[c.swap.sent:]); err != nil {
			return c.fail(err)
		}
	}
	return nil
}

// swap is the state of sending a packet and waiting for the first bytes of its answer in one go.
type swap struct {
	sent int // bytes of the packet; -1 before it was tried
	err  error
	step func(fd uintptr) bool // swapStep, bound once
}

// swapStep is called by RawConn.Read at once, and again whenever the socket may have bytes. Sending
// in the first call saves the read that a plain Write and Read pair would make in vain before it
// waits: the runtime forgets earlier news of the socket before that call, so an answer that comes
// early is not missed.
func (c *Conn) swapStep(fd uintptr) (done bool) {
	s := &c.swap
	if s.sent < 0 {
		n, err := ignoringEINTR(syscall.Write, int(fd), c.out)
		if err == syscall.EAGAIN {
			n, err = 0, nil
		}
		s.sent, s.err = max(n, 0), err
		return err != nil || s.sent < len(c.out)
	}
	n, err := ignoringEINTR(syscall.Read, int(fd), c.in)
	switch {
	case err == syscall.EAGAIN:
		return false
	case err == nil && n == 0:
		err = io.ErrUnexpectedEOF
	}
	s.err, c.w = err, max(n, 0)
	return true
}

func ignoringEINTR(f func(int, []byte) (int, error), fd int, p []byte) (int, error) {
	for {
		if n, err := f(fd, p); err != syscall.EINTR {
			return n, err
		}
	}
}

// setDeadline moves the deadline when an eighth of the timeout has passed since it was set: timers
// cost too.
func (c *Conn) setDeadline() error {
	if c.timeout <= 0 {
		return nil
	}
	d := time.Now().Add(c.timeout)
	if d.Sub(c.deadline) < c.timeout/8 {
		return nil
	}
	c.deadline = d
	return c.nc.SetDeadline(d)
}

func (c *Conn) fail(err error) error {
	if c.err == nil {
		c.err = err
	}
	return c.err
}

// longRow stands for a payload that goes on in further packets, which only a row does.
var longRow = []byte{0}

// packet returns the next payload, valid until the next call.
func (c *Conn) packet() ([]byte, error) {
	p, err := c.part()
	if len(p) < maxPayload || err != nil {
		return p, err
	}
	for len(p) == maxPayload {
		if p, err = c.part(); err != nil {
			return nil, err
		}
	}
	return longRow, nil
}

func (c *Conn) part() ([]byte, error) {
	if err := c.fill(4); err != nil {
		return nil, err
	}
	h := c.in[c.r : c.r+4]
	n := int(h[0]) | int(h[1])<<8 | int(h[2])<<16
	if h[3] != c.seq {
		return nil, c.fail(fmt.Errorf("packet %d where %d was expected", h[3], c.seq))
	}
	c.seq++
	if err := c.fill(4 + n); err != nil {
		return nil, err
	}
	p := c.in[c.r+4 : c.r+4+n]
	c.r += 4 + n
	return p, nil
}

// fill makes sure that n unread bytes are there.
func (c *Conn) fill(n int) error {
	if c.w-c.r >= n {
		return nil
	}
	if c.r == c.w {
		c.r, c.w = 0, 0
	}
	if c.r+n > len(c.in) {
		to := c.in
		if n > len(c.in) {
			to = make([]byte, n+len(c.in))
		}
		c.w = copy(to, c.in[c.r:c.w])
		c.r, c.in = 0, to
	}
	for c.w-c.r < n {
		m, err := c.nc.Read(c.in[c.w:])
		c.w += m
		if err != nil && c.w-c.r < n {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return c.fail(err)
		}
	}
	return nil
}

// errShort is the sticky error of an answer that ends early.
var errShort = errors.New("an answer of the server is cut short")

// answer reads all of a statement's answer.
func (c *Conn) answer() (Result, error) {
	var res Result
	p, err := c.packet()
	if err != nil {
		return res, err
	}
	if len(p) == 0 {
		return res, c.fail(errShort)
	}
	switch p[0] {
	case 0x00:
		res.Affected, _ = lenenc(p[1:])
		return res, nil
	case 0xff:
		return res, c.serverError(p)
	case 0xfb:
		return res, c.fail(errors.New("the server asks for a file"))
	}
	columns, size := lenenc(p)
	if c.ext&extCacheMetadata == 0 || size < len(p) && p[size] != 0 {
		if err := c.skipColumns(int(columns)); err != nil {
			return res, err
		}
	}
	return c.rows(res)
}

func (c *Conn) rows(res Result) (Result, error) {
	for {
		p, err := c.packet()
		switch {
		case err != nil:
			return res, err
		case len(p) > 0 && p[0] == 0xfe && (c.caps&capDeprecateEOF != 0 || len(p) < 9):
			return res, nil
		case len(p) > 0 && p[0] == 0xff:
			return res, c.serverError(p)
		}
		res.Rows++
	}
}

// skipColumns reads n definitions and the EOF packet older servers put behind them.
func (c *Conn) skipColumns(n int) error {
	if n == 0 {
		return nil
	}
	if c.caps&capDeprecateEOF == 0 {
		n++
	}
	for range n {
		if _, err := c.packet(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Conn) serverError(p []byte) error {
	if len(p) < 3 {
		return c.fail(errShort)
	}
	e := &mysql.MySQLError{Number: binary.LittleEndian.Uint16(p[1:])}
	p = p[3:]
	if len(p) >= 6 && p[0] == '#' {
		copy(e.SQLState[:], p[1:6])
		p = p[6:]
	}
	e.Message = string(p)
	return e
}

// lenenc decodes a length-encoded number and tells its size; a number cut short is 0.
func lenenc(p []byte) (uint64, int) {
	if len(p) == 0 {
		return 0, 0
	}
	size := 1
	switch p[0] {
	case 0xfc:
		size = 3
	case 0xfd:
		size = 4
	case 0xfe:
		size = 9
	default:
		return uint64(p[0]), 1
	}
	if len(p) < size {
		return 0, len(p)
	}
	n := uint64(0)
	for i := size - 1; i > 0; i-- {
		n = n<<8 | uint64(p[i])
	}
	return n, size
}

func appendLenenc(b []byte, n int) []byte {
	switch {
	case n < 251:
		return append(b, byte(n))
	case n < 1<<16:
		return append(b, 0xfc, byte(n), byte(n>>8))
	default:
		return append(b, 0xfd, byte(n), byte(n>>8), byte(n>>16))
	}
}
