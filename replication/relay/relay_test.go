package relay

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/internal/vfs"
)

// event makes an event of a source's log that ends at pos.
func event(t binlog.EventType, pos uint32, body ...byte) []byte {
	b := make([]byte, 19, 19+len(body)+4)
	b[4] = byte(t)
	binary.LittleEndian.PutUint32(b[5:], 7)
	binary.LittleEndian.PutUint32(b[9:], uint32(cap(b)))
	binary.LittleEndian.PutUint32(b[13:], pos)
	b = append(b, body...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func statement(pos uint32, text string) []byte {
	return event(binlog.EventQuery, pos, append(make([]byte, 14), text...)...)
}

func gtid(pos uint32, n byte) []byte {
	body := make([]byte, 42)
	body[1], body[17] = 9, n
	return event(binlog.EventGTID, pos, body...)
}

func rotate(file string) []byte {
	return event(binlog.EventRotate, 0, append([]byte{4, 0, 0, 0, 0, 0, 0, 0}, file...)...)
}

// transaction is the n-th of a source, whose events end at 100n+10, +20 and +30.
func transaction(n byte) [][]byte {
	at := 100 * uint32(n)
	return [][]byte{gtid(at+10, n), statement(at+20, "BEGIN"), event(binlog.EventXid, at+30, make([]byte, 8)...)}
}

func options(fs vfs.FS) Options {
	return Options{FS: fs, Dir: "relay", Base: "relay-bin", Index: "relay-bin.index", ServerID: 1, ServerVersion: "8.4.0", MaxSize: 700,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

func appendAll(t *testing.T, l *Log, events ...[]byte) {
	t.Helper()
	for _, e := range events {
		_, err := l.Append(e, true)
		require.NoError(t, err)
	}
}

// groups reads all whole transactions by their names' numbers.
func groups(t *testing.T, l *Log) (numbers []int64) {
	t.Helper()
	r := l.NewReader(0)
	defer r.Close()
	var g Group
	for {
		e, ok, _, err := r.TryNext()
		require.NoError(t, err)
		if !ok {
			require.False(t, g.Inside(), "half a transaction is seen")
			return numbers
		}
		if g.Add(&e) && g.Transaction {
			numbers = append(numbers, g.GTID.N)
		}
	}
}

func TestHalfTransactionsAreNotSeen(t *testing.T) {
	fs := vfs.NewMem(1)
	require.NoError(t, fs.MkdirAll("relay"))
	l, err := Open(options(fs), Position{}, Place{})
	require.NoError(t, err)
	appendAll(t, l, rotate("binlog.000003"))
	appendAll(t, l, transaction(1)...)
	appendAll(t, l, transaction(2)[:2]...)
	require.Equal(t, []int64{1}, groups(t, l))
	require.Equal(t, Place{"binlog.000003", 130}, l.State().Read)

	at, err := l.Begin() // the source went away
	require.NoError(t, err)
	require.Equal(t, Place{"binlog.000003", 130}, at)
	appendAll(t, l, rotate("binlog.000003"))
	appendAll(t, l, transaction(2)...)
	require.Equal(t, []int64{1, 2}, groups(t, l))
	require.Equal(t, "09000000-0000-0000-0000-000000000000:1-2", l.State().Received.String())
}

func TestStatementsEndTransactions(t *testing.T) {
	for name, c := range map[string]struct {
		events     [][]byte
		ends       []bool
		definition bool
	}{
		"rows":       {[][]byte{gtid(1, 1), statement(2, "BEGIN"), event(binlog.EventTableMap, 3), event(binlog.EventWriteRows, 4), event(binlog.EventXid, 5)}, []bool{false, false, false, false, true}, false},
		"definition": {[][]byte{gtid(1, 1), statement(2, "CREATE TABLE t (a INT)")}, []bool{false, true}, true},
		"branch":     {[][]byte{gtid(1, 1), statement(2, "XA START X'01',X'',1"), statement(3, "XA END X'01',X'',1"), event(binlog.EventXAPrepare, 4)}, []bool{false, false, false, true}, true},
		"its end":    {[][]byte{gtid(1, 1), statement(2, "XA COMMIT X'01',X'',1")}, []bool{false, true}, true},
		"rollback":   {[][]byte{gtid(1, 1), statement(2, "BEGIN"), statement(3, "SAVEPOINT `a`"), statement(4, "ROLLBACK")}, []bool{false, false, false, true}, true},
		"packed":     {[][]byte{gtid(1, 1), event(binlog.EventPayload, 2)}, []bool{false, true}, false},
		"no name":    {[][]byte{statement(1, "BEGIN"), event(binlog.EventXid, 2)}, []bool{false, true}, false},
	} {
		var g Group
		for i, raw := range c.events {
			e, err := binlog.SummedEvent(raw)
			require.NoError(t, err)
			require.Equal(t, c.ends[i], g.Add(&e), "%s: event %d", name, i)
		}
		require.True(t, g.Transaction, name)
		require.Equal(t, c.definition, g.Definition, name)
	}
}

func TestEventsWithoutChecksumsGetThem(t *testing.T) {
	fs := vfs.NewMem(1)
	require.NoError(t, fs.MkdirAll("relay"))
	l, err := Open(options(fs), Position{}, Place{})
	require.NoError(t, err)
	for _, e := range append([][]byte{rotate("b.1")}, transaction(1)...) {
		bare := append([]byte(nil), e[:len(e)-4]...)
		binary.LittleEndian.PutUint32(bare[9:], uint32(len(bare)))
		_, err := l.Append(bare, false)
		require.NoError(t, err)
	}
	require.Equal(t, []int64{1}, groups(t, l)) // reading checks them
}

func TestDamagedEventsAreRefused(t *testing.T) {
	fs := vfs.NewMem(1)
	require.NoError(t, fs.MkdirAll("relay"))
	l, err := Open(options(fs), Position{}, Place{})
	require.NoError(t, err)
	flipped := gtid(10, 1)
	flipped[30] ^= 1
	long := gtid(10, 1)
	long[9]++
	for name, raw := range map[string][]byte{"flipped": flipped, "length": long, "short": {1, 2, 3}, "empty": {}, "format": event(binlog.EventFormatDescription, 4)} {
		_, err := l.Append(raw, true)
		var damage *EventError
		require.ErrorAs(t, err, &damage, name)
		_, err = l.Begin()
		require.NoError(t, err)
	}
}

func TestReaderWaits(t *testing.T) {
	fs := vfs.NewMem(1)
	require.NoError(t, fs.MkdirAll("relay"))
	l, err := Open(options(fs), Position{}, Place{})
	require.NoError(t, err)
	r := l.NewReader(0)
	defer r.Close()
	waits, got := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		_, err := r.Next(context.Background(), func() {
			select {
			case waits <- struct{}{}:
			default:
			}
		})
		got <- err
	}()
	<-waits
	appendAll(t, l, rotate("b.1"))
	require.NoError(t, <-got)
}

// TestPowerCuts cuts the power at random moments: whatever is left, a reader sees the source's
// transactions from the one behind what was applied on, each once, and what was synced is there.
func TestPowerCuts(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		fs := vfs.NewMem(rnd.Uint64())
		require.NoError(t, fs.MkdirAll("relay"))
		l, err := Open(options(fs), Position{}, Place{})
		require.NoError(t, err)
		appendAll(t, l, rotate("b.1"))
		synced, applied, mark, place := 0, 0, Position{}, Place{}
		last := 1 + rnd.IntN(30)
		for n := 1; n <= last; n++ {
			appendAll(t, l, transaction(byte(n))...)
			if rnd.IntN(6) == 0 {
				require.NoError(t, l.Sync())
				synced = n
			}
			if rnd.IntN(6) == 0 {
				s := l.State()
				applied, mark, place = n, s.End, s.Read
				if rnd.IntN(2) == 0 {
					require.NoError(t, l.Purge(mark.Relay))
				}
			}
		}
		appendAll(t, l, transaction(byte(last + 1))[:rnd.IntN(3)]...)
		fs.Crash()
		fs = fs.Reboot(rnd.Uint64())
		l, err = Open(options(fs), mark, place)
		require.NoError(t, err)
		have := groups(t, l)
		for i := 1; i < len(have); i++ {
			require.Equal(t, have[i-1]+1, have[i], "%v", have)
		}
		newest := applied
		if len(have) > 0 {
			require.LessOrEqual(t, have[0], int64(applied)+1, "%v after %d", have, applied)
			newest = max(newest, int(have[len(have)-1]))
		}
		require.GreaterOrEqual(t, newest, synced)
		if len(have) > 0 {
			require.Equal(t, Place{"b.1", uint32(100*have[len(have)-1] + 30)}, l.State().Read)
		} else if applied > 0 {
			require.Equal(t, place, l.State().Read)
		}
		_, err = l.Begin()
		require.NoError(t, err)
		if l.State().Read.File == "" {
			appendAll(t, l, rotate("b.1"))
		}
		appendAll(t, l, transaction(byte(newest+1))...)
		have = groups(t, l)
		require.Equal(t, int64(newest+1), have[len(have)-1])
	}
}

func TestIndexThatCannotBeRead(t *testing.T) {
	fs := vfs.NewMem(1)
	require.NoError(t, fs.MkdirAll("relay"))
	require.NoError(t, vfs.WriteFile(fs, "relay/relay-bin.index", []byte("./relay-bin.000003\nnonsense\n")))
	l, err := Open(options(fs), Position{Relay: 3, Offset: 200}, Place{"b.1", 30})
	require.NoError(t, err)
	require.Equal(t, Place{"b.1", 30}, l.State().Read)
	appendAll(t, l, transaction(1)...)
	require.Equal(t, uint32(4), l.State().End.Relay, "a number is used again")
	require.NoError(t, errors.Join(l.Close()))
}
