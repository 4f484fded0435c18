package rules

import (
	"slices"
	"strings"
	"unicode/utf8"
	_ "unsafe" // go:linkname

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/mysql"
)

// CREATE TABLE and ALTER TABLE are checked here: GMS's rules count the bytes of names, of which
// there may be 64 characters.

// MendDefinitions puts our checks of definitions in the place of GMS's.
func MendDefinitions(a *analyzer.Analyzer) error {
	for name, check := range map[string]analyzer.RuleFunc{"validateCreateTable": createTable, "validateAlterTable": alterNames, "ResolveAlterColumn": alterColumns} {
		if err := Wrap(a, name, func(analyzer.RuleFunc) analyzer.RuleFunc { return check }); err != nil {
			return err
		}
	}
	return Wrap(a, "validateCreateTrigger", createTrigger)
}

// createTrigger checks a trigger. The library counts the bytes of its name.
func createTrigger(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		trigger, ok := n.(*plan.CreateTrigger)
		if !ok {
			return n, transform.SameTree, nil
		}
		if checkNames(trigger.TriggerName) != nil {
			return nil, transform.SameTree, sql.ErrIdentifierIsTooLong.New(trigger.TriggerName)
		}
		unnamed := *trigger
		unnamed.TriggerName = ""
		_, same, err := rule(ctx, a, &unnamed, scope, sel, flags)
		return n, same, err
	}
}

// checkNames refuses names of more than 64 characters.
func checkNames(names ...string) error {
	for _, name := range names {
		if utf8.RuneCountInString(name) > sql.MaxIdentifierLength {
			return sql.ErrInvalidIdentifier.New(name)
		}
	}
	return nil
}

// alterNames checks the names that an ALTER TABLE gives to tables and constraints.
func alterNames(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (_ sql.Node, _ transform.TreeIdentity, err error) {
	transform.InspectWithOpaque(ctx, n, func(_ *sql.Context, n sql.Node) bool {
		switch n := n.(type) {
		case *plan.RenameTable:
			err = checkNames(n.NewNames...)
		case *plan.CreateCheck:
			err = checkNames(n.Check.Name)
		case *plan.CreateForeignKey:
			err = checkNames(n.FkDef.Name)
		}
		return err == nil
	})
	return n, transform.SameTree, err
}

// tableNames are the names that a CREATE TABLE gives.
func tableNames(n *plan.CreateTable) []string {
	names := []string{n.Name()}
	for _, c := range n.PkSchema().Schema {
		names = append(names, c.Name)
	}
	for _, c := range n.Checks() {
		names = append(names, c.Name)
	}
	for _, index := range n.Indexes() {
		names = append(names, index.Name)
	}
	for _, key := range n.ForeignKeys() {
		names = append(names, key.Name)
	}
	return names
}

// createTable checks the columns and keys of a CREATE TABLE. Those of a query are not known yet.
func createTable(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	table, ok := n.(*plan.CreateTable)
	if !ok {
		return n, transform.SameTree, nil
	}
	if err := checkNames(tableNames(table)...); err != nil {
		return nil, transform.SameTree, err
	}
	columns, seen := table.PkSchema().Schema, make(map[string]bool)
	for _, c := range columns {
		name := strings.ToLower(c.Name)
		if seen[name] {
			return nil, transform.SameTree, sql.ErrDuplicateColumn.New(c.Name)
		}
		seen[name] = true
	}
	if table.Select() != nil {
		return n, transform.SameTree, nil
	}
	keyed := make(map[string]bool)
	for _, index := range table.Indexes() {
		for _, c := range index.Columns {
			keyed[c.Name] = true
		}
	}
	if err := validateAutoIncrementModify(columns, keyed); err != nil {
		return nil, transform.SameTree, err
	}
	if err := validateIndexes(ctx, columns, table.Indexes(), false); err != nil {
		return nil, transform.SameTree, err
	}
	if slices.ContainsFunc(columns, func(c *sql.Column) bool { return c.PrimaryKey && c.Virtual }) {
		return nil, transform.SameTree, sql.ErrVirtualColumnPrimaryKey.New()
	}
	return n, transform.SameTree, nil
}

// alteration is a table as the clauses of an ALTER TABLE leave it, one after the other.
type alteration struct {
	before, now sql.Schema
	keys        []string        // names of indexes
	keyed       map[string]bool // columns of indexes
	added       bool            // a column was added
	schema      sql.SchemaValidator
}

// alterColumns checks the clauses of an ALTER TABLE, and gives each the columns that the ones before
// it leave.
func alterColumns(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !analyzer.FlagIsSet(flags, sql.QFlagAlterTable) {
		return n, transform.SameTree, nil
	}
	x := alteration{keyed: make(map[string]bool)}
	if err := x.read(ctx, a, n); err != nil || len(x.before) == 0 {
		return n, transform.SameTree, err
	}
	n, same, err := transform.Node(ctx, n, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		target, ok := n.(sql.SchemaTarget)
		if !ok || !isClause(n) {
			return n, transform.SameTree, nil
		}
		n, err := target.WithTargetSchema(x.now.Copy())
		if err != nil {
			return nil, transform.SameTree, err
		}
		return n, transform.NewTree, x.clause(ctx, n)
	})
	if err == nil && x.schema != nil {
		err = x.schema.ValidateSchema(x.now)
	}
	if err == nil && x.added { // its index may be made by a later clause
		err = validateAutoIncrementModify(x.now, x.keyed)
	}
	if err != nil {
		return nil, transform.SameTree, err
	}
	return n, same, nil
}

