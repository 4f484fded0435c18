// Package handover gives the work of a process to another one that it starts: open descriptors, by
// name, and a text that says what they are. The two talk through a pair of sockets, in messages:
//
//	new to old    READY              it has read its settings, and waits
//	old to new    STATE n            with a file in memory; descriptors follow, n of them, in messages FILES
//	new to old    TAKEN              all is there and whole; from now on it needs the old process no more
//	new to old    SERVING            the old process may end
//
// The file in memory:
//
//	offset  size
//	     0     8  magic "EMBRMOVE"
//	     8     4  format, version of this package's and of its user's part; little-endian, as all numbers
//	    12     4  CRC-32C of the rest
//	    16        JSON of content
//
// Who fails, when, and what follows:
//
//	(1) The new process ends, or is silent, before STATE: the old one has given nothing away, and
//	    goes on. The old one may end meanwhile: it ends the new one, and what that has started.
//	(2) It ends between STATE and SERVING: the old process still has every descriptor, and starts
//	    another one.
//	(3) The old process ends before TAKEN: the new one ends, too, without having touched anything.
//	(4) The old process ends behind TAKEN: the new one goes on. It waits for what the old process
//	    has locked.
//
// A program that reads another format ends before READY, so that no client waits: the old process
// names its format when it starts the new one. A state that is damaged, or in another format, is
// refused before TAKEN.
package handover

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// Format is the version of the state. A process refuses states of another version.
const Format = 1

// Environment variables of a process that is to take over.
const (
	variable       = "EMBER_HANDOVER"        // number of its socket
	formatVariable = "EMBER_HANDOVER_FORMAT" // of the state that it will be given
)

const (
	magic    = "EMBRMOVE"
	headSize = 16
	maxState = 1 << 31
	maxFiles = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Content is what is handed over.
type Content struct {
	State json.RawMessage     // its user's
	Files map[string]*os.File // by name
}

// wireContent is Content in the file in memory. The descriptors come in the order of the names.
type wireContent struct {
	State json.RawMessage
	Names []string
}

// encode makes the file's bytes, and puts the files in the order of their names there.
func encode(c *Content) ([]byte, []*os.File, error) {
	w := wireContent{State: c.State}
	files := make([]*os.File, 0, len(c.Files))
	for name, f := range c.Files {
		w.Names, files = append(w.Names, name), append(files, f)
	}
	body, err := json.Marshal(w)
	if err != nil {
		return nil, nil, err
	}
	if len(body) > maxState {
		return nil, nil, fmt.Errorf("the state has %d bytes", len(body))
	}
	b := make([]byte, headSize, headSize+len(body))
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], Format)
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(body, castagnoli))
	return append(b, body...), files, nil
}

// decode reads what encode has made.
func decode(r io.Reader) (*wireContent, error) {
	b, err := io.ReadAll(io.LimitReader(r, headSize+maxState+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) < headSize || string(b[:8]) != magic:
		return nil, errors.New("the state is none")
	case binary.LittleEndian.Uint32(b[8:]) != Format:
		return nil, fmt.Errorf("the state has format %d, this program reads %d", binary.LittleEndian.Uint32(b[8:]), Format)
	case binary.LittleEndian.Uint32(b[12:]) != crc32.Checksum(b[headSize:], castagnoli):
		return nil, errors.New("the state is damaged: its checksum is wrong")
	}
	var w wireContent
	d := json.NewDecoder(bytes.NewReader(b[headSize:]))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return nil, fmt.Errorf("the state cannot be read: %w", err)
	}
	if len(w.Names) > maxFiles {
		return nil, fmt.Errorf("the state has %d descriptors", len(w.Names))
	}
	seen := make(map[string]bool, len(w.Names))
	for _, name := range w.Names {
		if seen[name] {
			return nil, fmt.Errorf("the state has two descriptors named %q", name)
		}
		seen[name] = true
	}
	return &w, nil
}
