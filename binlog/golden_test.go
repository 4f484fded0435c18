package binlog

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// testdata/mysql-9.7.binlog.gz is a file MySQL 9.7 wrote for the statements named below. These
// tests build the same events and compare bytes.

// mysqlEvents reads a file.
func mysqlEvents(t *testing.T, name string) []Event {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".binlog.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	b, err := io.ReadAll(z)
	require.NoError(t, err)
	require.Equal(t, magic, string(b[:4]))
	var events []Event
	for off := 4; off < len(b); {
		h, err := ParseHeader(b[off:])
		require.NoError(t, err)
		raw := b[off : off+int(h.Length)]
		require.NoError(t, verify(raw))
		events = append(events, Event{Header: h, Pos: int64(off), Raw: raw, checksum: true})
		off += int(h.Length)
	}
	return events
}

// sameEvent places ours where MySQL's stands and compares all bytes.
func sameEvent(t *testing.T, want Event, got []byte) {
	t.Helper()
	Place(got, want.Pos)
	require.Equal(t, want.Raw, got)
}

func headOfEvent(e Event) Head { return Head{Time: e.Time, ServerID: e.ServerID} }

func column(name, sqlType string, typ row.Type, options ...any) catalog.Column {
	c := catalog.Column{Name: name, SQLType: sqlType, Column: row.Column{Type: typ, Nullable: true}}
	switch typ {
	case row.TChar, row.TVarchar, row.TText, row.TEnum, row.TSet:
		c.Collation = 255
	case row.TBinary, row.TVarbinary, row.TBlob:
		c.Collation = 63
	}
	for _, o := range options {
		switch o := o.(type) {
		case int:
			c.Length = uint32(o)
		case string:
			switch o {
			case "not null":
				c.Nullable = false
			case "latin1":
				c.Collation = 8
			case "invisible":
				c.Invisible = true
			case "virtual":
				c.Virtual = true
			}
		case [2]uint8:
			c.Precision, c.Scale = o[0], o[1]
		}
	}
	return c
}

func primary(cols ...int) []*catalog.Index {
	idx := &catalog.Index{Name: "PRIMARY", Unique: true, Clustered: true}
	for _, c := range cols {
		idx.Parts = append(idx.Parts, row.KeyPart{Column: c})
	}
	return []*catalog.Index{idx}
}

// allTypes is the table t of the golden file.
func allTypes() *catalog.Table {
	return &catalog.Table{Schema: "d", Name: "t", Collation: 255, Indexes: primary(0), Columns: []catalog.Column{
		column("id", "int", row.TInt32, "not null"),
		column("i8", "tinyint", row.TInt8), column("u8", "tinyint unsigned", row.TUint8),
		column("i16", "smallint", row.TInt16), column("u16", "smallint unsigned", row.TUint16),
		column("i24", "mediumint", row.TInt24), column("u24", "mediumint unsigned", row.TUint24),
		column("i32", "int", row.TInt32), column("u32", "int unsigned", row.TUint32),
		column("i64", "bigint", row.TInt64), column("u64", "bigint unsigned", row.TUint64),
		column("f", "float", row.TFloat32), column("dd", "double", row.TFloat64),
		column("de", "decimal(20,6)", row.TDecimal, [2]uint8{20, 6}),
		column("d1", "date", row.TDate), column("t0", "time", row.TTime), column("t3", "time(3)", row.TTime), column("t6", "time(6)", row.TTime),
		column("dt0", "datetime", row.TDateTime), column("dt2", "datetime(2)", row.TDateTime), column("dt6", "datetime(6)", row.TDateTime),
		column("ts0", "timestamp", row.TTimestamp), column("ts4", "timestamp(4)", row.TTimestamp), column("y", "year", row.TYear),
		column("b1", "bit(1)", row.TBit, 1), column("b12", "bit(12)", row.TBit, 12), column("b64", "bit(64)", row.TBit, 64),
		column("e", `enum('a','b''c','d\\e')`, row.TEnum), column("s", "set('x','y','z')", row.TSet),
		column("c", "char(10)", row.TChar, 10), column("cl", "char(10)", row.TChar, 10, "latin1"), column("c200", "char(200)", row.TChar, 200),
		column("vc", "varchar(20)", row.TVarchar, 20), column("vc300", "varchar(300)", row.TVarchar, 300),
		column("bi", "binary(8)", row.TBinary, 8), column("vb", "varbinary(20)", row.TVarbinary, 20),
		column("tt", "tinytext", row.TText, 63), column("tx", "text", row.TText, 16383), column("mt", "mediumtext", row.TText, 4194303),
		column("lt", "longtext", row.TText, 1073741823), column("bl", "blob", row.TBlob, 65535), column("lb", "longblob", row.TBlob, 4294967295),
		column("js", "json", row.TJSON), column("g", "geometry", row.TGeometry), column("gp", "point", row.TGeometry, "not null"),
		column("gv", "int", row.TInt32, "virtual"), column("gs", "int", row.TInt32), column("inv", "int", row.TInt32, "invisible"),
		column("vl", "varchar(10)", row.TVarchar, 10, "latin1"), column("vec", "vector(3)", row.TBlob, 12),
	}}
}

