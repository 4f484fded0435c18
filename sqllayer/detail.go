package sqllayer

// Errors whose MySQL code or text depends on the statement: go-mysql-server says less than MySQL about where a name was missed and about foreign keys.

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Detail completes the error of the statement that ctx runs. nil stays nil.
func Detail(ctx *sql.Context, err error) error {
	if err == nil {
		return nil
	}
	if known, done := err.(*mysql.SQLError); done {
		if known.Num == mysql.ERDataOutOfRange {
			return NewError(known.Num, "%s", valuesShown(ctx, known.Message))
		}
		return err
	}
	db := ctx.GetCurrentDatabase()
	if known := brokenReference(ctx, sql.UnwrapError(err).Error()); known != nil {
		return known
	}
	known := Translate(err, db)
	query := strings.ToLower(strings.TrimSpace(ctx.Query()))
	switch known.Num {
	case mysql.ERBadFieldError:
		return missedColumn(query, known)
	case mysql.ERMixOfGroupFuncAndFields:
		if strings.Contains(known.Message, "MISSING") {
			return besideWindow(ctx, db)
		}
	case mysql.ERDataOutOfRange:
		return NewError(known.Num, "%s", valuesShown(ctx, known.Message))
	case mysql.ERUnknownSystemVariable:
		return NewError(known.Num, "%s", strings.Replace(known.Message, "'@@", "'", 1))
	case mysql.ERNoSuchTable:
		if strings.HasPrefix(query, "drop table") {
			return NewError(mysql.ERBadTable, "Unknown table '%s'", quotedPart(known.Message))
		}
	case mysql.ERBadDb:
		if strings.HasPrefix(query, "drop ") {
			return NewError(mysql.ERDbDropExists, "Can't drop database '%s'; database doesn't exist", quotedPart(known.Message))
		}
	}
	return err
}

// besideWindow is the error of functions over rows beside window functions, of which go-mysql-server does not tell which column it minds, nor does it mind one.
func besideWindow(ctx *sql.Context, db string) error {
	refused := NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support 'aggregates beside window functions'")
	stmt, err := ast.Parse(ctx.Query())
	sel, ok := stmt.(*ast.Select)
	if err != nil || !ok || !sql.LoadSqlMode(ctx).ModeEnabled("ONLY_FULL_GROUP_BY") {
		return refused
	}
	for i, e := range sel.SelectExprs {
		if c := bareColumn(e, false); c != nil {
			return NewError(mysql.ERMixOfGroupFuncAndFields, "In aggregated query without GROUP BY, expression #%d of SELECT list contains nonaggregated column '%s'; this is incompatible with sql_mode=only_full_group_by",
				i+1, fullName(sel, c, db))
		}
	}
	for _, e := range sel.SelectExprs {
		if c := bareColumn(e, true); c != nil {
			return NewError(mysql.ERMixOfGroupFuncAndFields, "In aggregated query without GROUP BY, expression #1 of PARTITION BY or ORDER BY clause of window '<unnamed window>' contains nonaggregated column '%s'; this is incompatible with sql_mode=only_full_group_by",
				fullName(sel, c, db))
		}
	}
	return refused
}

