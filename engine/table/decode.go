package table

import (
	"encoding/binary"

	"emberdb/engine/row"
)

// Values of the rows that a scan returns.

// decode fills vals from row bytes. base.ErrNotFound: a long value is freed, so the version is
// nobody's any more.
func (s *Scan) decode(rowBytes, key []byte) ([]row.Value, error) {
	return s.decodeSome(rowBytes, key, s.cols)
}

// Rest gives all values of the row whose First columns Next has given.
func (s *Scan) Rest() ([]row.Value, error) {
	if s.t.parts != nil {
		return s.u.scans[s.u.at].Rest()
	}
	if s.o.First == nil {
		return s.vals, nil
	}
	return s.decode(s.shown, s.rowKey)
}

// decodeSome is decode of some columns.
func (s *Scan) decodeSome(rowBytes, key []byte, cols []int) ([]row.Value, error) {
	if s.t.layout.Read(rowBytes, cols, s.vals) {
		if err := s.decodeLong(rowBytes, cols); err != nil {
			return nil, err
		}
	}
	if s.t.rowID {
		s.vals[len(s.t.cols)] = row.UintValue(binary.BigEndian.Uint64(key))
	}
	return s.vals, nil
}

// decodeLong puts the values that stand outside the row in the place of their references.
func (s *Scan) decodeLong(rowBytes []byte, cols []int) error {
	s.mem = s.mem[:0]
	for _, i := range cols {
		v, over := s.t.layout.Column(rowBytes, i)
		if !over {
			continue
		}
		from := len(s.mem)
		mem, err := s.t.readChainWhile(s.call, s.mem, row.ParseOverflow(i, v.B))
		if err != nil {
			return err
		}
		s.mem = mem
		s.vals[i] = row.BytesValue(mem[from:len(mem):len(mem)])
	}
	return nil
}

// decodeEntry fills vals from a key of the index. REQUIRES: covering.
func (s *Scan) decodeEntry(entry []byte) ([]row.Value, error) {
	s.mem = s.mem[:0]
	rest := entry
	for _, parts := range [2][]row.KeyPart{s.ix.parts, s.t.clustered().parts} {
		for _, p := range parts {
			var err error
			if c := s.t.cols[p.Column]; row.Decodable(c, p) {
				s.vals[p.Column], rest, s.mem, err = row.DecodeKeyPart(rest, c, p, s.mem)
			} else {
				rest, err = row.SkipKeyPart(rest, c, p)
			}
			if err != nil {
				return nil, s.t.corrupt("key %x of index %s: %v", entry, s.ix.def.Name, err)
			}
		}
	}
	if s.t.rowID {
		if len(rest) != 8 {
			return nil, s.t.corrupt("key %x of index %s: no row id", entry, s.ix.def.Name)
		}
		s.vals[len(s.t.cols)] = row.UintValue(binary.BigEndian.Uint64(rest))
	}
	return s.vals, nil
}
