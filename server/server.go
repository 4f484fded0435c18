package server

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/compiled"
	"emberdb/internal/base"
	"emberdb/internal/keep"
	"emberdb/internal/quota"
	"emberdb/internal/vfs"
	"emberdb/perfschema"
	"emberdb/server/backend"
	"emberdb/server/certs"
	"emberdb/server/clones"
	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/server/logs"
	"emberdb/server/options"
	"emberdb/server/version"
	executor "emberdb/sql/exec"
	"emberdb/sqllayer"
	"emberdb/sqllayer/trees"
)

// Config of a server.
type Config struct {
	Settings   *options.Settings
	SQL        *sqle.Engine
	NewSession gms.SessionBuilder
	Backend    backend.Backend
	Log        *slog.Logger
	LogLevel   *slog.LevelVar // follows log_error_verbosity; may be nil
	// Memory is what the sessions' statements draw from; nil: nothing bounds all of them.
	Memory *quota.Server
	// HeapLimit is how much the heap may hold before statements are ended, in bytes; 0: nothing is
	// watched.
	HeapLimit int64
	// Keeper keeps the listeners for the next process; nil: they end with this one.
	Keeper keep.Store
	// Moved is what the previous process has handed over; nil: there is none.
	Moved *Moved
	// OnShutdown is called once when a client asks for SHUTDOWN.
	OnShutdown func()
}

// Server accepts clients and runs their statements.
type Server struct {
	cfg     Config
	log     *slog.Logger
	dir     string // data directory
	files   vfs.FS // of temporary files
	backend backend.Backend
	sql     *sqle.Engine

	accounts    *accounts
	grantTables []*grants.GrantTable // of the accounts
	processes   *processList
	globals     globals
	counters    counters
	status      *statusRegistry
	logs        *queryLogs

	tls          atomic.Pointer[tls.Config]
	rsaKey       *rsa.PrivateKey
	rsaPublicPEM []byte
	sha2         sha2Cache
	usage        grants.Usage
	admitting    sync.Mutex // held while the connections of an account are counted

	listeners     []net.Listener
	listenerNames []string // of listeners, likewise
	keptSockets   []string // names under which the keeper has them
	moving        atomic.Pointer[move]
	paused        map[string]*os.File // what the closed listeners of a move listen on
	lastID        atomic.Uint32       // of the connections
	movedState    movedServer         // what the previous process has handed over
	accept        *acceptor
	accepting     chan struct{} // closed when no more clients are accepted
	gms           *gms.Server
	manager       *gms.SessionManager

	forced  int64 // innodb_force_recovery: from 1 on no rows are changed, from 4 on nothing
	started time.Time
	tick    atomic.Int64 // milliseconds since started, by the reaper
	live    atomic.Int64 // open connections
	closing atomic.Bool
	stopped chan struct{}
	ready   atomic.Bool // variables are installed; SET acts from here on

	inner     context.Context // of sessions without a connection
	stopInner context.CancelFunc

	mu struct {
		sync.Mutex
		conns map[*wireConn]struct{}
		byID  map[uint32]*wireConn
	}
	dumps       dumps
	semiSync    semiSync
	replicas    *replicas
	hot         *hotSets
	events      *scheduler
	renewer     *renewer
	flushLock   flushLock
	instance    instanceLock
	backups     backups
	clones      clones.Clones
	again       atomic.Bool // the process begins again when the server has stopped
	gate        warmGate
	performance *perfschema.Registry
	kept        struct { // the files of what is counted
		sync.Mutex
		last   bool // they are written for the last time
		seeded bool // the engine has the counts of the last run
	}
	programs   *compiled.Cache
	executor   executorCounters
	handler    *handler
	background sync.WaitGroup // what variables set off
	shutdown   sync.Once
}

// globals mirror global variables the server consults outside statements.
type globals struct {
	maxConnections     atomic.Int64
	maxUserConnections atomic.Int64
	connectTimeout     atomic.Int64
	requireSecure      atomic.Bool
	offlineMode        atomic.Bool
	readOnly           atomic.Bool
	superReadOnly      atomic.Bool
	gtidConsistent     atomic.Bool // enforce_gtid_consistency is ON
	maxPrepared        atomic.Int64
	shutdownTimeout    atomic.Int64
	restartWait        atomic.Int64
	fastShutdown       atomic.Int64
	initConnect        atomic.Pointer[string]
	proxyNetworks      atomic.Pointer[proxyNetworks]
	compression        atomic.Uint32 // a bit for each algorithm that is allowed
	nativePassword     bool
}

