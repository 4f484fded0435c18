package server

// Scheduled events. One goroutine has the enabled ones in a heap by the time they are due, as long
// as event_scheduler is ON and the server may write. What is due runs in a connection of its own
// within this process, as its definer: so an event may do whatever its definer may, is in the
// process list, can be killed, and runs beside itself if it takes longer than its interval. Changes
// of events wake the goroutine.

import (
	"container/heap"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/logs"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// What event_scheduler may be.
const (
	schedulerOn       = "ON"
	schedulerOff      = "OFF"
	schedulerDisabled = "DISABLED"
)

// scheduler runs events. Only its goroutine knows what is not atomic.
type scheduler struct {
	s       *Server
	setting atomic.Pointer[string]
	changed atomic.Bool // events are not those that are planned
	wake    chan struct{}

	active  bool
	planned map[eventKey]*plannedEvent // of the present version, also those that are not due again
	due     dueEvents

	running sync.WaitGroup
}

// eventKey is one version of an event.
type eventKey struct {
	schema, name, status string
	created, altered     int64
}

type plannedEvent struct {
	*sqllayer.Event
	at   time.Time
	gone bool // another version is in force
}

// dueEvents is a heap.
type dueEvents []*plannedEvent

func (d dueEvents) Len() int           { return len(d) }
func (d dueEvents) Less(i, j int) bool { return d[i].at.Before(d[j].at) }
func (d dueEvents) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *dueEvents) Push(e any)        { *d = append(*d, e.(*plannedEvent)) }
func (d *dueEvents) Pop() any {
	old := *d
	last := old[len(old)-1]
	*d = old[:len(old)-1]
	return last
}

func newScheduler(s *Server) *scheduler {
	e := &scheduler{s: s, wake: make(chan struct{}, 1)}
	off := schedulerOff
	e.setting.Store(&off)
	return e
}

// set is SET GLOBAL event_scheduler, and what the server starts with.
func (e *scheduler) set(value string) error {
	if e.s.ready.Load() {
		if *e.setting.Load() == schedulerDisabled {
			return sqlerr.NewError(1290, errReadOnlyServer, "event-scheduler=DISABLED or --skip-grant-tables")
		}
		if value == schedulerDisabled {
			return sqlerr.NewError(1231, "Variable 'event_scheduler' can't be set to the value of '%s'", value)
		}
	}
	e.setting.Store(&value)
	e.notify()
	return nil
}

// notify has the goroutine look at what is in force.
func (e *scheduler) notify() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// start begins, when clients are served; servers without the engine's tables have no events.
func (e *scheduler) start() {
	layer := e.s.layer()
	if layer == nil || e.s.forced > 0 {
		return
	}
	layer.EventsChanged = func() {
		e.changed.Store(true)
		e.notify()
	}
	e.running.Go(func() { e.loop(layer) })
}

// stopGrace is how long a shutdown waits for cancelled events to notice.
const stopGrace = 5 * time.Second

// stop cancels running events and waits for them.
func (e *scheduler) stop() {
	e.s.stopInner()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.running.Wait()
	}()
	late := time.After(stopGrace)
	for again := time.NewTicker(10 * time.Millisecond); ; {
		for _, w := range e.s.connections() {
			if w.event != nil {
				e.s.processes.interrupt(w.id, killedShutdown)
			}
		}
		select {
		case <-ended:
			return
		case <-late:
			e.s.log.Error("an event does not end; the server shuts down without waiting for it")
			return
		case <-again.C:
		}
	}
}

func (e *scheduler) loop(layer *sqllayer.Layer) {
	for e.s.inner.Err() == nil {
		wait := e.step(layer)
		t := time.NewTimer(wait)
		select {
		case <-e.s.inner.Done():
		case <-e.wake:
		case <-t.C:
		}
		t.Stop()
	}
	e.s.processes.daemon("", time.Time{})
}

// retryAfter is when events that could not be read are looked for again.
const retryAfter = 10 * time.Second

// step starts what is due, and tells how long nothing will be.
func (e *scheduler) step(layer *sqllayer.Layer) time.Duration {
	if active := *e.setting.Load() == schedulerOn && !e.s.globals.superReadOnly.Load(); !active {
		if e.active {
			e.s.log.Info("Event Scheduler: Stopped")
		}
		e.active, e.planned, e.due = false, nil, nil
		e.s.processes.daemon("", time.Time{})
		return math.MaxInt64
	}
	if first := !e.active; e.changed.Swap(false) || first {
		if err := e.load(layer, first); err != nil {
			e.s.log.Error("Event Scheduler: Unable to schedule event: " + err.Error())
			e.changed.Store(true)
			return retryAfter
		}
		e.active = true
	}
	for len(e.due) > 0 && (e.due[0].gone || !e.due[0].at.After(time.Now())) {
		if x := heap.Pop(&e.due).(*plannedEvent); !x.gone {
			e.fire(layer, x)
		}
	}
	if len(e.due) == 0 {
		e.s.processes.daemon("Waiting on empty queue", time.Now())
		return math.MaxInt64
	}
	e.s.processes.daemon("Waiting for next activation", time.Now())
	return max(0, time.Until(e.due[0].at))
}

