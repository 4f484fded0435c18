package binlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// shown is a random value and what an independent parser should make of it.
type shown struct {
	v    row.Value
	want any
}

func fraction(micros int64, fsp int) string {
	if fsp == 0 {
		return ""
	}
	return "." + fmt.Sprintf("%06d", micros)[:fsp]
}

// randomMicros is a fraction that fsp digits can hold.
func randomMicros(rnd *rand.Rand, fsp int) int64 {
	unit := int64(math.Pow10(6 - fsp))
	return rnd.Int64N(1e6/unit) * unit
}

func randomText(rnd *rand.Rand, max int) string {
	var b strings.Builder
	for range rnd.IntN(max + 1) {
		b.WriteRune([]rune("aZ9_é€漢😀\x00\n")[rnd.IntN(9)])
	}
	return b.String()
}

func randomJSON(rnd *rand.Rand, depth int) any {
	switch n := rnd.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return rnd.IntN(2) == 0
	case n == 2:
		return float64(rnd.Int64N(1<<53)>>rnd.IntN(53)) * float64(1-2*rnd.IntN(2))
	case n == 3:
		return rnd.NormFloat64()
	case n == 4 || depth > 4:
		return strings.ToValidUTF8(randomText(rnd, 200), "")
	case n < 7:
		list := make([]any, rnd.IntN(6))
		for i := range list {
			list[i] = randomJSON(rnd, depth+1)
		}
		return list
	}
	object := map[string]any{}
	for range rnd.IntN(6) {
		object[randomText(rnd, 8)] = randomJSON(rnd, depth+1)
	}
	return object
}

