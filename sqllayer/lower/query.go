package lower

import (
	"slices"
	"strconv"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sql/token"
	"emberdb/sqllayer/expr/aggregate"
)

// query lowers a query expression.
func (l *lowerer) query(n *ast.Query) vt.SelectStatement {
	out := l.body(n)
	if len(n.OrderBy) > 0 {
		out.SetOrderBy(l.orderBy(n.OrderBy))
	}
	if n.Limit != nil {
		out.SetLimit(l.limit(n.Limit))
	}
	if len(n.Locks) > 0 {
		out.SetLock(l.lock(n.Locks))
	}
	if n.Into != nil {
		if err := out.SetInto(l.into(n.Into)); err != nil {
			l.refuse("several INTO clauses")
		}
	}
	if n.With != nil {
		with := l.with(n.With)
		ignoreCTEs(out, with)
		out.SetWith(with)
	}
	return out
}

// subquery lowers a query in parentheses.
func (l *lowerer) subquery(n *ast.Query) vt.SelectStatement { return l.query(bare(n)) }

// bare takes the parentheses off a query that is nothing else.
func bare(n *ast.Query) *ast.Query {
	for {
		inner, ok := n.Body.(*ast.Query)
		if !ok || hasTail(n) || n.With != nil || n.Into != nil || len(n.Locks) > 0 {
			return n
		}
		n = inner
	}
}

// unstar puts a constant in the place of the * of each block without tables and HAVING: EXISTS asks
// for no column.
func unstar(q vt.SelectStatement) {
	switch q := q.(type) {
	case *vt.SetOp:
		unstar(q.Left)
		unstar(q.Right)
	case *vt.ParenSelect:
		unstar(q.Select)
	case *vt.Select:
		for i, item := range q.SelectExprs {
			if star, ok := item.(*vt.StarExpr); ok && len(q.From) == 0 && q.Having == nil && star.TableName.IsEmpty() {
				q.SelectExprs[i] = &vt.AliasedExpr{Expr: vt.NewIntVal([]byte{'1'})}
			}
		}
	}
}

func hasTail(n *ast.Query) bool { return len(n.OrderBy) > 0 || n.Limit != nil }

// body lowers what a query is made of, for the query's own clauses to be set on.
func (l *lowerer) body(n *ast.Query) vt.SelectStatement {
	inner, ok := n.Body.(*ast.Query)
	if !ok {
		return l.queryBody(n.Body)
	}
	inner = bare(inner)
	if hasTail(inner) && hasTail(n) || len(inner.Locks) > 0 && len(n.Locks) > 0 || inner.With != nil && n.With != nil {
		return &vt.Select{SelectExprs: vt.SelectExprs{&vt.StarExpr{}}, From: vt.TableExprs{&vt.AliasedTableExpr{
			Expr: &vt.Subquery{Select: l.query(inner)}, As: vt.NewTableIdent("query"), Auth: vt.AuthInformation{AuthType: vt.AuthType_IGNORE},
		}}}
	}
	return l.query(inner)
}

func (l *lowerer) queryBody(n ast.QueryBody) vt.SelectStatement {
	switch n := n.(type) {
	case *ast.Select:
		return l.selectBlock(n)
	case *ast.SetOp:
		return &vt.SetOp{Type: setOperator(n), Left: l.side(n, n.L, false), Right: l.side(n, n.R, true)}
	case *ast.Values:
		return &vt.Select{SelectExprs: vt.SelectExprs{&vt.StarExpr{}}, From: vt.TableExprs{&vt.AliasedTableExpr{
			Expr: l.values(n), Auth: vt.AuthInformation{AuthType: vt.AuthType_IGNORE},
		}}}
	case *ast.Table:
		return &vt.Select{SelectExprs: vt.SelectExprs{&vt.StarExpr{}}, From: vt.TableExprs{&vt.AliasedTableExpr{
			Expr: tableName(n.Name), Auth: onTable(vt.AuthType_SELECT, n.Name),
		}}}
	}
	return l.query(n.(*ast.Query))
}

// side lowers an operand of a set operation, with the parentheses that its place asks for.
func (l *lowerer) side(of *ast.SetOp, n ast.QueryBody, right bool) vt.SelectStatement {
	switch n := n.(type) {
	case *ast.Query:
		return &vt.ParenSelect{Select: l.subquery(n)}
	case *ast.SetOp:
		tighter := n.Op == ast.Intersect && of.Op != ast.Intersect
		if !tighter && (right || of.Op == ast.Intersect && n.Op != ast.Intersect) {
			return &vt.ParenSelect{Select: l.queryBody(n)}
		}
	}
	return l.queryBody(n)
}

var setOperators = [...][3]string{
	ast.Union:     {vt.UnionStr, vt.UnionAllStr, vt.UnionDistinctStr},
	ast.Intersect: {vt.IntersectStr, vt.IntersectAllStr, vt.IntersectDistinctStr},
	ast.Except:    {vt.ExceptStr, vt.ExceptAllStr, vt.ExceptDistinctStr},
}

