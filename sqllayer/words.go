package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/trees"
)

// RunningTree is our tree of the statement that runs: the client's, or that of a program.
func (s *Session) RunningTree(ctx *sql.Context) sqlast.Statement {
	tree, _ := s.RunningSource(ctx)
	return tree
}

// RunningSource is RunningTree, and the text that the tree was read from.
func (s *Session) RunningSource(ctx *sql.Context) (tree sqlast.Statement, text string) {
	s.Mu.Lock()
	text = s.log.text
	s.Mu.Unlock()
	return s.treeOf(ctx, text)
}

// treeOf is the tree of a trigger's or program's text; without one, that of the client's statement.
func (s *Session) treeOf(ctx *sql.Context, text string) (sqlast.Statement, string) {
	if text != "" && (s.current == nil || s.current.Text != text) {
		return trees.StoredTree(text), text
	}
	if st := s.RunningStatement(ctx); st != nil {
		return st.Tree, st.Text
	}
	return nil, ""
}

// changesIndexes tells whether the running statement may drop or rename an index.
func (s *Session) changesIndexes(ctx *sql.Context) bool {
	if s == nil {
		return false
	}
	switch s.RunningTree(ctx).(type) {
	case *sqlast.AlterTable, *sqlast.DropIndex:
		return true
	}
	return false
}

// shows reports whether the statement of the client that runs is SHOW or DESCRIBE.
func (s *Session) shows(ctx *sql.Context) bool {
	st := s.RunningStatement(ctx)
	if st == nil {
		return false
	}
	switch st.Tree.(type) {
	case *sqlast.Show, *sqlast.ShowCreate, *sqlast.Describe:
		return true
	}
	return false
}

// showsTable reports whether it shows the definition of a table: SHOW CREATE TABLE, COLUMNS, INDEX,
// DESCRIBE.
func (s *Session) showsTable(ctx *sql.Context) bool {
	st := s.RunningStatement(ctx)
	if st == nil {
		return false
	}
	switch n := st.Tree.(type) {
	case *sqlast.ShowCreate:
		return n.Kind == sqlast.ShowCreateTable
	case *sqlast.Show:
		return n.Kind == sqlast.ShowColumns || n.Kind == sqlast.ShowIndex
	case *sqlast.Describe:
		return true
	}
	return false
}
