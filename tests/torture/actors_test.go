package torture

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

// family owns parents and their children, which hang on them by a foreign key that cascades.
// Children have long values.
type family struct {
	twin
	r       *rand.Rand
	id      int
	count   int
	parents map[int]map[int]rowVersion // acknowledged: parent, child, its content
	next    map[int]map[int]rowVersion
}

func newFamily(id int, r *rand.Rand) *family {
	return &family{twin: twin{name: fmt.Sprint("family ", id)}, r: r, id: id, parents: map[int]map[int]rowVersion{}}
}

func (f *family) schema() []string {
	return []string{
		fmt.Sprintf("CREATE TABLE parent%d (id INT PRIMARY KEY)", f.id),
		fmt.Sprintf(`CREATE TABLE child%[1]d (id INT PRIMARY KEY, parent INT NOT NULL, version BIGINT UNSIGNED NOT NULL, tag INT NOT NULL, body MEDIUMBLOB, KEY parent (parent), KEY tag (tag, version),
			FOREIGN KEY (parent) REFERENCES parent%[1]d (id) ON DELETE CASCADE ON UPDATE CASCADE)`, f.id),
	}
}

func (f *family) step(ctx context.Context, _ *sql.DB, conn *sql.Conn) error {
	f.next = map[int]map[int]rowVersion{}
	for p, c := range f.parents {
		f.next[p] = maps.Clone(c)
	}
	if err := run(ctx, conn, "START TRANSACTION"); err != nil {
		return err
	}
	for range 1 + f.r.IntN(6) {
		if err := f.change(ctx, conn); err != nil {
			return err
		}
	}
	if f.r.IntN(5) == 0 {
		return run(ctx, conn, "ROLLBACK")
	}
	err := f.commit(f.render(f.next), func() error { return run(ctx, conn, "COMMIT") })
	if err == nil {
		f.parents = f.next
	}
	return err
}

func (f *family) change(ctx context.Context, conn *sql.Conn) error {
	const room = 12 // ids of parents
	p := f.r.IntN(room)
	children, there := f.next[p]
	f.count++
	switch op := f.r.IntN(6); {
	case !there:
		f.next[p] = map[int]rowVersion{}
		return run(ctx, conn, fmt.Sprintf("INSERT INTO parent%d VALUES (?)", f.id), p)
	case op == 0:
		delete(f.next, p)
		return run(ctx, conn, fmt.Sprintf("DELETE FROM parent%d WHERE id = ?", f.id), p)
	case op == 1:
		to := f.r.IntN(room)
		if f.next[to] != nil {
			return nil
		}
		delete(f.next, p)
		f.next[to] = children
		return run(ctx, conn, fmt.Sprintf("UPDATE parent%d SET id = ? WHERE id = ?", f.id), to, p)
	case op == 2 && len(children) > 0:
		c, v := slices.Min(slices.Collect(maps.Keys(children))), rowVersion(f.count)
		children[c] = v
		return run(ctx, conn, fmt.Sprintf("UPDATE child%d SET version = ?, tag = ?, body = ? WHERE id = ?", f.id), uint64(v), v.tag(), v.content(), c)
	default:
		v := rowVersion(f.count)
		children[f.count] = v
		return run(ctx, conn, fmt.Sprintf("INSERT INTO child%d VALUES (?, ?, ?, ?, ?)", f.id), f.count, p, uint64(v), v.tag(), v.content())
	}
}

func (f *family) render(parents map[int]map[int]rowVersion) (all []string) {
	for p, children := range parents {
		all = append(all, fmt.Sprintf("parent %d", p))
		for c, v := range children {
			all = append(all, fmt.Sprintf("child %d %d %d", c, p, v))
		}
	}
	slices.Sort(all)
	return all
}

