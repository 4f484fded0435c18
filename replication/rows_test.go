package replication

import (
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"
)

// TestUnsignedColumns reads the bits that MySQL 9.7 writes for the columns YEAR, BIGINT UNSIGNED,
// INT and DECIMAL UNSIGNED: a YEAR has one.
func TestUnsignedColumns(t *testing.T) {
	m := &replication.TableMapEvent{ColumnCount: 4, SignednessBitmap: []byte{0xd0},
		ColumnType: []byte{mysql.MYSQL_TYPE_YEAR, mysql.MYSQL_TYPE_LONGLONG, mysql.MYSQL_TYPE_LONG, mysql.MYSQL_TYPE_NEWDECIMAL}}
	require.Equal(t, map[int]bool{0: true, 1: true, 2: false, 3: true}, unsignedColumns(m, nil))
	m.SignednessBitmap = nil // of MariaDB or an old server: the columns here tell
	require.Equal(t, map[int]bool{0: true, 1: false}, unsignedColumns(m, &table{columns: []column{{unsigned: true}, {}}}))
}
