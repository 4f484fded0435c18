package replication

import (
	"context"
	"database/sql"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

var record = flag.String("record", "", "DSN, by TCP, of an empty MySQL 9.7 whose events for testdata/same are recorded")

// TestSameEvents runs a script and holds each statement's events against those MySQL 9.7 wrote for
// it.
func TestSameEvents(t *testing.T) {
	const golden = "testdata/same/mysql-9.7.events"
	if *record != "" {
		cfg, err := mysqldriver.ParseDSN(*record)
		require.NoError(t, err)
		c, err := mysqldriver.NewConnector(cfg)
		require.NoError(t, err)
		db := sql.OpenDB(c)
		defer db.Close()
		_, port, _ := strings.Cut(cfg.Addr, ":")
		require.NoError(t, os.WriteFile(golden, []byte(strings.Join(eventsOfScript(t, db, port), "")), 0o644))
	}
	b, err := os.ReadFile(golden)
	require.NoError(t, err)
	s := emberd.Start(t, "--log-bin=binlog", "--server-id=5", "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
	db := s.Open("")
	defer db.Close()
	rest := string(b)
	for _, got := range eventsOfScript(t, db, fmt.Sprint(s.Port)) {
		statement, _, _ := strings.Cut(got, "\n")
		require.True(t, strings.HasPrefix(rest, statement+"\n"), "%s is not in %s: record it again", statement, golden)
		end := len(statement) + 1
		for strings.HasPrefix(rest[end:], indent) {
			end += strings.IndexByte(rest[end:], '\n') + 1
		}
		assert.Equal(t, rest[:end], got)
		rest = rest[end:]
	}
	require.Empty(t, rest)
}

// indent stands before each event of a statement.
const indent = "    "

// uploads are what the script's LOAD DATA statements read: rows, one of them twice; rows behind a
// head, one known already.
var uploads = map[string]string{
	"rows": "1\tone\t10\n2\ttwo\t\\N\n2\ttwice\t20\n3\t\\tthree\t30\n",
	"more": `id,b|7,"8"|3,9|`,
}

// eventsOfScript runs the script and prints each statement with its events.
func eventsOfScript(t *testing.T, db *sql.DB, port string) (all []string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	script, err := os.ReadFile("testdata/same/script.sql")
	require.NoError(t, err)
	for name, text := range uploads {
		mysqldriver.RegisterReaderHandler(name, func() io.Reader { return strings.NewReader(text) })
		defer mysqldriver.DeregisterReaderHandler(name)
	}
	conn, err := db.Conn(ctx)
	require.NoError(t, err)
	defer conn.Close()
	file, at := logEnd(t, conn)
	p := &eventPrinter{out: new(strings.Builder), reader: dumpFrom(t, port, file, at), at: at}
	for i, line := range strings.Split(string(script), "\n") {
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		fmt.Fprintf(p.out, "%s\n", line)
		_, err := conn.ExecContext(ctx, strings.TrimSuffix(line, ";"))
		require.NoError(t, err, "script.sql:%d: %s", i+1, line)
		_, end := logEnd(t, conn)
		require.NoError(t, p.printTo(ctx, end), line)
		all = append(all, p.out.String())
		p.out.Reset()
	}
	return all
}

// logEnd is where the log of a connection's server ends.
func logEnd(t *testing.T, c *sql.Conn) (file string, at uint32) {
	t.Helper()
	var skip any
	require.NoError(t, c.QueryRowContext(context.Background(), "SHOW BINARY LOG STATUS").Scan(&file, &at, &skip, &skip, &skip))
	return file, at
}

// dumpFrom reads a server's log over the network.
func dumpFrom(t *testing.T, port, file string, at uint32) *replication.BinlogStreamer {
	t.Helper()
	var n uint16
	_, err := fmt.Sscan(port, &n)
	require.NoError(t, err)
	b := replication.NewBinlogSyncer(replication.BinlogSyncerConfig{ServerID: 901, Flavor: mysql.MySQLFlavor, Host: "127.0.0.1", Port: n,
		User: "root", VerifyChecksum: true, RawModeEnabled: true, DisableRetrySync: true, Logger: silent()})
	t.Cleanup(b.Close)
	st, err := b.StartSync(mysql.Position{Name: file, Pos: at})
	require.NoError(t, err)
	return st
}

// eventPrinter prints events without what differs from server to server.
type eventPrinter struct {
	out    *strings.Builder
	reader *replication.BinlogStreamer
	at     uint32
}

// printTo prints events up to a position.
func (p *eventPrinter) printTo(ctx context.Context, end uint32) error {
	for p.at < end {
		e, err := p.reader.GetEvent(ctx)
		if err != nil {
			return err
		}
		if e.Header.LogPos == 0 || e.Header.EventType == replication.FORMAT_DESCRIPTION_EVENT || e.Header.EventType == replication.ROTATE_EVENT {
			continue
		}
		p.at = e.Header.LogPos
		body := e.RawData[replication.EventHeaderSize : len(e.RawData)-checksumOf(e)]
		fmt.Fprintf(p.out, indent+"%s flags %#x", e.Header.EventType, e.Header.Flags&^4) // 4: of temporary tables, which MySQL may know or not
		p.body(e.Header.EventType, body)
		p.out.WriteByte('\n')
	}
	return nil
}

func (p *eventPrinter) body(kind replication.EventType, b []byte) {
	switch kind {
	case replication.GTID_EVENT:
		fmt.Fprintf(p.out, " %x, clock %d", b[0], b[25]) // the name, times, lengths and versions are the server's own
	case replication.QUERY_EVENT:
		p.query(b)
	case replication.TABLE_MAP_EVENT:
		p.tableMap(b[6:])
	case replication.WRITE_ROWS_EVENTv2, replication.UPDATE_ROWS_EVENTv2, replication.DELETE_ROWS_EVENTv2:
		fmt.Fprintf(p.out, " %x %x %x", b[6:8], b[8:10], b[10:])
	case replication.XID_EVENT:
	default:
		fmt.Fprintf(p.out, " %q", b)
	}
}

// query prints a Query event, of definitions without the text. Left out is what a server may say or
// not: thread and time, the time zone, who asks, databases and tables by which statements are
// spread over a replica's workers, and settings for certain definitions.
func (p *eventPrinter) query(b []byte) {
	fmt.Fprintf(p.out, " error %d", binary.LittleEndian.Uint16(b[9:]))
	n, names := int(binary.LittleEndian.Uint16(b[11:])), int(b[8])
	vars, rest := b[13:13+n], b[13+n:]
	take := func(n int) []byte {
		v := vars[:n]
		vars = vars[n:]
		return v
	}
	for len(vars) > 0 {
		code := take(1)[0]
		switch code {
		case 0:
			fmt.Fprintf(p.out, " flags2 %x", take(4))
		case 1:
			fmt.Fprintf(p.out, " mode %x", take(8))
		case 4:
			fmt.Fprintf(p.out, " charset %x", take(6))
		case 6:
			fmt.Fprintf(p.out, " catalog %s", take(int(take(1)[0])))
		case 18:
			fmt.Fprintf(p.out, " utf8mb4 %x", take(2))
		case 5:
			take(int(take(1)[0]))
		case 11:
			take(int(take(1)[0]))
			take(int(take(1)[0]))
		case 12:
			if count := take(1)[0]; count != 254 {
				for range count {
					take(strings.IndexByte(string(vars), 0) + 1)
				}
			}
		case 9:
			take(8)
		case 16, 19, 20:
			take(1)
		case 7:
			take(2)
		case 13:
			take(3)
		case 17:
			take(8)
		default:
			fmt.Fprintf(p.out, " unknown %d: %x", code, take(len(vars)))
		}
	}
	if text := string(rest[names+1:]); text == "BEGIN" {
		fmt.Fprintf(p.out, " in %q: %s", rest[:names], text)
	}
}

// tableMap prints a table map behind the table's number.
func (p *eventPrinter) tableMap(b []byte) {
	flags, rest := b[:2], b[2:]
	short := func() string {
		s := string(rest[1 : 1+rest[0]])
		rest = rest[2+len(s):]
		return s
	}
	packed := func() int {
		n, size := uint64(rest[0]), 1
		if rest[0] == 252 {
			n, size = uint64(binary.LittleEndian.Uint16(rest[1:])), 3
		}
		rest = rest[size:]
		return int(n)
	}
	take := func(n int) []byte {
		v := rest[:n]
		rest = rest[n:]
		return v
	}
	fmt.Fprintf(p.out, " %#x %s.%s", binary.LittleEndian.Uint16(flags)&^2, short(), short()) // 2: it has a foreign key, for the workers of a replica
	columns := packed()
	fmt.Fprintf(p.out, " types %x meta %x nullable", take(columns), take(packed()))
	fmt.Fprintf(p.out, " %x", take((columns+7)/8))
	for len(rest) > 0 {
		kind := take(1)[0]
		fmt.Fprintf(p.out, " %d:%q", kind, take(packed()))
	}
}
