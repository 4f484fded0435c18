//go:build ignore

// Generate asks a MySQL server for the names of months and days in all its locales, and for the form
// of numbers, and writes them to names.txt and numbers.txt.
//
//	go run generate.go -dsn 'root@unix(/path/to/mysqld.sock)/'
package main

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	_ "github.com/go-sql-driver/mysql"
)

// month and day are queries for the first month and a Monday; each of their rows is a list of names.
const (
	month = "SELECT GROUP_CONCAT(%s ORDER BY d) FROM (WITH RECURSIVE r AS (SELECT DATE'2026-01-01' d UNION ALL SELECT d + INTERVAL 1 MONTH FROM r WHERE d < '2026-12-01') SELECT d FROM r) m"
	day   = "SELECT GROUP_CONCAT(%s ORDER BY d) FROM (WITH RECURSIVE r AS (SELECT DATE'2026-06-01' d UNION ALL SELECT d + INTERVAL 1 DAY FROM r WHERE d < '2026-06-07') SELECT d FROM r) m"
)

func main() {
	dsn := flag.String("dsn", "", "the server")
	flag.Parse()
	db, err := sql.Open("mysql", *dsn)
	check(err)
	c, err := db.Conn(context.Background())
	check(err)
	var out, numbers bytes.Buffer
	seen := map[string]string{}
	for n := 0; ; n++ {
		if _, err := c.ExecContext(context.Background(), fmt.Sprintf("SET lc_time_names = %d", n)); err != nil {
			break
		}
		names := strings.Join([]string{ask(c, fmt.Sprintf(month, "MONTHNAME(d)")), ask(c, fmt.Sprintf(month, "DATE_FORMAT(d,'%b')")),
			ask(c, fmt.Sprintf(day, "DAYNAME(d)")), ask(c, fmt.Sprintf(day, "DATE_FORMAT(d,'%a')"))}, ";")
		name := ask(c, "SELECT @@lc_time_names")
		if of, known := seen[names]; known {
			names = of
		} else {
			seen[names] = name
		}
		fmt.Fprintf(&out, "%s=%s\n", name, names)
		fmt.Fprintf(&numbers, "%s=%s\n", name, strconv.Quote(ask(c, fmt.Sprintf("SELECT FORMAT(12345678.5, 1, '%s')", name))))
	}
	check(os.WriteFile("names.txt", out.Bytes(), 0o644))
	check(os.WriteFile("numbers.txt", numbers.Bytes(), 0o644))
}

func ask(c *sql.Conn, query string) (text string) {
	check(c.QueryRowContext(context.Background(), query).Scan(&text))
	return text
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
