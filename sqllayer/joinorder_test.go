package sqllayer_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Joins come in the order they are asked for, of a table with itself and with another one,
// whichever index they go along.
func TestJoinsKeepTheirOrder(t *testing.T) {
	b := newBench(t)
	c := b.session()
	const rows = 9
	for _, table := range []string{"n", "o"} {
		c.exec("CREATE TABLE " + table + " (id INT PRIMARY KEY, a INT, KEY (a))")
		for i := 1; i <= rows; i++ {
			c.exec(fmt.Sprintf("INSERT INTO %s VALUES (%d, %d)", table, i, (rows-i)%7+1))
		}
		c.exec("ANALYZE TABLE " + table)
	}
	for _, right := range []string{"n", "o"} {
		for _, on := range []string{"x.a = y.id", "x.id = y.a", "x.a = y.a", "x.id = y.id"} {
			for _, join := range []string{"JOIN %s y ON %s", "LEFT JOIN %s y ON %s", "WHERE EXISTS (SELECT 1 FROM %s y WHERE %s AND y.id > 2)"} {
				for _, column := range []string{"x.id", "x.a", "y.id", "y.a"} {
					for _, direction := range []string{"", " DESC"} {
						if strings.HasPrefix(join, "WHERE") && column[0] == 'y' {
							continue
						}
						from := fmt.Sprintf(" FROM n x "+join, right, on)
						query := "SELECT " + column + from + " ORDER BY " + column + direction
						got := c.exec(query)
						want := slices.Clone(got)
						slices.SortStableFunc(want, func(a, b string) int {
							if direction != "" {
								a, b = b, a
							}
							return cmp.Compare(number(a), number(b))
						})
						require.Equal(t, want, got, query)
						require.Equal(t, want[:3], c.exec(query+" LIMIT 3"), query)
					}
				}
			}
		}
	}
}

// number is the value of a column as it sorts: NULL before all numbers.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
