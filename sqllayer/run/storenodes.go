package run

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// insert puts storers in front of an INSERT.
func (b *Builder) insert(ctx *sql.Context, n *plan.InsertInto, r sql.Row) (sql.RowIter, error) {
	switch n.Source.(type) {
	case *storeSource, *bulkSource:
		return nil, nil
	}
	schema := n.Destination.Schema(ctx)
	if got := len(n.Source.Schema(ctx)); got < len(schema) {
		return nil, sqlerr.NewError(sqlerr.ErColumnCountMismatch, "Column count doesn't match value count at row 1")
	}
	checks, err := checksOf(ctx, n.Destination, n.Checks(), n.Ignore)
	if err != nil {
		return nil, err
	}
	source := &storeSource{columns: schema, ignore: n.Ignore, insert: n, nulls: make(map[string]bool), checks: checks, asks: new(bool)}
	given, err := givenRows(ctx, n)
	if err != nil {
		return nil, err
	}
	below, err := source.beforeTriggers(ctx, selecting(given))
	if err != nil {
		return nil, err
	}
	source.wrapper = Around(below)
	changed := n.WithSource(source).WithChecks(sql.CheckConstraints(checks)).(*plan.InsertInto)
	if n.OnDupExprs.HasUpdates() {
		st := store.NewStorer(ctx, n.Ignore)
		given := rowsGiven(n.Source)
		st.NoNulls = !n.Ignore && (st.Strict || given < 2)
		if given > 0 { // beside a SELECT, each is told of
			st.Nulls = source.nulls
		}
		assigned := storing(ctx, n.OnDupExprs.AllExpressions(), schema, &st)
		zeroNumbers(assigned, schema)
		exprs, err := n.OnDupExprs.WithExpressions(assigned)
		if err != nil {
			return nil, err
		}
		changed.OnDupExprs = exprs
		exactDestination(ctx, changed)
	}
	wideDestination(ctx, changed)
	if iter, err := b.insertMany(ctx, changed, source, r); iter != nil || err != nil {
		return iter, err
	}
	keepReferring(changed)
	return b.Base.Build(ctx, changed, r)
}

// zeroNumbers makes NULL for an AUTO_INCREMENT column zero, as in ON DUPLICATE KEY UPDATE.
func zeroNumbers(exprs []sql.Expression, schema sql.Schema) {
	for _, e := range exprs {
		set, ok := e.(*expression.SetField)
		if !ok {
			continue
		}
		if v, ok := set.RightChild.(*storeValue); ok {
			at := schema.IndexOfColName(v.column.Name)
			v.number = at >= 0 && schema[at].AutoIncrement
		}
	}
}

// update puts storers in front of the values of an UPDATE.
func (b *Builder) update(ctx *sql.Context, n *plan.UpdateSource, r sql.Row) (sql.RowIter, error) {
	exprs := n.UpdateExprs.AllExpressions()
	for _, e := range exprs {
		if set, ok := e.(*expression.SetField); ok {
			if _, done := set.RightChild.(*storeValue); done {
				return nil, nil
			}
		}
	}
	n = assignmentOrder(ctx, n)
	st := store.NewStorer(ctx, n.Ignore)
	rows := st
	rows.Joined = joins(n.Child)
	changed, err := n.WithExpressions(ctx, storing(ctx, n.UpdateExprs.AllExpressions(), n.Child.Schema(ctx), &st)...)
	if err != nil {
		return nil, err
	}
	iter, err := b.strictly(ctx, changed, rows, r)
	if err == nil && rows.Joined { // the rows that are changed are not found again for others that belong to them
		iter = &gatheredIter{from: iter, kept: memory.Keep(ctx)}
	}
	return iter, err
}

