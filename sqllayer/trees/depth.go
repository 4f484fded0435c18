package trees

// How deep a statement may nest. What is planned is a tree that is walked by functions which call
// themselves, and a stack that overflows ends a Go program: 1+1+1+... of two megabytes would. MySQL
// has the same limit as the size of a thread's stack, and about as many levels.
//
// Long chains of OR, AND and UNION are no mistake: programs write them. They become trees that are
// balanced, which are those of the same meaning; what is done in the library to each of their nodes
// and all below it is then done a few times instead of as often as the chain is long.

import (
	"reflect"
	"slices"
	"sync/atomic"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/internal/base"
	"emberdb/sqllayer/sqlerr"
)

const (
	mostLevels = 3000
	mostLinks  = 100000
	longChain  = 16
)

// CheckDepth balances the chains of a statement and refuses one that nests too deep (1436). It
// calls nothing that calls itself. It ends once ended, if there is one, is not 0.
func CheckDepth(stmt ast.Statement, text string, ended *atomic.Uint32) error {
	if len(text) < mostLevels || stmt == nil { // each level has a letter at least
		return nil
	}
	type level struct {
		v     reflect.Value
		depth int
	}
	all := []level{{reflect.ValueOf(stmt), 1}}
	recursive := make(map[*ast.SetOp]bool)
	for looked := 1; len(all) > 0; looked++ {
		if looked%4096 == 0 && ended != nil && ended.Load() != 0 {
			return base.ErrInterrupted
		}
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
				if HoldsNodes(v.Field(i).Kind()) {
					all = append(all, level{v.Field(i), depth})
				}
			}
		case reflect.Slice:
			if HoldsNodes(v.Type().Elem().Kind()) {
				for i := range v.Len() {
					all = append(all, level{v.Index(i), depth})
				}
			}
		}
	}
	return nil
}

func HoldsNodes(k reflect.Kind) bool {
	return k == reflect.Interface || k == reflect.Pointer || k == reflect.Slice || k == reflect.Struct
}

func tooDeep() error {
	return sqlerr.NewError(1436, "Thread stack overrun: the statement nests deeper than %d levels, or links more than %d conditions or queries", mostLevels, mostLinks)
}

// balance makes a tree of the chain that begins at a node. recursive are the UNIONs of WITH
// RECURSIVE, whose queries are told by their places.
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
		return ors.balance(n)
	case *ast.AndExpr:
		return ands.balance(n)
	case *ast.SetOp:
		if recursive[n] || n.Type != ast.UnionStr && n.Type != ast.UnionAllStr && n.Type != ast.UnionDistinctStr {
			return nil
		}
		c := unionsOf(n)
		return c.balance(n)
	}
	return nil
}

// chained is an operator of which many may stand one behind the other.
type chained[T any] struct {
	sides func(T) (left, right *T) // nil: it is another one
	join  func(left, right T) T
}

var (
	ors = chained[ast.Expr]{func(e ast.Expr) (left, right *ast.Expr) {
		if o, ok := e.(*ast.OrExpr); ok {
			return &o.Left, &o.Right
		}
		return nil, nil
	}, func(left, right ast.Expr) ast.Expr { return &ast.OrExpr{Left: left, Right: right} }}
	ands = chained[ast.Expr]{func(e ast.Expr) (left, right *ast.Expr) {
		if a, ok := e.(*ast.AndExpr); ok {
			return &a.Left, &a.Right
		}
		return nil, nil
	}, func(left, right ast.Expr) ast.Expr { return &ast.AndExpr{Left: left, Right: right} }}
)

// unionsOf is the UNION of n's kind, without order and limit but for n's own.
func unionsOf(n *ast.SetOp) chained[ast.SelectStatement] {
	return chained[ast.SelectStatement]{func(s ast.SelectStatement) (left, right *ast.SelectStatement) {
		o, ok := s.(*ast.SetOp)
		if !ok || o.Type != n.Type || o != n && (o.With != nil || o.Limit != nil || o.Into != nil || o.Lock != nil || len(o.OrderBy) > 0) {
			return nil, nil
		}
		return &o.Left, &o.Right
	}, func(left, right ast.SelectStatement) ast.SelectStatement {
		if _, union := right.(*ast.SetOp); union {
			right = &ast.ParenSelect{Select: right}
		}
		return &ast.SetOp{Type: n.Type, Left: left, Right: right}
	}}
}

// balance makes the chain that ends in root a tree of the same operands.
func (c *chained[T]) balance(root T) error {
	var parts []T
	last := root
	for left, right := c.sides(last); left != nil; left, right = c.sides(last) {
		parts, last = append(parts, *right), *left
	}
	parts = append(parts, last)
	if len(parts) > mostLinks {
		return tooDeep()
	}
	if len(parts) < longChain {
		return nil
	}
	slices.Reverse(parts)
	left, right := c.sides(root)
	newLeft, newRight := c.sides(c.tree(parts))
	*left, *right = *newLeft, *newRight
	return nil
}

func (c *chained[T]) tree(parts []T) T {
	if len(parts) == 1 {
		return parts[0]
	}
	return c.join(c.tree(parts[:len(parts)/2]), c.tree(parts[len(parts)/2:]))
}
