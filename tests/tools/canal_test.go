package tools

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCanal has go-mysql's canal follow the source from the beginning of its log, by GTID, while it is
// written to. It must end with the rows of the table.
func TestCanal(t *testing.T) {
	path := find(t, "canal")
	p := openPair(t)
	source, replica := p.source.watch(), p.replica.watch()
	var out, faults bytes.Buffer
	cmd := exec.Command(path, "--addr=127.0.0.1:"+strconv.Itoa(p.source.port), "--user="+user, "--password="+password)
	cmd.Stdout, cmd.Stderr = &out, &faults
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended unless the test failed
	w := p.write(t)
	w.end(t)
	p.source.exec(t, "ALTER TABLE shop.item ADD COLUMN more INT DEFAULT 5", "UPDATE shop.item SET price = price + 1 WHERE id < 50",
		"CREATE TABLE shop.marker (id INT PRIMARY KEY)", "INSERT INTO shop.marker VALUES (1)")
	require.NoError(t, cmd.Wait(), faults.String())
	require.Equal(t, p.source.rows(t), rowsOfCanal(t, out.String()))
	source.only(t)
	replica.only(t)
}

// rows are the first columns of shop.item's rows.
func (s *server) rows(t *testing.T) string {
	t.Helper()
	all, err := s.db.Query("SELECT id, name, price, note FROM shop.item ORDER BY id")
	require.NoError(t, err)
	defer all.Close()
	var out strings.Builder
	for all.Next() {
		var v [4]sql.NullString
		require.NoError(t, all.Scan(&v[0], &v[1], &v[2], &v[3]))
		fmt.Fprintln(&out, v[0].String, v[1].String, v[2].String, v[3].String)
	}
	require.NoError(t, all.Err())
	return out.String()
}

// rowsOfCanal are those that canal has printed.
func rowsOfCanal(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(text) {
		var row []any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		require.NoError(t, d.Decode(&row), line)
		for i, v := range row[:4] {
			if v == nil {
				v = ""
			}
			if i > 0 {
				out.WriteByte(' ')
			}
			fmt.Fprint(&out, v)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
