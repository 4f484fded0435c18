package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/ast"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// What a rewrite computes of each row again. Rows hold the values of generated columns, also of
// virtual ones, and of the hidden columns of functional keys. Those values are stale where the
// column is defined otherwise than before, or where a column below it is. CHECKs over columns whose
// values change are held against the rows.

// formula is an expression over the columns of the new table.
type formula struct {
	expr  sql.Expression
	at    int // the generated column
	list  bool
	check string // name of a CHECK; "": a generated column
}

// recompute finds the formulas of a rewrite; place tells where a column of old has gone, -1:
// nowhere.
func (w *rewriter) recompute(ctx *sql.Context, old *catalog.Table, place func(from int) int) error {
	if w.t.S.layer.Opts.Plain {
		return nil
	}
	def := w.picture.Def
	stale := w.staleColumns(old, place)
	schema := w.picture.Schema()
	var texts []*sql.ColumnDefaultValue
	for i, c := range schema {
		generated := c.Generated
		c.Default, c.Generated, c.OnUpdate = nil, nil, nil
		if generated != nil && stale[i] {
			w.formulas = append(w.formulas, formula{at: i})
			texts = append(texts, generated)
			w.reads = w.readBy(w.reads, def.Columns[i].Generated)
		}
	}
	for _, k := range def.Checks {
		names := tabledef.ColumnsIn(k.Expr)
		if k.Enforced && slices.ContainsFunc(names, func(n string) bool { return w.staleValue(stale, n) }) {
			w.formulas = append(w.formulas, formula{check: k.Name})
			texts = append(texts, sql.NewUnresolvedColumnDefaultValue("("+k.Expr+")"))
			w.reads = w.readBy(w.reads, k.Expr)
		}
	}
	return w.planFormulas(ctx, schema, texts)
}

// staleColumns tells which columns of the new table have other values than those of the old one.
// Generated columns that later parts of the statement define anew wait for them.
func (w *rewriter) staleColumns(old *catalog.Table, place func(from int) int) []bool {
	def := w.picture.Def
	stale := slices.Repeat([]bool{true}, len(def.Columns))
	for i := range old.Columns {
		if at := place(i); at >= 0 {
			stale[at] = redefined(&old.Columns[i], &def.Columns[at])
		}
	}
	for i := range def.Columns { // a generated column is made of those before it, and of plain ones
		c := &def.Columns[i]
		switch {
		case c.Generated == "":
		case strings.EqualFold(c.Name, w.made):
			stale[i] = true
		case slices.ContainsFunc(w.later, sameName(c.Name)) || w.made != "" && c.System && !inKey(def, i):
			stale[i] = false
		default:
			stale[i] = stale[i] || slices.ContainsFunc(tabledef.ColumnsIn(c.Generated), func(n string) bool { return w.staleValue(stale, n) })
		}
	}
	return stale
}

// redefined tells whether a column may have other values than the one it was.
func redefined(a, b *catalog.Column) bool {
	was, is := a.Column, b.Column
	if b.Generated == "" { // a NULL is found when the value is copied
		was.Nullable = is.Nullable
	}
	return was != is || a.SQLType != b.SQLType || !tabledef.SameSRID(a.SRID, b.SRID) || a.Generated != b.Generated || a.Virtual != b.Virtual
}

// staleValue tells whether a column of a name has other values than before.
func (w *rewriter) staleValue(stale []bool, name string) bool {
	at := w.picture.Find(name)
	return at >= 0 && stale[at]
}

// inKey tells whether an index has a column.
func inKey(def *catalog.Table, column int) bool {
	return slices.ContainsFunc(def.Indexes, func(x *catalog.Index) bool {
		return slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return p.Column == column })
	})
}

// definedLater are the columns that an ALTER TABLE defines anew behind the part that defines made.
// The expressions that they have now may not fit the other columns.
func definedLater(n ast.Statement, made string) (names []string) {
	tree, ok := n.(*ast.AlterTable)
	if !ok {
		return nil
	}
	passed := false
	for _, a := range tree.Actions {
		c, ok := a.(*ast.ChangeColumn)
		switch {
		case !ok:
		case passed:
			names = append(names, c.Def.Name.Name, c.Old.Name)
		default:
			passed = strings.EqualFold(c.Def.Name.Name, made)
		}
	}
	return names
}

func sameName(name string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(name, other) }
}

// readBy adds the columns that an expression reads.
func (w *rewriter) readBy(columns []int, text string) []int {
	for _, name := range tabledef.ColumnsIn(text) {
		if at := w.picture.Find(name); at >= 0 && !slices.Contains(columns, at) {
			columns = append(columns, at)
		}
	}
	return columns
}

