package process

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// A process that may open few files has some left for its log and its checkpoints, whatever tables
// and clients want.
func TestFewOpenFiles(t *testing.T) {
	script := filepath.Join(t.TempDir(), "emberd")
	require.NoError(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\nulimit -n 120\nexec '%s' \"$@\"\n", emberd.Build(t, "emberd")), 0o755))
	t.Setenv("EMBERD_BIN", script)
	srv := emberd.Start(t)
	db := srv.Open("")
	db.SetMaxOpenConns(1)
	defer db.Close()
	const tables = 150
	_, err := db.Exec("CREATE DATABASE d")
	require.NoError(t, err)
	for i := range tables {
		_, err := db.Exec(fmt.Sprintf("CREATE TABLE d.t%d (id INT PRIMARY KEY)", i))
		require.NoError(t, err)
	}
	many := srv.Open("d")
	var conns []*sql.Conn
	for range 60 {
		c, err := many.Conn(context.Background())
		if err != nil {
			requireCode(t, err, 1040)
			continue
		}
		conns = append(conns, c)
	}
	require.Greater(t, len(conns), 20)
	require.Less(t, len(conns), 60)
	for i := range tables {
		_, err := conns[i%len(conns)].ExecContext(context.Background(), fmt.Sprintf("INSERT INTO t%d VALUES (1)", i))
		require.NoError(t, err)
	}
	many.Close()
	require.NoError(t, srv.Stop())
}
