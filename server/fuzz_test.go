package server

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/wire"
)

// FuzzLogin reads the login packet with its attributes: what is read is no longer than the packet.
func FuzzLogin(f *testing.F) {
	head := append([]byte{0x8d, 0xa6, 0xff, 0x01, 0, 0, 0, 1, 45}, make([]byte, 23)...)
	f.Add(append(bytes.Clone(head), "root\x00\x04abcdtest\x00mysql_native_password\x00\x0b\x04name\x05value"...))
	f.Add(append(bytes.Clone(head), "root\x00\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"...))
	f.Add(append(bytes.Clone(head), "root\x00\x00\x00\x00\xfe\xff\xff\xff\x7f\x00\x00\x00\x00"...))
	f.Add([]byte{0x8d, 0xa6, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, p []byte) {
		w := &wireConn{srv: new(Server)}
		require.NoError(t, w.srv.setCompression("zlib,zstd,uncompressed"))
		r, err := w.parseLogin(p)
		if err != nil {
			return
		}
		n := len(r.user) + len(r.answer) + len(r.database)
		for _, a := range w.attrs {
			n += len(a.name) + len(a.value)
		}
		require.LessOrEqual(t, n, len(p))
	})
}

// FuzzFields reads the fields that packets have, in an order that the first bytes give.
func FuzzFields(f *testing.F) {
	f.Add([]byte{5, 4, 3, 2, 1}, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1})
	f.Add([]byte{5, 0, 5}, []byte{0xfd, 0xff, 0xff, 0xff, 'a', 0})
	f.Fuzz(func(t *testing.T, order, p []byte) {
		c := wire.Cursor{Rest: p}
		read := 0
		for _, kind := range order {
			switch kind % 6 {
			case 0:
				read += len(c.CString())
			case 1:
				c.Uint8()
			case 2:
				c.Uint16()
			case 3:
				c.Uint32()
			case 4:
				read += len(c.Bytes(c.LenEnc()))
			case 5:
				attributesOf(&c)
			}
			require.LessOrEqual(t, read+len(c.Rest), len(p))
		}
	})
}

// FuzzFrame reads a frame: nothing is allocated for more than it may have.
func FuzzFrame(f *testing.F) {
	f.Add([]byte{0xff, 0xff, 0xff, 0, 1, 2, 3}, uint16(100))
	f.Add(wire.Frame(3, []byte("hello")), uint16(5))
	f.Fuzz(func(t *testing.T, p []byte, limit uint16) {
		_, payload, err := wire.ReadFrame(bytes.NewReader(p), int(limit))
		if err == nil {
			require.LessOrEqual(t, len(payload), int(limit))
		}
	})
}