// kinds makes random columns with random values.
func kinds(rnd *rand.Rand) (catalog.Column, func() shown) {
	integer := func(t row.Type, name string, bits int, unsigned bool, as func(n uint64) any) (catalog.Column, func() shown) {
		return column("c", name, t), func() shown {
			n := rnd.Uint64() >> (64 - bits)
			v := row.UintValue(n)
			if !unsigned {
				v = row.IntValue(int64(n<<(64-bits)) >> (64 - bits))
			}
			return shown{v, as(v.N)}
		}
	}
	fsp := rnd.IntN(7)
	typed := func(name string) string { return fmt.Sprintf("%s(%d)", name, fsp) }
	switch rnd.IntN(24) {
	case 0:
		return integer(row.TInt8, "tinyint", 8, false, func(n uint64) any { return int8(n) })
	case 1:
		return integer(row.TUint16, "smallint unsigned", 16, true, func(n uint64) any { return int16(n) })
	case 2:
		return integer(row.TInt24, "mediumint", 24, false, func(n uint64) any { return int32(n) })
	case 3:
		return integer(row.TUint24, "mediumint unsigned", 24, true, func(n uint64) any { return int32(n<<8) >> 8 })
	case 4:
		return integer(row.TInt32, "int", 32, false, func(n uint64) any { return int32(n) })
	case 5:
		return integer(row.TUint64, "bigint unsigned", 64, true, func(n uint64) any { return int64(n) })
	case 6:
		return column("c", "float", row.TFloat32), func() shown { f := float32(rnd.NormFloat64()); return shown{row.FloatValue(float64(f)), f} }
	case 7:
		return column("c", "double", row.TFloat64), func() shown { f := rnd.NormFloat64(); return shown{row.FloatValue(f), f} }
	case 8:
		return column("c", "decimal(9,4)", row.TDecimal, [2]uint8{9, 4}), func() shown {
			whole, part := uint64(rnd.IntN(100000)), uint64(rnd.IntN(10000))
			b := appendUintBE(appendUintBE(nil, whole, 3), part, 2)
			sign := ""
			if whole+part > 0 && rnd.IntN(2) == 0 {
				sign = "-"
				for i := range b {
					b[i] = ^b[i]
				}
			}
			b[0] ^= 0x80
			return shown{row.BytesValue(b), fmt.Sprintf("%s%d.%04d", sign, whole, part)}
		}
	case 9:
		return column("c", "date", row.TDate), func() shown {
			y, m, d := rnd.IntN(10000), rnd.IntN(13), rnd.IntN(32)
			return shown{row.IntValue(int64(y*512 + m*32 + d)), fmt.Sprintf("%04d-%02d-%02d", y, m, d)}
		}
	case 10:
		return column("c", typed("time"), row.TTime), func() shown {
			h, m, s, micro := rnd.Int64N(839), rnd.Int64N(60), rnd.Int64N(60), randomMicros(rnd, fsp)
			n, sign := ((h*60+m)*60+s)*1e6+micro, ""
			if n > 0 && rnd.IntN(2) == 0 {
				n, sign = -n, "-"
			}
			shownFSP := fsp
			if micro == 0 {
				shownFSP = 0 // how that parser prints it
			}
			return shown{row.IntValue(n), fmt.Sprintf("%s%02d:%02d:%02d%s", sign, h, m, s, fraction(micro, shownFSP))}
		}
	case 11:
		return column("c", typed("datetime"), row.TDateTime), func() shown {
			y, mo, d := 1+rnd.Int64N(9999), 1+rnd.Int64N(12), 1+rnd.Int64N(28)
			h, mi, s, micro := rnd.Int64N(24), rnd.Int64N(60), rnd.Int64N(60), randomMicros(rnd, fsp)
			return shown{packDateTime(y, mo, d, h, mi, s, micro), fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d%s", y, mo, d, h, mi, s, fraction(micro, fsp))}
		}
	case 12:
		return column("c", typed("timestamp"), row.TTimestamp), func() shown {
			at := time.Unix(1+rnd.Int64N(1<<31-1), randomMicros(rnd, fsp)*1000).UTC()
			return shown{row.IntValue(at.UnixMicro()), at.Format("2006-01-02 15:04:05") + fraction(int64(at.Nanosecond()/1000), fsp)}
		}
	case 13:
		return column("c", "year", row.TYear), func() shown { n := 1901 + rnd.IntN(255); return shown{row.UintValue(uint64(n)), n} }
	case 14:
		bits := 1 + rnd.IntN(64)
		return column("c", fmt.Sprintf("bit(%d)", bits), row.TBit, bits), func() shown {
			n := rnd.Uint64() >> (64 - bits)
			return shown{row.UintValue(n), int64(n)}
		}
	case 15:
		members := "'m0'"
		for i := 1; i < 300; i++ {
			members += fmt.Sprintf(",'m%d'", i)
		}
		return column("c", "enum("+members+")", row.TEnum), func() shown { n := rnd.IntN(301); return shown{row.UintValue(uint64(n)), int64(n)} }
	case 16:
		n := 1 + rnd.IntN(64)
		members := "'m0'"
		for i := 1; i < n; i++ {
			members += fmt.Sprintf(",'m%d'", i)
		}
		return column("c", "set("+members+")", row.TSet), func() shown {
			v := rnd.Uint64() >> (64 - n)
			return shown{row.UintValue(v), int64(v)}
		}
	case 17:
		n := 1 + rnd.IntN(255)
		return column("c", fmt.Sprintf("char(%d)", n), row.TChar, n), func() shown {
			s := randomText(rnd, n)
			return shown{text(s), s}
		}
	case 18:
		n := 1 + rnd.IntN(2000)
		return column("c", fmt.Sprintf("varchar(%d)", n), row.TVarchar, n), func() shown { s := randomText(rnd, n); return shown{text(s), s} }
	case 19:
		return column("c", "binary(20)", row.TBinary, 20), func() shown {
			b := make([]byte, 20)
			n := rnd.IntN(21)
			for i := range n {
				b[i] = byte(1 + rnd.IntN(255))
			}
			return shown{row.BytesValue(b), string(b[:n])}
		}
	case 20:
		names := []string{"tinytext", "text", "mediumtext", "longtext"}
		name := names[rnd.IntN(4)]
		return column("c", name, row.TText), func() shown { s := randomText(rnd, 60); return shown{text(s), []byte(s)} }
	case 21:
		return column("c", "json", row.TJSON), func() shown {
			doc := randomJSON(rnd, 0)
			b, err := json.Marshal(doc)
			if err != nil {
				panic(err)
			}
			return shown{row.BytesValue(b), doc}
		}
	case 22:
		return column("c", "point", row.TGeometry), func() shown { p := point(0, one, two); return shown{p, p.B} }
	}
	return column("c", "varchar(10) CHARACTER SET latin1 COLLATE latin1_swedish_ci", row.TVarchar, 10, "latin1"), func() shown {
		if rnd.IntN(2) == 0 {
			return shown{text("é€"), "\xe9\x80"}
		}
		return shown{text("plain"), "plain"}
	}
}

func TestRandomRowsParseElsewhere(t *testing.T) {
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		def := &catalog.Table{Schema: "d", Name: "t", Collation: 255, Indexes: primary(0)}
		var makers []func() shown
		for range 1 + rnd.IntN(20) {
			c, maker := kinds(rnd)
			c.Name = fmt.Sprintf("c%d", len(makers))
			def.Columns = append(def.Columns, c)
			makers = append(makers, maker)
		}
		table, err := NewTable(def, 42, rnd.IntN(2) == 0)
		require.NoError(t, err)
		draw := func() (vals []row.Value, want []any) {
			for _, m := range makers {
				s := m()
				if rnd.IntN(5) == 0 {
					s = shown{}
				}
				vals, want = append(vals, s.v), append(want, s.want)
			}
			return vals, want
		}
		var want [][]any
		var kindsWanted []EventType
		events := logged(t, Head{Time: 5, ServerID: 1}, ImageFull, func(s *Statement) {
			for range 1 + rnd.IntN(30) {
				a, wa := draw()
				b, wb := draw()
				switch rnd.IntN(3) {
				case 0:
					require.NoError(t, s.Insert(table, a))
					want, kindsWanted = append(want, wa), append(kindsWanted, EventWriteRows)
				case 1:
					require.NoError(t, s.Update(table, a, b))
					want, kindsWanted = append(want, wa, wb), append(kindsWanted, EventUpdateRows, EventUpdateRows)
				case 2:
					require.NoError(t, s.Delete(table, a))
					want, kindsWanted = append(want, wa), append(kindsWanted, EventDeleteRows)
				}
			}
		})
		file := append([]byte(magic), AppendFormatDescription(nil, Head{}, "8.4.6-Ember", 0, checksumCRC32)...)
		Place(file[4:], 4)
		Place(events, int64(len(file)))
		var got [][]any
		parseElsewhere(t, append(file, events...), func(e *replication.BinlogEvent) {
			if r, ok := e.Event.(*replication.RowsEvent); ok {
				for _, values := range r.Rows {
					require.Equal(t, byte(kindsWanted[len(got)]), byte(e.Header.EventType), "seed %d", seed)
					got = append(got, values)
				}
			}
		})
		require.Equal(t, len(want), len(got), "seed %d", seed)
		for i := range want {
			for c := range want[i] {
				if shownJSON, ok := got[i][c].(string); ok && def.Columns[c].Type == row.TJSON {
					var doc any
					require.NoError(t, json.Unmarshal([]byte(shownJSON), &doc))
					require.Equal(t, want[i][c], doc, "seed %d, row %d, column %d", seed, i, c)
					continue
				}
				require.Equal(t, want[i][c], got[i][c], "seed %d, row %d, column %d %s", seed, i, c, def.Columns[c].SQLType)
			}
		}
	}
}

