package window

import (
	"io"
	"reflect"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation/window"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
)

// Frames of window functions that go by values: RANGE, and what a window without a frame has.
// go-mysql-server's know ascending orders without NULLs only, and look at the first expression of
// ORDER BY alone; LAST_VALUE's ends at the row instead of the last of its equals.

// Framed gives a window function such a frame; nil if it keeps its own.
func Framed(ctx *sql.Context, e sql.WindowAdaptableExpression) sql.Expression {
	w := e.Window()
	if w == nil {
		return nil
	}
	switch e.(type) {
	case *window.RowNumber, *window.Rank, *window.DenseRank, *window.PercentRank, *window.NTile, *window.Lag, *window.Lead, *windowed:
		return nil
	}
	if w.Frame != nil && !strings.Contains(reflect.TypeOf(w.Frame).String(), "Range") {
		return nil
	}
	if _, done := w.Frame.(*valueFrame); done {
		return nil
	}
	own := *w
	own.Frame = &valueFrame{WindowFrame: w.Frame}
	return e.WithWindow(ctx, &own)
}

// valueFrame is a frame that goes by values. Without a WindowFrame it ends with the row's equals.
type valueFrame struct{ sql.WindowFrame }

func (f *valueFrame) String() string {
	if f.WindowFrame == nil {
		return ""
	}
	return f.WindowFrame.String()
}

// NewFramer implements sql.WindowFrame.
func (f *valueFrame) NewFramer(w *sql.WindowDefinition) (sql.WindowFramer, error) {
	if err := f.suits(w); err != nil {
		return nil, err
	}
	return &valueFramer{frame: f.WindowFrame, order: w.OrderBy}, nil
}

// suits checks that the bounds are distances of the kind that the order's type has.
func (f *valueFrame) suits(w *sql.WindowDefinition) error {
	if f.WindowFrame == nil || len(w.OrderBy) != 1 {
		return nil
	}
	name := "<unnamed window>" // go-mysql-server keeps no name where it puts a window in the place of OVER name
	by := w.OrderBy[0].Expr.Type(sql.NewEmptyContext())
	for _, distance := range []sql.Expression{f.StartNPreceding(), f.StartNFollowing(), f.EndNPreceding(), f.EndNFollowing()} {
		if distance == nil {
			continue
		}
		_, interval := distance.(*expression.Interval)
		switch temporal := types.IsTime(by) || types.IsTimespan(by); {
		case !temporal && !types.IsNumber(by):
			return mysql.NewSQLError(3587, mysql.SSUnknownSQLState,
				"Window '%s' with RANGE N PRECEDING/FOLLOWING frame requires exactly one deterministic ORDER BY expression, of numeric or temporal type", name)
		case temporal && !interval:
			return mysql.NewSQLError(3588, mysql.SSUnknownSQLState, "Window '%s' with RANGE frame has ORDER BY expression of datetime type. Only INTERVAL bound value allowed.", name)
		case !temporal && interval:
			return mysql.NewSQLError(3589, mysql.SSUnknownSQLState, "Window '%s' with RANGE frame has ORDER BY expression of numeric type, INTERVAL bound value not allowed.", name)
		}
	}
	return nil
}

// UnboundedPreceding implements sql.WindowFrame.
func (f *valueFrame) UnboundedPreceding() bool {
	return f.WindowFrame == nil || f.WindowFrame.UnboundedPreceding()
}

// UnboundedFollowing implements sql.WindowFrame.
func (f *valueFrame) UnboundedFollowing() bool {
	return f.WindowFrame != nil && f.WindowFrame.UnboundedFollowing()
}

// StartCurrentRow implements sql.WindowFrame.
func (f *valueFrame) StartCurrentRow() bool {
	return f.WindowFrame != nil && f.WindowFrame.StartCurrentRow()
}

// EndCurrentRow implements sql.WindowFrame.
func (f *valueFrame) EndCurrentRow() bool {
	return f.WindowFrame == nil || f.WindowFrame.EndCurrentRow()
}

// StartNPreceding implements sql.WindowFrame.
func (f *valueFrame) StartNPreceding() sql.Expression {
	if f.WindowFrame == nil {
		return nil
	}
	return f.WindowFrame.StartNPreceding()
}

// StartNFollowing implements sql.WindowFrame.
func (f *valueFrame) StartNFollowing() sql.Expression {
	if f.WindowFrame == nil {
		return nil
	}
	return f.WindowFrame.StartNFollowing()
}

// EndNPreceding implements sql.WindowFrame.
func (f *valueFrame) EndNPreceding() sql.Expression {
	if f.WindowFrame == nil {
		return nil
	}
	return f.WindowFrame.EndNPreceding()
}

// EndNFollowing implements sql.WindowFrame.
func (f *valueFrame) EndNFollowing() sql.Expression {
	if f.WindowFrame == nil {
		return nil
	}
	return f.WindowFrame.EndNFollowing()
}

// valueFramer finds the frames of one partition's rows.
type valueFramer struct {
	frame sql.WindowFrame // nil: from the first row to the last of the row's equals
	order sql.SortConditions
	all   sql.WindowInterval
	now   sql.WindowInterval
	next  int
	peers []int // for each row of the partition, the first of its equals
}

