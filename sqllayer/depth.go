package sqllayer

// How deep a statement may nest. What is planned is a tree that is walked by functions which call themselves, and a stack that overflows ends a Go program: 1+1+1+... of
// two megabytes would. MySQL has the same limit as the size of a thread's stack, and about as many levels.
//
// Long chains of OR, AND and UNION are no mistake: programs write them. They become trees that are balanced, which are those of the same meaning; what is done in the
// library to each of their nodes and all below it is then done a few times instead of as often as the chain is long.

import (
	"reflect"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

const (
	mostLevels = 3000
	mostLinks  = 100000
	longChain  = 16
)

// CheckDepth balances the chains of a statement and refuses one that nests too deep (1436). It calls nothing that calls itself.
func CheckDepth(stmt ast.Statement, text string) error {
	if len(text) < mostLevels || stmt == nil { // each level has a letter at least
		return nil
	}
	type level struct {
		v     reflect.Value
		depth int
	}
	all := []level{{reflect.ValueOf(stmt), 1}}
	recursive := make(map[*ast.SetOp]bool)
	for len(all) > 0 {
		at := all[len(all)-1]
		all = all[:len(all)-1]
		v, depth := at.v, at.depth
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				continue
			}
			if v.Kind() == reflect.Pointer && v.CanInterface() {
				if _, leaf := v.Interface().(*ast.SQLVal); leaf {
					continue
				}
				if err := balance(v.Interface(), recursive); err != nil {
					return err
				}
				if depth++; depth > mostLevels {
					return tooDeep()
				}
			}
			all = append(all, level{v.Elem(), depth})
		case reflect.Struct:
			for i := range v.NumField() {
				if k := v.Field(i).Kind(); k == reflect.Interface || k == reflect.Pointer || k == reflect.Slice || k == reflect.Struct {
					all = append(all, level{v.Field(i), depth})
				}
			}
		case reflect.Slice:
			if k := v.Type().Elem().Kind(); k == reflect.Interface || k == reflect.Pointer || k == reflect.Slice || k == reflect.Struct {
				for i := range v.Len() {
					all = append(all, level{v.Index(i), depth})
				}
			}
		}
	}
	return nil
}

func tooDeep() error {
	return NewError(1436, "Thread stack overrun: the statement nests deeper than %d levels, or links more than %d conditions or queries", mostLevels, mostLinks)
}

// balance makes a tree of the chain that begins at a node. The parts of recursive, queries of WITH RECURSIVE, are told by their places.
func balance(node any, recursive map[*ast.SetOp]bool) error {
	switch n := node.(type) {
	case *ast.With:
		for _, c := range n.Ctes {
			if s, ok := c.AliasedTableExpr.Expr.(*ast.Subquery); ok && n.Recursive {
				for union, ok := s.Select.(*ast.SetOp); ok; union, ok = union.Left.(*ast.SetOp) {
					recursive[union] = true
				}
			}
		}
	case *ast.OrExpr:
		parts := chain[ast.Expr](n, func(e ast.Expr) (left, right ast.Expr, ok bool) {
			o, ok := e.(*ast.OrExpr)
			if !ok {
				return nil, nil, false
			}
			return o.Left, o.Right, true
		})
		return link(parts, func(left, right ast.Expr) ast.Expr { return &ast.OrExpr{Left: left, Right: right} }, func(left, right ast.Expr) { n.Left, n.Right = left, right })
	case *ast.AndExpr:
		parts := chain[ast.Expr](n, func(e ast.Expr) (left, right ast.Expr, ok bool) {
			o, ok := e.(*ast.AndExpr)
			if !ok {
				return nil, nil, false
			}
			return o.Left, o.Right, true
		})
		return link(parts, func(left, right ast.Expr) ast.Expr { return &ast.AndExpr{Left: left, Right: right} }, func(left, right ast.Expr) { n.Left, n.Right = left, right })
	case *ast.SetOp:
		if recursive[n] || n.Type != ast.UnionStr && n.Type != ast.UnionAllStr && n.Type != ast.UnionDistinctStr {
			return nil
		}
		parts := chain[ast.SelectStatement](n, func(s ast.SelectStatement) (left, right ast.SelectStatement, ok bool) {
			o, ok := s.(*ast.SetOp)
			if !ok || o.Type != n.Type || o != n && (o.With != nil || o.Limit != nil || o.Into != nil || o.Lock != nil || len(o.OrderBy) > 0) {
				return nil, nil, false
			}
			return o.Left, o.Right, true
		})
		return link(parts, func(left, right ast.SelectStatement) ast.SelectStatement {
			return &ast.SetOp{Type: n.Type, Left: left, Right: operand(right)}
		}, func(left, right ast.SelectStatement) { n.Left, n.Right = left, operand(right) })
	}
	return nil
}

// operand is a query on the right side of a UNION.
func operand(s ast.SelectStatement) ast.SelectStatement {
	if _, union := s.(*ast.SetOp); union {
		return &ast.ParenSelect{Select: s}
	}
	return s
}

// chain gives the operands of operators that stand one behind the other.
func chain[T any](last T, split func(T) (left, right T, ok bool)) (parts []T) {
	for {
		left, right, ok := split(last)
		if !ok {
			break
		}
		parts, last = append(parts, right), left
	}
	parts = append(parts, last)
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return parts
}

// link makes a balanced tree of operands, whose root the two halves are given to.
func link[T any](parts []T, join func(left, right T) T, root func(left, right T)) error {
	if len(parts) > mostLinks {
		return tooDeep()
	}
	if len(parts) < longChain {
		return nil
	}
	var tree func(parts []T) T
	tree = func(parts []T) T {
		if len(parts) == 1 {
			return parts[0]
		}
		return join(tree(parts[:len(parts)/2]), tree(parts[len(parts)/2:]))
	}
	root(tree(parts[:len(parts)/2]), tree(parts[len(parts)/2:]))
	return nil
}
