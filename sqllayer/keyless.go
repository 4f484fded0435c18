package sqllayer

// Rows of a table without a primary key are named by a hidden id that GMS does not carry along. A cursor that feeds an UPDATE or DELETE leaves
// the ids of its rows with the session, by their contents; the editor takes them from there. Rows of equal contents are as good as each
// other, as all of them were locked by the cursor.

import (
	"encoding/binary"

	"emberdb/engine/row"
	"emberdb/internal/base"
)

// rowIDs are the hidden ids of the rows a statement has read, by table and contents.
type rowIDs map[base.TableID]map[string][]uint64

// remember keeps the id of a row. vals are as a scan of the engine returns them: the id stands behind the last column. REQUIRES: s.mu.
func (s *Session) remember(d *tableDef, vals []row.Value) {
	n := len(d.codecs)
	if len(vals) <= n {
		return
	}
	if s.stmt.ids == nil {
		s.stmt.ids = make(rowIDs)
	}
	rows := s.stmt.ids[d.def.ID]
	if rows == nil {
		rows = make(map[string][]uint64)
		s.stmt.ids[d.def.ID] = rows
	}
	key := string(contents(nil, d, vals))
	rows[key] = append(rows[key], vals[n].N)
}

// recall completes a row with its hidden id; ok is false if no cursor has seen such a row. REQUIRES: s.mu.
func (s *Session) recall(d *tableDef, vals []row.Value) (out []row.Value, ok bool) {
	rows := s.stmt.ids[d.def.ID]
	key := string(contents(nil, d, vals))
	ids := rows[key]
	if len(ids) == 0 {
		return vals, false
	}
	if len(ids) == 1 {
		delete(rows, key)
	} else {
		rows[key] = ids[:len(ids)-1]
	}
	return append(vals, row.UintValue(ids[len(ids)-1])), true
}

// contents appends the stored values so that equal rows, and no others, give equal bytes.
func contents(dst []byte, d *tableDef, vals []row.Value) []byte {
	for i, v := range vals[:len(d.codecs)] {
		if d.columns[i].Virtual {
			continue
		}
		dst = append(dst, byte(v.Kind))
		dst = binary.LittleEndian.AppendUint64(dst, v.N)
		dst = binary.AppendUvarint(dst, uint64(len(v.B)))
		dst = append(dst, v.B...)
	}
	return dst
}
