package sqllayer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/catalog"
	"emberdb/internal/base"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Events as they are stored and changed. The times of their last runs are rows beside them: a run
// changes no definition. Who runs them is the server.

// What GMS calls the states of an event.
const (
	eventEnabled     = "ENABLE"
	eventDisabled    = "DISABLE"
	eventReplicaSide = "DISABLE ON SLAVE"
)

type StoredEvent struct {
	sql.EventDefinition
	Origin     origin
	Originator uint32 // the server it was made on
	Zone       string // of its times and of the session it runs in; "" is SYSTEM
}

// Event is a stored event of a database.
type Event struct {
	Schema string
	StoredEvent
}

// Enabled tells whether it is to run.
func (e *Event) Enabled() bool { return e.Status == eventEnabled }

// Definer is the account it runs as.
func (e *Event) Definer() trees.Role { return RoleOf(e.Origin.Definer) }

// eventSpace has the rows of last executions.
const eventSpace = "event"

// lastRun is such a row: it is of the event that was made then.
type lastRun struct{ Created, At time.Time }

func (e *Event) lastKey() string { return e.Schema + "." + strings.ToLower(e.Name) }

// LastExecuted is when an event was executed, zero if it never was.
func (l *Layer) LastExecuted(ctx context.Context, e *Event) (time.Time, error) {
	b, err := l.Eng.GetKV(ctx, nil, eventSpace, e.lastKey())
	if errors.Is(err, base.ErrNotFound) || err == nil && b == nil {
		return time.Time{}, nil
	}
	var last lastRun
	if err == nil {
		err = json.Unmarshal(b, &last)
	}
	if !last.Created.Equal(e.CreatedAt) {
		last.At = time.Time{}
	}
	return last.At, err
}

// Executed notes that an event is executed.
func (l *Layer) Executed(ctx context.Context, e *Event, at time.Time) error {
	b, err := json.Marshal(lastRun{e.CreatedAt, at})
	if err != nil {
		return err
	}
	return l.Eng.PutKV(ctx, nil, eventSpace, e.lastKey(), b)
}

// CompleteEvent disables or drops an event that is not due again. Only the drop is logged.
func (l *Layer) CompleteEvent(ctx *sql.Context, e *Event) error {
	s := SessionOf(ctx)
	found, err := l.Provider.Database(ctx, e.Schema)
	if err != nil {
		return err
	}
	d, ok := OwnDatabase(found)
	if !ok {
		return nil
	}
	now, ok, err := Find[StoredEvent](ctx, d, catalog.KindEvent, e.Name)
	if err != nil || !ok || !now.CreatedAt.Equal(e.CreatedAt) || !now.LastAltered.Equal(e.LastAltered) {
		return err
	}
	if e.OnCompletionPreserve {
		now.Status = eventDisabled
		err = d.Put(ctx, catalog.KindEvent, e.Name, now)
	} else {
		s.SetCurrentDatabase(d.name)
		s.SetStatement("DROP EVENT IF EXISTS " + tabledef.QuoteName(d.name) + "." + tabledef.QuoteName(e.Name))
		err = d.DropEvent(ctx, e.Name)
	}
	if err != nil {
		return errors.Join(err, s.Rollback(ctx, nil))
	}
	return s.CommitTransaction(ctx, nil)
}

// Events lists all events.
func (l *Layer) Events(ctx *sql.Context) (all []*Event, err error) {
	for _, found := range l.Provider.databases(ctx) {
		if d, ok := OwnDatabase(found); ok {
			own, err := d.Events(ctx)
			if err != nil {
				return nil, err
			}
			all = append(all, own...)
		}
	}
	return all, nil
}

func (d *Database) Events(ctx *sql.Context) ([]*Event, error) {
	stored, err := List[StoredEvent](ctx, d, catalog.KindEvent)
	all := make([]*Event, len(stored))
	for i, e := range stored {
		e.Origin = e.Origin.Completed(d, e.EventDefinition.Definer)
		if e.Zone == "" {
			e.Zone = "SYSTEM"
		}
		all[i] = &Event{d.name, e}
	}
	return all, err
}

// GetEvent implements sql.EventDatabase.
func (d *Database) GetEvent(ctx *sql.Context, name string) (sql.EventDefinition, bool, error) {
	return Find[sql.EventDefinition](ctx, d, catalog.KindEvent, name)
}

// GetEvents implements sql.EventDatabase.
func (d *Database) GetEvents(ctx *sql.Context) ([]sql.EventDefinition, any, error) {
	all, err := List[sql.EventDefinition](ctx, d, catalog.KindEvent)
	return all, nil, err
}

