package programs

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/memory"
)

// CaseValue is the name of the variable that has the value of CASE while its branches are tried. No
// client can write it.
const CaseValue = "\x00case"

// Put adds an entry to a map that is made when it is needed.
func Put[T any](m *map[string]T, name string, v T) {
	if *m == nil {
		*m = make(map[string]T)
	}
	(*m)[strings.ToLower(name)] = v
}

// Cursor is a declared cursor. Its rows are read when it is opened.
type Cursor struct {
	Stmt   ast.SelectStatement
	IsOpen bool
	Schema sql.Schema
	Rows   []sql.Row
	Kept   memory.Kept // accounts the rows
}

// IntoOf is where the INTO of a SELECT stands; nil if it has none.
func IntoOf(stmt ast.Statement) **ast.Into {
	var at **ast.Into
	switch n := stmt.(type) {
	case *ast.Select:
		at = &n.Into
	case *ast.SetOp:
		at = &n.Into
	}
	if at == nil || *at == nil {
		return nil
	}
	return at
}
