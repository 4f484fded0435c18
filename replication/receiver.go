package replication

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/binlog"
	"emberdb/replication/relay"
)

// Codes of errors that come from no server.
const (
	codeApply       = 1105
	codeConnect     = 2003
	codeLost        = 2013
	codeEqualIDs    = 13117
	codeSourceGone  = 1236 // what the source says when it cannot give what is asked for
	codeDamaged     = 1595 // an event cannot be queued
	codeDeadlock    = 1213
	codeInterrupted = 1317
	codeTimeout     = 1205
	codeFatal       = 1593
)

// receive is the receiver: it connects, and writes what the source sends to the relay log, until it
// is stopped or something is wrong that waiting does not mend.
func (c *Channel) receive(ctx context.Context, src Source, l *relay.Log, ended chan struct{}) {
	defer close(ended)
	tries := 0
	for ctx.Err() == nil {
		before := l.State().End
		err := c.follow(ctx, &src, l)
		if ctx.Err() != nil {
			break
		}
		if l.State().End != before {
			tries = 0
		}
		tries++
		fatal := isFatal(err) || src.RetryCount > 0 && tries > src.RetryCount
		c.receiverFault(&src, err, tries)
		if fatal {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(src.ConnectRetry):
		}
	}
	if _, err := l.Begin(); err != nil { // what came of a transaction goes
		c.log.Error("the relay log cannot be cut", "error", err)
	}
	c.change(func(s *Status) { s.Connected, s.Answers, s.ReceiverState = false, false, "" })
}

// isFatal tells errors that another connection does not mend.
func isFatal(err error) bool {
	var damage *relay.EventError
	switch code := codeOf(err); code {
	case codeSourceGone, codeEqualIDs, codeFatal:
		return true
	default:
		return errors.As(err, &damage) || errors.Is(err, errSetup)
	}
}

// errSetup marks errors of this server's settings.
var errSetup = errors.New("the channel cannot connect")

// errConnect marks an error of connecting.
type errConnect struct{ error }

func (e errConnect) Unwrap() error { return e.error }

// receiverFault notes why the receiver does not go on, in MySQL's words.
func (c *Channel) receiverFault(src *Source, err error, tries int) {
	code, text := codeOf(err), err.Error()
	var damage *relay.EventError
	var connect errConnect
	message := func() string {
		var e *mysql.MyError
		if errors.As(err, &e) {
			return e.Message
		}
		return text
	}
	switch {
	case errors.As(err, &connect):
		if code == 0 {
			code = codeConnect
		}
		text = fmt.Sprintf("Error connecting to source '%s@%s:%d'. This was attempt %d/%d, with a delay of %d seconds between attempts. Message: %s",
			src.User, src.Host, src.Port, tries, src.RetryCount, int(src.ConnectRetry.Seconds()), message())
	case errors.As(err, &damage):
		code, text = codeDamaged, "Relay log write failure: could not queue event from source: "+text
	case code == codeSourceGone:
		text = fmt.Sprintf("Got fatal error %d from source when reading data from binary log: '%s'", code, message())
	case code != 0 && code != codeEqualIDs && code != codeFatal:
		text = fmt.Sprintf("Error reading packet from server: %s (server_errno=%d)", message(), code)
	case code == 0:
		code, text = codeLost, "Error reading packet from server: "+text
	default:
		text = message()
	}
	c.log.Error("replication: "+text, "code", code)
	c.change(func(s *Status) {
		s.Connected, s.Answers, s.ReceiverState = false, false, stateReconnect
		s.IO = Fault{code, text, time.Now()}
	})
}

// follow connects and receives until something fails.
func (c *Channel) follow(ctx context.Context, src *Source, l *relay.Log) error {
	settings, own := c.local.Settings(), c.local.Identity()
	c.change(func(s *Status) { s.ReceiverState = stateConnecting })
	at, err := l.Begin()
	if err != nil {
		return err
	}
	st, err := dial(ctx, src, c.local.Files(), settings.Timeout)
	if err != nil {
		return errConnect{err}
	}
	defer st.c.Close()
	stop := context.AfterFunc(ctx, func() { _ = st.c.Conn.Conn.Close() }) // who waits for the source is woken
	defer stop()
	algorithm, err := c.greet(st, src, &own)
	if err != nil {
		return err
	}
	if err := st.introduce(src, own, algorithm); err != nil {
		return err
	}
	if err := c.request(st, src, own, l, at); err != nil {
		return err
	}
	c.change(func(s *Status) {
		s.Connected, s.Answers, s.IO, s.ReceiverState = true, st.semi, Fault{}, stateWaiting
	})
	for {
		if err := c.queue(ctx, st, src, l, settings.Space); err != nil {
			return err
		}
	}
}

