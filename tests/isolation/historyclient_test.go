package isolation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"emberdb/tests/emberd"
	"emberdb/tests/history"
)

// hClient is a connection.
type hClient struct {
	r     *recorder
	srv   *emberd.Server
	name  string
	rnd   *rand.Rand
	db    *sql.DB
	conn  *sql.Conn
	level history.Level
	t     *history.Txn
	stmt  int
	ready bool // the replica has all tables and their first rows
}

func (c *hClient) connect(ctx context.Context, text bool) (err error) {
	cfg := c.srv.Config(historyDB)
	cfg.InterpolateParams = text
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	c.db, c.level = sql.OpenDB(connector), ""
	c.conn, err = c.db.Conn(ctx)
	return err
}

func (c *hClient) close() {
	if c.conn != nil {
		c.conn.Close()
	}
	c.db.Close()
}

// run does transactions until there are enough.
func (c *hClient) run(ctx context.Context, text bool) {
	for c.r.failure() == nil && c.r.begun.Add(1) <= c.r.count {
		if c.conn == nil {
			if err := c.connect(ctx, text); err != nil {
				c.close()
				c.conn = nil
				time.Sleep(20 * time.Millisecond)
				continue
			}
		}
		err := c.setLevel(ctx, []history.Level{history.ReadCommitted, history.RepeatableRead, history.Snapshot, history.Serializable}[c.rnd.IntN(4)])
		if err == nil {
			if c.rnd.IntN(4) == 0 {
				err = c.single(ctx, c.op)
			} else {
				err = c.transaction(ctx)
			}
		}
		if err != nil {
			if !c.r.goneAway(err) {
				c.r.fail(fmt.Errorf("%s: %w", c.name, err))
			}
			c.close()
			c.conn = nil
		}
	}
	if c.conn != nil {
		c.close()
	}
}

func (c *hClient) setLevel(ctx context.Context, level history.Level) error {
	if c.level == level {
		return nil
	}
	c.level = level
	strict := level == history.Snapshot
	if strict {
		level = history.RepeatableRead
	}
	_, err := c.conn.ExecContext(ctx, "SET SESSION TRANSACTION ISOLATION LEVEL "+string(level))
	if err == nil {
		_, err = c.conn.ExecContext(ctx, "SET SESSION innodb_snapshot_isolation = ?", strict)
	}
	return err
}

func (c *hClient) begin() {
	c.stmt = 0
	c.t = &history.Txn{Level: c.level, Begin: c.r.now()}
	c.r.mu.Lock()
	c.t.Name = fmt.Sprintf("%s-%d", c.name, len(c.r.txns))
	c.r.txns = append(c.r.txns, c.t)
	c.r.mu.Unlock()
}

// done notes how the transaction ended. An error that only took back the transaction is none.
func (c *hClient) done(o history.Outcome, err error) error {
	if err != nil && o == history.Committed {
		if o = history.Aborted; c.r.goneAway(err) {
			o = history.Unknown
		}
	}
	c.t.End, c.t.Outcome = c.r.now(), o
	var my *mysql.MySQLError
	if errors.As(err, &my) && slices.Contains([]uint16{1020, 1205, 1213, 1412}, my.Number) {
		return nil
	}
	return err
}

// single is a statement that commits by itself.
func (c *hClient) single(ctx context.Context, op func(context.Context) error) error {
	c.begin()
	c.t.Commit = c.t.Begin
	err := op(ctx)
	return c.done(history.Committed, err)
}

func (c *hClient) transaction(ctx context.Context) error {
	c.begin()
	_, err := c.conn.ExecContext(ctx, "BEGIN")
	for n := 1 + c.rnd.IntN(4); n > 0 && err == nil; n-- {
		if c.rnd.IntN(8) == 0 {
			err = c.andBack(ctx)
		} else {
			err = c.op(ctx)
		}
	}
	if err == nil && c.rnd.IntN(8) > 0 {
		c.t.Commit = c.r.now()
		_, err = c.conn.ExecContext(ctx, "COMMIT")
		return c.done(history.Committed, err)
	}
	if _, back := c.conn.ExecContext(ctx, "ROLLBACK"); err == nil {
		err = back
	}
	return c.done(history.Aborted, err)
}

