// Package resolve writes into a parsed query what its names mean: every column gets its table and
// schema, * becomes the columns it stands for, every item of a select list gets its name. Printed
// in canonical form (ast.Options.Canonical), such a query is the text that MySQL shows of views and
// in the notes of EXPLAIN.
//
//	resolve.go  Query, Statement; queries, blocks and common tables
//	from.go     FROM: tables, joins, and what * stands for
//	name.go     columns, and the names that ORDER BY, GROUP BY and HAVING may use instead
//	bare.go     the same text without schemas
//
// The tree that is resolved is changed, so it must be the caller's own: parsed for this purpose.
// A name that no table has stays as it is; it may be a variable of a stored program. Nothing here
// checks a statement: what is resolved has been accepted before.
package resolve

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// Column is a column of a table.
type Column struct {
	Name   string
	Hidden bool // * does not stand for it
}

// Catalog knows the tables of the server.
type Catalog interface {
	// Columns returns the columns of a table or view, or false if there is none.
	Columns(schema, table string) ([]Column, bool)
}

// Options say how a statement is resolved.
type Options struct {
	Catalog Catalog
	Schema  string // the current database
	Text    string // that the tree was read from
	Charset string // of the connection, to which CAST AS CHAR converts
	View    bool   // a view is defined: items whose text is no name of a column are called Name_exp_1 and so on
}

// resolver resolves one statement.
type resolver struct {
	Options
	blocks  map[*ast.Select]int
	unnamed map[ast.Expr]bool // expressions of select lists that have no alias
}

// Query resolves a query and returns the numbers of its blocks.
func Query(q *ast.Query, o Options) (map[*ast.Select]int, error) {
	r := &resolver{Options: o, blocks: make(map[*ast.Select]int), unnamed: make(map[ast.Expr]bool)}
	r.number(q)
	_, err := r.query(nil, q, true)
	if o.View && err == nil {
		r.uniqueNames(q)
	}
	return r.blocks, err
}

// Statement resolves a query, an INSERT, UPDATE or DELETE, and returns the numbers of its query
// blocks.
func Statement(n ast.Statement, o Options) (map[*ast.Select]int, error) {
	r := &resolver{Options: o, blocks: make(map[*ast.Select]int)}
	var err error
	switch n := n.(type) {
	case *ast.Query:
		return Query(n, o)
	case *ast.Insert:
		err = r.insert(n)
	case *ast.Update:
		err = r.update(n)
	case *ast.Delete:
		err = r.delete(n)
	}
	return r.blocks, err
}

// number gives numbers to the blocks of a statement, in the order of their texts.
func (r *resolver) number(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if b, ok := n.(*ast.Select); ok {
			r.blocks[b] = len(r.blocks) + 1
		}
		return true
	})
}

// scope is where the names of a query are looked for: in its own tables, then in those of the
// queries around it.
type scope struct {
	parent *scope
	tables []*table
	items  []ast.SelectItem // of the block
	with   []*common
	self   *common // the recursive table that the query defines
}

// common is a common table.
type common struct {
	name    string
	columns []Column
}

// query resolves a query. Items get their names unless the query is an operand, whose columns have
// none.
func (r *resolver) query(parent *scope, q *ast.Query, named bool) (columns []Column, err error) {
	s := &scope{parent: parent}
	if q.With != nil {
		if err := r.with(s, q.With); err != nil {
			return nil, err
		}
	}
	return r.queryIn(s, q, named)
}

// queryIn resolves a query whose common tables are in the scope.
func (r *resolver) queryIn(s *scope, q *ast.Query, named bool) (columns []Column, err error) {
	if r.View {
		q.Locks = nil
	}
	order := q.OrderBy
	if _, ok := q.Body.(*ast.Select); !ok {
		order = nil // names columns of the result
	}
	if q.Body, columns, err = r.body(s, q.Body, order, named); err == nil && order == nil {
		byNumber(q.OrderBy, columns)
	}
	return columns, err
}

// byNumber puts names of columns of a result in the place of their numbers.
func byNumber(keys []ast.OrderItem, columns []Column) {
	for i := range keys {
		if l, ok := keys[i].X.(*ast.Literal); ok && l.Kind == ast.IntLiteral {
			if n, err := strconv.Atoi(l.Text); err == nil && n > 0 && n <= len(columns) {
				keys[i].X = &ast.Column{Name: ident(columns[n-1].Name)}
			}
		}
	}
}