func packDateTime(y, mo, d, h, mi, s, micro int64) row.Value {
	return row.IntValue(((y*13+mo)<<5|d)<<41 | h<<36 | mi<<30 | s<<24 | micro)
}

func text(s string) row.Value { return row.BytesValue([]byte(s)) }

const goldenJSON = `{"a":1,"bb":[1,-1,65536,4294967296,-4294967296,18446744073709551615,1.5,true,false,null,"str"],"":{}}`

func point(srid uint32, x, y uint64) row.Value {
	b := []byte{0, 0, 0, 0, 1, 1, 0, 0, 0}
	binary.LittleEndian.PutUint32(b, srid)
	b = binary.LittleEndian.AppendUint64(b, x)
	return row.BytesValue(binary.LittleEndian.AppendUint64(b, y))
}

const one, two = 0x3ff0000000000000, 0x4000000000000000

// allTypesRow is the first row of the golden file.
func allTypesRow() []row.Value {
	return []row.Value{
		row.IntValue(1), row.IntValue(-128), row.UintValue(255), row.IntValue(-32768), row.UintValue(65535), row.IntValue(-8388608), row.UintValue(16777215),
		row.IntValue(-2147483648), row.UintValue(4294967295), row.IntValue(-1 << 63), row.UintValue(1<<64 - 1), row.FloatValue(1.5), row.FloatValue(-2.25),
		row.BytesValue(goldenDecimal), row.IntValue(2024*512 + 2*32 + 29),
		row.IntValue(-((838*60+59)*60 + 59) * 1e6), row.IntValue(-1_250_000), row.IntValue(((12*60+34)*60+56)*1e6 + 789012),
		packDateTime(9999, 12, 31, 23, 59, 59, 0), packDateTime(2001, 2, 3, 4, 5, 6, 780000), packDateTime(2001, 2, 3, 4, 5, 6, 789012),
		row.IntValue(2147483647 * 1e6), row.IntValue(981173106*1e6 + 789100), row.UintValue(2155),
		row.UintValue(1), row.UintValue(0xabc), row.UintValue(1<<64 - 1), row.UintValue(2), row.UintValue(5),
		text("ab"), text("éa"), text("zz"), text("vär"), text("long"), row.BytesValue([]byte{1, 2, 0, 0, 0, 0, 0, 0}), row.BytesValue([]byte{1, 0}),
		text("tt"), text("text"), text("mt"), text("lt"), text("bl"), text("lb"), text(goldenJSON), point(0, one, two), point(4326, two, one),
		row.IntValue(-2147483647), row.IntValue(-2147483646), row.IntValue(7), text("é"), row.NullValue,
	}
}

// goldenDecimal is -12345678901234.123456 as DECIMAL(20,6).
var goldenDecimal = func() []byte {
	var d []byte
	d = appendUintBE(d, 12345, 3)     // 5 digits
	d = appendUintBE(d, 678901234, 4) // 9 digits
	d = appendUintBE(d, 123456, 3)    // 6 digits
	for i := range d {
		d[i] = ^d[i]
	}
	d[0] ^= 0x80
	return d
}()

// statementsOf gives, for each statement of the file in order, its row events with the table map.
func statementsOf(events []Event) (out [][]Event) {
	var open []Event
	for _, e := range events {
		switch e.Type {
		case EventTableMap:
			open = []Event{e}
		case EventWriteRows, EventUpdateRows, EventDeleteRows:
			open = append(open, e)
			if e.Body()[6]&rowsFlagEnd != 0 {
				out = append(out, open)
			}
		}
	}
	return out
}

// logged runs write as one statement and gives the events it logs.
func logged(t *testing.T, h Head, image Image, write func(s *Statement)) []byte {
	t.Helper()
	c := (&Log{cacheSize: 1 << 30}).NewCache()
	var s Statement
	s.Begin(c, h, image, 0, "")
	write(&s)
	require.NoError(t, s.End())
	return c.buf
}

