package tools

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGhost changes a table's definition by gh-ost while it is written to. gh-ost reads the binary
// log and swaps the tables under LOCK TABLES.
func TestGhost(t *testing.T) {
	path := find(t, "gh-ost")
	version(t, path, "--version")
	p := openPair(t)
	source, replica := p.source.watch(), p.replica.watch()
	w := p.write(t)
	must(t, path, "--host=127.0.0.1", "--port="+strconv.Itoa(p.source.port), "--user="+user, "--password="+password, "--ssl", "--ssl-allow-insecure",
		"--database=shop", "--table=item", "--alter=ADD COLUMN more INT DEFAULT 5, ADD KEY (price)", "--allow-on-master", "--execute",
		"--ok-to-drop-table", "--serve-socket-file=gh-ost.sock", chunk("--chunk-size"), "--verbose")
	w.end(t)
	p.changed(t, "more")
	source.only(t, `1193 select @@global\.extra_port`,
		`3572 insert /\* gh-ost .* for share nowait`,          // a writer holds a row: gh-ost comes again
		`1146 insert /\* gh-ost \*/ into .shop.\.._item_ghc.`) // the last heartbeat, when all is over
	replica.only(t)
}

// TestOnlineSchemaChange changes it by pt-online-schema-change, which copies by triggers.
func TestOnlineSchemaChange(t *testing.T) {
	path := find(t, "pt-online-schema-change")
	version(t, path, "--version")
	p := openPair(t)
	source, replica := p.source.watch(), p.replica.watch()
	w := p.write(t)
	must(t, path, p.source.dsn()+",D=shop,t=item", "--alter=ADD COLUMN more INT DEFAULT 5, ADD KEY (price)", "--execute",
		"--recursion-method=none", rowsOfPlans, chunk("--chunk-size"))
	w.end(t)
	p.changed(t, "more")
	source.only(t, `1193 SELECT @@QUERY_RESPONSE_TIME_SESSION_STATS`, `1213 INSERT LOW_PRIORITY IGNORE INTO .shop.`)
	replica.only(t)
}

// changed expects that the table has the column, and every row that was written.
func (p *pair) changed(t *testing.T, column string) {
	t.Helper()
	p.intact(t)
	for _, s := range []*server{&p.source, &p.replica} {
		var n int
		require.NoError(t, s.db.QueryRow(`SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'shop' AND table_name = 'item'
			AND column_name = ?`, column).Scan(&n))
		require.Equal(t, 1, n, "port %d", s.port)
		var tables string
		require.NoError(t, s.db.QueryRow(`SELECT GROUP_CONCAT(table_name ORDER BY table_name) FROM information_schema.tables
			WHERE table_schema = 'shop'`).Scan(&tables))
		require.Equal(t, "item,twin", tables, "port %d", s.port)
	}
}
