package compiled

import (
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// The tables of a statement. A SELECT of several is a nested loop: the first is read by a path of
// its own, each other one by index look-ups with values of those before it. A join without such
// look-ups is left to GMS, which has other ways.
//
//	a, b; a JOIN b ON ...     the conditions of ON are conditions of WHERE
//	a LEFT JOIN b ON ...      b is read behind the tables that ON names; ON decides what matches, WHERE is asked about what came of it
//	b RIGHT JOIN a ON ...     the same

// source is a table that a program reads.
type source struct {
	schema, name, alias string

	def    *catalog.Table
	info   *sqllayer.DirectTable
	first  int    // position of its first column among the program's
	outer  bool   // the side of a LEFT or RIGHT JOIN that may be missing: NULLs then
	behind tables // that are read earlier, as its ON names them
	exists exists // of a subquery

	paths  []path // the first is the best guess; where there are more, the sizes of their ranges decide when the program runs
	needed []int  // columns its scan reads; nil = all
	tried  []int  // of UPDATE and DELETE: columns that where looks at, read first; nil = all at once
	where  []int  // conditions on its rows
	then   []int  // of an outer table: conditions on what the join gives
}

// tables is a set of positions in the statement's FROM.
type tables uint32

const maxTables = 8

func (t tables) has(i int) bool   { return t&(1<<i) != 0 }
func (t tables) in(u tables) bool { return t&^u == 0 }

// on is the condition of a LEFT or RIGHT JOIN.
type on struct {
	expr  ast.Expr
	table int
	of    tables // those it joins
}

// from takes the FROM clause.
func (c *compiler) from(exprs ast.TableExprs) {
	for _, e := range exprs {
		c.tableExpr(e)
	}
	c.outer = len(c.p.tables)
	need(c.outer > 0 && c.outer <= maxTables)
	for i := range c.p.tables {
		for j := range i {
			need(!strings.EqualFold(c.p.tables[i].alias, c.p.tables[j].alias))
		}
	}
}

func (c *compiler) tableExpr(e ast.TableExpr) {
	switch t := e.(type) {
	case *ast.AliasedTableExpr:
		c.aliased(t)
	case *ast.ParenTableExpr:
		for _, e := range t.Exprs {
			c.tableExpr(e)
		}
	case *ast.JoinTableExpr:
		c.at = ByJoin
		need(len(t.Condition.Using) == 0)
		first := len(c.p.tables)
		c.tableExpr(t.LeftExpr)
		n := len(c.p.tables)
		c.tableExpr(t.RightExpr)
		all := len(c.p.tables)
		of := tables(1)<<all - tables(1)<<first
		switch t.Join {
		case ast.JoinStr:
			if t.Condition.On != nil {
				c.joined = append(c.joined, t.Condition.On)
			}
		case ast.LeftJoinStr:
			need(all == n+1 && t.Condition.On != nil)
			c.p.tables[n].outer = true
			c.ons = append(c.ons, on{t.Condition.On, n, of})
		case ast.RightJoinStr:
			need(n == first+1 && t.Condition.On != nil)
			c.p.tables[first].outer = true
			c.ons = append(c.ons, on{t.Condition.On, first, of})
		default:
			giveUp()
		}
	default:
		giveUp()
	}
}

func (c *compiler) aliased(t *ast.AliasedTableExpr) {
	need(t.Hints == nil && t.AsOf == nil && len(t.Partitions) == 0 && !t.Lateral)
	name, ok := t.Expr.(ast.TableName)
	if c.at = ByTable; !ok {
		c.at = BySubquery
		giveUp()
	}
	c.named(name)
	need(!c.p.tables[len(c.p.tables)-1].def.Outdated()) // rows found by such keys are to be compared again
	if !t.As.IsEmpty() {
		c.p.tables[len(c.p.tables)-1].alias = t.As.String()
	}
}

// table takes the one table a statement is about.
func (c *compiler) table(exprs ast.TableExprs) {
	need(len(exprs) == 1)
	t, ok := exprs[0].(*ast.AliasedTableExpr)
	need(ok)
	c.aliased(t)
}

// named adds a table.
func (c *compiler) named(name ast.TableName) {
	need(name.SchemaQualifier.IsEmpty())
	p := c.p
	s := source{schema: name.DbQualifier.String(), name: name.Name.String(), first: len(p.cols)}
	if s.schema == "" {
		s.schema = c.src.Database
	}
	need(s.schema != "" && s.name != "")
	s.alias = s.name
	layer := c.src.Session.Layer()
	eng := layer.StorageEngine()
	if len(p.tables) == 0 {
		p.dict.seen(eng.DictVersion())
	}
	s.def = definition(eng, s.schema, s.name)
	need(s.def != nil && !s.def.Temporary)
	var err error
	s.info, err = layer.DirectTable(c.ctx, s.def)
	need(err == nil)
	p.hides = p.hides || tabledef.HidesIndexes(s.def)
	for i := range s.def.Columns {
		col := &s.def.Columns[i]
		out := newColumn(col.Column, i, col.Name, s.info.Type(i))
		out.autoInc, out.table, out.pos = i == s.def.AutoInc, len(p.tables), i
		p.cols = append(p.cols, out)
	}
	if len(p.tables) == 0 {
		p.schema, p.name, p.def, p.info = s.schema, s.name, s.def, s.info
		p.keyless = len(s.def.Indexes[0].Parts) == 0
	}
	p.tables = append(p.tables, s)
}

// column finds a column of the tables.
func (c *compiler) column(n *ast.ColName) int {
	need(n.StoredProcVal == nil && n.Qualifier.SchemaQualifier.IsEmpty() && n.Qualifier.DbQualifier.IsEmpty())
	q, found := n.Qualifier.Name.String(), -1
	for i := range c.p.tables {
		if q != "" && !strings.EqualFold(q, c.p.tables[i].alias) || c.outer > 0 && i >= c.outer && i != c.inner {
			continue
		}
		if i == c.inner && i > 0 && c.columnOf(i, n.Name.String()) >= 0 {
			found = -1 // hides those of the statement around it
		}
		if at := c.columnOf(i, n.Name.String()); at >= 0 {
			need(found < 0)
			found = at
		}
	}
	need(found >= 0)
	c.unread(found)
	return found
}

// columnOf finds a column of a table by name, -1.
func (c *compiler) columnOf(table int, name string) int {
	s := &c.p.tables[table]
	for i := range s.def.Columns {
		if strings.EqualFold(s.def.Columns[i].Name, name) {
			return s.first + i
		}
	}
	return -1
}

// find finds a column of the one table.
func (c *compiler) find(name string) int {
	at := c.columnOf(0, name)
	need(at >= 0)
	return at
}

// choosePath finds the order in which the tables are read, and their paths. order is what the rows
// are wanted in: inOrder tells whether they come so.
func (p *Program) choosePath(order []row.KeyPart) (inOrder bool) {
	reading := make([]source, 0, len(p.tables))
	done := tables(0)
	p.place = make([]int, len(p.tables))
	for range p.tables {
		best, bestScore := -1, -1
		var paths []path
		for i := range p.tables {
			if done.has(i) || !p.tables[i].behind.in(done) || (p.tables[i].outer || p.tables[i].exists != everyRow) && done == 0 {
				continue
			}
			var wanted []row.KeyPart
			if done == 0 {
				wanted = p.within(i, order)
			}
			if found, score := p.choose(i, done, wanted); score > bestScore {
				best, bestScore, paths = i, score, found
			}
		}
		need(best >= 0 && (done == 0 || paths[0].looksUp()))
		p.tables[best].paths = paths
		p.place[best] = len(reading)
		reading = append(reading, p.tables[best])
		done |= 1 << best
	}
	p.tables = reading
	p.assignConditions()
	return len(order) == 0 || p.inOrder()
}

// needNoSpans leaves a table that would be read from end to end to GMS if that makes ranges of one
// of its indexes of an OR.
func (c *compiler) needNoSpans() {
	c.at = ByExpression
	s := &c.p.tables[0]
	need(s.paths[0].looksUp() || !slices.ContainsFunc(s.def.Indexes, func(idx *catalog.Index) bool {
		return idx.Kind == "" && !idx.Invisible && !idx.Building && len(idx.Parts) > 0 && slices.ContainsFunc(c.p.where, func(w cond) bool { return slices.Contains(w.spans, s.first+idx.Parts[0].Column) })
	}))
}

// within returns the order by columns of one table's own positions; nil if other tables are in it.
func (p *Program) within(table int, order []row.KeyPart) []row.KeyPart {
	var own []row.KeyPart
	for _, o := range order {
		if p.cols[o.Column].table != table {
			return nil
		}
		own = append(own, row.KeyPart{Column: p.cols[o.Column].pos, Desc: o.Desc})
	}
	return own
}

// assignConditions gives each condition to the first place where all it names is known.
func (p *Program) assignConditions() {
	for i := range p.where {
		w := &p.where[i]
		if w.twin {
			continue
		}
		at := 0
		for t := range p.place {
			if w.tables.has(t) {
				at = max(at, p.place[t])
			}
		}
		switch {
		case w.on >= 0:
			s := &p.tables[p.place[w.on]]
			s.where = append(s.where, i)
		case p.tables[at].outer:
			p.tables[at].then = append(p.tables[at].then, i)
		default:
			p.tables[at].where = append(p.tables[at].where, i)
		}
	}
}