// SaveEvent implements sql.EventDatabase. GMS itself deals with a time AT which is past.
func (d *Database) SaveEvent(ctx *sql.Context, e sql.EventDefinition) (bool, error) {
	if _, ok, err := d.GetEvent(ctx, e.Name); err != nil || ok {
		if err == nil {
			err = sql.ErrEventAlreadyExists.New(e.Name)
		}
		return false, err
	}
	if _, ends := (&Event{d.name, StoredEvent{EventDefinition: e}}).Next(e.CreatedAt, time.Time{}); ends {
		if !e.OnCompletionPreserve {
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1588,
				Message: "Event execution time is in the past and ON COMPLETION NOT PRESERVE is set. The event was dropped immediately after creation."})
			return false, nil
		}
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1544, Message: "Event execution time is in the past. Event has been disabled"})
		e.Status = eventDisabled
	}
	return d.putEvent(ctx, e)
}

// DropEvent implements sql.EventDatabase.
func (d *Database) DropEvent(ctx *sql.Context, name string) error {
	SessionOf(ctx).changesEvents()
	return d.remove(ctx, catalog.KindEvent, name, sql.ErrEventDoesNotExist.New(name))
}

// UpdateEvent implements sql.EventDatabase.
func (d *Database) UpdateEvent(ctx *sql.Context, original string, e sql.EventDefinition) (bool, error) {
	if !strings.EqualFold(original, e.Name) {
		if _, ok, err := d.GetEvent(ctx, e.Name); err != nil || ok {
			if err == nil {
				err = sql.ErrEventAlreadyExists.New(e.Name)
			}
			return false, err
		}
		if err := d.DropEvent(ctx, original); err != nil {
			return false, err
		}
	}
	return d.putEvent(ctx, e)
}

// putEvent stores an event. One that a source's log brings is the source's to run.
func (d *Database) putEvent(ctx *sql.Context, e sql.EventDefinition) (bool, error) {
	s := SessionOf(ctx)
	o, err := newOrigin(ctx, e.Definer)
	if err != nil {
		return false, err
	}
	e.SqlMode = trees.UsualMode(e.SqlMode)
	e.Starts, e.Ends, e.ExecuteAt = e.Starts.Truncate(time.Second), e.Ends.Truncate(time.Second), e.ExecuteAt.Truncate(time.Second)
	if s.replicaSideEvent() {
		e.Status = eventReplicaSide
	}
	made := StoredEvent{EventDefinition: e, Origin: o, Zone: s.text("time_zone")}
	if v, err := ctx.GetSessionVariable(ctx, "server_id"); err == nil {
		_, _ = fmt.Sscan(fmt.Sprint(v), &made.Originator)
	}
	s.changesEvents()
	return e.Status == eventEnabled, d.Put(ctx, catalog.KindEvent, e.Name, made)
}

// UpdateLastExecuted implements sql.EventDatabase: GMS's scheduler does not run.
func (d *Database) UpdateLastExecuted(*sql.Context, string, time.Time) error { return nil }

// NeedsToReloadEvents implements sql.EventDatabase.
func (d *Database) NeedsToReloadEvents(*sql.Context, any) (bool, error) { return false, nil }

// eventChanges is what a session has done to events since its last commit. REQUIRES: Session.mu.
type eventChanges struct {
	any         bool
	replicaSide bool // the statement says DISABLE ON REPLICA
}

