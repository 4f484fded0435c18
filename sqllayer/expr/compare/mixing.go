package compare

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// CheckPlan is the error of the first comparison in a plan that CheckMix refuses.
func CheckPlan(ctx *sql.Context, n sql.Node) (err error) {
	transform.InspectWithOpaque(ctx, n, func(ctx *sql.Context, n sql.Node) bool {
		e, ok := n.(sql.Expressioner)
		if err != nil || !ok {
			return err == nil
		}
		for _, e := range e.Expressions() {
			if err == nil {
				err = CheckMix(ctx, e)
			}
		}
		return err == nil
	})
	return err
}

// CheckMix refuses comparisons of texts of one character set whose collations are different and of
// the same strength: GMS takes one of the two. Of two columns, the collation that goes by codes is
// the stronger one.
// Source: MySQL's manual, "Collation Coercibility in Expressions".
func CheckMix(ctx *sql.Context, e sql.Expression) (err error) {
	sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
		if e != nil && err == nil {
			err = mixOf(ctx, e)
		}
		return err == nil
	})
	return err
}

// mixOf looks at one expression, and at the subquery that it is.
func mixOf(ctx *sql.Context, e sql.Expression) error {
	switch e := e.(type) {
	case *plan.Subquery:
		return CheckPlan(ctx, e.Query)
	case *expression.Not:
		if same, ok := e.Child.(*expression.Equals); ok {
			return alike(ctx, "<>", same.Left(), same.Right())
		}
	case *expression.Like:
		return mixError(ctx, "like", e.Left(), e.Right())
	case *expression.Between:
		return mixError(ctx, "between", e.Val, e.Lower, e.Upper)
	case *expression.InTuple:
		if list, ok := e.Right().(expression.Tuple); ok {
			if len(list) == 1 {
				return alike(ctx, "=", e.Left(), list[0])
			}
			return mixError(ctx, " IN ", append([]sql.Expression{e.Left()}, list...)...)
		}
	case *expression.Case:
		if e.Expr != nil {
			operands := []sql.Expression{e.Expr}
			for _, b := range e.Branches {
				operands = append(operands, b.Cond)
			}
			return mixError(ctx, "case", operands...)
		}
	case *plan.InSubquery:
		if q, ok := e.RightChild.(*plan.Subquery); ok {
			return alike(ctx, "=", e.LeftChild, resultOf(q))
		}
	case expression.Comparer:
		if op := operatorOf(e); op != "" {
			return alike(ctx, op, e.Left(), e.Right())
		}
	case sql.FunctionExpression:
		switch name := strings.ToLower(e.FunctionName()); name {
		case "nullif", "strcmp", "find_in_set", "concat", "concat_ws":
			return mixError(ctx, name, e.Children()...)
		}
	}
	return nil
}

func operatorOf(e expression.Comparer) string {
	switch e.(type) {
	case *expression.Equals:
		return "="
	case *expression.NullSafeEquals:
		return "<=>"
	case *expression.LessThan:
		return "<"
	case *expression.LessThanOrEqual:
		return "<="
	case *expression.GreaterThan:
		return ">"
	case *expression.GreaterThanOrEqual:
		return ">="
	}
	return ""
}

// resultOf is the only column of a subquery; the subquery itself if its plan does not say.
func resultOf(q *plan.Subquery) sql.Expression {
	if p, ok := q.Query.(*plan.Project); ok && len(p.Projections) == 1 {
		return p.Projections[0]
	}
	return q
}

