package trees

import (
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/compare"
)

// Conditions of very many values. go-mysql-server makes a range of an index of each, and compares
// each range with each other: tens of thousands take minutes, and nothing ends them. So
//
//	i = 1 OR i = 2 OR ...                   is written i IN (1, 2, ...): its ranges are not compared where it stands alone
//	i = 1 AND j > 5 OR i = 2 AND ...        is written (...) IS TRUE, of which no ranges are made
//	i NOT IN (...), i IN (...) AND j > 5    likewise, when the list is very long
//	(i, j) IN ((1, 2), (3, 4), ...)         is written i IN (1, 3, ...) AND j IN (2, 4, ...) AND (...) IS TRUE
//
// All mean the same where a condition stands.
const (
	ManyOrs      = 64    // from here on equalities are gathered
	TooManyOrs   = 5000  // from here on what is left uses no index, as beyond MySQL's range_optimizer_max_mem_size
	mostOfColumn = 2000  // values of a column that a list of rows is looked for by
	TooLongList  = 20000 // from here on a list uses no index, unless it stands alone
)

// LimitRanges writes a condition so that it is planned in time.
func LimitRanges(e ast.Expr) ast.Expr { return limitSide(e, true) }

// limitSide is LimitRanges of one side of an AND; alone: there is no other side.
func limitSide(e ast.Expr, alone bool) ast.Expr {
	switch n := e.(type) {
	case *ast.ParenExpr:
		n.Expr = limitSide(n.Expr, alone)
	case *ast.AndExpr:
		n.Left, n.Right = limitSide(n.Left, false), limitSide(n.Right, false)
	case *ast.NotExpr:
		if len(orSides(n.Expr)) >= TooManyOrs {
			return withoutRanges(n)
		}
	case *ast.OrExpr:
		if sides := orSides(n); len(sides) >= ManyOrs {
			return limitSide(fewerOrs(sides), alone)
		}
	case *ast.ComparisonExpr:
		list, ok := n.Right.(ast.ValTuple)
		if rows, ok := n.Left.(ast.ValTuple); ok && len(list) >= ManyOrs {
			return listOfRows(n, rows, list)
		}
		if ok && len(list) >= TooLongList && (!alone || n.Operator != ast.InStr) {
			return withoutRanges(n)
		}
	}
	return e
}

// listOfRows writes a comparison with a long list of rows: the values that its columns may have say
// where to look.
func listOfRows(n *ast.ComparisonExpr, rows, list ast.ValTuple) ast.Expr {
	call := &ast.FuncExpr{Name: ast.NewColIdent(compare.Row)}
	for _, e := range rows {
		call.Exprs = append(call.Exprs, &ast.AliasedExpr{Expr: e})
	}
	n.Left = call // go-mysql-server writes a list of rows as ORs, wherever it stands
	out := withoutRanges(n)
	if n.Operator != ast.InStr {
		return out
	}
	columns := make([]ast.ValTuple, len(rows)) // the values of each; nil: nobody is to look for them
	for i, e := range rows {
		if _, ok := e.(*ast.ColName); ok {
			columns[i] = valuesAt(list, i)
		}
	}
	for ranges := 1; ; { // those with the most values first; an index of several columns has a range for each combination
		most := -1
		for i, values := range columns {
			if len(values) > 0 && len(values)*ranges <= mostOfColumn && (most < 0 || len(values) > len(columns[most])) {
				most = i
			}
		}
		if most < 0 {
			return out
		}
		out = &ast.AndExpr{Left: &ast.ComparisonExpr{Operator: ast.InStr, Left: rows[most], Right: columns[most]}, Right: out}
		ranges *= len(columns[most])
		columns[most] = nil
	}
}

// valuesAt are the literals at a place of the rows of a list, each once; nil: there are others, or
// several kinds of them.
func valuesAt(list ast.ValTuple, at int) (values ast.ValTuple) {
	seen, kind := map[string]bool{}, ast.ValType(-1)
	for _, e := range list {
		row, ok := e.(ast.ValTuple)
		if !ok || at >= len(row) {
			return nil
		}
		v, ok := row[at].(*ast.SQLVal)
		if !ok || len(values) > 0 && v.Type != kind || v.Type != ast.IntVal && v.Type != ast.StrVal {
			return nil
		}
		if kind = v.Type; !seen[string(v.Val)] {
			seen[string(v.Val)] = true
			values = append(values, v)
		}
	}
	return values
}

// withoutRanges writes a condition as one of which no ranges are made.
func withoutRanges(e ast.Expr) ast.Expr { return &ast.IsExpr{Operator: ast.IsTrueStr, Expr: e} }

// orSides returns what the ORs of a condition stand between.
func orSides(e ast.Expr) (sides []ast.Expr) {
	for left := []ast.Expr{e}; len(left) > 0; {
		e := left[len(left)-1]
		left = left[:len(left)-1]
		if p, ok := e.(*ast.ParenExpr); ok {
			e = p.Expr
		}
		if o, ok := e.(*ast.OrExpr); ok {
			left = append(left, o.Right, o.Left)
			continue
		}
		sides = append(sides, e)
	}
	return sides
}

// equality is a column with literals of one kind.
type equality struct {
	column string
	kind   ast.ValType
}

// fewerOrs joins sides again, those that compare a column with a literal gathered.
func fewerOrs(sides []ast.Expr) ast.Expr {
	lists := map[equality]*ast.ComparisonExpr{}
	var out []ast.Expr
	for _, side := range sides {
		column, literal, ok := equals(side)
		if !ok {
			out = append(out, side)
			continue
		}
		key := equality{ast.String(column), literal.Type}
		list := lists[key]
		if list == nil {
			list = &ast.ComparisonExpr{Operator: ast.InStr, Left: column, Right: ast.ValTuple(nil)}
			lists[key] = list
			out = append(out, list)
		}
		list.Right = append(list.Right.(ast.ValTuple), literal)
	}
	joined := joinOrs(out)
	if len(out) >= TooManyOrs {
		return withoutRanges(joined)
	}
	return joined
}

// joinOrs joins sides without nesting deeper than it must.
func joinOrs(sides []ast.Expr) ast.Expr {
	if len(sides) == 1 {
		return sides[0]
	}
	half := len(sides) / 2
	return &ast.OrExpr{Left: joinOrs(sides[:half]), Right: joinOrs(sides[half:])}
}

// equals takes a comparison of a column with a number or a string apart.
func equals(e ast.Expr) (*ast.ColName, *ast.SQLVal, bool) {
	c, ok := e.(*ast.ComparisonExpr)
	if !ok || c.Operator != ast.EqualStr || c.Escape != nil {
		return nil, nil, false
	}
	column, isColumn := c.Left.(*ast.ColName)
	literal, isLiteral := c.Right.(*ast.SQLVal)
	if !isColumn {
		column, isColumn = c.Right.(*ast.ColName)
		literal, isLiteral = c.Left.(*ast.SQLVal)
	}
	return column, literal, isColumn && isLiteral && slices.Contains([]ast.ValType{ast.IntVal, ast.StrVal}, literal.Type)
}
