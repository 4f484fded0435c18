package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Cursors of stored programs.

// cursor is a declared cursor. Its rows are read when it is opened.
type cursor struct {
	stmt   ast.SelectStatement
	isOpen bool
	schema sql.Schema
	rows   []sql.Row
}

func (a *activation) cursor(name string) (*cursor, error) {
	for f := a.frame; f != nil; f = f.outer {
		if c := f.cursors[strings.ToLower(name)]; c != nil {
			return c, nil
		}
	}
	return nil, NewError(1324, "Undefined CURSOR: %s", name)
}

func (a *activation) open(n *ast.OpenCursor) error {
	c, err := a.cursor(n.Name)
	if err != nil {
		return err
	}
	if c.isOpen {
		return NewError(1325, "Cursor is already open")
	}
	return a.attempt(func(ctx *sql.Context) error {
		a.s.noWarnings()
		schema, iter, err := a.query(ctx, c.stmt)
		if err != nil {
			return err
		}
		rows, err := sql.RowIterToRows(ctx, iter)
		for _, row := range rows {
			for i := range row {
				if err == nil {
					row[i], err = sql.UnwrapAny(ctx, row[i]) // the transaction may end before the cursor does
				}
			}
		}
		a.s.leave()
		if err == nil {
			c.isOpen, c.rows, c.schema = true, rows, schema
		}
		return err
	})
}

func (a *activation) fetch(n *ast.FetchCursor) error {
	c, err := a.cursor(n.Name)
	switch {
	case err != nil:
		return err
	case !c.isOpen:
		return NewError(1326, "Cursor is not open")
	case len(c.schema) != len(n.Variables):
		return NewError(1328, "Incorrect number of FETCH variables")
	case len(c.rows) == 0:
		return NewError(1329, "No data - zero rows fetched, selected, or processed")
	}
	row := c.rows[0]
	c.rows = c.rows[1:]
	a.s.noWarnings()
	ctx := a.context()
	for i, name := range n.Variables {
		if err := a.put(ctx, name, row[i], c.schema[i].Type); err != nil {
			return err
		}
	}
	a.s.leave()
	return nil
}

func (a *activation) close(n *ast.CloseCursor) error {
	c, err := a.cursor(n.Name)
	if err != nil {
		return err
	}
	if !c.isOpen {
		return NewError(1326, "Cursor is not open")
	}
	c.isOpen, c.rows = false, nil
	return nil
}