func sameStatement(t *testing.T, want []Event, got []byte) {
	t.Helper()
	Place(got, want[0].Pos)
	for i, w := range want {
		require.GreaterOrEqual(t, len(got), headerSize, "event %d is missing", i)
		n := eventLength(got)
		require.Equal(t, w.Raw, got[:n], "event %d of the statement, %s", i, w.Type)
		got = got[n:]
	}
	require.Empty(t, got)
}

// TestNoBlobColumns: MySQL 9.7's columns of NOBLOB images, low bit first.
func TestNoBlobColumns(t *testing.T) {
	keyed := &catalog.Table{Schema: "d", Name: "a", Collation: 255, Indexes: primary(0), Columns: []catalog.Column{column("id", "int", row.TInt32, "not null"),
		column("b", "text", row.TText, 65535), column("v", "int", row.TInt32), column("j", "json", row.TJSON)}}
	bare := *keyed
	bare.Indexes = nil
	old := []row.Value{row.IntValue(1), text("x"), row.IntValue(1), row.NullValue}
	number := []row.Value{row.IntValue(1), text("x"), row.IntValue(2), row.NullValue}
	both := []row.Value{row.IntValue(1), text("y"), row.IntValue(2), row.NullValue}
	for _, c := range []struct {
		def           *catalog.Table
		after         []row.Value
		before, wrote byte
	}{{keyed, number, 0b1101, 0b1101}, {keyed, both, 0b1101, 0b1111}, {&bare, number, 0b1111, 0b1101}} {
		table, err := NewTable(c.def, 7, false)
		require.NoError(t, err)
		b := logged(t, Head{}, ImageNoBlob, func(s *Statement) { require.NoError(t, s.Update(table, old, c.after)) })
		b = b[eventLength(b):] // the table map
		const columns = headerSize + 10 + 1
		require.Equal(t, []byte{c.before, c.wrote}, []byte{b[columns] & 15, b[columns+1] & 15})
	}
}

func TestGoldenRows(t *testing.T) {
	statements := statementsOf(mysqlEvents(t, "mysql-9.7"))
	id := func(i int) uint64 { return binary.LittleEndian.Uint64(statements[i][0].Body()) & (1<<48 - 1) }
	table, err := NewTable(allTypes(), id(0), true)
	require.NoError(t, err)
	head := func(i int) Head { return headOfEvent(statements[i][0]) }

	first := allTypesRow()
	sameStatement(t, statements[0], logged(t, head(0), ImageFull, func(s *Statement) { require.NoError(t, s.Insert(table, first)) }))

	second := make([]row.Value, len(first))
	second[0], second[44] = row.IntValue(2), point(4326, two, one)
	sameStatement(t, statements[1], logged(t, head(1), ImageFull, func(s *Statement) { require.NoError(t, s.Insert(table, second)) }))

	third := append([]row.Value(nil), first...)
	third[7], third[32], third[45], third[46] = row.IntValue(5), text("neu"), row.IntValue(6), row.IntValue(7)
	sameStatement(t, statements[2], logged(t, head(2), ImageFull, func(s *Statement) { require.NoError(t, s.Update(table, first, third)) }))

	fourth := append([]row.Value(nil), third...)
	fourth[7], fourth[16], fourth[17], fourth[45], fourth[46] = row.IntValue(6), row.IntValue(-1000), row.IntValue(-12*3600*1e6-1), row.IntValue(7), row.IntValue(8)
	sameStatement(t, statements[3], logged(t, head(3), ImageMinimal, func(s *Statement) { require.NoError(t, s.Update(table, third, fourth)) }))

	fifth := append([]row.Value(nil), fourth...)
	fifth[14], fifth[20], fifth[22], fifth[27], fifth[23] = row.IntValue(0), row.IntValue(0), row.IntValue(0), row.UintValue(0), row.UintValue(0)
	fifth[15], fifth[16], fifth[34] = row.IntValue(0), row.IntValue(-10000), row.BytesValue([]byte{1, 0, 0, 0, 0, 0, 0, 0})
	sameStatement(t, statements[4], logged(t, head(4), ImageMinimal, func(s *Statement) { require.NoError(t, s.Update(table, fourth, fifth)) }))

	sameStatement(t, statements[5], logged(t, head(5), ImageMinimal, func(s *Statement) { require.NoError(t, s.Delete(table, second)) }))

	noKey, err := NewTable(&catalog.Table{Schema: "d", Name: "nopk", Collation: 255, Columns: []catalog.Column{
		column("a", "int", row.TInt32), column("b", "varchar(5)", row.TVarchar, 5), column("c", "text", row.TText, "latin1"),
		column("d", "char(3)", row.TChar, 3, "latin1"), column("e2", "enum('q')", row.TEnum, "latin1"),
	}}, id(6), true)
	require.NoError(t, err)
	sameStatement(t, statements[6], logged(t, head(6), ImageFull, func(s *Statement) {
		require.NoError(t, s.Insert(noKey, []row.Value{row.IntValue(1), text("x"), text("y"), text("z"), row.UintValue(1)}))
		require.NoError(t, s.Insert(noKey, []row.Value{row.IntValue(2), {}, {}, {}, {}}))
	}))

	prefixKey := primary(1, 0)
	prefixKey[0].Parts[1].Prefix = 10
	prefixed, err := NewTable(&catalog.Table{Schema: "d", Name: "pfx", Collation: 255, Indexes: prefixKey, Columns: []catalog.Column{
		column("a", "varchar(50)", row.TVarchar, 50, "not null"), column("b", "int", row.TInt32, "not null"),
	}}, id(7), true)
	require.NoError(t, err)
	sameStatement(t, statements[7], logged(t, head(7), ImageFull, func(s *Statement) {
		require.NoError(t, s.Insert(prefixed, []row.Value{text("x"), row.IntValue(1)}))
	}))
}

