package sqllayer

// Errors whose MySQL code or text depends on the statement: go-mysql-server says less than MySQL
// about where a name was missed and about foreign keys.

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Detail completes the error of the statement that ctx runs. nil stays nil.
func Detail(ctx *sql.Context, err error) error {
	if err == nil {
		return nil
	}
	if s := SessionOf(ctx); s != nil && memory.IsOverCaches(err) {
		return s.overCaches()
	}
	if known, done := err.(*mysql.SQLError); done {
		if known.Num == mysql.ERDataOutOfRange {
			return sqlerr.NewError(known.Num, "%s", valuesShown(ctx, known.Message))
		}
		return err
	}
	db := ctx.GetCurrentDatabase()
	if known := brokenReference(ctx, sql.UnwrapError(err).Error()); known != nil {
		return known
	}
	known := sqlerr.Translate(err, db)
	query := strings.ToLower(strings.TrimSpace(ctx.Query()))
	switch known.Num {
	case mysql.ERSPDoesNotExist:
		name, isFunction := strings.CutPrefix(known.Message, "FUNCTION "+db+".")
		name = strings.TrimSuffix(name, " does not exist")
		if isFunction && strings.EqualFold(name, "grouping") {
			return sqlerr.NewError(mysql.ERInvalidGroupFuncUse, "Invalid use of group function")
		}
		if isFunction && !mayUseRoutine(ctx, db, name, false, sql.PrivilegeType_Execute) {
			return routineDenied("execute", SessionOf(ctx).EffectiveAccount(), db, name)
		}
	case mysql.ERBadFieldError:
		return missedColumn(ctx, query, known)
	case erIllegalReference:
		if stmt, err := StatementOf(ctx); err == nil && !trees.RefersForward(stmt, trees.QuotedPart(known.Message)) {
			return sqlerr.NewError(mysql.ERBadFieldError, "Unknown column '%s' in 'field list'", trees.QuotedPart(known.Message))
		}
	case mysql.ERMixOfGroupFuncAndFields:
		if strings.Contains(known.Message, "MISSING") {
			return besideWindow(ctx, db)
		}
	case mysql.ERWrongFieldWithGroup:
		return sqlerr.NewError(known.Num, "%s", withSchema(ctx, known.Message))
	case mysql.ERNonUniq:
		if stmt, err := StatementOf(ctx); err == nil && strings.Contains(known.Message, " in field list ") {
			if clause := clauseOf(ctx, stmt, trees.QuotedPart(known.Message)); clause != "" {
				return sqlerr.NewError(known.Num, "Column '%s' in %s is ambiguous", trees.QuotedPart(known.Message), clause)
			}
		}
	case mysql.ERInvalidDefault:
		if name := badDefault(ctx); name != "" {
			return sqlerr.NewError(known.Num, "Invalid default value for '%s'", name)
		}
	case sqlerr.ErCheckNotFound:
		if trees.CheckNamed.MatchString(query) {
			return sqlerr.NewError(3821, "Check constraint '%s' is not found in the table.", trees.QuotedPart(known.Message))
		}
	case mysql.ERDataOutOfRange:
		return sqlerr.NewError(known.Num, "%s", valuesShown(ctx, known.Message))
	case mysql.ERUnknownSystemVariable:
		return sqlerr.NewError(known.Num, "%s", strings.Replace(known.Message, "'@@", "'", 1))
	case mysql.ERBadTable:
		return sqlerr.NewError(known.Num, "Unknown table '%s'", missedTable(ctx, trees.QuotedPart(known.Message)))
	case mysql.ERNoSuchTable:
		name := missedTable(ctx, trees.QuotedPart(known.Message))
		if parent := missedParent(ctx, name); parent != "" {
			return sqlerr.NewError(1824, "Failed to open the referenced table '%s'", parent)
		}
		if not := notView(ctx); not != nil {
			return not
		}
		if missed := unknownQualifier(ctx, name); missed != nil {
			return missed
		}
		return sqlerr.NewError(known.Num, "Table '%s' doesn't exist", name)
	case mysql.ERBadDb:
		if _, drops := QueryTree(ctx).(*sqlast.DropDatabase); drops {
			return sqlerr.NewError(mysql.ERDbDropExists, "Can't drop database '%s'; database doesn't exist", trees.QuotedPart(known.Message))
		}
	}
	return err
}

// missedTable is the name of a table that is missed, with its schema as the statement says or means it:
// go-mysql-server tells no more than the table's own name.
func missedTable(ctx *sql.Context, name string) string {
	own := name[strings.LastIndexAny(name, ".\x00")+1:]
	for _, t := range missingTables(ctx) {
		if strings.EqualFold(t.Name, own) {
			return t.Schema + "." + t.Name
		}
	}
	return name
}

