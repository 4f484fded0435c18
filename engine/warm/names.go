package warm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"emberdb/internal/base"
)

// A list carries the names of its tables, so that it can be read on a server that gave the same
// tables other ids.

// TableName names the table a tablespace belongs to.
type TableName struct{ Schema, Name string }

func (n TableName) String() string { return n.Schema + "." + n.Name }

// ErrForeignList says that a list cannot be used here; the text around it says why.
var ErrForeignList = errors.New("the LRU list does not fit this server")

// appendNames renders the names: space id, then the lengths and bytes of schema and name. On disk;
// fixed.
func appendNames(b []byte, names map[base.SpaceID]TableName) []byte {
	for _, s := range slices.Sorted(maps.Keys(names)) {
		n := names[s]
		b = binary.LittleEndian.AppendUint32(b, uint32(s))
		for _, text := range []string{n.Schema, n.Name} {
			b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
			b = append(b, text...)
		}
	}
	return b
}

func decodeNames(b []byte) (names map[base.SpaceID]TableName, detail string) {
	names = map[base.SpaceID]TableName{}
	for len(b) > 0 {
		if len(b) < 4 {
			return nil, "the names end too early"
		}
		s := base.SpaceID(binary.LittleEndian.Uint32(b))
		b = b[4:]
		var texts [2]string
		for i := range texts {
			if len(b) < 2 || len(b)-2 < int(binary.LittleEndian.Uint16(b)) {
				return nil, "the names end too early"
			}
			n := int(binary.LittleEndian.Uint16(b))
			texts[i], b = string(b[2:2+n]), b[2+n:]
		}
		names[s] = TableName{texts[0], texts[1]}
	}
	return names, ""
}

// MapTo makes a list that another server wrote one of the server uuid: each page goes to the table
// of its table's name; own are the names of the tables here. Pages of tables that are not here, and
// of tables without a name (the system's own), are left out. A list that was written here is
// returned as it is. ErrForeignList when nothing of it can be used.
func (l *List) MapTo(uuid [16]byte, own map[base.SpaceID]TableName) (*List, error) {
	if l.UUID == uuid {
		return l, nil
	}
	if len(l.Names) == 0 {
		return nil, fmt.Errorf("%w: another server (%x) wrote it, and it carries no table names to go by", ErrForeignList, l.UUID)
	}
	bySpace := map[TableName]base.SpaceID{}
	for s, n := range own {
		bySpace[n] = s
	}
	to := map[base.SpaceID]base.SpaceID{}
	out := &List{UUID: uuid, Generation: l.Generation, Created: l.Created, Names: map[base.SpaceID]TableName{}, IDs: make([]uint64, 0, len(l.IDs))}
	for s, n := range l.Names {
		if here, ok := bySpace[n]; ok {
			to[s], out.Names[here] = here, n
		}
	}
	if len(to) == 0 {
		some := slices.SortedFunc(maps.Values(l.Names), func(a, b TableName) int { return cmp.Compare(a.String(), b.String()) })
		return nil, fmt.Errorf("%w: another server (%x) wrote it, and none of its %d tables (%s, ...) is here", ErrForeignList, l.UUID, len(some), some[0])
	}
	for rank, id := range l.IDs {
		p := base.PageIDFrom(id)
		if here, ok := to[p.Space]; ok {
			out.IDs = append(out.IDs, base.PageID{Space: here, No: p.No}.Uint64())
			if rank < l.Young {
				out.Young++
			}
		}
	}
	return out, nil
}

// spaces are the tablespaces of the list, in no order.
func (l *List) spaces() map[base.SpaceID]bool {
	out := map[base.SpaceID]bool{}
	last := base.SpaceID(0)
	for i, id := range l.IDs {
		if s := base.PageIDFrom(id).Space; i == 0 || s != last {
			out[s], last = true, s
		}
	}
	return out
}