// storing wraps the right sides of assignments to columns, which share the storer and its row
// counter.
func storing(ctx *sql.Context, exprs []sql.Expression, schema sql.Schema, st *store.Storer) []sql.Expression {
	out := make([]sql.Expression, len(exprs))
	first := true
	for i, e := range exprs {
		out[i] = e
		set, ok := e.(*expression.SetField)
		if !ok {
			continue
		}
		f, ok := set.LeftChild.(*expression.GetField)
		if !ok {
			continue
		}
		c := &sql.Column{Name: f.Name(), Source: f.Table(), Type: f.Type(ctx), Nullable: f.IsNullable(ctx)}
		if f.Index() >= 0 && f.Index() < len(schema) && schema[f.Index()].Name == f.Name() {
			c.Nullable, c.Extra = schema[f.Index()].Nullable, schema[f.Index()].Extra
		} else if at := schema.IndexOf(f.Name(), f.Table()); at >= 0 {
			c.Extra = schema[at].Extra
		}
		if wide, ok := operand.Wide(f.Type(ctx)); ok {
			f = expression.NewGetFieldWithTable(f.Index(), int(f.TableId()), wide, f.Database(), f.Table(), f.Name(), f.IsNullable(ctx))
		}
		value := set.RightChild
		if e := computed(value); e != nil {
			value = e
		}
		out[i] = expression.NewSetField(f, &storeValue{One: operand.Over(value), column: c, storer: st, counts: first, unset: isNoDefault(value) && !mayLack(c)})
		first = false
	}
	return out
}

// storeValue is a value on its way into a column.
type storeValue struct {
	operand.One
	column *sql.Column
	storer *store.Storer
	counts bool // it is the first of its row
	unset  bool // DEFAULT of a column that has none
	number bool // NULL is zero
}

// Type implements sql.Expression.
func (e *storeValue) Type(ctx *sql.Context) sql.Type { return e.Child.Type(ctx) }

// WithChildren implements sql.Expression.
func (e *storeValue) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *storeValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if e.counts {
		e.storer.Row++
	}
	before := ctx.Session.WarningCount()
	v, err := e.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if err := e.storer.Warned(ctx, before); err != nil {
		return nil, err
	}
	if e.unset {
		return store.Implied(e.column), e.lacks(ctx)
	}
	if v == nil && !e.column.Nullable {
		switch {
		case e.number:
			return e.column.Type.Zero(), nil
		case e.storer.NoNulls || store.NeedsValue(e.column):
			return nil, store.NoNull(e.column)
		case !e.storer.Strict:
			e.storer.Null(ctx, e.column)
			return e.column.Type.Zero(), nil
		}
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	if _, ok := v.(sql.JSONWrapper); ok && !types.IsJSON(e.column.Type) {
		e.storer.Origin = originOf(ctx, e.Child)
	}
	return e.storer.Given(ctx, e.column, e.Child.Type(ctx), v)
}

// storeSource gives the rows of an INSERT with values that fit.
type storeSource struct {
	wrapper
	columns sql.Schema
	ignore  bool
	insert  *plan.InsertInto
	nulls   map[string]bool // as those of storer
	numbers *store.Storer   // of values of an AUTO_INCREMENT column, once built
	checks  checks          // a row that does not meet them takes no number
	early   bool            // for BEFORE triggers, which see values as they will be stored; a NULL may still get another value
	asks    *bool           // what the early one had for the AUTO_INCREMENT column of the row was NULL
}

// beforeTriggers puts an early one below the BEFORE triggers that source runs.
func (n *storeSource) beforeTriggers(ctx *sql.Context, source sql.Node) (sql.Node, error) {
	t, ok := source.(*plan.TriggerExecutor)
	if !ok {
		return source, nil
	}
	left, err := n.beforeTriggers(ctx, t.Left())
	if err != nil {
		return nil, err
	}
	if _, more := left.(*plan.TriggerExecutor); !more {
		early := *n
		early.wrapper, early.early = Around(left), true
		left = &early
	}
	return t.WithChildren(ctx, left, t.Right())
}

// values is the projection that gives every column a value; nil if there is none.
func (n *storeSource) values() *plan.Project {
	for below := n.Child; ; {
		switch b := below.(type) {
		case *plan.TriggerExecutor:
			below = b.Left()
		case *storeSource:
			below = b.Child
		case *plan.Project:
			return b
		default:
			return nil
		}
	}
}

// WithChildren implements sql.Node.
func (n *storeSource) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// build makes the iterator.
func (n *storeSource) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	before := ctx.Session.WarningCount()
	source, next, err := n.beforeNumbers(ctx)
	if err != nil {
		return nil, err
	}
	source, fill, err := n.filling(ctx, source)
	if err != nil {
		return nil, err
	}
	child, err := b.Base.Build(ctx, source, r) // computes the rows of VALUES
	if err != nil {
		return nil, err
	}
	storer := store.NewStorer(ctx, n.ignore)
	storer.Joined = joins(n.Child)
	i := &storeIter{child: child, storer: storer, node: n, given: n.givenTypes(ctx), fill: fill, number: n.number(), next: next}
	i.storer.Nulls = n.nulls
	return i, i.storer.Warned(ctx, before)
}

