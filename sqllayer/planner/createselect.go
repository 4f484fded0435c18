package planner

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/run"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// mendCreateSelect replaces GMS's rule, which reckons with columns in another order, keeps no
// options of the table and puts rows into columns by their place.
func mendCreateSelect(a *analyzer.Analyzer) error {
	return rules.Wrap(a, "resolveCreateSelect", func(analyzer.RuleFunc) analyzer.RuleFunc { return resolveCreateSelect })
}

func resolveCreateSelect(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	ct, ok := n.(*plan.CreateTable)
	if !ok || ct.Select() == nil {
		return n, transform.SameTree, nil
	}
	query, err := a.Analyze(ctx, ct.Select(), scope, flags)
	if err != nil {
		return nil, transform.SameTree, err
	}
	schema, err := schemaWithQuery(ctx, ct, query)
	if err != nil {
		return nil, transform.SameTree, err
	}
	query = wordsAsTexts(ctx, query, schema.Schema)
	spec := &plan.TableSpec{
		Schema: schema, IdxDefs: ct.Indexes(), FkDefs: ct.ForeignKeys(), ChDefs: ct.Checks(), Collation: ct.Collation, TableOpts: ct.TableOpts,
	}
	bare := plan.NewCreateTable(ct.Database(), ct.Name(), ct.IfNotExists(), ct.Temporary(), spec)
	if err := checkDuplicates(bare); err != nil {
		return nil, transform.SameTree, err
	}
	made, err := a.Analyze(ctx, bare, scope, flags)
	if err != nil {
		return nil, transform.SameTree, err
	}
	return plan.NewTableCopier(ct.Database(), made, query, plan.CopierProps{}), transform.NewTree, nil
}

// wordsAsTexts is a query that gives the texts of words for columns that are no ENUM and no SET.
func wordsAsTexts(ctx *sql.Context, query sql.Node, made sql.Schema) sql.Node {
	isWords := func(t sql.Type) bool { return types.IsEnum(t) || types.IsSet(t) }
	selected := query.Schema(ctx)
	exprs, changed := make([]sql.Expression, len(selected)), false
	for i, c := range selected {
		f := expression.NewGetFieldWithTable(i, 0, c.Type, c.DatabaseSource, c.Source, c.Name, c.Nullable)
		exprs[i] = f
		at := made.IndexOfColName(c.Name)
		if isWords(c.Type) && at >= 0 && !isWords(made[at].Type) && types.IsText(made[at].Type) {
			exprs[i], changed = expression.NewAlias(ctx, c.Name, expression.NewConvert(f, expression.ConvertToChar)), true
		}
	}
	if !changed {
		return query
	}
	return plan.NewProject(ctx, exprs, query)
}

// schemaWithQuery is the schema of the table that the statement makes.
func schemaWithQuery(ctx *sql.Context, ct *plan.CreateTable, query sql.Node) (sql.PrimaryKeySchema, error) {
	declared, selected := ct.PkSchema().Schema, query.Schema(ctx)
	var schema sql.Schema
	for _, c := range declared {
		if selected.IndexOfColName(c.Name) < 0 {
			schema = append(schema, c)
		}
	}
	for i, c := range sqllayer.SelectedColumns(ctx, query, boundItems(ctx, len(selected))) {
		if err := tabledef.CheckColumnName(c.Name); err != nil {
			return sql.PrimaryKeySchema{}, err
		}
		if at := selected.IndexOfColName(c.Name); at < i {
			return sql.PrimaryKeySchema{}, sqlerr.NewError(mysql.ERDupFieldName, "Duplicate column name '%s'", c.Name)
		}
		if at := declared.IndexOfColName(c.Name); at >= 0 {
			name := c.Name
			c = declared[at].Copy()
			c.Name = name
		}
		schema = append(schema, c)
	}
	if err := checkSelectedDefaults(schema); err != nil {
		return sql.PrimaryKeySchema{}, err
	}
	for _, c := range schema {
		c.Source, c.DatabaseSource = ct.Name(), ct.Database().Name()
	}
	schema = run.WithDefaults(ctx, ct.Name(), schema)
	var primary []int
	add := func(name string) {
		if at := schema.IndexOfColName(name); at >= 0 {
			schema[at].PrimaryKey, schema[at].Nullable = true, false
			primary = append(primary, at)
		}
	}
	for _, ix := range ct.Indexes() {
		if ix.IsPrimary() {
			for _, part := range ix.Columns {
				add(part.Name)
			}
		}
	}
	if primary == nil {
		for _, at := range ct.PkSchema().PkOrdinals {
			add(declared[at].Name)
		}
	}
	return sql.NewPrimaryKeySchema(schema, primary...), nil
}

// checkDuplicates refuses IGNORE and REPLACE beside unique keys: a row that is refused cannot be
// taken out of a table that the same transaction has made.
func checkDuplicates(made *plan.CreateTable) error {
	if made.TableOpts[lower.DuplicatesOption] == nil {
		return nil
	}
	unique := len(made.PkSchema().PkOrdinals) > 0
	for _, ix := range made.Indexes() {
		unique = unique || ix.IsPrimary() || ix.IsUnique()
	}
	for _, c := range made.PkSchema().Schema {
		unique = unique || c.PrimaryKey
	}
	if unique {
		return sqlerr.NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support '%s'", "CREATE TABLE ... IGNORE or REPLACE with unique keys")
	}
	return nil
}
