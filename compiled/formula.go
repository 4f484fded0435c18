package compiled

import (
	"bytes"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
)

// A formula is an expression of the statement that GMS evaluates: a condition of WHERE that is no
// plain comparison, a column of the result that is computed. GMS's planner makes the trees out of
// the text of the expressions, with the literals of the execution; a session keeps those it made
// last. The next execution gets them back, with other literals put in if it has others of the same
// types.
//
// Only expressions whose value depends on nothing but the row and the literals are taken.
type formula struct {
	text   string
	tables tables
	cols   []int // columns it reads
	params []int // parameters
	dates  []dated
}

// dated is a comparison of a column of dates with an operand that has to be one: GMS's planner
// refuses others where no row is looked at.
type dated struct {
	col   int
	value operand
}

// maxFormulas bounds what is evaluated for a row.
const maxFormulas = 32

// pure are the functions that formulas may call.
var pure = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`abs ceil ceiling floor round sign mod truncate pow power sqrt length char_length character_length octet_length bit_length
		lower lcase upper ucase concat concat_ws substring substr left right trim ltrim rtrim replace reverse locate instr lpad rpad repeat ascii hex
		ifnull coalesce nullif if isnull greatest least field elt find_in_set
		year month day dayofmonth dayofyear dayofweek weekday quarter hour minute second date datediff date_format
		json_extract json_unquote json_length json_type json_contains json_valid`) {
		m[name] = true
	}
	return m
}()

// formula adds an expression.
func (c *compiler) formula(e ast.Expr) int {
	p := c.p
	need(len(p.formulas) < maxFormulas)
	p.formulas = append(p.formulas, c.examine(e, false))
	return len(p.formulas) - 1
}

// examine makes a formula of an expression; grouped: functions over rows may be called.
func (c *compiler) examine(e ast.Expr, grouped bool) (f formula) {
	p := c.p
	err := ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			at := c.column(n)
			f.tables |= 1 << p.cols[at].table
			if !slices.Contains(f.cols, at) {
				f.cols = append(f.cols, at)
			}
			if !c.stored { // a table of a subquery may have a column of that name
				n.Qualifier.Name = ast.NewTableIdent(p.tables[p.cols[at].table].alias)
			}
			return false, nil
		case *ast.SQLVal:
			if n.Type == ast.ValArg {
				f.params = append(f.params, c.operand(n).param)
			}
		case *ast.FuncExpr:
			need(n.Over == nil && n.Qualifier.IsEmpty() && (pure[n.Name.Lowered()] && !n.Distinct || grouped && callable[n.Name.Lowered()]))
		case *ast.StarExpr:
			need(grouped && n.TableName.IsEmpty())
			return false, nil
		case *ast.ComparisonExpr:
			_, list := n.Right.(ast.ValTuple)
			need(!list || c.stored || !c.text(n.Left)) // GMS's lists of words are not its planner's where they choose rows
			c.dated(&f, n.Left, n.Right)
			c.dated(&f, n.Right, n.Left)
		case *ast.RangeCond:
			c.dated(&f, n.Left, n.From)
			c.dated(&f, n.Left, n.To)
		case *ast.UnaryExpr:
			need(n.Operator == ast.UMinusStr || n.Operator == ast.UPlusStr || n.Operator == ast.BangStr)
		case *ast.AndExpr, *ast.OrExpr, *ast.XorExpr, *ast.NotExpr, *ast.ParenExpr, *ast.IsExpr, *ast.NullVal, ast.BoolVal, ast.ValTuple,
			*ast.BinaryExpr, *ast.CaseExpr, *ast.When, *ast.SubstrExpr, *ast.TrimExpr, *ast.AliasedExpr, ast.SelectExprs, ast.Exprs, ast.ColIdent, ast.TableIdent, *ast.Over:
		case *ast.Subquery, *ast.ExistsExpr:
			c.at = BySubquery
			giveUp()
		default:
			giveUp()
		}
		return true, nil
	}, e)
	need(err == nil)
	f.text = ast.String(e)
	return f
}

// dated notes a comparison of a column of dates with a literal.
func (c *compiler) dated(f *formula, col, value ast.Expr) {
	name, ok := col.(*ast.ColName)
	if !ok {
		return
	}
	at := c.column(name)
	switch c.p.cols[at].Type {
	case row.TDate, row.TDateTime, row.TTimestamp:
		c.attempt(func() { f.dates = append(f.dates, dated{at, c.operand(value)}) })
	}
}