// counters behind SHOW STATUS.
type counters struct {
	connections        atomic.Int64
	abortedClients     atomic.Int64
	abortedConnects    atomic.Int64
	refusedConnections atomic.Int64
	bytesReceived      atomic.Int64
	bytesSent          atomic.Int64
	questions          atomic.Int64
	queries            atomic.Int64
	slowQueries        atomic.Int64
	preparedStatements atomic.Int64
	sslAccepts         atomic.Int64
	executionTimeouts  atomic.Int64
	executionLimits    atomic.Int64 // statements with a limit
	flushedTables      atomic.Int64
	lockedAccounts     atomic.Int64 // logins refused because of them
	acceptErrors       atomic.Int64
	heapEnded          atomic.Int64 // statements that were ended because the heap was full
	commands           [commands.NumCommands]atomic.Int64
}

// New prepares a server: variables, accounts, certificates, listeners. It does not accept clients
// yet.
func New(cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Memory == nil {
		cfg.Memory = quota.NewServer(quota.Unlimited)
	}
	s := &Server{cfg: cfg, log: cfg.Log, dir: cfg.Settings.String("datadir"), files: vfs.NewOS(cfg.Log), backend: cfg.Backend, sql: cfg.SQL,
		processes: newProcessList(), programs: compiled.NewCache(), started: time.Now(), stopped: make(chan struct{}), accepting: make(chan struct{})}
	s.executor.threads = executor.NewThreads(base.Processors - 1)
	s.forced = cfg.Settings.Int("innodb_force_recovery")
	if cfg.Settings.Bool("skip_grant_tables") {
		cfg.Settings.Override("skip_networking", true, "skip_grant_tables")
		cfg.Settings.Override("event_scheduler", schedulerDisabled, "skip_grant_tables")
	}
	s.inner, s.stopInner = context.WithCancel(context.Background())
	s.accept = &acceptor{s: s, conns: make(chan net.Conn)}
	s.mu.conns, s.mu.byID = map[*wireConn]struct{}{}, map[uint32]*wireConn{}
	logs.QuietLibraries(s.log)
	if err := s.readMoved(); err != nil {
		return nil, err
	}
	s.replicas = newReplicas(s)
	s.processes.channels = s.replicas.processes
	s.hot = newHotSets(s)
	s.events = newScheduler(s)
	s.renewer = newRenewer(s)
	s.logs = newQueryLogs(s)
	s.performance = s.newPerformance()
	if err := checkBinlog(cfg.Settings); err != nil {
		return nil, err
	}
	s.installVariables()
	s.status = installStatus(s)
	s.sql.ProcessList = s.processes
	var err error
	if s.accounts, err = loadAccounts(s); err != nil {
		return nil, err
	}
	if cfg.Settings.Bool("skip_grant_tables") {
		if err := s.accounts.openToAll(); err != nil {
			return nil, err
		}
		s.log.Warn("skip_grant_tables: everybody who reaches the socket may do everything")
	}
	if err := s.loadKeys(); err != nil {
		return nil, err
	}
	s.installSchemas()
	if l := s.layer(); l != nil {
		l.MayWrite, l.WaitForSource = s.mayWrite, s.replicas.wait
		l.Fields, l.Steps = compiled.NewFields, s.newStep
	}
	if err := s.listen(); err != nil {
		s.logs.close()
		return nil, err
	}
	if err := s.assemble(); err != nil {
		s.closeListeners()
		return nil, err
	}
	s.ready.Store(true)
	return s, nil
}

func (s *Server) loadKeys() error {
	cfg, err := certs.LoadTLS(s.cfg.Settings, s.dir)
	if err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	if cfg != nil {
		s.tls.Store(cfg)
	}
	s.rsaKey, s.rsaPublicPEM, err = certs.LoadRSA(s.cfg.Settings, s.dir)
	if err != nil {
		return fmt.Errorf("key pair for passwords: %w", err)
	}
	return nil
}

// assemble wires the protocol library and go-mysql-server's server around this one's handler.
func (s *Server) assemble() error {
	ctxFactory := sql.NewContext
	own := func(e *sqle.Engine, sm *gms.SessionManager, h mysql.Handler) (*sqle.Engine, *gms.SessionManager, mysql.Handler) {
		s.manager = sm
		s.handler = newHandler(s, e, sm, h)
		return e, sm, s.handler
	}
	g, err := gms.NewServer(gms.Config{
		Listener:                 s.accept,
		Address:                  "localhost",
		Version:                  version.ServerVersion(),
		Options:                  []gms.Option{own},
		DisableConnectionWatcher: true,
		MaxConnections:           0,
		ProtocolListenerFactory: func(cfg gms.Config, lc mysql.ListenerConfig, _ gms.ServerEventListener) (gms.ProtocolListener, error) {
			lc.AuthServer = vitessAuth{}
			lc.ConnReadTimeout, lc.ConnWriteTimeout = 0, 0
			lc.ConnReadBufferSize = 0 // wireConn buffers
			l, err := mysql.NewListenerWithConfig(lc)
			if err == nil {
				l.ServerVersion = version.ServerVersion()
			}
			return l, err
		},
	}, s.sql, ctxFactory, s.newSession, nil)
	if err != nil {
		return err
	}
	s.gms = g
	return nil
}