// bareColumn finds the first column that stands outside of functions over rows: in the windows, or elsewhere.
func bareColumn(e ast.SQLNode, windows bool) (found *ast.ColName) {
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

// fullName is a column's name with its table, which has to be the only one where the column does not name it, and database.
func fullName(sel *ast.Select, c *ast.ColName, db string) string {
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

// newValue is a column of the new row in the text of an error: as go-mysql-server names what VALUES(column) stands for, as Ember does behind a SELECT, or by a name that the row has.
func newValue(rowName string) *regexp.Regexp {
	row := planbuilder.OnDupValuesPrefix
	if rowName != "" {
		row = rowName
	}
	return regexp.MustCompile("`[^`]*`[.]`" + regexp.QuoteMeta(row) + "`[.]`([^`]*)`|`" + newRows + "`[.]`" + newRows + "([^`]*)`")
}

// valuesShown writes columns of a new row as VALUES(column) into the text of an error.
func valuesShown(ctx *sql.Context, message string) string {
	if !strings.Contains(message, "`.") {
		return message
	}
	stmt, err := ast.Parse(ctx.Query())
	in, ok := stmt.(*ast.Insert)
	if err != nil || !ok {
		return message
	}
	db := in.Table.DbQualifier.String()
	if db == "" {
		db = ctx.GetCurrentDatabase()
	}
	rows, _ := in.Rows.(*ast.AliasedValues)
	if rows == nil {
		rows = &ast.AliasedValues{}
	}
	shown := newValue(rows.As.String())
	return shown.ReplaceAllStringFunc(message, func(found string) string {
		m := shown.FindStringSubmatch(found)
		name := m[1] + m[2]
		if i := rows.Columns.FindColumn(ast.NewColIdent(name)); i >= 0 && i < len(in.Columns) {
			name = in.Columns[i].String()
		}
		return "values(" + quoteName(db) + "." + quoteName(in.Table.Name.String()) + "." + quoteName(name) + ")"
	})
}

var quotedText = regexp.MustCompile(`'([^']*)'`)

func quotedPart(message string) string {
	if m := quotedText.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

// brokenReference makes MySQL's error of GMS's text about a foreign key; nil if it is none.
func brokenReference(ctx *sql.Context, text string) *mysql.SQLError {
	db := ctx.GetCurrentDatabase()
	if key := violated(ctx, db, pattern(sql.ErrForeignKeyChildViolation).FindStringSubmatch(text)); key != "" {
		return NewError(mysql.ErNoReferencedRow2, "Cannot add or update a child row: a foreign key constraint fails (%s)", key)
	}
	if key := violated(ctx, db, pattern(sql.ErrForeignKeyParentViolation).FindStringSubmatch(text)); key != "" {
		return NewError(mysql.ERRowIsReferenced2, "Cannot delete or update a parent row: a foreign key constraint fails (%s)", key)
	}
	return nil
}

// violated describes a foreign key: args are the name of the key and of its table.
func violated(ctx *sql.Context, db string, args []string) string {
	s := sessionOf(ctx)
	if s == nil || len(args) < 3 {
		return ""
	}
	d := &Database{layer: s.layer, name: db}
	t, ok, err := d.table(ctx, args[2])
	if err != nil || !ok {
		return ""
	}
	for i := range t.def.def.ForeignKeys {
		if fk := &t.def.def.ForeignKeys[i]; strings.EqualFold(fk.Name, args[1]) {
			return fmt.Sprintf("%s.%s, %s", quoteName(t.def.def.Schema), quoteName(t.Name()), strings.TrimSpace(foreignKeyText(t.def.def, fk)))
		}
	}
	return ""
}

// missedColumn tells in which clause a column was not found.
func missedColumn(query string, known *mysql.SQLError) error {
	name := quotedPart(known.Message)
	switch {
	case strings.HasPrefix(query, "set "):
		return NewError(mysql.ERUnknownSystemVariable, "Unknown system variable '%s'", name)
	case strings.HasPrefix(query, "alter table"):
		table, column, ok := strings.Cut(name, ".")
		if !ok {
			return known
		}
		if regexp.MustCompile(`drop\s+(column\s+)?` + "`?" + regexp.QuoteMeta(strings.ToLower(column)) + "`?").MatchString(query) {
			return NewError(mysql.ERCantDropFieldOrKey, "Can't DROP '%s'; check that column/key exists", column)
		}
		return NewError(known.Num, "Unknown column '%s' in '%s'", column, table)
	}
	stmt, err := ast.Parse(query)
	if err != nil {
		return known
	}
	if clause := clauseOf(stmt, name); clause != "" {
		return NewError(known.Num, "Unknown column '%s' in '%s'", name, clause)
	}
	return known
}

// clauseOf finds the clause of a SELECT, UPDATE or DELETE that mentions a column; "" if it is the list of columns.
func clauseOf(stmt ast.Statement, name string) string {
	var where *ast.Where
	var order ast.OrderBy
	switch s := stmt.(type) {
	case *ast.Select:
		if mentions(s.SelectExprs, name) {
			return ""
		}
		if s.GroupBy != nil && mentions(s.GroupBy, name) {
			return "group statement"
		}
		if s.Having != nil && mentions(s.Having, name) {
			return "having clause"
		}
		if mentions(s.From, name) {
			return "on clause"
		}
		where, order = s.Where, s.OrderBy
	case *ast.Update:
		if mentions(s.Exprs, name) {
			return ""
		}
		where, order = s.Where, s.OrderBy
	case *ast.Delete:
		where, order = s.Where, s.OrderBy
	}
	switch {
	case where != nil && mentions(where, name):
		return "where clause"
	case mentions(order, name):
		return "order clause"
	}
	return ""
}

func mentions(n ast.SQLNode, name string) bool {
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
