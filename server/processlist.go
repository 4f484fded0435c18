package server

import (
	"context"
	"errors"
	"maps"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
)

// processList is the list of connections and what they run: SHOW PROCESSLIST, KILL, Threads_*
// status. It implements sql.ProcessList; each connection has its own mutex, so statements of
// different connections do not meet.
type processList struct {
	mu        sync.RWMutex
	byID      map[uint32]*process
	total     map[peer]int64    // connections there have been
	own       int               // of byID, those that the server has opened itself
	scheduler *process          // of events; nil: it does not work
	channels  func() []*process // threads of replication without a connection
	running   atomic.Int64
	peak      atomic.Int64 // most connections at once, and
	peakAt    atomic.Int64 // when, in seconds of Unix
}

// killReason tells why a statement's context was cancelled.
type killReason uint32

const (
	notKilled killReason = iota
	killedQuery
	killedConnection
	killedTimeout // max_execution_time
	killedGone    // the client closed its end
	killedShutdown
	killedMemory // the heap is full
)

// process is one connection.
type process struct {
	id      uint32
	role    string        // the instrument of a thread of the server's own; "": a client's
	own     bool          // the server has opened the connection itself
	killed  atomic.Uint32 // killReason of the running statement
	state   atomic.Pointer[string]
	mu      sync.Mutex
	user    string
	host    string
	db      string
	command sql.ProcessCommand
	query   string
	pid     uint64
	since   time.Time
	cancel  context.CancelFunc
	coming  bool              // a statement is being read, which has no cancel yet
	session *sqllayer.Session // nil before login
}

var _ sql.ProcessList = (*processList)(nil)

func newProcessList() *processList {
	return &processList{byID: map[uint32]*process{}, total: map[peer]int64{}}
}

func (l *processList) get(id uint32) *process {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.byID[id]
}

func (l *processList) count() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return int64(len(l.byID) - l.own)
}