// andBack adds something and rolls that back to a savepoint.
func (c *hClient) andBack(ctx context.Context) error {
	if _, err := c.conn.ExecContext(ctx, "SAVEPOINT s"); err != nil {
		return err
	}
	before := len(c.t.Writes)
	if err := c.add(ctx); err != nil {
		return err
	}
	if _, err := c.conn.ExecContext(ctx, "ROLLBACK TO s"); err != nil {
		return err
	}
	c.t.Withdrawn = append(c.t.Withdrawn, c.t.Writes[before:]...)
	c.t.Writes = c.t.Writes[:before:before]
	return nil
}

func (c *hClient) op(ctx context.Context) error {
	c.stmt++
	if c.rnd.IntN(2) == 0 {
		return c.add(ctx)
	}
	return c.read(ctx)
}

func (c *hClient) set() int { return int(c.r.elem.Load()/setLife)*setKeys + c.rnd.IntN(setKeys) }

func (c *hClient) read(ctx context.Context) error {
	k := c.rnd.IntN(listKeys)
	lock := ""
	if c.rnd.IntN(5) == 0 {
		lock = []string{" FOR UPDATE", " FOR SHARE"}[c.rnd.IntN(2)]
	}
	switch c.rnd.IntN(9) {
	case 0, 1:
		return c.readSet(ctx, c.set(), lock)
	case 2:
		return c.readLists(ctx, "SELECT k, v FROM lists WHERE k BETWEEN ? AND ?"+lock, []any{k, k + 3}, lock != "")
	case 3:
		return c.readLists(ctx, "SELECT k, v FROM lists WHERE g = ?"+lock, []any{k % 3}, lock != "")
	case 4:
		return c.readLists(ctx, "SELECT k, v FROM lists WHERE n >= 0 ORDER BY n DESC", nil, false)
	case 5:
		return c.readLists(ctx, "SELECT k, v FROM lists", nil, false)
	case 6:
		return c.readRegisters(ctx, "SELECT k, e FROM registers WHERE k = ?"+lock, []any{k % registerKeys}, lock != "")
	case 7:
		return c.readRegisters(ctx, "SELECT k, e FROM registers WHERE n >= 0 ORDER BY n DESC", nil, false)
	}
	return c.readLists(ctx, "SELECT k, v FROM lists WHERE k = ?"+lock, []any{k}, lock != "")
}

func (c *hClient) saw(key string, elems []int, begin int64, current bool) {
	c.t.Reads = append(c.t.Reads, history.Read{Key: key, Elems: elems, Begin: begin, End: c.r.now(), Stmt: c.stmt, Current: current, Own: c.own(key)})
}

// own counts the elements that the transaction has added to the key.
func (c *hClient) own(key string) (n int) {
	for _, a := range c.t.Writes {
		if a.Key == key {
			n++
		}
	}
	return n
}