// NewFramer implements sql.WindowFramer.
func (f *valueFramer) NewFramer(all sql.WindowInterval) (sql.WindowFramer, error) {
	return &valueFramer{frame: f.frame, order: f.order, all: all, next: all.Start}, nil
}

// FirstIdx implements sql.WindowFramer.
func (f *valueFramer) FirstIdx() int { return f.now.Start }

// LastIdx implements sql.WindowFramer.
func (f *valueFramer) LastIdx() int { return f.now.End }

// Interval implements sql.WindowFramer.
func (f *valueFramer) Interval() (sql.WindowInterval, error) { return f.now, nil }

// Next implements sql.WindowFramer.
func (f *valueFramer) Next(ctx *sql.Context, rows sql.WindowBuffer) (sql.WindowInterval, error) {
	if f.next >= f.all.End {
		return sql.WindowInterval{}, io.EOF
	}
	if f.peers == nil {
		if err := f.findPeers(ctx, rows); err != nil {
			return sql.WindowInterval{}, err
		}
	}
	at := f.next
	f.next++
	f.now = sql.WindowInterval{Start: f.all.Start, End: f.peersEnd(at)}
	if f.frame == nil {
		return f.now, nil
	}
	var err error
	switch {
	case f.frame.UnboundedPreceding():
	case f.frame.StartCurrentRow():
		f.now.Start = f.peers[at-f.all.Start]
	case f.frame.StartNPreceding() != nil:
		f.now.Start, err = f.bound(ctx, rows, at, f.frame.StartNPreceding(), true, false)
	case f.frame.StartNFollowing() != nil:
		f.now.Start, err = f.bound(ctx, rows, at, f.frame.StartNFollowing(), false, false)
	}
	if err != nil {
		return f.now, err
	}
	switch {
	case f.frame.UnboundedFollowing():
		f.now.End = f.all.End
	case f.frame.EndNPreceding() != nil:
		f.now.End, err = f.bound(ctx, rows, at, f.frame.EndNPreceding(), true, true)
	case f.frame.EndNFollowing() != nil:
		f.now.End, err = f.bound(ctx, rows, at, f.frame.EndNFollowing(), false, true)
	}
	f.now.End = max(f.now.End, f.now.Start)
	return f.now, err
}

// findPeers finds for each row the first that is equal to it by the order.
func (f *valueFramer) findPeers(ctx *sql.Context, rows sql.WindowBuffer) error {
	f.peers = make([]int, f.all.End-f.all.Start)
	var last []any
	for i := f.all.Start; i < f.all.End; i++ {
		equal := i > f.all.Start
		keys := make([]any, len(f.order))
		for n, o := range f.order {
			var err error
			if keys[n], err = o.Expr.Eval(ctx, rows[i]); err != nil {
				return err
			}
			if equal {
				c, err := aggregate.CompareKeys(ctx, o.Expr.Type(ctx), last[n], keys[n])
				if err != nil {
					return err
				}
				equal = c == 0
			}
		}
		f.peers[i-f.all.Start], last = i, keys
		if equal {
			f.peers[i-f.all.Start] = f.peers[i-f.all.Start-1]
		}
	}
	return nil
}

// peersEnd is the end of the row's equals.
func (f *valueFramer) peersEnd(at int) int {
	first := f.peers[at-f.all.Start]
	return f.all.Start + sort.Search(len(f.peers), func(i int) bool { return f.peers[i] > first })
}

// bound is the place of a distance from the row's value: where the rows begin that are no further
// away, or, of an end, where those begin that are.
func (f *valueFramer) bound(ctx *sql.Context, rows sql.WindowBuffer, at int, distance sql.Expression, before, end bool) (int, error) {
	if len(f.order) != 1 {
		return 0, sql.ErrUnsupportedFeature.New("RANGE frames of several expressions")
	}
	by, desc := f.order[0].Expr, f.order[0].Order == sql.Descending
	own, err := by.Eval(ctx, rows[at])
	if err != nil {
		return 0, err
	}
	if own == nil { // NULLs are their own equals
		if end {
			return f.peersEnd(at), nil
		}
		return f.peers[at-f.all.Start], nil
	}
	limit, err := shifted(ctx, by, distance, before != desc)
	if err != nil {
		return 0, err
	}
	to, err := limit.Eval(ctx, rows[at])
	if err != nil {
		return 0, err
	}
	t := types.GetCompareType(by.Type(ctx), limit.Type(ctx))
	found := sort.Search(f.all.End-f.all.Start, func(i int) bool {
		v, failed := by.Eval(ctx, rows[f.all.Start+i])
		if failed != nil {
			err = failed
			return true
		}
		if v == nil || to == nil {
			return desc // NULLs come first, or last
		}
		c, failed := t.Compare(ctx, v, to)
		if failed != nil {
			err = failed
		}
		if desc {
			c = -c
		}
		return c > 0 || c == 0 && !end
	})
	return f.all.Start + found, err
}

// shifted is a value less or more a distance.
func shifted(ctx *sql.Context, e, distance sql.Expression, less bool) (sql.Expression, error) {
	if _, ok := distance.(*expression.Interval); ok {
		name := "date_add"
		if less {
			name = "date_sub"
		}
		f, _ := operand.Lookup(name)
		return f.NewInstance(ctx, []sql.Expression{e, distance})
	}
	op := "+"
	if less {
		op = "-"
	}
	return numbers.NewArithmetic(op, e, distance), nil
}