func (f *family) verify(t *testing.T, db *sql.DB) {
	t.Helper()
	found := lines(t, db, fmt.Sprintf("SELECT 'parent', id FROM parent%d UNION ALL SELECT CONCAT('child ', id), CONCAT(parent, ' ', version) FROM child%d", f.id, f.id))
	if f.settle(t, found) {
		f.parents = f.next
	}
	byTag := fmt.Sprintf("SELECT id, version FROM child%d FORCE INDEX (tag) WHERE tag >= 0", f.id)
	require.Equal(t, lines(t, db, fmt.Sprintf("SELECT id, version FROM child%d", f.id)), lines(t, db, byTag), byTag)
	byParent := fmt.Sprintf("SELECT id, parent FROM child%d FORCE INDEX (parent) WHERE parent >= 0", f.id)
	require.Equal(t, lines(t, db, fmt.Sprintf("SELECT id, parent FROM child%d", f.id)), lines(t, db, byParent), byParent)
	rows, err := db.Query(fmt.Sprintf("SELECT version, body FROM child%d", f.id))
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var v uint64
		var body []byte
		require.NoError(t, rows.Scan(&v, &body))
		require.Equal(t, string(rowVersion(v).content()), string(body), "body of version %d", v)
	}
	require.NoError(t, rows.Err())
}

// sweeper changes all rows of a table in one transaction, and gives most of that up again.
type sweeper struct {
	twin
	r     *rand.Rand
	table string
	rows  int
	v     int // acknowledged value of every row
	next  int
}

func newSweeper(table string, rows int, r *rand.Rand) *sweeper {
	w := &sweeper{twin: twin{name: table}, r: r, table: table, rows: rows}
	w.sure = w.render(0)
	return w
}

func (w *sweeper) render(v int) []string { return []string{fmt.Sprintf("%d %d %d", w.rows, v, v)} }

func (w *sweeper) schema() []string {
	return []string{
		fmt.Sprintf("CREATE TABLE %s (id INT PRIMARY KEY, v INT NOT NULL, tag INT NOT NULL, pad VARCHAR(60) NOT NULL, KEY tag (tag))", w.table),
		w.fill(0),
	}
}

func (w *sweeper) fill(v int) string {
	return fmt.Sprintf("INSERT INTO %s SELECT n, %d, (n + %d) %% 50, REPEAT('x', n %% 60) FROM numbers WHERE n <= %d", w.table, v, v, w.rows)
}

func (w *sweeper) step(ctx context.Context, db *sql.DB, conn *sql.Conn) error {
	raise := fmt.Sprintf("UPDATE %s SET v = v + 1, tag = (tag + 1) %% 50, pad = REPEAT('y', (v + id) %% 60)", w.table)
	w.next = w.v + 1
	var err error
	switch w.r.IntN(7) {
	case 0:
		err = w.commit(w.render(w.next), func() error { return run(ctx, conn, raise) })
		if err == nil {
			w.v = w.next
		}
		return err
	case 1:
		return w.do(ctx, conn, true, raise)
	case 2:
		return w.do(ctx, conn, false, raise)
	case 3:
		return w.do(ctx, conn, true, "SAVEPOINT s", "DELETE FROM "+w.table, "ROLLBACK TO s", raise)
	case 4:
		return w.do(ctx, conn, true, "DELETE FROM "+w.table, w.fill(w.next))
	case 5:
		return w.do(ctx, conn, true, raise, "SAVEPOINT s", raise, raise, "ROLLBACK TO SAVEPOINT s")
	}
	return w.killed(ctx, db, conn, raise)
}

// do runs statements in one transaction.
func (w *sweeper) do(ctx context.Context, conn *sql.Conn, commit bool, queries ...string) error {
	for _, q := range append([]string{"START TRANSACTION"}, queries...) {
		if err := run(ctx, conn, q); err != nil {
			return err
		}
	}
	if !commit {
		return run(ctx, conn, "ROLLBACK")
	}
	return w.finish(ctx, conn)
}

// killed ends a statement somewhere in its middle and commits what the transaction did before.
func (w *sweeper) killed(ctx context.Context, db *sql.DB, conn *sql.Conn, raise string) error {
	var id int64
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return err
	}
	for _, q := range []string{"START TRANSACTION", raise} {
		if err := run(ctx, conn, q); err != nil {
			return err
		}
	}
	ended := make(chan error)
	go func() {
		time.Sleep(time.Duration(w.r.IntN(1+1<<w.r.IntN(10))) * time.Millisecond)
		_, err := db.ExecContext(ctx, fmt.Sprintf("KILL QUERY %d", id))
		ended <- ignoreLoss(err)
	}()
	err := run(ctx, conn, raise)
	if killErr := <-ended; killErr != nil {
		return killErr
	}
	var me *mysql.MySQLError
	if err == nil {
		w.next++ // the KILL came too late
	} else if !errors.As(err, &me) || me.Number != 1317 {
		return err
	}
	return w.finish(ctx, conn)
}

