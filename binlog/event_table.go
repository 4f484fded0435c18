package binlog

// The table map: what the row events behind it are about. Body; on disk; fixed.
//
//	0 6 table id   6 2 flags (1)   database: length u8, name, zero   table: length u8, name, zero
//	number of columns, packed   1 type each   size of the metadata, packed   metadata of each column (see value.go)
//	nullable columns: bit set, low bit first   then optional fields: 1 kind   length, packed   bytes
//
// Optional fields, in the order written; FULL marks those of binlog_row_metadata=FULL:
//
//	 1 unsigned numeric columns: bit set of these, high bit first          2 collation most character columns have, then (column, collation) of the others
//	 3 collation of each character column (shorter than 2 when they vary)  7 kind of each geometry column    13 dimensions of each vector column
//	 4 FULL column names    10, 11 FULL as 2, 3 for ENUM and SET    5, 6 FULL members of each SET, each ENUM
//	 8 FULL primary key: columns    9 FULL primary key with prefixes: (column, prefix)    12 FULL visible columns: bit set, high bit first

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

const (
	metaSignedness       = 1
	metaDefaultCharset   = 2
	metaColumnCharset    = 3
	metaColumnName       = 4
	metaSetMembers       = 5
	metaEnumMembers      = 6
	metaGeometryType     = 7
	metaPrimaryKey       = 8
	metaPrimaryKeyPrefix = 9
	metaEnumSetDefault   = 10
	metaEnumSetCharset   = 11
	metaVisibility       = 12
	metaVectorDimensions = 13

	tableMapBitLenExact = 1
)

// Table is a version of a table prepared for the log. Immutable; sessions share it.
type Table struct {
	id        uint64
	fields    []field
	event     []byte // the table map, without what is the session's
	all       bitmap // columns of a FULL image
	key       bitmap // columns that identify a row in a MINIMAL image
	short     bitmap // columns of a NOBLOB image: all but long ones that identify no row
	documents int    // JSON columns
	places    []int  // of the columns in a row of the engine; nil: it has no others
	unique    rowKeys

	// Shapes of row events; that of an update whose image is not FULL depends on what it changes.
	inserts, updates shape
	parts            shape // of an update that may tell parts of documents
	deletes          [ImageNoBlob + 1]shape
}

// NewTable prepares a table. id is the number its row events carry: unique among the table versions
// of the server's life, below 2^48. full asks for binlog_row_metadata=FULL.
func NewTable(def *catalog.Table, id uint64, full bool) (*Table, error) {
	keys := newRowKeys(def)
	def, places := withoutSystem(def)
	t := &Table{id: id, fields: make([]field, len(def.Columns)), all: newBitmap(len(def.Columns)), key: newBitmap(len(def.Columns)),
		unique: keys, places: places}
	for i := range def.Columns {
		f, err := prepare(&def.Columns[i])
		if err != nil {
			return nil, fmt.Errorf("table %s.%s: %w", def.Schema, def.Name, err)
		}
		t.fields[i] = f
		if f.code == typeJSON {
			t.documents++
		}
		t.all.set(i)
	}
	t.chooseKey(def)
	t.short = newBitmap(len(def.Columns))
	for i := range t.fields {
		if t.key.has(i) || t.all.has(i) && !t.fields[i].long() {
			t.short.set(i)
		}
	}
	t.event = endEvent(t.appendMap(beginEvent(nil, EventTableMap, Head{}), def, full), 0)
	t.inserts.make(t, EventWriteRows, nil, t.all)
	t.updates.make(t, EventUpdateRows, t.all, t.all)
	if t.documents > 0 {
		t.parts.make(t, EventPartialUpdateRows, t.all, t.all)
	}
	for image := range t.deletes {
		t.deletes[image].make(t, EventDeleteRows, t.identity(Image(image)), nil)
	}
	return t, nil
}

// withoutSystem leaves out the columns that were made for functional indexes, and the indexes over
// them: each server has its own. places tells where the other columns stand in def; nil: it is as
// it was.
func withoutSystem(def *catalog.Table) (out *catalog.Table, places []int) {
	to := make([]int, len(def.Columns))
	for i := range def.Columns {
		if to[i] = -1; !def.Columns[i].System {
			to[i], places = len(places), append(places, i)
		}
	}
	if len(places) == len(def.Columns) {
		return def, nil
	}
	out = &catalog.Table{Schema: def.Schema, Name: def.Name, Collation: def.Collation}
	for _, i := range places {
		out.Columns = append(out.Columns, def.Columns[i])
	}
	for _, idx := range def.Indexes {
		if slices.ContainsFunc(idx.Parts, func(p row.KeyPart) bool { return to[p.Column] < 0 }) {
			continue
		}
		moved := *idx
		moved.Parts = slices.Clone(idx.Parts)
		for i := range moved.Parts {
			moved.Parts[i].Column = to[moved.Parts[i].Column]
		}
		out.Indexes = append(out.Indexes, &moved)
	}
	return out, places
}

