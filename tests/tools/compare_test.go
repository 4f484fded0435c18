package tools

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChecksum finds with pt-table-checksum what differs on a replica, and has pt-table-sync repair
// it through the source. Both compute on the source and have the statement run on the replica.
func TestChecksum(t *testing.T) {
	checksum, sync := find(t, "pt-table-checksum"), find(t, "pt-table-sync")
	v := version(t, checksum, "--version")
	if strings.HasSuffix(v, "3.2.1") {
		t.Skip("this release asks with statements that MySQL 8.4 has no more: 3.7 is needed")
	}
	p := openPair(t)
	source, replica := p.source.watch(), p.replica.watch()
	w := p.write(t)
	argv := []string{checksum, p.source.dsn(), "--databases=shop", "--recursion-method=hosts", "--no-check-binlog-format", rowsOfPlans, chunk("--chunk-size")}
	out := must(t, argv...)
	require.Equal(t, "0", column(t, out, "DIFFS"), out)

	p.source.exec(t, "INSERT INTO shop.item (id, name) VALUES (-1, 'not the writer')", "INSERT INTO shop.twin SELECT * FROM shop.item WHERE id = -1")
	p.catchUp(t)
	p.replica.exec(t, "UPDATE shop.item SET price = -1 WHERE id IN (7, 8, 900)", "DELETE FROM shop.item WHERE id = -1")
	out, code := run(t, argv...)
	require.Equal(t, 16, code, out) // at least one chunk differs
	require.NotEqual(t, "0", column(t, out, "DIFFS"), out)

	out, code = run(t, sync, p.source.dsn(), "--replicate=percona.checksums", "--execute", "--verbose", "--recursion-method=hosts", rowsOfPlans)
	require.Equal(t, 2, code, out) // it found differences, and repaired them
	w.end(t)
	p.intact(t)
	out = must(t, argv...)
	require.Equal(t, "0", column(t, out, "DIFFS"), out)
	source.only(t)
	replica.only(t)
}

// column is the field of shop.item's line under a heading of pt-table-checksum.
func column(t *testing.T, out, heading string) string {
	t.Helper()
	var heads []string
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		switch {
		case len(fields) > 1 && fields[0] == "TS":
			heads = fields
		case strings.HasSuffix(strings.TrimSpace(line), " shop.item"):
			for i, h := range heads {
				if h == heading {
					return fields[i]
				}
			}
		}
	}
	require.Fail(t, "no line of shop.item", out)
	return ""
}

// TestDump copies a database by mydumper and myloader.
func TestDump(t *testing.T) {
	dump, load := find(t, "mydumper"), find(t, "myloader")
	version(t, dump, "--version")
	p := openPair(t)
	source, replica := p.source.watch(), p.replica.watch()
	p.source.exec(t, "CREATE VIEW shop.dear AS SELECT id, name FROM shop.item WHERE price > 100")
	dir := filepath.Join(t.TempDir(), "dump")
	login := []string{"--host=127.0.0.1", "--port=" + strconv.Itoa(p.source.port), "--user=" + user, "--password=" + password, "--threads=2"}
	must(t, append([]string{dump, "--database=shop", "--outputdir=" + dir, chunk("--rows"), "--routines", "--events", "--triggers"}, login...)...)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Greater(t, len(files), 4, "the table was to be read in parts")
	want, rows := p.source.sum(t, "item"), 0
	p.source.exec(t, "DROP DATABASE shop")
	must(t, append([]string{load, "--directory=" + dir, "--enable-binlog"}, login...)...)
	p.intact(t)
	require.Equal(t, want, p.source.sum(t, "item"))
	require.NoError(t, p.replica.db.QueryRow("SELECT COUNT(*) FROM shop.dear").Scan(&rows))
	require.Positive(t, rows)
	source.only(t, "1193 SELECT @@tokudb_version", "1193 SELECT @@default_master_connection", "1064 SHOW MASTER STATUS", "1064 SHOW SLAVE STATUS",
		"1049 SHOW CREATE DATABASE .shop.")
	replica.only(t)
}