// missedParent is the name of a table that only a foreign key names; "" if it is none.
func missedParent(ctx *sql.Context, name string) (found string) {
	own := name[strings.LastIndexAny(name, ".\x00")+1:]
	sqlast.Inspect(QueryTree(ctx), func(n sqlast.Node) bool {
		if r, ok := n.(*sqlast.References); ok && strings.EqualFold(r.Table.Name.Name, own) {
			found = r.Table.Name.Name
		}
		return true
	})
	if slices.ContainsFunc(missingTables(ctx), func(t tabledef.TableName) bool { return strings.EqualFold(t.Name, own) }) {
		return ""
	}
	return found
}

// missingTables are those that the statement names, but for foreign keys, and that are not there.
func missingTables(ctx *sql.Context) (all []tabledef.TableName) {
	s, tree, home := SessionOf(ctx), QueryTree(ctx), ctx.GetCurrentDatabase()
	if s == nil {
		return nil
	}
	if n, ok := tree.(*sqlast.CreateTrigger); ok {
		home = cmp.Or(n.Name.Schema.Name, home)
	}
	sqlast.Inspect(tree, func(n sqlast.Node) bool {
		t, ok := n.(*sqlast.TableName)
		if _, refers := n.(*sqlast.References); refers || !ok {
			return !refers
		}
		at := tabledef.TableName{Schema: cmp.Or(t.Schema.Name, home), Name: t.Name.Name}
		d, err := s.layer.Provider.Database(ctx, at.Schema)
		if err != nil {
			return true
		}
		if _, there, err := d.GetTableInsensitive(ctx, at.Name); err != nil || !there {
			all = append(all, at)
		}
		return true
	})
	return all
}

// besideWindow is the error of functions over rows beside window functions, of which
// go-mysql-server does not tell which column it minds, nor does it mind one.
func besideWindow(ctx *sql.Context, db string) error {
	refused := sqlerr.NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support 'aggregates beside window functions'")
	stmt, err := StatementOf(ctx)
	sel, ok := stmt.(*ast.Select)
	if err != nil || !ok || !operand.Mode(ctx).ModeEnabled("ONLY_FULL_GROUP_BY") {
		return refused
	}
	for i, e := range sel.SelectExprs {
		if c := trees.BareColumn(e, false); c != nil {
			return sqlerr.NewError(mysql.ERMixOfGroupFuncAndFields, "In aggregated query without GROUP BY, expression #%d of SELECT list contains nonaggregated column '%s'; this is incompatible with sql_mode=only_full_group_by",
				i+1, trees.FullName(sel, c, db))
		}
	}
	for _, e := range sel.SelectExprs {
		if c := trees.BareColumn(e, true); c != nil {
			return sqlerr.NewError(mysql.ERMixOfGroupFuncAndFields, "In aggregated query without GROUP BY, expression #1 of PARTITION BY or ORDER BY clause of window '<unnamed window>' contains nonaggregated column '%s'; this is incompatible with sql_mode=only_full_group_by",
				trees.FullName(sel, c, db))
		}
	}
	return refused
}

// valuesShown writes columns of a new row as VALUES(column) into the text of an error.
func valuesShown(ctx *sql.Context, message string) string {
	if !strings.Contains(message, "`.") {
		return message
	}
	stmt, err := StatementOf(ctx)
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
	shown := trees.NewValue(rows.As.String())
	return shown.ReplaceAllStringFunc(message, func(found string) string {
		m := shown.FindStringSubmatch(found)
		name := m[1] + m[2]
		if i := rows.Columns.FindColumn(ast.NewColIdent(name)); i >= 0 && i < len(in.Columns) {
			name = in.Columns[i].String()
		}
		return "values(" + tabledef.QuoteName(db) + "." + tabledef.QuoteName(in.Table.Name.String()) + "." + tabledef.QuoteName(name) + ")"
	})
}

// unknownQualifier is the error of x.* or x.column, if x is the table that was not found, and none
// of a FROM that is missing; nil otherwise.
func unknownQualifier(ctx *sql.Context, missed string) error {
	stmt, err := StatementOf(ctx)
	if err != nil {
		return nil
	}
	missed = missed[strings.LastIndex(missed, ".")+1:]
	var found *mysql.SQLError
	isTable := ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.StarExpr:
			if found == nil && strings.EqualFold(n.TableName.Name.String(), missed) {
				found = sqlerr.NewError(mysql.ERBadTable, "Unknown table '%s'", strings.ReplaceAll(ast.String(n.TableName), "`", ""))
			}
		case *ast.ColName:
			if found == nil && strings.EqualFold(n.Qualifier.Name.String(), missed) {
				name := strings.ReplaceAll(ast.String(n), "`", "")
				clause := cmp.Or(clauseOf(ctx, stmt, name), "field list")
				found = sqlerr.NewError(mysql.ERBadFieldError, "Unknown column '%s' in '%s'", name, clause)
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
	stmt, err := StatementOf(ctx)
	if err != nil {
		return message
	}
	return trees.Ungrouped.ReplaceAllStringFunc(message, func(found string) string {
		column := trees.Ungrouped.FindStringSubmatch(found)[1]
		table, _, _ := strings.Cut(column, ".")
		schema := ""
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if e, ok := n.(*ast.AliasedTableExpr); ok {
				if at, alias := trees.UsedAs(ctx, e); strings.EqualFold(alias, table) {
					schema = at.Schema + "."
				}
			}
			return true, nil
		}, stmt)
		return "nonaggregated column '" + schema + column + "'"
	})
}

