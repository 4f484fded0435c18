package backup

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/server"

	"emberdb/binlog"
)

// Feed gives binary logs to a server as a source of replication does, as far as a goal. It listens
// on a loopback port, for one account of its own.
type Feed struct {
	files    []*LogFile
	goal     Goal
	listener net.Listener
	server   *server.Server
	Password string
	id       uint32
	uuid     string

	bytes atomic.Int64
	mu    sync.Mutex
	sent  FeedState
}

// FeedState is how far a feed is.
type FeedState struct {
	Complete     bool   // all that is to be applied has been sent
	File         string // where the last transaction sent ends
	Pos          int64
	Transactions int64
	Last         binlog.GTID
	At           time.Time   // when it was committed
	Executed     *binlog.Set // with Complete: what is applied when all that was sent is
	Short        bool        // the logs end before the goal's time: nothing tells what the server committed behind them
	Err          error       // the logs cannot be read, or the goal is not in them
}

// feedUser is the account of the server that follows.
const feedUser = "restore"

// NewFeed begins to listen.
func NewFeed(files []*LogFile, goal Goal) (*Feed, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	var b [20]byte
	_, _ = rand.Read(b[:]) // never fails
	f := &Feed{files: files, goal: goal, listener: l, Password: hex.EncodeToString(b[:16]), id: 1<<31 | binary.LittleEndian.Uint32(b[16:])>>1,
		server: server.NewServer("8.4.8-ember-restore", mysql.DEFAULT_COLLATION_ID, mysql.AUTH_CACHING_SHA2_PASSWORD, nil, nil)}
	f.uuid = fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[4:10])
	return f, nil
}

// Port is where it listens; the account is User with Password.
func (f *Feed) Port() int { return f.listener.Addr().(*net.TCPAddr).Port }

// User is the account of the server that follows.
func (f *Feed) User() string { return feedUser }

// State returns how far the feed is.
func (f *Feed) State() FeedState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent
}

// Sent is how many bytes of the logs were read so far.
func (f *Feed) Sent() int64 { return f.bytes.Load() }

// Total is how many bytes the logs have.
func (f *Feed) Total() (n int64) {
	for _, l := range f.files {
		n += l.Size
	}
	return n
}

// Serve answers the server that follows, until ctx ends.
func (f *Feed) Serve(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { _ = f.listener.Close() })
	defer stop()
	for {
		c, err := f.listener.Accept()
		if err != nil {
			return
		}
		go f.connection(ctx, c)
	}
}

func (f *Feed) connection(ctx context.Context, c net.Conn) {
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	defer c.Close()
	h := &follower{ctx: ctx, f: f}
	conn, err := f.server.NewConn(c, feedUser, f.Password, h)
	if err != nil {
		return
	}
	for h.c = conn; err == nil; {
		err = conn.HandleCommand()
	}
}

// follower is a connection of the server that follows.
type follower struct {
	server.EmptyHandler
	ctx context.Context
	f   *Feed
	c   *server.Conn
}

// HandleQuery answers what a replica asks its source before it reads.
func (h *follower) HandleQuery(query string) (*mysql.Result, error) {
	words := strings.Fields(query)
	if len(words) == 0 || !strings.EqualFold(words[0], "SELECT") {
		if len(words) > 0 && strings.EqualFold(words[0], "SHOW") {
			set, err := mysql.BuildSimpleTextResultset([]string{"Variable_name", "Value"}, nil)
			return mysql.NewResult(set), err
		}
		return mysql.NewResultReserveResultset(0), nil
	}
	var names []string
	var row []any
	for item := range strings.SplitSeq(strings.TrimSpace(query)[len("SELECT"):], ",") {
		name := strings.TrimSpace(item)
		names = append(names, name)
		row = append(row, h.variable(strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(name), "@@"), "global.")))
	}
	set, err := mysql.BuildSimpleTextResultset(names, [][]any{row})
	return mysql.NewResult(set), err
}

