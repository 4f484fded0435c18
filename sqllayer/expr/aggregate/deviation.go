package aggregate

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Deviation is STDDEV, VARIANCE and their kin: DOUBLE of any argument. go-mysql-server rounds to
// the digits of the argument.
type Deviation struct{ sql.Aggregation }

func init() {
	deviation := func(name string, of func(sql.Expression) sql.Aggregation) sql.Function {
		return sql.Function1{Name: name, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &Deviation{of(e)} }}
	}
	population := func(e sql.Expression) sql.Aggregation { return aggregation.NewStdDevPop(e) }
	variance := func(e sql.Expression) sql.Aggregation { return aggregation.NewVarPop(e) }
	operand.Register(
		deviation("std", population), deviation("stddev", population), deviation("stddev_pop", population),
		deviation("stddev_samp", func(e sql.Expression) sql.Aggregation { return aggregation.NewStdDevSamp(e) }),
		deviation("variance", variance), deviation("var_pop", variance),
		deviation("var_samp", func(e sql.Expression) sql.Aggregation { return aggregation.NewVarSamp(e) }),
	)
}

// Type implements sql.Expression.
func (*Deviation) Type(*sql.Context) sql.Type { return types.Float64 }

// IsNullable implements sql.Expression.
func (*Deviation) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (*Deviation) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (d *Deviation) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := d.Aggregation.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &Deviation{e.(sql.Aggregation)}, nil
}

// WithWindow implements sql.WindowAdaptableExpression.
func (d *Deviation) WithWindow(ctx *sql.Context, w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &Deviation{d.Aggregation.WithWindow(ctx, w).(sql.Aggregation)}
}

// WithId implements sql.IdExpression.
func (d *Deviation) WithId(id sql.ColumnId) sql.IdExpression {
	return &Deviation{d.Aggregation.WithId(id).(sql.Aggregation)}
}