// with resolves common tables; each sees those before it, and itself in WITH RECURSIVE.
func (r *resolver) with(s *scope, w *ast.With) error {
	for i := range w.Tables {
		t := &w.Tables[i]
		in, c := &scope{parent: s}, &common{name: t.Name.Name}
		for _, name := range t.Columns {
			c.columns = append(c.columns, Column{Name: name.Name})
		}
		if w.Recursive {
			in.with, in.self = []*common{c}, c
		}
		columns, err := r.query(in, t.Query, true)
		if err != nil {
			return err
		}
		if c.columns == nil || len(t.Columns) == 0 {
			c.columns = columns
		}
		s.with = append(s.with, c)
	}
	return nil
}

// body resolves what a query is made of.
func (r *resolver) body(s *scope, b ast.QueryBody, order []ast.OrderItem, named bool) (ast.QueryBody, []Column, error) {
	switch b := b.(type) {
	case *ast.Select:
		columns, err := r.block(s, b, order, named)
		return b, columns, err
	case *ast.Table:
		all := &ast.Select{Span: b.Span, Items: []ast.SelectItem{{Span: b.Span, X: &ast.Star{Span: b.Span}}}, From: []ast.TableRef{&ast.TableSource{Span: b.Span, Name: b.Name}}}
		r.blocks[all] = len(r.blocks) + 1
		columns, err := r.block(s, all, order, named)
		return all, columns, err
	case *ast.SetOp:
		if l, ok := b.L.(*ast.SetOp); ok && b.Op == ast.Union && l.Op == ast.Union && b.Quant != ast.SetAll {
			l.Quant = ast.SetDistinct // what is one before stays one
		}
		var columns []Column
		var err error
		if b.L, columns, err = r.body(&scope{parent: s}, b.L, nil, named); err != nil {
			return b, nil, err
		}
		for at := s; at != nil; at = at.parent {
			if at.self != nil && at.self.columns == nil {
				at.self.columns = columns
			}
		}
		b.R, _, err = r.body(&scope{parent: s}, b.R, nil, named)
		return b, columns, err
	case *ast.Query:
		columns, err := r.query(s, b, named)
		return b, columns, err
	case *ast.Values:
		var columns []Column
		for i := range b.Rows {
			if err := r.expr(s, &b.Rows[i], nowhere); err != nil {
				return b, nil, err
			}
		}
		for i := range b.Rows[0].Items {
			columns = append(columns, Column{Name: fmt.Sprintf("column_%d", i)})
		}
		return b, columns, nil
	}
	return b, nil, nil
}

// block resolves one SELECT, and the ORDER BY behind it.
func (r *resolver) block(s *scope, b *ast.Select, order []ast.OrderItem, named bool) ([]Column, error) {
	stars, err := r.from(s, b)
	if err != nil {
		return nil, err
	}
	if b.Items, err = r.items(s, b.Items, stars, named); err != nil {
		return nil, err
	}
	s.items = b.Items
	if b.Where != nil {
		err = r.expr(s, b.Where, nowhere)
	}
	if b.Having != nil && err == nil {
		err = r.expr(s, b.Having, inOrder)
	}
	for i := range b.Windows {
		if err == nil {
			err = r.expr(s, &b.Windows[i], nowhere)
		}
	}
	if b.GroupBy != nil && err == nil && b.GroupBy.Rollup == ast.NoRollup {
		err = r.keys(s, b.GroupBy.Items, inGroup)
	} else if b.GroupBy != nil && err == nil {
		err = r.expr(s, b.GroupBy, inGroup)
	}
	if err == nil {
		err = r.keys(s, order, inOrder)
	}
	if err != nil {
		return nil, err
	}
	columns := make([]Column, len(b.Items))
	for i := range b.Items {
		if columns[i].Name = b.Items[i].Alias.Name; !b.Items[i].Alias.Given() {
			columns[i].Name = r.itemName(&b.Items[i], i)
		}
	}
	return columns, nil
}

