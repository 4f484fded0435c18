package planner

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/engine/table"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/run"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// GMS runs the rules before analysis for every plan but those of simple changes of one table, which
// have rules of their own.
const (
	demandsRule analyzer.RuleId = rules.EscapeRule - 1 - iota
	simpleDemandsRule
	changesRule
)

func init() {
	analyzer.AlwaysBeforeDefault = append(analyzer.AlwaysBeforeDefault, analyzer.Rule{Id: simpleDemandsRule, Apply: simpleDemands},
		analyzer.Rule{Id: changesRule, Apply: noteChanges})
}

// noteChanges tells the session whether the statement that is planned changes rows or definitions.
func noteChanges(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if s := sqllayer.SessionOf(ctx); s != nil && !s.Layer().Opts.Plain {
		switch n.(type) {
		case *plan.InsertInto, *plan.Update, *plan.DeleteFrom:
			s.ChangesRows(true)
		default:
			if plan.IsDDLNode(n) {
				s.ChangesRows(false)
			}
		}
	}
	return n, transform.SameTree, nil
}

// simpleDemands runs those of our rules that are about conditions for the plans that they do not see.
func simpleDemands(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	simple := false
	switch n := n.(type) {
	case *plan.InsertInto:
		simple = n.LiteralValueSource
	case *plan.Update:
		simple = n.HasSingleRel && !n.IsJoin
	case *plan.DeleteFrom:
		simple = n.RefsSingleRel && !n.HasExplicitTargets()
	}
	if !simple {
		return n, transform.SameTree, nil
	}
	same := transform.SameTree
	for _, apply := range []analyzer.RuleFunc{collationMixes, zeroDates, lastInserted, checkDemands} {
		changed, kept, err := apply(ctx, a, n, scope, sel, flags)
		if err != nil {
			return n, transform.SameTree, err
		}
		n, same = changed, same && kept
	}
	return n, same, nil
}

// checkDemands is the rule. Plans within others, as those of triggers, have their own way to ask.
func checkDemands(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if scope != nil {
		return n, transform.SameTree, nil
	}
	return n, transform.SameTree, mayRun(ctx, n, false)
}

// MayPrepare asks for the rights of a statement that is prepared, and for its comparisons. Its plan
// is bound and thrown away, so that the rules never see it.
func MayPrepare(ctx *sql.Context, n sql.Node) error {
	if err := mayRun(ctx, n, true); err != nil {
		return err
	}
	return compare.CheckPlan(ctx, n)
}

// mayRun asks for the rights that a plan needs. Files and read_only are looked at when a statement
// runs, not when it is prepared.
func mayRun(ctx *sql.Context, n sql.Node, prepares bool) error {
	s := sqllayer.SessionOf(ctx)
	if s == nil || s.Layer().Opts.Plain {
		return nil
	}
	p := sqllayer.PrivilegesOf(ctx)
	if p.All {
		return nil
	}
	w := &demands{ctx: ctx, s: s, p: p, explained: s.Explains, prepares: prepares}
	w.node(n, reading)
	s.Explains = false
	return w.check()
}

// role is what a statement does to the tables of a FROM.
type role int

const (
	reading  role = iota
	updating      // of the only table
	updatingSeveral
	deleting // from the only table
)

// use is what a plan does to one table or view.
type use struct {
	schema, name string
	called       string // in the statement
	role         role
	columns      sql.ColSet
	view         *plan.SubqueryAlias // whose body is asked for with other rights
	through      *trees.WritableView // that the table is changed through
	locked       bool                // by FOR UPDATE, FOR SHARE
	deleted      bool
	inserts      bool
	updates      bool // by ON DUPLICATE KEY UPDATE
	read         []string
	inserted     []string
	updated      []string
}

// demands walks a plan.
type demands struct {
	ctx       *sql.Context
	s         *sqllayer.Session
	p         sqllayer.Privileges
	in        string // the view in which the plan stands, as errors name it
	explained bool
	prepares  bool
	uses      []*use
	fields    []*expression.GetField // that are read
	written   []*expression.GetField
	load      *string // the file of LOAD DATA, which is looked at last
	err       error
}