// snapshot returns all connections ordered by id.
func (l *processList) snapshot() []*process {
	l.mu.RLock()
	all := make([]*process, 0, len(l.byID))
	for _, p := range l.byID {
		all = append(all, p)
	}
	if l.scheduler != nil {
		all = append(all, l.scheduler)
	}
	l.mu.RUnlock()
	if l.channels != nil {
		all = append(all, l.channels()...)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	return all
}

// daemon shows what the scheduler of events does, since when; "" if nothing.
func (l *processList) daemon(state string, since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if state == "" {
		l.scheduler = nil
		return
	}
	var id uint32
	if l.scheduler != nil {
		id = l.scheduler.id
	} else {
		id = 1<<31 + innerIDs.Add(1)
	}
	l.scheduler = &process{id: id, role: "event_scheduler", user: "event_scheduler", host: "localhost", command: "Daemon", pid: 1, since: since}
	l.scheduler.setState(state)
}

// Processes implements sql.ProcessList.
func (l *processList) Processes() []sql.Process {
	all := l.snapshot()
	out := make([]sql.Process, 0, len(all))
	for _, p := range all {
		p.mu.Lock()
		out = append(out, sql.Process{
			Connection: p.id, User: p.user, Host: p.host, Database: p.db, Command: p.command, Query: p.query, QueryPid: p.pid, StartedAt: p.since,
		})
		p.mu.Unlock()
	}
	return out
}

// AddConnection implements sql.ProcessList.
func (l *processList) AddConnection(id uint32, addr string) {
	p := &process{id: id, user: "unauthenticated user", host: addr, command: sql.ProcessCommandConnect, since: time.Now(), own: addr == insideAddress}
	l.mu.Lock()
	l.byID[id] = p
	if p.own {
		l.own++
	}
	n := int64(len(l.byID) - l.own)
	l.mu.Unlock()
	for old := l.peak.Load(); n > old; old = l.peak.Load() {
		if l.peak.CompareAndSwap(old, n) {
			l.peakAt.Store(time.Now().Unix())
		}
	}
}

// ConnectionReady implements sql.ProcessList.
func (l *processList) ConnectionReady(sess sql.Session) {
	p := l.get(sess.ID())
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session, _ = sess.(*sqllayer.Session)
	if c := sess.Client(); p.role == "" && c.User != "" || p.user == "unauthenticated user" {
		p.user = c.User
	}
	p.db = sess.GetCurrentDatabase()
	if p.command == sql.ProcessCommandConnect {
		p.command, p.since = sql.ProcessCommandSleep, time.Now()
	}
}

// RemoveConnection implements sql.ProcessList.
func (l *processList) RemoveConnection(id uint32) {
	l.mu.Lock()
	p := l.byID[id]
	delete(l.byID, id)
	if p != nil && p.own {
		l.own--
	}
	l.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	cancel := p.cancel
	if p.pid != 0 {
		p.pid = 0
		l.running.Add(-1)
	}
	p.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

var errNotListed = errors.New("connection is not in the process list")

// BeginQuery implements sql.ProcessList.
func (l *processList) BeginQuery(ctx *sql.Context, query string) (*sql.Context, error) {
	return l.begin(ctx, sql.ProcessCommandQuery, query)
}

// interruptible makes a context that can be cancelled, and finds who is to do it. Without one, for
// a statement of a procedure, the context stays as it is.
func (l *processList) interruptible(ctx *sql.Context) (*sql.Context, *process, context.CancelFunc, error) {
	if ctx.IsInterpreted() {
		return ctx, nil, nil, nil
	}
	p := l.get(ctx.Session.ID())
	if p == nil {
		return nil, nil, nil, errNotListed
	}
	sub, cancel := context.WithCancel(ctx)
	return ctx.WithContext(sub), p, cancel, nil
}

// begin lists a statement and makes it interruptible.
func (l *processList) begin(ctx *sql.Context, command sql.ProcessCommand, query string) (*sql.Context, error) {
	sub, p, cancel, err := l.interruptible(ctx)
	if p == nil {
		return sub, err
	}
	p.mu.Lock()
	p.command, p.query, p.pid, p.since, p.cancel = command, query, ctx.Pid(), time.Now(), cancel
	if p.coming && p.killed.Load() != uint32(notKilled) {
		cancel()
	}
	p.coming = false
	p.mu.Unlock()
	l.running.Add(1)
	return sub, nil
}

// EndQuery implements sql.ProcessList. It may be called twice for one statement.
func (l *processList) EndQuery(ctx *sql.Context) {
	if ctx.IsInterpreted() {
		return
	}
	p := l.get(ctx.Session.ID())
	if p == nil {
		return
	}
	p.mu.Lock()
	if p.pid != ctx.Pid() || p.pid == 0 {
		p.mu.Unlock()
		return
	}
	cancel := p.cancel
	p.command, p.query, p.pid, p.since, p.cancel = sql.ProcessCommandSleep, "", 0, time.Now(), nil
	p.db = ctx.GetCurrentDatabase()
	p.mu.Unlock()
	p.state.Store(nil)
	l.running.Add(-1)
	cancel()
}

// BeginOperation implements sql.ProcessList: work that can be interrupted and is no statement.
func (l *processList) BeginOperation(ctx *sql.Context) (*sql.Context, error) {
	sub, p, cancel, err := l.interruptible(ctx)
	if p == nil {
		return sub, err
	}
	p.mu.Lock()
	p.cancel = cancel
	p.mu.Unlock()
	return sub, nil
}

// EndOperation implements sql.ProcessList.
func (l *processList) EndOperation(ctx *sql.Context) {
	if ctx.IsInterpreted() {
		return
	}
	p := l.get(ctx.Session.ID())
	if p == nil {
		return
	}
	p.mu.Lock()
	cancel := p.cancel
	p.cancel = nil
	p.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// Kill implements sql.ProcessList.
func (l *processList) Kill(id uint32) { l.interrupt(id, killedQuery) }

// interrupt cancels what connection id runs; it reports whether the connection exists.
func (l *processList) interrupt(id uint32, why killReason) bool {
	p := l.get(id)
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.session != nil && why != killedQuery {
		p.session.Leave()
	}
	if p.cancel != nil || p.coming {
		p.killed.CompareAndSwap(uint32(notKilled), uint32(why))
	}
	if p.cancel != nil {
		p.cancel()
	}
	return true
}

// setComing says that a statement has come and is being read, or that this reading is over. What
// ends a statement while it is read ends the reading, or else the statement as soon as it is
// listed.
func (p *process) setComing(on bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.coming = on
	p.mu.Unlock()
}

// ended is not 0 when the statement of p was told to end.
func (p *process) ended() *atomic.Uint32 {
	if p == nil {
		return nil
	}
	return &p.killed
}

// interruptStatement cancels the statement with the given pid if it still runs.
func (l *processList) interruptStatement(id uint32, pid uint64, why killReason) bool {
	p := l.get(id)
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pid != pid || p.cancel == nil {
		return false
	}
	p.killed.CompareAndSwap(uint32(notKilled), uint32(why))
	p.cancel()
	return true
}

// identify shows who logged in.
func (l *processList) identify(p *process, w *wireConn) {
	host := w.RemoteAddr().String()
	if w.unix {
		host = "localhost"
	}
	p.mu.Lock()
	p.user, p.host = w.user, host
	if p.role = w.role; p.role != "" {
		p.user, p.host = systemUser, ""
	}
	p.mu.Unlock()
	if w.inside || w.event != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total[peerOf(w.user, host)]++
}

// peers counts the connections of those that have ever logged in: now, and since the start.
func (l *processList) peers() (now, total map[peer]int64) {
	now = map[peer]int64{}
	for _, p := range l.snapshot() {
		p.mu.Lock()
		now[peerOf(p.user, p.host)]++
		p.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return now, maps.Clone(l.total)
}

// takeKill returns why the statement of p was cancelled and forgets it.
func (p *process) takeKill() killReason {
	if p == nil {
		return notKilled
	}
	return killReason(p.killed.Swap(uint32(notKilled)))
}

func (p *process) setDatabase(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.db = name
}

func (p *process) setState(s string) {
	if p != nil {
		p.state.Store(&s)
	}
}

// UpdateTableProgress and its siblings implement sql.ProcessList. Progress by table is not shown,
// so it is not kept.
func (*processList) UpdateTableProgress(uint64, string, int64)             {}
func (*processList) UpdatePartitionProgress(uint64, string, string, int64) {}
func (*processList) AddTableProgress(uint64, string, int64)                {}
func (*processList) AddPartitionProgress(uint64, string, string, int64)    {}
func (*processList) RemoveTableProgress(uint64, string)                    {}
func (*processList) RemovePartitionProgress(uint64, string, string)        {}
