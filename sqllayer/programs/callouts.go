package programs

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Out takes the value that a procedure gives a parameter of the statement that calls it. The column
// is the procedure's parameter, with the procedure for its table.
type Out func(ctx *sql.Context, c *sql.Column, v any) error

// Outs are those of the parameters of a prepared CALL, by the parameters' names: v1, v2, ...
type Outs map[string]Out

// Target takes the value of an argument that is such a parameter; nil: it is none.
func (o Outs) Target(e ast.Expr) CallTarget {
	n, ok := e.(*ast.SQLVal)
	if !ok || n.Type != ast.ValArg {
		return nil
	}
	out := o[strings.TrimPrefix(string(n.Val), ":")]
	if out == nil {
		return nil
	}
	return func(ctx *sql.Context, v any, of ParameterOf) error {
		c := *of.Column
		c.Source, c.DatabaseSource, c.Nullable = of.Procedure, of.Database, true
		return out(ctx, &c, v)
	}
}

// Targets are those of the arguments of a CALL; nil: there are none.
func (o Outs) Targets(n *ast.Call) []CallTarget {
	if len(o) == 0 || n == nil {
		return nil
	}
	out := make([]CallTarget, len(n.Params))
	for i, e := range n.Params {
		out[i] = o.Target(e)
	}
	return out
}
