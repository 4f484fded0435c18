package row

import (
	"encoding/binary"
	"errors"
)

// ErrKey says that bytes are not a key of the given parts.
var ErrKey = errors.New("malformed key")

// Decodable tells whether DecodeKeyPart gives back the very value that was stored: not for
// prefixes, for text whose weights lose something, and for floats (-0 is stored as 0).
func Decodable(c Column, p KeyPart) bool {
	switch c.Type {
	case TFloat32, TFloat64:
		return false
	}
	if p.Prefix > 0 || c.Elements != 0 {
		return false
	}
	if !c.character() {
		return true
	}
	coll := LookupCollation(c.Collation)
	return coll != nil && coll.identity && !coll.PadSpace
}

// SkipKeyPart returns what follows the part at the start of key.
func SkipKeyPart(key []byte, c Column, p KeyPart) (rest []byte, err error) {
	n, err := partLen(key, &c, p)
	if err != nil {
		return nil, err
	}
	return key[n:], nil
}

// SkipKey returns what follows the parts: the clustered key at the end of a secondary one.
func SkipKey(key []byte, cols []Column, parts []KeyPart) (rest []byte, err error) {
	for _, p := range parts {
		n, err := partLen(key, &cols[p.Column], p)
		if err != nil {
			return nil, err
		}
		key = key[n:]
	}
	return key, nil
}

// HasNull tells whether one of the leading parts of key is NULL: such a key is never a duplicate in
// a unique index.
func HasNull(key []byte, cols []Column, parts []KeyPart) (bool, error) {
	for _, p := range parts {
		n, err := partLen(key, &cols[p.Column], p)
		if err != nil {
			return false, err
		}
		if key[0] == markNull && !p.Desc || key[0] == ^byte(markNull) && p.Desc {
			return true, nil
		}
		key = key[n:]
	}
	return false, nil
}

// partLen is the number of bytes of the part at the start of key.
func partLen(key []byte, c *Column, p KeyPart) (int, error) {
	if len(key) == 0 {
		return 0, ErrKey
	}
	if c.Elements != 0 {
		e := c.Element()
		c = &e
	}
	var flip byte
	if p.Desc {
		flip = 0xFF
	}
	switch key[0] ^ flip {
	case markNull:
		return 1, nil
	case markValue:
	default:
		return 0, ErrKey
	}
	if c.fixed() {
		n := 1 + partWidth(c, p)
		if len(key) < n {
			return 0, ErrKey
		}
		return n, nil
	}
	for i := 1; i+1 < len(key); i++ {
		if key[i]^flip != escByte {
			continue
		}
		i++
		if key[i]^flip == escEnd {
			return i + 1, nil
		}
	}
	return 0, ErrKey
}

// DecodeKeyPart decodes the part at the start of key and returns what follows it. The value's bytes
// are appended to buf, which is returned grown; a value decoded earlier stays valid (it keeps the
// old array if buf had to move).
// REQUIRES: Decodable(c, p).
func DecodeKeyPart(key []byte, c Column, p KeyPart, buf []byte) (v Value, rest, grown []byte, err error) {
	n, err := partLen(key, &c, p)
	if err != nil {
		return Value{}, nil, buf, err
	}
	var flip byte
	if p.Desc {
		flip = 0xFF
	}
	part, rest := key[1:n], key[n:]
	if key[0]^flip == markNull {
		return Value{}, rest, buf, nil
	}
	switch kind := c.Type.kind(); kind {
	case Int, Uint:
		var b [8]byte
		w := len(part)
		copy(b[8-w:], part)
		u := binary.BigEndian.Uint64(b[:])
		if p.Desc {
			u = ^u << (64 - 8*w) >> (64 - 8*w)
		}
		if kind == Int {
			u ^= 1 << (8*w - 1)
			u = uint64(int64(u<<(64-8*w)) >> (64 - 8*w))
		}
		return Value{Kind: kind, N: u}, rest, buf, nil
	}
	from := len(buf)
	if c.Type == TDecimal || c.Type == TBinary {
		buf = append(buf, part...)
		if p.Desc {
			invert(buf[from:])
		}
	} else {
		buf = appendUnescaped(buf, part, flip)
	}
	return Value{Kind: Bytes, B: buf[from:len(buf):len(buf)]}, rest, buf, nil
}

// appendUnescaped undoes appendEscaped up to the end mark.
func appendUnescaped(dst, part []byte, flip byte) []byte {
	for i := 0; i < len(part)-2; i++ {
		b := part[i] ^ flip
		dst = append(dst, b)
		if b == escByte {
			i++ // the escZero behind it
		}
	}
	return dst
}
