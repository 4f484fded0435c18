package replication

import (
	"context"
	"database/sql"
	"encoding/binary"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/go-mysql-org/go-mysql/server"
	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

const (
	mariaScript = "testdata/mariadb/script.sql"
	mariaEvents = "testdata/mariadb/events" // as the server sent them, one behind the other
	mariaRows   = "testdata/mariadb/rows"
	mariaFile   = "bin.000001"
)

var mariaDB = flag.String("mariadb", "", "data source name, over TCP, of a MariaDB server whose events and rows of the script are recorded")

// TestMariaDBSource follows a source that sends what MariaDB 11.8 sent when it ran a script, and has
// the rows that MariaDB had then.
//
//	go test ./tests/replication -run TestMariaDBSource -mariadb 'root@tcp(127.0.0.1:PORT)/'   record
func TestMariaDBSource(t *testing.T) {
	if *mariaDB != "" {
		recordMariaDB(t)
	}
	want, err := os.ReadFile(mariaRows)
	require.NoError(t, err)
	src := newMariaSource(t)
	for name, c := range map[string]struct {
		args   []string
		assign string
	}{
		"without GTIDs": {[]string{"--gtid-mode=OFF"}, ""},
		"with GTIDs":    {[]string{"--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"}, ", ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS = LOCAL"},
	} {
		t.Run(name, func(t *testing.T) {
			s := emberd.Start(t, append(c.args, "--server-id=8", "--innodb-buffer-pool-size=64M")...)
			r := &replica{name: name, open: func() *sql.DB { return s.Open("") }}
			db := r.open()
			defer db.Close()
			at := "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %d, SOURCE_USER = 'r', SOURCE_LOG_FILE = '%s', SOURCE_LOG_POS = 4"
			for _, q := range []string{fmt.Sprintf(at, src.port(), mariaFile) + c.assign, "START REPLICA"} {
				_, err := db.Exec(q)
				require.NoError(t, err, q)
			}
			end := fmt.Sprint(src.end)
			var st map[string]string
			testkit.Eventually(t, func() bool {
				st = r.status(t, db)
				return st["Exec_Source_Log_Pos"] == end || st["Last_Error"]+st["Last_IO_Error"] != ""
			})
			require.Equal(t, end, st["Exec_Source_Log_Pos"], "%s %s", st["Last_IO_Error"], r.errors(t, db))
			require.Equal(t, string(want), mariaTables(t, db))
		})
	}
}

// TestMariaDBSourceRefused asks a MariaDB source for what it does not have.
func TestMariaDBSourceRefused(t *testing.T) {
	src := newMariaSource(t)
	s := emberd.Start(t, "--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--server-id=8", "--innodb-buffer-pool-size=64M")
	r := &replica{name: "refused", open: func() *sql.DB { return s.Open("") }}
	db := r.open()
	defer db.Close()
	for _, c := range []struct{ how, want string }{
		{"SOURCE_LOG_FILE = 'bin.000001', SOURCE_LOG_POS = 4", "the source has GTID_MODE = OFF and this server has GTID_MODE = ON"},
		{"SOURCE_AUTO_POSITION = 1", "MariaDB has others; name SOURCE_LOG_FILE and SOURCE_LOG_POS"},
	} {
		for _, q := range []string{"STOP REPLICA", "RESET REPLICA ALL",
			fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %d, SOURCE_USER = 'r', %s", src.port(), c.how), "START REPLICA"} {
			_, err := db.Exec(q)
			require.NoError(t, err, q)
		}
		testkit.Eventually(t, func() bool { return strings.Contains(r.status(t, db)["Last_IO_Error"], c.want) }, c.want)
	}
}

// recordMariaDB runs the script on a real server, and keeps what it sends of it.
func recordMariaDB(t *testing.T) {
	cfg, err := mysqldriver.ParseDSN(*mariaDB)
	require.NoError(t, err)
	connector, err := mysqldriver.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	defer db.Close()
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	script, err := os.ReadFile(mariaScript)
	require.NoError(t, err)
	var file string
	var at uint32
	var skip any
	for i, line := range append([]string{"FLUSH BINARY LOGS"}, strings.Split(strings.TrimSpace(string(script)), "\n")...) {
		_, err := c.ExecContext(ctx, line)
		require.NoError(t, err, line)
		if i == 0 {
			require.NoError(t, c.QueryRowContext(ctx, "SHOW MASTER STATUS").Scan(&file, &at, &skip, &skip))
		}
	}
	require.NoError(t, c.QueryRowContext(ctx, "SHOW MASTER STATUS").Scan(&skip, &at, &skip, &skip))
	var port uint16
	_, portText, err := net.SplitHostPort(cfg.Addr)
	require.NoError(t, err)
	_, err = fmt.Sscan(portText, &port)
	require.NoError(t, err)
	b := replication.NewBinlogSyncer(replication.BinlogSyncerConfig{ServerID: 901, Flavor: mysql.MariaDBFlavor, Host: "127.0.0.1", Port: port,
		User: cfg.User, RawModeEnabled: true, DisableRetrySync: true, Logger: silent()})
	defer b.Close()
	st, err := b.StartSync(mysql.Position{Name: file, Pos: 4})
	require.NoError(t, err)
	var all []byte
	for {
		e, err := st.GetEvent(ctx)
		require.NoError(t, err)
		if all = append(all, e.RawData...); e.Header.LogPos == at {
			break
		}
	}
	require.NoError(t, os.WriteFile(mariaEvents, all, 0o644))
	require.NoError(t, os.WriteFile(mariaRows, []byte(mariaTables(t, db)), 0o644))
}

// mariaTables prints the rows of the script's tables.
func mariaTables(t *testing.T, db *sql.DB) string {
	t.Helper()
	var out strings.Builder
	for _, table := range []string{"types", "copied", "keyless", "cut", "seen", "packed", "last_of_all"} {
		rows, err := db.Query("SELECT * FROM maria." + table + " ORDER BY 1, 2")
		if table == "seen" || table == "cut" || table == "last_of_all" {
			rows, err = db.Query("SELECT * FROM maria." + table + " ORDER BY 1")
		}
		require.NoError(t, err)
		cols, err := rows.Columns()
		require.NoError(t, err)
		fmt.Fprintln(&out, table, strings.Join(cols, " "))
		for rows.Next() {
			values, into := make([]sql.NullString, len(cols)), make([]any, len(cols))
			for i := range values {
				into[i] = &values[i]
			}
			require.NoError(t, rows.Scan(into...))
			for _, v := range values {
				if v.Valid {
					fmt.Fprintf(&out, " %q", v.String)
				} else {
					fmt.Fprint(&out, " NULL")
				}
			}
			fmt.Fprintln(&out)
		}
		require.NoError(t, rows.Err())
	}
	return out.String()
}

// mariaSource is a source that sends the recorded events, and answers as MariaDB does.
type mariaSource struct {
	server.EmptyHandler
	listener net.Listener
	events   [][]byte
	end      uint32 // position behind the events

	mu    sync.Mutex
	conns []net.Conn
}

func newMariaSource(t *testing.T) *mariaSource {
	t.Helper()
	b, err := os.ReadFile(mariaEvents)
	require.NoError(t, err)
	s := &mariaSource{}
	for len(b) > 0 {
		n := binary.LittleEndian.Uint32(b[9:])
		s.events, b = append(s.events, b[:n]), b[n:]
	}
	s.events[0] = binlog.AppendArtificialRotate(nil, 22520, mariaFile, 4) // the recorded one has no checksum
	s.end = binary.LittleEndian.Uint32(s.events[len(s.events)-1][13:])
	s.listener, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, c)
			s.mu.Unlock()
			serving.Go(func() { s.serve(c) })
		}
	})
	t.Cleanup(func() {
		_ = s.listener.Close()
		s.mu.Lock()
		for _, c := range s.conns {
			_ = c.Close()
		}
		s.mu.Unlock()
		serving.Wait()
	})
	return s
}

