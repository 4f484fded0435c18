package isolation

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var histories = flag.Int("transactions", 500, "transactions of the random history")

const (
	listKeys  = 12
	setKeys   = 3
	setLife   = 300 // elements added anywhere before other sets take the place of the present ones
	historyDB = "iso_history"
)

// recorder runs random transactions and writes down what happened.
type recorder struct {
	srv    *emberd.Server
	start  time.Time
	elem   atomic.Int64
	begun  atomic.Int64
	killed atomic.Bool // the server is going away

	mu   sync.Mutex
	txns []*hTxn
	bad  error
}

func (r *recorder) now() int64 { return time.Since(r.start).Nanoseconds() }

// hClient is a connection.
type hClient struct {
	r     *recorder
	name  string
	rnd   *rand.Rand
	db    *sql.DB
	conn  *sql.Conn
	level string
	t     *hTxn
	stmt  int
}

// TestHistory lets clients at all isolation levels add to lists and sets and read them, beside changes of the tables' definitions and a kill -9, and looks for what the levels forbid.
func TestHistory(t *testing.T) {
	if *dsn != "" {
		t.Skip("kills its server")
	}
	seed := testkit.Seed(t)
	r := &recorder{srv: emberd.Start(t), start: time.Now()}
	db := r.srv.Open("")
	defer db.Close()
	setUpHistory(t, db)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := &hClient{r: r, name: fmt.Sprintf("c%d", i), rnd: rand.New(rand.NewPCG(seed, uint64(i)))}
			c.run(t.Context(), i%2 == 0)
		}()
	}
	stop := make(chan struct{})
	var ddl sync.WaitGroup
	ddl.Add(1)
	go func() {
		defer ddl.Done()
		r.changeTables(rand.New(rand.NewPCG(seed, 99)), stop)
	}()
	for r.begun.Load() < int64(*histories)/2 && r.failure() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	r.killed.Store(true)
	r.srv.Kill()
	require.NoError(t, r.srv.Launch())
	r.killed.Store(false)
	wg.Wait()
	close(stop)
	ddl.Wait()
	require.NoError(t, r.failure())

	c := &hClient{r: r, name: "last", rnd: rand.New(rand.NewPCG(seed, 100))}
	require.NoError(t, c.connect(t.Context(), false))
	require.NoError(t, c.setLevel(t.Context(), "READ COMMITTED"))
	require.NoError(t, c.single(t.Context(), func(ctx context.Context) error { return c.readLists(ctx, "SELECT k, v FROM lists", nil, false) }))
	for k := range r.elem.Load()/setLife + 1 {
		for i := range setKeys {
			require.NoError(t, c.single(t.Context(), func(ctx context.Context) error { return c.readSet(ctx, int(k)*setKeys+i, "") }))
		}
	}
	c.close()
	count := map[hOutcome]int{}
	reads := 0
	for _, x := range r.txns {
		count[x.outcome]++
		reads += len(x.reads)
	}
	t.Logf("%d committed, %d rolled back, %d unknown; %d reads", count[committed], count[aborted], count[unknown], reads)
	require.Greater(t, count[committed], *histories/4)
	require.NoError(t, (&history{r.txns}).check())
	var table, op, kind, text string
	for _, name := range []string{"lists", "sets"} {
		require.NoError(t, db.QueryRow("CHECK TABLE "+historyDB+"."+name).Scan(&table, &op, &kind, &text))
		require.Equal(t, "OK", text, table)
	}
}

func setUpHistory(t *testing.T, db *sql.DB) {
	for _, q := range []string{"CREATE DATABASE " + historyDB,
		"CREATE TABLE " + historyDB + ".lists (id BIGINT PRIMARY KEY, k INT NOT NULL, g INT NOT NULL, n INT NOT NULL, u BIGINT NOT NULL, v MEDIUMTEXT NOT NULL, " +
			"UNIQUE KEY (k), KEY (g), KEY n (n), UNIQUE KEY (u))",
		"CREATE TABLE " + historyDB + ".sets (id BIGINT AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL, e INT NOT NULL, pad VARCHAR(100) NOT NULL DEFAULT '', KEY k (k), UNIQUE KEY e (e, k))"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	for k := range listKeys {
		pad := strings.Repeat("x", []int{0, 200, 9000}[k%3]) // some long enough to stand outside the row
		_, err := db.Exec(fmt.Sprintf("INSERT INTO %s.lists VALUES (%d, %d, %d, 0, %d, '%s|')", historyDB, k, k, k%3, k, pad))
		require.NoError(t, err)
	}
}

func (r *recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bad == nil {
		r.bad = err
	}
}

func (r *recorder) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bad
}

// changeTables changes definitions beside the clients.
func (r *recorder) changeTables(rnd *rand.Rand, stop chan struct{}) {
	db := r.srv.Open(historyDB)
	defer db.Close()
	column := 0
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Duration(50+rnd.IntN(200)) * time.Millisecond):
		}
		column++
		q := []string{"ALTER TABLE lists ADD INDEX extra (n, k)", "ALTER TABLE lists DROP INDEX extra", "ALTER TABLE lists DROP INDEX n", "ALTER TABLE lists ADD INDEX n (n)",
			fmt.Sprintf("ALTER TABLE sets ADD COLUMN c%d INT DEFAULT %d", column, column), "ALTER TABLE sets ENGINE=InnoDB", "ALTER TABLE sets DROP INDEX k", "ALTER TABLE sets ADD INDEX k (k)",
			"ALTER TABLE sets DROP INDEX k", "ALTER TABLE sets ADD INDEX k (k, e)"}[rnd.IntN(10)]
		_, err := db.Exec(q)
		var my *mysql.MySQLError
		if err != nil && (!errors.As(err, &my) || !slices.Contains([]uint16{1061, 1091, 1205, 1213}, my.Number)) && !r.goneAway(err) {
			r.fail(fmt.Errorf("%s: %w", q, err))
			return
		}
	}
}