func (w *demands) node(n sql.Node, as role) {
	switch n := n.(type) {
	case nil:
		return
	case *plan.ResolvedTable:
		w.table(n, as)
		return
	case *plan.TableAlias:
		from := len(w.uses)
		w.node(n.Child, as)
		for _, u := range w.uses[from:] {
			u.called = n.Name()
		}
		return
	case *plan.SubqueryAlias:
		if schema, name, ok := run.ViewOf(n); ok {
			w.uses = append(w.uses, &use{schema: schema, name: name, called: n.Name(), role: as, columns: n.Columns(), view: n})
			return
		}
		w.node(n.Child, reading)
		return
	case *plan.InsertInto:
		w.insert(n)
		return
	case *plan.Update:
		w.node(n.Child, updateRole(n))
		return
	case *plan.UpdateSource:
		w.node(n.Child, as)
		w.sets(n.UpdateExprs.ExplicitUpdateExprs())
		return
	case *plan.DeleteFrom:
		w.delete(n)
		return
	case *plan.Into:
		w.into(n)
	case *plan.CreateTrigger, *plan.CreateProcedure, *plan.CreateEvent, *plan.AlterEvent:
		return // what stands in a program asks when it runs
	case *plan.CreateTable:
		w.node(n.Select(), reading)
		return
	case *plan.CreateView:
		w.node(n.Child, reading)
		return
	case *plan.DescribeQuery:
		w.node(n.Child, as) // it has no children
		return
	case *plan.UpdateHistogram:
		w.histogram(n.Db(), n.Table())
		return
	case *plan.DropHistogram:
		w.histogram(n.Db(), n.Table())
		return
	}
	if defines(n) {
		return // authorize.go has asked
	}
	if e, ok := n.(sql.Expressioner); ok {
		for _, e := range e.Expressions() {
			w.expression(e)
		}
	}
	for _, c := range n.Children() {
		w.node(c, as)
	}
}

// defines tells nodes whose tables are there for their definitions.
func defines(n sql.Node) bool {
	switch n.(type) {
	case *plan.AddColumn, *plan.DropColumn, *plan.RenameColumn, *plan.ModifyColumn, *plan.AlterDefaultSet, *plan.AlterDefaultDrop, *plan.AlterAutoIncrement,
		*plan.AlterTableCollation, *plan.AlterTableComment, *plan.AlterIndex, *plan.AlterPK, *plan.CreateCheck, *plan.DropCheck, *plan.DropConstraint, *plan.RenameTable,
		*plan.CreateForeignKey, *plan.DropForeignKey, *plan.RenameForeignKey, *plan.CreateIndex, *plan.DropIndex, *plan.Truncate, *plan.AnalyzeTable,
		*plan.LockTables, *plan.ShowCreateTable, *plan.ShowColumns, *plan.ShowIndexes, *plan.Describe, *plan.DropTrigger:
		return true
	}
	return false
}

// histogram asks for what ANALYZE TABLE needs.
func (w *demands) histogram(schema, table string) {
	d := sqllayer.Demand{Ctx: w.ctx, S: w.s, P: w.p}
	w.fail(d.Table(d.Database(schema), table, sql.PrivilegeType_Select, sql.PrivilegeType_Insert))
}

// updateRole tells UPDATE of one table from that of several.
func updateRole(n *plan.Update) role {
	tables := 0
	transform.Inspect(n.Child, func(n sql.Node) bool {
		switch n.(type) {
		case *plan.ResolvedTable, *plan.SubqueryAlias:
			tables++
			return false
		}
		return true
	})
	if n.IsJoin || tables > 1 {
		return updatingSeveral
	}
	return updating
}

// expression notes the columns that an expression reads, and the subqueries in it.
func (w *demands) expression(e sql.Expression) {
	if e == nil {
		return
	}
	switch e := e.(type) {
	case *sql.ColumnDefaultValue:
		return // the definition's, not the statement's
	case *expression.GetField:
		w.fields = append(w.fields, e)
	case *plan.Subquery:
		w.node(e.Query, reading)
	case *plan.ExistsSubquery:
		w.node(e.Query.Query, reading)
	}
	if over, ok := e.(sql.WindowAdaptableExpression); ok && over.Window() != nil {
		for _, e := range over.Window().ToExpressions() {
			w.expression(e)
		}
	}
	for _, c := range e.Children() {
		w.expression(c)
	}
}

// sets notes assignments.
func (w *demands) sets(exprs []sql.Expression) {
	for _, e := range exprs {
		set, ok := e.(*expression.SetField)
		if !ok {
			w.expression(e)
			continue
		}
		if to, ok := set.LeftChild.(*expression.GetField); ok {
			w.written = append(w.written, to)
		}
		if _, isDefault := set.RightChild.(*expression.Wrapper); !isDefault {
			w.expression(set.RightChild)
		}
	}
}

func (w *demands) table(n *plan.ResolvedTable, as role) *use {
	u := &use{schema: n.SqlDatabase.Name(), name: n.Name(), called: n.Name(), role: as, columns: n.Columns()}
	if sqllayer.IsDual(n.Table) {
		return u
	}
	if own, ok := sql.GetUnderlyingTable(n.Table).(*sqllayer.Table); ok {
		if own.Temporary {
			return u // who made it may do everything with it
		}
		u.through = own.Through
		u.schema, u.name = own.Db.Name(), own.Def.Def.Name
	}
	if clause, ok := tabledef.LockClauseOf(n.AsOf); ok && clause.Lock == table.Exclusive {
		u.locked = true
	}
	w.uses = append(w.uses, u)
	return u
}

