package replication

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/binlog"
)

// Source says whom to follow, and from where on: what CHANGE REPLICATION SOURCE TO sets.
type Source struct {
	Host         string
	Port         uint16
	User         string
	Password     string
	Place        Place // where to begin, without Auto
	Auto         bool  // by GTIDs
	ConnectRetry time.Duration
	RetryCount   int
	Heartbeat    time.Duration
}

// Status is what a replica is doing.
type Status struct {
	Running    bool // not stopped, neither by STOP REPLICA nor by an error
	Connected  bool
	Answers    bool  // the source is told what is safe here: semi-synchronous replication
	IO, SQL    Fault // why it does not go on
	Read       Place // the event that came last
	Applied    Place // behind the last transaction
	SourceID   uint32
	SourceUUID string
	Behind     int64 // seconds; -1: not known
}

// Fault is an error with the time it came; the zero value is none.
type Fault struct {
	Code uint16
	Text string
	At   time.Time
}

// Codes of errors that come from no server.
const (
	codeApply      = 1105
	codeConnection = 2013
	codeEqualIDs   = 13117
	codeSourceGone = 1236 // what the source says when it cannot give what is asked for
	codeDeadlock   = 1213
	codeTimeout    = 1205
)

const (
	readTimeout  = 60 * time.Second // without an event or heartbeat
	applyRetries = 10               // of a transaction that met a deadlock, as replica_transaction_retries
	idle         = 50 * time.Millisecond
)

// Replica follows a source, at most one at a time.
type Replica struct {
	open func(ctx context.Context) (Target, error)
	log  *slog.Logger

	mu     sync.Mutex
	status Status
	stop   context.CancelFunc
	ended  chan struct{}
}

// New makes a replica that writes through sessions made by open.
func New(open func(ctx context.Context) (Target, error), log *slog.Logger) *Replica {
	return &Replica{open: open, log: log}
}

// Status returns what the replica is doing.
func (r *Replica) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Start begins to follow; at is behind the last transaction that has been applied. Nothing happens if it runs already.
func (r *Replica) Start(src Source, at Place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status.Running {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	r.stop, r.ended = stop, make(chan struct{})
	r.status = Status{Running: true, Applied: at, Read: at, Behind: -1}
	go r.run(ctx, src, r.ended)
}

// Stop ends the replica and waits for it. The transaction at hand is given up; it will be sent again.
func (r *Replica) Stop() {
	r.mu.Lock()
	stop, ended := r.stop, r.ended
	r.mu.Unlock()
	if stop != nil {
		stop()
		<-ended
	}
}

// errApply marks an error of this server's, as opposed to one of the way to the source.
type errApply struct{ error }

func (e errApply) Unwrap() error { return e.error }

// run follows until it is stopped or something is wrong that waiting does not mend.
func (r *Replica) run(ctx context.Context, src Source, ended chan struct{}) {
	defer close(ended)
	tries, refused := 0, 0
	for ctx.Err() == nil {
		before := r.Status().Applied
		err := r.follow(ctx, src)
		if r.Status().Applied != before {
			tries, refused = 0, 0
		}
		if ctx.Err() != nil {
			break
		}
		var apply errApply
		code := codeOf(err)
		if errors.As(err, &apply) {
			if refused++; (code == codeDeadlock || code == codeTimeout) && refused <= applyRetries {
				continue
			}
			r.fail(err, codeApply, func(s *Status, f Fault) { s.SQL, s.Running = f, false })
			return
		}
		fatal := code == codeSourceGone || code == codeEqualIDs
		if tries++; src.RetryCount > 0 && tries > src.RetryCount {
			fatal = true
		}
		r.fail(err, codeConnection, func(s *Status, f Fault) { s.IO, s.Running = f, !fatal })
		if fatal {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(src.ConnectRetry):
		}
	}
	r.change(func(s *Status) { s.Running, s.Connected, s.Answers, s.Behind = false, false, false, -1 })
}

func (r *Replica) change(f func(s *Status)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.status)
}

