package tools

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kinds is a table of values of every kind.
const kinds = `CREATE TABLE kinds (id BIGINT PRIMARY KEY, small TINYINT UNSIGNED, middle MEDIUMINT, large BIGINT UNSIGNED, exact DECIMAL(30,10), near FLOAT, nearer DOUBLE,
	bits BIT(12), day DATE, at DATETIME(6), stamp TIMESTAMP(3) NULL, clock TIME(2), year4 YEAR, fixed CHAR(10), latin VARCHAR(50) CHARACTER SET latin1, bytes VARBINARY(20),
	body MEDIUMTEXT, doc JSON, kind ENUM('x','y','ü'), flags SET('a','b','c'), place GEOMETRY, twice BIGINT AS (id * 2) STORED, KEY (exact), KEY (latin(5)))`

const fillKinds = `INSERT INTO vt_client.kinds (id, small, middle, large, exact, near, nearer, bits, day, at, stamp, clock, year4, fixed, latin, bytes, body, doc, kind, flags, place)
	WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n + 1 FROM c WHERE n < 500)
	SELECT n, n MOD 256, -n * 1000, 18446744073709551615 - n, n / 7, n / 3, SQRT(n), n, '2020-01-01' + INTERVAL n DAY, FROM_UNIXTIME(1700000000.123456 + n),
		FROM_UNIXTIME(1700000000.123 + n), SEC_TO_TIME(n * 97.25 - 20000), 1901 + n MOD 250, CONCAT('f', n), CONCAT('ä ', n), UNHEX(LEFT(SHA2(n, 256), 32)), REPEAT(CONCAT('ж', n), n),
		JSON_OBJECT('n', n, 'list', JSON_ARRAY(1.5, NULL, 'ü', TRUE), 'at', CAST(FROM_UNIXTIME(1700000000 + n) AS DATETIME)), ELT(n MOD 4, 'x', 'y', 'ü'),
		IF(n MOD 9, NULLIF(n MOD 8, 0), NULL), IF(n MOD 5, POINT(n, n / 3), NULL) FROM c`

// changeKinds are statements of a client that change some of the rows, in all shards.
var changeKinds = []string{
	`UPDATE client.kinds SET exact = exact + 0.5, doc = JSON_SET(doc, '$.n', 'changed', '$.more', small), body = CONCAT(body, '!'), stamp = NULL, kind = 'ü', bits = 5 WHERE id < 100`,
	"UPDATE client.kinds SET place = NULL, flags = 'a,c', near = near * 2, clock = '-01:02:03.45' WHERE id BETWEEN 90 AND 130", "DELETE FROM client.kinds WHERE id BETWEEN 200 AND 210",
	"INSERT INTO client.kinds (id, latin, bytes, doc) VALUES (1001, 'é', x'00ff', '[]'), (1002, NULL, NULL, NULL) ON DUPLICATE KEY UPDATE exact = 7",
}

// rowsOfKinds describes the rows in all shards, whatever columns have changed.
func rowsOfKinds(t *testing.T, database string, shards ...*tablet) string {
	t.Helper()
	var all []string
	for _, s := range shards {
		rows, err := s.db.Query(`SELECT CONCAT_WS('#', LPAD(id, 5, 0), large, exact, near, nearer, HEX(bits), day, at, stamp, clock, year4, fixed, latin, HEX(bytes), SHA2(body, 256), CAST(doc AS CHAR), kind,
			flags, ST_ASTEXT(place), twice) FROM ` + database + ".kinds")
		require.NoError(t, err)
		for rows.Next() {
			var row string
			require.NoError(t, rows.Scan(&row))
			all = append(all, row)
		}
		require.NoError(t, rows.Err())
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