func setOperator(n *ast.SetOp) string { return setOperators[n.Op][n.Quant] }

func (l *lowerer) values(n *ast.Values) *vt.ValuesStatement {
	out := &vt.ValuesStatement{Rows: make(vt.Values, len(n.Rows))}
	for i := range n.Rows {
		out.Rows[i] = vt.ValTuple(l.exprs(n.Rows[i].Items))
	}
	return out
}

func (l *lowerer) with(n *ast.With) *vt.With {
	out := &vt.With{Recursive: n.Recursive, Ctes: make([]*vt.CommonTableExpr, len(n.Tables))}
	for i := range n.Tables {
		t := &n.Tables[i]
		out.Ctes[i] = &vt.CommonTableExpr{
			AliasedTableExpr: &vt.AliasedTableExpr{
				Expr: &vt.Subquery{Select: l.query(bare(t.Query))}, As: tableIdent(t.Name), Auth: vt.AuthInformation{AuthType: vt.AuthType_IGNORE},
			},
			Columns: colIdents(t.Columns),
		}
	}
	return out
}

// tableQuery lowers the query of a derived table.
func (l *lowerer) tableQuery(n *ast.Query) vt.SimpleTableExpr {
	n = bare(n)
	if v, ok := n.Body.(*ast.Values); ok && !hasTail(n) && n.With == nil && len(n.Locks) == 0 {
		return l.values(v)
	}
	return &vt.Subquery{Select: l.query(n)}
}

func (l *lowerer) selectBlock(n *ast.Select) *vt.Select {
	l.refuseIf(n.Qualify != nil, "QUALIFY")
	s := &vt.Select{
		Comments: hints(n.Hints),
		QueryOpts: vt.QueryOpts{
			All: n.Options&ast.SelectAll != 0, Distinct: n.Options&ast.SelectDistinct != 0,
			StraightJoinHint: n.Options&ast.StraightJoin != 0, SQLCalcFoundRows: n.Options&ast.CalcFoundRows != 0,
			SQLNoCache: n.Options&ast.NoCache != 0,
		},
		SelectExprs: l.selectItems(n.Items),
		Where:       vt.NewWhere(vt.WhereStr, l.expr(n.Where)),
		GroupBy:     l.groupBy(n.GroupBy),
		Having:      vt.NewWhere(vt.HavingStr, l.expr(n.Having)),
	}
	defer func(was bool) { l.starred = was }(l.starred)
	l.starred = slices.ContainsFunc(n.Items, func(i ast.SelectItem) bool {
		star, ok := i.X.(*ast.Star)
		return ok && !star.Table.Given()
	})
	if from := l.from(n.From); from != nil {
		s.From = vt.SetAuthType(from, vt.AuthType_SELECT, true).(vt.TableExprs)
	}
	for i := range n.Windows {
		s.Window = append(s.Window, l.namedWindow(&n.Windows[i]))
	}
	return s
}

func hints(n *ast.Hints) vt.Comments {
	if n == nil {
		return nil
	}
	return vt.Comments{[]byte("/*+" + n.Text + "*/")}
}

// Nameless is the name of a column whose alias is the empty text. The library takes an empty name for
// none. No alias begins with a space, so nothing else has this name.
const Nameless = " "

func (l *lowerer) selectItems(items []ast.SelectItem) vt.SelectExprs {
	out := make(vt.SelectExprs, len(items))
	for i := range items {
		if star, ok := items[i].X.(*ast.Star); ok {
			out[i] = starExpr(star)
			continue
		}
		e := &vt.AliasedExpr{As: colIdent(items[i].Alias)}
		if l.Stored && l.text[items[i].Pos()] == '(' && items[i].Pos() < items[i].X.Pos() {
			e.Expr = &vt.ParenExpr{Expr: l.definition(items[i].X)}
		} else {
			e.Expr = l.expr(items[i].X)
		}
		if !items[i].Alias.Given() {
			e.InputExpression = ast.CutName(l.heading(&items[i]), longestHeading)
		}
		out[i] = e
	}
	return out
}

func starExpr(n *ast.Star) *vt.StarExpr {
	return &vt.StarExpr{TableName: vt.TableName{Name: tableIdent(n.Table), DbQualifier: tableIdent(n.Schema)}}
}

// longestHeading is how many bytes of what is written name a column.
const longestHeading = 255

// heading is the name of a column without an alias: of a text or a number that of the thing itself,
// of several texts beside each other the first one, of everything else what is written. A column's
// name is GMS's to find.
func (l *lowerer) heading(n *ast.SelectItem) string {
	x := plain(n.X)
	for {
		u, ok := x.(*ast.Unary)
		if !ok || u.Op != ast.Plus {
			break
		}
		x = u.X
	}
	switch x := x.(type) {
	case *ast.Column:
		if x == plain(n.X) {
			return ""
		}
	case *ast.Literal:
		switch x.Kind {
		case ast.NullLiteral:
			return "NULL"
		case ast.IntLiteral, ast.DecimalLiteral, ast.FloatLiteral:
			return x.Text
		case ast.StringLiteral, ast.NationalLiteral:
			return strings.TrimLeft(l.firstText(x), " \t\r\n")
		}
	}
	return l.written(n)
}

