package lower

import (
	"strconv"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
)

// expr lowers an expression; nil stays nil.
func (l *lowerer) expr(x ast.Expr) vt.Expr {
	switch x := x.(type) {
	case nil:
		return nil
	case *ast.Literal:
		return l.literal(x)
	case *ast.Column:
		return column(x)
	case *ast.Param:
		return param(x)
	case *ast.BinaryExpr:
		return l.binary(x)
	case *ast.Logical:
		return l.logical(x)
	case *ast.Unary:
		return l.unary(x)
	case *ast.UserVar:
		if l.assigning {
			return call(expr.ReadVariable, str(strings.ToLower(x.Name.Name)))
		}
		return &vt.ColName{Name: vt.NewColIdent("@" + x.Name.Name)}
	case *ast.SystemVar:
		return l.systemVar(x)
	case *ast.Subquery:
		return &vt.Subquery{Select: l.subquery(x.Query)}
	case *ast.Exists:
		q := l.subquery(x.Query)
		unstar(q)
		return &vt.ExistsExpr{Subquery: &vt.Subquery{Select: q}}
	case *ast.Row:
		return vt.ValTuple(l.exprs(x.Items))
	case *ast.Case:
		return l.caseExpr(x)
	case *ast.DefaultValue:
		return &vt.Default{}
	case *ast.OdbcEscape:
		return l.odbc(x)
	case *ast.Collate:
		return l.collate(x)
	case *ast.JSONPath:
		op := vt.JSONExtractOp
		if x.Unquote {
			op = vt.JSONUnquoteExtractOp
		}
		return &vt.BinaryExpr{Left: column(x.X), Operator: op, Right: l.literal(x.Path)}
	case *ast.DateArith:
		return l.dateArith(x)
	case *ast.Interval:
		return l.interval(x)
	case *ast.Assignment:
		return call(expr.Assign, str(strings.ToLower(x.Var.Name.Name)), l.expr(x.Value))
	}
	if out := l.predicate(x); out != nil {
		return out
	}
	return l.function(x)
}

func (l *lowerer) exprs(list []ast.Expr) vt.Exprs {
	if list == nil {
		return nil
	}
	out := make(vt.Exprs, len(list))
	for i, x := range list {
		out[i] = l.expr(x)
	}
	return out
}

// operand lowers an operand, in parentheses when it binds looser than min: GMS prints some trees
// and reads them again.
func (l *lowerer) operand(x ast.Expr, min ast.Precedence) vt.Expr {
	if ast.PrecedenceOf(x) < min {
		return &vt.ParenExpr{Expr: l.expr(x)}
	}
	return l.expr(x)
}

func column(n *ast.Column) *vt.ColName {
	return &vt.ColName{
		Name:      colIdent(n.Name),
		Qualifier: vt.TableName{Name: tableIdent(n.Table), DbQualifier: tableIdent(n.Schema)},
	}
}

// collate lowers COLLATE. GMS checks a collation against the character set of a constant only
// behind the set's name, where it does not take it for an explicit one, and forgets it once it has
// read the tree.
func (l *lowerer) collate(n *ast.Collate) vt.Expr {
	x := l.operand(n.X, ast.PrecCollate)
	if set, ok := x.(*vt.UnaryExpr); ok && set.Operator[0] == '_' {
		set.Expr = &vt.CollateExpr{Expr: set.Expr, Collation: n.Name.Name}
		if l.Plain {
			return set
		}
		return operand.CallOf(operand.CollatedOf, set, vt.NewStrVal([]byte(n.Name.Name)))
	}
	if !l.Plain {
		x = operand.CallOf(operand.CollatableOf, x, vt.NewStrVal([]byte(n.Name.Name)))
	}
	return &vt.CollateExpr{Expr: x, Collation: n.Name.Name}
}

var scopeWords = [...]string{ast.NoScope: "@@", ast.GlobalScope: "@@global.", ast.SessionScope: "@@session.", ast.LocalScope: "@@local.",
	ast.PersistScope: "@@persist.", ast.PersistOnlyScope: "@@persist_only."}

// systemVar lowers a system variable to the one name that GMS takes apart. The name is as it is
// written, since it heads a column.
func (l *lowerer) systemVar(n *ast.SystemVar) vt.Expr {
	name := l.written(n)
	if strings.ContainsAny(name, "` \t\r\n/#-") {
		name = scopeWords[n.Scope]
		if n.Component.Given() {
			name += n.Component.Name + "."
		}
		name += n.Name.Name
	}
	return &vt.ColName{Name: vt.NewColIdent(name)}
}

