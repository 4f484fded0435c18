package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/table"
	"emberdb/engine/txn"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/types"
	"emberdb/sqllayer/tabledef"
)

// Selecting runs the query of INSERT ... SELECT, REPLACE ... SELECT and CREATE TABLE ... SELECT in
// another way than GMS: its rows have the columns of a schema. It returns nil where the query, or a
// value of it, is GMS's to run; its rows come after all that may tell.
type Selecting func(ctx *sql.Context, q *ProgramQuery, like sql.Schema) (Batches, error)

// Batches are rows that come in batches, and one by one to those who want GMS's form.
type Batches interface {
	sql.RowIter
	// NextBatch takes the next batch; false: there is none.
	NextBatch() (more bool, err error)
	// Batch is the one at hand; nil: none is.
	Batch() *types.Batch
	// Row is a row of it in GMS's form.
	Row(i int) (sql.Row, error)
}

// LendSelecting gives the session a way to run queries for the statement that is about to run; nil
// takes it back.
func (s *Session) LendSelecting(f Selecting) { s.selecting = f }

// SelectedRows runs the query whose rows the client's statement inserts, or a statement of a
// procedure or an event that it calls; nil: GMS runs it.
func (s *Session) SelectedRows(ctx *sql.Context, like sql.Schema) (Batches, error) {
	if s.selecting == nil || s.Stmt.Depth > 0 || s.Analysis != nil || s.locked != nil && s.locked.Aliased {
		return nil, nil
	}
	q := &ProgramQuery{}
	if a := s.Program; a != nil {
		q = a.programQuery(a.stmt)
	} else if n, ok := s.RunningTree(ctx).(*sqlast.Insert); ok && len(n.OnConflict) == 0 { // its updates may read rows of the query
		q.Tree = n.Query
	} else if n, ok := s.RunningTree(ctx).(*sqlast.CreateTable); ok {
		q.Tree = n.Query
	}
	if q == nil || q.Tree == nil {
		return nil, nil
	}
	return s.selecting(ctx, q, like)
}

// SelectedLock is how the rows that such a query reads are locked: as those of every table that a
// changing statement reads.
func (s *Session) SelectedLock(trx *txn.Trx) table.LockMode {
	if trx.Isolation() >= txn.RepeatableRead && !s.ddl {
		return table.Shared
	}
	return table.None
}

// OpenSelected opens a table that such a query reads. REQUIRES: s.Mu.
func (s *Session) OpenSelected(ctx *sql.Context, schema, name string) (*table.Table, *txn.Trx, error) {
	at := tabledef.TableName{Schema: schema, Name: name}
	if temp, ok := s.Temps.Lookup(schema, name); ok {
		at = temp
	} else if err := s.checkLocked(at); err != nil {
		return nil, nil, err
	}
	trx, err := s.Active(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.layer.Eng.Table(s.Patient(ctx), trx, at.Schema, at.Name)
	return t, trx, err
}
