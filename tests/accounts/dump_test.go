package accounts

import (
	"os"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestDump: a dump of all databases of a MySQL 9.7, with those of the grant tables, brings the
// accounts, their rights and what they defined.
//
// The dump was made of a MySQL that had run setup.sql, by mysqldump --all-databases --routines
// --events --triggers, without the tables of HELP. The golden file holds what that MySQL answered
// after it had read its own dump.
func TestDump(t *testing.T) {
	socket := *peer
	if socket == "" {
		socket = emberd.Start(t, "--log-bin=binlog").Socket
	}
	r := &runner{socket: socket, sessions: map[string]*client.Conn{}}
	defer r.closeAll()
	text, err := os.ReadFile("testdata/dump/dump.sql")
	require.NoError(t, err)
	for _, statement := range append(statements(string(text)), "FLUSH PRIVILEGES") {
		answer := r.run("root> " + statement)
		require.False(t, strings.HasPrefix(answer, "error"), "%s\n%s", statement, answer)
	}
	r.closeAll()
	r.sessions = map[string]*client.Conn{}
	r.script(t, "testdata/dump/told.script")
}

// statements splits what mysqldump writes, where each statement ends with a line.
func statements(text string) (out []string) {
	end, statement := ";", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "DELIMITER "); ok {
			end = strings.TrimSpace(rest)
			continue
		}
		if statement == "" && (line == "" || strings.HasPrefix(line, "--")) {
			continue
		}
		statement += line
		if rest, ok := strings.CutSuffix(statement, end); ok {
			out, statement = append(out, rest), ""
			continue
		}
		statement += "\n"
	}
	return out
}
