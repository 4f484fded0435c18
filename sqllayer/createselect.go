package sqllayer

// CREATE TABLE ... SELECT. The table has the columns that are declared and not selected, then those
// of the query, in its order. A column that is declared and selected is of the declared type. The
// rows go into the columns by name, the others get their defaults.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/sets"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	sqltype "emberdb/sql/types"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/rules"
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

// schemaWithQuery is the schema of the table that the statement makes.
func schemaWithQuery(ctx *sql.Context, ct *plan.CreateTable, query sql.Node) (sql.PrimaryKeySchema, error) {
	declared, selected := ct.PkSchema().Schema, query.Schema(ctx)
	var schema sql.Schema
	for _, c := range declared {
		if selected.IndexOfColName(c.Name) < 0 {
			schema = append(schema, c)
		}
	}
	for i, c := range selectedColumns(ctx, query, boundItems(ctx, len(selected))) {
		if at := selected.IndexOfColName(c.Name); at < i {
			return sql.PrimaryKeySchema{}, NewError(mysql.ERDupFieldName, "Duplicate column name '%s'", c.Name)
		}
		if at := declared.IndexOfColName(c.Name); at >= 0 {
			name := c.Name
			c = declared[at].Copy()
			c.Name = name
		}
		schema = append(schema, c)
	}
	for _, c := range schema {
		c.Source, c.DatabaseSource = ct.Name(), ct.Database().Name()
	}
	schema = withDefaults(ctx, ct.Name(), schema)
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

// withDefaults is a schema whose defaults are expressions, and no texts.
func withDefaults(ctx *sql.Context, table string, schema sql.Schema) sql.Schema {
	b := planbuilder.New(ctx, sessionOf(ctx).Layer().Engine.Analyzer.Catalog, nil)
	return b.ResolveSchemaDefaults("", table, schema)
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
		return NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support '%s'", "CREATE TABLE ... IGNORE or REPLACE with unique keys")
	}
	return nil
}

// fill makes the table and puts the rows of the query into it.
func (b *builder) fill(ctx *sql.Context, n *plan.TableCopier, ct *plan.CreateTable, r sql.Row) (sql.RowIter, error) {
	if iter, err := b.unlessThere(ctx, ct); iter != nil || err != nil {
		return iter, err
	}
	if _, err := b.base.Build(ctx, ct, r); err != nil {
		return nil, err
	}
	t, ok, err := n.Database().GetTableInsensitive(ctx, ct.Name())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, sql.ErrTableNotFound.New(ct.Name())
	}
	rows, missing, err := rowsFor(ctx, t, n.Source)
	if err != nil {
		return nil, err
	}
	rule := ct.TableOpts[lower.DuplicatesOption]
	insert := plan.NewInsertInto(n.Database(), plan.NewResolvedTable(t, n.Database(), nil), rows, rule == lower.Replace, nil, nil, rule == lower.Ignore)
	insert.DeferredDefaults = missing
	return b.base.Build(ctx, insert, r)
}

// rowsFor gives the rows of a query as rows of a table. Columns that have no value are missing.
func rowsFor(ctx *sql.Context, t sql.Table, query sql.Node) (rows sql.Node, missing sets.FastIntSet, err error) {
	given := query.Schema(ctx)
	var exprs []sql.Expression
	for i, c := range withDefaults(ctx, t.Name(), t.Schema(ctx)) {
		var e sql.Expression = c.Default
		if c.Default == nil {
			e = c.Generated
		}
		if at := given.IndexOfColName(c.Name); at >= 0 {
			e = expression.NewGetFieldWithTable(at, 0, given[at].Type, "", given[at].Source, given[at].Name, given[at].Nullable)
		}
		switch {
		case c.AutoIncrement:
			if e, err = expression.NewAutoIncrement(ctx, t, e); err != nil {
				return nil, missing, err
			}
		case c.Default == nil && c.Generated == nil && !c.Nullable && given.IndexOfColName(c.Name) < 0:
			missing.Add(i)
		}
		exprs = append(exprs, e)
	}
	return plan.NewProject(ctx, exprs, query), missing, nil
}

// selectedColumns are the columns of the query as those of a table; bound are their types as far as
// package bind knows them.
func selectedColumns(ctx *sql.Context, query sql.Node, bound []*sqltype.Type) sql.Schema {
	schema := query.Schema(ctx)
	origins, exprs := ResultColumns(ctx, query, schema), resultExprs(ctx, query, len(schema))
	out := make(sql.Schema, len(schema))
	for i, c := range schema {
		if base := origins[i].Base; base != nil {
			out[i] = likeColumn(base, origins[i].Nullable)
		} else if bound != nil && bound[i] != nil {
			out[i] = columnOfType(*bound[i])
		}
		if out[i] == nil {
			var e sql.Expression
			if i < len(exprs) {
				e = exprs[i]
			}
			out[i] = columnOfExpression(ctx, c, e)
		}
		out[i].Name = c.Name
	}
	return out
}

// likeColumn is a column like one that is selected: its type and default, but no key.
func likeColumn(c *sql.Column, nullable bool) *sql.Column {
	out := &sql.Column{Type: c.Type, Nullable: c.Nullable || nullable, Comment: c.Comment}
	if c.Default != nil && !strings.HasPrefix(c.Default.Expr.String(), "(") { // computed ones are left out
		out.Default, out.OnUpdate = c.Default, c.OnUpdate
	}
	if strings.HasPrefix(c.Extra, attributeMark) {
		out.Extra = c.Extra
	}
	if c.AutoIncrement {
		out.Default = zeroDefault(out.Type)
	}
	return out
}

// zeroDefault is the default that MySQL gives a computed column that cannot be NULL; nil for types
// that have none.
func zeroDefault(t sql.Type) *sql.ColumnDefaultValue {
	var zero any
	switch {
	case types.IsNumber(t) && !types.IsBit(t):
		zero = t.Zero()
	case types.IsTimespan(t):
		zero = types.Timespan(0)
	case (types.IsTextOnly(t) || types.IsBinaryType(t)) && !types.IsTextBlob(t) && !types.IsJSON(t):
		zero, t = "", types.LongText
	default:
		return nil
	}
	d, err := sql.NewColumnDefaultValue(expression.NewLiteral(zero, t), t, true, false, false)
	if err != nil {
		return nil
	}
	return d
}

// newSelected is a computed column.
func newSelected(t sql.Type, nullable bool) *sql.Column {
	c := &sql.Column{Type: t, Nullable: nullable || types.IsJSON(t)}
	if !c.Nullable {
		c.Default = zeroDefault(t)
	}
	return c
}