// Start begins the background work and runs init_file, before the first client is served.
func (s *Server) Start() error {
	if err := s.clones.Restore(s.dir); err != nil {
		s.log.Warn("what is known of the last clone cannot be read", "err", err)
	}
	go s.reap()
	go s.expireBinlogs()
	if s.performance.Enabled() {
		go s.keepDigests()
	}
	return s.runInitFile()
}

// Serve accepts clients until Shutdown. Start came before.
func (s *Server) Serve() {
	s.gate.begin(s)
	s.arrive()
	for _, l := range s.listeners {
		go s.acceptLoop(l)
	}
	s.replicas.start()
	s.events.start()
	s.renewer.start()
	s.gms.Listener.Accept()
}

// Shutdown stops accepting, waits for running statements until ctx ends, then cancels them and
// closes every connection.
func (s *Server) Shutdown(ctx context.Context) {
	s.closing.Store(true)
	s.shutdown.Do(func() {
		s.renewer.stop()
		s.replicas.stop()
		s.forgetListeners()
		s.closeListeners()
		close(s.accepting)
		s.gms.Close()
		s.events.stop()
		s.drain(ctx)
		s.background.Wait()
		s.backend.Wait()
		close(s.stopped)
		s.saveDigests(true)
		s.logs.close()
	})
}

// drain closes idle connections at once, busy ones when their statement ends or ctx does.
func (s *Server) drain(ctx context.Context) {
	t := time.NewTicker(10 * time.Millisecond)
	defer t.Stop()
	cancelled := false
	for end := (time.Time{}); ; <-t.C {
		left := s.connections()
		if len(left) == 0 || cancelled && time.Now().After(end) {
			return
		}
		s.dumps.endIfAlone(len(left))
		if ctx.Err() != nil && !cancelled {
			cancelled, end = true, time.Now().Add(5*time.Second)
		}
		s.semiSync.shutDown(cancelled)
		for _, w := range left {
			if cancelled {
				s.processes.interrupt(w.id, killedShutdown)
				w.killed.Store(true)
			}
			if st := w.state.Load(); cancelled && st&stateMask != stateBusy ||
				st&stateMask == stateIdle && w.state.CompareAndSwap(st, stateClosed) {
				w.Close()
			}
		}
	}
}

// requestShutdown is the SHUTDOWN statement.
func (s *Server) requestShutdown() {
	if s.cfg.OnShutdown != nil {
		go s.cfg.OnShutdown()
	}
}

// Again tells whether the server is to be started again behind Shutdown.
func (s *Server) Again() bool { return s.again.Load() }

// FastShutdown is the value of innodb_fast_shutdown.
func (s *Server) FastShutdown() int64 { return s.globals.fastShutdown.Load() }

// ShutdownTimeout is how long Shutdown should be given.
func (s *Server) ShutdownTimeout() time.Duration {
	return time.Duration(s.globals.shutdownTimeout.Load()) * time.Second
}

// newSession builds a client's session and remembers it at the connection.
func (s *Server) newSession(ctx context.Context, c *mysql.Conn, addr string) (sql.Session, error) {
	sess, err := s.cfg.NewSession(ctx, c, addr)
	if err != nil {
		return nil, err
	}
	if w := wireOf(c); w != nil {
		sess.SetConnectionId(c.ConnectionID)
		if own, ok := sess.(*sqllayer.Session); ok {
			own.SetLogin(trees.Role{User: w.user, Host: w.host()})
		}
		w.session = sess
		bindSession(w)
		s.initSession(w)
	}
	return sess, nil
}

func (s *Server) connections() []*wireConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*wireConn, 0, len(s.mu.conns))
	for w := range s.mu.conns {
		all = append(all, w)
	}
	return all
}

func (s *Server) connection(id uint32) *wireConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.byID[id]
}

// countConnections counts the connections logged in as a, without one.
func (s *Server) countConnections(but *wireConn, a clientAccount) (n int64) {
	for _, w := range s.connections() {
		if w != but && w.owner() == a.key() {
			n++
		}
	}
	return n
}

var errSocketInUse = errors.New("another server is listening on it")
