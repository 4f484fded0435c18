package server

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/perfschema"
	"emberdb/replication"
	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/server/logs"
	"emberdb/server/sources"
	"emberdb/server/wire"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// wireConn stands between the socket and the protocol library (vitess' mysql.Conn), which reads and
// writes it as a net.Conn. It does what the library cannot:
//
//   - the connection phase: greeting, TLS, authentication (login.go). The library sees a synthetic
//     login that always succeeds.
//   - limits: max_allowed_packet, sequence numbers, empty and cut packets, idle and network
//     timeouts (reaper.go)
//   - commands the library lacks (command.go): COM_CHANGE_USER, COM_STATISTICS, COM_DEBUG,
//     COM_PROCESS_KILL, ...
//   - an error after rows were sent, which the library answers by dropping the connection
//     (failMidResult)
//   - the text of a statement to prepare (prepare.go)
//
// Life of a connection:
//
//	greet --login()--> loggedIn --vitess: OK--> serving --close--> closed
//
// While serving, the connection is idle (waiting for a command), reading (a command is arriving) or
// busy (it runs). Only the goroutine of the library's Conn reads and writes; the reaper and KILL
// only close the socket, and write the farewell of an idle connection after winning the
// compare-and-swap idle -> closed.
//
// Invariants:
//
//	(1) in holds bytes for the library that the client did not send; they go before anything from
//	    the socket.
//	(2) A command's first frame is looked at before the library sees it; its body is not buffered
//	    unless command.go takes it.
//	(3) held is at most one packet header the library wrote apart from its body; it is on the
//	    socket before the next read.
type wireConn struct {
	net.Conn // the socket; everything not overridden

	srv      *Server
	commands [commands.NumCommands]atomic.Uint32 // Com_* of the session
	slow     atomic.Uint32
	raw      net.Conn // what is read and written: the socket (socket.go), or TLS over it
	rd       *wire.Reader
	framed   *compressedConn // between rd and raw; nil: packets are as they are
	conn     *mysql.Conn     // the library's side, known from NewConnection on

	// Login.
	phase       phase
	id          uint32
	caps        uint32
	stateless   bool     // the client is of a protocol whose errors have no SQLSTATE
	tracker     *tracker // nil: the client does not ask for its session's changes
	charset     byte
	account     clientAccount                 // who the client is; for the connection's own goroutine
	public      atomic.Pointer[clientAccount] // the same, for others
	used        *grants.AccountUsage          // what the account has used; nil: the connection is the server's own
	user        string                        // the name the client gave
	database    string                        // the database the client asked for
	attrs       []attribute
	compression compression
	salt        []byte
	seq         byte // next sequence number of the login or of a command answered here
	secure      bool // TLS or unix socket
	unix        bool
	proxied     *net.TCPAddr                  // the client's address, told by a proxy; nil: the socket's
	named       map[string]*preparedStatement // of PREPARE, by their names in small letters
	statements  map[uint32]*preparedStatement // of COM_STMT_PREPARE, by their numbers
	inside      bool                          // the replica's, which writes for another server
	role        string                        // in the process list, see process
	replay      *replication.Replay           // of BINLOG statements; nil: there were none
	event       *sqllayer.Event               // the connection is to run it, nil: a client's
	locksTables bool                          // the session is under LOCK TABLES, as flushLock knows
	loginTime   time.Time

	// Serving.
	state  atomic.Uint64 // idle, reading, busy or closed, with the tick it began
	writeT atomic.Int64  // tick at which a write began, 0 if none
	in     []byte        // invariant (1)
	left   int           // bytes of the current frame not yet read
	more   bool          // the current frame is continued by another
	total  int           // bytes of the current command so far
	upload bool          // LOAD DATA LOCAL: frames are data until an empty one
	held   [wire.HeaderSize]byte
	nheld  int
	filter func(p []byte) (done bool, err error) // looks at what the library writes; nil while there is nothing to look at
	fed    byte                                  // frames of the command that the library is given; answers go on from there
	shift  renumber

	cmd        byte            // the running command
	decoded    string          // the statements that are left of a text, in UTF-8
	attributed bool            // the client says something of the command
	useCursor  bool            // COM_STMT_EXECUTE asked for a cursor
	cursorErr  *mysql.SQLError // why it failed
	cursor     *cursor         // that was opened last, nil if it was closed
	prep       prepareState
	change     *changeUser
	hangUp     atomic.Bool // close once the running command is answered

	// Session. vars are copies of session variables the server needs without a statement context.
	withPassword bool // the login had one

	sandbox bool // the password has expired: only a new one may be set
	session sql.Session
	vars    connVars
	process *process

	// For performance_schema.
	observed atomic.Pointer[perfschema.Thread] // nil: nobody looks
	counted  [len(observedRows)]uint64         // of the session, when the last statement had ended
	waited   uint64                            // for locks, likewise

	slowBegan logs.SlowBegin // what was counted when the running statement began; for the slow log

	replica  atomic.Pointer[replicaInfo] // what a replica said of itself
	compiled compiledConn                // statements with a program; for the connection's own goroutine

	bytesIn   atomic.Uint64
	bytesOut  atomic.Uint64
	questions atomic.Uint64

	// Moving to another process, or from one: move.go, moved.go.
	woken    chan struct{}     // wake has set a deadline
	gone     atomic.Bool       // the connection goes on in another process
	relay    *sources.TlsRelay // passes its bytes on to that process
	arrived  *movedConn        // what the connection was in another process; nil when that is restored
	tlsThere *movedTLS         // the other process passes the bytes of a client over TLS on

	killed    atomic.Bool
	closeOnce sync.Once
	closed    atomic.Bool
}