// changesEvents has the scheduler look at the events anew when the session commits.
func (s *Session) changesEvents() {
	if s == nil {
		return
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.events.any = true
}

func (s *Session) replicaSideEvent() bool {
	if s == nil {
		return false
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	side := s.events.replicaSide
	s.events.replicaSide = false
	return side || s.replica.place != nil
}

// DisableOnReplica notes a state that GMS does not know.
func (s *Session) DisableOnReplica(ctx *sql.Context) {
	text := s.written(ctx)
	n, _ := trees.StoredTree(text).(*sqlast.CreateEvent)
	for w := range tabledef.WordsOf(text, 0) {
		if n == nil || n.Body != nil && w.From >= n.Body.Pos() {
			break
		}
		if w.Is("slave") {
			s.Warn(&sql.Warning{Level: "Warning", Code: 1287, Message: "'<CREATE|ALTER> EVENT ... DISABLE ON SLAVE' is deprecated and will be removed in a future release. " +
				"Please use <CREATE|ALTER> EVENT ... DISABLE ON REPLICA instead"})
			break
		}
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.events.replicaSide = true
}

// When events are due. An event that recurs is due at its STARTS plus a multiple of its interval;
// what was missed while nothing ran it is not made good. One that runs once is due even when its
// time has passed.

// Next is when an event is due that was last executed at a time, the zero time being never; ends:
// it will not be due again.
func (e *Event) Next(now, last time.Time) (at time.Time, ends bool) {
	if e.HasExecuteAt {
		return e.ExecuteAt, !last.IsZero()
	}
	now = now.Truncate(time.Second) // the grain of schedules
	if e.HasEnds && e.Ends.Before(now) {
		return at, true
	}
	at = e.Starts
	if at.Before(now) || !last.Before(at) {
		if at = e.after(now); at.IsZero() {
			return at, true
		}
	}
	return at, e.HasEnds && at.After(e.Ends)
}

// after is the first time of the schedule behind now; zero: there is none.
func (e *Event) after(now time.Time) time.Time {
	every, err := sql.EventOnScheduleEveryIntervalFromString(e.ExecuteEvery)
	if err != nil {
		return time.Time{}
	}
	seconds := ((every.Days*24+every.Hours)*60+every.Minutes)*60 + every.Seconds
	months := every.Years*12 + every.Months
	if seconds <= 0 && months <= 0 {
		return time.Time{}
	}
	starts := e.Starts.In(time.Local) // where months have their days
	if months == 0 {
		passed := max(0, now.Unix()-starts.Unix()) / seconds
		return starts.Add(time.Duration(passed+1) * time.Duration(seconds) * time.Second)
	}
	n := int64(0)
	if seconds == 0 {
		n = max(0, int64(now.Sub(starts).Hours()/24/31)/months-1) // not yet behind now
	}
	for ; ; n++ {
		at := programs.PlusMonths(starts, n*months).Add(time.Duration(n*seconds) * time.Second)
		if at.After(now) {
			return at
		}
	}
}

// The schedules of CREATE EVENT and ALTER EVENT. The grammar takes little more than literals there,
// MySQL any expression, so each becomes a text that is planned and computed when the statement
// runs:
//
//	AT now() - INTERVAL 1 DAY       AT '\x00now() - INTERVAL 1 DAY'
//	EVERY 1 + 1 HOUR STARTS @t      EVERY '\x001 + 1' HOUR STARTS '\x00@t'

// Computed puts values in the place of expressions: the times, which are of the session's zone, in
// the system's.
func (l *Layer) Computed(ctx *sql.Context, c programs.Schedule) (out programs.Schedule, err error) {
	if out.At, out.Until, err = l.moment(ctx, c.At, "AT"); err != nil || c.At != nil || c.Every == nil {
		return out, err
	}
	if out.Every, err = l.interval(ctx, c.Every); err != nil {
		return out, err
	}
	begins := ctx.QueryTime()
	if c.Starts != nil {
		if out.Starts, begins, err = l.moment(ctx, c.Starts, "STARTS"); err != nil {
			return out, err
		}
	}
	if out.Ends, out.Until, err = l.moment(ctx, c.Ends, "ENDS"); err == nil && c.Ends != nil && !out.Until.After(begins) {
		err = sqlerr.NewError(1543, "ENDS is either invalid or before STARTS")
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
		moment = time.UnixMicro(store.MomentMicros(SessionOf(ctx).Zone(), local.UnixMicro())).UTC()
	}
	if moment.Unix() <= 0 {
		return nil, moment, programs.BadSchedule(clause, written)
	}
	shown, _ := sql.ConvertTimeZone(moment, "+00:00", sql.SystemTimezoneOffset())
	return plan.NewOnScheduleTimestamp("", expression.NewLiteral(shown.Format(sql.EventDateSpaceTimeFormat), types.LongText), nil), moment, nil
}

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
		return nil, programs.BadSchedule("INTERVAL", nil)
	}
	out := expression.NewInterval(expression.NewLiteral(v, t), every.Unit)
	delta, err := out.EvalDelta(ctx, nil)
	if n, whole := v.(int64); err == nil && (whole && n > programs.MostIntervals || *delta == expression.TimeDelta{} || whole && n < 0) {
		err = sqlerr.NewError(1542, "INTERVAL is either not positive or too big")
	}
	return out, err
}

// scheduled computes an expression of a schedule, as it is written and as a type.
func (l *Layer) scheduled(ctx *sql.Context, e sql.Expression, as string) (written, v any, err error) {
	literal, _ := e.(*expression.Literal)
	if literal == nil {
		return nil, nil, sql.ErrUnsupportedFeature.New(e.String())
	}
	text, marked := strings.CutPrefix(fmt.Sprint(literal.Value()), programs.ScheduleMark)
	if !marked {
		text = trees.QuoteText(text)
	}
	text = "SELECT " + text + ", CAST(" + text + " AS " + as + ")"
	stmt, _, _, err := (&Parser{Plain: l.Opts.Plain}).ParseWithOptions(ctx, text, ';', false, operand.Mode(ctx).ParserOptions())
	if err != nil {
		return nil, nil, err
	}
	p, _, err := l.Project(ctx, text, stmt, nil)
	if err != nil {
		return nil, nil, err
	}
	exprs, err := trees.AsRun(ctx, p.Projections)
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
			return nil, nil, sqlerr.NewError(1235, "This version of MySQL doesn't yet support 'Event schedule expressions which contain subqueries or stored function calls'")
		}
	}
	if written, err = exprs[0].Eval(ctx, nil); err == nil {
		v, err = exprs[1].Eval(ctx, nil)
	}
	return written, v, err
}
