package server

// The statements about libraries, see package sqllayer.

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

// libraries returns the session, which knows its rights.
func (x *execution) libraries(ctx *sql.Context) (*sqllayer.Session, error) {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return nil, x.unsupported()
	}
	x.h.s.rights(ctx) // are there, to be looked at
	return s, nil
}

// library is CREATE LIBRARY and ALTER LIBRARY.
func (x *execution) library(ctx *sql.Context, n *ast.Library) error {
	s, err := x.libraries(ctx)
	if err != nil {
		return err
	}
	if n.Alter {
		return s.AlterLibrary(ctx, n)
	}
	if err := x.h.s.mayUnrun(ctx, n); err != nil {
		return err
	}
	return s.CreateLibrary(ctx, n)
}

func (x *execution) dropLibrary(ctx *sql.Context, n *ast.DropProgram) error {
	s, err := x.libraries(ctx)
	if err != nil {
		return err
	}
	return s.DropLibrary(ctx, n)
}

func (x *execution) showCreateLibrary(ctx *sql.Context, n *ast.ShowCreate) error {
	s, err := x.libraries(ctx)
	if err != nil {
		return err
	}
	row, err := s.ShowCreateLibrary(ctx, n.Name)
	if err != nil {
		return err
	}
	return x.table(ctx, textColumns("Library", "sql_mode", "Create Library"), [][]any{row})
}

// showLibraryStatus is SHOW LIBRARY STATUS.
func (x *execution) showLibraryStatus(ctx *sql.Context, n *ast.Show) error {
	text := "SELECT * FROM (SELECT LIBRARY_SCHEMA AS Db, LIBRARY_NAME AS Name, LANGUAGE AS Language, CREATOR AS Creator, " +
		"LAST_ALTERED AS Modified, CREATED AS Created, LIBRARY_COMMENT AS Comment FROM information_schema.LIBRARIES) AS l"
	switch {
	case n.Like != nil:
		text += " WHERE Name LIKE " + quoteText(n.Like.Text)
	case n.Where != nil:
		text += " WHERE " + x.printed(n.Where)
	}
	return x.viaLayer(ctx, text+" ORDER BY Db, Name", nil)
}
