package replication

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// transaction is one of the log: its name and the checksum of all of its bytes.
type transaction struct {
	gtid string
	sum  uint32
}

// logFiles are the files the index names, oldest first.
func logFiles(t *testing.T, s *emberd.Server) (files []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(s.Dir, "binlog.index"))
	require.NoError(t, err)
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		files = append(files, filepath.Join(s.Dir, filepath.Base(sc.Text())))
	}
	require.NotEmpty(t, files)
	return files
}

// readLog reads every event of every file, rows as well, and returns the transactions. It fails on
// what no log may hold.
func readLog(t *testing.T, s *emberd.Server) (all []transaction) {
	t.Helper()
	last := map[string]int64{}
	for _, path := range logFiles(t, s) {
		g := &grouper{last: last}
		p := replication.NewBinlogParser()
		p.SetVerifyChecksum(true)
		p.SetUseDecimal(true)
		at := uint32(4)
		require.NoError(t, p.ParseFile(path, 0, func(e *replication.BinlogEvent) error {
			if at += e.Header.EventSize; at != e.Header.LogPos {
				return fmt.Errorf("%s: an event says it ends at %d, but ends at %d", e.Header.EventType, e.Header.LogPos, at)
			}
			return g.add(e)
		}), path)
		require.Empty(t, g.open, "%s ends within a transaction", path)
		all = append(all, g.done...)
	}
	return all
}

// grouper makes transactions of events.
type grouper struct {
	last     map[string]int64 // number of the last transaction of each server
	sequence int64
	open     string // GTID of the transaction that has begun
	inside   bool   // between BEGIN and its end
	sum      uint32
	done     []transaction
}

func (g *grouper) add(e *replication.BinlogEvent) error {
	if _, ok := e.Event.(*replication.GTIDEvent); ok {
		g.sum = 0
	}
	g.sum = crc32.Update(g.sum, crc32.MakeTable(crc32.Castagnoli), substance(e))
	ends := false
	switch x := e.Event.(type) {
	case *replication.FormatDescriptionEvent:
		g.sequence = 0
	case *replication.GTIDEvent:
		return g.begin(x)
	case *replication.QueryEvent:
		switch text := string(x.Query); {
		case text == "BEGIN" || strings.HasSuffix(text, " START TRANSACTION"):
			g.inside = true
		default:
			ends = !g.inside || text == "COMMIT" || text == "ROLLBACK"
		}
	case *replication.XIDEvent:
		ends = true
	case *replication.RowsEvent:
		if len(x.Rows) == 0 {
			return fmt.Errorf("a row event without rows in %s", g.open)
		}
	}
	if ends {
		if g.open == "" {
			return fmt.Errorf("%s outside of a transaction", e.Header.EventType)
		}
		g.done = append(g.done, transaction{g.open, g.sum})
		g.open, g.inside = "", false
	}
	return nil
}

// substance are the bytes of an event that are the same in a file and on the network, where it has
// no checksum.
func substance(e *replication.BinlogEvent) []byte {
	b := bytes.Clone(e.RawData[:len(e.RawData)-checksumOf(e)])
	binary.LittleEndian.PutUint32(b[9:], 0) // its size
	return b
}

// checksumOf is the length of the checksum at the end of an event: none when the reader did not ask
// for it.
func checksumOf(e *replication.BinlogEvent) int {
	n := len(e.RawData) - replication.BinlogChecksumLength
	if crc32.ChecksumIEEE(e.RawData[:n]) == binary.LittleEndian.Uint32(e.RawData[n:]) {
		return replication.BinlogChecksumLength
	}
	return 0
}

func (g *grouper) begin(x *replication.GTIDEvent) error {
	id, err := uuid.FromBytes(x.SID)
	if err != nil {
		return err
	}
	name := id.String()
	if g.open != "" {
		return fmt.Errorf("%s:%d begins within %s", name, x.GNO, g.open)
	}
	if x.GNO != g.last[name]+1 {
		return fmt.Errorf("%s:%d follows number %d", name, x.GNO, g.last[name])
	}
	if g.sequence++; x.SequenceNumber != g.sequence || x.LastCommitted >= x.SequenceNumber {
		return fmt.Errorf("%s:%d has sequence number %d after %d, and depends on %d", name, x.GNO, x.SequenceNumber, g.sequence, x.LastCommitted)
	}
	g.last[name], g.open = x.GNO, fmt.Sprintf("%s:%d", name, x.GNO)
	return nil
}

// listener is a reader of the log over the network that survives its source.
type listener struct {
	source *emberd.Server
	id     uint32
	stop   context.CancelFunc
	ended  chan struct{}

	mu       sync.Mutex
	err      error
	received []transaction
}

func listen(t *testing.T, s *emberd.Server) *listener {
	ctx, stop := context.WithCancel(context.Background())
	l := &listener{source: s, id: 900, stop: stop, ended: make(chan struct{})}
	t.Cleanup(func() { stop(); <-l.ended })
	go func() {
		defer close(l.ended)
		for ctx.Err() == nil {
			l.follow(ctx)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return l
}

// follow reads until the connection breaks. It goes on behind the last transaction that came whole.
func (l *listener) follow(ctx context.Context) {
	set, err := mysql.ParseMysqlGTIDSet("")
	if err != nil {
		panic(err)
	}
	l.mu.Lock()
	g := &grouper{last: map[string]int64{}}
	for _, x := range l.received {
		if err := set.Update(x.gtid); err != nil {
			panic(err)
		}
		id, number, _ := strings.Cut(x.gtid, ":")
		_, _ = fmt.Sscan(number, new(int64)) // it was printed by us
		n := g.last[id] + 1
		g.last[id] = n
	}
	l.mu.Unlock()
	b := replication.NewBinlogSyncer(replication.BinlogSyncerConfig{ServerID: l.id, Flavor: mysql.MySQLFlavor, Host: "127.0.0.1", Port: uint16(l.source.Port),
		User: "root", HeartbeatPeriod: time.Second, VerifyChecksum: true, DisableRetrySync: true, Logger: silent()})
	defer b.Close()
	st, err := b.StartSyncGTID(set)
	if err != nil {
		return // not there
	}
	for {
		e, err := st.GetEvent(ctx)
		if err != nil {
			return
		}
		if _, ok := e.Event.(*replication.FormatDescriptionEvent); ok {
			g.open = ""
		}
		if x, ok := e.Event.(*replication.GTIDEvent); ok && g.sequence == 0 {
			g.sequence = x.SequenceNumber - 1 // it began in the middle of a file
		}
		before := len(g.done)
		err = g.add(e)
		l.mu.Lock()
		if err != nil && l.err == nil {
			l.err = err
		}
		l.received = append(l.received, g.done[before:]...)
		l.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// heard waits until the listener has all the transactions of the files, and compares.
func (l *listener) heard(t *testing.T, all []transaction) {
	t.Helper()
	var got []transaction
	for deadline := time.Now().Add(catchUp); ; time.Sleep(50 * time.Millisecond) {
		l.mu.Lock()
		got = l.received[:len(l.received):len(l.received)]
		err := l.err
		l.mu.Unlock()
		require.NoError(t, err)
		if len(got) >= len(all) {
			break
		}
		require.True(t, time.Now().Before(deadline), "a reader has %d of %d transactions", len(got), len(all))
	}
	require.Len(t, got, len(all))
	for i := range all {
		require.Equal(t, all[i], got[i], "transaction %d", i)
	}
}