// firstText is the first of the strings beside each other that make a constant.
func (l *lowerer) firstText(n *ast.Literal) string {
	lex := token.NewLexer(l.written(n), 0, nil)
	for {
		switch t := lex.Next(); t.Kind {
		case token.Introducer:
		case token.String, token.NString:
			if s := lex.Value(t); len(s) < len(n.Text) {
				return s
			}
			return n.Text
		default:
			return n.Text
		}
	}
}

func (l *lowerer) groupBy(n *ast.GroupBy) vt.GroupBy {
	if n == nil {
		return nil
	}
	l.refuseIf(n.Rollup > ast.RollupCall, "CUBE or GROUPING SETS")
	out := make(vt.GroupBy, 0, len(n.Items)+1)
	for i := range n.Items {
		key := l.expr(n.Items[i].X)
		if v, ok := key.(*vt.SQLVal); ok && v.Type != vt.IntVal && v.Type != vt.ValArg {
			key = &vt.ParenExpr{Expr: key} // GMS takes every literal for the place of a column
		}
		out = append(out, key)
	}
	if n.Rollup != ast.NoRollup {
		out = append(out, call(aggregate.Rollup))
	}
	return out
}

func (l *lowerer) orderBy(items []ast.OrderItem) vt.OrderBy {
	if items == nil {
		return nil
	}
	out := make(vt.OrderBy, len(items))
	for i := range items {
		o := &vt.Order{Expr: l.expr(items[i].X), Direction: vt.AscScr}
		if items[i].Direction == ast.Descending {
			o.Direction = vt.DescScr
		}
		out[i] = o
	}
	return out
}

func (l *lowerer) limit(n *ast.Limit) *vt.Limit {
	if n == nil {
		return nil
	}
	return &vt.Limit{Offset: l.expr(n.Offset), Rowcount: l.expr(n.Count)}
}

// lock lowers the locking clauses of a query block. GMS's tree has room for one: several are told
// apart by LockSeparator, each with the number of its tables in front.
func (l *lowerer) lock(locks []ast.Lock) *vt.Lock {
	out := &vt.Lock{}
	for i := range locks {
		n := &locks[i]
		kind := vt.ForUpdateStr
		if n.Strength != ast.ForUpdate {
			kind = vt.ShareModeStr
		}
		switch n.Wait {
		case ast.LockNowait:
			kind += " nowait"
		case ast.LockSkipLocked:
			kind += " skip locked"
		}
		if len(locks) == 1 {
			return &vt.Lock{Type: kind, Tables: tableNames(n.Of)}
		}
		out.Type += LockSeparator + strconv.Itoa(len(n.Of)) + kind
		out.Tables = append(out.Tables, tableNames(n.Of)...)
	}
	return out
}

// LockSeparator begins each of several locking clauses.
const LockSeparator = "\x00"

func (l *lowerer) into(n *ast.Into) *vt.Into {
	out := &vt.Into{Charset: n.Charset.Name}
	switch n.Kind {
	case ast.IntoVars:
		for _, v := range n.Vars {
			switch v := v.(type) {
			case *ast.UserVar:
				out.Variables = append(out.Variables, vt.NewColIdent("@"+v.Name.Name))
			case *ast.Column:
				out.Variables = append(out.Variables, colIdent(v.Name))
			}
		}
	case ast.IntoDumpfile:
		out.Dumpfile = fileName(n.File)
	case ast.IntoOutfile:
		out.Outfile, out.Fields, out.Lines = fileName(n.File), l.fields(n.Fields), l.lines(n.Lines)
	}
	return out
}

func (l *lowerer) fields(n *ast.FieldsFormat) *vt.Fields {
	if n == nil {
		return nil
	}
	f := &vt.Fields{TerminatedBy: literalString(n.Terminated), EscapedBy: literalString(n.Escaped)}
	if n.Enclosed != nil {
		f.EnclosedBy = &vt.EnclosedBy{Optionally: vt.BoolVal(n.Optionally), Delim: literalString(n.Enclosed)}
	}
	l.refuseIf(n.NotEnclosed || n.NullAs != nil || n.EmptyValue != nil || n.DateFormat != nil || n.TimeFormat != nil || n.DatetimeFormat != nil, "fields of a file")
	return f
}

func (l *lowerer) lines(n *ast.LinesFormat) *vt.Lines {
	if n == nil {
		return nil
	}
	return &vt.Lines{StartingBy: literalString(n.Starting), TerminatedBy: literalString(n.Terminated)}
}

// fileName is the name of a file. That of no file would stand for a statement without one.
func fileName(n *ast.Literal) string {
	if name := n.Bytes(); name != "" {
		return name
	}
	return "."
}