func (h *follower) variable(name string) any {
	switch name {
	case "server_id":
		return h.f.id
	case "server_uuid":
		return h.f.uuid
	case "binlog_checksum":
		return "CRC32"
	case "gtid_mode":
		return "ON"
	case "unix_timestamp()":
		return time.Now().Unix()
	case "version":
		return "8.4.8"
	}
	return ""
}

// HandleOtherCommand answers the commands of replicas.
func (h *follower) HandleOtherCommand(cmd byte, data []byte) error {
	switch cmd {
	case mysql.COM_REGISTER_SLAVE:
		return nil
	case mysql.COM_BINLOG_DUMP:
		if len(data) < 10 {
			return mysql.ErrMalformPacket
		}
		return h.dump(string(data[10:]), int64(binary.LittleEndian.Uint32(data)), nil)
	case mysql.COM_BINLOG_DUMP_GTID:
		set, err := dumpedSet(data)
		if err != nil {
			return err
		}
		return h.dump("", 0, set)
	}
	return h.EmptyHandler.HandleOtherCommand(cmd, data)
}

// dumpedSet reads the set of a COM_BINLOG_DUMP_GTID: flags 2, server id 4, length of a name 4,
// name, position 8, length of the set 4, set.
func dumpedSet(data []byte) (*binlog.Set, error) {
	if len(data) < 10 {
		return nil, mysql.ErrMalformPacket
	}
	n := uint64(binary.LittleEndian.Uint32(data[6:]))
	if uint64(len(data)) < 22+n {
		return nil, mysql.ErrMalformPacket
	}
	return binlog.ParseBinary(data[22+n:])
}

// dump sends the logs from a place on, or what is not in a set, and then waits for the connection's
// end.
func (h *follower) dump(file string, pos int64, set *binlog.Set) error {
	s := &sender{h: h, set: set}
	err := s.run(file, pos)
	h.f.mu.Lock()
	if h.f.sent.Err, h.f.sent.Complete = err, err == nil; err == nil {
		h.f.sent.Executed = s.known.Clone()
	}
	h.f.mu.Unlock()
	if err != nil {
		return mysql.NewError(mysql.ER_MASTER_FATAL_ERROR_READING_BINLOG, err.Error())
	}
	for beat := time.NewTicker(5 * time.Second); ; {
		select {
		case <-h.ctx.Done():
			beat.Stop()
			return h.ctx.Err()
		case <-beat.C:
			at := h.f.State()
			if err := s.send(binlog.AppendHeartbeat(nil, h.f.id, cmp.Or(at.File, s.file.Name), uint64(at.Pos))); err != nil {
				beat.Stop()
				return err
			}
		}
	}
}

// sender sends logs on one connection.
type sender struct {
	h     *follower
	set   *binlog.Set // transactions that are not sent; nil: the place says what is
	file  *LogFile
	skip  int64 // up to where the file's events are not sent
	begun binlog.Begun
	ends  int64       // of the transaction that is being sent
	known *binlog.Set // of transactions with GTIDs, those that are applied when all that was sent is
	later bool        // the file that the sending began with is over
	held  [][]byte    // events between transactions of later files, sent before the next transaction
}

// errGoal ends the sending where the goal is reached.
var errGoal = errors.New("goal reached")

func (s *sender) run(name string, pos int64) error {
	first, err := firstLog(s.h.ctx, s.h.f.files, name, s.set)
	if err != nil {
		return err
	}
	s.known = new(binlog.Set)
	if s.set != nil {
		s.known = s.set.Clone()
	}
	for i, f := range s.h.f.files[first:] {
		if i > 0 {
			pos = int64(len(logMagic))
			if err := follows(s.file, f); err != nil {
				return err
			}
		}
		s.file, s.later, s.ends = f, i > 0, 0
		if err := s.between(binlog.AppendArtificialRotate(nil, s.h.f.id, f.Name, uint64(max(pos, int64(len(logMagic)))))); err != nil {
			return err
		}
		if err := s.sendFile(max(pos, int64(len(logMagic)))); err != nil {
			if errors.Is(err, errGoal) {
				err = nil
			}
			return err
		}
	}
	s.h.f.mu.Lock()
	s.h.f.sent.Short = !s.h.f.goal.Time.IsZero()
	s.h.f.mu.Unlock()
	return s.h.f.goal.unreached(s.file, s.known)
}