// text tells expressions that may be words.
func (c *compiler) text(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ColName:
		return !c.p.cols[c.column(e)].Type.Integer()
	case *ast.ParenExpr:
		return c.text(e.Expr)
	}
	return true
}

// formulaText is a SELECT of the formulas, for GMS's planner.
func (p *Program) formulaText() string {
	var b strings.Builder
	b.WriteString("SELECT ")
	for i := range p.formulas {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.formulas[i].text)
	}
	p.writeFrom(&b)
	return b.String()
}

// gathered notes what all formulas ask for.
func (p *Program) gathered() {
	for i := range p.formulas {
		p.marks, p.dates = append(p.marks, p.formulas[i].params...), append(p.dates, p.formulas[i].dates...)
	}
	if p.grouping != nil {
		p.marks, p.dates = append(p.marks, p.grouping.of.params...), append(p.dates, p.grouping.of.dates...)
	}
}

// writeFrom writes the FROM of what GMS's planner is given.
func (p *Program) writeFrom(b *strings.Builder) {
	b.WriteString(" FROM ")
	for i, at := range p.place {
		if i > 0 {
			b.WriteString(", ")
		}
		s := &p.tables[at]
		b.WriteString("`" + s.schema + "`.`" + s.name + "` AS `" + s.alias + "`")
	}
}

// binding is the trees of a program's formulas.
type binding struct {
	exprs    []sql.Expression            // formulas; calls, keys and list of groups
	types    []sql.Type                  // of each
	literals []map[string]sql.Expression // in the trees: of formulas, of groups
	params   []Param                     // of the literals
	mem      []byte
	row      sql.Row // the columns; of groups, the values of the calls behind them
	calls    int     // of groups: so many trees behind those of the formulas, then those of the keys, then the list
	keys     int
	refused  bool // GMS has to run it
}

// bindFormulas makes the trees for this execution.
func (x *Exec) bindFormulas() bool {
	p := x.p
	if len(p.formulas) == 0 && p.grouping == nil {
		return true
	}
	for _, d := range p.dates {
		if _, ok := x.operand(&p.cols[d.col], &d.value, false); !ok {
			return false
		}
	}
	b := x.bindings[p]
	if x.bound = b; b != nil && (b.refused || b.suits(p, x.params)) {
		return !b.refused
	}
	binds, ok := x.binds(p.marks)
	if !ok {
		return false
	}
	if b != nil && b.exchange(x, binds) {
		return true
	}
	b = &binding{row: make(sql.Row, len(p.cols))}
	if x.bindings == nil || len(x.bindings) >= maxBindings {
		x.bindings = make(map[*Program]*binding)
	}
	if !b.plan(x) || p.grouping != nil && !b.planGroups(x) {
		if b.refused {
			x.bindings[p] = b
		}
		return false
	}
	b.remember(p, x.params)
	x.bindings[p], x.bound = b, b
	return true
}

// binds makes literals of parameters.
func (x *Exec) binds(params []int) (binds map[string]ast.Expr, ok bool) {
	binds = make(map[string]ast.Expr, len(params))
	for _, n := range params {
		e, ok := x.params[n].literal()
		if !ok {
			return nil, false
		}
		binds[marker(n)] = e
	}
	return binds, true
}

// plan makes the trees of the formulas.
func (b *binding) plan(x *Exec) bool {
	p := x.p
	if len(p.formulas) == 0 {
		return true
	}
	var params []int
	for i := range p.formulas {
		params = append(params, p.formulas[i].params...)
	}
	binds, ok := x.binds(params)
	if !ok {
		return false
	}
	exprs, literals, err := x.session.Layer().Expressions(x.sc, p.formulaText(), binds)
	if err != nil || len(exprs) != len(p.formulas) {
		return false
	}
	b.literals = append(b.literals, literals)
	return b.add(x, exprs)
}

// add adds trees.
func (b *binding) add(x *Exec, exprs []sql.Expression) bool {
	for _, e := range exprs {
		e, ok := x.place(e)
		if b.refused = !ok; !ok {
			return false
		}
		b.exprs, b.types = append(b.exprs, e), append(b.types, e.Type(x.sc))
	}
	return true
}

// maxBindings bounds how many programs' trees a session keeps.
const maxBindings = 32

