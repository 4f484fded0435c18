package sqllayer_test

import (
	"context"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/vfs"
)

// What a procedure has changed in the dictionary is committed before it goes on, or it ends there
// with the error.
func TestProcedureCommitsDefinitions(t *testing.T) {
	for _, stmt := range []string{"RENAME TABLE t TO u", "ALTER TABLE t ADD COLUMN b INT, ADD INDEX (b)", "CREATE DATABASE d", "CREATE TABLE u (id INT)", "DROP TABLE t"} {
		b := newBench(t)
		c := b.session()
		c.exec("CREATE TABLE t (id INT)")
		c.exec("INSERT INTO t VALUES (1), (2)")
		c.exec("CREATE PROCEDURE late() " + stmt)
		c.exec("CREATE PROCEDURE early() BEGIN " + stmt + "; SET @after = 1; END")
		b.fs.(*vfs.Mem).Inject(vfs.Fault{Ops: vfs.OpWrite | vfs.OpSync, Match: "redo", Stay: true, Err: syscall.EIO})
		for _, name := range []string{"early", "late"} {
			_, err := c.run(context.Background(), "CALL "+name+"()")
			require.Error(t, err, "%s in %s()", stmt, name)
			_, after, _ := c.s.GetUserVariable(nil, "after")
			require.Nil(t, after, "what stands behind %s has run", stmt)
		}
	}
}
