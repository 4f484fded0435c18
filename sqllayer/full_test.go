package sqllayer_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/dolthub/vitess/go/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/sqllayer/sqlerr"
)

// A full disk is an error that names the table; afterwards, when there is room, the session goes
// on.
func TestFullDisk(t *testing.T) {
	b := newBench(t)
	disk := b.fs.(*vfs.Mem)
	c := b.session()
	c.exec("CREATE TABLE Wide (id INT PRIMARY KEY, v VARCHAR(3000))")
	disk.Inject(vfs.Fault{Ops: vfs.OpAllocate, Match: "spaces", Stay: true, Err: base.ErrDiskFull})
	var err error
	stored := 0
	for ; err == nil && stored < 10_000; stored++ {
		_, err = c.run(context.Background(), fmt.Sprintf("INSERT INTO Wide VALUES (%d, '%s')", stored, strings.Repeat("x", 3000)))
	}
	require.Error(t, err)
	known := sqlerr.Translate(err, "test")
	require.Equal(t, 1114, known.Num)
	require.Equal(t, "The table 'Wide' is full", known.Message)
	c.query("SELECT COUNT(*) FROM Wide", fmt.Sprint(stored-1))
	disk.Inject(vfs.Fault{Ops: vfs.OpCreate | vfs.OpAllocate, Match: "spaces", Stay: true, Err: base.ErrDiskFull})
	for s, name := range map[string]string{"CREATE TABLE other (id INT)": "other", "TRUNCATE Wide": "Wide", "ALTER TABLE Wide ADD COLUMN c INT FIRST": "Wide", "ALTER TABLE Wide ADD INDEX (v(700))": "Wide"} {
		_, err := c.run(context.Background(), s)
		require.Equal(t, sqlerr.NewError(1114, "The table '%s' is full", name), sqlerr.Translate(err, "test"), s)
	}
	failed := fmt.Errorf("%w: %w", base.ErrFailed, base.ErrDiskFull)
	require.Equal(t, sqlerr.ErErrorOnWrite, sqlerr.Translate(failed, "").Num, "the engine has failed, for that reason: room alone does not help")
	require.Equal(t, 1878, sqlerr.Translate(&table.FullError{Err: fmt.Errorf("%w: %w", table.ErrTemporary, base.ErrDiskFull)}, "").Num)
	require.Equal(t, 1021, sqlerr.Translate(fmt.Errorf("write binlog.000002: %w", base.ErrDiskFull), "").Num)
	disk.ClearFaults()
	c.exec("INSERT INTO Wide VALUES (1000000, 'y')")
}

// What the file system says against a new table's file is told with its number; there is no table,
// and the session goes on.
func TestBadDisk(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE t (a INT)")
	for _, ops := range []vfs.Op{vfs.OpCreate, vfs.OpAllocate, vfs.OpSync} {
		b.fs.(*vfs.Mem).Inject(vfs.Fault{Ops: ops, Match: "spaces", Stay: true, Err: syscall.EIO})
		for _, s := range []string{"CREATE TABLE x (a INT)", "ALTER TABLE t ADD b INT FIRST", "TRUNCATE t"} {
			_, err := c.run(context.Background(), s)
			var e *mysql.SQLError
			require.ErrorAs(t, err, &e, "%s, operation %v", s, ops)
			require.Equal(t, 1030, e.Num, e.Message)
			require.Regexp(t, "^Got error 5 - '.*spaces/.*: input/output error' from storage engine$", e.Message)
		}
		b.fs.(*vfs.Mem).ClearFaults()
	}
	c.query("SHOW TABLES", "t")
	c.exec("INSERT INTO t VALUES (1)")
}
