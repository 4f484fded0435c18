package compiled

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sqllayer"
)

// Changes of rows that somebody else finds: the server's executor reads the tables of an UPDATE or a
// DELETE, locks their rows and computes the values; a Changer stores them as a program would, with all
// that the table asks of its rows. Which statements are not mine is the same, too.

// Changing compiles the changes of a table: its columns get values that come row by row, or its rows
// are deleted. why is not Mine if the table, or these columns, are GMS's.
func Changing(ctx context.Context, s *sqllayer.Session, schema, name string, columns []int, deletes bool) (p *Program, why Reason) {
	c := &compiler{ctx: ctx, src: &Source{Session: s, Database: schema}, p: &Program{autoInc: -1}, at: ByTable}
	return c.outcome(func() {
		c.named(ast.TableName{Name: ast.NewTableIdent(name), DbQualifier: ast.NewTableIdent(schema)})
		c.changing(columns, deletes)
	})
}

func (c *compiler) changing(columns []int, deletes bool) {
	p := c.p
	need(p.def.Partitioning == nil)
	p.verb, p.lock, p.place = verbUpdate, table.Exclusive, []int{0}
	if deletes {
		p.verb = verbDelete
		c.deletes()
		return
	}
	c.at = ByExpression
	for _, col := range columns {
		need(p.def.Columns[col].Generated == "" && !slices.ContainsFunc(p.sets, func(a assignment) bool { return a.col == col }))
		p.sets = append(p.sets, assignment{col: col, from: -1})
	}
	c.onUpdate()
	c.changes()
	p.gathered()
}

// Changer changes rows of one table for one statement.
type Changer struct {
	x    Exec
	scan table.Scan
}

// Prepare makes c the changer of a program in a session, for one statement; false: GMS has to run it.
// REQUIRES: the statement has not begun.
func (c *Changer) Prepare(ctx context.Context, sc *sql.Context, s *sqllayer.Session, p *Program) bool {
	x := &c.x
	x.ctx, x.sc, x.session, x.p = ctx, sc, s, p
	x.sets = make([]row.Value, len(p.sets))
	return x.bindFormulas()
}

// Begin opens the table in the statement that the session has begun. IsNotMine tells its errors.
func (c *Changer) Begin() error {
	x := &c.x
	if err := x.open(); err != nil {
		return err
	}
	x.changes.Begin(x.table, x.trx)
	return nil
}

// Set sets what the n-th of the columns gets; false: GMS has to say what NULL means there.
func (c *Changer) Set(n int, v row.Value) bool {
	c.x.sets[n] = v
	return !v.IsNull() || c.x.p.cols[c.x.p.sets[n].col].Nullable
}

// Column is the n-th of the columns that get values.
func (c *Changer) Column(n int) *row.Column { return &c.x.p.cols[c.x.p.sets[n].col].Column }

// Stored makes a value of GMS what the n-th of the columns stores.
func (c *Changer) Stored(n int, v any) (row.Value, bool) { return c.x.store(c.x.p.sets[n].col, v) }

// Change updates or deletes the row that has a key of the clustered index and that the transaction
// has locked. One that is gone by now is passed over.
func (c *Changer) Change(key []byte) error {
	x := &c.x
	c.scan.Restart(x.table, x.trx, table.ScanOptions{Lower: key, Upper: key, UpperIncl: true, Lock: table.Exclusive, Fresh: true})
	defer c.scan.Close()
	vals, err := c.scan.Next(x.ctx)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	if x.p.verb == verbDelete {
		if err = x.deleteRow(vals); err == nil {
			x.Result.Affected++
		}
		return err
	}
	x.Result.Matched++
	changed, err := x.updateRow(vals, nil)
	if changed && err == nil {
		x.Result.Changed++
	}
	return err
}

// Finish makes the changes that are still to be made, and tells how many there were.
func (c *Changer) Finish() (Result, error) {
	err := c.x.changes.Flush(c.x.ctx)
	return c.x.Result, err
}

// IsNotMine tells the errors of a statement that GMS has to run: nothing of it stays.
func IsNotMine(err error) bool { return errors.Is(err, errNotMine) || errors.Is(err, errStale) }
