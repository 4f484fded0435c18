package oltp

import (
	"fmt"
	"slices"
	"strings"

	"emberdb/bench/wire"
)

// kind is one of the statements.
type kind int

const (
	point kind = iota
	simpleRange
	sumRange
	orderRange
	distinctRange
	updateIndex
	updateNonIndex
	deleteRow
	insertRow
	insertNext
	kinds
)

// kindText has the table's number for %d.
var kindText = [kinds]string{
	point:          "SELECT c FROM sbtest%d WHERE id=?",
	simpleRange:    "SELECT c FROM sbtest%d WHERE id BETWEEN ? AND ?",
	sumRange:       "SELECT SUM(k) FROM sbtest%d WHERE id BETWEEN ? AND ?",
	orderRange:     "SELECT c FROM sbtest%d WHERE id BETWEEN ? AND ? ORDER BY c",
	distinctRange:  "SELECT DISTINCT c FROM sbtest%d WHERE id BETWEEN ? AND ? ORDER BY c",
	updateIndex:    "UPDATE sbtest%d SET k=k+1 WHERE id=?",
	updateNonIndex: "UPDATE sbtest%d SET c=? WHERE id=?",
	deleteRow:      "DELETE FROM sbtest%d WHERE id=?",
	insertRow:      "INSERT INTO sbtest%d (id, k, c, pad) VALUES (?, ?, ?, ?)",
	insertNext:     "INSERT INTO sbtest%d (id, k, c, pad) VALUES (0, ?, ?, ?)",
}

// step is a kind of statement that runs so many times, on one table. deleteRow within a transaction
// is followed by the insert of the same row.
type step struct {
	kind  kind
	times int
}

type workload struct {
	transaction bool
	steps       []step
}

var (
	reads  = []step{{point, 10}, {simpleRange, 1}, {sumRange, 1}, {orderRange, 1}, {distinctRange, 1}}
	writes = []step{{updateIndex, 1}, {updateNonIndex, 1}, {deleteRow, 1}}
)

var workloads = map[string]workload{
	"point_select":     {false, []step{{point, 1}}},
	"read_only":        {true, reads},
	"read_write":       {true, slices.Concat(reads, writes)},
	"write_only":       {true, writes},
	"update_index":     {false, []step{{updateIndex, 1}}},
	"update_non_index": {false, []step{{updateNonIndex, 1}}},
	"insert":           {false, []step{{insertNext, 1}}},
	"delete":           {false, []step{{deleteRow, 1}}},
}

// Workloads are the names of all workloads, in the order they are told in.
func Workloads() []string {
	return []string{"point_select", "read_only", "read_write", "write_only", "update_index", "update_non_index", "insert", "delete"}
}

func lookUp(name string) (workload, error) {
	w, ok := workloads[name]
	if !ok {
		return w, fmt.Errorf("--workload %q: want one of %s", name, strings.Join(Workloads(), ", "))
	}
	return w, nil
}

// thread runs transactions on one connection.
type thread struct {
	o    *RunOptions
	w    workload
	r    *gen
	conn *wire.Conn // nil: not connected
	stmt [][kinds]wire.Statement
	c    []byte // scratch
	pad  []byte

	statements, rows int64 // of the transaction under way
}

// transaction runs one transaction. On error within BEGIN and COMMIT it is rolled back.
func (t *thread) transaction() error {
	t.statements, t.rows = 0, 0
	if !t.w.transaction {
		return t.body()
	}
	if err := t.command("BEGIN"); err != nil {
		return err
	}
	err := t.body()
	if err == nil {
		err = t.command("COMMIT")
	}
	if err != nil {
		_, _ = t.conn.Exec("ROLLBACK") // a lost connection has no transaction any more
	}
	return err
}

func (t *thread) command(text string) error {
	_, err := t.conn.Exec(text)
	t.statements++
	return err
}

func (t *thread) body() error {
	for _, s := range t.w.steps {
		table := t.r.IntN(t.o.Tables)
		for range s.times {
			if err := t.one(s.kind, table); err != nil {
				return err
			}
		}
	}
	return nil
}

// one runs a statement with parameters of its kind.
func (t *thread) one(k kind, table int) error {
	s, err := t.statement(k, table)
	if err != nil {
		return err
	}
	id := int64(0)
	s.Begin()
	switch k {
	case point, updateIndex, deleteRow:
		id = t.r.row()
		s.Int(id)
	case updateNonIndex:
		t.c = t.r.appendGroups(t.c[:0], groupsC)
		s.Bytes(t.c)
		s.Int(t.r.row())
	case insertNext:
		t.rest(s)
	default:
		from := t.r.row()
		s.Int(from)
		s.Int(from + int64(t.o.RangeSize) - 1)
	}
	if err := t.run(s); err != nil || k != deleteRow || !t.w.transaction {
		return err
	}
	if s, err = t.statement(insertRow, table); err != nil {
		return err
	}
	s.Begin()
	s.Int(id)
	t.rest(s)
	return t.run(s)
}

// rest gives the columns of a new row behind its key.
func (t *thread) rest(s wire.Statement) {
	t.c, t.pad = t.r.appendGroups(t.c[:0], groupsC), t.r.appendGroups(t.pad[:0], groupsPad)
	s.Int(t.r.row())
	s.Bytes(t.c)
	s.Bytes(t.pad)
}

func (t *thread) run(s wire.Statement) error {
	res, err := s.Run()
	t.statements++
	t.rows += int64(res.Rows)
	return err
}

// statement returns the thread's statement of a kind on a table, made when first used.
func (t *thread) statement(k kind, table int) (wire.Statement, error) {
	if s := t.stmt[table][k]; s != nil {
		return s, nil
	}
	text := fmt.Sprintf(kindText[k], table+1)
	if !t.o.Prepared {
		t.stmt[table][k] = t.conn.Text(text)
		return t.stmt[table][k], nil
	}
	s, err := t.conn.Prepare(text)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", text, err)
	}
	t.stmt[table][k] = s
	return s, nil
}