func (r *Replica) fail(err error, code uint16, f func(s *Status, f Fault)) {
	if c := codeOf(err); c != 0 {
		code = c
	}
	r.log.Error("replication: "+err.Error(), "code", code)
	r.change(func(s *Status) {
		s.Connected, s.Answers, s.Behind = false, false, -1
		f(s, Fault{code, err.Error(), time.Now()})
	})
}

// codeOf is the code of a server's error, 0 if it is none.
func codeOf(err error) uint16 {
	var e *mysql.MyError
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// follow connects and applies what comes until something fails.
func (r *Replica) follow(ctx context.Context, src Source) error {
	target, err := r.open(ctx)
	if err != nil {
		return errApply{err}
	}
	defer target.Close()
	a, err := newApplier(target)
	if err != nil {
		return errApply{err}
	}
	a.place = r.Status().Applied
	st, err := dial(ctx, &src)
	if err != nil {
		return err
	}
	defer st.c.Close()
	stop := context.AfterFunc(ctx, func() { _ = st.c.Conn.Conn.Close() }) // who waits for the source is woken
	defer stop()
	algorithm, err := r.greet(st, a.own.id)
	if err != nil {
		return err
	}
	if err := st.introduce(&src, a.own, algorithm); err != nil {
		return err
	}
	if err := r.begin(st, src, a); err != nil {
		return err
	}
	reading, done := context.WithCancel(ctx)
	defer done()
	go st.receive(reading)
	r.change(func(s *Status) { s.Connected, s.Answers, s.IO = true, st.semi, Fault{} })
	for {
		got := st.next(ctx, func() { r.change(func(s *Status) { s.Behind = 0 }) })
		if got.err != nil {
			return got.err
		}
		e := got.event
		if err := a.event(e); err != nil {
			return errApply{err}
		}
		if got.answer { // what is applied is as safe as this server keeps anything
			if err := st.answer(Place{a.place.File, e.Header.LogPos}); err != nil {
				return err
			}
		}
		r.change(func(s *Status) {
			s.Applied = a.place
			if s.Read = (Place{a.place.File, max(e.Header.LogPos, a.place.Position)}); e.Header.Timestamp != 0 {
				s.Behind = max(0, time.Now().Unix()-int64(e.Header.Timestamp))
			}
		})
	}
}

// greet asks the source who it is, and gives its binlog_checksum.
func (r *Replica) greet(st *stream, own uint32) (algorithm string, err error) {
	res, err := st.c.Execute("SELECT @@server_id, @@server_uuid, @@GLOBAL.binlog_checksum")
	if err != nil {
		return "", err
	}
	id, err := res.GetUint(0, 0)
	if err != nil {
		return "", err
	}
	if uint32(id) == own {
		return "", mysql.NewError(codeEqualIDs, "The replica I/O thread stops because source and replica have equal MySQL server ids; these ids must be different for replication to work.")
	}
	name, err := res.GetString(0, 1)
	if err != nil {
		return "", err
	}
	r.change(func(s *Status) { s.SourceID, s.SourceUUID = uint32(id), name })
	return res.GetString(0, 2)
}

// begin asks for the log: what is not in gtid_executed, or what comes behind the place.
func (r *Replica) begin(st *stream, src Source, a *applier) error {
	if !src.Auto {
		return st.fromPlace(a.place, a.own)
	}
	if !a.useGTID {
		return errApply{errors.New("SOURCE_AUTO_POSITION needs log_bin and a gtid_mode that is not OFF")}
	}
	res, err := a.target.Execute("SELECT @@gtid_executed")
	if err != nil {
		return errApply{err}
	}
	text, err := res.GetString(0, 0)
	if err != nil {
		return errApply{err}
	}
	set, err := binlog.ParseSet(text)
	if err != nil {
		return errApply{fmt.Errorf("gtid_executed: %w", err)}
	}
	return st.fromSet(set, a.own)
}
