// Package wire reads and writes what travels on a client's connection: packets, their fields, and
// the socket below them. It knows neither sessions nor statements.
//
// A frame of the client/server protocol:
//
//	0      3     4
//	+------+-----+---------------------------+
//	| len  | seq | payload, len bytes        |
//	+------+-----+---------------------------+
//
// The length is little-endian. A length of 0xFFFFFF means that another frame continues the payload.
//
// Invariants:
//
//	(1) A length that a client sends is compared with a limit before memory is allocated.
//	(2) A Cursor never reads beyond its payload; a short read makes it bad for good.
package wire

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/dolthub/vitess/go/mysql"
)

const (
	HeaderSize   = 4
	MaxFrame     = 1<<24 - 1
	MaxLoginSize = 64 << 10 // a client that is not logged in sends nothing larger

	OK   = 0x00
	More = 0x01
	EOF  = 0xfe
	Err  = 0xff
)

// Capability flags the protocol library does not name.
const (
	CapConnectAttrs    = 1 << 20
	CapCompress        = 1 << 5
	CapZstd            = 1 << 26
	CapInteractive     = 1 << 10
	CapPluginLenEnc    = 1 << 21
	CapExpiredPwd      = 1 << 22
	CapSecureConn      = 1 << 15
	CapProtocol41      = 1 << 9
	CapPluginAuth      = 1 << 19
	CapConnectWithDB   = 1 << 3
	CapSSL             = 1 << 11
	CapMultiStmts      = 1 << 16
	CapMultiResults    = 1 << 17
	CapPSMultiResults  = 1 << 18
	CapTransactions    = 1 << 13
	CapLongPassword    = 1 << 0
	CapFoundRows       = 1 << 1
	CapLongFlag        = 1 << 2
	CapLocalFiles      = 1 << 7
	CapIgnoreSpace     = 1 << 8
	CapSessionTrack    = 1 << 23
	CapDeprecateEOF    = 1 << 24
	CapQueryAttributes = 1 << 27
)

// Frame builds one packet.
func Frame(seq byte, payload []byte) []byte {
	b := make([]byte, HeaderSize, HeaderSize+len(payload))
	putHeader(b, len(payload), seq)
	return append(b, payload...)
}

// AppendFrames appends a payload of any length. One that fills its last frame is followed by an
// empty frame.
func AppendFrames(b []byte, seq byte, payload []byte) []byte {
	for {
		n := min(len(payload), MaxFrame)
		b = append(b, byte(n), byte(n>>8), byte(n>>16), seq)
		b = append(b, payload[:n]...)
		seq++
		if payload = payload[n:]; n < MaxFrame {
			return b
		}
	}
}

func putHeader(b []byte, n int, seq byte) {
	b[0], b[1], b[2], b[3] = byte(n), byte(n>>8), byte(n>>16), seq
}

func FrameLen(h []byte) int { return int(h[0]) | int(h[1])<<8 | int(h[2])<<16 }

// ErrorPayload is the body of an ERR packet. Before the handshake response the SQLSTATE is left
// out, as MySQL does.
func ErrorPayload(e *mysql.SQLError, withState bool) []byte {
	b := []byte{Err, byte(e.Num), byte(e.Num >> 8)}
	if withState {
		state := e.State
		if len(state) != 5 {
			state = mysql.SSUnknownSQLState
		}
		b = append(append(b, '#'), state...)
	}
	return append(b, e.Message...)
}

func OKPayload(status uint16) []byte {
	return []byte{OK, 0, 0, byte(status), byte(status >> 8), 0, 0}
}

// EOFPayload is the body of an EOF packet; asOK: of the OK packet in its place.
func EOFPayload(status uint16, asOK bool) []byte {
	if asOK {
		return []byte{EOF, 0, 0, byte(status), byte(status >> 8), 0, 0}
	}
	return []byte{EOF, 0, 0, byte(status), byte(status >> 8)}
}

// ReadFrame reads one frame of at most limit bytes.
func ReadFrame(r io.Reader, limit int) (seq byte, payload []byte, err error) {
	var h [HeaderSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, nil, err
	}
	n := FrameLen(h[:])
	if n > limit {
		return h[3], nil, &TooLong{n, limit}
	}
	payload = make([]byte, n)
	if _, err := io.ReadFull(r, payload); err != nil {
		return 0, nil, err
	}
	return h[3], payload, nil
}

// TooLong is the error of a frame that is longer than it may be. Its payload was not read.
type TooLong struct{ Size, Limit int }

// Error implements error.
func (e *TooLong) Error() string {
	return fmt.Sprintf("packet of %d bytes, expected at most %d", e.Size, e.Limit)
}

// Cursor reads fields off a payload; the first short read sets bad and every later one returns zero
// values.
type Cursor struct {
	Rest []byte
	Bad  bool
}

func (c *Cursor) Bytes(n int) []byte {
	if n < 0 || n > len(c.Rest) || c.Bad {
		c.Bad = true
		return nil
	}
	v := c.Rest[:n]
	c.Rest = c.Rest[n:]
	return v
}

func (c *Cursor) Uint8() byte {
	if v := c.Bytes(1); v != nil {
		return v[0]
	}
	return 0
}

func (c *Cursor) Uint16() uint16 {
	if v := c.Bytes(2); v != nil {
		return binary.LittleEndian.Uint16(v)
	}
	return 0
}

func (c *Cursor) Uint32() uint32 {
	if v := c.Bytes(4); v != nil {
		return binary.LittleEndian.Uint32(v)
	}
	return 0
}

// CString reads up to a NUL byte, which it consumes; a missing NUL ends the payload.
func (c *Cursor) CString() string {
	for i, ch := range c.Rest {
		if ch == 0 {
			v := string(c.Rest[:i])
			c.Rest = c.Rest[i+1:]
			return v
		}
	}
	v := string(c.Rest)
	c.Rest = nil
	return v
}

// AppendLenEnc writes a length as LenEnc reads it.
func AppendLenEnc(b []byte, n uint64) []byte {
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

func (c *Cursor) LenEnc() int {
	switch first := c.Uint8(); first {
	case 0xfc:
		return int(c.Uint16())
	case 0xfd:
		v := c.Bytes(3)
		if v == nil {
			return 0
		}
		return int(v[0]) | int(v[1])<<8 | int(v[2])<<16
	case 0xfe:
		v := c.Bytes(8)
		if v == nil {
			return 0
		}
		n := binary.LittleEndian.Uint64(v)
		if n > 1<<31 {
			c.Bad = true
			return 0
		}
		return int(n)
	case 0xfb, 0xff:
		c.Bad = true
		return 0
	default:
		return int(first)
	}
}
