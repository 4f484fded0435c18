package replication

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"strconv"
	"time"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
)

const (
	connectTimeout = 10 * time.Second
	eventsAhead    = 64 // events that are read while earlier ones are applied
	minPosition    = 4  // of an event in a file
)

// identity is how this server makes itself known.
type identity struct {
	id   uint32 // server_id
	uuid string
	host string // report_host
	port uint16
	semi bool // rpl_semi_sync_replica_enabled
}

// stream is a connection on which a source sends its log.
type stream struct {
	c      *client.Conn
	parser *replication.BinlogParser
	sums   bool // events bear checksums
	known  bool // the parser knows whether they do: it has seen a format description
	semi   bool // the source asks for answers: semi-synchronous replication
	events chan received
}

// received is an event, or why there are no more.
type received struct {
	event  *replication.BinlogEvent
	answer bool // the source waits to hear that what ends with it is safe
	err    error
}

// semiMark stands before the events for a semi-synchronous replica, with 1 behind it if an answer is wanted, and before the answer.
const semiMark = 0xef

// dial connects.
func dial(ctx context.Context, src *Source) (*stream, error) {
	short, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	c, err := client.ConnectWithContext(short, net.JoinHostPort(src.Host, strconv.Itoa(int(src.Port))), src.User, src.Password, "", connectTimeout,
		func(c *client.Conn) error {
			c.SetAttributes(map[string]string{"_client_role": "binary_log_listener"})
			return nil
		})
	if err != nil {
		return nil, err
	}
	s := &stream{c: c, parser: newParser(), events: make(chan received, eventsAhead)}
	return s, c.SetReadDeadline(time.Now().Add(readTimeout))
}

func newParser() *replication.BinlogParser {
	p := replication.NewBinlogParser()
	p.SetFlavor(mysql.MySQLFlavor)
	p.SetVerifyChecksum(true)
	p.SetTimestampStringLocation(time.UTC)
	p.SetRowsEventDecodeFunc(leaveDocuments)
	return p
}

// introduce tells the source what it wants to know of a replica before it sends anything: it sets the variables a source looks at, by their names of before and
// after 8.0.26, and registers the replica. algorithm is the source's binlog_checksum.
func (s *stream) introduce(src *Source, own identity, algorithm string) error {
	s.sums = algorithm != "NONE"
	for _, prefix := range []string{"source", "master"} {
		if _, err := s.c.Execute(fmt.Sprintf("SET @%s_binlog_checksum = '%s', @%[1]s_heartbeat_period = %[3]d", prefix, algorithm, src.Heartbeat)); err != nil {
			return err
		}
	}
	if own.semi {
		if err := s.offerAnswers(); err != nil {
			return err
		}
	}
	if _, err := s.c.Execute(fmt.Sprintf("SET @replica_uuid = '%s', @slave_uuid = '%[1]s'", own.uuid)); err != nil {
		return err
	}
	host := own.host[:min(len(own.host), 60)]
	p := binary.LittleEndian.AppendUint32([]byte{mysql.COM_REGISTER_SLAVE}, own.id)
	p = append(append(p, byte(len(host))), host...)
	p = append(p, 0, 0) // user and password are nobody's business
	p = binary.LittleEndian.AppendUint16(p, own.port)
	p = append(p, make([]byte, 8)...) // rank and source id: not used
	if err := s.command(p); err != nil {
		return err
	}
	_, err := s.c.ReadOKPacket()
	return err
}

// offerAnswers makes the replica a semi-synchronous one, if the source knows of such.
func (s *stream) offerAnswers() error {
	res, err := s.c.Execute("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('rpl_semi_sync_source_enabled', 'rpl_semi_sync_master_enabled')")
	if err != nil || res.RowNumber() == 0 {
		return err
	}
	_, err = s.c.Execute("SET @rpl_semi_sync_replica = 1, @rpl_semi_sync_slave = 1")
	s.semi = err == nil
	return err
}

