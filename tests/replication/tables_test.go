package replication

import (
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// contents is what a server holds: for each table a digest of its rows, and the names of what else
// is stored.
type contents map[string]string

// ownSchemas are those of the servers themselves.
const ownSchemas = "('mysql','information_schema','performance_schema','sys','ember','test')"

// look reads a server's contents. Schemas in without are left out.
func look(t *testing.T, db *sql.DB, without ...string) contents {
	t.Helper()
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	_, err = c.ExecContext(ctx, "SET time_zone = '+00:00'")
	require.NoError(t, err)
	mine := ownSchemas
	for _, s := range without {
		mine = strings.TrimSuffix(mine, ")") + ",'" + s + "')"
	}
	all := contents{}
	for _, name := range names(t, c, "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND TABLE_SCHEMA NOT IN "+mine) {
		all[name] = digest(t, c, name)
	}
	for what, q := range map[string]string{
		"schemas":  "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN " + mine,
		"views":    "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_TYPE = 'VIEW' AND TABLE_SCHEMA NOT IN " + mine,
		"triggers": "SELECT CONCAT(TRIGGER_SCHEMA, '.', TRIGGER_NAME) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA NOT IN " + mine,
		"events":   "SELECT CONCAT(EVENT_SCHEMA, '.', EVENT_NAME) FROM information_schema.EVENTS WHERE EVENT_SCHEMA NOT IN " + mine,
	} {
		all["all "+what] = strings.Join(names(t, c, q), " ")
	}
	return all
}

func names(t *testing.T, c *sql.Conn, query string) (out []string) {
	t.Helper()
	rows, err := c.QueryContext(context.Background(), query)
	require.NoError(t, err, query)
	defer rows.Close()
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		out = append(out, s)
	}
	require.NoError(t, rows.Err())
	sort.Strings(out)
	return out
}

// digest is the number of a table's rows, its columns, and a sum over the rows that does not know
// their order.
func digest(t *testing.T, c *sql.Conn, table string) string {
	t.Helper()
	rows, err := c.QueryContext(context.Background(), "SELECT * FROM `"+strings.Replace(table, ".", "`.`", 1)+"`")
	require.NoError(t, err, table)
	defer rows.Close()
	cols, err := rows.Columns()
	require.NoError(t, err)
	values, into := make([]sql.RawBytes, len(cols)), make([]any, len(cols))
	for i := range values {
		into[i] = &values[i]
	}
	n, sum, b := 0, uint64(0), []byte(nil)
	for rows.Next() {
		require.NoError(t, rows.Scan(into...))
		b = b[:0]
		for _, v := range values {
			size := uint64(len(v)) + 1
			if v == nil {
				size = 0
			}
			b = append(binary.LittleEndian.AppendUint64(b, size), v...)
		}
		h := md5.Sum(b)
		sum += binary.LittleEndian.Uint64(h[:])
		n++
	}
	require.NoError(t, rows.Err(), table)
	return fmt.Sprintf("%s: %d rows, sum %016x", strings.Join(cols, ","), n, sum)
}

// sameContents expects that a replica holds what the source holds.
func sameContents(t *testing.T, who string, source, replica contents) {
	t.Helper()
	var all []string
	for name, want := range source {
		if got, ok := replica[name]; !ok || got != want {
			all = append(all, fmt.Sprintf("%s: source has %s; %s has %s", name, want, who, got))
		}
	}
	for name := range replica {
		if _, ok := source[name]; !ok {
			all = append(all, fmt.Sprintf("%s: only %s has it", name, who))
		}
	}
	sort.Strings(all)
	require.Empty(t, all, "%s differs", who)
}