// beforeNumbers is a source in which the values of an AUTO_INCREMENT column are those that the
// statement gives, as they fit: GMS takes a text that is no number for 0, which asks for a number.
// next gives the number of such a row, of its values: a row that does not fit takes none. BEFORE
// triggers run without it.
func (n *storeSource) beforeNumbers(ctx *sql.Context) (source sql.Node, next sql.Expression, err error) {
	p, at := n.values(), n.number()
	if p == nil || at < 0 || at >= len(p.Projections) {
		return n.Child, nil, nil
	}
	numbers, ok := p.Projections[at].(*expression.AutoIncrement)
	if !ok {
		return n.Child, nil, nil
	}
	column := *n.columns[at]
	column.Nullable = true // NULL asks for a number too
	if !n.early {
		if next, err = numbers.WithChildren(ctx, expression.NewGetField(at, column.Type, column.Name, true)); err != nil {
			return nil, nil, err
		}
		if n.Child != sql.Node(p) { // the early one has changed the values
			return n.Child, next, nil
		}
	}
	storer := store.NewStorer(ctx, n.ignore)
	n.numbers = &storer
	projections := slices.Clone(p.Projections)
	projections[at] = &storeValue{One: operand.Over(numbers.Child), column: &column, storer: &storer, counts: true}
	source, err = p.WithExpressions(ctx, projections...)
	return source, next, err
}

// number is the place of the AUTO_INCREMENT column; -1: there is none.
func (n *storeSource) number() int {
	return slices.IndexFunc(n.columns, func(c *sql.Column) bool { return c.AutoIncrement })
}

type storeIter struct {
	child  sql.RowIter
	storer store.Storer
	node   *storeSource
	given  store.GivenTypes
	fill   *filling
	number int            // the AUTO_INCREMENT column
	next   sql.Expression // its number; nil: the source has it, or there is no such column
}

// Next implements sql.RowIter.
func (i *storeIter) Next(ctx *sql.Context) (sql.Row, error) {
	before := ctx.Session.WarningCount()
	row, err := i.child.Next(ctx)
	if told := i.storer.Warned(ctx, before); told != nil {
		return nil, told
	}
	if err != nil {
		return nil, err
	}
	i.storer.Row++
	values := row
	if len(values) > len(i.node.columns) { // an outer row may stand in front
		values = values[len(values)-len(i.node.columns):]
	}
	if err := i.filled(ctx, values); err != nil {
		return row, err
	}
	if i.node.early {
		i.withoutNumber(values)
		return row, nil
	}
	if err := i.missing(ctx, values); err != nil {
		return row, err
	}
	if err := i.node.checks.hold(ctx, values); err != nil || i.next == nil {
		return row, err
	}
	if *i.node.asks && isZero(values[i.number]) {
		values[i.number] = nil // in every sql_mode
	}
	if s := sqllayer.SessionOf(ctx); s != nil {
		s.NumberUnused() // a foreign key refused the row before
	}
	values[i.number], err = i.next.Eval(ctx, values)
	return row, err
}

// isZero tells a zero of whatever type of numbers an AUTO_INCREMENT column has.
func isZero(v any) bool {
	if n, ok := store.Unsigned(v); ok {
		return n == 0
	}
	n, ok := store.Signed(v)
	return ok && n == 0 || v == 0.0 || v == float32(0)
}

// withoutNumber has BEFORE triggers see 0 where the row asks for a number.
func (i *storeIter) withoutNumber(values sql.Row) {
	if i.number < 0 {
		return
	}
	if *i.node.asks = values[i.number] == nil; *i.node.asks {
		values[i.number] = i.node.columns[i.number].Type.Zero()
	}
}