type phase uint8

const (
	phaseGreet phase = iota
	phaseLoggedIn
	phaseServing
)

// States of a serving connection, in the top byte of wireConn.state.
const (
	stateLogin uint64 = iota << 56
	stateIdle
	stateReading
	stateBusy
	stateClosed
	stateMoving        // see move.go
	stateMask   uint64 = 0xff << 56
)

// connVars mirror session variables; SET updates them through NotifyChanged.
type connVars struct {
	waitTimeout      atomic.Int64 // seconds
	netReadTimeout   atomic.Int64
	netWriteTimeout  atomic.Int64
	maxAllowedPacket atomic.Int64
	maxExecutionTime atomic.Int64 // milliseconds
	longQueryMicros  atomic.Int64
	statementMemory  atomic.Int64
	connectionMemory atomic.Int64
	tracksMemory     atomic.Bool
	prepared         int64 // statements of this connection
}

func newWireConn(s *Server, sock net.Conn) *wireConn {
	w := &wireConn{Conn: sock, srv: s, raw: wire.NewSocket(sock), woken: make(chan struct{}, 1)}
	w.rd = wire.NewReader(w.raw)
	_, w.unix = sock.(*net.UnixConn)
	w.secure = w.unix
	w.filter = w.swallowGreeting
	w.setState(stateLogin)
	return w
}

func (w *wireConn) setState(st uint64) {
	w.state.Store(st | uint64(w.srv.tick.Load()))
}

// advance moves from one state to another unless the reaper closed the connection meanwhile.
func (w *wireConn) advance(from, to uint64) bool {
	old := w.state.Load()
	return old&stateMask == from && w.state.CompareAndSwap(old, to|uint64(w.srv.tick.Load()))
}

// errHungUp ends the library's read loop without a word in the log.
var errHungUp = io.EOF

// Read gives the library its next bytes.
func (w *wireConn) Read(p []byte) (int, error) {
	if err := w.flushHeld(); err != nil {
		return 0, err
	}
	for {
		switch {
		case len(w.in) > 0:
			n := copy(p, w.in)
			w.in = w.in[n:]
			return n, nil
		case w.phase == phaseGreet && w.arrived != nil:
			if err := w.loginAgain(); err != nil {
				w.srv.log.Error("a connection that has come from the previous process ends", "connection", w.id, "error", err)
				w.sendLast(0, sqlerr.NewError(1053, "Server shutdown in progress"))
				return 0, errHungUp
			}
		case w.phase == phaseGreet:
			if err := w.login(); err != nil {
				return 0, errHungUp
			}
		case w.left > 0:
			return w.readBody(p)
		case w.more || w.upload:
			if err := w.nextFrame(); err != nil {
				return 0, err
			}
		default:
			if err := w.nextCommand(); err != nil {
				return 0, err
			}
		}
	}
}

