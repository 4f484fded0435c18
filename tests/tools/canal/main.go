// Command canal follows the binary log of a server by go-mysql's canal and keeps the rows of a table
// that has a number as its first column. When a row comes into the table marker, it prints the rows
// as JSON, one a line, in the order of their numbers, and ends.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/go-mysql-org/go-mysql/canal"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
)

// follower keeps the rows.
type follower struct {
	canal.DummyEventHandler
	table string
	rows  map[int64][]any
	done  bool
	stop  func()
}

// OnRow implements canal.EventHandler.
func (f *follower) OnRow(e *canal.RowsEvent) error {
	if e.Table.Name == "marker" && !f.done {
		f.done = true
		go f.stop()
	}
	if e.Table.Name != f.table || f.done {
		return nil
	}
	step := 1
	if e.Action == canal.UpdateAction {
		step = 2 // a row as it was, and as it is
	}
	for i := 0; i < len(e.Rows); i += step {
		if e.Action != canal.InsertAction {
			delete(f.rows, number(e.Rows[i][0]))
		}
		if e.Action != canal.DeleteAction {
			row := e.Rows[i+step-1]
			f.rows[number(row[0])] = row
		}
	}
	return nil
}

func number(v any) int64 {
	var n int64
	fmt.Sscan(fmt.Sprint(v), &n)
	return n
}

// OnDDL implements canal.EventHandler.
func (f *follower) OnDDL(_ *replication.EventHeader, _ mysql.Position, q *replication.QueryEvent) error {
	if strings.HasPrefix(strings.ToUpper(string(q.Query)), "DROP DATABASE") {
		clear(f.rows)
	}
	return nil
}

func (f *follower) String() string { return "follower" }

func main() {
	addr, user, password := flag.String("addr", "127.0.0.1:3306", "server"), flag.String("user", "root", "account"), flag.String("password", "", "its password")
	table := flag.String("table", "item", "the table")
	flag.Parse()
	cfg := canal.NewDefaultConfig()
	cfg.Addr, cfg.User, cfg.Password, cfg.ServerID = *addr, *user, *password, 4711
	cfg.Dump.ExecutionPath = "" // everything is in the log
	c, err := canal.NewCanal(cfg)
	if err != nil {
		log.Fatal(err)
	}
	f := &follower{table: *table, rows: map[int64][]any{}, stop: c.Close}
	c.SetEventHandler(f)
	from, err := mysql.ParseMysqlGTIDSet("")
	if err != nil {
		log.Fatal(err)
	}
	if err := c.StartFromGTID(from); err != nil && !f.done {
		log.Fatal(err)
	}
	f.print()
}

func (f *follower) print() {
	var ids []int64
	for id := range f.rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	out := json.NewEncoder(os.Stdout)
	for _, id := range ids {
		row := f.rows[id]
		for i, v := range row {
			if b, ok := v.([]byte); ok {
				row[i] = string(b)
			}
		}
		if err := out.Encode(row); err != nil {
			log.Fatal(err)
		}
	}
}
