package binlog

// GTID sets as text and as bytes.
//
//	text    uuid:1-5:7:tag:1,uuid:9   set: servers with commas, intervals and tags with colons, both ends inclusive; white space anywhere but inside of a
//	                                  token. What stands behind a tag is the tag's
//	bytes   0 8 number of sources, then each: 16 uuid   8 number of intervals, then each: 8 start   8 end, exclusive     (Previous_gtids, dump command)
//	tagged  0 1 one   1 6 number of sources   7 1 one, then each: 16 uuid   .. length of the tag (varint of event_tagged.go)   tag   8 number of intervals ...
//	                                  only of sets with tags

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
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

// ParseGTID reads one uuid:number or uuid:tag:number.
func ParseGTID(s string) (g GTID, err error) {
	parts := strings.Split(s, ":")
	bad := func(why string) (GTID, error) { return GTID{}, &FormatError{s, why} }
	if len(parts) != 2 && len(parts) != 3 {
		return bad("not one GTID")
	}
	if g.Source.Server, err = ParseUUID(strings.TrimSpace(parts[0])); err != nil {
		return bad(err.Error())
	}
	if len(parts) == 3 {
		var ok bool
		if g.Source.Tag, ok = ParseTag(strings.TrimSpace(parts[1])); !ok {
			return bad("malformed tag")
		}
	}
	if g.N, err = parseGNO(strings.TrimSpace(parts[len(parts)-1])); err == nil && g.N == 0 {
		err = errors.New("transactions are counted from 1")
	}
	if err != nil {
		return bad(err.Error())
	}
	return g, nil
}

// ParseSet reads the text form. Empty elements between commas, sources without an interval and
// intervals whose end is below their start count for nothing, as in MySQL.
func ParseSet(text string) (*Set, error) {
	s := new(Set)
	for element := range strings.SplitSeq(text, ",") {
		if element = strings.TrimSpace(element); element == "" {
			continue
		}
		name, rest, intervals := strings.Cut(element, ":")
		server, err := ParseUUID(strings.TrimSpace(name))
		if err != nil {
			return nil, &FormatError{text, err.Error()}
		}
		if !intervals {
			continue
		}
		id := Source{Server: server}
		for part := range strings.SplitSeq(rest, ":") {
			if tag, ok := ParseTag(strings.TrimSpace(part)); ok {
				id.Tag = tag
				continue
			}
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
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || n >= maxGNO {
		return 0, fmt.Errorf("%q is not a transaction number", s)
	}
	return int64(n), nil
}

// String is MySQL's form of gtid_executed but for its line feeds: sources joined by a comma.
func (s *Set) String() string { return string(s.appendText(nil, ",")) }

// Shown is the text form as MySQL shows it to clients, with a line for each server.
func (s *Set) Shown() string { return string(s.appendText(nil, ",\n")) }

// appendText appends the text form, its servers joined by sep.
func (s *Set) appendText(dst []byte, sep string) []byte {
	for i := range s.sources {
		id := s.sources[i].id
		if i == 0 || s.sources[i-1].id.Server != id.Server {
			if i > 0 {
				dst = append(dst, sep...)
			}
			var b [36]byte
			id.Server.format(&b)
			dst = append(dst, b[:]...)
		}
		if id.Tag != (Tag{}) {
			dst = append(append(dst, ':'), id.Tag.String()...)
		}
		for _, iv := range s.sources[i].ivs {
			dst = strconv.AppendInt(append(dst, ':'), iv.Start, 10)
			if iv.End > iv.Start+1 {
				dst = strconv.AppendInt(append(dst, '-'), iv.End-1, 10)
			}
		}
	}
	return dst
}

// tagged tells whether a transaction of the set has a tag.
func (s *Set) tagged() bool {
	return slices.ContainsFunc(s.sources, func(src source) bool { return src.id.Tag != (Tag{}) })
}

// BinarySize is the length of the binary form.
func (s *Set) BinarySize() int {
	n, tagged := 8, s.tagged()
	for i := range s.sources {
		n += 16 + 8 + 16*len(s.sources[i].ivs)
		if tagged {
			n += 1 + len(s.sources[i].id.Tag.String())
		}
	}
	return n
}

// AppendBinary appends the binary form.
func (s *Set) AppendBinary(dst []byte) []byte {
	count, tagged := uint64(len(s.sources)), s.tagged()
	if tagged {
		count = taggedFormat<<56 | count<<8 | taggedFormat
	}
	dst = binary.LittleEndian.AppendUint64(dst, count)
	for i := range s.sources {
		src := &s.sources[i]
		dst = append(dst, src.id.Server[:]...)
		if tagged {
			dst = appendTag(dst, src.id.Tag)
		}
		dst = binary.LittleEndian.AppendUint64(dst, uint64(len(src.ivs)))
		for _, iv := range src.ivs {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(iv.Start))
			dst = binary.LittleEndian.AppendUint64(dst, uint64(iv.End))
		}
	}
	return dst
}

// taggedFormat is the value of the first and the last byte of the count in the form with tags; the
// number of sources stands between them.
const taggedFormat = 1

// ParseBinary reads the binary form; all of b belongs to it.
func ParseBinary(b []byte) (*Set, error) {
	bad := func(why string) (*Set, error) { return nil, fmt.Errorf("binary GTID set of %d bytes: %s", len(b), why) }
	if len(b) < 8 {
		return bad("too short")
	}
	count, rest := binary.LittleEndian.Uint64(b), b[8:]
	tagged := b[0] == taggedFormat && b[7] == taggedFormat
	if tagged {
		count = count << 8 >> 16
	}
	s := new(Set)
	for ; count > 0; count-- {
		if len(rest) < 24 {
			return bad("too short for its sources")
		}
		id := Source{Server: UUID(rest[:16])}
		rest = rest[16:]
		if tagged {
			var ok bool
			if id.Tag, rest, ok = cutTag(rest); !ok || len(rest) < 8 {
				return bad("malformed tag")
			}
		}
		n := binary.LittleEndian.Uint64(rest)
		rest = rest[8:]
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
