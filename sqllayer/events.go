package sqllayer

// Events as they are stored and changed. The times of their last runs are rows beside them: a run
// changes no definition. Who runs them is the server.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/internal/base"
	sqlast "emberdb/sql/ast"
)

// What GMS calls the states of an event.
const (
	eventEnabled     = "ENABLE"
	eventDisabled    = "DISABLE"
	eventReplicaSide = "DISABLE ON SLAVE"
)

type storedEvent struct {
	sql.EventDefinition
	Origin     origin
	Originator uint32 // the server it was made on
	Zone       string // of its times and of the session it runs in; "" is SYSTEM
}

// Event is a stored event of a database.
type Event struct {
	Schema string
	storedEvent
}

// Enabled tells whether it is to run.
func (e *Event) Enabled() bool { return e.Status == eventEnabled }

// Definer is the account it runs as.
func (e *Event) Definer() Role { return roleOf(e.Origin.Definer) }

// eventSpace has the rows of last executions.
const eventSpace = "event"

// lastRun is such a row: it is of the event that was made then.
type lastRun struct{ Created, At time.Time }

func (e *Event) lastKey() string { return e.Schema + "." + strings.ToLower(e.Name) }

// LastExecuted is when an event was executed, zero if it never was.
func (l *Layer) LastExecuted(ctx context.Context, e *Event) (time.Time, error) {
	b, err := l.eng.GetKV(ctx, nil, eventSpace, e.lastKey())
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
	return l.eng.PutKV(ctx, nil, eventSpace, e.lastKey(), b)
}

// CompleteEvent disables or drops an event that is not due again. Only the drop is logged.
func (l *Layer) CompleteEvent(ctx *sql.Context, e *Event) error {
	s := sessionOf(ctx)
	found, err := l.Provider.Database(ctx, e.Schema)
	if err != nil {
		return err
	}
	d, ok := ownDatabase(found)
	if !ok {
		return nil
	}
	now, ok, err := find[storedEvent](ctx, d, catalog.KindEvent, e.Name)
	if err != nil || !ok || !now.CreatedAt.Equal(e.CreatedAt) || !now.LastAltered.Equal(e.LastAltered) {
		return err
	}
	if e.OnCompletionPreserve {
		now.Status = eventDisabled
		err = d.put(ctx, catalog.KindEvent, e.Name, now)
	} else {
		s.SetCurrentDatabase(d.name)
		s.SetStatement("DROP EVENT IF EXISTS " + quoteName(d.name) + "." + quoteName(e.Name))
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
		if d, ok := ownDatabase(found); ok {
			own, err := d.events(ctx)
			if err != nil {
				return nil, err
			}
			all = append(all, own...)
		}
	}
	return all, nil
}

func (d *Database) events(ctx *sql.Context) ([]*Event, error) {
	stored, err := list[storedEvent](ctx, d, catalog.KindEvent)
	all := make([]*Event, len(stored))
	for i, e := range stored {
		e.Origin = e.Origin.completed(d, e.EventDefinition.Definer)
		if e.Zone == "" {
			e.Zone = "SYSTEM"
		}
		all[i] = &Event{d.name, e}
	}
	return all, err
}

// GetEvent implements sql.EventDatabase.
func (d *Database) GetEvent(ctx *sql.Context, name string) (sql.EventDefinition, bool, error) {
	return find[sql.EventDefinition](ctx, d, catalog.KindEvent, name)
}

// GetEvents implements sql.EventDatabase.
func (d *Database) GetEvents(ctx *sql.Context) ([]sql.EventDefinition, any, error) {
	all, err := list[sql.EventDefinition](ctx, d, catalog.KindEvent)
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
	if _, ends := (&Event{d.name, storedEvent{EventDefinition: e}}).Next(e.CreatedAt, time.Time{}); ends {
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
	sessionOf(ctx).changesEvents()
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
	s := sessionOf(ctx)
	o, err := newOrigin(ctx, e.Definer)
	if err != nil {
		return false, err
	}
	e.SqlMode = usualMode(e.SqlMode)
	e.Starts, e.Ends, e.ExecuteAt = e.Starts.Truncate(time.Second), e.Ends.Truncate(time.Second), e.ExecuteAt.Truncate(time.Second)
	if s.replicaSideEvent() {
		e.Status = eventReplicaSide
	}
	made := storedEvent{EventDefinition: e, Origin: o, Zone: s.text("time_zone")}
	if v, err := ctx.GetSessionVariable(ctx, "server_id"); err == nil {
		_, _ = fmt.Sscan(fmt.Sprint(v), &made.Originator)
	}
	s.changesEvents()
	return e.Status == eventEnabled, d.put(ctx, catalog.KindEvent, e.Name, made)
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events.any = true
}

func (s *Session) replicaSideEvent() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	side := s.events.replicaSide
	s.events.replicaSide = false
	return side || s.replica.place != nil
}

// disableOnReplica notes a state that GMS does not know.
func (s *Session) disableOnReplica(ctx *sql.Context) {
	text := s.written(ctx)
	n, _ := storedTree(text).(*sqlast.CreateEvent)
	for w := range wordsOf(text, 0) {
		if n == nil || n.Body != nil && w.from >= n.Body.Pos() {
			break
		}
		if w.is("slave") {
			s.Warn(&sql.Warning{Level: "Warning", Code: 1287, Message: "'<CREATE|ALTER> EVENT ... DISABLE ON SLAVE' is deprecated and will be removed in a future release. " +
				"Please use <CREATE|ALTER> EVENT ... DISABLE ON REPLICA instead"})
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events.replicaSide = true
}