// logged is what the log tells of a row of the engine; memory is used where the row has more.
func (t *Table) logged(memory *[]row.Value, values []row.Value) []row.Value {
	if t.places == nil || values == nil {
		return values
	}
	kept := (*memory)[:0]
	for _, i := range t.places {
		kept = append(kept, values[i])
	}
	*memory = kept
	return kept
}

// identity is the columns by which an image names a row.
func (t *Table) identity(image Image) bitmap {
	switch image {
	case ImageMinimal:
		return t.key
	case ImageNoBlob:
		return t.short
	}
	return t.all
}

// chooseKey takes the primary key, or the first unique key without nullable columns and prefixes,
// or all columns.
func (t *Table) chooseKey(def *catalog.Table) {
	for _, idx := range def.Indexes {
		if !idx.Unique || idx.Name == "" {
			continue
		}
		usable := true
		for _, p := range idx.Parts {
			c := &def.Columns[p.Column]
			usable = usable && !c.Virtual && (idx.Name == "PRIMARY" || !c.Nullable && p.Prefix == 0)
		}
		if usable {
			for _, p := range idx.Parts {
				t.key.set(p.Column)
			}
			return
		}
	}
	copy(t.key, t.all)
}

// AppendTableMap appends the table map event.
func (t *Table) AppendTableMap(dst []byte, h Head) []byte {
	start := len(dst)
	dst = append(dst, t.event...)
	h.put(dst[start:])
	return dst
}

func (t *Table) appendMap(dst []byte, def *catalog.Table, full bool) []byte {
	dst = appendUint(dst, t.id, 6)
	dst = appendUint(dst, tableMapBitLenExact, 2)
	dst = append(appendShort(dst, def.Schema), 0)
	dst = append(appendShort(dst, def.Name), 0)
	dst = appendPacked(dst, uint64(len(t.fields)))
	var meta []byte
	null := newBitmap(len(t.fields))
	for i := range t.fields {
		f := &t.fields[i]
		dst = append(dst, f.code)
		meta = append(meta, f.mapMeta()...)
		if def.Columns[i].Nullable {
			null.set(i)
		}
	}
	dst = appendPacked(dst, uint64(len(meta)))
	dst = append(dst, meta...)
	dst = append(dst, null...)
	return t.appendOptional(dst, def, full)
}

// long tells columns that NOBLOB images leave out: BLOB and TEXT, not JSON nor what else is stored
// like them.
func (f *field) long() bool { return f.code == typeBlob }

// mapMeta is the metadata of a column.
func (f *field) mapMeta() []byte { return f.meta[:f.metaLen] }

func appendField(dst []byte, kind byte, b []byte) []byte {
	if len(b) == 0 {
		return dst
	}
	dst = appendPacked(append(dst, kind), uint64(len(b)))
	return append(dst, b...)
}

func (t *Table) appendOptional(dst []byte, def *catalog.Table, full bool) []byte {
	var unsigned, visible highBits
	var geometry, vectors, names, sets, enums []byte
	var text, members []uint16 // collations
	for i := range t.fields {
		f, c := &t.fields[i], &def.Columns[i]
		visible.add(c.Listed())
		names = append(appendPacked(names, uint64(len(c.Name))), c.Name...)
		switch f.code {
		case typeTiny, typeShort, typeInt24, typeLong, typeLongLong, typeFloat, typeDouble, typeNewDecimal, typeYear:
			unsigned.add(isUnsigned(c))
		case typeVarchar, typeBlob:
			text = append(text, c.Collation)
		case typeVector:
			text = append(text, c.Collation)
			n, _ := strconv.ParseUint(strings.TrimSpace(f.arg), 10, 32)
			vectors = appendPacked(vectors, n)
		case typeGeometry:
			geometry = appendPacked(geometry, geometryKind(c.SQLType))
		case typeString:
			switch c.Type {
			case row.TEnum:
				members, enums = append(members, memberCollation(def, c)), f.appendMembers(enums, memberCollation(def, c))
			case row.TSet:
				members, sets = append(members, memberCollation(def, c)), f.appendMembers(sets, memberCollation(def, c))
			default:
				text = append(text, c.Collation)
			}
		}
	}
	dst = appendField(dst, metaSignedness, unsigned.b)
	dst = appendCharsets(dst, metaDefaultCharset, metaColumnCharset, text)
	dst = appendField(dst, metaGeometryType, geometry)
	dst = appendField(dst, metaVectorDimensions, vectors)
	if !full {
		return dst
	}
	dst = appendField(dst, metaColumnName, names)
	dst = appendCharsets(dst, metaEnumSetDefault, metaEnumSetCharset, members)
	dst = appendField(dst, metaSetMembers, sets)
	dst = appendField(dst, metaEnumMembers, enums)
	dst = appendPrimaryKey(dst, def)
	return appendField(dst, metaVisibility, visible.b)
}

