package bind

import (
	"slices"
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/parse"
)

// What a block says of its rows beside equalities: columns that are never NULL, generated columns,
// queries of one row.

// needs learns the columns that are not NULL where a condition holds: those that stand in it
// themselves.
func (d *dependence) needs(e fn.Expr, right Source) {
	switch e := asWritten(e).(type) {
	case *fn.Column:
		if !d.full[e.ID] && (right == nil || owner(right, e.ID)) {
			d.full[e.ID], d.grew = true, true
		}
	case *Subquery:
		if e.Kind == InQuery && !e.Not {
			d.needs(e.X, right)
		}
	case *fn.Call:
		for _, x := range needed(e) {
			d.needs(x, right)
		}
	}
}

// needed are the operands of a condition that must not be NULL for it to hold, as far as they are
// columns or conditions.
func needed(e *fn.Call) (of []fn.Expr) {
	switch {
	case e.Name == "istrue", e.Name == "isfalse", e.Name == "isnotnull", e.Name == "and":
		of = e.Args
	case e.Name == "not":
		if call, ok := e.Args[0].(*fn.Call); !ok || strings.HasPrefix(call.Name, "in,") || compares[call.Name] || strings.HasPrefix(call.Name, "like") {
			of = e.Args
		} else if call.Name == "isnull" {
			of = call.Args
		}
	case e.Name == "or":
		of = sameOperand(e)
	case strings.HasPrefix(e.Name, "in,"), strings.HasPrefix(e.Name, "like"):
		of = e.Args[:1]
	case compares[e.Name]:
		of = slices.DeleteFunc(slices.Clone(e.Args), func(x fn.Expr) bool { return columnID(asWritten(x)) == 0 })
	}
	return of
}

var compares = map[string]bool{"=": true, "<>": true, "<": true, "<=": true, ">": true, ">=": true}

// sameOperand is the column that all conditions of an OR compare, as those of IN and NOT BETWEEN do.
func sameOperand(or *fn.Call) (of []fn.Expr) {
	for i, e := range or.Args {
		call, ok := e.(*fn.Call)
		if !ok || !compares[call.Name] && !strings.HasPrefix(call.Name, "in,") {
			return nil
		}
		id := columnID(asWritten(call.Args[0]))
		if id == 0 || i > 0 && id != columnID(asWritten(of[0])) {
			return nil
		}
		of = call.Args[:1]
	}
	return of
}

// computes tells whether all columns are known of which a generated one is made.
func (d *dependence) computes(t *Base, text string) bool {
	e, err := parse.ParseExpr(text, parse.Options{})
	if err != nil {
		return false
	}
	known := true
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.Column); ok {
			i := slices.IndexFunc(t.Table.Names, func(name string) bool { return strings.EqualFold(name, c.Name.Name) })
			known = known && i >= 0 && d.known[t.First+i]
		}
		return known
	})
	return known
}

// presentItem tells whether a column of a query is known that is NULL only in rows that are
// missing.
func (d *dependence) presentItem(t *Derived) bool {
	for i := range t.Query.Items {
		if d.known[t.First+i] && !t.Query.Items[i].Expr.Type().Nullable {
			return true
		}
	}
	return false
}
