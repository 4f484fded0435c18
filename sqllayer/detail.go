package sqllayer

// Errors whose MySQL code or text depends on the statement: go-mysql-server says less than MySQL
// about where a name was missed and about foreign keys.

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// Detail completes the error of the statement that ctx runs. nil stays nil.
func Detail(ctx *sql.Context, err error) error {
	if err == nil {
		return nil
	}
	if s := sessionOf(ctx); s != nil && isOverCaches(err) {
		return s.overCaches()
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
	case mysql.ERSPDoesNotExist:
		name, isFunction := strings.CutPrefix(known.Message, "FUNCTION "+db+".")
		if name = strings.TrimSuffix(name, " does not exist"); isFunction && !mayUseRoutine(ctx, db, name, false, sql.PrivilegeType_Execute) {
			return routineDenied("execute", sessionOf(ctx).account(), db, name)
		}
	case mysql.ERBadFieldError:
		return missedColumn(ctx, query, known)
	case mysql.ERMixOfGroupFuncAndFields:
		if strings.Contains(known.Message, "MISSING") {
			return besideWindow(ctx, db)
		}
	case mysql.ERWrongFieldWithGroup:
		return NewError(known.Num, "%s", withSchema(ctx, known.Message))
	case mysql.ERNonUniq:
		if stmt, err := statementOf(ctx); err == nil && strings.Contains(known.Message, " in field list ") {
			if clause := clauseOf(ctx, stmt, quotedPart(known.Message)); clause != "" {
				return NewError(known.Num, "Column '%s' in %s is ambiguous", quotedPart(known.Message), clause)
			}
		}
	case mysql.ERInvalidDefault:
		if name := badDefault(ctx); name != "" {
			return NewError(known.Num, "Invalid default value for '%s'", name)
		}
	case erCheckNotFound:
		if checkNamed.MatchString(query) {
			return NewError(3821, "Check constraint '%s' is not found in the table.", quotedPart(known.Message))
		}
	case mysql.ERDataOutOfRange:
		return NewError(known.Num, "%s", valuesShown(ctx, known.Message))
	case mysql.ERUnknownSystemVariable:
		return NewError(known.Num, "%s", strings.Replace(known.Message, "'@@", "'", 1))
	case mysql.ERNoSuchTable:
		if strings.HasPrefix(query, "drop table") {
			return NewError(mysql.ERBadTable, "Unknown table '%s'", quotedPart(known.Message))
		}
		if missed := unknownQualifier(ctx, quotedPart(known.Message)); missed != nil {
			return missed
		}
	case mysql.ERBadDb:
		if strings.HasPrefix(query, "drop ") {
			return NewError(mysql.ERDbDropExists, "Can't drop database '%s'; database doesn't exist", quotedPart(known.Message))
		}
	}
	return err
}

// besideWindow is the error of functions over rows beside window functions, of which
// go-mysql-server does not tell which column it minds, nor does it mind one.
func besideWindow(ctx *sql.Context, db string) error {
	refused := NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support 'aggregates beside window functions'")
	stmt, err := statementOf(ctx)
	sel, ok := stmt.(*ast.Select)
	if err != nil || !ok || !expr.Mode(ctx).ModeEnabled("ONLY_FULL_GROUP_BY") {
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

// bareColumn finds the first column that stands outside of functions over rows: in the windows, or
// elsewhere.
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

// fullName is a column's name with its table, which has to be the only one where the column does
// not name it, and database.
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

// newValue is a column of the new row in the text of an error: as go-mysql-server names what
// VALUES(column) stands for, as Ember does behind a SELECT, or by a name that the row has.
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
	stmt, err := statementOf(ctx)
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

// unknownQualifier is the error of x.* or x.column, if x is the table that was not found, and none
// of a FROM that is missing; nil otherwise.
func unknownQualifier(ctx *sql.Context, missed string) error {
	stmt, err := statementOf(ctx)
	if err != nil {
		return nil
	}
	missed = missed[strings.LastIndex(missed, ".")+1:]
	var found *mysql.SQLError
	isTable := ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.StarExpr:
			if found == nil && strings.EqualFold(n.TableName.Name.String(), missed) {
				found = NewError(mysql.ERBadTable, "Unknown table '%s'", strings.ReplaceAll(ast.String(n.TableName), "`", ""))
			}
		case *ast.ColName:
			if found == nil && strings.EqualFold(n.Qualifier.Name.String(), missed) {
				name := strings.ReplaceAll(ast.String(n), "`", "")
				clause := cmp.Or(clauseOf(ctx, stmt, name), "field list")
				found = NewError(mysql.ERBadFieldError, "Unknown column '%s' in '%s'", name, clause)
			}
		case *ast.AliasedTableExpr:
			t, ok := n.Expr.(ast.TableName)
			if ok && n.As.IsEmpty() && strings.EqualFold(t.Name.String(), missed) && len((&rewriterAST{ctx: ctx}).columnsOf(t)) == 0 {
				return false, errors.New("it is a table's")
			}
		case *ast.Insert:
			if strings.EqualFold(n.Table.Name.String(), missed) {
				return false, errors.New("it is a table's")
			}
		}
		return true, nil
	}, stmt)
	if isTable != nil || found == nil {
		return nil
	}
	return found
}