var comparisons = [...]string{ast.Equal: vt.EqualStr, ast.NullSafeEqual: vt.NullSafeEqualStr, ast.NotEqual: vt.NotEqualStr,
	ast.Less: vt.LessThanStr, ast.LessEqual: vt.LessEqualStr, ast.Greater: vt.GreaterThanStr, ast.GreaterEqual: vt.GreaterEqualStr}

var arithmetic = [...]string{ast.BitOr: vt.BitOrStr, ast.BitAnd: vt.BitAndStr, ast.ShiftLeft: vt.ShiftLeftStr,
	ast.ShiftRight: vt.ShiftRightStr, ast.Add: vt.PlusStr, ast.Sub: vt.MinusStr, ast.Mul: vt.MultStr, ast.Div: vt.DivStr,
	ast.IntDiv: vt.IntDivStr, ast.Mod: vt.ModStr, ast.BitXor: vt.BitXorStr}

func (l *lowerer) binary(n *ast.BinaryExpr) vt.Expr {
	lmin, rmin := n.Op.Operands()
	left, right := l.operand(n.L, lmin), l.operand(n.R, rmin)
	switch {
	case n.Op == ast.Xor:
		return &vt.XorExpr{Left: left, Right: right}
	case n.Op == ast.Concat:
		return call("CONCAT", left, right)
	case n.Op == ast.SoundsLike:
		return &vt.ComparisonExpr{Left: call("soundex", left), Operator: vt.EqualStr, Right: call("soundex", right)}
	case int(n.Op) < len(comparisons) && comparisons[n.Op] != "":
		return &vt.ComparisonExpr{Left: left, Operator: comparisons[n.Op], Right: right}
	}
	return &vt.BinaryExpr{Left: left, Operator: arithmetic[n.Op], Right: right}
}

func (l *lowerer) logical(n *ast.Logical) vt.Expr {
	min := ast.PrecedenceOf(n) + 1
	out := l.operand(n.Items[0], min)
	for _, x := range n.Items[1:] {
		right := l.operand(x, min)
		if n.Or {
			out = &vt.OrExpr{Left: out, Right: right}
		} else {
			out = &vt.AndExpr{Left: out, Right: right}
		}
	}
	return out
}

func (l *lowerer) unary(n *ast.Unary) vt.Expr {
	if n.Op == ast.Not {
		return &vt.NotExpr{Expr: l.operand(n.X, ast.PrecNot)}
	}
	x := l.operand(n.X, ast.PrecUnary)
	number, isInt := x.(*vt.SQLVal)
	if isInt = isInt && number.Type == vt.IntVal; isInt && (l.parenthesised(n) || !l.Plain && !hasNegative(number.Val)) {
		x, isInt = &vt.ParenExpr{Expr: x}, false
	}
	switch n.Op {
	case ast.Minus:
		if isInt {
			return negated(number)
		}
		return &vt.UnaryExpr{Operator: vt.UMinusStr, Expr: x}
	case ast.Plus:
		if isInt {
			return x
		}
		return &vt.UnaryExpr{Operator: vt.UPlusStr, Expr: x}
	case ast.BitNot:
		return &vt.UnaryExpr{Operator: vt.TildaStr, Expr: x}
	case ast.Binary:
		return &vt.UnaryExpr{Operator: vt.BinaryStr, Expr: x}
	}
	return &vt.UnaryExpr{Operator: vt.BangStr, Expr: x}
}

// parenthesised reports whether the operand stands in parentheses: GMS gives -(5) another type than -5.
func (l *lowerer) parenthesised(n *ast.Unary) bool {
	return strings.IndexByte(l.text[n.Pos():n.X.Pos()], '(') >= 0
}

func negated(n *vt.SQLVal) *vt.SQLVal {
	if n.Val[0] == '-' {
		return vt.NewIntVal(n.Val[1:])
	}
	return vt.NewIntVal(append([]byte{'-'}, n.Val...))
}

// hasNegative reports whether a number with a minus before it is a BIGINT.
func hasNegative(digits []byte) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(string(digits), "-"), 10, 64)
	return err == nil && n <= 1<<63
}

func either(not bool, negative, positive string) string {
	if not {
		return negative
	}
	return positive
}

