package charset

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

//go:embed weights.zip
var weightArchive []byte

// Weigher appends what a character weighs under a collation.
type Weigher func(dst []byte, r rune) []byte

// Weights returns what characters weigh under a collation: those of the sets that are tables, the
// plain ones of Unicode, and those that order by code. ok is false for other collations, under
// which a character's weight depends on those around it.
func Weights(collation string) (w Weigher, ok bool) {
	name, rest, _ := strings.Cut(collation, "_")
	set := Find(name)
	switch {
	case set == nil:
		return nil, false
	case rest == "bin" && set.IsUnicode():
		return codeWeights(name), true
	case rest == "bin" || rest == "0900_bin":
		return func(dst []byte, r rune) []byte {
			dst, _ = set.AppendRune(dst, r)
			return dst
		}, true
	}
	entry := collation
	if set.IsUnicode() && rest == "general_ci" {
		entry = "utf8mb4_general_ci" // the others have the same
	}
	file, ok := weightEntries()[entry]
	if !ok {
		return nil, false
	}
	all := file()
	if !set.IsUnicode() {
		t := set.loaded().(*table)
		return func(dst []byte, r rune) []byte {
			if at := t.place(r); at >= 0 {
				return all.append(dst, at)
			}
			return all.append(dst, '?')
		}, true
	}
	return func(dst []byte, r rune) []byte {
		if r > 0xFFFF {
			r = 0xFFFD
		}
		return all.append(dst, int(r))
	}, true
}

// codeWeights are the weights under the _bin collation of a form of Unicode: code points.
func codeWeights(set string) Weigher {
	if set == "ucs2" || set == "utf8mb3" {
		return func(dst []byte, r rune) []byte { return binary.BigEndian.AppendUint16(dst, uint16(r)) }
	}
	return func(dst []byte, r rune) []byte { return append(dst, byte(r>>16), byte(r>>8), byte(r)) }
}

// weightTable holds the weights of the positions of a table, one behind another.
type weightTable struct {
	starts []uint32
	bytes  []byte
}

func (t *weightTable) append(dst []byte, at int) []byte {
	if at+1 >= len(t.starts) {
		return dst
	}
	return append(dst, t.bytes[t.starts[at]:t.starts[at+1]]...)
}

// weightEntries are the entries of the archive.
var weightEntries = sync.OnceValue(func() map[string]func() *weightTable { return entriesOf(weightArchive, readWeights) })

// readWeights reads an entry: how many positions there are, the number of bytes of each weight, and
// the weights as differences.
func readWeights(name string, body []byte, _ map[string]func() *weightTable) *weightTable {
	n := int(binary.BigEndian.Uint32(body))
	lengths, body := body[4:4+n], body[4+n:]
	t, last := &weightTable{starts: make([]uint32, 0, n+1)}, int64(0)
	for _, length := range lengths {
		t.starts = append(t.starts, uint32(len(t.bytes)))
		if length == 0 {
			continue
		}
		d, size := binary.Varint(body)
		if size <= 0 {
			panic("charset: " + name + " is cut short")
		}
		body, last = body[size:], last+d
		var buf [8]byte
		binary.BigEndian.PutUint64(buf[:], uint64(last))
		t.bytes = append(t.bytes, buf[8-length:]...)
	}
	t.starts, t.bytes = append(t.starts, uint32(len(t.bytes))), slices.Clip(t.bytes)
	return t
}