// alike looks at two values, or at those of two rows, each with its counterpart.
func alike(ctx *sql.Context, op string, left, right sql.Expression) error {
	l, rows := left.(expression.Tuple)
	r, ok := right.(expression.Tuple)
	if rows && ok && len(l) == len(r) {
		for i := range l {
			if err := alike(ctx, op, l[i], r[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if q, ok := left.(*plan.Subquery); ok {
		left = resultOf(q)
	}
	if q, ok := right.(*plan.Subquery); ok {
		right = resultOf(q)
	}
	return mixError(ctx, op, left, right)
}

// strength is how strongly a text holds its collation; less is more.
type strength struct {
	collation sql.CollationID
	level     byte
}

const (
	byCollate  byte = 0
	byColumn   byte = 2
	byConstant byte = 4
)

func (s strength) String() string {
	return fmt.Sprintf("(%s,%s)", s.collation.Name(), []string{"EXPLICIT", "NONE", "IMPLICIT", "SYSCONST", "COERCIBLE", "NUMERIC", "IGNORABLE"}[s.level])
}

// mixError is the error of operands of which two hold different collations the most strongly.
func mixError(ctx *sql.Context, op string, operands ...sql.Expression) error {
	var all []strength
	most := byConstant
	for _, e := range operands {
		s, ok := strengthOf(ctx, e)
		if !ok {
			return nil
		}
		all, most = append(all, s), min(most, s.level)
	}
	if most == byConstant {
		return ofConstants(op, all, operands)
	}
	if most == byColumn && strings.HasPrefix(op, "concat") {
		return nil // what is made has no collation then, and is no error
	}
	var held *strength
	for i, s := range all {
		switch {
		case s.level != most:
		case held == nil || held.collation == s.collation:
			held = &all[i]
		case most == byColumn && !types.SameCharset(uint16(held.collation), uint16(s.collation)):
			return nil // the wider character set counts
		case most == byCollate || types.ByCode(uint16(held.collation)) == types.ByCode(uint16(s.collation)):
			return errMixed(op, all)
		case types.ByCode(uint16(s.collation)):
			held = &all[i]
		}
	}
	return nil
}

// ofConstants is mixError of constants alone: a set that has the characters of the others takes them
// in.
func ofConstants(op string, all []strength, operands []sql.Expression) error {
	held := all[0]
	for i, s := range all {
		if _, constant := operands[i].(*expression.Literal); !constant {
			return nil
		}
		a, b := types.ReachOf(uint16(held.collation)), types.ReachOf(uint16(s.collation))
		switch {
		case a < b:
			held = s
		case a == b && a != types.AllUnicode && !types.SameCharset(uint16(held.collation), uint16(s.collation)):
			return errMixed(op, all)
		}
	}
	return nil
}

func errMixed(op string, of []strength) error {
	switch len(of) {
	case 2:
		return mysql.NewSQLError(1267, "HY000", "Illegal mix of collations %v and %v for operation '%s'", of[0], of[1], op)
	case 3:
		return mysql.NewSQLError(1270, "HY000", "Illegal mix of collations %v, %v, %v for operation '%s'", of[0], of[1], of[2], op)
	}
	return mysql.NewSQLError(1271, "HY000", "Illegal mix of collations for operation '%s'", op)
}

// strengthOf is what is known for sure of a text: constants, COLLATE, columns, and what is made of
// columns of one collation. The columns of derived tables and of the system's schemas have not
// always MySQL's collation.
func strengthOf(ctx *sql.Context, e sql.Expression) (s strength, ok bool) {
	if !e.Resolved() || operand.OfSubquery(ctx, e) || !operand.IsText(e.Type(ctx)) {
		return s, false
	}
	s.collation, s.level = sql.GetCoercibility(ctx, e)
	if s.level > 6 || s.collation == sql.Collation_Unspecified || s.collation == sql.Collation_binary {
		return s, false
	}
	ok = true
	if s.level == byColumn {
		sql.Inspect(ctx, e, func(ctx *sql.Context, e sql.Expression) bool {
			if f, field := e.(*expression.GetField); field {
				c, _ := sql.GetCoercibility(ctx, f)
				ok = ok && !unsure(f.Database()) && (c == s.collation || !operand.IsText(f.Type(ctx)))
			}
			return ok
		})
	}
	return s, ok
}

// unsure tells the schemas whose columns have not always MySQL's collation; "" is that of derived
// tables.
func unsure(name string) bool {
	switch strings.TrimPrefix(strings.ToLower(name), "\x00") {
	case "", "information_schema", "performance_schema", "mysql", "sys":
		return true
	}
	return false
}