// badDefault is the name of the first column of a definition that cannot hold its default; "" if
// none is found.
func badDefault(ctx *sql.Context) string {
	stmt, err := new(Parser).ParseSimple(ctx.Query())
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
			if !trees.Holds(ctx, c) {
				name = c.Name.String()
				break
			}
		}
		return true, nil
	}, stmt)
	return name
}

// erIllegalReference is the code of a name in a select list that stands for a later column of it.
const erIllegalReference = 1247

// missedColumn tells in which clause a column was not found.
func missedColumn(ctx *sql.Context, query string, known *mysql.SQLError) error {
	name := trees.QuotedPart(known.Message)
	switch {
	case strings.HasPrefix(query, "set "):
		return sqlerr.NewError(mysql.ERUnknownSystemVariable, "Unknown system variable '%s'", name)
	case strings.HasPrefix(query, "alter table"):
		table, column, ok := strings.Cut(name, ".")
		if !ok {
			return missedInDefinition(ctx, name, known)
		}
		if regexp.MustCompile(`drop\s+(column\s+)?` + "`?" + regexp.QuoteMeta(strings.ToLower(column)) + "`?").MatchString(query) {
			return sqlerr.NewError(mysql.ERCantDropFieldOrKey, "Can't DROP '%s'; check that column/key exists", column)
		}
		return sqlerr.NewError(known.Num, "Unknown column '%s' in '%s'", column, table)
	}
	stmt, err := StatementOf(ctx)
	if err != nil {
		return known
	}
	if trees.RefersForward(stmt, name) {
		return sqlerr.NewError(erIllegalReference, "Reference '%s' not supported (forward reference in item list)", name)
	}
	if clause := clauseOf(ctx, stmt, name); clause != "" {
		return sqlerr.NewError(known.Num, "Unknown column '%s' in '%s'", name, clause)
	}
	return known
}

// missedInDefinition tells in which expression of an ALTER TABLE a column was not found.
func missedInDefinition(ctx *sql.Context, name string, known *mysql.SQLError) error {
	stmt, err := new(Parser).ParseSimple(ctx.Query())
	alter, ok := stmt.(*ast.AlterTable)
	if err != nil || !ok {
		return known
	}
	r := &rewriterAST{ctx: ctx}
	for _, n := range alter.Statements {
		n.Table = alter.Table
		if n.DefaultSpec != nil && trees.Mentions(n.DefaultSpec.Value, name) {
			return sqlerr.NewError(known.Num, "Unknown column '%s' in 'default value expression'", name)
		}
		if n.TableSpec == nil {
			continue
		}
		for _, d := range tabledef.DefinedExprs(n, r.checkNames(n)) {
			if trees.Mentions(d.Expr, name) {
				return sqlerr.NewError(known.Num, "Unknown column '%s' in '%s'", name, d.Clause())
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
		if clause := trees.WindowClauseOf(s, name); clause != "" {
			return clause
		}
		if s.Having != nil && trees.Mentions(s.Having, name) && isOfTables(ctx, s, name) {
			return "having clause" // it alone does not see all columns of the tables
		}
		if trees.Mentions(s.SelectExprs, name) {
			return ""
		}
		if s.GroupBy != nil && trees.Mentions(s.GroupBy, name) {
			return "group statement"
		}
		if s.Having != nil && trees.Mentions(s.Having, name) {
			return "having clause"
		}
		if trees.Mentions(s.From, name) {
			return "on clause"
		}
		if _, err := strconv.Atoi(name); err == nil && len(s.OrderBy) > 0 {
			return "order clause"
		}
		where, order = s.Where, s.OrderBy
	case *ast.Update:
		if trees.Mentions(s.Exprs, name) {
			return ""
		}
		if trees.Mentions(s.TableExprs, name) {
			return "on clause"
		}
		where, order = s.Where, s.OrderBy
	case *ast.Delete:
		where, order = s.Where, s.OrderBy
	}
	switch {
	case where != nil && trees.Mentions(where, name):
		return "where clause"
	case trees.Mentions(order, name):
		return "order clause"
	}
	return ""
}

// isOfTables tells whether a table of a SELECT has a column.
func isOfTables(ctx *sql.Context, s *ast.Select, name string) bool {
	column := ast.NewColIdent(name[strings.LastIndex(name, ".")+1:])
	return (&owners{r: &rewriterAST{ctx: ctx}}).has(s.From, &ast.ColName{Name: column})
}
