package compiled

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sqllayer"
)

func (c *compiler) insert(n *ast.Insert) {
	p := c.p
	replace := strings.EqualFold(n.Action, ast.ReplaceStr)
	need(replace || strings.EqualFold(n.Action, ast.InsertStr))
	need(n.With == nil && len(n.Partitions) == 0 && len(n.Returning) == 0 && len(n.Comments) == 0)
	c.at = ByTable
	c.named(n.Table)
	c.need(sql.PrivilegeType_Insert)
	p.verb, p.autoInc = verbInsert, p.def.AutoInc
	switch {
	case replace:
		need(n.Ignore == "" && len(n.OnDup) == 0)
		if p.duplicate = dupReplace; len(p.info.Referenced) == 0 { // else MySQL deletes rows in the way
			p.lastUnique = sqllayer.LastUnique(p.def)
		}
		c.need(sql.PrivilegeType_Insert, sql.PrivilegeType_Delete)
	case len(n.OnDup) > 0:
		need(n.Ignore == "")
		p.duplicate = dupUpdate
		c.need(sql.PrivilegeType_Insert, sql.PrivilegeType_Update, sql.PrivilegeType_Select)
	case n.Ignore != "":
		p.duplicate = dupIgnore
	}
	values, ok := n.Rows.(*ast.AliasedValues)
	if c.at = ByExpression; !ok {
		c.at = BySubquery
		giveUp()
	}
	need(len(values.Columns) == 0 && (values.As.IsEmpty() || p.duplicate == dupUpdate))
	c.inserted = values.As.String()
	need(!strings.EqualFold(c.inserted, p.name))
	columns := make([]int, 0, len(p.cols))
	for _, name := range n.Columns {
		col := c.find(name.String())
		need(!slices.Contains(columns, col))
		columns = append(columns, col)
	}
	if len(n.Columns) == 0 && len(values.Values) > 0 && len(values.Values[0]) > 0 { // not VALUES ()
		for i := range p.cols {
			if p.def.Columns[i].Listed() {
				columns = append(columns, i)
			}
		}
	}
	defaults := make([]rowValue, len(p.cols))
	for i := range p.cols {
		if !slices.Contains(columns, i) {
			defaults[i] = c.defaultOf(i)
		}
	}
	for _, v := range values.Values {
		need(len(v) == len(columns))
		r := slices.Clone(defaults)
		for i, e := range v {
			c.ungenerated(columns[i], e)
			r[columns[i]] = c.rowValue(columns[i], e)
			need(columns[i] != p.autoInc || r[columns[i]].scalar == nil) // LAST_INSERT_ID() is GMS's affair then
		}
		p.rows = append(p.rows, r)
	}
	need(len(p.rows) > 0)
	c.rowsOfText(values.Values, columns)
	p.keepZero = strings.Contains(strings.ToUpper(c.src.Session.Text("sql_mode")), "NO_AUTO_VALUE_ON_ZERO")
	for _, a := range n.OnDup {
		c.assign(a)
	}
	if p.duplicate == dupUpdate {
		c.onUpdate()
	}
	c.changes()
}

// rowsOfText takes the one row of the key that stands for many of the text, see bulk.go.
func (c *compiler) rowsOfText(rows ast.Values, columns []int) {
	if c.bulk == 0 {
		return
	}
	p := c.p
	need(len(rows) == 1 && len(columns) == c.bulk)
	p.bulk, p.defaults = columns, make([]rowValue, len(p.cols))
	for i, col := range columns {
		o := p.rows[0][col].operand
		need(p.rows[0][col].scalar == nil && !p.rows[0][col].later && o.param == i && !o.negative)
		p.defaults[col] = c.knownDefault(col)
	}
}

// knownDefault is defaultOf for a value that may never be asked for.
func (c *compiler) knownDefault(col int) (v rowValue) {
	defer func() {
		if e := recover(); e != nil {
			if e != errNotMine {
				panic(e)
			}
			v = rowValue{none: true}
		}
	}()
	return c.defaultOf(col)
}

// rowValue takes a value of VALUES.
func (c *compiler) rowValue(col int, e ast.Expr) rowValue {
	if d, ok := e.(*ast.Default); ok {
		need(d.ColName == "")
		return c.defaultOf(col)
	}
	if s := c.scalar(e, false); s.kind != scalarOperand {
		return rowValue{scalar: s}
	} else {
		return rowValue{operand: s.operand}
	}
}

// defaultOf is the value of a column that INSERT does not name.
func (c *compiler) defaultOf(col int) rowValue {
	d := &c.p.def.Columns[col]
	switch {
	case d.Generated != "":
		return rowValue{later: true}
	case col == c.p.def.AutoInc:
		return rowValue{operand: operand{param: -1}}
	case !d.HasDefault:
		need(d.Nullable && !d.Required)
		return rowValue{operand: operand{param: -1}}
	}
	e, err := parseExpr(d.Default)
	need(err == nil)
	s := c.scalar(e, false)
	if s.kind == scalarNow {
		return rowValue{scalar: s}
	}
	need(d.Literal && s.kind == scalarOperand && s.operand.param < 0)
	o := s.operand
	if o.value.Kind == KindNull {
		need(d.Nullable)
		return rowValue{operand: o}
	}
	// The text of a default may be in quotes whatever the column's type is.
	switch c.p.cols[col].Type {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32, row.TUint64, row.TDecimal:
		if o.value.Kind == KindString {
			text := string(o.value.B)
			e, err := parseExpr(text)
			need(err == nil && text != "" && (isDigit(text[0]) || text[0] == '-'))
			o = c.operand(e)
			need(o.param < 0)
		}
	}
	return rowValue{operand: o}
}

