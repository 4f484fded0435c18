package expr

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// The functions by which ON DUPLICATE KEY UPDATE reads columns that are selected and not inserted:
// one gives the last column of a row that is about to be inserted, and keeps what stands behind it;
// the other gives one of those. The first operand is the number of the statement.
const (
	keepName = "\x00keep"
	keptName = "\x00kept"
)

// Keep is the call that gives a column and keeps others.
func Keep(statement int64, column ast.Expr, others ...ast.Expr) ast.Expr {
	return operand.CallOf(keepName, append([]ast.Expr{intLiteral(statement), column}, others...)...)
}

// Kept is the call that gives one of the columns that are kept, counted from zero. It has a column
// of the row as operand, as it is no constant.
func Kept(statement int64, at int, of ast.Expr) ast.Expr {
	return operand.CallOf(keptName, intLiteral(statement), intLiteral(int64(at)), of)
}

func intLiteral(n int64) ast.Expr { return ast.NewIntVal(strconv.AppendInt(nil, n, 10)) }

// KeptRow is where a statement keeps columns: their definitions, and their values in the row that
// was read last.
type KeptRow struct {
	columns []sql.Expression
	values  sql.Row
}

// KeptRowOf is that of the statement that has the number; package sqllayer knows statements.
var KeptRowOf func(ctx *sql.Context, statement string) *KeptRow

func init() {
	operand.Register(sql.FunctionN{Name: keepName, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < 2 {
			return nil, sql.ErrInvalidArgumentNumber.New(keepName, 2, len(args))
		}
		row := KeptRowOf(ctx, args[0].String())
		row.columns = args[2:]
		return &keep{operand.OverMany(args[1:]), row}, nil
	}}, sql.Function3{Name: keptName, Fn: func(ctx *sql.Context, statement, at, of sql.Expression) sql.Expression {
		n, _ := strconv.Atoi(at.String())
		row := KeptRowOf(ctx, statement.String())
		return &kept{operand.Over(of), row, n, row.columns[n]}
	}})
}

// keep gives its first operand and keeps the values of the others.
type keep struct {
	operand.Many
	row *KeptRow
}

func (k *keep) String() string { return k.ChildExpressions[0].String() }

// Type implements sql.Expression.
func (k *keep) Type(ctx *sql.Context) sql.Type { return k.ChildExpressions[0].Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (k *keep) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, k.ChildExpressions[0])
}

// WithChildren implements sql.Expression.
func (k *keep) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(k, children)
}

// Eval implements sql.Expression.
func (k *keep) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	values := make(sql.Row, len(k.ChildExpressions))
	for i, e := range k.ChildExpressions {
		var err error
		if values[i], err = e.Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	k.row.values = values[1:]
	return values[0], nil
}

// kept is a column that is kept.
type kept struct {
	operand.One
	row    *KeptRow
	at     int
	column sql.Expression
}

func (k *kept) String() string { return k.column.String() }

// Type implements sql.Expression.
func (k *kept) Type(ctx *sql.Context) sql.Type { return k.column.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (k *kept) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, k.column)
}

// WithChildren implements sql.Expression.
func (k *kept) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(k, children)
}

// Eval implements sql.Expression.
func (k *kept) Eval(*sql.Context, sql.Row) (any, error) { return k.row.values[k.at], nil }
