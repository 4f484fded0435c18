package replication

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/replication/relay"
)

// job is a transaction of the relay log that is to be applied.
type job struct {
	from           relay.Position
	end            Mark
	format         []byte // the format description of its events
	data           []byte // the events; nil: they are many, and stand in the relay log only
	turn           *Turn
	last, sequence int64 // of the source's logical clock
	alone          bool  // nothing else runs meanwhile
	maria          bool  // MariaDB has logged it
	stamp          uint32
	now            Transaction
	worker         *worker
	over           bool
	err            error
}

func (j *job) named(e *replication.GTIDEvent) {
	j.last, j.sequence = e.LastCommitted, e.SequenceNumber
	j.now.Original, j.now.Immediate = e.OriginalCommitTimestamp, e.ImmediateCommitTimestamp
	if j.sequence == 0 {
		j.alone = true
	}
}

// firstEvent is the first of some events.
func firstEvent(b []byte) []byte {
	if len(b) < replication.EventHeaderSize {
		return nil
	}
	return b[:min(int(binary.LittleEndian.Uint32(b[9:])), len(b))]
}

// open reads the events.
func (j *job) open(l *relay.Log) (io.ReadCloser, error) {
	if j.data != nil {
		return io.NopCloser(bytes.NewReader(j.data)), nil
	}
	return l.OpenRange(j.from, j.end.Offset)
}

// failure is why a worker could not apply a transaction.
type failure struct {
	error
	worker int
	name   string
	end    Mark
	code   uint16
}

func (f *failure) Unwrap() error { return f.error }

// worker applies one transaction at a time in a session of its own.
type worker struct {
	n       int
	co      *coordinator
	target  Target
	applier *applier
	version uint64 // of the definitions that the applier knows
}

func newWorker(ctx context.Context, co *coordinator, n int) (*worker, error) {
	t, err := co.c.local.Open(ctx, co.c.name, n)
	if err != nil {
		return nil, err
	}
	src := co.c.Source()
	a, err := newApplier(t, co.c.local, &co.settings, &src)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return &worker{n: n, co: co, target: t, applier: a}, nil
}

// status changes what is told of the worker.
func (w *worker) status(f func(s *WorkerStatus)) {
	w.co.c.change(func(s *Status) {
		if w.n < len(s.Workers) {
			f(&s.Workers[w.n])
		}
	})
}

// do applies a transaction, and tells the coordinator.
func (w *worker) do(ctx context.Context, j *job) {
	w.status(func(s *WorkerStatus) { s.Now, s.Retries = j.now, 0 })
	if v := w.target.Version(); v != w.version {
		w.version = v
		clear(w.applier.tables)
	}
	j.err = w.try(ctx, j)
	if j.err == nil {
		j.err = j.turn.come() // it has been, if the transaction changed anything
	}
	if j.err == nil {
		j.turn.Pass()
		w.status(func(s *WorkerStatus) {
			s.Last, s.Now, s.Fault = s.Now, Transaction{}, Fault{}
			s.Last.Ended = time.Now()
		})
	} else if !errors.Is(j.err, errEnded) {
		j.err = w.failed(j)
	}
	w.co.done <- j
}

// try applies a transaction until it succeeds, or fails for good.
func (w *worker) try(ctx context.Context, j *job) error {
	return j.turn.persist(ctx, w.co.settings.Retries, func() error { return w.apply(ctx, j) }, w.applier.rollback, func() {
		w.co.c.change(func(s *Status) { s.Retries++ })
		w.status(func(s *WorkerStatus) { s.Retries++ })
	})
}

// apply runs the events of a transaction.
func (w *worker) apply(ctx context.Context, j *job) error {
	events, err := j.open(w.co.relay)
	if err != nil {
		return err
	}
	defer events.Close()
	p := newParser()
	if _, err := parseEvent(p, j.format); err != nil {
		return fmt.Errorf("format description: %w", err)
	}
	a := w.applier
	a.start(j)
	if !j.alone {
		a.turn = j.turn
		w.target.Follow(j.turn)
	}
	defer func() {
		a.turn = nil
		w.target.Follow(nil)
	}()
	for ctx.Err() == nil {
		b, err := readEvent(events)
		if err == io.EOF {
			return a.finish()
		}
		if err != nil {
			return err
		}
		e, err := parseEvent(p, b)
		if err != nil {
			return err
		}
		if err := a.event(e); err != nil {
			return err
		}
	}
	return errEnded
}

// readEvent reads an event into memory of its own, which what is parsed of it refers to.
func readEvent(r io.Reader) ([]byte, error) {
	var head [replication.EventHeaderSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[9:])
	if n < replication.EventHeaderSize || n > mostUnpacked {
		return nil, errUnreadable
	}
	b := append(make([]byte, 0, n), head[:]...)[:n]
	_, err := io.ReadFull(r, b[len(head):])
	return b, err
}

// failed notes why a transaction was not applied.
func (w *worker) failed(j *job) error {
	code, text := codeOf(j.err), j.err.Error()
	var e *mysql.MyError
	if errors.As(j.err, &e) {
		text = e.Message
	}
	var told *eventFault
	if errors.As(j.err, &told) {
		text = told.text
	}
	if code == 0 {
		code = codeApply
	}
	text = fmt.Sprintf("Worker %d failed executing transaction '%s' at source log %s, end_log_pos %d; %s", w.n+1, j.now.Name, j.end.File, j.end.Position, text)
	w.co.c.log.Error("replication: "+text, "code", code)
	w.status(func(s *WorkerStatus) { s.Fault = Fault{code, text, time.Now()} })
	return &failure{j.err, w.n, j.now.Name, j.end, code}
}