// fit makes a value of a row, of a type, one that its column can hold.
func (i *storeIter) fit(ctx *sql.Context, values sql.Row, at int, from sql.Type) (err error) {
	c, v := i.node.columns[at], values[at]
	if v == nil {
		switch {
		case c.AutoIncrement || c.Generated != nil:
		case i.node.early:
			if i.storer.Strict && !mayLack(c) && !types.IsEnum(c.Type) && i.standsDefault(at) && !i.allDefault() {
				return lacks(ctx, &i.storer, c)
			}
		case c.Nullable:
			i.unset(ctx, at, c)
		case !i.storer.Strict && !store.NeedsValue(c):
			values[at] = i.implicit(ctx, at, c)
		case !i.missed(at):
			return store.NoNull(c)
		}
		return nil
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return err
	}
	if _, ok := v.(sql.JSONWrapper); ok && !types.IsJSON(c.Type) {
		i.storer.Origin = i.origin(ctx, at)
	}
	values[at], err = i.storer.Given(ctx, c, from, v)
	return err
}

// missing tells of all columns that lack a value where that is an error; the first is the
// statement's. An ENUM has its first member.
func (i *storeIter) missing(ctx *sql.Context, values sql.Row) (err error) {
	for at, c := range i.node.columns {
		if !i.storer.Strict && !store.NeedsValue(c) {
			continue
		}
		if values[at] != nil || mayLack(c) || c.AutoIncrement || c.Generated != nil || !i.missed(at) {
			continue
		}
		if types.IsEnum(c.Type) {
			if !i.node.insert.DeferredDefaults.Contains(at) {
				values[at] = uint16(1)
			}
			continue
		}
		e := sqlerr.NewError(mysql.ERNoDefaultForField, "Field '%s' doesn't have a default value", c.Name)
		ctx.Session.Warn(&sql.Warning{Level: "Error", Code: e.Num, Message: e.Message})
		if err == nil {
			err = e
		}
	}
	return err
}

// missed tells that the statement gives the column no value in this row: it is not listed, or
// stands as DEFAULT, or in VALUES ().
func (i *storeIter) missed(at int) bool {
	if c := i.node.columns[at]; i.node.insert.DeferredDefaults.Contains(at) || store.IsRequired(c) && !i.listed(c) {
		return true
	}
	return i.standsDefault(at)
}

// standsDefault tells that the row has DEFAULT for the column, which has none.
func (i *storeIter) standsDefault(at int) bool {
	source := i.node.Child
	if p, ok := source.(*plan.Project); ok && at < len(p.Projections) {
		field, ok := p.Projections[at].(*expression.GetField)
		if !ok {
			return false
		}
		source, at = p.Child, field.Index()
	}
	given := i.tuple(source)
	return at < len(given) && isNoDefault(given[at])
}

// allDefault tells that the row is VALUES (), or has nothing but DEFAULT.
func (i *storeIter) allDefault() bool {
	p, ok := i.node.Child.(*plan.Project)
	return ok && !slices.ContainsFunc(i.tuple(p.Child), func(e sql.Expression) bool {
		_, is := e.(*expression.Wrapper)
		return !is
	})
}

// tuple is the row of VALUES that has been read; nil: the source is none.
func (i *storeIter) tuple(source sql.Node) []sql.Expression {
	values, ok := source.(*plan.Values)
	if !ok || i.storer.Row < 1 || int(i.storer.Row) > len(values.ExpressionTuples) {
		return nil
	}
	return values.ExpressionTuples[i.storer.Row-1]
}

// implicit is what lenient mode stores in place of NULL: nothing in an INSERT of one row, where
// NULL is an error in every mode.
func (i *storeIter) implicit(ctx *sql.Context, at int, c *sql.Column) any {
	if c.AutoIncrement {
		return nil
	}
	if i.missed(at) {
		if i.storer.Row == 1 && !types.IsEnum(c.Type) {
			_ = lacks(ctx, &i.storer, c) // a warning here
		}
		return store.Implied(c) // the first member of an ENUM, where a NULL is none
	}
	if !i.node.ignore && rowsGiven(i.node.Child) == 1 {
		return nil
	}
	i.storer.Null(ctx, c)
	return c.Type.Zero()
}

// rowsGiven counts the rows of VALUES; of what another source has it is 0.
func rowsGiven(n sql.Node) int {
	for n != nil {
		if v, ok := n.(*plan.Values); ok {
			return len(v.ExpressionTuples)
		}
		children := n.Children()
		if len(children) != 1 {
			return 0
		}
		n = children[0]
	}
	return 0
}

// Close implements sql.RowIter.
func (i *storeIter) Close(ctx *sql.Context) error { return i.child.Close(ctx) }
