package server

import (
	"errors"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// TestReferenceSystemsStay: changes of spatial reference systems are there after a restart, and
// columns of a dropped system are refused.
func TestReferenceSystemsStay(t *testing.T) {
	dir := t.TempDir()
	ts, stop := startReal(t, dir)
	c := conn(t, ts)
	exec(t, c, `CREATE DATABASE d; DROP SPATIAL REFERENCE SYSTEM 2001; CREATE SPATIAL REFERENCE SYSTEM 1000000901 NAME 'Moon' DEFINITION
		'GEOGCS["Moon",DATUM["D",SPHEROID["S",1737400,0]],PRIMEM["P",0],UNIT["degree",0.017],AXIS["Lon",EAST],AXIS["Lat",NORTH]]'`)
	stop()
	ts, _ = startReal(t, dir)
	c = conn(t, ts)
	var latitude float64
	require.NoError(t, c.QueryRowContext(t.Context(), "SELECT ST_Latitude(ST_GeomFromText('POINT(1 2)', 1000000901))").Scan(&latitude))
	require.InDelta(t, 2, latitude, 0, "the longitude is first")
	_, err := c.ExecContext(t.Context(), "CREATE TABLE d.t (g POINT SRID 2001)")
	var refused *mysql.MySQLError
	require.True(t, errors.As(err, &refused), "%v", err)
	require.Equal(t, uint16(3548), refused.Number)
	exec(t, c, "CREATE TABLE d.t (g POINT SRID 2002)")
	_, err = c.ExecContext(t.Context(), "ALTER TABLE d.t ADD h POINT SRID 2001")
	require.True(t, errors.As(err, &refused), "%v", err)
	require.Equal(t, uint16(3548), refused.Number)
}

// TestReferenceSystemOfColumn: a system is not dropped while a statement gives a column its SRID, and
// not while the column is there.
func TestReferenceSystemOfColumn(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	a, b, c := conn(t, ts), conn(t, ts), conn(t, ts)
	exec(t, a, `CREATE DATABASE d; CREATE TABLE d.t (i INT); CREATE SPATIAL REFERENCE SYSTEM 1000000901 NAME 'Moon' DEFINITION
		'GEOGCS["Moon",DATUM["D",SPHEROID["S",1737400,0]],PRIMEM["P",0],UNIT["degree",0.017],AXIS["Lon",EAST],AXIS["Lat",NORTH]]'`)
	exec(t, c, "BEGIN; SELECT * FROM d.t")
	altered, dropped := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := a.ExecContext(t.Context(), "ALTER TABLE d.t ADD g POINT SRID 1000000901")
		altered <- err
	}()
	waits := func(n int) {
		t.Helper()
		testkit.Eventually(t, func() bool {
			var waiting int
			err := c.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for%lock'").Scan(&waiting)
			return err == nil && waiting == n
		})
	}
	waits(1)
	go func() {
		_, err := b.ExecContext(t.Context(), "DROP SPATIAL REFERENCE SYSTEM 1000000901")
		dropped <- err
	}()
	waits(2)
	exec(t, c, "COMMIT")
	require.NoError(t, <-altered)
	var refused *mysql.MySQLError
	require.ErrorAs(t, <-dropped, &refused)
	require.Equal(t, uint16(3716), refused.Number)
}
