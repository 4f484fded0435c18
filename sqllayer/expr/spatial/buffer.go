package spatial

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// ST_Buffer, and the strategies that it takes.

func init() {
	operand.Register(
		operand.NewScalar("st_buffer_strategy", 1, 2, types.MustCreateBinary(sqltypes.VarBinary, 16), bufferStrategy),
		operand.NewScalar("st_buffer", 2, 5, types.GeometryType{}, buffer),
	)
}

func bufferStrategy(ctx *sql.Context, args []any) (any, error) {
	const name = "st_buffer_strategy"
	text, err := operand.ShownText(ctx, args[0])
	if err != nil {
		return nil, err
	}
	kind, known := geometry.StrategyOf(text)
	if !known || kind.Measured() != (len(args) == 2) {
		return nil, operand.WrongArguments(name)
	}
	s := geometry.Strategy{Kind: kind}
	if len(args) == 2 {
		n, null, err := operand.NumberOf(ctx, args[1], types.Float64)
		if err != nil || null {
			return nil, err
		}
		if s.Measure = n.AsFloat(); !(s.Measure > 0) {
			return nil, operand.WrongArguments(name)
		}
		if s.Measure > geometry.MostPerCircle && kind != geometry.JoinMitre {
			return nil, mysql.NewSQLError(erTooManyPoints, "HY000", "Parameter points_per_circle exceeds the maximum number of points in a geometry (%d) in function %s.",
				geometry.MostPerCircle, name)
		}
	}
	return s.Encode(), nil
}

func buffer(ctx *sql.Context, args []any) (any, error) {
	const name = "st_buffer"
	g, p, err := onePlane(ctx, name, args[0])
	if err != nil {
		return nil, err
	}
	n, null, err := operand.NumberOf(ctx, args[1], types.Float64)
	if err != nil || null {
		return nil, err
	}
	distance := n.AsFloat()
	var all []geometry.Strategy
	for _, arg := range args[2:] {
		text, isText, err := operand.TextOf(ctx, arg)
		if err != nil {
			return nil, err
		}
		s, ok := geometry.DecodeStrategy([]byte(text))
		if !isText || !ok {
			return nil, operand.WrongArguments(name)
		}
		all = append(all, s)
	}
	how, ok := geometry.NewBuffering(p, all)
	if !ok || distance < 0 && p.Dimension() < 2 && !p.IsGeometryCollection() {
		return nil, operand.WrongArguments(name)
	}
	if distance == 0 {
		return g, nil
	}
	if err := onPlane(ctx, name, []types.GeometryValue{g}); err != nil {
		return nil, err
	}
	out, err := p.Buffer(distance, how)
	return planeValue(name, out, g.GetSRID(), err)
}