// items resolves a select list, in which stars become columns.
func (r *resolver) items(s *scope, items []ast.SelectItem, stars []star, named bool) (out []ast.SelectItem, err error) {
	for i := range items {
		it := items[i]
		if all, ok := it.X.(*ast.Star); ok {
			out = append(out, s.expand(all, stars, named)...)
			continue
		}
		if named && !it.Alias.Given() {
			it.Alias = ident(r.itemName(&it, len(out)))
			if _, column := it.X.(*ast.Column); !column && r.View {
				r.unnamed[it.X] = true
			}
		}
		if err := r.expr(s, it.X, nowhere); err != nil {
			return nil, err
		}
		out = append(out, it)
	}
	return out, nil
}

// longestName is how many characters the name of a column may have.
const longestName = 64

// itemName is the name of an item without an alias: that of a column, the characters of a string,
// the text of another expression.
func (r *resolver) itemName(it *ast.SelectItem, at int) string {
	name := ""
	switch x := it.X.(type) {
	case *ast.Column:
		return x.Name.Name
	case *ast.Literal:
		switch x.Kind {
		case ast.StringLiteral:
			name = strings.TrimLeft(x.Text, " ")
		case ast.NullLiteral:
			name = "NULL"
		}
	}
	if from, to := it.Pos(), it.End(); name == "" && from < to && to <= len(r.Text) {
		if l, ok := it.X.(*ast.Literal); !ok || l.Kind != ast.StringLiteral {
			name = r.Text[from:to]
		}
	}
	if r.View && (name == "" || strings.HasSuffix(name, " ") || utf8.RuneCountInString(name) > longestName) {
		return fmt.Sprintf("Name_exp_%d", at+1)
	}
	return name
}

// ident is a name that no text was read for.
func ident(name string) ast.Ident { return ast.Ident{Span: token.Span{To: 1}, Name: name} }

// insert resolves INSERT and REPLACE.
func (r *resolver) insert(n *ast.Insert) error {
	r.number(n)
	r.schema(&n.Table)
	s := &scope{}
	t := r.tableOf(&ast.TableSource{Name: n.Table})
	s.tables = []*table{t}
	for _, c := range n.Columns {
		s.column(c, nowhere)
	}
	for i := range n.Rows {
		if err := r.expr(s, &n.Rows[i], nowhere); err != nil {
			return err
		}
	}
	if n.Query != nil {
		if _, err := r.query(nil, n.Query, true); err != nil {
			return err
		}
	}
	for _, list := range [][]ast.Assign{n.Set, n.OnConflict} {
		for i := range list {
			if err := r.expr(s, &list[i], nowhere); err != nil {
				return err
			}
		}
	}
	return nil
}

// update resolves UPDATE.
func (r *resolver) update(n *ast.Update) error {
	r.number(n)
	s := &scope{}
	if n.With != nil {
		if err := r.with(s, n.With); err != nil {
			return err
		}
	}
	b := &ast.Select{From: n.Tables}
	if _, err := r.from(s, b); err != nil {
		return err
	}
	n.Tables = b.From
	for i := range n.Set {
		if err := r.expr(s, &n.Set[i], nowhere); err != nil {
			return err
		}
	}
	return r.rest(s, n.Where, n.OrderBy)
}

// rest resolves what stands behind the tables of UPDATE and DELETE.
func (r *resolver) rest(s *scope, where ast.Expr, order []ast.OrderItem) error {
	if where != nil {
		if err := r.expr(s, where, nowhere); err != nil {
			return err
		}
	}
	for i := range order {
		if err := r.expr(s, &order[i], nowhere); err != nil {
			return err
		}
	}
	return nil
}

// delete resolves DELETE.
func (r *resolver) delete(n *ast.Delete) error {
	r.number(n)
	s := &scope{}
	if n.With != nil {
		if err := r.with(s, n.With); err != nil {
			return err
		}
	}
	if n.Source == nil {
		for i := range n.Targets {
			t := &n.Targets[i]
			r.schema(&t.Name)
			s.tables = append(s.tables, r.tableOf(&ast.TableSource{Name: t.Name, Alias: t.Alias}))
		}
		return r.rest(s, n.Where, n.OrderBy)
	}
	b := &ast.Select{From: n.Source}
	if _, err := r.from(s, b); err != nil {
		return err
	}
	n.Source = b.From
	for i := range n.Targets {
		t := &n.Targets[i]
		for _, found := range s.tables {
			if strings.EqualFold(found.name.Name.Name, t.Name.Name.Name) && !t.Name.Schema.Given() {
				t.Name.Schema = found.name.Schema
			}
		}
	}
	return r.rest(s, n.Where, n.OrderBy)
}