// isUnsigned also finds UNSIGNED FLOAT, DOUBLE and DECIMAL, whose storage is the signed one's.
func isUnsigned(c *catalog.Column) bool {
	switch c.Type {
	case row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64, row.TYear:
		return true
	case row.TFloat32, row.TFloat64, row.TDecimal:
		return strings.Contains(strings.ToLower(c.SQLType), "unsigned")
	}
	return false
}

// memberCollation is the collation of an ENUM or SET: its own, or the one its type text names, or
// the table's.
func memberCollation(def *catalog.Table, c *catalog.Column) uint16 {
	if c.Collation != 0 {
		return c.Collation
	}
	tail := c.SQLType[strings.LastIndexByte(c.SQLType, ')')+1:]
	if _, name, ok := strings.Cut(strings.ToLower(tail), "collate "); ok {
		if id := collationByName(strings.TrimSpace(name)); id != 0 {
			return id
		}
	}
	return def.Collation
}

func collationByName(name string) uint16 {
	switch name {
	case "binary":
		return row.CollationBinary
	}
	for id := uint16(1); id < maxCollation; id++ {
		if c := row.LookupCollation(id); c != nil && c.Name == name {
			return id
		}
	}
	return 0
}

func (f *field) appendMembers(dst []byte, collation uint16) []byte {
	cs := lookupCharset(collation)
	dst = appendPacked(dst, uint64(len(f.members)))
	for _, m := range f.members {
		b := []byte(m)
		if cs != nil && cs.Append != nil {
			b = cs.Append(nil, b)
		}
		dst = append(appendPacked(dst, uint64(len(b))), b...)
	}
	return dst
}

// appendCharsets writes collations as "one and its exceptions" if more than half of the columns
// share it, else one by one.
func appendCharsets(dst []byte, defaultKind, listKind byte, collations []uint16) []byte {
	if len(collations) == 0 {
		return dst
	}
	counts := map[uint16]int{}
	best := collations[0]
	for _, c := range collations {
		if counts[c]++; counts[c] > counts[best] || counts[c] == counts[best] && c < best {
			best = c
		}
	}
	var b []byte
	if 2*counts[best] <= len(collations) {
		for _, c := range collations {
			b = appendPacked(b, uint64(c))
		}
		return appendField(dst, listKind, b)
	}
	b = appendPacked(b, uint64(best))
	for i, c := range collations {
		if c != best {
			b = appendPacked(appendPacked(b, uint64(i)), uint64(c))
		}
	}
	return appendField(dst, defaultKind, b)
}

var geometryKinds = [...]string{"geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection"}

func geometryKind(sqlType string) uint64 {
	name, _ := splitType(sqlType)
	for i, kind := range geometryKinds {
		if name == kind {
			return uint64(i)
		}
	}
	if name == "geomcollection" {
		return 7
	}
	return 0
}

func appendPrimaryKey(dst []byte, def *catalog.Table) []byte {
	if len(def.Indexes) == 0 || def.Indexes[0].Name != "PRIMARY" {
		return dst
	}
	var plain, prefixed []byte
	hasPrefix := false
	for _, p := range def.Indexes[0].Parts {
		plain = appendPacked(plain, uint64(p.Column))
		prefixed = appendPacked(appendPacked(prefixed, uint64(p.Column)), uint64(p.Prefix))
		hasPrefix = hasPrefix || p.Prefix > 0
	}
	if hasPrefix {
		return appendField(dst, metaPrimaryKeyPrefix, prefixed)
	}
	return appendField(dst, metaPrimaryKey, plain)
}

// highBits is a bit set that fills each byte from its high bit on.
type highBits struct {
	b []byte
	n int
}

func (h *highBits) add(v bool) {
	if h.n%8 == 0 {
		h.b = append(h.b, 0)
	}
	if v {
		h.b[h.n/8] |= 0x80 >> (h.n % 8)
	}
	h.n++
}

// bitmap is a set of columns, low bit first.
type bitmap []byte

func newBitmap(n int) bitmap { return make(bitmap, (n+7)/8) }

func (b bitmap) set(i int)      { b[i/8] |= 1 << (i % 8) }
func (b bitmap) has(i int) bool { return b[i/8]&(1<<(i%8)) != 0 }

func (b bitmap) count() (n int) {
	for _, x := range b {
		n += bits.OnesCount8(x)
	}
	return n
}

func (b bitmap) contains(o bitmap) bool {
	for i := range b {
		if o[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

// fill sets every bit, those behind the last column too, as MySQL does for a full image.
func (b bitmap) fill() {
	for i := range b {
		b[i] = math.MaxUint8
	}
}
