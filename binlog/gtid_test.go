package binlog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"
)

// TestSetModel compares sets with plain maps, and their text with another implementation's.
func TestSetModel(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var sets [3]Set
		models := [3]map[GTID]bool{{}, {}, {}}
		for step := range 200 {
			name := fmt.Sprintf("seed %d, step %d", seed, step)
			i, o := rnd.IntN(3), rnd.IntN(3)
			s, m := &sets[i], models[i]
			id := Source{Server: UUID{0: byte(rnd.IntN(3)), 15: byte(rnd.IntN(2))}}
			if seed%2 == 1 {
				id.Tag = tagOf([]string{"", "a", "b_9"}[rnd.IntN(3)])
			}
			switch rnd.IntN(8) {
			case 0, 1, 2:
				g := GTID{id, 1 + rnd.Int64N(60)}
				s.Add(g)
				m[g] = true
			case 3:
				start := 1 + rnd.Int64N(60)
				end := start + rnd.Int64N(20)
				s.AddInterval(id, start, end)
				for n := start; n < end; n++ {
					m[GTID{id, n}] = true
				}
			case 4:
				g := GTID{id, 1 + rnd.Int64N(60)}
				s.Remove(g)
				delete(m, g)
			case 5:
				other := sets[o].Clone()
				s.Subtract(other)
				for g := range models[o] {
					if i != o {
						delete(m, g)
					}
				}
				if i == o {
					clear(m)
				}
			case 6:
				s.Union(sets[o].Clone())
				for g := range models[o] {
					m[g] = true
				}
			case 7:
				n, err := s.next(id)
				require.NoError(t, err, name)
				for want := int64(1); want <= n; want++ {
					require.Equal(t, want < n, m[GTID{id, want}], name)
				}
			}
			sameSet(t, name, s, m)
			contains, intersects := true, false
			for g := range models[o] {
				contains = contains && m[g]
				intersects = intersects || m[g]
			}
			require.Equal(t, contains, s.ContainsSet(&sets[o]), name)
			require.Equal(t, intersects, s.Intersects(&sets[o]), name)
		}
	}
}

func sameSet(t *testing.T, name string, s *Set, m map[GTID]bool) {
	t.Helper()
	require.Equal(t, int64(len(m)), s.Count(), name)
	for g := range m {
		require.True(t, s.Contains(g), "%s: %s", name, g)
	}
	again, err := ParseSet(s.String())
	require.NoError(t, err, name)
	require.True(t, s.Equal(again), name)
	b := s.AppendBinary(nil)
	require.Len(t, b, s.BinarySize())
	again, err = ParseBinary(b)
	require.NoError(t, err, name)
	require.True(t, s.Equal(again), name)
	if s.tagged() {
		return // they know none
	}
	theirs, err := mysql.ParseMysqlGTIDSet(s.String())
	require.NoError(t, err, name)
	ours, err := mysql.DecodeMysqlGTIDSet(b)
	require.NoError(t, err, name)
	require.True(t, theirs.Equal(ours), name)
	for i := range s.sources {
		last := int64(0)
		for _, iv := range s.sources[i].ivs {
			require.Greater(t, iv.Start, last, name)
			require.Greater(t, iv.End, iv.Start, name)
			last = iv.End
		}
	}
}

func TestParseSet(t *testing.T) {
	const u = "3e11fa47-71ca-11e1-9e33-c80aa9429562"
	for _, c := range []struct{ in, out string }{
		{"", ""}, {" , ,", ""},
		{u + ":1", u + ":1"},
		{u + ":1-5:7, " + u + ":6", u + ":1-7"},
		{" " + u + " : 5 - 9 : 1 ,\n" + u + ":2-3", u + ":1-3:5-9"},
		{"{" + u + "}:1", u + ":1"},
		{"3E11FA4771CA11E19E33C80AA9429562:1-2", u + ":1-2"},
		{u + ":A:1-3:7:b_2: 4 ,", u + ":a:1-3:7:b_2:4"}, {u + ":x:2:y," + u + ":1:x:1", u + ":1:x:1-2"}, {u + ":x", ""},
		{u + ":5-1", ""}, {u, ""}, {",," + u + ":1,", u + ":1"}, {u + ":9223372036854775806", u + ":9223372036854775806"},
	} {
		s, err := ParseSet(c.in)
		require.NoError(t, err, c.in)
		require.Equal(t, c.out, s.String(), c.in)
	}
	for _, bad := range []string{u + ":", u + ":0-3", u + ":0", u + ":-1", u + ":1-", u + ":9a:1", u + ":a-b:1", u + ":x:", u + ":" + strings.Repeat("a", 33) + ":1", "x:1", u + ":9223372036854775807", u + ":1;2", u[1:] + ":1", u + "::1"} {
		_, err := ParseSet(bad)
		require.Error(t, err, bad)
	}
	g, err := ParseGTID(u + ":17")
	require.NoError(t, err)
	require.Equal(t, GTID{Source{Server: testUUID}, 17}, g)
	for _, bad := range []string{"", u + ":1-2", u + ":1:2", u + ":1," + u + ":1"} {
		_, err := ParseGTID(bad)
		require.Error(t, err, bad)
	}
}

func TestState(t *testing.T) {
	executed, err := ParseSet(testUUID.String() + ":1-9:12")
	require.NoError(t, err)
	s := &State{File: 7, Offset: 1 << 40, Resets: 3, Executed: executed, Purged: new(Set)}
	b := s.Append(nil)
	again, err := ParseState(b)
	require.NoError(t, err)
	require.Equal(t, b, again.Append(nil))
	for n := range b {
		_, err := ParseState(b[:n])
		require.Error(t, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7"))
	set, _ := ParseSet("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7")
	f.Add(set.AppendBinary(nil))
	f.Add((&State{File: 1, Executed: set}).Append(nil))
	f.Add(appendPurgeRecord(nil, 3, 2, set, set))
	f.Add([]byte(`{"a":[1,2.5,"x\u00e9\ud83d\ude00",null,true,{"b":{}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := ParseSet(string(b)); err == nil {
			again, err := ParseSet(s.String())
			require.NoError(t, err)
			require.True(t, s.Equal(again))
		}
		if s, err := ParseBinary(b); err == nil {
			again, err := ParseBinary(s.AppendBinary(nil))
			require.NoError(t, err)
			require.True(t, s.Equal(again))
		}
		if s, err := ParseState(b); err == nil {
			require.NotNil(t, s.Executed)
		}
		if r, err := parseRecord(b); err == nil {
			require.NotZero(t, r.file)
		}
		require.NotEmpty(t, DescribeRecord(b))
		if _, err := ParseHeader(b); err == nil {
			require.GreaterOrEqual(t, binary.LittleEndian.Uint32(b[9:]), uint32(headerSize))
		}
		var e jsonEncoder
		if out, err := e.append(nil, b); err == nil {
			again, err := e.append(nil, b)
			require.NoError(t, err)
			require.True(t, bytes.Equal(out, again))
		}
	})
}