func (w *sweeper) finish(ctx context.Context, conn *sql.Conn) error {
	err := w.commit(w.render(w.next), func() error { return run(ctx, conn, "COMMIT") })
	if err == nil {
		w.v = w.next
	}
	return err
}

func (w *sweeper) verify(t *testing.T, db *sql.DB) {
	t.Helper()
	if w.settle(t, lines(t, db, "SELECT COUNT(*), MIN(v), MAX(v) FROM "+w.table)) {
		w.v = w.next
	}
	want := []string{fmt.Sprint(w.rows)}
	require.Equal(t, want, lines(t, db, fmt.Sprintf("SELECT COUNT(*) FROM %s FORCE INDEX (tag) WHERE tag >= 0", w.table)))
	require.Equal(t, want, lines(t, db, fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE tag = (id + v) %% 50", w.table)), "tag of %s does not follow v", w.table)
}

// definer creates, changes and drops tables.
type definer struct {
	twin
	r      *rand.Rand
	count  int
	tables map[string]*definition
	next   map[string]*definition
}

// definition is one table: every row holds k in its column ck.
type definition struct {
	rows    int
	columns []int
	indexes []int // columns that have one
}

func (d *definition) clone() *definition {
	return &definition{d.rows, slices.Clone(d.columns), slices.Clone(d.indexes)}
}

func newDefiner(r *rand.Rand) *definer {
	return &definer{twin: twin{name: "definer"}, r: r, tables: map[string]*definition{}}
}

func (d *definer) schema() []string { return nil }

func (d *definer) step(ctx context.Context, _ *sql.DB, conn *sql.Conn) error {
	d.next = map[string]*definition{}
	for name, def := range d.tables {
		d.next[name] = def.clone()
	}
	query := d.change()
	if query == "" {
		return nil
	}
	err := d.commit(renderTables(d.next), func() error { return run(ctx, conn, query) })
	if err == nil {
		d.tables = d.next
	}
	return err
}

// change chooses a statement and does to next what it does.
func (d *definer) change() string {
	d.count++
	name := fmt.Sprint("def", d.r.IntN(5))
	def, there := d.next[name]
	if !there {
		d.next[name] = &definition{}
		return fmt.Sprintf("CREATE TABLE %s (id INT PRIMARY KEY AUTO_INCREMENT, pad VARCHAR(200) NOT NULL DEFAULT 'padding that takes some room')", name)
	}
	switch d.r.IntN(9) {
	case 0:
		delete(d.next, name)
		return "DROP TABLE " + name
	case 1:
		to := fmt.Sprint("def", d.r.IntN(5))
		if d.next[to] != nil {
			return ""
		}
		delete(d.next, name)
		d.next[to] = def
		return fmt.Sprintf("RENAME TABLE %s TO %s", name, to)
	case 2:
		def.rows = 0
		return "TRUNCATE TABLE " + name
	case 3:
		def.columns = append(def.columns, d.count)
		return fmt.Sprintf("ALTER TABLE %s ADD COLUMN c%[2]d INT NOT NULL DEFAULT %[2]d", name, d.count)
	case 4:
		if len(def.columns) == 0 {
			return ""
		}
		c := def.columns[0]
		def.columns = def.columns[1:]
		def.indexes = slices.DeleteFunc(def.indexes, func(i int) bool { return i == c })
		return fmt.Sprintf("ALTER TABLE %s DROP COLUMN c%d", name, c)
	case 5:
		for _, c := range def.columns {
			if !slices.Contains(def.indexes, c) {
				def.indexes = append(def.indexes, c)
				return fmt.Sprintf("CREATE INDEX i%d ON %s (c%[1]d)", c, name)
			}
		}
		return ""
	case 6:
		if len(def.indexes) == 0 {
			return ""
		}
		c := def.indexes[0]
		def.indexes = def.indexes[1:]
		return fmt.Sprintf("DROP INDEX i%d ON %s", c, name)
	}
	n := 1 + d.r.IntN(1000)
	def.rows += n
	return fmt.Sprintf("INSERT INTO %s (pad) SELECT REPEAT('z', n %% 200) FROM numbers WHERE n <= %d", name, n)
}

func renderTables(tables map[string]*definition) (all []string) {
	for name, def := range tables {
		all = append(all, fmt.Sprintf("%s rows %d", name, def.rows))
		for _, c := range def.columns {
			all = append(all, fmt.Sprintf("%s column c%d sum %d", name, c, def.rows*c))
		}
		for _, c := range def.indexes {
			all = append(all, fmt.Sprintf("%s index i%d rows %d", name, c, def.rows))
		}
	}
	slices.Sort(all)
	return all
}

func (d *definer) verify(t *testing.T, db *sql.DB) {
	t.Helper()
	var found []string
	for _, name := range lines(t, db, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'shapes' AND table_name LIKE 'def%'") {
		found = append(found, name+" rows "+lines(t, db, "SELECT COUNT(*) FROM "+name)[0])
		for _, c := range lines(t, db, "SELECT column_name FROM information_schema.columns WHERE table_schema = 'shapes' AND table_name = ? AND column_name LIKE 'c%'", name) {
			found = append(found, fmt.Sprintf("%s column %s sum %s", name, c, lines(t, db, fmt.Sprintf("SELECT COALESCE(SUM(%s), 0) FROM %s", c, name))[0]))
		}
		for _, i := range lines(t, db, "SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = 'shapes' AND table_name = ? AND index_name LIKE 'i%'", name) {
			found = append(found, fmt.Sprintf("%s index %s rows %s", name, i, lines(t, db, fmt.Sprintf("SELECT COUNT(*) FROM %s FORCE INDEX (%s) WHERE c%s >= 0", name, i, i[1:]))[0]))
		}
	}
	if d.settle(t, found) {
		d.tables = d.next
	}
}

// branches leaves prepared branches of distributed transactions behind, and ends them later.
type branches struct {
	twin
	r     *rand.Rand
	count int
}

func newBranches(r *rand.Rand) *branches { return &branches{twin: twin{name: "branches"}, r: r} }

func (b *branches) schema() []string {
	return []string{"CREATE TABLE branch (id INT PRIMARY KEY, tag INT NOT NULL, KEY tag (tag))"}
}

func (b *branches) step(ctx context.Context, _ *sql.DB, conn *sql.Conn) error {
	if prepared := b.prepared(); len(prepared) > 0 && b.r.IntN(2) == 0 {
		return b.end(ctx, conn, prepared[b.r.IntN(len(prepared))])
	}
	b.count++
	for _, q := range []string{"XA START 'b%[1]d'", "INSERT INTO branch VALUES (%[1]d, %[1]d %% 9)", "XA END 'b%[1]d'"} {
		if err := run(ctx, conn, fmt.Sprintf(q, b.count)); err != nil {
			return err
		}
	}
	next := append(slices.Clone(b.sure), fmt.Sprintf("prepared b%d", b.count))
	slices.Sort(next)
	return b.commit(next, func() error { return run(ctx, conn, fmt.Sprintf("XA PREPARE 'b%d'", b.count)) })
}

func (b *branches) prepared() (names []string) {
	for _, l := range b.sure {
		if name, ok := strings.CutPrefix(l, "prepared "); ok {
			names = append(names, name)
		}
	}
	return names
}

// end commits or rolls back a branch.
func (b *branches) end(ctx context.Context, conn *sql.Conn, name string) error {
	next := slices.DeleteFunc(slices.Clone(b.sure), func(l string) bool { return l == "prepared "+name })
	query := "XA ROLLBACK '" + name + "'"
	if b.r.IntN(2) == 0 {
		query = "XA COMMIT '" + name + "'"
		next = append(next, "row "+name[1:])
		slices.Sort(next)
	}
	return b.commit(next, func() error { return run(ctx, conn, query) })
}

func (b *branches) verify(t *testing.T, db *sql.DB) {
	t.Helper()
	found := lines(t, db, "SELECT 'row', id FROM branch FORCE INDEX (tag) WHERE tag >= 0")
	for _, l := range lines(t, db, "XA RECOVER") {
		found = append(found, "prepared "+l[strings.LastIndexByte(l, ' ')+1:])
	}
	b.settle(t, found)
}
