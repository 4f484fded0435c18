package trees

import (
	"sync/atomic"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// TreeSize estimates what a text takes when it is planned: its copies, and nodes of trees for its
// words.
func TreeSize(text string) int64 {
	const copies, nodes = 4, 96
	words := int64(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', ',', '(', ')', '=', '+', '-', '*':
			words++
		case '\'', '"', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' && c != '`' {
					i++
				}
			}
		}
	}
	return copies*int64(len(text)) + nodes*words
}

// Limited refuses a statement that nests too deep.
func Limited(stmt ast.Statement, text string, ended *atomic.Uint32, err error) (ast.Statement, error) {
	if err == nil {
		err = CheckDepth(stmt, text, ended)
	}
	if err != nil {
		return nil, err
	}
	return stmt, nil
}

// KeepDelete keeps GMS from running a DELETE of all rows as a TRUNCATE.
func KeepDelete(n *ast.Delete) {
	if n.Where != nil || n.Limit != nil {
		return
	}
	if len(n.Targets) <= 1 && len(n.TableExprs) == 1 {
		if _, single := n.TableExprs[0].(*ast.AliasedTableExpr); single {
			n.Targets = nil
			n.Limit = &ast.Limit{Rowcount: ast.NewIntVal([]byte("9223372036854775807"))}
			return
		}
	}
	n.Where = ast.NewWhere(ast.WhereStr, ast.BoolVal(true))
}

var Levels = map[string]string{
	"isolation level repeatable read":  "REPEATABLE-READ",
	"isolation level read committed":   "READ-COMMITTED",
	"isolation level read uncommitted": "READ-UNCOMMITTED",
	"isolation level serializable":     "SERIALIZABLE",
}
