package binlog

// GTID sets as text and as bytes.
//
//	text    uuid:1-5:7,uuid:9         set: sources with commas, intervals with colons, both ends inclusive; white space anywhere but inside of a token
//	bytes   0 8 number of sources, then each: 16 uuid   8 number of intervals, then each: 8 start   8 end, exclusive     (Previous_gtids, dump command)

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// FormatError says where a text is no GTID set.
type FormatError struct {
	Text string
	Why  string
}

func (e *FormatError) Error() string { return fmt.Sprintf("malformed GTID set %q: %s", e.Text, e.Why) }

// ParseUUID reads a uuid in any form MySQL takes: with dashes, without, in braces.
func ParseUUID(s string) (UUID, error) {
	var u UUID
	t := s
	if len(t) == 38 && t[0] == '{' && t[37] == '}' {
		t = t[1:37]
	}
	if len(t) == 36 && t[8] == '-' && t[13] == '-' && t[18] == '-' && t[23] == '-' {
		t = t[:8] + t[9:13] + t[14:18] + t[19:23] + t[24:]
	}
	if len(t) != 32 {
		return u, fmt.Errorf("malformed UUID %q", s)
	}
	if _, err := hex.Decode(u[:], []byte(t)); err != nil {
		return u, fmt.Errorf("malformed UUID %q", s)
	}
	return u, nil
}

// ParseGTID reads one uuid:number.
func ParseGTID(s string) (GTID, error) {
	set, err := ParseSet(s)
	if err != nil {
		return GTID{}, err
	}
	if set.Count() != 1 || strings.ContainsAny(s, ",-") && strings.Count(s, ":") != 1 {
		return GTID{}, &FormatError{s, "not one GTID"}
	}
	src := set.sources[0]
	return GTID{src.id, src.ivs[0].Start}, nil
}

// ParseSet reads the text form. Empty elements between commas, sources without an interval and intervals
// whose end is below their start count for nothing, as in MySQL.
func ParseSet(text string) (*Set, error) {
	s := new(Set)
	for element := range strings.SplitSeq(text, ",") {
		if element = strings.TrimSpace(element); element == "" {
			continue
		}
		name, rest, intervals := strings.Cut(element, ":")
		id, err := ParseUUID(strings.TrimSpace(name))
		if err != nil {
			return nil, &FormatError{text, err.Error()}
		}
		if !intervals {
			continue
		}
		for part := range strings.SplitSeq(rest, ":") {
			start, end, err := parseInterval(strings.TrimSpace(part))
			if err != nil {
				return nil, &FormatError{text, err.Error()}
			}
			s.AddInterval(id, start, end)
		}
	}
	return s, nil
}

func parseInterval(s string) (start, end int64, err error) {
	first, last, isRange := strings.Cut(s, "-")
	if start, err = parseGNO(strings.TrimSpace(first)); err != nil {
		return 0, 0, err
	}
	if start == 0 {
		return 0, 0, fmt.Errorf("interval %q begins at 0", s)
	}
	if !isRange {
		return start, start + 1, nil
	}
	if end, err = parseGNO(strings.TrimSpace(last)); err != nil {
		return 0, 0, err
	}
	return start, end + 1, nil
}

func parseGNO(s string) (int64, error) {
	if s == "" {
		return 0, fmt.Errorf("an interval without a number")
	}
	if s[0] == '_' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' {
		return 0, fmt.Errorf("tag %q: tagged GTIDs are not supported", s)
	}
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || n >= maxGNO {
		return 0, fmt.Errorf("%q is not a transaction number", s)
	}
	return int64(n), nil
}

// String is MySQL's form of gtid_executed but for its line feeds: sources joined by a comma.
func (s *Set) String() string { return string(s.AppendText(nil, ",")) }

// AppendText appends the text form, its sources joined by sep (MySQL shows ",\n").
func (s *Set) AppendText(dst []byte, sep string) []byte {
	for i := range s.sources {
		if i > 0 {
			dst = append(dst, sep...)
		}
		var b [36]byte
		s.sources[i].id.format(&b)
		dst = append(dst, b[:]...)
		for _, iv := range s.sources[i].ivs {
			dst = strconv.AppendInt(append(dst, ':'), iv.Start, 10)
			if iv.End > iv.Start+1 {
				dst = strconv.AppendInt(append(dst, '-'), iv.End-1, 10)
			}
		}
	}
	return dst
}

// BinarySize is the length of the binary form.
func (s *Set) BinarySize() int {
	n := 8
	for i := range s.sources {
		n += 16 + 8 + 16*len(s.sources[i].ivs)
	}
	return n
}

// AppendBinary appends the binary form.
func (s *Set) AppendBinary(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(s.sources)))
	for i := range s.sources {
		src := &s.sources[i]
		dst = append(dst, src.id[:]...)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(len(src.ivs)))
		for _, iv := range src.ivs {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(iv.Start))
			dst = binary.LittleEndian.AppendUint64(dst, uint64(iv.End))
		}
	}
	return dst
}

// taggedFormat is the value of the first and the last byte of the count in the form that knows tags; its number of sources stands between them.
const taggedFormat = 1

// ParseBinary reads the binary form; all of b belongs to it.
func ParseBinary(b []byte) (*Set, error) {
	bad := func(why string) (*Set, error) { return nil, fmt.Errorf("binary GTID set of %d bytes: %s", len(b), why) }
	if len(b) < 8 {
		return bad("too short")
	}
	if b[0] == taggedFormat && b[7] == taggedFormat {
		return bad("tagged GTIDs are not supported")
	}
	count, rest := binary.LittleEndian.Uint64(b), b[8:]
	s := new(Set)
	for ; count > 0; count-- {
		if len(rest) < 24 {
			return bad("too short for its sources")
		}
		id, n := UUID(rest[:16]), binary.LittleEndian.Uint64(rest[16:])
		rest = rest[24:]
		if n > uint64(len(rest)/16) {
			return bad("too short for its intervals")
		}
		last := int64(0)
		for ; n > 0; n-- {
			start, end := int64(binary.LittleEndian.Uint64(rest)), int64(binary.LittleEndian.Uint64(rest[8:]))
			rest = rest[16:]
			if start <= last || end <= start {
				return bad(fmt.Sprintf("interval [%d, %d) of %s is out of order", start, end, id))
			}
			s.AddInterval(id, start, end)
			last = end
		}
	}
	if len(rest) != 0 {
		return bad("bytes behind its end")
	}
	return s, nil
}
