package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"emberdb/internal/handover"
	"emberdb/internal/keep"
	"emberdb/server"
)

// A restart that clients do not notice: "ember restart", SIGUSR2. Another process of the server is
// started beside this one. Then, in this order:
//
//	the new process reads its settings      it fails: this one has not stopped serving
//	clients are parked (server.Move)        the new process ends meanwhile: they go on here
//	the engine is closed                    the directory is free; the pool's memory stays, if ember_pool_memory keeps it
//	the new process gets everything         it fails before it serves: the program that runs here is started once more,
//	                                        and gets everything
//	the new process serves                  this one ends, or relays for clients over TLS until they have ended

const healthName = "health" // of the descriptor that ember_health_address listens on

// transfer is a hand-over that was asked for. One is under way at a time.
type transfer struct {
	program string     // "": the one that this process was started as
	done    chan error // gets what came of it
	phases  phases
	cancel  context.CancelCauseFunc

	// What prepare has come to.
	next  *handover.Next
	moved *server.Moved
	err   error
}

// phases are the moments between which a transfer's time went.
type phases struct{ began, ready, parked, closed, serves time.Time }

func (p *phases) String() string {
	took := func(from, to time.Time) time.Duration { return to.Sub(from).Round(time.Millisecond) }
	return fmt.Sprintf("%v (process started %v, clients parked %v, engine closed %v, opened %v)",
		took(p.began, p.serves), took(p.began, p.ready), took(p.ready, p.parked), took(p.parked, p.closed), took(p.closed, p.serves))
}

func newTransfer(program string) *transfer {
	return &transfer{program: program, done: make(chan error, 1)}
}

var errEnding = errors.New("the server is shutting down, or has handed over")

// take waits for what the previous process gives; nil: there is no such process.
func (d *daemon) take() error {
	prev, err := handover.FromEnvironment()
	if prev == nil || err != nil {
		return err
	}
	c, err := prev.Receive()
	if err != nil {
		return err
	}
	d.prev = prev
	d.left = c.Files
	d.moved = &server.Moved{State: c.State, Files: c.Files}
	return nil
}

// listenForRestarts lets ember restart reach this process.
func (d *daemon) listenForRestarts() {
	c, err := handover.Listen(d.dir, func(program string) (string, error) {
		t := newTransfer(program)
		select {
		case d.requests <- t:
		case <-d.ending:
			return "", errEnding
		}
		if err := <-t.done; err != nil {
			return "", err
		}
		return fmt.Sprintf("process %d serves", d.next), nil
	})
	if err != nil {
		d.log.Warn("ember restart will not reach this server", "error", err)
		return
	}
	d.control = c
}

