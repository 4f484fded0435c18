package backup

import (
	"context"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// A directory of format 3 is not given to a tool that reads older ones alone.
func TestFormatOfClients(t *testing.T) {
	s := emberd.Start(t, options...)
	db := open(t, s, "")
	begin := func(statement string) error {
		c, err := db.Conn(context.Background())
		require.NoError(t, err)
		defer c.Close()
		var text string
		return c.QueryRowContext(context.Background(), statement).Scan(&text)
	}
	_, err := db.Exec("CREATE DATABASE formats")
	require.NoError(t, err)
	_, err = db.Exec("CREATE TABLE formats.t (s VARCHAR(20) PRIMARY KEY)")
	require.NoError(t, err)
	var refused *mysql.MySQLError
	for _, statement := range []string{"BACKUP BEGIN", "BACKUP BEGIN 1", "BACKUP BEGIN 3"} {
		require.ErrorAs(t, begin(statement), &refused, statement)
		require.Equal(t, uint16(1210), refused.Number, refused.Message)
	}
	require.NoError(t, begin("BACKUP BEGIN 4"))
	require.NoError(t, begin("BACKUP BEGIN 5"))
}
