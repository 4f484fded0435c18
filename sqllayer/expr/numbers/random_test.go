package numbers

import (
	"math"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/operand"
)

// seeded is a session whose RAND() has a sequence.
type seeded struct {
	sql.Session
	seeds Seeds
}

func (s *seeded) Random() *Seeds { return &s.seeds }

// TestRandom compares RAND with MySQL 9.7's numbers.
func TestRandom(t *testing.T) {
	s := &seeded{Session: sql.NewBaseSession()}
	ctx := sql.NewContext(t.Context(), sql.WithSession(s))
	call := func(args ...sql.Expression) func(row sql.Row) float64 {
		f, ok := operand.Functions["rand"]
		require.True(t, ok)
		e, err := f.NewInstance(ctx, args)
		require.NoError(t, err)
		return func(row sql.Row) float64 {
			v, err := e.Eval(ctx, row)
			require.NoError(t, err)
			return v.(float64)
		}
	}
	next := call(expression.NewLiteral(int64(5), types.Int64))
	for _, want := range []float64{0.40613597483014313, 0.8745439358749836, 0.15431178561813363} {
		require.Equal(t, want, next(nil), "the sequence goes on from row to row")
	}
	column := call(expression.NewGetField(0, types.Int64, "a", true))
	for _, row := range []struct {
		seed any
		want float64
	}{{int64(1), 0.40540353712197724}, {int64(2), 0.6555866465490187}, {int64(2), 0.6555866465490187}, {nil, 0.15522042769493574}, {int64(-1), 0.9050373219931845}} {
		require.Equal(t, row.want, column(sql.Row{row.seed}), "each row has a sequence of its own")
	}
	for _, c := range []struct {
		value any
		typ   sql.Type
		want  float64
	}{{"x", types.LongText, 0.15522042769493574}, {"3abc", types.LongText, 0.9057697559760601}, {uint64(math.MaxUint64), types.Uint64, 0.9050373219931845}, {1e30, types.Float64, 0.9050373219931845}} {
		require.Equal(t, c.want, call(expression.NewLiteral(c.value, c.typ))(nil), c.value)
	}
	plain := call()
	s.seeds.SetFirst(12345)
	s.seeds.SetSecond(678901)
	require.Equal(t, []float64{0.0006667673594008827, 0.0032993759990663975}, []float64{plain(nil), plain(nil)})
	s.seeds.SetFirst(1073741823)
	s.seeds.SetSecond(1)
	require.Equal(t, []float64{9.313225754828403e-10, 3.539025786834793e-8}, []float64{plain(nil), plain(nil)})
}