// begin carries a transfer out. Clients are served, and signals heard, until it is prepared.
func (d *daemon) begin(t *transfer) {
	if d.transfer != nil {
		d.log.Error("not handed over", "error", handover.ErrUnderWay)
		t.done <- handover.ErrUnderWay
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	t.phases.began, t.cancel, d.transfer = time.Now(), cancel, t
	go func() {
		t.next, t.moved, t.err = d.prepare(ctx, t)
		d.prepared <- t
	}()
}

// prepare starts another process and parks the clients. After an error nothing has happened.
func (d *daemon) prepare(ctx context.Context, t *transfer) (*handover.Next, *server.Moved, error) {
	if os.Getpid() == 1 {
		return nil, nil, errors.New("this is the first process of its container, which ends with it: restart the container")
	}
	if d.fetch != nil {
		return nil, nil, errors.New("pages of the directory are still in a backup")
	}
	program := t.program
	if program == "" {
		program = d.program
	}
	d.log.Warn("handing over to a new process", "program", program)
	next, err := handover.Start(ctx, program, program, os.Args[1:])
	if err != nil {
		return nil, nil, err
	}
	if !d.keepsPool() {
		if err := d.backend.Warm("dump"); err != nil { // the new process reads the pages by it
			d.log.Warn("LRU list not written", "error", err)
		}
	}
	t.phases.ready = time.Now()
	moved, err := d.srv.Move(ctx)
	if err != nil {
		next.Kill()
		return nil, nil, err
	}
	t.phases.parked = time.Now()
	return next, moved, nil
}

// complete goes on with a transfer that is prepared. left is true when this process serves no
// longer.
func (d *daemon) complete(t *transfer) (left bool, err error) {
	d.transfer = nil
	t.cancel(nil)
	if t.err == nil {
		if t.err = t.next.Alive(); t.err != nil {
			d.srv.Resume(t.moved)
		}
	}
	if t.err != nil {
		d.log.Error("not handed over", "error", t.err)
		t.done <- t.err
		return false, t.err
	}
	err = d.finish(t)
	if d.next != 0 && err == nil {
		d.out.line(fmt.Sprintf("Ember handed over to process %d after %v.\n", d.next, &t.phases))
	}
	t.done <- err
	return true, err
}

// abandon ends the transfer under way, if there is one: the server shuts down.
func (d *daemon) abandon() {
	close(d.ending)
	t := d.transfer
	if t == nil {
		return
	}
	t.cancel(errEnding)
	if <-d.prepared; t.err == nil {
		t.err = errEnding
		t.next.Kill()
		d.srv.Resume(t.moved)
	}
	d.log.Error("not handed over", "error", t.err)
	t.done <- t.err
}

// finish gives a process everything. There is no way back.
func (d *daemon) finish(t *transfer) error {
	next, moved := t.next, t.moved
	d.serving.Store(false)
	d.health.Stopping()
	c := &handover.Content{State: moved.State, Files: moved.Files}
	if f, err := d.health.HandOver(); err == nil && f != nil {
		c.Files[healthName] = f
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.srv.ShutdownTimeout())
	defer cancel()
	d.relayed = d.srv.Leave(ctx)
	if f := d.pool.retire(); f != nil {
		c.Files[poolName] = f
	}
	if err := d.eng.Close(true); err != nil {
		next.Kill()
		return err
	}
	t.phases.closed = time.Now()
	d.eng, d.srv, d.backend = nil, nil, nil
	next, failure := giveOrRunAgain(d, next, c)
	if next == nil {
		return failure
	}
	_ = notify(fmt.Sprintf("MAINPID=%d", next.PID()))
	d.next, t.phases.serves = next.PID(), time.Now()
	for _, f := range c.Files {
		f.Close()
	}
	return failure
}

// giveOrRunAgain gives everything to the new process, or else to another one of the program that
// runs here. nil: nobody serves.
func giveOrRunAgain(d *daemon, next *handover.Next, c *handover.Content) (*handover.Next, error) {
	err := give(next, c)
	if err == nil {
		return next, nil
	}
	d.log.Error("the new process does not serve; the program that was running is started again", "error", err)
	next.Kill()
	next, aerr := handover.Start(context.Background(), handover.Running, d.program, os.Args[1:])
	if aerr == nil {
		if aerr = give(next, c); aerr != nil {
			next.Kill()
		}
	}
	if aerr != nil {
		return nil, errors.Join(err, aerr)
	}
	return next, fmt.Errorf("the new program does not serve; the one that was running goes on in process %d: %w", next.PID(), err)
}

func give(next *handover.Next, c *handover.Content) error {
	if err := next.Give(c); err != nil {
		return err
	}
	return next.Serving()
}

// leave ends this process's part after a hand-over; err is what went wrong.
func (d *daemon) leave(signals chan os.Signal, err error) error {
	close(d.ending)
	d.control.Leave()
	if d.next == 0 {
		return err
	}
	if err != nil {
		d.log.Error("not handed over to the new program", "error", err)
	}
	d.relay(signals)
	return nil
}

// relay serves the clients over TLS that the new process reaches through this one. Signals end it
// as they end any process; those that came during the hand-over were meant for the server.
func (d *daemon) relay(signals chan os.Signal) {
	signal.Stop(signals)
	for {
		select {
		case sig := <-signals:
			if s, ok := sig.(syscall.Signal); ok && d.next != 0 && s != syscall.SIGUSR2 {
				_ = syscall.Kill(d.next, s)
			}
			continue
		default:
		}
		break
	}
	signal.Ignore(syscall.SIGHUP) // it has no log to reopen
	debug.FreeOSMemory()
	d.relayed()
}

// keepsPool tells whether the pool's memory outlives this process.
func (d *daemon) keepsPool() bool { return d.o.String("ember_pool_memory") != "off" }

// retire leaves what is kept to the next process, and returns the pool's memory, nil if this
// process does not have it.
func (m *poolMemory) retire() *os.File {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, ok := m.store.(*keep.Holder); ok {
		h.Retire()
	}
	f := m.pool
	m.pool = nil
	return f
}
