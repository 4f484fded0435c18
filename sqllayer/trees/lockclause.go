package trees

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
)

const erLockedTwice = 3569

// LockedTwice refuses a table that is in several clauses. A clause without OF is about all tables.
func LockedTwice(from ast.TableExprs, of ast.TableNames, several string) error {
	if strings.HasPrefix(several, "0 ") || strings.Contains(several, lower.LockSeparator+"0 ") {
		first := ""
		if len(of) > 0 {
			first = of[0].Name.String()
		} else if t, ok := from[0].(*ast.AliasedTableExpr); ok {
			if first = t.As.String(); first == "" {
				first = ast.String(t.Expr)
			}
		}
		return sqlerr.NewError(erLockedTwice, "Table %s appears in multiple locking clauses.", first)
	}
	seen := map[string]bool{}
	for _, t := range of {
		name := t.Name.String()
		key := strings.ToLower(name)
		if seen[key] {
			return sqlerr.NewError(erLockedTwice, "Table `%s` appears in multiple locking clauses.", name)
		}
		seen[key] = true
	}
	return nil
}

// Named tells whether FOR UPDATE OF is about this table.
func Named(of ast.TableNames, t *ast.AliasedTableExpr, name ast.TableName) bool {
	if len(of) == 0 {
		return true
	}
	shown := t.As.String()
	if shown == "" {
		shown = name.Name.String()
	}
	for _, o := range of {
		if strings.EqualFold(o.Name.String(), shown) {
			return true
		}
	}
	return false
}