func (w *demands) insert(n *plan.InsertInto) {
	from := len(w.uses)
	dest := n.Destination
	if d, ok := dest.(*plan.InsertDestination); ok {
		dest = d.Child
	}
	w.node(dest, reading)
	for _, u := range w.uses[from:] {
		u.inserts, u.inserted, u.deleted = true, n.ColumnNames, n.IsReplace
	}
	if n.OnDupExprs != nil && len(n.OnDupExprs.AllExpressions()) > 0 {
		for _, u := range w.uses[from:] {
			u.updates = true
		}
		into, before := w.uses[from:], len(w.fields)
		w.sets(n.OnDupExprs.ExplicitUpdateExprs())
		w.upserted(n, into, w.fields[before:])
	}
	if load, ok := n.Source.(*plan.LoadData); ok && !load.Local {
		w.load = &load.File
	}
	w.node(n.Source, reading)
}

// upserted notes the columns of the table that the values of ON DUPLICATE KEY UPDATE read: of the
// row that is there, and of the one that VALUES would insert. GMS gives both numbers of their own,
// so that only the names of their tables tell them.
func (w *demands) upserted(n *plan.InsertInto, into []*use, fields []*expression.GetField) {
	rowName, columns := planbuilder.OnDupValuesPrefix, map[string]string(nil)
	if v, ok := n.Source.(*plan.Values); ok && v.AliasName != "" {
		rowName, columns = v.AliasName, v.ColumnNames
	}
	_, listed := n.Source.(*plan.Values)
	for _, f := range fields {
		if w.useOf(f) != nil {
			continue
		}
		for _, u := range into {
			switch {
			case strings.EqualFold(f.Table(), u.called):
				u.read = append(u.read, f.Name())
			case listed && strings.EqualFold(f.Table(), rowName):
				u.read = append(u.read, insertedColumn(columns, f.Name()))
			}
		}
	}
}

// insertedColumn is the column that a name of the new row stands for.
func insertedColumn(names map[string]string, name string) string {
	for column, called := range names {
		if strings.EqualFold(called, name) {
			return column
		}
	}
	return name
}

func (w *demands) delete(n *plan.DeleteFrom) {
	if !n.HasExplicitTargets() {
		w.node(n.Child, deleting)
		return
	}
	from := len(w.uses)
	w.node(n.Child, reading)
	for _, t := range n.GetDeleteTargets() {
		named, _ := t.(sql.NameableNode)
		found := false
		for _, u := range w.uses[from:] {
			if named != nil && strings.EqualFold(u.called, named.Name()) {
				u.deleted, found = true, true
			}
		}
		if !found {
			at := len(w.uses)
			w.node(t, reading)
			for _, u := range w.uses[at:] {
				u.deleted = true
			}
		}
	}
}

// into asks for FILE and a file that may be written.
func (w *demands) into(n *plan.Into) {
	missing := sqllayer.OperationDenied("FILE")
	w.file(&n.Outfile, true, missing)
	w.file(&n.Dumpfile, true, missing)
}

// file asks for FILE and makes a path the one that may be used.
func (w *demands) file(path *string, creates bool, missing error) {
	if *path == "" {
		return
	}
	if !w.p.Global(sql.PrivilegeType_File) {
		w.fail(missing)
		return
	}
	if w.prepares {
		return
	}
	found, err := sqllayer.SecurePath(*path, creates)
	if err == nil {
		*path = found
	}
	w.fail(err)
}

func (w *demands) fail(err error) {
	if w.err == nil && err != nil {
		w.err = err
	}
}

// body asks for what stands in a view.
func (w *demands) body(u *use) error {
	account, invoker, err := w.s.RightsIn(w.ctx, u.schema, u.name)
	if err != nil {
		return err
	}
	in := w.in
	if in == "" {
		in = u.schema + "\x00" + u.name
	}
	body := &demands{ctx: w.ctx, s: w.s, p: w.p, in: in, explained: w.explained, prepares: w.prepares}
	if !invoker {
		body.p = w.s.Layer().RightsOf(account)
	}
	body.node(u.view.Child, reading)
	if err := body.check(); err != nil {
		schema, name, _ := strings.Cut(in, "\x00")
		if w.explained {
			return sqllayer.ErrNotExplained
		}
		return sqllayer.InvalidView(schema, name)
	}
	if !w.explained {
		return nil
	}
	shown := &demands{ctx: w.ctx, s: w.s, p: w.p, in: in}
	shown.node(u.view.Child, reading)
	if !w.p.OnTable(u.schema, u.name, sql.PrivilegeType_ShowView) || shown.check() != nil {
		return sqllayer.ErrNotExplained
	}
	return nil
}
