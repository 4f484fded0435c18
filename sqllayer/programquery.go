package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/programs"
)

// Queries of stored programs that run in another way than GMS's: SELECTs, those of cursors, and
// SELECT ... INTO of procedures and events. Variables of the program are constants in them. What a
// trigger or a function reads is a part of the statement that runs it, and is GMS's.

// Querying runs such a query. It returns nil where the query, or a value of it, is GMS's to run:
// nothing was sent then.
type Querying func(ctx *sql.Context, q *ProgramQuery) (*ProgramRows, error)

// ProgramQuery is a query of a stored program.
type ProgramQuery struct {
	Tree *sqlast.Query
	Text string // that the tree was read from
	Send bool   // to the client; else its rows are wanted
	Most int    // rows that are wanted; 0: all
	// Tried tells that no step can be made of it, which a cheap query is to become.
	Tried bool
	// Variable is a variable of the program; false: it has none of that name. Nil: the query stands
	// in no program, and Text is empty.
	Variable func(name string) (v any, t sql.Type, ok bool)
}

// MostInto is how many rows a SELECT ... INTO reads: the second one is an error.
const MostInto = 2

// ProgramRows are the rows of a query, or tell that the client has them.
type ProgramRows struct {
	sql.RowIter
	Schema sql.Schema
	Sent   bool
}

// LendQuerying gives the session a way to run queries of the programs that the statement calls.
func (s *Session) LendQuerying(f Querying) { s.querying = f }

// programSource is what a stored program was read from: statements, by what GMS has of them.
type programSource struct {
	of   map[ast.Statement]sqlast.Statement
	text string
}

// query is the query of a statement, alone or in INSERT ... SELECT and its kin; nil: there is none
// that another way than GMS's may run.
func (p programSource) query(stmt ast.Statement) *sqlast.Query {
	switch n := p.of[stmt].(type) {
	case *sqlast.Query:
		return n
	case *sqlast.Insert:
		if len(n.OnConflict) == 0 { // its updates may read rows of the query
			return n.Query
		}
	case *sqlast.CreateTable:
		return n.Query
	}
	return nil
}

// definition is the text of a statement that defines something; "" of others.
func (p programSource) definition(stmt ast.Statement) string {
	n, ok := p.of[stmt].(*sqlast.CreateTable)
	if !ok {
		return ""
	}
	return p.text[n.Pos():n.End()]
}

// queried runs a statement if it is such a query; nil: GMS has to.
func (a *activation) queried(ctx *sql.Context, stmt ast.Statement) (*ProgramRows, error) {
	q := a.programQuery(stmt)
	if _, selects := stmt.(ast.SelectStatement); !selects || q == nil || a.s.querying == nil || a.s.Analysis != nil || a.s.inTrigger() {
		return nil, nil
	}
	d := a.current().steps[stmt]
	q.Send, q.Tried = a.sends, d != nil && (d.tree == nil || d.tries == programs.MostSteps)
	return a.s.querying(ctx, q)
}

// programQuery is the query of a statement; nil: it has none that another way than GMS's may run.
func (a *activation) programQuery(stmt ast.Statement) *ProgramQuery {
	q := a.body.source.query(stmt)
	if q == nil {
		return nil
	}
	tree, most := *q, 0
	if q.Into != nil {
		tree.Into, most = nil, MostInto
	}
	return &ProgramQuery{Tree: &tree, Text: a.body.source.text, Most: most, Variable: func(name string) (any, sql.Type, bool) {
		v := a.variable(name)
		if v == nil {
			return nil, nil, false
		}
		return v.Value, v.Column.Type, true
	}}
}

// parts are what the caller of GMS gets.
func (r *ProgramRows) parts(err error) (sql.Schema, sql.RowIter, error) {
	if err != nil {
		return nil, nil, err
	}
	return r.Schema, r, nil
}

// queriedRows is deliver for a query that ran.
func (a *activation) queriedRows(ctx *sql.Context, r *ProgramRows) (err error) {
	defer a.counted(0, -1)
	if r.Sent {
		return nil
	}
	a.schema = r.Schema
	a.rows, err = a.held.Rows(ctx, r)
	return err
}
