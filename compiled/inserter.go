package compiled

import (
	"context"
	"slices"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sqllayer"
)

// Rows of a query that an INSERT or a REPLACE stores: the server's executor makes them; an Inserter
// stores them as a program does that has one row of values. Which statements are not mine is the
// same, too.

// Inserting compiles a statement. In the place of its query stand so many values.
func Inserting(ctx context.Context, s *sqllayer.Session, database string, stmt *ast.Insert, values int) (p *Program, why Reason) {
	c := &compiler{ctx: ctx, src: &Source{Session: s, Database: database}, p: &Program{autoInc: -1}, at: ByClause}
	return c.outcome(func() {
		need(countArgs(stmt) == 0)
		given := make(ast.ValTuple, values)
		for i := range given {
			given[i] = ast.NewValArg([]byte(":v" + strconv.Itoa(i+1)))
		}
		stmt.Rows = &ast.AliasedValues{Values: ast.Values{given}}
		c.p.params, c.bulk = values, values
		c.insert(stmt)
		c.p.gathered()
	})
}

// Inserter stores rows in one table for one statement.
type Inserter struct{ x Exec }

// Prepare makes n the inserter of a program in a session, for one statement; false: GMS has to run it.
// REQUIRES: the statement has not begun.
func (n *Inserter) Prepare(ctx context.Context, sc *sql.Context, s *sqllayer.Session, p *Program) bool {
	x := &n.x
	x.ctx, x.sc, x.session, x.p = ctx, sc, s, p
	return x.bindFormulas() && x.resolveSets() && x.resolveFixed()
}

// Begin opens the table in the statement that the session has begun. IsNotMine tells its errors.
func (n *Inserter) Begin() error {
	x := &n.x
	if err := x.open(); err != nil {
		return err
	}
	x.numbers = table.AutoNumbers{Mode: x.session.AutoIncModeDirect()}
	if x.p.autoInc >= 0 {
		return x.numbers.Watch(x.table)
	}
	return nil
}

// Row begins a row.
func (n *Inserter) Row() { n.x.given = append(n.x.given[:0], n.x.fixed...) }

// Set sets the at-th value of the row; false: GMS has to say what NULL means there.
func (n *Inserter) Set(at int, v row.Value) bool {
	x := &n.x
	col := x.p.bulk[at]
	x.given[col] = v
	return !v.IsNull() || x.p.cols[col].Nullable || col == x.p.autoInc
}

// Place is the place of the column of the at-th value in the table, and the column.
func (n *Inserter) Place(at int) (int, *row.Column) {
	col := n.x.p.bulk[at]
	return col, &n.x.p.cols[col].Column
}

// Values is how many values a row has.
func (n *Inserter) Values() int { return len(n.x.p.bulk) }

// Stored makes a value of GMS what the column of the at-th value stores.
func (n *Inserter) Stored(at int, v any) (row.Value, bool) { return n.x.store(n.x.p.bulk[at], v) }

// Insert stores the row.
func (n *Inserter) Insert() error { return n.x.insertRows() }

// Result tells how many rows there were so far.
func (n *Inserter) Result() Result {
	n.x.Result.GeneratedID = n.x.numbers.First
	return n.x.Result
}

// Finish ends a statement whose rows stay, or that has failed.
func (n *Inserter) Finish() { n.x.numbers.Release() }

// Retreat ends a statement of which nothing stays.
func (n *Inserter) Retreat() {
	n.x.numbers.Return()
	n.x.numbers.Release()
}

// resolveFixed finds the values that all rows have: the columns that are not given.
func (x *Exec) resolveFixed() bool {
	p := x.p
	x.fixed = x.fixed[:0]
	for i := range p.rows[0] {
		v := row.NullValue
		if !slices.Contains(p.bulk, i) {
			var ok bool
			if v, ok = x.rowValue(i, &p.rows[0][i]); !ok {
				return false
			}
		}
		x.fixed = append(x.fixed, v)
	}
	return true
}
