package binlog

import (
	"bytes"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Events without positions travel through redo as they are, and come out as the writer places them.
// Those that need several records are placed before.
func TestRecordsOfEvents(t *testing.T) {
	h := Head{Time: 1, ServerID: 7}
	events := AppendXid(AppendQuery(nil, h, &Query{SQL: "BEGIN"}), h, 5)
	placed := bytes.Clone(events)
	Place(placed, 1000)
	for _, max := range []int{1 << 20, maxRecordHead + len(events), maxRecordHead + len(events) - 1, maxRecordHead + 10} {
		pieces := []piece{{file: 1, off: 1000, data: bytes.Clone(events), raw: true}}
		var got []byte
		for rest := (Records{pieces: pieces, max: max}); rest.More(); {
			head, data := rest.Next()
			r, err := parseRecord(append(bytes.Clone(head), data...))
			require.NoError(t, err)
			require.Equal(t, int64(1000+len(got)), r.off)
			whole := len(data) == len(events)
			require.Equal(t, whole, r.kind == recordEvents)
			require.Equal(t, whole, pieces[0].raw)
			if whole {
				Place(r.data, r.off)
			}
			got = append(got, r.data...)
		}
		require.Equal(t, placed, got, "records of %d", max)
		pieces[0].placed()
		require.Equal(t, placed, pieces[0].data)
	}
	// What is cut off, or no events at all, is refused: placing would run over its end.
	head := []byte{recordEvents, unitFirst | unitLast, 1, 4}
	whole := append(bytes.Clone(head), events...)
	for n := len(head) + 1; n < len(whole); n++ {
		if n == len(whole)-(headerSize+8+checksumSize) {
			continue // the first event alone
		}
		_, err := parseRecord(whole[:n])
		require.Error(t, err, "%d bytes", n)
	}
	whole[len(head)+9] = 0 // its length
	_, err := parseRecord(whole)
	require.Error(t, err)
}

// Sessions that differ in nothing but their number share BEGIN; it is that of their own settings
// all the same.
func TestStartIsShared(t *testing.T) {
	l := &Log{cacheSize: DefaultCacheSize}
	h := Head{Time: 9, ServerID: 7}
	want := func(q Query) []byte {
		q.SQL, q.SuppressUse = "BEGIN", true
		return AppendQuery(nil, h, &q)
	}
	var first, last Start
	l.starts.find(&first, &Query{ThreadID: 1, Database: "a"})
	l.starts.find(&last, &Query{ThreadID: 2, Database: "a"})
	require.True(t, unsafe.StringData(first.event) == unsafe.StringData(last.event))
	for i := range uint32(mostStarts + 10) {
		for _, q := range []*Query{{ThreadID: i, Database: "a"}, {ThreadID: i, Database: "b", SQLMode: uint64(i)}} {
			c, s := l.NewCache(), Start{}
			for range 2 {
				require.NoError(t, c.Begin(h, q, &s))
			}
			require.Equal(t, append(want(*q), want(*q)...), c.buf)
			q.SQLMode++ // another session has another address
			other := *q
			require.NoError(t, c.Begin(h, &other, &s))
			require.Equal(t, want(other), c.buf[2*len(want(*q)):])
		}
	}
	require.LessOrEqual(t, len(l.starts.known), mostStarts)
}