func isClause(n sql.Node) bool {
	switch n.(type) {
	case *plan.ModifyColumn, *plan.RenameColumn, *plan.AddColumn, *plan.DropColumn, *plan.AlterIndex, *plan.AlterPK, *plan.AlterDefaultSet, *plan.AlterDefaultDrop:
		return true
	}
	return false
}

// read looks at the table before the statement.
func (x *alteration) read(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node) (err error) {
	transform.InspectWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) bool {
		if target, ok := n.(sql.SchemaTarget); ok {
			x.before = target.TargetSchema()
		}
		var table sql.Node
		columns, names := false, false
		switch n := n.(type) {
		case *plan.ModifyColumn:
			table, columns = n.Table, true
		case *plan.AddColumn:
			table, columns = n.Table, true
		case *plan.RenameColumn:
			table = n.Table
		case *plan.DropColumn:
			table = n.Table
		case *plan.AlterIndex:
			table, names = n.Table, true
		default:
			return true
		}
		if t, ok := table.(*plan.ResolvedTable); ok {
			if s, ok := t.UnwrappedDatabase().(sql.SchemaValidator); ok {
				x.schema = s
			}
		}
		if columns {
			x.keyed, err = analyzer.GetTableIndexColumns(ctx, table)
		}
		if names {
			x.keys, err = analyzer.GetTableIndexNames(ctx, a, table)
		}
		return names && err == nil
	})
	x.before = x.before.Copy()
	x.now = x.before
	return err
}

// clause checks one clause, and notes what it changes.
func (x *alteration) clause(ctx *sql.Context, n sql.Node) (err error) {
	switch n := n.(type) {
	case *plan.ModifyColumn:
		return x.modify(ctx, n)
	case *plan.RenameColumn:
		return x.rename(ctx, n)
	case *plan.AddColumn:
		x.added = true
		return x.add(ctx, n)
	case *plan.DropColumn:
		x.now, err = analyzer.ValidateDropColumn(ctx, x.before, x.now, n)
		delete(x.keyed, n.Column)
	case *plan.AlterIndex:
		err = x.index(ctx, n)
		x.keyed = analyzer.UpdateKeyedColumns(x.keyed, n)
	case *plan.AlterPK:
		x.now, err = validatePrimaryKey(ctx, x.before, x.now, n)
	case *plan.AlterDefaultSet:
		x.now, err = analyzer.ValidateAlterDefault(ctx, x.before, x.now, n)
	case *plan.AlterDefaultDrop:
		x.now, err = analyzer.ValidateDropDefault(ctx, x.before, x.now, n)
	}
	return err
}

// at is the place of a column that the table has now, and had before the statement. Those with
// interim names (package lower) had others.
func (x *alteration) at(table, column string) (int, error) {
	at := x.now.IndexOf(column, table)
	if at < 0 || !x.before.Contains(column, table) && !strings.HasPrefix(column, "\x00") {
		return 0, sql.ErrTableColumnNotFound.New(table, column)
	}
	return at, nil
}

// taken refuses a new name that another column has. The error names the one behind.
func (x *alteration) taken(table, name string, at int) error {
	other := x.now.IndexOf(name, table)
	switch {
	case other > at:
		return sql.ErrColumnExists.New(x.now[other].Name)
	case other >= 0 && other < at:
		return sql.ErrColumnExists.New(name)
	}
	return nil
}

func nameOf(table sql.Node) string { return table.(sql.Nameable).Name() }