func (w *wireConn) readBody(p []byte) (int, error) {
	n, err := w.rd.Read(p[:min(len(p), w.left)])
	w.left -= n
	w.received(n)
	if w.left == 0 && !w.more {
		w.advance(stateReading, stateBusy)
	} else {
		w.advance(stateReading, stateReading) // something came: the timeout starts anew
	}
	return n, err
}

// nextFrame starts a continuation frame or a frame of an uploaded file.
func (w *wireConn) nextFrame() error {
	w.advance(stateBusy, stateReading)
	h, err := w.rd.Peek(wire.HeaderSize)
	if err != nil && w.upload {
		return io.ErrUnexpectedEOF // io.EOF would be taken for the end of the file
	}
	if err != nil {
		return errHungUp
	}
	n := wire.FrameLen(h)
	if w.upload {
		w.upload = n != 0
		w.left = wire.HeaderSize + n
		return nil
	}
	w.total += n
	if int64(w.total) > w.vars.maxAllowedPacket.Load() {
		return w.refuseOversized(h[3], n)
	}
	w.more, w.left = n == wire.MaxFrame, wire.HeaderSize+n
	return nil
}

// nextCommand waits for a command and decides whether the library or this server answers it.
func (w *wireConn) nextCommand() error {
	if w.hangUp.Load() || w.killed.Load() {
		return errHungUp
	}
	w.endCommand()
	if !w.advance(stateBusy, stateIdle) && !w.advance(stateLogin, stateIdle) {
		return errHungUp
	}
	h, err := w.awaitCommand()
	if err != nil {
		return err
	}
	n, seq := wire.FrameLen(h), h[3]
	switch {
	case seq != 0:
		return w.refuse(seq, sqlerr.NewError(1156, "Got packets out of order"))
	case n == 0:
		return w.refuse(seq, sqlerr.NewError(1835, "Malformed communication packet."))
	case int64(n) > w.vars.maxAllowedPacket.Load():
		return w.refuseOversized(seq, n)
	}
	h, err = w.rd.Peek(wire.HeaderSize + 1)
	if err != nil {
		w.lost(err)
		return errHungUp
	}
	w.cmd, w.total, w.more = h[wire.HeaderSize], n, n == wire.MaxFrame
	n, taken, err := w.cutAttributes(n)
	if !taken && err == nil {
		taken, err = w.take(n)
	}
	if taken || err != nil {
		return err
	}
	w.left = wire.HeaderSize + n
	return nil
}

// awaitCommand waits for the first bytes of a command.
func (w *wireConn) awaitCommand() ([]byte, error) {
	for {
		if m := w.srv.moving.Load(); m != nil && !w.meetsMove(m) {
			return nil, errHungUp
		}
		w.rd.Rest()
		h, err := w.rd.Peek(wire.HeaderSize)
		switch {
		case w.awakened():
		case err != nil:
			w.lost(err)
			return nil, errHungUp
		case !w.advance(stateIdle, stateReading):
			if !w.awakened() {
				return nil, errHungUp
			}
		default:
			return h, nil
		}
	}
}

// endCommand forgets what belonged to the last command.
func (w *wireConn) endCommand() {
	w.filter, w.useCursor, w.cursorErr, w.upload = nil, false, nil, false
	w.prep = prepareState{}
	w.fed, w.shift = 1, renumber{}
	w.tell(nil)
	if w.tracker != nil {
		w.tracker.nextCommand(w.session)
	}
}

// lost counts a client that went away without COM_QUIT.
func (w *wireConn) lost(err error) {
	if w.closed.Load() || errors.Is(err, net.ErrClosed) {
		return
	}
	w.srv.counters.abortedClients.Add(1)
}

