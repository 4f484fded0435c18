package replication

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
	"emberdb/replication/relay"
)

// coordinator is the applier of a channel: it reads the relay log, and hands transactions to
// workers.
//
// Transactions run side by side if the source's logical clock says that they may: all that had not
// been committed when this one took its place did not conflict with it. They are committed in the
// source's order (sequence). A definition, and whatever is no plain transaction of rows, runs
// alone.
type coordinator struct {
	c        *Channel
	relay    *relay.Log
	settings Settings
	until    *Until
	skip     int
	own      uint32
	ignored  map[uint32]bool
	delay    time.Duration

	reader  *relay.Reader
	group   relay.Group
	format  []byte // format description of the events that follow
	data    []byte // of the group at hand
	from    relay.Position
	begins  uint32 // server id of the event that the group began with
	stamp   uint32 // its time
	mark    Mark   // behind what was handed out
	durable uint32 // file of the relay log from which the last transaction was applied

	order   *sequence
	given   uint64 // turns
	workers []*worker
	free    chan *worker
	done    chan *job
	running []*job // in order
	maria   mariaClock
	clock   int64 // sequence number of the newest transaction before which all have ended
	broken  bool  // a transaction that was handed out has not been applied
	failed  error
}

// again is how often workers that are to end are interrupted.
const again = 100 * time.Millisecond

// mostHeld is the size of a transaction that is read once; a larger one is read from the relay log
// again by its worker.
const mostHeld = 1 << 20

func newCoordinator(c *Channel, l *relay.Log, m Mark, until *Until) *coordinator {
	src := c.Source()
	s := c.local.Settings()
	co := &coordinator{c: c, relay: l, settings: s, until: until, skip: s.Skip, delay: src.Delay, mark: m, order: newSequence(),
		ignored: map[uint32]bool{}, free: make(chan *worker, max(1, s.Workers)), done: make(chan *job, max(1, s.Workers))}
	if !s.SameID {
		co.own = c.local.Identity().ID
	}
	for _, id := range src.IgnoreIDs {
		co.ignored[id] = true
	}
	return co
}

// errUntil says that the applier has come to where it was to stop.
var errUntil = errors.New("UNTIL is reached")

// run applies until it is stopped or fails.
func (co *coordinator) run(ctx context.Context, ended chan struct{}) {
	defer close(ended)
	err := co.open(ctx)
	if err == nil {
		err = co.follow(ctx)
	}
	if co.failed == nil && ctx.Err() == nil && !errors.Is(err, errUntil) {
		co.failed = err
	}
	co.close(ctx, errors.Is(err, errUntil))
	if co.failed != nil {
		co.fault(co.failed)
	}
	co.c.change(func(s *Status) { s.ApplierState = "" })
}

// open opens the workers' sessions.
func (co *coordinator) open(ctx context.Context) error {
	co.reader = co.relay.NewReader(co.mark.Relay)
	for i := range cap(co.free) {
		w, err := newWorker(ctx, co, i)
		if err != nil {
			return err
		}
		co.workers = append(co.workers, w)
		co.free <- w
	}
	return nil
}

// close ends the workers: wait lets them end what they do, otherwise it is taken back.
func (co *coordinator) close(ctx context.Context, wait bool) {
	if wait && co.failed == nil {
		if err := co.drain(ctx); err != nil && ctx.Err() == nil {
			co.failed = err
		}
	}
	co.order.end()
	for _, w := range co.workers {
		w.target.Interrupt()
	}
	for len(co.running) > 0 {
		select {
		case j := <-co.done:
			_ = co.ended(j) // the first error is kept
		case <-time.After(again): // a statement may have begun since
			for _, w := range co.workers {
				w.target.Interrupt()
			}
		}
	}
	for _, w := range co.workers {
		if err := w.target.Close(); err != nil {
			co.c.log.Warn("a worker's session does not end well", "error", err)
		}
	}
	if err := co.reader.Close(); err != nil {
		co.c.log.Warn("the relay log cannot be closed", "error", err)
	}
}

// fault notes why the applier stops.
func (co *coordinator) fault(err error) {
	code, text := codeOf(err), err.Error()
	var e *mysql.MyError
	var f *failure
	switch {
	case errors.As(err, &f):
		code = f.code
		text = fmt.Sprintf("Coordinator stopped because there were error(s) in the worker(s). The most recent failure being: Worker %d failed executing transaction '%s' at source log %s, end_log_pos %d. "+
			"See error log and/or performance_schema.replication_applier_status_by_worker table for more details about this failure or others, if any.",
			f.worker+1, f.name, f.end.File, f.end.Position)
	case errors.As(err, &e):
		text = e.Message
	case code == 0:
		code, text = 13121, "Relay log read failure: "+text
	}
	co.c.log.Error("replication: "+text, "code", code)
	co.c.change(func(s *Status) { s.SQL = Fault{code, text, time.Now()} })
}

