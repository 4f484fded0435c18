package replication

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
	"emberdb/internal/vfs"
)

const (
	connectTimeout = 10 * time.Second
	minPosition    = 4 // of an event in a file
)

// stream is a connection on which a source sends its log.
type stream struct {
	c       *client.Conn
	packets *packets
	sums    bool          // events bear checksums: as asked for, then as the last format description tells
	semi    bool          // the source asks for answers: semi-synchronous replication
	timeout time.Duration // without an event or heartbeat
}

// semiMark stands before the events for a semi-synchronous replica, with 1 behind it if an answer
// is wanted, and before the answer.
const semiMark = 0xef

// dial connects.
func dial(ctx context.Context, src *Source, fs vfs.FS, timeout time.Duration) (*stream, error) {
	short, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	config, err := src.TLS.config(fs, src.Host)
	if err != nil {
		return nil, err
	}
	var from net.Dialer
	if src.Bind != "" {
		from.LocalAddr = &net.TCPAddr{IP: net.ParseIP(src.Bind)}
	}
	c, err := client.ConnectWithDialer(short, "tcp", net.JoinHostPort(src.Host, strconv.Itoa(int(src.Port))), src.User, src.Password, "", from.DialContext,
		func(c *client.Conn) error {
			c.SetAttributes(map[string]string{"_client_role": "binary_log_listener"})
			if config != nil {
				c.SetTLSConfig(config)
			}
			for _, name := range strings.Split(src.Compression, ",") {
				if bit := compressions[strings.TrimSpace(name)]; bit != 0 {
					c.SetCapability(bit)
					break
				}
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return &stream{c: c, packets: newPackets(c.Conn.Conn, c.Compression), timeout: timeout}, c.SetReadDeadline(time.Now().Add(timeout))
}

var compressions = map[string]uint32{"zlib": mysql.CLIENT_COMPRESS, "zstd": mysql.CLIENT_ZSTD_COMPRESSION_ALGORITHM}

func newParser() *replication.BinlogParser {
	p := replication.NewBinlogParser()
	p.SetFlavor(mysql.MySQLFlavor)
	p.SetVerifyChecksum(true)
	p.SetTimestampStringLocation(time.UTC)
	p.SetRowsEventDecodeFunc(leaveDocuments)
	return p
}

// introduce tells the source what it wants to know of a replica before it sends anything: it sets
// the variables a source looks at, by their names of before and after 8.0.26, and registers the
// replica. algorithm is the source's binlog_checksum.
func (s *stream) introduce(src *Source, own Identity, algorithm string) error {
	s.sums = algorithm != "NONE"
	for _, prefix := range []string{"source", "master"} {
		if _, err := s.c.Execute(fmt.Sprintf("SET @%s_binlog_checksum = '%s', @%[1]s_heartbeat_period = %[3]d", prefix, algorithm, src.Heartbeat)); err != nil {
			return err
		}
	}
	if own.Semi {
		if err := s.offerAnswers(); err != nil {
			return err
		}
	}
	hot := ""
	if own.Hot {
		hot = ", @ember_hot_set = 1"
	}
	if _, err := s.c.Execute(fmt.Sprintf("SET @replica_uuid = '%s', @slave_uuid = '%[1]s'%s", own.UUID, hot)); err != nil {
		return err
	}
	host := own.Host[:min(len(own.Host), 60)]
	p := binary.LittleEndian.AppendUint32([]byte{mysql.COM_REGISTER_SLAVE}, own.ID)
	p = append(append(p, byte(len(host))), host...)
	p = append(p, 0, 0) // user and password are nobody's business
	p = binary.LittleEndian.AppendUint16(p, own.Port)
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

// answer tells the source that all up to a place is safe here. The reader may be in the middle of a
// packet, whose count it has not to disturb.
func (s *stream) answer(at Place) error {
	p := binary.LittleEndian.AppendUint64([]byte{byte(1 + 8 + len(at.File)), 0, 0, 0, semiMark}, uint64(at.Position))
	p = append(p, at.File...)
	if s.c.Compression != mysql.MYSQL_COMPRESS_NONE {
		p = frame(p)
	}
	_, err := s.c.Conn.Conn.Write(p)
	return err
}

// command sends a command.
func (s *stream) command(payload []byte) error {
	s.c.ResetSequence()
	return s.c.WritePacket(append(make([]byte, 4), payload...)) // room for the header
}

// fromPlace asks for what comes behind a place in the source's log.
func (s *stream) fromPlace(at Place, own Identity) error {
	p := binary.LittleEndian.AppendUint32([]byte{mysql.COM_BINLOG_DUMP}, max(at.Position, minPosition))
	p = binary.LittleEndian.AppendUint16(p, 0)
	p = binary.LittleEndian.AppendUint32(p, own.ID)
	return s.command(append(p, at.File...))
}

// fromSet asks for the transactions that are not in a set.
func (s *stream) fromSet(set *binlog.Set, own Identity) error {
	p := binary.LittleEndian.AppendUint16([]byte{mysql.COM_BINLOG_DUMP_GTID}, 0)
	p = binary.LittleEndian.AppendUint32(p, own.ID)
	p = binary.LittleEndian.AppendUint32(p, 0) // no name of a file
	p = binary.LittleEndian.AppendUint64(p, minPosition)
	p = binary.LittleEndian.AppendUint32(p, uint32(set.BinarySize()))
	return s.command(set.AppendBinary(p))
}

// read reads an event, as the source sent it. answer: the source waits to hear that what ends with
// it is safe.
func (s *stream) read() (event []byte, answer bool, err error) {
	if err := s.c.SetReadDeadline(time.Now().Add(s.timeout)); err != nil {
		return nil, false, err
	}
	p, err := s.packets.next()
	switch {
	case err != nil:
		return nil, false, err
	case len(p) > 0 && p[0] == mysql.ERR_HEADER:
		return nil, false, s.c.HandleErrorPacket(p)
	case len(p) == 0 || p[0] != mysql.OK_HEADER:
		return nil, false, errors.New("the source ended its log")
	}
	p = p[1:]
	if s.semi && len(p) > 2 && p[0] == semiMark {
		answer = p[1] == 1
		p = p[2:]
	}
	return p, answer, nil
}
