package server

// sql_safe_updates: an UPDATE or DELETE of one table needs LIMIT, or a WHERE that gives a range of a
// key. MySQL takes such a range then whatever it costs, so the text decides.
//
// Statements of several tables, and those in stored programs, are not looked at.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// erUnsafeUpdate is ER_UPDATE_WITHOUT_KEY_IN_SAFE_MODE.
const erUnsafeUpdate = 1175

// safeUpdate refuses a statement that sql_safe_updates forbids.
func (x *execution) safeUpdate(ctx *sql.Context) error {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok || x.w.inside {
		return nil
	}
	name, where, limited, single := changesOne(x.stmt.Tree)
	if !single || limited || !s.Flag("sql_safe_updates") {
		return nil
	}
	schema := name.Schema.Name
	if schema == "" {
		schema = ctx.GetCurrentDatabase()
	}
	def := s.Layer().StorageEngine().CachedTable(schema, name.Name.Name)
	if where != nil && (def == nil || (&keyedTable{def}).ranges(where) != "") {
		return nil
	}
	return sqlerr.NewError(erUnsafeUpdate, "You are using safe update mode and you tried to update a table without a WHERE that uses a KEY column. ")
}

// changesOne tells an UPDATE or a DELETE of one table.
func changesOne(tree ast.Statement) (name ast.TableName, where ast.Expr, limited, single bool) {
	switch n := tree.(type) {
	case *ast.Update:
		if len(n.Tables) != 1 {
			return name, nil, false, false
		}
		t, one := n.Tables[0].(*ast.TableSource)
		if !one {
			return name, nil, false, false
		}
		return t.Name, n.Where, n.Limit != nil, true
	case *ast.Delete:
		if n.Source != nil || len(n.Targets) != 1 {
			return name, nil, false, false
		}
		return n.Targets[0].Name, n.Where, n.Limit != nil, true
	}
	return name, nil, false, false
}

// keyedTable tells conditions that give ranges of its keys.
type keyedTable struct{ def *catalog.Table }

// ranges is the column that a condition gives ranges of, "" for none. MySQL merges no ranges of two
// keys here.
func (t *keyedTable) ranges(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Logical:
		first := ""
		for i, item := range n.Items {
			switch of := t.ranges(item); {
			case !n.Or && of != "":
				return of
			case n.Or && (of == "" || i > 0 && !strings.EqualFold(of, first)):
				return ""
			case n.Or:
				first = of
			}
		}
		return first
	case *ast.BinaryExpr:
		switch {
		case n.Op < ast.Equal || n.Op > ast.GreaterEqual:
		case known(n.R):
			return t.keyed(n.L)
		case known(n.L):
			return t.keyed(n.R)
		}
	case *ast.Between:
		if known(n.Low) && known(n.High) {
			return t.keyed(n.X)
		}
	case *ast.In:
		if n.Query == nil && !slices.ContainsFunc(n.List, func(e ast.Expr) bool { return !known(e) }) {
			return t.keyed(n.X)
		}
	case *ast.Is:
		if n.What == ast.IsNull {
			return t.keyed(n.X)
		}
	case *ast.Like:
		p, text := n.Pattern.(*ast.Literal)
		if !n.Not && (!text && known(n.Pattern) || text && p.Text != "" && !strings.ContainsAny(p.Text[:1], "%_")) {
			return t.keyed(n.X)
		}
	}
	return ""
}

// keyed is the name of a column with which a key begins, "" of all else.
func (t *keyedTable) keyed(e ast.Expr) string {
	c, is := e.(*ast.Column)
	if is && slices.ContainsFunc(t.def.Indexes, func(i *catalog.Index) bool {
		return i.Kind == "" && !i.Invisible && !i.Building && len(i.Parts) > 0 && strings.EqualFold(t.def.Columns[i.Parts[0].Column].Name, c.Name.Name)
	}) {
		return c.Name.Name
	}
	return ""
}

// known tells a value that is the same for all rows.
func known(e ast.Expr) bool {
	same := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Column:
			same = false
		case *ast.Query:
			return false
		}
		return same
	})
	return same
}
