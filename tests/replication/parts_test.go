package replication

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestPartsAndPayloads: transactions that tell parts of JSON documents, and that are compressed,
// give every replica the source's rows, at every row image.
func TestPartsAndPayloads(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	s := emberd.Start(t, options...)
	all := follow(t, s.Port)
	db := s.Open("")
	defer db.Close()
	db.SetMaxOpenConns(1) // the settings are the session's
	execAll(t, db, "CREATE DATABASE parts", "USE parts",
		"CREATE TABLE t (id INT PRIMARY KEY, j JSON, k JSON NOT NULL, v JSON AS (JSON_OBJECT('a', id)) VIRTUAL, s VARCHAR(3000), d DECIMAL(20,5), m DATETIME(3), e ENUM('x','y'), b BIT(12), x BLOB)")
	for i := range 40 {
		execAll(t, db, fmt.Sprintf(`INSERT INTO t VALUES (%d, '{"a": %d, "list": [1, 2, {"deep": "%s"}], "o p": {"q": null}}', '[%d, "%s"]', DEFAULT, REPEAT('x', %d), %d.5, '2026-11-27 01:02:03.456', 'y', b'101', 0x00ff)`,
			i, i, strings.Repeat("long", 50), i, strings.Repeat("text", 30), i*60, i))
	}
	changes := []string{
		"j = JSON_SET(j, '$.a', id + %d)", "j = JSON_REMOVE(j, '$.list[1]')", "j = JSON_ARRAY_INSERT(j, '$.list[0]', %d)", "j = JSON_SET(j, '$.\"o p\".q', JSON_OBJECT('n', %d, 'é', 'ü'))",
		"j = JSON_ARRAY_APPEND(j, '$.list', 'end')", "k = JSON_SET(k, '$[0]', %d), j = JSON_REPLACE(j, '$.list[2].deep', 'short')", "s = 'only text %d', x = NULL", "j = NULL",
		"j = '{\"list\": [%d]}'", "k = JSON_SET(k, '$[1]', 1.25e10), d = d + 1, e = 'x', b = b'1'", "id = id + 1000 * %d, j = JSON_SET(j, '$.moved', TRUE)",
	}
	for round := range 60 {
		execAll(t, db, "SET binlog_row_image = '"+[]string{"FULL", "MINIMAL", "NOBLOB"}[r.IntN(3)]+"'", "SET binlog_row_value_options = '"+[]string{"", "PARTIAL_JSON"}[min(1, r.IntN(4))]+"'",
			fmt.Sprintf("SET binlog_transaction_compression = %d, binlog_transaction_compression_level_zstd = %d", r.IntN(2), 1+r.IntN(22)), "BEGIN")
		for range 1 + r.IntN(4) {
			set := changes[r.IntN(len(changes))]
			if strings.Contains(set, "%d") {
				set = fmt.Sprintf(set, round+1)
			}
			execAll(t, db, fmt.Sprintf("UPDATE t SET %s WHERE id %% 7 = %d ORDER BY id DESC", set, r.IntN(7)))
		}
		execAll(t, db, "COMMIT")
	}
	execAll(t, db, "SET binlog_transaction_compression = ON", "XA START 'x'", "INSERT INTO t (id, k, s) VALUES (-1, '[]', REPEAT('y', 900))", "XA END 'x'", "XA PREPARE 'x'", "XA COMMIT 'x'",
		"CREATE TABLE c AS SELECT id, s FROM t", "INSERT INTO c SELECT id, REPEAT('z', 3000) FROM t")
	var kinds, compressed int
	rows, err := db.Query("SHOW BINARY LOGS")
	require.NoError(t, err)
	var names []string
	for rows.Next() {
		var name, size, encrypted string
		require.NoError(t, rows.Scan(&name, &size, &encrypted))
		names = append(names, name)
	}
	require.NoError(t, rows.Err())
	for _, name := range names {
		rows, err := db.Query("SHOW BINLOG EVENTS IN '" + name + "'")
		require.NoError(t, err)
		for rows.Next() {
			var file, at, kind, id, end, info string
			require.NoError(t, rows.Scan(&file, &at, &kind, &id, &end, &info))
			switch kind {
			case "Update_rows_partial":
				kinds++
			case "Transaction_payload":
				require.Regexp(t, `^compression='ZSTD', decompressed_size=[0-9]+ bytes$`, info)
				compressed++
			}
		}
		require.NoError(t, rows.Err())
	}
	require.NotZero(t, kinds)
	require.NotZero(t, compressed)
	var counted, saved int
	require.NoError(t, db.QueryRow("SELECT TRANSACTION_COUNTER, UNCOMPRESSED_BYTES_COUNTER - COMPRESSED_BYTES_COUNTER FROM performance_schema.binary_log_transaction_compression_stats "+
		"WHERE LOG_TYPE = 'BINARY' AND COMPRESSION_TYPE = 'ZSTD'").Scan(&counted, &saved))
	require.Equal(t, compressed, counted)
	require.Positive(t, saved)
	for _, r := range all {
		t.Log(r.name)
		r.sameAs(t, db)
	}
}
