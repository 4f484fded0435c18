package backup

import (
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestDumpedBytes loads bytes as the dump tools write them, behind _binary. The answers are those of
// MySQL 9.7.
func TestDumpedBytes(t *testing.T) {
	s := emberd.Start(t)
	db := open(t, s, "")
	db.SetMaxOpenConns(1)
	exec1(t, db, "CREATE DATABASE d", "USE d", "CREATE TABLE l (id INT, u VARCHAR(20) CHARSET utf8mb4, b VARBINARY(20))", "CREATE TABLE v (id INT PRIMARY KEY, v VECTOR(3))",
		"INSERT INTO l VALUES (1, _binary'h\xc3\xa4', _binary'h\xe4')",
		"SET NAMES binary", "INSERT INTO l VALUES (2, 'h\xc3\xa4', 'h\xe4')", "INSERT INTO v VALUES (1, _binary 'abcdefghijkl')")
	for query, want := range map[string]string{
		"SELECT GROUP_CONCAT(HEX(u), ' ', HEX(b) ORDER BY id) FROM l": "68C3A4 68E4,68C3A4 68E4",
		"SELECT HEX(v) FROM v": "6162636465666768696A6B6C",
	} {
		var got string
		require.NoError(t, db.QueryRow(query).Scan(&got), query)
		require.Equal(t, want, got, query)
	}
	exec1(t, db, "SET NAMES utf8mb4")
	for value, size := range map[string]string{"'abcdefghijkl'": "12", "_binary 'abc'": "3", "''": "0", "'[1,2,3]'": "7"} {
		_, err := db.Exec("INSERT INTO v VALUES (2, " + value + ")")
		var refused *mysql.MySQLError
		require.ErrorAs(t, err, &refused, value)
		require.EqualValues(t, 6136, refused.Number, value)
		require.Equal(t, "Value of type 'string, size: "+size+"' cannot be converted to 'vector' type.", refused.Message)
	}
}
