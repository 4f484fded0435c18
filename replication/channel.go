package replication

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/binlog"
	"emberdb/internal/vfs"
	"emberdb/replication/relay"
)

// Local is this server, as far as its channels know it.
type Local interface {
	// Identity is how it makes itself known to a source.
	Identity() Identity
	// GTIDs tells gtid_mode and gtid_executed; a server without a binary log has the mode OFF.
	GTIDs() (mode string, executed *binlog.Set)
	// Open makes a session that applies transactions, the worker's of a channel.
	Open(ctx context.Context, channel string, worker int) (Target, error)
	// Applied is the mark that the sessions of a channel have stored last in an epoch; false: none.
	Applied(channel string, epoch int64) (Mark, bool, error)
	// Settings are those that are read when threads start.
	Settings() Settings
	// Tables are the tables that a definition names, and the database that it makes, changes or
	// drops itself.
	Tables(text, database string) ([]TableName, string)
	// Files is the file system that holds certificates.
	Files() vfs.FS
	// HotSet takes a part of what is hot on the channel's source.
	HotSet(part []byte)
	// ThreadID is the number of a thread that begins, in the process list.
	ThreadID() uint32
}

// Identity is how this server makes itself known.
type Identity struct {
	ID   uint32 // server_id
	UUID string
	Host string // report_host
	Port uint16
	Semi bool // rpl_semi_sync_replica_enabled
	Hot  bool // it wants to know what is hot on the source
}

// Settings of the threads.
type Settings struct {
	Workers    int           // replica_parallel_workers
	Retries    int           // replica_transaction_retries
	Idempotent bool          // replica_exec_mode
	Timeout    time.Duration // replica_net_timeout
	Purge      bool          // relay_log_purge
	SameID     bool          // replicate_same_server_id
	Skip       int           // sql_replica_skip_counter
	SkipErrors map[uint16]bool
	SkipAll    bool
	Space      int64 // relay_log_space_limit, 0: none
	Filters    Filters
}

// Mark is a place in the source's log, and where in the relay log what follows it stands. The zero
// Relay: nowhere.
type Mark struct {
	Place
	Relay  uint32
	Offset int64
	Epoch  int64
}

func (m Mark) InRelay() relay.Position { return relay.Position{Relay: m.Relay, Offset: m.Offset} }

// Threads are a channel's: the receiver writes the relay log, the applier reads it.
type Threads uint8

// The threads.
const (
	Receiver Threads = 1 << iota // IO_THREAD
	Applier                      // SQL_THREAD
)

// thread is a goroutine that runs until it is stopped or fails.
type thread struct {
	stop  context.CancelFunc
	ended chan struct{} // nil: it has never run
}

func (t *thread) running() bool {
	if t.ended == nil {
		return false
	}
	select {
	case <-t.ended:
		return false
	default:
		return true
	}
}

// Channel follows one source.
type Channel struct {
	name  string
	local Local
	log   *slog.Logger
	o     relay.Options

	settled atomic.Int64 // transactions that were applied

	control sync.Mutex // of statements that start, stop and change it

	mu       sync.Mutex
	source   Source
	relay    *relay.Log // nil: not opened
	receiver thread
	applier  thread
	status   Status
}

// NewChannel makes the channel of a source; o says where its relay log is.
func NewChannel(name string, src Source, local Local, o relay.Options, log *slog.Logger) *Channel {
	return &Channel{name: name, source: src, local: local, o: o, log: log.With("channel", name)}
}

// Name is the channel's.
func (c *Channel) Name() string { return c.name }

// Source is whom it follows.
func (c *Channel) Source() Source {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.source
}

// Running are the threads that run.
func (c *Channel) Running() (t Threads) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.receiver.running() {
		t |= Receiver
	}
	if c.applier.running() {
		t |= Applier
	}
	return t
}

// Open opens the relay log, if that has not been done.
func (c *Channel) Open() (*relay.Log, error) {
	c.control.Lock()
	defer c.control.Unlock()
	return c.open()
}

func (c *Channel) open() (*relay.Log, error) {
	if c.relay != nil {
		return c.relay, nil
	}
	m, err := c.applied()
	if err != nil {
		return nil, err
	}
	l, err := relay.Open(c.o, m.InRelay(), m.Place)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.relay, c.status.Applied = l, m
	return l, nil
}

// applied is the mark behind the last transaction that was applied.
func (c *Channel) applied() (Mark, error) {
	src := c.Source()
	m, ok, err := c.local.Applied(c.name, src.Epoch)
	if !ok {
		m = Mark{Place: src.Place, Epoch: src.Epoch}
	}
	return m, err
}

// Applied is the mark behind what was applied, as the status tells it.
func (c *Channel) Applied() Mark {
	if _, err := c.Open(); err != nil {
		return Mark{Place: c.Source().Place}
	}
	return c.Status().Applied
}

