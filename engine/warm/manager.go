package warm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// DefaultFilename is the list's name in the data directory.
const DefaultFilename = "ib_buffer_pool"

const (
	defaultReadsInFlight = 32
	keptMissing          = 16 // a list is loaded if at least this part of it may be missing
)

// Options of a Manager. The zero value dumps at shutdown and loads at start, without periodic
// dumps.
type Options struct {
	Dir      string   // data directory
	Filename string   // innodb_buffer_pool_filename ["ib_buffer_pool"]
	UUID     [16]byte // of the server

	DumpPct          int           // innodb_buffer_pool_dump_pct: the hottest share of the list that is written [100]
	Interval         time.Duration // innodb_auto_lru_dump; 0: no periodic dumps
	NoDumpAtShutdown bool          // innodb_buffer_pool_dump_at_shutdown=OFF
	NoLoadAtStart    bool          // innodb_buffer_pool_load_at_startup=OFF
	Kept             int           // pages that the last process has left in the pool
	ReadsInFlight    int           // most reads of a load at a time [32]
	// Hold keeps back what of a load no query asks for until it is closed; nil: it begins at once.
	Hold <-chan struct{}

	// Names of the tables that have one of the tablespaces; nil for all. The lists that are written
	// carry them, and lists of other servers are read by them.
	Names func(need map[base.SpaceID]bool) (map[base.SpaceID]TableName, error)
	Phase func(name string) (end func(note string)) // told of the phases of a load
	Mark  func(name string)                         // told of what a load has reached
}

// Manager dumps and loads the LRU list of one pool.
type Manager struct {
	pool   *buffer.Pool
	files  *pagefile.Files
	fs     vfs.FS
	o      Options
	logger *slog.Logger

	dumpPct        atomic.Int64
	dumpAtShutdown atomic.Bool
	interval       chan time.Duration
	quit           chan struct{}
	finished       sync.WaitGroup

	dumping sync.Mutex // one dump at a time

	mu          sync.Mutex // guards what follows; a leaf
	filename    string
	load        *load // nil: none is running
	aborted     *load // LoadNow goes on with it
	bringing    *load // of Bring; nil: none is running
	loaded      bool  // the last load brought all that could be brought
	completed   bool  // a load came to its end since the start, or there was no list
	poolFull    bool  // the pool has been full since the start
	started     bool
	closed      bool
	lastLoad    Progress
	loadStatus  string
	dumpStatus  string
	dumps       int
	dumpedPages int
	dumpTook    time.Duration
	damage      error
	known       known
}

// known is the list at a path, as far as this manager has written or verified it: a file with the
// same header need not be read again.
type known struct {
	path       string
	head       [listHeader]byte
	generation uint64
	created    time.Time
	pages      int
}

// New makes a manager. Nothing happens before Start, DumpNow or LoadNow.
func New(pool *buffer.Pool, files *pagefile.Files, fsys vfs.FS, o Options, logger *slog.Logger) *Manager {
	if o.Filename == "" {
		o.Filename = DefaultFilename
	}
	if o.ReadsInFlight <= 0 {
		o.ReadsInFlight = defaultReadsInFlight
	}
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	m := &Manager{pool: pool, files: files, fs: fsys, o: o, logger: logger, filename: o.Filename,
		interval: make(chan time.Duration), quit: make(chan struct{}),
		dumpStatus: "Dumping of buffer pool not started", loadStatus: "Loading of buffer pool not started"}
	m.SetDumpPct(o.DumpPct)
	m.dumpAtShutdown.Store(!o.NoDumpAtShutdown)
	return m
}

// Start begins the load, unless it is switched off, and the periodic dump.
func (m *Manager) Start() {
	m.mu.Lock()
	again := m.started || m.closed
	m.started = true
	m.mu.Unlock()
	if again {
		return
	}
	if m.keptAll() {
		m.mu.Lock()
		m.completed, m.loadStatus = true, "Buffer pool(s) kept in memory, nothing to load"
		m.mu.Unlock()
		m.mark("warm 100 %")
	} else if !m.o.NoLoadAtStart {
		if err := m.LoadNow(); err != nil {
			m.logger.Info("no load at start", "reason", err)
		}
	}
	m.finished.Add(1)
	go m.periodic(m.o.Interval)
}

// keptAll tells whether the pool is about as the last process left it: the list has little to bring,
// and reading it costs the first queries more. The header's word is enough to decide that.
func (m *Manager) keptAll() bool {
	if m.o.Kept == 0 {
		return false
	}
	head, ok := readHead(m.fs, m.path())
	listed := min(binary.LittleEndian.Uint64(head[offCount:]), uint64(m.pool.Frames()))
	return !ok || uint64(m.o.Kept) >= listed-listed/keptMissing
}

func (m *Manager) periodic(every time.Duration) {
	defer m.finished.Done()
	for {
		var tick <-chan time.Time // nil: never
		if every > 0 {
			tick = time.After(every)
		}
		select {
		case <-m.quit:
			return
		case every = <-m.interval:
		case <-tick:
			_ = m.DumpNow() // it is in the status and the log
		}
	}
}

// SetInterval changes the time between periodic dumps; 0 for none. It has no effect before Start.
func (m *Manager) SetInterval(d time.Duration) {
	m.mu.Lock()
	running := m.started && !m.closed
	m.mu.Unlock()
	if !running {
		return
	}
	select {
	case m.interval <- d:
	case <-m.quit:
	}
}