// load plans the events anew that are not planned as they are. first: what is found may have been
// missed, otherwise it is new.
func (e *scheduler) load(layer *sqllayer.Layer, first bool) error {
	var all []*sqllayer.Event
	err := e.s.asServer(func(ctx *sql.Context) (err error) {
		all, err = layer.Events(ctx)
		return err
	})
	if err != nil {
		return err
	}
	now := make(map[eventKey]*plannedEvent, len(all))
	for _, x := range all {
		if !x.Enabled() {
			continue
		}
		key := eventKey{x.Schema, x.Name, x.Status, x.CreatedAt.UnixNano(), x.LastAltered.UnixNano()}
		if now[key] = e.planned[key]; now[key] != nil {
			continue
		}
		now[key] = &plannedEvent{Event: x}
		at := time.Now()
		if !first {
			at = x.LastAltered
		}
		if err := e.plan(layer, now[key], at); err != nil {
			return err
		}
	}
	for key, x := range e.planned {
		x.gone = now[key] == nil
	}
	e.planned = now
	return nil
}

// plan puts an event among those that are due some time, or completes it.
func (e *scheduler) plan(layer *sqllayer.Layer, x *plannedEvent, now time.Time) error {
	last, err := layer.LastExecuted(e.s.inner, x.Event)
	if err != nil {
		return err
	}
	var ends bool
	if x.at, ends = x.Next(now, last); ends {
		e.s.complete(layer, x.Event)
		return nil
	}
	heap.Push(&e.due, x)
	return nil
}

// fire starts an event that is due, and plans its next run.
func (e *scheduler) fire(layer *sqllayer.Layer, x *plannedEvent) {
	now := time.Now()
	if err := layer.Executed(e.s.inner, x.Event, now); err != nil {
		e.s.log.Error("Event Scheduler: Unable to schedule event: " + err.Error())
	}
	at, ends := x.Next(now, now)
	if x.at = at; !ends {
		heap.Push(&e.due, x)
	} else if x.OnCompletionPreserve {
		e.s.complete(layer, x.Event)
	} else {
		e.s.log.Info("Event Scheduler: Last execution of " + x.Schema + "." + x.Name + ". Dropping.")
	}
	e.running.Go(func() {
		e.s.runEvent(x.Event)
		if ends && !x.OnCompletionPreserve {
			e.s.complete(layer, x.Event)
		}
	})
}

// complete disables or drops an event that is not due again.
func (s *Server) complete(layer *sqllayer.Layer, e *sqllayer.Event) {
	err := s.asServer(func(ctx *sql.Context) error { return layer.CompleteEvent(ctx, e) })
	if err != nil && s.inner.Err() == nil {
		s.logEvent(e, err.Error())
	}
}

func (s *Server) logEvent(e *sqllayer.Event, message string) {
	s.log.Error(fmt.Sprintf("Event Scheduler: [%s][%s.%s] %s", e.Origin.Definer, e.Schema, e.Name, logs.MaskSecrets(message)))
}

// runEvent runs an event through a connection of its own.
func (s *Server) runEvent(e *sqllayer.Event) {
	who := e.Definer()
	if _, known := s.accounts.named(who); !known {
		s.log.Error(fmt.Sprintf("Event Scheduler: [%s].[%s.%s] execution failed, failed to authenticate the user.", e.Origin.Definer, e.Schema, e.Name))
		return
	}
	c, _, err := s.dialInside(s.inner, who.User, e.Schema, func(w *wireConn) { w.event, w.unix, w.secure = e, true, true })
	if err != nil {
		if s.inner.Err() == nil {
			s.logEvent(e, err.Error())
		}
		return
	}
	defer c.Close()
	_, _ = c.Execute(e.EventBody) // execution.event logs what goes wrong
}

// event runs the event that the connection is for.
func (x *execution) event(ctx *sql.Context, s *sqllayer.Session) error {
	s.Serve(nil, x.programText)
	s.LendQuerying(x.queryingIn(s))
	defer x.lendSelecting(ctx)()
	err := s.RunEvent(ctx, x.w.event)
	for _, w := range s.Warnings() {
		if err == nil && w.Level == "Warning" {
			e := x.w.event
			x.h.s.log.Warn(fmt.Sprintf("Event Scheduler: [%s][%s.%s] %s", e.Origin.Definer, e.Schema, e.Name, w.Message))
		}
	}
	if err != nil {
		x.h.s.logEvent(x.w.event, x.h.translate(err, x.stmt, x.db).Message)
		return err
	}
	return x.ok(ctx, 0)
}

// innerIDs number sessions without a connection; they lie above the ids of connections.
var innerIDs atomic.Uint32

// innerContext makes a context with a new session of the administrator's. The caller ends the
// session.
func (s *Server) innerContext() (*sql.Context, error) {
	c := &mysql.Conn{UserData: sql.MysqlConnectionUser{User: "root", Host: "localhost"}, User: "root", ConnectionID: 1<<31 + innerIDs.Add(1)}
	sess, err := s.cfg.NewSession(s.inner, c, "localhost")
	if err != nil {
		return nil, err
	}
	return sql.NewContext(s.inner, sql.WithSession(sess), sql.WithProcessList(s.processes), sql.WithMemoryManager(s.sql.MemoryManager)), nil
}

// asServer runs something in a session of the server's own.
func (s *Server) asServer(do func(ctx *sql.Context) error) error {
	ctx, err := s.innerContext()
	if err != nil {
		return err
	}
	defer sql.SessionEnd(ctx.Session)
	if err := sql.SessionCommandBegin(ctx.Session); err != nil {
		return err
	}
	defer sql.SessionCommandEnd(ctx.Session)
	err = errors.New("broken off")
	defer func() { finishStatement(ctx.Session, err) }()
	err = do(ctx)
	return err
}
