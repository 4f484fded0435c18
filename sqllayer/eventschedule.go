package sqllayer

// The schedules of CREATE EVENT and ALTER EVENT. The grammar takes little more than literals there,
// MySQL any expression, so each becomes a text that is planned and computed when the statement
// runs:
//
//	AT now() - INTERVAL 1 DAY       AT '\x00now() - INTERVAL 1 DAY'
//	EVERY 1 + 1 HOUR STARTS @t      EVERY '\x001 + 1' HOUR STARTS '\x00@t'

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/lower"
)

// scheduleMark begins such a text.
const scheduleMark = lower.ScheduleMark

// schedule is when an event is to run.
type schedule struct {
	at, starts, ends *plan.OnScheduleTimestamp
	every            *expression.Interval
	until            time.Time // AT or ENDS, if there is one
}

// computed puts values in the place of expressions: the times, which are of the session's zone, in
// the system's.
func (l *Layer) computed(ctx *sql.Context, c schedule) (out schedule, err error) {
	if out.at, out.until, err = l.moment(ctx, c.at, "AT"); err != nil || c.at != nil || c.every == nil {
		return out, err
	}
	if out.every, err = l.interval(ctx, c.every); err != nil {
		return out, err
	}
	begins := ctx.QueryTime()
	if c.starts != nil {
		if out.starts, begins, err = l.moment(ctx, c.starts, "STARTS"); err != nil {
			return out, err
		}
	}
	if out.ends, out.until, err = l.moment(ctx, c.ends, "ENDS"); err == nil && c.ends != nil && !out.until.After(begins) {
		err = NewError(1543, "ENDS is either invalid or before STARTS")
	}
	return out, err
}

// moment computes one of the times; nil has none.
func (l *Layer) moment(ctx *sql.Context, t *plan.OnScheduleTimestamp, clause string) (*plan.OnScheduleTimestamp, time.Time, error) {
	if t == nil {
		return nil, time.Time{}, nil
	}
	written, v, err := l.scheduled(ctx, t.Children()[0], "DATETIME(6)")
	if err != nil {
		return nil, time.Time{}, err
	}
	var moment time.Time
	if local, ok := v.(time.Time); ok {
		moment = time.UnixMicro(MomentMicros(sessionOf(ctx).Zone(), local.UnixMicro())).UTC()
	}
	if moment.Unix() <= 0 {
		return nil, moment, badSchedule(clause, written)
	}
	shown, _ := sql.ConvertTimeZone(moment, "+00:00", sql.SystemTimezoneOffset())
	return plan.NewOnScheduleTimestamp("", expression.NewLiteral(shown.Format(sql.EventDateSpaceTimeFormat), types.LongText), nil), moment, nil
}

// mostIntervals is the largest interval that MySQL takes, in any unit.
const mostIntervals = 1_000_000_000

// interval computes that of EVERY.
func (l *Layer) interval(ctx *sql.Context, every *expression.Interval) (*expression.Interval, error) {
	as, t := "SIGNED", sql.Type(types.Int64)
	if strings.Contains(every.Unit, "_") {
		as, t = "CHAR", types.LongText
	}
	_, v, err := l.scheduled(ctx, every.Child, as)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, badSchedule("INTERVAL", nil)
	}
	out := expression.NewInterval(expression.NewLiteral(v, t), every.Unit)
	delta, err := out.EvalDelta(ctx, nil)
	if n, whole := v.(int64); err == nil && (whole && n > mostIntervals || *delta == expression.TimeDelta{} || whole && n < 0) {
		err = NewError(1542, "INTERVAL is either not positive or too big")
	}
	return out, err
}

func badSchedule(clause string, written any) error {
	if written == nil {
		written = "NULL"
	}
	return NewError(1525, "Incorrect %s value: '%v'", clause, written)
}

// scheduled computes an expression of a schedule, as it is written and as a type.
func (l *Layer) scheduled(ctx *sql.Context, e sql.Expression, as string) (written, v any, err error) {
	literal, _ := e.(*expression.Literal)
	if literal == nil {
		return nil, nil, sql.ErrUnsupportedFeature.New(e.String())
	}
	text, marked := strings.CutPrefix(fmt.Sprint(literal.Value()), scheduleMark)
	if !marked {
		text = quoteText(text)
	}
	text = "SELECT " + text + ", CAST(" + text + " AS " + as + ")"
	stmt, _, _, err := (&parser{plain: l.opts.Plain}).ParseWithOptions(ctx, text, ';', false, expr.Mode(ctx).ParserOptions())
	if err != nil {
		return nil, nil, err
	}
	p, _, err := l.project(ctx, text, stmt, nil)
	if err != nil {
		return nil, nil, err
	}
	exprs, err := asRun(ctx, p.Projections)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range exprs {
		stays := false
		sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
			_, query := e.(*plan.Subquery)
			_, call := e.(*functionCall)
			stays = stays || query || call
			return !stays
		})
		if stays {
			return nil, nil, NewError(1235, "This version of MySQL doesn't yet support 'Event schedule expressions which contain subqueries or stored function calls'")
		}
	}
	if written, err = exprs[0].Eval(ctx, nil); err == nil {
		v, err = exprs[1].Eval(ctx, nil)
	}
	return written, v, err
}

// createEvent runs CREATE EVENT: GMS knows no DISABLE ON REPLICA, and takes times for those of the
// system's zone.
func (b *builder) createEvent(ctx *sql.Context, s *Session, n *plan.CreateEvent, r sql.Row) (sql.RowIter, error) {
	own := *n
	if own.Status == sql.EventStatus_DisableOnSlave {
		s.disableOnReplica(ctx)
		own.Status = sql.EventStatus_Disable
	}
	c, err := b.layer.computed(ctx, schedule{at: n.At, starts: n.Starts, ends: n.Ends, every: n.Every})
	if err != nil {
		return nil, err
	}
	own.At, own.Starts, own.Ends, own.Every = c.at, c.starts, c.ends, c.every
	return own.RowIter(ctx, r)
}

// alterEvent runs ALTER EVENT likewise.
func (b *builder) alterEvent(ctx *sql.Context, s *Session, n *plan.AlterEvent, r sql.Row) (sql.RowIter, error) {
	own := *n
	if own.AlterStatus && own.Status == sql.EventStatus_DisableOnSlave {
		s.disableOnReplica(ctx)
		own.Status = sql.EventStatus_Disable
	}
	c, err := b.layer.computed(ctx, schedule{at: n.At, starts: n.Starts, ends: n.Ends, every: n.Every})
	if err != nil {
		return nil, err
	}
	preserve := n.Event.OnCompletionPreserve && !n.AlterOnComp || n.AlterOnComp && n.OnCompPreserve
	if !preserve && !c.until.IsZero() && c.until.Before(ctx.QueryTime()) {
		return nil, NewError(1589, "Event execution time is in the past and ON COMPLETION NOT PRESERVE is set. The event was not changed. Specify a time in the future.")
	}
	own.At, own.Starts, own.Ends, own.Every = c.at, c.starts, c.ends, c.every
	return own.RowIter(ctx, r)
}