// answer tells the source that all up to a place is safe here. The reader may be in the middle of a packet, whose count it has not to disturb.
func (s *stream) answer(at Place) error {
	p := binary.LittleEndian.AppendUint64([]byte{byte(1 + 8 + len(at.File)), 0, 0, 0, semiMark}, uint64(at.Position))
	_, err := s.c.Conn.Conn.Write(append(p, at.File...))
	return err
}

// command sends a command.
func (s *stream) command(payload []byte) error {
	s.c.ResetSequence()
	return s.c.WritePacket(append(make([]byte, 4), payload...)) // room for the header
}

// fromPlace asks for what comes behind a place in the source's log.
func (s *stream) fromPlace(at Place, own identity) error {
	p := binary.LittleEndian.AppendUint32([]byte{mysql.COM_BINLOG_DUMP}, max(at.Position, minPosition))
	p = binary.LittleEndian.AppendUint16(p, 0)
	p = binary.LittleEndian.AppendUint32(p, own.id)
	return s.command(append(p, at.File...))
}

// fromSet asks for the transactions that are not in a set.
func (s *stream) fromSet(set *binlog.Set, own identity) error {
	p := binary.LittleEndian.AppendUint16([]byte{mysql.COM_BINLOG_DUMP_GTID}, 0)
	p = binary.LittleEndian.AppendUint32(p, own.id)
	p = binary.LittleEndian.AppendUint32(p, 0) // no name of a file
	p = binary.LittleEndian.AppendUint64(p, minPosition)
	p = binary.LittleEndian.AppendUint32(p, uint32(set.BinarySize()))
	return s.command(set.AppendBinary(p))
}

// receive reads events until the stream is closed.
func (s *stream) receive(ctx context.Context) {
	defer close(s.events)
	for {
		r := s.read()
		select {
		case s.events <- r:
		case <-ctx.Done():
			return
		}
		if r.err != nil {
			return
		}
	}
}

func (s *stream) read() (r received) {
	if err := s.c.SetReadDeadline(time.Now().Add(readTimeout)); err != nil {
		return received{err: err}
	}
	p, err := s.c.ReadPacket()
	switch {
	case err != nil:
		return received{err: err}
	case len(p) > 0 && p[0] == mysql.ERR_HEADER:
		return received{err: s.c.HandleErrorPacket(p)}
	case len(p) == 0 || p[0] != mysql.OK_HEADER:
		return received{err: errors.New("the source ended its log")}
	}
	p = p[1:]
	if s.semi && len(p) > 2 && p[0] == semiMark {
		r.answer = p[1] == 1
		p = p[2:]
	}
	if r.answer {
		s.c.Conn.Sequence = 1 // the source counts its packets anew behind one that wants an answer
	}
	r.event, r.err = s.parse(p)
	return r
}

// parse reads an event. The first one, which names the file, comes before the parser knows of checksums.
func (s *stream) parse(b []byte) (*replication.BinlogEvent, error) {
	if n := len(b) - replication.BinlogChecksumLength; !s.known && s.sums && n >= replication.EventHeaderSize {
		switch replication.EventType(b[4]) {
		case replication.FORMAT_DESCRIPTION_EVENT:
			s.known = true
		case replication.ROTATE_EVENT:
			if sum := crc32.ChecksumIEEE(b[:n]); sum != binary.LittleEndian.Uint32(b[n:]) {
				return nil, replication.ErrChecksumMismatch
			}
			b = b[:n]
			binary.LittleEndian.PutUint32(b[9:], uint32(n)) // the event's length
		}
	}
	return parseEvent(s.parser, b)
}

// next waits for an event. While none comes, waiting is told once.
func (s *stream) next(ctx context.Context, waiting func()) received {
	short := time.NewTimer(idle)
	defer short.Stop()
	for {
		select {
		case r := <-s.events:
			return r
		case <-short.C:
			waiting()
		case <-ctx.Done():
			return received{err: ctx.Err()}
		}
	}
}