func TestGoldenJSON(t *testing.T) {
	statements := statementsOf(mysqlEvents(t, "mysql-9.7"))
	want := statements[8]
	table, err := NewTable(&catalog.Table{Schema: "d", Name: "j", Collation: 255, Indexes: primary(0), Columns: []catalog.Column{
		column("id", "int", row.TInt32, "not null"), column("j", "json", row.TJSON),
	}}, binary.LittleEndian.Uint64(want[0].Body())&(1<<48-1), true)
	require.NoError(t, err)
	y, z := strings.Repeat("y", 40000), strings.Repeat("z", 40000)
	documents := []string{
		`{"k": "` + strings.Repeat("x", 100) + `", "arr": ["` + y + `", "` + z + `", 1, 70000]}`, `[]`, `"x"`, `5`,
		"[" + strings.Repeat("123456,", 20000) + "1]", `-0.0`, `{"b":1,"a":2,"b":3,"ccc":{"x":[]}}`, `70000`, `4294967295`, `4294967296`, `-2147483649`,
		`[32767,32768,-32768,-32769,65535,65536,2147483647,2147483648]`, `true`, `null`, `1e3`, `99999999999999999999`,
	}
	sameStatement(t, want, logged(t, headOfEvent(want[0]), ImageFull, func(s *Statement) {
		for i, d := range documents {
			require.NoError(t, s.Insert(table, []row.Value{row.IntValue(int64(i + 1)), text(d)}))
		}
	}))
}

func TestGoldenControl(t *testing.T) {
	events := mysqlEvents(t, "mysql-9.7")
	require.Equal(t, EventFormatDescription, events[0].Type)
	sameEvent(t, events[0], AppendFormatDescription(nil, headOfEvent(events[0]), "9.7.4-2", binary.LittleEndian.Uint32(events[0].Body()[52:]), checksumCRC32))
	sameEvent(t, events[1], AppendPreviousGTIDs(nil, headOfEvent(events[1]), new(Set)))
	last := events[len(events)-1]
	sameEvent(t, last, AppendRotate(nil, headOfEvent(last), "bin.000002", 4))
	for i, e := range events {
		switch e.Type {
		case EventXid:
			sameEvent(t, e, AppendXid(nil, headOfEvent(e), binary.LittleEndian.Uint64(e.Body())))
		case EventRowsQuery:
			sameEvent(t, e, AppendRowsQuery(nil, headOfEvent(e), string(e.Body()[1:])))
		case EventGTID:
			b := e.Body()
			g, ok := parseGTID(e.Type, b)
			require.True(t, ok)
			length := uint64(0)
			for _, o := range events[i+1:] {
				if o.Type == EventGTID || o.Type == EventRotate {
					break
				}
				length += uint64(o.Length)
			}
			micros := binary.LittleEndian.Uint64(b[42:]) & (1<<55 - 1)
			sameEvent(t, e, appendGTID(nil, headOfEvent(e), &gtidEvent{gtid: g, statements: b[0] == 1, length: length, immediateTime: micros,
				originalTime: micros, lastCommitted: int64(binary.LittleEndian.Uint64(b[26:])), sequence: int64(binary.LittleEndian.Uint64(b[34:])),
				immediateVer: 90704, originalVersion: 90704}))
		}
	}
	no, yes := false, true
	q := events[3]
	sameEvent(t, q, AppendQuery(nil, Head{Time: q.Time, ServerID: q.ServerID, Flags: FlagSuppressUse}, &Query{ThreadID: 8, ExecSeconds: uint32(q.Body()[4]),
		Database: "d", SQL: "create database d", SQLMode: 0x45a00020, ClientCollation: 33, ConnectionCollation: 33, ServerCollation: 255,
		UpdatedDatabases: []string{"d"}, DDLXid: 2, DefaultCollationUTF8MB4: 255, DefaultTableEncryption: &no}))
	q = events[5]
	sql := string(q.Body()[bytes.Index(q.Body(), []byte("create table")):])
	sameEvent(t, q, AppendQuery(nil, headOfEvent(q), &Query{ThreadID: 8, Database: "d", SQL: sql, SQLMode: 0x45a00020, ClientCollation: 33,
		ConnectionCollation: 33, ServerCollation: 255, UpdatedDatabases: []string{"d"}, ExplicitTimestamp: &yes, DDLXid: 5,
		DefaultCollationUTF8MB4: 255, RequirePrimaryKey: &no}))
	q = events[7]
	sameEvent(t, q, AppendQuery(nil, Head{Time: q.Time, ServerID: q.ServerID, Flags: FlagSuppressUse}, &Query{ThreadID: 8, Database: "d", SQL: "BEGIN",
		SQLMode: 0x45a00020, ClientCollation: 33, ConnectionCollation: 33, ServerCollation: 255, TimeZone: "SYSTEM", DefaultCollationUTF8MB4: 255}))
}