// follow reads groups and has them applied.
func (co *coordinator) follow(ctx context.Context) error {
	for {
		if err := co.collect(); err != nil {
			return err
		}
		if !co.group.Inside() && co.untilAfter() {
			return errUntil
		}
		e, err := co.next(ctx)
		if err != nil {
			return err
		}
		if err := co.event(ctx, &e); err != nil {
			return err
		}
	}
}

// untilAfter tells whether the applier stops at the mark.
func (co *coordinator) untilAfter() bool {
	return co.until.after(&co.mark, co.relay.Name(co.mark.Relay), func() *binlog.Set {
		_, set := co.c.local.GTIDs()
		return set
	})
}

// next waits for an event. While it waits, what has ended is noted.
func (co *coordinator) next(ctx context.Context) (e binlog.Event, err error) {
	for {
		e, ok, wake, err := co.reader.TryNext()
		if ok || err != nil {
			return e, err
		}
		co.state(stateRead)
		select {
		case <-wake:
		case j := <-co.done:
			if err := co.ended(j); err != nil {
				return e, err
			}
			if co.untilAfter() {
				return e, errUntil
			}
		case <-ctx.Done():
			return e, ctx.Err()
		}
	}
}

func (co *coordinator) state(text string) {
	co.c.change(func(s *Status) { s.ApplierState = text })
}

// event takes an event: a group is handed out when it ends.
func (co *coordinator) event(ctx context.Context, e *binlog.Event) error {
	if !co.group.Inside() {
		co.data, co.begins, co.stamp = co.data[:0], e.ServerID, e.Time
		co.from = relay.Position{Relay: co.reader.File(), Offset: e.Pos}
	}
	if len(co.data) <= mostHeld {
		co.data = append(co.data, e.Raw...)
	}
	ends := co.group.Add(e)
	if e.Type == binlog.EventFormatDescription {
		co.format = append([]byte(nil), e.Raw...)
	}
	at := relay.Position{Relay: co.reader.File(), Offset: e.End()}
	if !ends || at.Compare(co.mark.InRelay()) <= 0 {
		return nil
	}
	end := Mark{Place: co.group.Place, Relay: at.Relay, Offset: at.Offset, Epoch: co.mark.Epoch}
	if end.File == "" { // the head of a file of the relay log
		return nil
	}
	if !co.group.Transaction {
		return co.between(ctx, end)
	}
	return co.transaction(ctx, end)
}

// between passes what stands between transactions. The logical clock begins anew in each file of
// the source.
func (co *coordinator) between(ctx context.Context, end Mark) error {
	if err := co.drain(ctx); err != nil {
		return err
	}
	if n := compareFiles(end.File, co.mark.File); n < 0 || n == 0 && end.Place.Position < co.mark.Place.Position {
		end.Place = co.mark.Place // by GTIDs a source begins further back
	}
	co.mark, co.clock = end, 0
	co.c.change(func(s *Status) { s.Applied = end })
	return nil
}

// transaction hands out the transaction that ends at a mark.
func (co *coordinator) transaction(ctx context.Context, end Mark) error {
	if co.until.before(&co.mark, co.relay.Name(co.mark.Relay), co.group.GTID) {
		return errUntil
	}
	if co.begins == co.own && co.own != 0 || co.ignored[co.begins] {
		return co.between(ctx, end)
	}
	if co.until != nil && co.until.Kind == UntilAfter { // nothing may pass the last of them
		if err := co.drain(ctx); err != nil {
			return err
		}
		if co.untilAfter() {
			return errUntil
		}
	}
	j, err := co.job(end)
	if err != nil {
		return err
	}
	if co.skip > 0 {
		err = co.skipped(ctx, j)
	} else if err = co.await(ctx, j); err == nil {
		err = co.hand(ctx, j)
	}
	if err == nil {
		co.mark = end
	}
	return err
}