func parseElsewhere(t *testing.T, file []byte, each func(e *replication.BinlogEvent)) {
	t.Helper()
	p := replication.NewBinlogParser()
	p.SetVerifyChecksum(true)
	p.SetTimestampStringLocation(time.UTC)
	require.NoError(t, p.ParseReader(bytes.NewReader(file[len(magic):]), func(e *replication.BinlogEvent) error {
		each(e)
		return nil
	}))
}

// TestLogParsesElsewhere gives all files of a life to an independent parser.
func TestLogParsesElsewhere(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.script(rand.New(rand.NewPCG(3, 3))))
	types := map[replication.EventType]int{}
	for n := s.log.first; n <= s.log.last; n++ {
		b, err := vfs.ReadFile(s.fs, s.log.path(n))
		require.NoError(t, err)
		parseElsewhere(t, b, func(e *replication.BinlogEvent) {
			types[e.Header.EventType]++
			if g, ok := e.Event.(*replication.GTIDEvent); ok {
				require.Equal(t, testUUID[:], g.SID)
				require.EqualValues(t, 80406, g.ImmediateServerVersion)
				require.Equal(t, int64(1700000000), g.ImmediateCommitTime().Unix())
			}
		})
	}
	require.Equal(t, 1, types[replication.STOP_EVENT])
	require.Positive(t, types[replication.ROTATE_EVENT])
	require.Positive(t, types[replication.IGNORABLE_EVENT], "a large transaction")
}