// withSchema puts the database before the table of a column that a group has not, as MySQL does for
// tables that are no derived ones.
func withSchema(ctx *sql.Context, message string) string {
	stmt, err := statementOf(ctx)
	if err != nil {
		return message
	}
	return ungrouped.ReplaceAllStringFunc(message, func(found string) string {
		column := ungrouped.FindStringSubmatch(found)[1]
		table, _, _ := strings.Cut(column, ".")
		schema := ""
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if e, ok := n.(*ast.AliasedTableExpr); ok {
				if at, alias := usedAs(ctx, e); strings.EqualFold(alias, table) {
					schema = at.schema + "."
				}
			}
			return true, nil
		}, stmt)
		return "nonaggregated column '" + schema + column + "'"
	})
}

var ungrouped = regexp.MustCompile(`nonaggregated column '([^'.]+\.[^'.]+)'`)

var checkNamed = regexp.MustCompile(`\b(drop|alter)\s+check\b`)

// badDefault is the name of the first column of a definition that cannot hold its default; "" if
// none is found.
func badDefault(ctx *sql.Context) string {
	stmt, err := new(parser).ParseSimple(ctx.Query())
	if err != nil {
		return ""
	}
	name := ""
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		d, ok := n.(*ast.DDL)
		if !ok || d.TableSpec == nil || name != "" {
			return true, nil
		}
		for _, c := range d.TableSpec.Columns {
			if !holds(ctx, c) {
				name = c.Name.String()
				break
			}
		}
		return true, nil
	}, stmt)
	return name
}

// holds tells whether a column can have its default, as far as the default is no expression.
func holds(ctx *sql.Context, c *ast.ColumnDefinition) bool {
	switch e := c.Type.Default.(type) {
	case *ast.NullVal:
		return !bool(c.Type.NotNull) && !isPrimary(c)
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

// missedColumn tells in which clause a column was not found.
func missedColumn(ctx *sql.Context, query string, known *mysql.SQLError) error {
	name := quotedPart(known.Message)
	switch {
	case strings.HasPrefix(query, "set "):
		return NewError(mysql.ERUnknownSystemVariable, "Unknown system variable '%s'", name)
	case strings.HasPrefix(query, "alter table"):
		table, column, ok := strings.Cut(name, ".")
		if !ok {
			return missedInDefinition(ctx, name, known)
		}
		if regexp.MustCompile(`drop\s+(column\s+)?` + "`?" + regexp.QuoteMeta(strings.ToLower(column)) + "`?").MatchString(query) {
			return NewError(mysql.ERCantDropFieldOrKey, "Can't DROP '%s'; check that column/key exists", column)
		}
		return NewError(known.Num, "Unknown column '%s' in '%s'", column, table)
	}
	stmt, err := statementOf(ctx)
	if err != nil {
		return known
	}
	if clause := clauseOf(ctx, stmt, name); clause != "" {
		return NewError(known.Num, "Unknown column '%s' in '%s'", name, clause)
	}
	return known
}

// missedInDefinition tells in which expression of an ALTER TABLE a column was not found.
func missedInDefinition(ctx *sql.Context, name string, known *mysql.SQLError) error {
	stmt, err := new(parser).ParseSimple(ctx.Query())
	alter, ok := stmt.(*ast.AlterTable)
	if err != nil || !ok {
		return known
	}
	r := &rewriterAST{ctx: ctx}
	for _, n := range alter.Statements {
		n.Table = alter.Table
		if n.DefaultSpec != nil && mentions(n.DefaultSpec.Value, name) {
			return NewError(known.Num, "Unknown column '%s' in 'default value expression'", name)
		}
		if n.TableSpec == nil {
			continue
		}
		for _, d := range definedExprs(n, r.checkNames(n)) {
			if mentions(d.expr, name) {
				return NewError(known.Num, "Unknown column '%s' in '%s'", name, d.clause())
			}
		}
	}
	return known
}

// clauseOf finds the clause of a SELECT, UPDATE or DELETE that mentions a column; "" if it is the
// list of columns.
func clauseOf(ctx *sql.Context, stmt ast.Statement, name string) string {
	var where *ast.Where
	var order ast.OrderBy
	switch s := stmt.(type) {
	case *ast.Select:
		if clause := windowClauseOf(s, name); clause != "" {
			return clause
		}
		if s.Having != nil && mentions(s.Having, name) && isOfTables(ctx, s, name) {
			return "having clause" // it alone does not see all columns of the tables
		}
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
		if _, err := strconv.Atoi(name); err == nil && len(s.OrderBy) > 0 {
			return "order clause"
		}
		where, order = s.Where, s.OrderBy
	case *ast.Update:
		if mentions(s.Exprs, name) {
			return ""
		}
		if mentions(s.TableExprs, name) {
			return "on clause"
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

// isOfTables tells whether a table of a SELECT has a column.
func isOfTables(ctx *sql.Context, s *ast.Select, name string) bool {
	column := ast.NewColIdent(name[strings.LastIndex(name, ".")+1:])
	return (&owners{r: &rewriterAST{ctx: ctx}}).has(s.From, &ast.ColName{Name: column})
}

// windowClauseOf finds the part of a window that mentions a column.
func windowClauseOf(s *ast.Select, name string) (clause string) {
	look := func(w *ast.WindowDef) {
		switch {
		case clause != "":
		case mentions(w.PartitionBy, name):
			clause = "window partition by"
		case mentions(w.OrderBy, name):
			clause = "window order by"
		}
	}
	_ = calls(func(f *ast.FuncExpr) error {
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
