package texts

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// castBytes is the operand of CAST(x AS CHAR): bytes become the text that they are in the character
// set of the CAST, and all else stays what it is.
type castBytes struct {
	operand.Like
	using convertUsing
}

// ofBytes is the name of the function that Replace puts around the operand, with the character set.
const ofBytes = "text of bytes "

func init() {
	operand.Register(sql.FunctionN{Name: ofBytes, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		id := ctx.GetCollation().CharacterSet()
		if name, _ := args[1].(*expression.Literal).Value().(string); name != "" {
			var err error
			if id, err = sql.ParseCharacterSet(name); err != nil {
				return nil, err
			}
		}
		if id == sql.CharacterSet_binary || operand.SetOf(id).IsUTF8() {
			return args[0], nil
		}
		return &castBytes{operand.LikeOf(args[0]), convertUsing{operand.Over(args[0]), id}}, nil
	}})
}

// CastOperand is the operand of CAST(x AS CHAR CHARACTER SET charset).
func CastOperand(e *ast.ConvertExpr) ast.Expr {
	charset := e.Type.Charset
	if e.Type.Type == "NCHAR" {
		charset = "utf8mb3"
	}
	return operand.CallOf(ofBytes, e.Expr, ast.NewStrVal([]byte(charset)))
}

// WithChildren implements sql.Expression.
func (c *castBytes) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	return &castBytes{operand.LikeOf(children[0]), convertUsing{operand.Over(children[0]), c.using.charset}}, nil
}

// Type implements sql.Expression.
func (c *castBytes) Type(ctx *sql.Context) sql.Type {
	if c.using.from(ctx) == sql.CharacterSet_binary {
		return c.using.Type(ctx)
	}
	return c.Child.Type(ctx)
}

// CollationCoercibility implements sql.CollationCoercible.
func (c *castBytes) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if c.using.from(ctx) == sql.CharacterSet_binary {
		return c.using.CollationCoercibility(ctx)
	}
	return c.Like.CollationCoercibility(ctx)
}

// Eval implements sql.Expression.
func (c *castBytes) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if c.using.from(ctx) == sql.CharacterSet_binary {
		return c.using.Eval(ctx, row)
	}
	return c.Child.Eval(ctx, row)
}
