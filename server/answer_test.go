package server

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnswersHaveTypes expects of result sets that the server makes itself the types that MySQL 9.7
// describes them with: clients that go by them get numbers where MySQL gives numbers.
func TestAnswersHaveTypes(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := ts.bare()
	exec(t, root, "CREATE DATABASE d")
	exec(t, root, "CREATE TABLE d.t (a INT PRIMARY KEY)")
	for _, c := range []struct{ query, want string }{
		{"SHOW REPLICA STATUS", "Replica_IO_State:VARCHAR Source_Port:UNSIGNED INT Connect_Retry:UNSIGNED INT Read_Source_Log_Pos:UNSIGNED BIGINT " +
			"Relay_Log_Pos:UNSIGNED BIGINT Last_Errno:UNSIGNED INT Skip_Counter:UNSIGNED INT Exec_Source_Log_Pos:UNSIGNED BIGINT Relay_Log_Space:UNSIGNED BIGINT " +
			"Until_Log_Pos:UNSIGNED BIGINT Seconds_Behind_Source:UNSIGNED BIGINT Last_IO_Errno:UNSIGNED INT Last_IO_Error:VARCHAR Last_SQL_Errno:UNSIGNED INT " +
			"Source_Server_Id:UNSIGNED INT SQL_Delay:UNSIGNED INT SQL_Remaining_Delay:UNSIGNED INT Source_Retry_Count:UNSIGNED BIGINT Auto_Position:UNSIGNED INT " +
			"Get_Source_public_key:UNSIGNED INT"},
		{"SHOW REPLICAS", "Server_Id:UNSIGNED INT Host:VARCHAR Port:UNSIGNED INT Source_Id:UNSIGNED INT Replica_UUID:VARCHAR"},
		{"SHOW BINARY LOG STATUS", "File:VARCHAR Position:UNSIGNED BIGINT Binlog_Do_DB:VARCHAR"},
		{"SHOW BINLOG EVENTS", "Log_name:VARCHAR Pos:UNSIGNED BIGINT Server_id:UNSIGNED INT End_log_pos:UNSIGNED BIGINT Info:VARCHAR"},
		{"SHOW PROCESSLIST", "Id:BIGINT User:VARCHAR db:VARCHAR? Time:INT State:VARCHAR? Info:VARCHAR?"},
		{"SHOW FULL PROCESSLIST", "Info:TEXT?"},
		{"SHOW ERRORS", "Level:VARCHAR Code:UNSIGNED INT Message:VARCHAR"},
		{"SHOW COUNT(*) WARNINGS", "@@session.warning_count:UNSIGNED BIGINT?"},
		{"SHOW PROFILES", "Query_ID:UNSIGNED INT Duration:DOUBLE Query:VARCHAR"},
		{"SHOW PROFILE", "Status:VARCHAR Duration:DECIMAL"},
		{"SHOW OPEN TABLES", "Database:VARCHAR In_use:BIGINT Name_locked:BIGINT"},
		{"XA RECOVER", "formatID:BIGINT gtrid_length:BIGINT bqual_length:BIGINT data:VARCHAR"},
		{"CHECKSUM TABLE d.t", "Table:VARCHAR? Checksum:BIGINT?"},
		{"CHECK TABLE d.t", "Table:VARCHAR? Op:VARCHAR? Msg_type:VARCHAR? Msg_text:TEXT?"},
	} {
		rows, err := root.QueryContext(context.Background(), c.query)
		require.NoError(t, err, c.query)
		types, err := rows.ColumnTypes()
		require.NoError(t, err, c.query)
		got := map[string]bool{}
		for _, ct := range types {
			null := ""
			if may, _ := ct.Nullable(); may {
				null = "?"
			}
			got[fmt.Sprintf("%s:%s%s", ct.Name(), ct.DatabaseTypeName(), null)] = true
		}
		require.NoError(t, rows.Close())
		for _, want := range strings.FieldsFunc(strings.ReplaceAll(c.want, "UNSIGNED ", "UNSIGNED_"), func(r rune) bool { return r == ' ' }) {
			want = strings.ReplaceAll(want, "UNSIGNED_", "UNSIGNED ")
			require.True(t, got[want], "%s: %s, of %v", c.query, want, got)
		}
	}
}

// TestShowWarningsKeepsCount expects the count of a statement's warnings behind SHOW WARNINGS, too.
func TestShowWarningsKeepsCount(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := ts.bare()
	exec(t, root, "DO 1/0, CAST('a' AS SIGNED)")
	exec(t, root, "SHOW WARNINGS LIMIT 1")
	exec(t, root, "SHOW COUNT(*) ERRORS")
	var n int
	require.NoError(t, root.QueryRowContext(context.Background(), "SELECT @@warning_count").Scan(&n))
	require.Equal(t, 2, n)
}

// TestAnswersInCharacterSet reads such a result set in the client's character set.
func TestAnswersInCharacterSet(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := ts.bare()
	exec(t, root, "CREATE USER 'mü'@'h'")
	exec(t, root, "SET character_set_results = latin1")
	var text string
	require.NoError(t, root.QueryRowContext(context.Background(), "SHOW GRANTS FOR 'mü'@'h'").Scan(&text))
	require.Equal(t, "GRANT USAGE ON *.* TO `m\xfc`@`h`", text)
}
