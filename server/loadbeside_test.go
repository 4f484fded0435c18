package server

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLoadBesideInsert loads a file of several batches: rows are read while those before go in. Rows
// whose keys are there are settled at their place, and an error takes back the whole statement.
func TestLoadBesideInsert(t *testing.T) {
	const n = 120_000
	dir := t.TempDir()
	ts, _ := startReal(t, dir, "--secure-file-priv="+dir)
	c, err := ts.openDB("root", "", "", "").Conn(context.Background())
	require.NoError(t, err)
	defer c.Close()
	exec(t, c, "CREATE DATABASE d")
	exec(t, c, "CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(60), KEY (v))")
	var file strings.Builder
	for i := range n {
		id := i
		if i%1000 == 999 { // the row before once more
			id--
		}
		fmt.Fprintf(&file, "%d,row %d of a file that is larger than a batch\n", id, i)
	}
	require.NoError(t, os.WriteFile(dir+"/rows", []byte(file.String()), 0o644))
	load := func(how string) error {
		_, err := c.ExecContext(context.Background(), fmt.Sprintf("LOAD DATA INFILE '%s/rows' %s INTO TABLE d.t FIELDS TERMINATED BY ','", dir, how))
		return err
	}
	sums := func(rowsOf int, last string) {
		t.Helper()
		require.Equal(t, [][]string{{fmt.Sprint(rowsOf)}}, rows(t, c, "SELECT COUNT(*) FROM d.t FORCE INDEX (v) WHERE v >= ''"))
		require.Equal(t, [][]string{{last}}, rows(t, c, "SELECT v FROM d.t WHERE id = 77998"))
		require.Equal(t, [][]string{{"d.t", "check", "status", "OK"}}, rows(t, c, "CHECK TABLE d.t"))
	}
	require.ErrorContains(t, load(""), "Duplicate entry '998'")
	require.Equal(t, [][]string{{"0"}}, rows(t, c, "SELECT COUNT(*) FROM d.t"))
	require.NoError(t, load("IGNORE"))
	sums(n-n/1000, "row 77998 of a file that is larger than a batch")
	require.NoError(t, load("REPLACE"))
	sums(n-n/1000, "row 77999 of a file that is larger than a batch")
}
