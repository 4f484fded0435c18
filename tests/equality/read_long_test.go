package equality

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// Long reads on the compiled way and by the executor: they can be killed, they end with their time
// limit and with their client, and they hold no more memory for more rows.

// longRead joins a table with itself: as many rows as the square of the limit's. It is compiled
// after its first execution.
const longRead = "SELECT a.id, b.pad FROM many AS a JOIN many AS b ON b.k = a.k WHERE a.id <= ?"

// longWays are the two that run it: the setting of ember_executor, and the count of what ran.
var longWays = map[string]string{"OFF": "Ember_compiled_executions", "ON": "Ember_executor_executions"}

func eachLongWay(t *testing.T, f func(t *testing.T, executor, count string)) {
	for executor, count := range longWays {
		t.Run(count, func(t *testing.T) { f(t, executor, count) })
	}
}

func longReader(t *testing.T, executor string) (srv *emberd.Server, s, other *side) {
	srv = emberd.Start(t)
	s, other = connect(t, srv, "longread", true), connect(t, srv, "longread", false)
	_, err := other.Execute("CREATE TABLE many (id INT PRIMARY KEY, k INT, pad CHAR(100), KEY k (k))")
	require.NoError(t, err)
	for i := range 40 {
		var rows []string
		for n := range 100 {
			rows = append(rows, fmt.Sprintf("(%d, 1, 'row %d')", i*100+n+1, n))
		}
		_, err := other.Execute("INSERT INTO many VALUES " + strings.Join(rows, ", "))
		require.NoError(t, err)
	}
	for _, q := range []string{"SET ember_executor = " + executor, fmt.Sprintf("SET ember_compiled_statements = %t", executor == "OFF")} {
		_, err = s.Execute(q)
		require.NoError(t, err)
	}
	_, err = s.Execute(strings.Replace(longRead, "?", "1", 1))
	require.NoError(t, err)
	return srv, s, other
}

// runLong reads n times 4000 rows, and calls seen when the first has come.
func runLong(s *side, n int, seen func()) (rows int, err error) {
	err = s.ExecuteSelectStreaming(strings.Replace(longRead, "?", strconv.Itoa(n), 1), &mysql.Result{}, func([]mysql.FieldValue) error {
		if rows++; rows == 1 {
			seen()
		}
		return nil
	}, nil)
	return rows, err
}

func TestLongReadsEnd(t *testing.T) { eachLongWay(t, longReadsEnd) }

func longReadsEnd(t *testing.T, executor, count string) {
	_, s, other := longReader(t, executor)
	before := counted(t, other)[count]

	_, err := runLong(s, 4000, func() {
		_, err := other.Execute(fmt.Sprintf("KILL QUERY %d", s.GetConnectionID()))
		require.NoError(t, err)
	})
	require.ErrorContains(t, err, "1317")

	_, err = s.Execute("SET max_execution_time = 300")
	require.NoError(t, err)
	_, err = runLong(s, 4000, func() {})
	require.ErrorContains(t, err, "3024")
	require.Equal(t, 2, counted(t, other)[count]-before)
	_, err = s.Execute("SET max_execution_time = 0")
	require.NoError(t, err)
	_, err = s.Execute("SELECT COUNT(*) FROM many WHERE k = 1")
	require.NoError(t, err)

	_, _ = runLong(s, 4000, func() { s.Close() })
	testkit.Eventually(t, func() bool {
		res, err := other.Execute("SELECT COUNT(*) FROM information_schema.processlist WHERE command <> 'Daemon'")
		require.NoError(t, err)
		n, err := res.GetInt(0, 0)
		require.NoError(t, err)
		return n == 1
	}, "the statement of a client that is gone goes on")
}

func TestLongReadsStream(t *testing.T) { eachLongWay(t, longReadsStream) }

func longReadsStream(t *testing.T, executor, count string) {
	srv, s, other := longReader(t, executor)
	before := counted(t, other)[count]
	small, err := runLong(s, 50, func() {})
	require.NoError(t, err)
	used := residentBytes(t, srv)
	large, err := runLong(s, 500, func() {})
	require.NoError(t, err)
	require.Equal(t, 2, counted(t, other)[count]-before)
	require.Equal(t, 10*small, large)
	// Ten times the rows are 200 MiB more on the wire.
	require.Less(t, residentBytes(t, srv)-used, 64<<20)
}

// residentBytes is what memory the server's process holds.
func residentBytes(t *testing.T, srv *emberd.Server) int {
	procs, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, p := range procs {
		if cmd, err := os.ReadFile(p); err != nil || !strings.Contains(string(cmd), fmt.Sprintf("--port=%d\x00", srv.Port)) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(filepath.Dir(p), "statm"))
		require.NoError(t, err)
		pages, err := strconv.Atoi(strings.Fields(string(data))[1])
		require.NoError(t, err)
		return pages * os.Getpagesize()
	}
	require.Fail(t, "the server's process is not to be seen")
	return 0
}