func TestHeartbeats(t *testing.T) {
	for _, pos := range []uint64{157, 1 << 33} {
		b := AppendHeartbeat([]byte("x"), 3, "binlog.000009", pos)[1:]
		require.NoError(t, verify(b))
		h, err := ParseHeader(b)
		require.NoError(t, err)
		require.Equal(t, uint32(pos), h.LogPos)
		require.Equal(t, FlagArtificial, h.Flags)
	}
	b := AppendArtificialRotate(nil, 3, "binlog.000009", 4)
	h, err := ParseHeader(b)
	require.NoError(t, err)
	require.Zero(t, h.LogPos)
	require.NoError(t, verify(b))
}

// FuzzFile reads files of any content: errors, never a panic or an endless loop.
func FuzzFile(f *testing.F) {
	file := append([]byte(magic), AppendFormatDescription(nil, Head{}, "8.4.6-Ember", 0, checksumCRC32)...)
	file = AppendPreviousGTIDs(file, Head{}, new(Set))
	file = appendGTID(file, Head{}, &gtidEvent{gtid: GTID{Source{Server: testUUID}, 1}})
	file = AppendXid(file, Head{}, 1)
	Place(file[4:], 4)
	f.Add(file)
	f.Fuzz(func(t *testing.T, b []byte) {
		fs := vfs.NewMem(1)
		require.NoError(t, vfs.WriteFile(fs, "f", b))
		r, err := OpenFile(fs, "f")
		if err != nil {
			require.ErrorIs(t, err, base.ErrCorrupt)
			return
		}
		defer r.Close()
		for {
			e, err := r.Next(int64(len(b)))
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				require.ErrorIs(t, err, base.ErrCorrupt)
				return
			}
			_ = e.Body()
			_, _ = parseGTID(e.Type, e.Body())
		}
		_, _ = r.readHead()
	})
}

// TestFlagsOfRowsAreNamed prints row events as MySQL does, by their flags.
func TestFlagsOfRowsAreNamed(t *testing.T) {
	for flags, want := range map[byte]string{
		0:  "table_id: 7",
		1:  "table_id: 7 flags: STMT_END_F",
		16: "table_id: 7 flags: USE_SQL_FOREIGN_KEY_F",
		23: "table_id: 7 flags: STMT_END_F NO_FOREIGN_KEY_CHECKS_F RELAXED_UNIQUE_CHECKS_F USE_SQL_FOREIGN_KEY_F",
	} {
		require.Equal(t, want, rowsInfo([]byte{7, 0, 0, 0, 0, 0, flags, 0}))
	}
}
