package server

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/dolthub/vitess/go/mysql"
)

// Packets of the client/server protocol.
//
//	0      3     4
//	+------+-----+---------------------------+
//	| len  | seq | payload, len bytes        |   len is little-endian; 0xFFFFFF means another frame continues the payload
//	+------+-----+---------------------------+
//
// The connection phase (login.go) and the commands the protocol library does not know (command.go) speak packets directly;
// everything else flows through wireConn unchanged.

const (
	headerSize   = 4
	maxFrame     = 1<<24 - 1
	maxLoginSize = 64 << 10 // a client that is not logged in sends nothing larger

	packetOK   = 0x00
	packetMore = 0x01
	packetEOF  = 0xfe
	packetErr  = 0xff
)

// Capability flags the protocol library does not name.
const (
	capConnectAttrs   = 1 << 20
	capInteractive    = 1 << 10
	capPluginLenEnc   = 1 << 21
	capExpiredPwd     = 1 << 22
	capSecureConn     = 1 << 15
	capProtocol41     = 1 << 9
	capPluginAuth     = 1 << 19
	capConnectWithDB  = 1 << 3
	capSSL            = 1 << 11
	capMultiStmts     = 1 << 16
	capMultiResults   = 1 << 17
	capPSMultiResults = 1 << 18
	capTransactions   = 1 << 13
	capLongPassword   = 1 << 0
	capFoundRows      = 1 << 1
	capLongFlag       = 1 << 2
	capLocalFiles     = 1 << 7
	capIgnoreSpace    = 1 << 8
	capDeprecateEOF   = 1 << 24
)

// frame builds one packet.
func frame(seq byte, payload []byte) []byte {
	b := make([]byte, headerSize, headerSize+len(payload))
	putHeader(b, len(payload), seq)
	return append(b, payload...)
}

// frames is a payload of any length. One that fills its last frame is followed by an empty frame.
func frames(seq byte, payload []byte) []byte {
	b := make([]byte, 0, len(payload)+headerSize*(len(payload)/maxFrame+1))
	for {
		n := min(len(payload), maxFrame)
		b = append(b, frame(seq, payload[:n])...)
		seq++
		if payload = payload[n:]; n < maxFrame {
			return b
		}
	}
}

func putHeader(b []byte, n int, seq byte) {
	b[0], b[1], b[2], b[3] = byte(n), byte(n>>8), byte(n>>16), seq
}

func frameLen(h []byte) int { return int(h[0]) | int(h[1])<<8 | int(h[2])<<16 }

// errPayload is the body of an ERR packet. Before the handshake response the SQLSTATE is left out, as MySQL does.
func errPayload(e *mysql.SQLError, withState bool) []byte {
	b := []byte{packetErr, byte(e.Num), byte(e.Num >> 8)}
	if withState {
		state := e.State
		if len(state) != 5 {
			state = mysql.SSUnknownSQLState
		}
		b = append(append(b, '#'), state...)
	}
	return append(b, e.Message...)
}

func okPayload(status uint16) []byte {
	return []byte{packetOK, 0, 0, byte(status), byte(status >> 8), 0, 0}
}

// readFrame reads one frame of at most limit bytes.
func readFrame(r io.Reader, limit int) (seq byte, payload []byte, err error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, nil, err
	}
	n := frameLen(h[:])
	if n > limit {
		return 0, nil, fmt.Errorf("packet of %d bytes, expected at most %d", n, limit)
	}
	payload = make([]byte, n)
	if _, err := io.ReadFull(r, payload); err != nil {
		return 0, nil, err
	}
	return h[3], payload, nil
}

// cursor reads fields off a payload; the first short read sets bad and every later one returns zero values.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) bytes(n int) []byte {
	if n < 0 || n > len(c.b) || c.bad {
		c.bad = true
		return nil
	}
	v := c.b[:n]
	c.b = c.b[n:]
	return v
}

func (c *cursor) uint8() byte {
	if v := c.bytes(1); v != nil {
		return v[0]
	}
	return 0
}

func (c *cursor) uint16() uint16 {
	if v := c.bytes(2); v != nil {
		return binary.LittleEndian.Uint16(v)
	}
	return 0
}

func (c *cursor) uint32() uint32 {
	if v := c.bytes(4); v != nil {
		return binary.LittleEndian.Uint32(v)
	}
	return 0
}

// cstring reads up to a NUL byte, which it consumes; a missing NUL ends the payload.
func (c *cursor) cstring() string {
	for i, ch := range c.b {
		if ch == 0 {
			v := string(c.b[:i])
			c.b = c.b[i+1:]
			return v
		}
	}
	v := string(c.b)
	c.b = nil
	return v
}

// appendLenEnc writes a length as lenEnc reads it.
func appendLenEnc(b []byte, n uint64) []byte {
	switch {
	case n < 0xfb:
		return append(b, byte(n))
	case n < 1<<16:
		return binary.LittleEndian.AppendUint16(append(b, 0xfc), uint16(n))
	case n < 1<<24:
		return append(b, 0xfd, byte(n), byte(n>>8), byte(n>>16))
	}
	return binary.LittleEndian.AppendUint64(append(b, 0xfe), n)
}

func (c *cursor) lenEnc() int {
	switch first := c.uint8(); first {
	case 0xfc:
		return int(c.uint16())
	case 0xfd:
		v := c.bytes(3)
		if v == nil {
			return 0
		}
		return int(v[0]) | int(v[1])<<8 | int(v[2])<<16
	case 0xfe:
		v := c.bytes(8)
		if v == nil {
			return 0
		}
		n := binary.LittleEndian.Uint64(v)
		if n > 1<<31 {
			c.bad = true
			return 0
		}
		return int(n)
	case 0xfb, 0xff:
		c.bad = true
		return 0
	default:
		return int(first)
	}
}