// predicate lowers the operators that give a truth value; nil says that x is something else.
func (l *lowerer) predicate(x ast.Expr) vt.Expr {
	switch x := x.(type) {
	case *ast.Is:
		return &vt.IsExpr{Expr: l.operand(x.X, ast.PrecCompare), Operator: isOperator(x)}
	case *ast.Between:
		return &vt.RangeCond{
			Left: l.operand(x.X, ast.PrecBitOr), Operator: either(x.Not, vt.NotBetweenStr, vt.BetweenStr),
			From: l.operand(x.Low, ast.PrecBitOr), To: l.operand(x.High, ast.PrecPredicate),
		}
	case *ast.In:
		return l.in(x)
	case *ast.Like:
		l.checkEscape(x)
		return &vt.ComparisonExpr{
			Left: l.operand(x.X, ast.PrecBitOr), Operator: either(x.Not, vt.NotLikeStr, vt.LikeStr),
			Right: l.operand(x.Pattern, ast.PrecConcat), Escape: l.expr(x.Escape),
		}
	case *ast.Regexp:
		return &vt.ComparisonExpr{
			Left: l.operand(x.X, ast.PrecBitOr), Operator: either(x.Not, vt.NotRegexpStr, vt.RegexpStr),
			Right: l.operand(x.Pattern, ast.PrecBitOr),
		}
	case *ast.Quantified:
		name := operand.AnyOf
		if x.Quant == ast.All {
			name = operand.AllOf
		}
		l.refuseLimit(x.Query)
		l.checkQuantified(x)
		return &vt.ComparisonExpr{
			Left: l.operand(x.L, ast.PrecCompare), Operator: comparisons[x.Op],
			Right: call(name, &vt.Subquery{Select: l.subquery(x.Query)}),
		}
	case *ast.MemberOf:
		return &vt.ComparisonExpr{
			Left: l.operand(x.X, ast.PrecBitOr), Operator: vt.EqualStr, Right: call(documents.InArray, l.expr(x.Array)),
		}
	}
	return nil
}

func isOperator(n *ast.Is) string {
	switch n.What {
	case ast.IsTrue:
		return either(n.Not, vt.IsNotTrueStr, vt.IsTrueStr)
	case ast.IsFalse:
		return either(n.Not, vt.IsNotFalseStr, vt.IsFalseStr)
	}
	return either(n.Not, vt.IsNotNullStr, vt.IsNullStr)
}

func (l *lowerer) in(n *ast.In) vt.Expr {
	out := &vt.ComparisonExpr{Left: l.operand(n.X, ast.PrecBitOr), Operator: either(n.Not, vt.NotInStr, vt.InStr)}
	if n.Query != nil {
		l.refuseLimit(n.Query)
		out.Right = &vt.Subquery{Select: l.subquery(n.Query)}
	} else {
		out.Right = vt.ValTuple(l.exprs(n.List))
	}
	return out
}

// refuseLimit refuses a LIMIT in the subquery of IN, ALL, ANY and SOME.
func (l *lowerer) refuseLimit(n *ast.Query) {
	if !l.Plain && bare(n).Limit != nil {
		l.raise(1235, "42000", "This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'")
	}
}

func (l *lowerer) caseExpr(n *ast.Case) vt.Expr {
	out := &vt.CaseExpr{Expr: l.expr(n.X), Else: l.expr(n.Else), Whens: make([]*vt.When, len(n.Whens))}
	for i := range n.Whens {
		out.Whens[i] = &vt.When{Cond: l.expr(n.Whens[i].Cond), Val: l.expr(n.Whens[i].Then)}
	}
	return out
}

func (l *lowerer) interval(n *ast.Interval) *vt.IntervalExpr {
	return &vt.IntervalExpr{Expr: l.expr(n.X), Unit: n.Unit.String()}
}

func (l *lowerer) dateArith(n *ast.DateArith) vt.Expr {
	interval := l.interval(n.Interval)
	switch n.Form {
	case ast.DateAddForm:
		return call(either(n.Sub, "date_sub", "date_add"), l.expr(n.Date), interval)
	case ast.AddDateForm:
		return call(either(n.Sub, "subdate", "adddate"), l.expr(n.Date), interval)
	}
	op, min := vt.PlusStr, ast.PrecAdd
	if n.Sub {
		op = vt.MinusStr
	}
	return &vt.BinaryExpr{Left: l.operand(n.Date, min), Operator: op, Right: interval}
}