// goneAway tells the errors of a server that was killed.
func (r *recorder) goneAway(err error) bool {
	var my *mysql.MySQLError
	return !errors.As(err, &my) && (r.killed.Load() || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, driver.ErrBadConn))
}

func (c *hClient) connect(ctx context.Context, text bool) (err error) {
	cfg := c.r.srv.Config(historyDB)
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
	for c.r.failure() == nil && c.r.begun.Add(1) <= int64(*histories) {
		if c.conn == nil {
			if err := c.connect(ctx, text); err != nil {
				c.close()
				c.conn = nil
				time.Sleep(20 * time.Millisecond)
				continue
			}
		}
		err := c.setLevel(ctx, []string{"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"}[c.rnd.IntN(3)])
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

func (c *hClient) setLevel(ctx context.Context, level string) error {
	if c.level == level {
		return nil
	}
	c.level = level
	_, err := c.conn.ExecContext(ctx, "SET SESSION TRANSACTION ISOLATION LEVEL "+level)
	return err
}

func (c *hClient) begin() {
	c.stmt = 0
	c.t = &hTxn{level: c.level, begin: c.r.now()}
	c.r.mu.Lock()
	c.t.name = fmt.Sprintf("%s-%d", c.name, len(c.r.txns))
	c.r.txns = append(c.r.txns, c.t)
	c.r.mu.Unlock()
}

// done notes how the transaction ended. An error that only took back the transaction is none.
func (c *hClient) done(o hOutcome, err error) error {
	if err != nil && o == committed {
		if o = aborted; c.r.goneAway(err) {
			o = unknown
		}
	}
	c.t.end, c.t.outcome = c.r.now(), o
	var my *mysql.MySQLError
	if errors.As(err, &my) && slices.Contains([]uint16{1205, 1213, 1412}, my.Number) {
		return nil
	}
	return err
}

// single is a statement that commits by itself.
func (c *hClient) single(ctx context.Context, op func(context.Context) error) error {
	c.begin()
	c.t.commit = c.t.begin
	err := op(ctx)
	return c.done(committed, err)
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
		c.t.commit = c.r.now()
		_, err = c.conn.ExecContext(ctx, "COMMIT")
		return c.done(committed, err)
	}
	if _, back := c.conn.ExecContext(ctx, "ROLLBACK"); err == nil {
		err = back
	}
	return c.done(aborted, err)
}

// andBack adds something and rolls that back to a savepoint.
func (c *hClient) andBack(ctx context.Context) error {
	if _, err := c.conn.ExecContext(ctx, "SAVEPOINT s"); err != nil {
		return err
	}
	before := len(c.t.adds)
	if err := c.add(ctx); err != nil {
		return err
	}
	if _, err := c.conn.ExecContext(ctx, "ROLLBACK TO s"); err != nil {
		return err
	}
	c.t.withdrawn = append(c.t.withdrawn, c.t.adds[before:]...)
	c.t.adds = c.t.adds[:before:before]
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
	switch c.rnd.IntN(7) {
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
	}
	return c.readLists(ctx, "SELECT k, v FROM lists WHERE k = ?"+lock, []any{k}, lock != "")
}

func (c *hClient) saw(key string, elems []int, begin int64, current bool) {
	c.t.reads = append(c.t.reads, hRead{key: key, elems: elems, begin: begin, end: c.r.now(), stmt: c.stmt, current: current, own: c.own(key)})
}

// own counts the elements that the transaction has added to the key.
func (c *hClient) own(key string) (n int) {
	for _, a := range c.t.adds {
		if a.key == key {
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
			// A view that is older than a change of the primary key has the row under its old key; and its own change of the row under the new one.
			if c.level != "REPEATABLE READ" || c.own(listKey(k)) == 0 {
				return fmt.Errorf("%s (%s), %s %v: list %d came twice", c.t.name, c.level, q, args, k)
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
				return fmt.Errorf("%s (%s), %s %v: list %d did not come", c.t.name, c.t.level, q, args, k)
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
	if lock != "" && c.level == "READ COMMITTED" {
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
			c.t.adds = append(c.t.adds, hAdd{listKey(k), e})
		}
	}
	const change = "v = CONCAT(v, ?), n = n + 1, u = u + 100"
	switch c.rnd.IntN(9) {
	case 0, 1, 2:
		set := c.set()
		c.t.adds = append(c.t.adds, hAdd{fmt.Sprintf("set%d", set), e})
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
		if c.t.commit == c.t.begin { // commits by itself
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
	c.t.adds = append(c.t.adds, hAdd{key, e})
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
		return fmt.Errorf("%s (%s): %s %v changed %d rows where there are %d, %v", c.t.name, c.t.level, q, args, n, rows, err)
	}
	return nil
}