// SetDumpPct changes the share of the list that is dumped; out of 1..100 means all.
func (m *Manager) SetDumpPct(pct int) {
	if pct < 1 || pct > 100 {
		pct = 100
	}
	m.dumpPct.Store(int64(pct))
}

// SetDumpAtShutdown changes whether Close dumps.
func (m *Manager) SetDumpAtShutdown(on bool) { m.dumpAtShutdown.Store(on) }

// SetFilename changes the list's name, for dumps and loads to come.
func (m *Manager) SetFilename(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.filename = name
}

// Path is the file of the newest list.
func (m *Manager) Path() string { return m.path() }

func (m *Manager) path() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pathLocked()
}

func (m *Manager) pathLocked() string { return filepath.Join(m.o.Dir, m.filename) }

// newest reads the newest list at path, and remembers and tells what was refused. No list and no
// error: there is none.
func (m *Manager) newest(path string) (l *List, file string, err error) {
	l, file = readNewest(m.fs, path, func(e error) {
		m.noteDamage(e)
		err = errors.Join(err, e)
	})
	if l != nil && file == path {
		m.remember(path, l)
	}
	return l, file, err
}

// remember notes that l stands at path.
func (m *Manager) remember(path string, l *List) {
	k := known{path: path, generation: l.Generation, created: l.Created, pages: len(l.IDs)}
	var ok bool
	if k.head, ok = readHead(m.fs, path); !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known = k
}

// current tells whether the list at path is the one this manager knows, and its generation.
func (m *Manager) current(path string) (generation uint64, ok bool) {
	head, ok := readHead(m.fs, path)
	m.mu.Lock()
	defer m.mu.Unlock()
	if !ok || m.known.path != path || m.known.head != head {
		return 0, false
	}
	return m.known.generation, true
}

// namesOf gives the list's tablespaces their names, as far as they are known.
func (m *Manager) namesOf(l *List) (map[base.SpaceID]TableName, error) {
	if m.o.Names == nil {
		return nil, nil
	}
	return m.o.Names(l.spaces())
}

// adopt makes another server's list one of this server.
func (m *Manager) adopt(l *List) (*List, error) {
	var own map[base.SpaceID]TableName
	if m.o.Names != nil && len(l.Names) > 0 {
		var err error
		if own, err = m.o.Names(nil); err != nil {
			return nil, err
		}
	}
	return l.MapTo(m.o.UUID, own)
}

// phase tells the timeline that a phase begins; mark, that something is reached.
func (m *Manager) phase(name string) (end func(note string)) {
	if m.o.Phase == nil {
		return func(string) {}
	}
	return m.o.Phase(name)
}

func (m *Manager) mark(name string) {
	if m.o.Mark != nil {
		m.o.Mark(name)
	}
}

func (m *Manager) setDump(status string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dumpStatus = status
}

// noteDamage remembers and tells that a list file was refused.
func (m *Manager) noteDamage(err error) {
	m.logger.Warn("LRU list refused", "err", err)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.damage = err
}

// WaitBegun returns when whoever brings listed pages into the pool brings them to their places: the
// load under way has begun, or there is none.
func (m *Manager) WaitBegun() {
	m.mu.Lock()
	l := m.load
	m.mu.Unlock()
	if l != nil {
		<-l.begun
	}
}

// WaitLoad returns when no load is running, or with the context's error.
func (m *Manager) WaitLoad(ctx context.Context) error { return m.WaitWarm(ctx, 101) }

// WaitWarm returns when pct percent of the list are in the pool or no load is running, or with the
// context's error.
func (m *Manager) WaitWarm(ctx context.Context, pct int) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		m.mu.Lock()
		l := m.load
		m.mu.Unlock()
		if l == nil || l.percent() >= float64(pct) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.done:
		case <-tick.C:
		}
	}
}

// Restore loads the list, or joins a load that runs, and returns when that is done.
func (m *Manager) Restore(ctx context.Context) error {
	if err := m.LoadNow(); err != nil && !errors.Is(err, ErrLoading) {
		return err
	}
	if err := m.WaitLoad(ctx); err != nil {
		return err
	}
	if s := m.Status(); !s.Loaded {
		return errors.New(s.LoadStatus)
	}
	return nil
}

// WarmEnough tells whether pct percent of the list are in the pool, or no load runs.
func (m *Manager) WarmEnough(pct int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load == nil || m.load.percent() >= float64(pct)
}

// Loading tells whether a load is running.
func (m *Manager) Loading() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load != nil
}

// Close ends a running load and the periodic dump. With dump, and unless that is switched off, it
// writes the list a last time.
func (m *Manager) Close(dump bool) error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil
	}
	m.closed = true
	loads := []*load{m.load, m.bringing}
	m.mu.Unlock()
	close(m.quit)
	for _, l := range loads {
		if l != nil {
			l.cancel()
			<-l.done
		}
	}
	m.finished.Wait()
	if !dump || !m.dumpAtShutdown.Load() {
		return nil
	}
	if err := m.DumpNow(); err != nil {
		return fmt.Errorf("dump of the LRU list at shutdown: %w", err)
	}
	return nil
}