// job describes the transaction at hand.
func (co *coordinator) job(end Mark) (*job, error) {
	co.given++
	j := &job{from: co.from, end: end, format: co.format, turn: co.order.turn(co.given), alone: co.group.Definition,
		now: Transaction{Name: "ANONYMOUS", Begun: time.Now()}, stamp: co.stamp}
	if len(co.data) <= mostHeld {
		j.data = append([]byte(nil), co.data...)
	}
	if g := co.group.GTID; g != (binlog.GTID{}) {
		j.now.Name = g.String()
	}
	e, err := parseEvent(newParser(), firstEvent(co.data))
	if err != nil {
		return j, fmt.Errorf("the first event of a transaction: %w", err)
	}
	switch x := e.Event.(type) {
	case *replication.GTIDEvent:
		j.named(x)
	case *replication.GtidTaggedLogEvent:
		j.named(&x.GTIDEvent)
	case *replication.MariadbGTIDEvent:
		co.maria.named(j, x)
	default:
		j.alone = true
	}
	return j, nil
}

// skipped passes a transaction that SQL_REPLICA_SKIP_COUNTER counts.
func (co *coordinator) skipped(ctx context.Context, j *job) error {
	if err := co.drain(ctx); err != nil {
		return err
	}
	co.skip = max(0, co.skip-co.group.Events)
	w := <-co.free
	defer func() { co.free <- w }()
	w.target.Place(j.end)
	if err := w.target.Settle(); err != nil {
		return err
	}
	j.turn.Pass()
	co.c.change(func(s *Status) { s.Skip, s.Applied = co.skip, j.end })
	return nil
}

// await waits as long as SOURCE_DELAY asks.
func (co *coordinator) await(ctx context.Context, j *job) error {
	if co.delay == 0 {
		return nil
	}
	at := time.Unix(int64(j.stamp), 0)
	if j.now.Immediate != 0 {
		at = time.UnixMicro(int64(j.now.Immediate))
	}
	for left := time.Until(at.Add(co.delay)); left > 0; left = time.Until(at.Add(co.delay)) {
		co.c.change(func(s *Status) { s.ApplierState, s.Delayed = stateDelay, left })
		select {
		case <-time.After(min(left, time.Second)):
		case j := <-co.done:
			if err := co.ended(j); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	co.c.change(func(s *Status) { s.Delayed = -1 })
	return nil
}

// hand gives a transaction to a worker as soon as it may run.
func (co *coordinator) hand(ctx context.Context, j *job) error {
	co.state(stateApply)
	for j.alone && len(co.running) > 0 || !j.alone && len(co.running) > 0 && co.clock < j.last {
		if err := co.wait(ctx); err != nil {
			return err
		}
	}
	for len(co.free) == 0 {
		if err := co.wait(ctx); err != nil {
			return err
		}
	}
	w := <-co.free
	j.worker = w
	co.running = append(co.running, j)
	go w.do(ctx, j)
	if j.alone {
		return co.drain(ctx)
	}
	return nil
}

// drain waits for all that was handed out.
func (co *coordinator) drain(ctx context.Context) error {
	for len(co.running) > 0 {
		if err := co.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (co *coordinator) wait(ctx context.Context) error {
	select {
	case j := <-co.done:
		return co.ended(j)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// collect notes what has ended meanwhile.
func (co *coordinator) collect() error {
	for {
		select {
		case j := <-co.done:
			if err := co.ended(j); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// ended takes the outcome of a transaction. Those that ended in order are settled, up to the first
// that failed.
func (co *coordinator) ended(j *job) error {
	j.over = true
	co.free <- j.worker
	if j.err != nil {
		co.order.end()
		if co.failed == nil && !errors.Is(j.err, errEnded) {
			co.failed = j.err
		}
	}
	n := 0
	for ; n < len(co.running) && co.running[n].over; n++ {
		if co.broken = co.broken || co.running[n].err != nil; co.broken {
			continue
		}
		if err := co.settle(co.running[n]); err != nil && co.failed == nil {
			co.failed = err
		}
	}
	co.running = append(co.running[:0], co.running[n:]...)
	if co.failed != nil {
		return co.failed
	}
	return j.err
}

// settle notes that all up to a transaction has been applied.
func (co *coordinator) settle(j *job) error {
	co.clock = max(co.clock, j.sequence)
	co.c.settled.Add(1)
	co.c.change(func(s *Status) {
		s.Applied = j.end
		if j.stamp != 0 {
			s.Behind = max(0, time.Now().Unix()-int64(j.stamp))
		}
	})
	if j.end.Relay <= co.durable || !co.settings.Purge {
		return nil
	}
	co.durable = j.end.Relay
	return co.relay.Purge(co.durable)
}
