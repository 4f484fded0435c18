package numbers

import (
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Seeds are two numbers below seedRange that give a sequence of numbers, MySQL's: a replica, or who
// asks again for the same rows, gets the same ones.
type Seeds struct {
	mu     sync.Mutex
	first  uint64
	second uint64
	known  bool // they were set, or have come from chance
}

const seedRange = 1<<30 - 1

// SetFirst is SET rand_seed1.
func (s *Seeds) SetFirst(n uint64) { s.set(func() { s.first = n % seedRange }) }

// SetSecond is SET rand_seed2.
func (s *Seeds) SetSecond(n uint64) { s.set(func() { s.second = n % seedRange }) }

func (s *Seeds) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin()
	change()
}

// begin takes seeds from chance, if there are none.
func (s *Seeds) begin() {
	if !s.known {
		s.first, s.second, s.known = rand.Uint64N(seedRange), rand.Uint64N(seedRange), true
	}
}

// from begins the sequence of RAND(n).
func (s *Seeds) from(n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	low := uint32(n)
	s.first, s.second, s.known = uint64(low*0x10001+55555555)%seedRange, uint64(low*0x10000001)%seedRange, true
}

// next is the next number of the sequence, at least 0 and below 1.
func (s *Seeds) next() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin()
	s.first = (3*s.first + s.second) % seedRange
	s.second = (s.first + s.second + 33) % seedRange
	return float64(s.first) / seedRange
}

// Randomizer is a session with a sequence of its own, for RAND().
type Randomizer interface{ Random() *Seeds }

// random is RAND. With an argument that is the same for all rows of a statement, it begins a
// sequence with the statement; with another one, it gives the first number of the row's sequence.
type random struct {
	operand.Many
	*randomState
}

// randomState outlives copies of the expression that are made while the statement runs.
type randomState struct {
	mu    sync.Mutex
	seeds Seeds
	of    sequence
}

// sequence tells which statement a sequence belongs to.
type sequence struct {
	pid   uint64
	begun time.Time
	fixed bool // it goes on from row to row
}

var (
	_ sql.FunctionExpression         = (*random)(nil)
	_ sql.NonDeterministicExpression = (*random)(nil)
)

func init() {
	operand.Register(sql.FunctionN{Name: "rand", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) > 1 {
			return nil, sql.ErrInvalidArgumentNumber.New("RAND", "0 or 1", len(args))
		}
		return &random{operand.OverMany(args), &randomState{}}, nil
	}})
}

// FunctionName implements sql.FunctionExpression.
func (*random) FunctionName() string { return "rand" }

// Description implements sql.FunctionExpression.
func (*random) Description() string { return "gives random numbers, or those of a sequence" }

func (r *random) String() string {
	var args []string
	for _, a := range r.Children() {
		args = append(args, a.String())
	}
	return "rand(" + strings.Join(args, ", ") + ")"
}

// Type implements sql.Expression.
func (*random) Type(*sql.Context) sql.Type { return types.Float64 }

// IsNullable implements sql.Expression.
func (*random) IsNullable(*sql.Context) bool { return false }

// IsNonDeterministic implements sql.NonDeterministicExpression: it is another number for each row.
func (*random) IsNonDeterministic() bool { return true }

// WithChildren implements sql.Expression.
func (r *random) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(r, children)
}

// Eval implements sql.Expression.
func (r *random) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if len(r.Children()) == 0 {
		if s, ok := operand.Able[Randomizer](ctx.Session); ok {
			return s.Random().next(), nil
		}
		return rand.Float64(), nil
	}
	seed := r.Children()[0]
	r.mu.Lock()
	defer r.mu.Unlock()
	now := sequence{ctx.Pid(), ctx.QueryTime(), sameForAllRows(ctx, seed)}
	if now.fixed && r.of == now {
		return r.seeds.next(), nil
	}
	v, err := seed.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	var n uint64
	if v != nil {
		if n, err = BitsOf(ctx, v, seed.Type(ctx)); err != nil {
			return nil, err
		}
	}
	r.of = now
	r.seeds.from(n)
	return r.seeds.next(), nil
}

// sameForAllRows tells whether an expression reads no columns.
func sameForAllRows(ctx *sql.Context, e sql.Expression) bool {
	same := true
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch e.(type) {
		case nil, *expression.Literal, *expression.BindVar, *expression.UserVar, *expression.SystemVar:
		default:
			same = same && len(e.Children()) > 0
		}
		return same
	})
	return same
}