// place makes the columns of a tree those of the program.
func (x *Exec) place(e sql.Expression) (sql.Expression, bool) {
	ok := true
	out, _, err := transform.Expr(x.sc, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch f := e.(type) {
		case *expression.GetField:
			if f.Table() == "" && f.Index() >= len(x.p.cols) && x.p.grouping != nil {
				return e, transform.SameTree, nil // a function over rows
			}
			at := x.p.position(f.Table(), f.Name())
			ok = ok && at >= 0
			return f.WithIndex(at), transform.NewTree, nil
		case *expression.BindVar:
			ok = false
		}
		ok = ok && !readOtherwise(x.sc, e)
		return e, transform.SameTree, nil
	})
	return out, ok && err == nil
}

// position finds a column by the names GMS has given it, -1.
func (p *Program) position(table, name string) int {
	for i := range p.tables {
		s := &p.tables[i]
		if !strings.EqualFold(s.alias, table) {
			continue
		}
		for n := range s.def.Columns {
			if strings.EqualFold(s.def.Columns[n].Name, name) {
				return s.first + n
			}
		}
	}
	return -1
}

// suits tells whether the trees have these parameters already.
func (b *binding) suits(p *Program, params []Param) bool {
	for _, n := range p.marks {
		old, now := &b.params[n], &params[n]
		if old.Kind != now.Kind || old.N != now.N || !bytes.Equal(old.B, now.B) {
			return false
		}
	}
	return true
}

// exchange puts other literals of the same types into the trees; false if that cannot be.
func (b *binding) exchange(x *Exec, binds map[string]ast.Expr) bool {
	fresh, err := x.session.Layer().Literals(x.sc, binds)
	if err != nil {
		return false
	}
	change := make(map[sql.Expression]sql.Expression, len(fresh))
	literals := make([]map[string]sql.Expression, len(b.literals))
	for i, have := range b.literals {
		literals[i] = make(map[string]sql.Expression, len(have))
		for name, old := range have {
			e := fresh[name]
			if e == nil || !old.Type(x.sc).Equals(e.Type(x.sc)) {
				return false
			}
			change[old], literals[i][name] = e, e
		}
	}
	found := make(map[sql.Expression]bool, len(change))
	exprs := slices.Clone(b.exprs)
	for i, e := range exprs {
		exprs[i], _, err = transform.Expr(x.sc, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if _, ok := e.(*expression.Literal); ok && change[e] != nil {
				found[e] = true
				return change[e], transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		if err != nil {
			return false
		}
	}
	if len(found) != len(change) {
		return false // the planner has made something else of one of them
	}
	before := b.exprs
	if b.exprs = exprs; x.p.grouping != nil && !b.dependent(x) {
		b.exprs = before
		return false
	}
	b.literals = literals
	b.remember(x.p, x.params)
	return true
}

// remember keeps the parameters of the trees.
func (b *binding) remember(p *Program, params []Param) {
	b.params, b.mem = slices.Grow(b.params[:0], len(params))[:len(params)], b.mem[:0]
	for i := range params {
		from := len(b.mem)
		b.mem = append(b.mem, params[i].B...)
		b.params[i] = Param{Kind: params[i].Kind, N: params[i].N, B: b.mem[from:len(b.mem):len(b.mem)]}
	}
}

// evaluate evaluates a formula for the row under way.
func (x *Exec) evaluate(n int) (any, error) {
	b := x.bound
	for _, at := range x.p.formulas[n].cols {
		col := &x.p.cols[at]
		v, err := x.p.tables[x.p.place[col.table]].info.Decode(x.session.Zone(), col.pos, x.cur[at])
		if err != nil {
			return nil, err
		}
		b.row[at] = v
	}
	return b.exprs[n].Eval(x.sc, b.row)
}

// truth evaluates a formula as a condition. Whether a warning is the error of a statement that
// changes rows is for GMS to say.
func (x *Exec) truth(n int) (holds bool, err error) {
	if manyfold(x.bound.types[n]) {
		return false, errNotMine
	}
	v, err := x.evaluate(n)
	if err == nil && v != nil {
		holds, err = sql.ConvertToBool(x.sc, v)
	}
	if err == nil && x.p.Writes() && x.sc.Session.WarningCount() > 0 {
		return false, errNotMine
	}
	return holds, err
}

// boxed writes the value of a formula.
func (x *Exec) boxed(i, at int, it *item) error {
	v, err := x.evaluate(it.formula)
	if err != nil {
		return err
	}
	if v == nil {
		x.out.null(i, at)
		return nil
	}
	return x.out.computed(x.sc, x.bound.types[it.formula], it.wire, v)
}
