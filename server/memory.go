package server

import (
	"runtime/metrics"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/internal/quota"
	"emberdb/sqllayer"
)

// limitMemory bounds what the statement may hold.
func (x *execution) limitMemory(ctx *sql.Context) {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return
	}
	s.Account(ctx)
	v := &x.w.vars
	statement, connection, tracked := v.statementMemory.Load(), v.connectionMemory.Load(), v.tracksMemory.Load()
	if statement == 0 || x.w.inside {
		statement = quota.Unlimited
	}
	if (connection < quota.Unlimited || tracked) && (x.w.inside || x.h.s.hasAdmin(ctx, "connection_admin")) {
		connection, tracked = quota.Unlimited, false
	}
	s.Memory().SetLimits(statement, connection)
	s.Memory().Track(tracked)
}

// keeper accounts what the server itself keeps for the statement.
func keeper(ctx *sql.Context) quota.Holder {
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		return quota.Holder{Account: s.Memory()}
	}
	return quota.Holder{}
}

// heapWatch ends statements while the heap is full. Accounts hold estimates, and not all that a
// statement takes is accounted: the plan of a statement, the lists of a library. What they miss is
// seen here. The statement that holds the most by its account ends, of equal ones the one that has
// run longest.
type heapWatch struct {
	s      *Server
	sample []metrics.Sample
	rest   int // ticks until the next look: what a statement held is freed by a collection
}

// heapRest is how many ticks the heap gets to shrink after a statement was ended.
const heapRest = 5

func newHeapWatch(s *Server) *heapWatch {
	return &heapWatch{s: s, sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
}

func (h *heapWatch) look() {
	if h.s.cfg.HeapLimit == 0 {
		return
	}
	if h.rest > 0 {
		h.rest--
		return
	}
	metrics.Read(h.sample)
	used := h.sample[0].Value.Uint64()
	if used <= uint64(h.s.cfg.HeapLimit) {
		return
	}
	p, pid := h.s.processes.largest()
	if p == nil || !h.s.processes.interruptStatement(p.id, pid, killedMemory) {
		return
	}
	h.rest = heapRest
	h.s.counters.heapEnded.Add(1)
	h.s.log.Warn("a statement was ended: memory is full", "connection", p.id, "heap", used, "limit", h.s.cfg.HeapLimit)
}

// largest finds the statement that holds the most memory; nil: none runs.
func (l *processList) largest() (found *process, pid uint64) {
	most := int64(-1)
	var oldest time.Time
	for _, p := range l.snapshot() {
		p.mu.Lock()
		running, session, since := p.pid, p.session, p.since
		p.mu.Unlock()
		if running == 0 || session == nil {
			continue
		}
		used := session.Memory().Used()
		if used > most || used == most && since.Before(oldest) {
			most, found, pid, oldest = used, p, running, since
		}
	}
	return found, pid
}
