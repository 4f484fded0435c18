package fn

import (
	"encoding/binary"
	"strings"
	"sync"

	"emberdb/sql/types"
)

// mostRowItems is how many items a row may have that is looked up: their NULLs make a mask.
const mostRowItems = 64

// RowIn is (a, b, ...) IN (list) of rows of as many items. Rows of constants are looked up in a set,
// whatever their number; the others are compared one by one.
func RowIn(left []Expr, list [][]Expr) (Expr, error) {
	var ors []Expr
	var consts [][]Expr
	for _, row := range list {
		parts, known, err := rowEqual(left, row)
		switch {
		case err != nil:
			return nil, err
		case known && len(list) > fewItems && len(left) <= mostRowItems:
			consts = append(consts, row)
		default:
			if known {
				if parts, err = rowParts(left, row); err != nil {
					return nil, err
				}
			}
			ors = append(ors, And(parts...))
		}
	}
	if len(consts) > 0 {
		set, err := inRowSet(left, consts)
		if err != nil {
			return nil, err
		}
		ors = append(ors, set)
	}
	return Or(ors...), nil
}

// rowEqual compares rows item by item; known tells that the items of the second are constants whose
// keys compare with those of the first as the values do.
func rowEqual(left, row []Expr) (parts []Expr, known bool, err error) {
	known = true
	for i, item := range row {
		if known && sameWord("=", Clone(left[i]), item) == nil {
			a, b, _, err := Comparable(Clone(left[i]), item)
			if err != nil {
				return nil, false, err
			}
			c, constant := b.(*Const)
			known = constant && !c.IsNull() && sameDomain(a.Type(), b.Type())
			row[i] = b
		} else {
			known = false
		}
	}
	if known {
		return nil, true, nil
	}
	parts, err = rowParts(left, row)
	return parts, false, err
}

// rowParts are the comparisons of the items of two rows.
func rowParts(left, row []Expr) (parts []Expr, err error) {
	for i, item := range row {
		eq, err := Compare("=", Clone(left[i]), item)
		if err != nil {
			return nil, err
		}
		parts = append(parts, eq)
	}
	return parts, nil
}

// rowSet is a set of rows of constants that are not NULL.
type rowSet struct {
	keyers []types.Keyer
	rows   [][][]byte // keys of the items

	mu    sync.Mutex
	known map[uint64]map[string]bool // of the items that a mask leaves, by mask
}

// inRowSet looks rows up in a set. A row with NULLs is unknown if one of the set's has its other
// items, else it is not in the set.
func inRowSet(left []Expr, consts [][]Expr) (Expr, error) {
	s := &rowSet{known: make(map[uint64]map[string]bool)}
	nullable := false
	for _, e := range left {
		s.keyers = append(s.keyers, types.KeyerOf(e.Type()))
		nullable = nullable || e.Type().Nullable
	}
	var name strings.Builder
	name.WriteString("rowin")
	for _, row := range consts {
		keys := make([][]byte, len(row))
		for i, e := range row {
			c := e.(*Const)
			key, err := s.keyers[i].Append(nil, c.V, 0)
			if err != nil {
				return nil, err
			}
			keys[i] = key
			name.WriteString("," + constKey(c))
		}
		s.rows = append(s.rows, keys)
	}
	args := make([]Expr, len(left))
	for i, e := range left {
		args[i] = Clone(e)
	}
	return listed(call(name.String(), s.find, types.BoolType(nullable), args...), consts), nil
}

// find is a Kernel.
func (s *rowSet) find(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) (err error) {
	var scratch, item []byte
	for i := range n {
		nulls := uint64(0)
		scratch = scratch[:0]
		for c, a := range args {
			if a.IsNull(i) || a.Kind == types.Null {
				nulls |= 1 << c
				continue
			}
			if item, err = s.keyers[c].Append(item[:0], a, i); err != nil {
				return err
			}
			scratch = appendItem(scratch, item)
		}
		found := s.without(nulls)[string(scratch)]
		if out.I[i] = bit(found && nulls == 0); found && nulls != 0 {
			out.SetNull(i)
		}
	}
	return nil
}

// without is the set without the items of a mask.
func (s *rowSet) without(nulls uint64) map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	set := s.known[nulls]
	if set == nil {
		set = make(map[string]bool, len(s.rows))
		var key []byte
		for _, row := range s.rows {
			key = key[:0]
			for i, item := range row {
				if nulls&(1<<i) == 0 {
					key = appendItem(key, item)
				}
			}
			set[string(key)] = true
		}
		s.known[nulls] = set
	}
	return set
}

// appendItem adds a key behind its length, so that keys in a row do not run together.
func appendItem(dst, item []byte) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(item))), item...)
}