func (s *mariaSource) port() int { return s.listener.Addr().(*net.TCPAddr).Port }

func (s *mariaSource) serve(c net.Conn) {
	defer c.Close()
	h := &mariaConn{mariaSource: s}
	conn, err := server.NewServer("11.8.9-MariaDB", mysql.DEFAULT_COLLATION_ID, mysql.AUTH_NATIVE_PASSWORD, nil, nil).NewConn(c, "r", "", h)
	for h.c = conn; err == nil; {
		err = conn.HandleCommand()
	}
}

// mariaConn is a connection to it.
type mariaConn struct {
	*mariaSource
	c     *server.Conn
	knows bool // the replica knows MariaDB's events
}

// HandleQuery answers what a replica asks.
func (h *mariaConn) HandleQuery(query string) (*mysql.Result, error) {
	switch {
	case strings.Contains(query, "server_uuid"):
		return nil, mysql.NewError(mysql.ER_UNKNOWN_SYSTEM_VARIABLE, "Unknown system variable 'server_uuid'")
	case strings.HasPrefix(query, "SELECT @@server_id"):
		r, err := mysql.BuildSimpleTextResultset([]string{"@@server_id", "", "@@GLOBAL.binlog_checksum"}, [][]any{{22520, "", "CRC32"}})
		return mysql.NewResult(r), err
	case strings.HasPrefix(query, "SET @mariadb_slave_capability"):
		h.knows = true
	}
	return mysql.NewResultReserveResultset(0), nil
}

// HandleOtherCommand sends the log.
func (h *mariaConn) HandleOtherCommand(cmd byte, _ []byte) error {
	switch cmd {
	case mysql.COM_REGISTER_SLAVE:
		return nil
	case mysql.COM_BINLOG_DUMP:
	default:
		return mysql.NewError(mysql.ER_UNKNOWN_COM_ERROR, "Unknown command")
	}
	if !h.knows {
		return mysql.NewError(mysql.ER_UNKNOWN_ERROR, "the replica does not say that it knows MariaDB's events")
	}
	for _, e := range h.events {
		if err := h.c.WritePacket(append(make([]byte, 5, 5+len(e)), e...)); err != nil {
			return err
		}
	}
	for { // until the replica goes
		if _, err := h.c.ReadPacket(); err != nil {
			return err
		}
	}
}