// Login is what START REPLICA says of the account; the zero value is that of the source's options.
type Login struct{ User, Password string }

// Start starts threads that do not run.
func (c *Channel) Start(threads Threads, until *Until, login Login) error {
	c.control.Lock()
	defer c.control.Unlock()
	l, err := c.open()
	if err != nil {
		return err
	}
	if threads&Applier != 0 && !c.applier.running() {
		if err := c.startApplier(l, until); err != nil {
			return err
		}
	}
	if threads&Receiver != 0 && !c.receiver.running() {
		src := c.Source()
		if login.User != "" {
			src.User, src.Password = login.User, login.Password
		}
		ctx, stop := context.WithCancel(context.Background())
		t := thread{stop, make(chan struct{})}
		c.change(func(s *Status) {
			c.receiver, s.IO, s.Receiving, s.ReceiverState = t, Fault{}, true, stateConnecting
			s.Receiver = Thread{c.local.ThreadID(), time.Now()}
		})
		go c.receive(ctx, src, l, t.ended)
	}
	return nil
}

func (c *Channel) startApplier(l *relay.Log, until *Until) error {
	m, err := c.applied()
	if err != nil {
		return err
	}
	if was := c.Status().Applied; was.Epoch == m.Epoch && was.InRelay().Compare(m.InRelay()) > 0 {
		m = was // what stood between transactions was passed without being stored
	}
	co := newCoordinator(c, l, m, until)
	ctx, stop := context.WithCancel(context.Background())
	t := thread{stop, make(chan struct{})}
	c.change(func(s *Status) {
		c.applier, s.SQL, s.Applying, s.Until, s.Applied = t, Fault{}, true, until, m
		s.Skip, s.Coordinator = co.settings.Skip, Thread{c.local.ThreadID(), time.Now()}
		s.Workers = make([]WorkerStatus, max(1, co.settings.Workers))
	})
	go co.run(ctx, t.ended)
	return nil
}

// Stop stops threads and waits for them. Transactions at hand are taken back.
func (c *Channel) Stop(threads Threads) {
	c.control.Lock()
	defer c.control.Unlock()
	c.halt(threads)
}

func (c *Channel) halt(threads Threads) {
	for _, t := range []struct {
		which Threads
		t     *thread
	}{{Receiver, &c.receiver}, {Applier, &c.applier}} {
		if threads&t.which != 0 && t.t.ended != nil {
			t.t.stop()
			<-t.t.ended
		}
	}
}

// Close stops the channel with the server.
func (c *Channel) Close() error {
	c.control.Lock()
	defer c.control.Unlock()
	c.halt(Receiver | Applier)
	if c.relay == nil {
		return nil
	}
	err := c.relay.Close()
	c.relay = nil
	return err
}

// Change makes the channel follow a source from now on, once store has stored it. keep: the relay
// log leads on from what was applied. No thread that what is changed matters to runs.
func (c *Channel) Change(src Source, keep bool, store func() error) error {
	c.control.Lock()
	defer c.control.Unlock()
	if !keep {
		if _, err := c.open(); err != nil {
			return err
		}
	}
	if err := store(); err != nil {
		return err
	}
	c.mu.Lock()
	c.source = src
	c.mu.Unlock()
	if keep {
		return nil
	}
	c.change(func(s *Status) {
		*s = Status{Applied: Mark{Place: src.Place, Epoch: src.Epoch}, IO: s.IO, SQL: s.SQL, Skip: s.Skip}
	})
	return c.relay.Drop(src.Place)
}

// Remove stops the channel and removes its relay log.
func (c *Channel) Remove() error {
	c.control.Lock()
	defer c.control.Unlock()
	l, err := c.open()
	if err != nil {
		return err
	}
	if err := l.Drop(Place{}); err != nil {
		return err
	}
	c.relay = nil
	return c.o.FS.Remove(indexPath(&c.o))
}

// waitEvery is how often WaitApplied looks.
const waitEvery = 5 * time.Millisecond

// WaitApplied waits until all up to a place of the source's log is applied, and returns how many
// transactions that took; running is false if the applier does not run, or stops.
func (c *Channel) WaitApplied(ctx context.Context, file string, position uint32) (transactions int64, running bool) {
	tick := time.NewTicker(waitEvery)
	defer tick.Stop()
	first := c.settled.Load()
	for {
		s := c.Status()
		if n := compareFiles(s.Applied.File, file); s.Applied.File != "" && (n > 0 || n == 0 && s.Applied.Place.Position >= position) {
			return c.settled.Load() - first, s.Applying
		}
		if !s.Applying {
			return 0, false
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return 0, true
		}
	}
}

func (c *Channel) change(f func(s *Status)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.status)
}

// codeOf is the code of a server's error, 0 if it is none.
func codeOf(err error) uint16 {
	var e *mysql.MyError
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}
