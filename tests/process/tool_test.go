package process

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// tool runs ember and returns what it prints and its exit code.
func tool(t *testing.T, args ...string) (string, int) {
	t.Helper()
	out, err := exec.Command(emberd.Build(t, "ember"), args...).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(out), exit.ExitCode()
	}
	require.NoError(t, err)
	return string(out), 0
}

// TestTool runs the verbs of ember against a server, its directory while it runs, and after a kill.
func TestTool(t *testing.T) {
	s := emberd.Start(t)
	mustExec(t, openDB(t, s, ""), "CREATE DATABASE shop")
	db := openDB(t, s, "shop")
	for _, q := range []string{
		"CREATE TABLE item (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(50), note TEXT, KEY name (name))",
		"CREATE VIEW names AS SELECT name FROM item",
		"INSERT INTO item (name, note) VALUES ('axe', REPEAT('x', 50000)), ('bow', 'b'), ('Çap', NULL)",
	} {
		mustExec(t, db, q)
	}
	port := []string{"--port", strconv.Itoa(s.Port)}
	with := func(args ...string) []string { return append(args, port...) }

	out, code := tool(t, with("check", "--quiet")...)
	require.Zero(t, code, out)
	require.Contains(t, out, "1 tables in")
	out, code = tool(t, with("check", "--json", "--quiet", "--database", "shop")...)
	require.Zero(t, code, out)
	require.Contains(t, out, `"clean":true`)

	out, code = tool(t, with("status", "--json")...)
	require.Zero(t, code, out)
	var st struct {
		Redo struct{ LSN int64 }
		Pool struct {
			Total int64 `json:"pages_total"`
		}
		Stored struct{ Tables int64 }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &st))
	require.Positive(t, st.Redo.LSN)
	require.Positive(t, st.Pool.Total)
	require.EqualValues(t, 1, st.Stored.Tables)
	out, code = tool(t, with("status")...)
	require.Zero(t, code, out)
	require.Contains(t, out, s.Dir)
	require.Contains(t, out, "no list had been written yet")
	out, code = tool(t, with("status", "--watch", "--count", "2", "--interval", "100ms", "--json")...)
	require.Zero(t, code, out)
	require.Contains(t, out, `"rates":{`)
	out, code = tool(t, with("top", "--total", "--count", "1", "--limit", "1000")...)
	require.Zero(t, code, out)
	require.Contains(t, out, "CREATE TABLE `item`")
	out, code = tool(t, with("restart", "report")...)
	require.Zero(t, code, out)
	require.Contains(t, out, "The server opened after ")

	out, code = tool(t, with("warm", "dump")...)
	require.Zero(t, code, out)
	require.Contains(t, out, "dump: Buffer pool(s) dump completed")
	out, code = tool(t, with("warm", "load", "--quiet")...)
	require.Zero(t, code, out)
	require.Contains(t, out, "load: Buffer pool(s) load completed")
	for _, verb := range []string{"abort", "status"} {
		out, code = tool(t, with("warm", verb)...)
		require.Zero(t, code, out)
	}
	for _, args := range [][]string{{"redo", s.Dir, "--stats"}, {"space", s.Dir, "1", "--redo"}, {"catalog", s.Dir, "shop", "--redo"}, {"warm", s.Dir}} {
		out, code = tool(t, append([]string{"inspect"}, args...)...)
		require.Zero(t, code, out)
	}
	out, code = tool(t, "check", s.Dir)
	require.Equal(t, 1, code)
	require.Contains(t, out, "in use by another server")

	s.Kill()
	out, code = tool(t, with("restart", "report")...)
	require.NotZero(t, code)
	require.Contains(t, out, "name the data directory: ember restart report DATADIR")
	out, code = tool(t, "restart", "report", s.Dir)
	require.Zero(t, code, out)
	require.Contains(t, out, "The server opened after ")
	out, code = tool(t, "inspect", "space", s.Dir, "shop.item", "--redo")
	require.Zero(t, code, out)
	require.Contains(t, out, "shop.item.PRIMARY, root 2, 3 records")
	out, code = tool(t, "check", s.Dir, "--quiet")
	require.Zero(t, code, out)
	require.Contains(t, out, "3 tables")

	flipBytes(t, s.Dir)
	out, code = tool(t, "check", s.Dir, "--quiet")
	require.Equal(t, 1, code, out)
	require.Contains(t, out, "fault: shop.item: file "+s.Dir)
}

// flipBytes damages page 2 of the one table of a directory that is closed.
func flipBytes(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.Remove(filepath.Join(dir, "doublewrite.edw"))) // or the next start repairs the page
	files, err := filepath.Glob(filepath.Join(dir, "spaces", "*.ebs"))
	require.NoError(t, err)
	path := files[len(files)-1]
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[2*16384+8000] ^= 1
	require.NoError(t, os.WriteFile(path, b, 0o600))
}