// planFormulas plans the texts of the formulas over the new table.
func (w *rewriter) planFormulas(ctx *sql.Context, schema sql.Schema, texts []*sql.ColumnDefaultValue) error {
	if len(texts) == 0 {
		return nil
	}
	planned := schema.Copy()
	for i, f := range w.formulas {
		if f.check == "" {
			planned[f.at].Generated = texts[i]
			continue
		}
		planned = append(planned, &sql.Column{Name: "\x00" + f.check, Source: schema[0].Source, DatabaseSource: schema[0].DatabaseSource, Nullable: true,
			Type: types.Boolean, Generated: texts[i]})
	}
	resolved := w.planner.ResolveSchemaDefaults(w.t.Def.Database, w.picture.Name, planned)
	checks := len(schema)
	for i := range w.formulas {
		f := &w.formulas[i]
		at := f.at
		if f.check != "" {
			at = checks
			checks++
		}
		var err error
		if f.expr, err = w.asRun(ctx, resolved[at].Generated.Expr); err != nil {
			return err
		}
		f.list = tabledef.IsList(f.expr)
		if f.check == "" && schema[at].HiddenSystem && !f.list {
			if err := w.retype(ctx, at, resolved[at].Generated); err != nil {
				return err
			}
		}
	}
	return nil
}

// retype gives the hidden column of a functional key the type that its expression has now.
func (w *rewriter) retype(ctx *sql.Context, at int, made *sql.ColumnDefaultValue) (err error) {
	def := w.picture.Def
	c := w.picture.Columns[at]
	c.Type, c.Generated = made.Expr.Type(ctx), made
	typed, err := newColumnOf(ctx, &c, def)
	if err != nil {
		return err
	}
	old := &def.Columns[at]
	if old.SQLType == typed.SQLType && old.Collation == typed.Collation {
		return nil
	}
	old.Column, old.SQLType = typed.Column, typed.SQLType
	w.picture, err = tabledef.NewTableDef(def, w.t.Def.Database)
	return err
}

// asRun is a planned expression whose fields are the columns of the new table.
func (w *rewriter) asRun(ctx *sql.Context, e sql.Expression) (sql.Expression, error) {
	exprs, err := trees.AsRun(ctx, []sql.Expression{e})
	if err != nil {
		return nil, err
	}
	e, _, err = transform.Expr(ctx, exprs[0], func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if f, ok := e.(*expression.GetField); ok {
			return f.WithIndex(w.picture.Find(f.Name())), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	return e, err
}

// computed makes the values of the formulas of a row.
func (w *rewriter) computed(ctx *sql.Context, vals []row.Value) error {
	if len(w.formulas) == 0 {
		return nil
	}
	for _, f := range w.formulas {
		if f.check == "" {
			vals[f.at] = row.NullValue
		}
	}
	r := make(sql.Row, len(vals))
	for _, at := range w.reads {
		if err := w.read(r, vals, at); err != nil {
			return err
		}
	}
	before := ctx.Session.WarningCount()
	for i := range w.formulas {
		f := &w.formulas[i]
		if f.check != "" {
			if err := f.hold(ctx, r); err != nil {
				return err
			}
			continue
		}
		var err error
		if vals[f.at], err = w.generated(ctx, f, r); err != nil {
			return err
		}
		if err := w.storer.Warned(ctx, before); err != nil {
			return err
		}
		if err := w.read(r, vals, f.at); err != nil {
			return err
		}
	}
	return nil
}

// read makes a value of the library's of one of the engine's.
func (w *rewriter) read(r sql.Row, vals []row.Value, at int) (err error) {
	if w.picture.Def.Columns[at].Elements == 0 {
		r[at], err = w.picture.Codecs[at].Decode(w.t.S.Zone(), vals[at])
	}
	return err
}

// generated is the value of a generated column, as an INSERT stores it.
func (w *rewriter) generated(ctx *sql.Context, f *formula, r sql.Row) (row.Value, error) {
	v, err := f.expr.Eval(ctx, r)
	if err != nil {
		return row.NullValue, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil || v == nil {
		return row.NullValue, err
	}
	if !f.list {
		if v, err = w.storer.Given(ctx, &w.picture.Columns[f.at], f.expr.Type(ctx), v); err != nil {
			return row.NullValue, err
		}
	}
	return w.picture.Codecs[f.at].Encode(ctx, v)
}

// hold holds a row against a CHECK.
func (f *formula) hold(ctx *sql.Context, r sql.Row) error {
	res, err := sql.EvaluateCondition(ctx, f.expr, r)
	if err == nil && sql.IsFalse(res) {
		err = sql.ErrCheckConstraintViolated.New(f.check)
	}
	return err
}
