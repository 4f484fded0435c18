package resolve

import (
	"strconv"
	"strings"

	"emberdb/sql/ast"
)

// place says whether a column may be named by the alias of an item.
type place uint8

const (
	nowhere place = iota
	inOrder       // ORDER BY and HAVING: items before columns
	inGroup       // GROUP BY: columns before items
)

// expr resolves the columns and queries of an expression, or of a part of a block.
func (r *resolver) expr(s *scope, x ast.Node, at place) (err error) {
	ast.Inspect(x, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Query:
			_, err = r.query(s, n, false)
			return false
		case *ast.Exists:
			if b, ok := n.Query.Body.(*ast.Select); ok && len(b.Items) > 0 {
				if _, all := b.Items[0].X.(*ast.Star); all && len(b.Items) == 1 {
					b.Items = []ast.SelectItem{{X: &ast.Literal{Kind: ast.IntLiteral, Text: "1"}}}
				}
			}
		case *ast.Cast:
			if t := n.Type; t.Kind == ast.TypeChar && !t.Charset.Given() && !t.National && t.Shorthand == ast.NoCharsetWord && r.Charset != "" {
				n.Type.Charset = ident(r.Charset)
			}
		case *ast.Column:
			s.column(n, at)
		}
		return true
	})
	return err
}

// keys resolves the keys of GROUP BY and ORDER BY. One that is the number of an item, or the alias
// of a column, becomes what it stands for.
func (r *resolver) keys(s *scope, keys []ast.OrderItem, at place) error {
	for i := range keys {
		k := &keys[i]
		if l, ok := k.X.(*ast.Literal); ok && l.Kind == ast.IntLiteral {
			if n, err := strconv.Atoi(l.Text); err == nil && n > 0 && n <= len(s.items) {
				k.X = s.items[n-1].X
				continue
			}
		}
		if err := r.expr(s, k.X, at); err != nil {
			return err
		}
		c, ok := k.X.(*ast.Column)
		for j := range s.items {
			of, column := s.items[j].X.(*ast.Column)
			if ok && column && !c.Table.Given() && strings.EqualFold(c.Name.Name, s.items[j].Alias.Name) {
				k.X = of
			}
		}
	}
	return nil
}

// column writes the table and schema of a column into its name.
func (s *scope) column(n *ast.Column, at place) {
	if at == inOrder && s.named(n) {
		return
	}
	for in := s; in != nil; in = in.parent {
		if in.own(n) {
			return
		}
		if at == inGroup && in == s && s.named(n) {
			return
		}
	}
}

// named tells whether a name is the alias of an item, and not the name of its column.
func (s *scope) named(n *ast.Column) bool {
	if n.Table.Given() {
		return false
	}
	found := false
	for i := range s.items {
		it := &s.items[i]
		if !strings.EqualFold(it.Alias.Name, n.Name.Name) {
			continue
		}
		if c, ok := it.X.(*ast.Column); ok && strings.EqualFold(c.Name.Name, n.Name.Name) {
			return false
		}
		found = true
	}
	return found
}

// own looks a column up in the tables of the block itself.
func (s *scope) own(n *ast.Column) bool {
	for _, t := range s.tables {
		if n.Table.Given() && !t.is(n.Schema, n.Table) {
			continue
		}
		for i, c := range t.columns {
			if strings.EqualFold(c.Name, n.Name.Name) && (n.Table.Given() || !t.merged[i]) {
				n.Schema, n.Table, n.Name = t.name.Schema, t.name.Name, ident(c.Name)
				return true
			}
		}
	}
	return false
}