// modify checks MODIFY and CHANGE.
func (x *alteration) modify(ctx *sql.Context, n *plan.ModifyColumn) error {
	table := nameOf(n.Table)
	at, err := x.at(table, n.Column())
	if err != nil {
		return err
	}
	c := *n.NewColumn()
	if err := checkNames(c.Name); err != nil {
		return err
	}
	if err := x.taken(table, c.Name, at); err != nil {
		return err
	}
	now := x.now.Copy()
	c.PrimaryKey, c.Source = now[at].PrimaryKey, now[at].Source
	c.Nullable = c.Nullable && !c.PrimaryKey
	now[at] = &c
	if err := validateAutoIncrementModify(now, x.keyed); err != nil {
		return err
	}
	x.now = now
	return nil
}

// rename checks RENAME COLUMN.
func (x *alteration) rename(ctx *sql.Context, n *plan.RenameColumn) error {
	table := nameOf(n.Table)
	if err := checkNames(n.NewColumnName); err != nil {
		return err
	}
	at, err := x.at(table, n.ColumnName)
	if err != nil {
		return err
	}
	if err := x.taken(table, n.NewColumnName, at); err != nil {
		return err
	}
	if err := analyzer.ValidateColumnNotUsedInCheckConstraint(ctx, n.ColumnName, n.Checks()); err != nil {
		return err
	}
	x.now = x.now.Copy()
	x.now[at].Name = n.NewColumnName
	return nil
}

// add checks ADD COLUMN.
func (x *alteration) add(ctx *sql.Context, n *plan.AddColumn) error {
	table, column := nameOf(n.Table), n.Column()
	if err := checkNames(column.Name); err != nil {
		return err
	}
	if x.now.Contains(column.Name, table) {
		return sql.ErrColumnExists.New(column.Name)
	}
	at := len(x.now)
	if order := n.Order(ctx); order != nil && order.AfterColumn != "" {
		if at = x.now.IndexOf(order.AfterColumn, table) + 1; at == 0 {
			return sql.ErrTableColumnNotFound.New(table, order.AfterColumn)
		}
	}
	x.now = slices.Insert(slices.Clone(x.now), at, column.Copy())
	return nil
}

// index checks the clauses that make, drop and rename indexes.
func (x *alteration) index(ctx *sql.Context, n *plan.AlterIndex) error {
	named := func(name string) int {
		return slices.IndexFunc(x.keys, func(key string) bool { return strings.EqualFold(key, name) })
	}
	if n.Action != plan.IndexAction_Drop {
		if err := checkNames(n.IndexName); err != nil {
			return err
		}
	}
	switch n.Action {
	case plan.IndexAction_Create:
		columns := make(map[string]*sql.Column, len(x.now))
		for _, c := range x.now {
			columns[strings.ToLower(c.Name)] = c
		}
		index := &sql.IndexDef{Name: n.IndexName, Columns: n.Columns, Constraint: n.Constraint, Storage: n.Using, Comment: n.Comment}
		if err := validateIndex(ctx, columns, index, false); err != nil {
			return err
		}
		x.keys = append(x.keys, n.IndexName)
	case plan.IndexAction_Drop:
		switch at := named(n.IndexName); {
		case at >= 0:
			x.keys = slices.Delete(x.keys, at, at+1)
		case !n.IfExists:
			return sql.ErrCantDropFieldOrKey.New(n.IndexName)
		}
	case plan.IndexAction_Rename:
		at := named(n.PreviousIndexName)
		if at < 0 {
			return mysql.NewSQLError(mysql.ERKeyDoesNotExist, "42000", "Key '%s' doesn't exist in table '%s'", n.PreviousIndexName, nameOf(n.Table))
		}
		x.keys = append(slices.Delete(x.keys, at, at+1), n.IndexName)
	}
	return nil
}

//go:linkname validateAutoIncrementModify github.com/dolthub/go-mysql-server/sql/analyzer.validateAutoIncrementModify
func validateAutoIncrementModify(columns sql.Schema, keyed map[string]bool) error

//go:linkname validateIndexes github.com/dolthub/go-mysql-server/sql/analyzer.validateIndexes
func validateIndexes(ctx *sql.Context, columns sql.Schema, indexes sql.IndexDefs, strict bool) error

//go:linkname validateIndex github.com/dolthub/go-mysql-server/sql/analyzer.validateIndex
func validateIndex(ctx *sql.Context, columns map[string]*sql.Column, index *sql.IndexDef, strict bool) error

//go:linkname validatePrimaryKey github.com/dolthub/go-mysql-server/sql/analyzer.validatePrimaryKey
func validatePrimaryKey(ctx *sql.Context, before, now sql.Schema, n *plan.AlterPK) (sql.Schema, error)
