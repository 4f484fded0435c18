package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
)

const (
	comBinlogDump = 0x12
	rotateEvent   = 4
	eventHeader   = 19
)

// Dump asks for the binary log from a position on, as the replica with that server id. Checksums
// are left out if the session says so (@source_binlog_checksum). Event follows.
func (c *Conn) Dump(server uint32, file string, pos uint32) error {
	c.begin(comBinlogDump)
	c.out = binary.LittleEndian.AppendUint32(c.out, pos)
	c.out = append(c.out, 0, 0)
	c.out = binary.LittleEndian.AppendUint32(c.out, server)
	c.out = append(c.out, file...)
	return c.send()
}

// Event is what is looked at of an event of the binary log.
type Event struct {
	Size int    // bytes
	End  uint32 // position of the next one in the file; 0: it is not in the file
	File string // the next file, if the event names one
	Next uint64 // and the position in it
}

// Event waits for the next event of a dump.
func (c *Conn) Event() (Event, error) {
	if err := c.setDeadline(); err != nil {
		return Event{}, c.fail(err)
	}
	p, err := c.packet()
	switch {
	case err != nil:
		return Event{}, err
	case len(p) == 1 && p[0] == 0: // longRow
		return Event{Size: maxPayload}, nil
	case len(p) > 0 && p[0] == 0xff:
		return Event{}, c.fail(c.serverError(p))
	case len(p) > 0 && p[0] == 0xfe:
		return Event{}, c.fail(errors.New("the server has ended the dump"))
	case len(p) < 1+eventHeader:
		return Event{}, c.fail(errShort)
	}
	p = p[1:]
	e := Event{Size: len(p), End: binary.LittleEndian.Uint32(p[13:])}
	if p[4] == rotateEvent {
		if len(p) < eventHeader+8 {
			return Event{}, c.fail(errShort)
		}
		e.Next, e.File = binary.LittleEndian.Uint64(p[eventHeader:]), string(bytes.TrimRight(p[eventHeader+8:], "\x00"))
	}
	return e, nil
}
