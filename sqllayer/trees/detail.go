package trees

import (
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/tabledef"
)

// BareColumn finds the first column that stands outside of functions over rows: in the windows, or
// elsewhere.
func BareColumn(e ast.SQLNode, windows bool) (found *ast.ColName) {
	inside := !windows
	var look func(n ast.SQLNode) (bool, error)
	look = func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			if inside && found == nil {
				found = n
			}
		case *ast.GroupConcatExpr, *ast.Subquery:
			return false, nil
		case *ast.FuncExpr:
			switch {
			case n.Over == nil && n.IsAggregate():
				return false, nil
			case n.Over == nil:
				return true, nil
			}
			outer := inside
			inside = !windows
			err := ast.Walk(look, n.Exprs)
			if inside = windows; windows {
				_ = ast.Walk(look, n.Over.PartitionBy, n.Over.OrderBy)
			}
			inside = outer
			return false, err
		}
		return true, nil
	}
	_ = ast.Walk(look, e)
	return found
}

// FullName is a column's name with its table, which has to be the only one where the column does
// not name it, and database.
func FullName(sel *ast.Select, c *ast.ColName, db string) string {
	table := c.Qualifier.Name.String()
	if table == "" && len(sel.From) == 1 {
		if from, ok := sel.From[0].(*ast.AliasedTableExpr); ok {
			table = from.As.String()
			if name, ok := from.Expr.(ast.TableName); ok && table == "" {
				table = name.Name.String()
			}
		}
	}
	if table == "" {
		return c.Name.String()
	}
	return db + "." + table + "." + c.Name.String()
}

// NewValue is a column of the new row in the text of an error: as go-mysql-server names what
// VALUES(column) stands for, as Ember does behind a SELECT, or by a name that the row has.
func NewValue(rowName string) *regexp.Regexp {
	row := planbuilder.OnDupValuesPrefix
	if rowName != "" {
		row = rowName
	}
	return regexp.MustCompile("`[^`]*`[.]`" + regexp.QuoteMeta(row) + "`[.]`([^`]*)`|`" + NewRows + "`[.]`" + NewRows + "([^`]*)`")
}

var quotedText = regexp.MustCompile(`'([^']*)'`)

func QuotedPart(message string) string {
	if m := quotedText.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

var Ungrouped = regexp.MustCompile(`nonaggregated column '([^'.]+\.[^'.]+)'`)

var CheckNamed = regexp.MustCompile(`\b(drop|alter)\s+check\b`)

// Holds tells whether a column can have its default, as far as the default is no expression.
func Holds(ctx *sql.Context, c *ast.ColumnDefinition) bool {
	switch e := c.Type.Default.(type) {
	case *ast.NullVal:
		return !bool(c.Type.NotNull) && !tabledef.IsPrimary(c)
	case *ast.FuncExpr:
		kind := strings.ToLower(c.Type.Type)
		return kind == "datetime" || kind == "timestamp"
	case *ast.SQLVal:
		typ, err := types.ColumnTypeToType(&c.Type)
		if err != nil {
			return true
		}
		_, within, err := typ.Convert(ctx, string(e.Val))
		return err == nil && within == sql.InRange
	}
	return true
}

// WindowClauseOf finds the part of a window that mentions a column.
func WindowClauseOf(s *ast.Select, name string) (clause string) {
	look := func(w *ast.WindowDef) {
		switch {
		case clause != "":
		case Mentions(w.PartitionBy, name):
			clause = "window partition by"
		case Mentions(w.OrderBy, name):
			clause = "window order by"
		}
	}
	_ = tabledef.Calls(func(f *ast.FuncExpr) error {
		if f.Over != nil {
			look((*ast.WindowDef)(f.Over))
		}
		return nil
	}, s.SelectExprs, s.OrderBy)
	for _, w := range s.Window {
		look(w)
	}
	return clause
}

func Mentions(n ast.SQLNode, name string) bool {
	found := false
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok {
			full := c.Name.String()
			if q := c.Qualifier.Name.String(); q != "" {
				full = q + "." + full
			}
			found = found || strings.EqualFold(full, name) || strings.EqualFold(c.Name.String(), name)
		}
		return !found, nil
	}, n)
	return found
}