// greet asks the source who it is, and gives its binlog_checksum.
func (c *Channel) greet(st *stream, src *Source, own *Identity) (algorithm string, err error) {
	res, err := st.c.Execute("SELECT @@server_id, @@server_uuid, @@GLOBAL.binlog_checksum")
	if codeOf(err) == mysql.ER_UNKNOWN_SYSTEM_VARIABLE { // MariaDB's servers have no UUIDs
		if res, err = st.c.Execute("SELECT @@server_id, '', @@GLOBAL.binlog_checksum"); err == nil {
			err = c.greetMariaDB(st, src)
		}
	}
	if err != nil {
		return "", err
	}
	id, err := res.GetUint(0, 0)
	if err != nil {
		return "", err
	}
	if uint32(id) == own.ID {
		return "", mysql.NewError(codeEqualIDs, "The replica I/O thread stops because source and replica have equal MySQL server ids; these ids must be different for replication to work (or the --replicate-same-server-id option must be used on replica but this does not always make sense; please check the manual before using it).")
	}
	name, err := res.GetString(0, 1)
	if err != nil {
		return "", err
	}
	if strings.EqualFold(name, own.UUID) {
		return "", mysql.NewError(codeFatal, "Fatal error: The replica I/O thread stops because source and replica have equal MySQL server UUIDs; these UUIDs must be different for replication to work.")
	}
	c.change(func(s *Status) { s.SourceID, s.SourceUUID = uint32(id), name })
	return res.GetString(0, 2)
}

// request asks for the log: what is neither in gtid_executed nor received, or what comes behind the
// place.
func (c *Channel) request(st *stream, src *Source, own Identity, l *relay.Log, at Place) error {
	if !src.Auto {
		return st.fromPlace(at, own)
	}
	mode, executed := c.local.GTIDs()
	if mode == "OFF" {
		return fmt.Errorf("%w: SOURCE_AUTO_POSITION needs log_bin and a gtid_mode that is not OFF", errSetup)
	}
	set := executed.Clone()
	set.Union(l.State().Received)
	return st.fromSet(set, own)
}

// queue takes one event of the source.
func (c *Channel) queue(ctx context.Context, st *stream, src *Source, l *relay.Log, space int64) error {
	event, answer, err := st.read()
	if err != nil {
		return err
	}
	h, err := binlog.ParseHeader(event)
	if err == nil && (h.Type == binlog.EventHeartbeat || h.Type == binlog.EventHeartbeatV2) {
		c.change(func(s *Status) { s.Heartbeats, s.Heartbeat = s.Heartbeats+1, time.Now() })
		return nil
	}
	if note, ok, err := binlog.Note(event, st.sums); ok && err == nil {
		c.local.HotSet(note)
		return nil
	}
	if space > 0 && l.State().Space > space {
		if err := c.awaitSpace(ctx, l, space); err != nil {
			return err
		}
	}
	ends, err := l.Append(event, st.sums)
	if err == nil && h.Type == binlog.EventFormatDescription { // it tells of the events behind it
		st.sums = (&binlog.Event{Raw: event}).TellsChecksums()
	}
	if err != nil || !answer || !ends {
		return err
	}
	if err := l.Sync(); err != nil {
		return err
	}
	return st.answer(l.State().Read)
}

// awaitSpace waits until the applier has left files of the relay log, or has read all there is.
func (c *Channel) awaitSpace(ctx context.Context, l *relay.Log, limit int64) error {
	c.change(func(s *Status) { s.ReceiverState = stateSpace })
	defer c.change(func(s *Status) { s.ReceiverState = stateWaiting })
	for {
		s := l.State()
		if s.Space <= limit || c.Status().Applied.InRelay() == s.End {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(idle):
		}
	}
}

const idle = 50 * time.Millisecond