// Write takes what the library wants to send.
func (w *wireConn) Write(p []byte) (int, error) {
	if w.filter != nil {
		done, err := w.filter(p)
		if done || err != nil {
			return len(p), err
		}
	}
	if w.nheld == 0 && len(p) == wire.HeaderSize {
		// The library writes short answers as header and body; one system call is enough (invariant
		// 3).
		w.nheld = copy(w.held[:], p)
		return len(p), nil
	}
	if isUploadRequest(p, w.held[:w.nheld]) {
		w.upload = true
	}
	if w.nheld > 0 {
		b := append(w.held[:w.nheld:w.nheld], p...)
		w.nheld = 0
		_, err := w.send(b)
		return len(p), err
	}
	_, err := w.send(p)
	return len(p), err
}

// isUploadRequest recognizes the packet that asks the client for a file (LOAD DATA LOCAL).
func isUploadRequest(p, held []byte) bool {
	if len(held) == 0 && len(p) > wire.HeaderSize {
		held, p = p[:wire.HeaderSize], p[wire.HeaderSize:]
	}
	return len(held) == wire.HeaderSize && held[3] == 1 && p[0] == 0xfb && wire.FrameLen(held) == len(p)
}

// renumber corrects the sequence numbers of answers to a command of more frames, or fewer, than the
// library is given.
type renumber struct {
	by   byte
	head [wire.HeaderSize]byte // of the packet that is being sent
	n    int                   // bytes of it
	left int                   // bytes of the packet's body
}

// apply changes the headers in the next bytes of the stream of packets.
func (r *renumber) apply(p []byte) {
	for i := 0; i < len(p); {
		if r.left > 0 {
			n := min(r.left, len(p)-i)
			r.left -= n
			i += n
			continue
		}
		r.head[r.n] = p[i]
		if r.n++; r.n == wire.HeaderSize {
			p[i] += r.by
			r.n, r.left = 0, wire.FrameLen(r.head[:])
		}
		i++
	}
}

func (w *wireConn) send(p []byte) (int, error) {
	if w.shift.by != 0 {
		w.shift.apply(p)
	}
	w.writeT.Store(w.srv.tick.Load())
	n, err := w.write(p)
	w.writeT.Store(0)
	w.srv.counters.bytesSent.Add(int64(n))
	w.bytesOut.Add(uint64(n))
	return n, err
}

func (w *wireConn) received(n int) {
	if w.framed != nil {
		n = w.framed.in.TakeReceived()
	}
	w.srv.counters.bytesReceived.Add(int64(n))
	w.bytesIn.Add(uint64(n))
}

func (w *wireConn) flushHeld() error {
	if w.nheld == 0 {
		return nil
	}
	n := w.nheld
	w.nheld = 0
	_, err := w.send(w.held[:n])
	return err
}

// watchCursor corrects the answer to a COM_STMT_EXECUTE with a cursor that failed: the library
// loses its error.
func (w *wireConn) watchCursor() {
	w.filter = func(p []byte) (bool, error) {
		if w.cursorErr == nil || len(p) < wire.HeaderSize+1 || p[wire.HeaderSize] != wire.Err {
			return false, nil
		}
		e := w.cursorErr
		w.filter = nil
		_, err := w.send(wire.Frame(p[3], wire.ErrorPayload(e, true)))
		return true, err
	}
}

// Close ends the connection. It may be called from any goroutine and more than once.
func (w *wireConn) Close() error {
	var err error
	w.closeOnce.Do(func() {
		w.closed.Store(true)
		if w.gone.Load() { // what its client sees is the next process's
			if w.relay == nil {
				err = w.Conn.Close()
			}
			return
		}
		if t, ok := w.raw.(*tls.Conn); ok {
			t.SetWriteDeadline(time.Now().Add(time.Second))
			t.CloseWrite()
		}
		w.lingeringClose()
		err = w.Conn.Close()
	})
	return err
}

// lingeringClose lets the client read the last packet: closing a socket with unread input would
// reset it.
func (w *wireConn) lingeringClose() {
	half, ok := w.Conn.(interface{ CloseWrite() error })
	if !ok || !w.hangUp.Load() {
		return
	}
	half.CloseWrite()
	w.Conn.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	io.Copy(io.Discard, io.LimitReader(w.Conn, wire.MaxFrame))
}