// sendFile sends the events of the file from a position on.
func (s *sender) sendFile(pos int64) error {
	s.skip = pos
	for e, err := range s.file.events(s.h.ctx) {
		if err != nil {
			return err
		}
		s.h.f.bytes.Add(int64(len(e.Raw)))
		if err := s.event(e); err != nil {
			return err
		}
	}
	return nil
}

// event sends an event unless it is to be passed over. A transaction is sent whole or not at all.
func (s *sender) event(e *binlog.Event) error {
	if e.Type == binlog.EventFormatDescription {
		return s.between(describe(e.Raw, s.skip > e.Pos))
	}
	if e.Pos < s.skip {
		return nil
	}
	b, begins, err := e.Begins()
	if err != nil {
		return err
	}
	if begins {
		if err := s.decide(e, b); err != nil {
			return err
		}
		if e.Pos < s.skip {
			return nil
		}
	} else if e.Pos >= s.ends {
		if !isBetween(e.Type) {
			return damaged(s.file.Path(), "at %d: a %s event of no transaction; logs of MySQL 5.6 or of MariaDB cannot be applied", e.Pos, e.Type)
		}
		s.later = s.later || e.Type == binlog.EventRotate
		return s.between(e.Raw)
	}
	for _, raw := range s.held {
		if err := s.send(raw); err != nil {
			return err
		}
	}
	s.held = nil
	if err := s.send(e.Raw); err != nil {
		return err
	}
	if e.End() == s.ends {
		s.done()
	}
	return nil
}

// describe makes a format description one of a closed file; elsewhere, one that does not stand
// where the sending begins. It always ends with a checksum.
func describe(raw []byte, elsewhere bool) []byte {
	raw[17] &^= byte(binlog.FlagInUse)
	if elsewhere {
		binary.LittleEndian.PutUint32(raw[13:], 0)
	}
	n := len(raw) - 4
	binary.LittleEndian.PutUint32(raw[n:], crc32.ChecksumIEEE(raw[:n]))
	return raw
}

// between sends an event that stands between transactions. In a later file it waits for the next
// transaction: the follower's place is then behind the last one until there is another.
func (s *sender) between(raw []byte) error {
	if !s.later {
		return s.send(raw)
	}
	s.held = append(s.held, raw)
	return nil
}

// isBetween tells the events that stand between transactions.
func isBetween(t binlog.EventType) bool {
	switch t {
	case binlog.EventPreviousGTIDs, binlog.EventRotate, binlog.EventStop, binlog.EventIgnorable:
		return true
	}
	return false
}

// decide tells of a transaction whether it is sent: skip is moved behind it if not.
func (s *sender) decide(e *binlog.Event, b binlog.Begun) error {
	g := s.h.f.goal
	end := e.Pos + b.Length
	switch {
	case !g.Time.IsZero() && !b.Committed.Before(g.Time),
		g.Before != nil && b.GTID == *g.Before,
		g.File != "" && (laterLog(s.file.Name, g.File) || s.file.Name == g.File && end > g.Pos),
		g.After != nil && s.known.ContainsSet(g.After),
		end > s.file.Size: // cut off
		return errGoal
	}
	if s.set != nil && b.GTID.N != 0 && s.set.Contains(b.GTID) {
		s.skip = end
		return nil
	}
	s.begun, s.ends = b, end
	return nil
}

// done notes that a transaction was sent whole.
func (s *sender) done() {
	if s.begun.GTID.N != 0 {
		s.known.Add(s.begun.GTID)
	}
	f := s.h.f
	f.mu.Lock()
	f.sent = FeedState{File: s.file.Name, Pos: s.ends, Transactions: f.sent.Transactions + 1, Last: s.begun.GTID, At: s.begun.Committed}
	f.mu.Unlock()
}

// send writes an event as a packet.
func (s *sender) send(raw []byte) error {
	p := make([]byte, 5, 5+len(raw)) // the frame's head, and OK
	return s.h.c.WritePacket(append(p, raw...))
}