// onUpdate compiles ON UPDATE CURRENT_TIMESTAMP of columns the statement does not set.
func (c *compiler) onUpdate() {
	p := c.p
	for i := range p.def.Columns {
		text := p.def.Columns[i].OnUpdate
		if text == "" || slices.ContainsFunc(p.sets, func(a assignment) bool { return a.col == i }) {
			continue
		}
		e, err := parseExpr(text)
		need(err == nil)
		s := c.scalar(e, false)
		need(s.kind == scalarNow)
		p.derived = append(p.derived, assignment{col: i, from: -1, scalar: s})
	}
}

func (c *compiler) update(n *ast.Update) {
	p := c.p
	need(n.Ignore == "" && n.With == nil && len(n.Returning) == 0 && len(n.Comments) == 0)
	c.table(n.TableExprs)
	c.need(sql.PrivilegeType_Update, sql.PrivilegeType_Select)
	p.verb, p.lock = verbUpdate, table.Exclusive
	c.at = ByExpression
	for _, e := range n.Exprs {
		c.assign(e)
	}
	c.onUpdate()
	c.changes()
	c.at = ByExpression
	c.conditions(n.Where)
	c.someRows(n.OrderBy, n.Limit)
}

// someRows takes ORDER BY and LIMIT of UPDATE and DELETE: an index must give the order.
func (c *compiler) someRows(by ast.OrderBy, limit *ast.Limit) {
	c.at = ByOrder
	need(limit == nil || limit.Offset == nil)
	c.limit(limit)
	need(c.p.choosePath(c.orderBy(by)))
	c.needNoSpans()
	c.triedColumns()
	p := c.p
	p.computes = slices.ContainsFunc(p.sets, func(a assignment) bool { return a.formula > 0 }) ||
		slices.ContainsFunc(p.where, func(w cond) bool { return w.formula >= 0 })
}

// triedColumns finds the columns that tell whether a row is changed: the others are read of rows
// that are.
func (c *compiler) triedColumns() {
	p := c.p
	if len(p.tables) > 1 {
		return
	}
	s := &p.tables[0]
	s.tried = []int{}
	for i := range p.where {
		for _, col := range p.condColumns(i) {
			if col >= 0 && !slices.Contains(s.tried, p.cols[col].pos) {
				s.tried = append(s.tried, p.cols[col].pos)
			}
		}
	}
}

func (c *compiler) assign(e *ast.AssignmentExpr) {
	p := c.p
	need(c.inserted == "" || !strings.EqualFold(e.Name.Qualifier.Name.String(), c.inserted))
	a := assignment{col: c.column(e.Name), from: -1}
	c.ungenerated(a.col, e.Expr)
	for _, other := range p.sets {
		need(other.col != a.col)
	}
	var s *scalar
	if !c.attempt(func() { s = c.scalar(e.Expr, true) }) {
		need(p.verb == verbUpdate)
		a.formula = c.formula(e.Expr) + 1
		p.sets = append(p.sets, a)
		return
	}
	switch {
	case s.kind == scalarOperand:
		a.val = s.operand
	case s.adds() && c.whole(s.a.col) && c.whole(a.col):
		a.from, a.sub, a.val = s.a.col, s.op == ast.MinusStr, s.b.operand
		a.scalar = s // where the operand is no integer
	default:
		a.scalar = s
	}
	p.sets = append(p.sets, a)
}

// adds tells column + operand and column - operand.
func (s *scalar) adds() bool {
	return s.kind == scalarArithmetic && (s.op == ast.PlusStr || s.op == ast.MinusStr) && s.a.kind == scalarColumn && s.b.kind == scalarOperand
}

// whole tells columns whose sums are computed without the SQL layer.
func (c *compiler) whole(col int) bool {
	switch c.p.cols[col].Type {
	case row.TInt8, row.TInt16, row.TInt24, row.TInt32, row.TInt64, row.TUint8, row.TUint16, row.TUint24, row.TUint32:
		return true
	}
	return false
}

func (c *compiler) delete(n *ast.Delete) {
	p := c.p
	need(n.With == nil && len(n.Targets) == 0 && len(n.Partitions) == 0 && len(n.Returning) == 0 && len(n.Comments) == 0)
	c.table(n.TableExprs)
	c.need(sql.PrivilegeType_Delete, sql.PrivilegeType_Select)
	p.verb, p.lock = verbDelete, table.Exclusive
	c.deletes()
	c.at = ByExpression
	c.conditions(n.Where)
	c.someRows(n.OrderBy, n.Limit)
}

// deletes takes what the table asks of rows that are deleted.
func (c *compiler) deletes() {
	c.at = ByConstraint
	need(!c.p.info.Watched && len(c.p.info.Referenced) == 0)
	c.triggers()
}