// TestMySQLsTaggedGTIDs is the same for the events of transactions whose names have a tag, of a
// second file.
func TestMySQLsTaggedGTIDs(t *testing.T) {
	events := mysqlEvents(t, "mysql-9.7-tagged")
	set, err := ParseBinary(events[1].Body())
	require.NoError(t, err)
	require.Equal(t, "2cf50dd3-e8ea-11f1-ad78-02fc00000001:1-6:foo_1:1-2,aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:bar:7", set.String())
	sameEvent(t, events[1], AppendPreviousGTIDs(nil, headOfEvent(events[1]), set))
	var names []string
	for i, e := range events {
		if e.Type != EventGTIDTagged {
			continue
		}
		g, ok := parseGTID(e.Type, e.Body())
		require.True(t, ok)
		names = append(names, e.Info())
		length := uint64(0)
		for _, o := range events[i+1:] {
			if o.Type == EventGTIDTagged || o.Type == EventRotate {
				break
			}
			length += uint64(o.Length)
		}
		x := theirGTID(t, &e)
		sameEvent(t, e, appendGTID(nil, headOfEvent(e), &gtidEvent{gtid: g, statements: x.CommitFlag == 1, length: length, lastCommitted: x.LastCommitted,
			sequence: x.SequenceNumber, immediateTime: x.ImmediateCommitTimestamp, originalTime: x.OriginalCommitTimestamp, immediateVer: 90704, originalVersion: 90704}))
	}
	require.Equal(t, []string{"SET @@SESSION.GTID_NEXT= '2cf50dd3-e8ea-11f1-ad78-02fc00000001:tag_1:1'",
		"SET @@SESSION.GTID_NEXT= '2cf50dd3-e8ea-11f1-ad78-02fc00000001:x_:1'"}, names)
}

func TestVarints(t *testing.T) {
	for shift := range 64 {
		for _, v := range []uint64{1 << shift, 1<<shift - 1, 1<<shift + 1} {
			b := appendVarint([]byte{7}, v)
			got, rest, ok := cutVarint(append(b, 9)[1:])
			require.True(t, ok)
			require.Equal(t, v, got)
			require.Equal(t, []byte{9}, rest)
			_, _, ok = cutVarint(b[1 : len(b)-1])
			require.False(t, ok, "cut off")
		}
	}
}

func TestSumIsCRC32(t *testing.T) {
	var s summer
	b := make([]byte, 700)
	for i := range b {
		b[i] = byte(i*i>>3 + i)
	}
	for from := range 3 {
		for n := 4; n <= len(b)-from; n++ {
			require.Equal(t, crc32.ChecksumIEEE(b[from:from+n]), s.sum(b[from:from+n]), "%d bytes", n)
		}
	}
}

func BenchmarkPlace(b *testing.B) {
	events := AppendQuery(nil, Head{}, &Query{Database: "test", SQL: "BEGIN"})
	events = AppendRowsQuery(events, Head{}, strings.Repeat("x", 440))
	events = AppendXid(events, Head{}, 1)
	for b.Loop() {
		Place(events, 4)
	}
}