func (c *hClient) readLists(ctx context.Context, q string, args []any, current bool) error {
	begin := c.r.now()
	rows, err := c.conn.QueryContext(ctx, q, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	lists := map[int]string{}
	for rows.Next() {
		var k int
		var v string
		if err := rows.Scan(&k, &v); err != nil {
			return err
		}
		if other, twice := lists[k]; twice {
			// A view that is older than a change of the primary key has the row under its old key;
			// and its own change of the row under the new one.
			if c.level != history.RepeatableRead && c.level != history.Snapshot || c.own(listKey(k)) == 0 {
				return fmt.Errorf("%s (%s), %s %v: list %d came twice", c.t.Name, c.level, q, args, k)
			}
			if len(other) > len(v) {
				v = other
			}
		}
		lists[k] = v
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for k := range listKeys {
		v, ok := lists[k]
		if !ok {
			if c.wanted(q, args, k) {
				return fmt.Errorf("%s (%s), %s %v: list %d did not come", c.t.Name, c.t.Level, q, args, k)
			}
			continue
		}
		elems, err := parseList(v)
		if err != nil {
			return err
		}
		c.saw(listKey(k), elems, begin, current)
	}
	return nil
}

// wanted tells whether a statement must return that list.
func (c *hClient) wanted(q string, args []any, k int) bool {
	switch {
	case len(args) == 2:
		return k >= args[0].(int) && k <= args[1].(int)
	case strings.Contains(q, "g = "):
		return k%3 == args[0].(int)
	case len(args) == 1:
		return k == args[0].(int)
	}
	return true
}

func listKey(k int) string { return fmt.Sprintf("list%d", k) }

func parseList(v string) (elems []int, err error) {
	_, text, _ := strings.Cut(v, "|")
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		e, err := strconv.Atoi(s)
		if err != nil {
			return nil, err
		}
		elems = append(elems, e)
	}
	return elems, nil
}

func (c *hClient) readSet(ctx context.Context, k int, lock string) error {
	begin := c.r.now()
	rows, err := c.conn.QueryContext(ctx, "SELECT e FROM sets WHERE k = ?"+lock, k)
	if err != nil {
		return err
	}
	defer rows.Close()
	var elems []int
	for rows.Next() {
		var e int
		if err := rows.Scan(&e); err != nil {
			return err
		}
		elems = append(elems, e)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if lock != "" && c.level == history.ReadCommitted {
		return nil // it keeps no gap and is no view: it may miss what comes behind it and see what comes later in front of it
	}
	c.saw(fmt.Sprintf("set%d", k), elems, begin, lock != "")
	return nil
}

// add is a statement that adds an element.
func (c *hClient) add(ctx context.Context) error {
	e, k := int(c.r.elem.Add(1)), c.rnd.IntN(listKeys)
	text := "," + strconv.Itoa(e)
	note := func(from, to int) {
		for k := from; k <= min(to, listKeys-1); k++ {
			c.t.Writes = append(c.t.Writes, history.Write{Key: listKey(k), Elem: e})
		}
	}
	if c.t.Commit != c.t.Begin && c.rnd.IntN(4) == 0 {
		return c.writeRegister(ctx, c.rnd.IntN(registerKeys), e)
	}
	const change = "v = CONCAT(v, ?), n = n + 1, u = u + 100"
	switch c.rnd.IntN(9) {
	case 0, 1, 2:
		set := c.set()
		c.t.Writes = append(c.t.Writes, history.Write{Key: fmt.Sprintf("set%d", set), Elem: e})
		return c.change(ctx, 1, "INSERT INTO sets (k, e, pad) VALUES (?, ?, ?)", set, e, strings.Repeat("p", c.rnd.IntN(100)))
	case 3:
		note(0, listKeys-1)
		return c.change(ctx, listKeys, "UPDATE lists SET v = CONCAT(v, ?)", text)
	case 4:
		note(k, k+6)
		return c.change(ctx, min(7, listKeys-k), "UPDATE lists SET "+change+" WHERE k BETWEEN ? AND ?", text, k, k+6)
	case 5:
		note(k, k)
		return c.change(ctx, 1, "UPDATE lists SET id = id + 100, "+change+" WHERE k = ?", text, k)
	case 6:
		note(k, k)
		return c.change(ctx, 2, "INSERT INTO lists VALUES (-1, ?, 1, 1, -1, ?) ON DUPLICATE KEY UPDATE "+change, k, text, text)
	case 7:
		if c.t.Commit == c.t.Begin { // commits by itself
			break
		}
		return c.replace(ctx, k, e, text)
	}
	note(k, k)
	return c.change(ctx, 1, "UPDATE lists SET "+change+" WHERE k = ?", text, k)
}

// replace deletes the list's row and inserts a new one.
func (c *hClient) replace(ctx context.Context, k, e int, text string) error {
	begin := c.r.now()
	var id, g, n, u int64
	var v string
	err := c.conn.QueryRowContext(ctx, "SELECT id, g, n, u, v FROM lists WHERE k = ? FOR UPDATE", k).Scan(&id, &g, &n, &u, &v)
	if err != nil {
		return err
	}
	elems, err := parseList(v)
	if err != nil {
		return err
	}
	key := listKey(k)
	c.saw(key, elems, begin, true)
	c.stmt++
	c.t.Writes = append(c.t.Writes, history.Write{Key: key, Elem: e})
	if err := c.change(ctx, 1, "DELETE FROM lists WHERE k = ?", k); err != nil {
		return err
	}
	return c.change(ctx, 1, "INSERT INTO lists VALUES (?, ?, ?, ?, ?, ?)", id+int64(c.rnd.IntN(2))*100, k, g, n+1, u+100, v+text)
}

// change runs a statement that must change that many rows.
func (c *hClient) change(ctx context.Context, rows int, q string, args ...any) error {
	res, err := c.conn.ExecContext(ctx, q, args...)
	if err != nil {
		return fmt.Errorf("%s %v: %w", q, args, err)
	}
	if n, err := res.RowsAffected(); err != nil || n != int64(rows) {
		return fmt.Errorf("%s (%s): %s %v changed %d rows where there are %d, %v", c.t.Name, c.t.Level, q, args, n, rows, err)
	}
	return nil
}

func registerKey(k int) string { return fmt.Sprintf("register%d", k) }

// readRegisters reads registers; all of them without arguments.
func (c *hClient) readRegisters(ctx context.Context, q string, args []any, current bool) error {
	begin := c.r.now()
	rows, err := c.conn.QueryContext(ctx, q, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	found := 0
	for rows.Next() {
		var k, e int
		if err := rows.Scan(&k, &e); err != nil {
			return err
		}
		found++
		c.saw(registerKey(k), []int{e}, begin, current)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if want := max(1, registerKeys*(1-len(args))); found != want {
		return fmt.Errorf("%s (%s), %s %v: %d registers where there are %d", c.t.Name, c.t.Level, q, args, found, want)
	}
	return nil
}

// writeRegister replaces the value of a register that it locks before.
func (c *hClient) writeRegister(ctx context.Context, k, e int) error {
	if err := c.readRegisters(ctx, "SELECT k, e FROM registers WHERE k = ? FOR UPDATE", []any{k}, true); err != nil {
		return err
	}
	old := c.t.Reads[len(c.t.Reads)-1].Elems[0]
	c.stmt++
	c.t.Writes = append(c.t.Writes, history.Write{Key: registerKey(k), Elem: e, Over: old})
	return c.change(ctx, 1, "UPDATE registers SET e = ?, n = n + 1 WHERE k = ?", e, k)
}

// follow reads on a replica, which is behind by any time: its transactions are at no time of the
// clock, but each sees one state.
func (c *hClient) follow(ctx context.Context, stop chan struct{}) {
	for {
		select {
		case <-stop:
			if c.conn != nil {
				c.close()
			}
			return
		case <-time.After(time.Duration(c.rnd.IntN(10)) * time.Millisecond):
		}
		if c.conn == nil {
			if err := c.connect(ctx, false); err != nil { // the database may not be there yet
				c.close()
				c.conn = nil
				continue
			}
		}
		if !c.ready {
			found := 0
			if err := c.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM registers").Scan(&found); err != nil || found < registerKeys {
				continue
			}
			c.ready = true
		}
		c.t = &history.Txn{Name: fmt.Sprintf("%s-%d", c.name, c.r.behind), Level: history.RepeatableRead, Begin: -history.Never, Commit: -history.Never, End: history.Never}
		c.level, c.stmt = history.RepeatableRead, 0
		if err := c.look(ctx); err != nil {
			var my *mysql.MySQLError
			if !errors.As(err, &my) || !slices.Contains([]uint16{1049, 1146, 1205, 1213, 1412}, my.Number) {
				c.r.fail(fmt.Errorf("%s: %w", c.name, err))
				return
			}
			_, _ = c.conn.ExecContext(ctx, "ROLLBACK")
			continue
		}
		for i := range c.t.Reads {
			c.t.Reads[i].Begin, c.t.Reads[i].End = -history.Never, history.Never
		}
		c.t.Outcome = history.Committed
		c.r.mu.Lock()
		c.r.txns = append(c.r.txns, c.t)
		c.r.behind++
		c.r.mu.Unlock()
	}
}

// look reads some of each kind in a transaction.
func (c *hClient) look(ctx context.Context) error {
	if _, err := c.conn.ExecContext(ctx, "START TRANSACTION READ ONLY"); err != nil {
		return err
	}
	for range 1 + c.rnd.IntN(3) {
		c.stmt++
		var err error
		switch c.rnd.IntN(4) {
		case 0:
			err = c.readLists(ctx, "SELECT k, v FROM lists WHERE n >= 0 ORDER BY n DESC", nil, false)
		case 1:
			err = c.readLists(ctx, "SELECT k, v FROM lists", nil, false)
		case 2:
			err = c.readSet(ctx, c.set(), "")
		case 3:
			err = c.readRegisters(ctx, "SELECT k, e FROM registers", nil, false)
		}
		if err != nil {
			return err
		}
	}
	_, err := c.conn.ExecContext(ctx, "COMMIT")
	return err
}
