package server

import (
	"runtime/metrics"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/internal/base"
	"emberdb/server/virtual"
)

// performance_schema's tables of memory, and of stages that run. Both are read when they are asked
// for: nothing is counted for them.

// Names of memory. The Go runtime's heap has no name in MySQL.
const (
	memoryPool       = "memory/innodb/buf_buf_pool"
	memoryLog        = "memory/innodb/log_buffer_memory"
	memoryStatements = "memory/sql/statements"
	memoryHeap       = "memory/go/heap"
	memoryRuntime    = "memory/go/runtime"
)

// memoryPart is memory of one name: in use now, and at most so far.
type memoryPart struct {
	name      string
	now, most int64
}

// memoryParts divides the memory of the process. Statements and the log's buffer are parts of the
// heap.
func (s *Server) memoryParts() []memoryPart {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	heap := int64(sample[0].Value.Uint64())
	total := int64(sample[1].Value.Uint64() - sample[2].Value.Uint64())
	var parts []memoryPart
	part := func(name string, now, most int64) {
		parts = append(parts, memoryPart{name, max(now, 0), max(now, most, 0)})
	}
	log := int64(0)
	if e := s.backend.Engine(); e != nil {
		st := e.Status()
		log = st.Log.BufferBytes
		part(memoryPool, int64(st.Pool.PagesTotal)*base.PageSize, 0)
		part(memoryLog, log, 0)
	}
	part(memoryStatements, s.cfg.Memory.Used(), s.cfg.Memory.Peak())
	part(memoryHeap, heap-log-s.cfg.Memory.Used(), 0)
	part(memoryRuntime, total-heap, 0)
	return parts
}

const memoryColumns = "EVENT_NAME, COUNT_ALLOC, SUM_NUMBER_OF_BYTES_ALLOC, CURRENT_COUNT_USED, HIGH_COUNT_USED, CURRENT_NUMBER_OF_BYTES_USED, HIGH_NUMBER_OF_BYTES_USED"

func (p memoryPart) row(row sql.Row) sql.Row {
	return append(row, p.name, uint64(1), uint64(p.most), int64(1), int64(1), p.now, p.most)
}

func (s *Server) fillMemory(d *virtual.Database) {
	d.Fill("memory_summary_global_by_event_name", memoryColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, p := range s.memoryParts() {
			out = append(out, p.row(nil))
		}
		return out, nil
	})
	d.Fill("memory_summary_by_thread_by_event_name", "THREAD_ID, "+memoryColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, p := range s.processes.snapshot() {
			if n, ok := p.memory(); ok {
				out = append(out, memoryPart{memoryStatements, n, n}.row(sql.Row{uint64(p.id)}))
			}
		}
		return out, nil
	})
	by := func(table, columns string, part func(peer) peer, key func(peer) sql.Row) {
		d.Fill(table, columns+memoryColumns, func(*sql.Context) (out []sql.Row, _ error) {
			held := map[peer]int64{}
			for _, p := range s.processes.snapshot() {
				if n, ok := p.memory(); ok {
					p.mu.Lock()
					who := peerOf(p.user, p.host)
					p.mu.Unlock()
					held[part(who)] += n
				}
			}
			for who, n := range held {
				out = append(out, memoryPart{memoryStatements, n, n}.row(slices.Clone(key(who))))
			}
			return out, nil
		})
	}
	by("memory_summary_by_account_by_event_name", "USER, HOST, ", func(p peer) peer { return p }, func(p peer) sql.Row { return sql.Row{p.user, p.host} })
	by("memory_summary_by_user_by_event_name", "USER, ", func(p peer) peer { return peer{user: p.user} }, func(p peer) sql.Row { return sql.Row{p.user} })
	by("memory_summary_by_host_by_event_name", "HOST, ", func(p peer) peer { return peer{host: p.host} }, func(p peer) sql.Row { return sql.Row{p.host} })
}

// memory is what the connection's statements hold; false: it has no session.
func (p *process) memory() (int64, bool) {
	p.mu.Lock()
	session := p.session
	p.mu.Unlock()
	if session == nil {
		return 0, false
	}
	return session.Memory().Used(), true
}

// fillStages: the stages with progress. They belong to the server: their THREAD_ID is 0.
func (s *Server) fillStages(d *virtual.Database) {
	d.Fill("events_stages_current", "EVENT_ID, EVENT_NAME, WORK_COMPLETED, WORK_ESTIMATED", func(*sql.Context) (out []sql.Row, _ error) {
		e := s.backend.Engine()
		if e == nil {
			return nil, nil
		}
		if r := e.Status().Recovery; r.PagesPending > 0 {
			out = append(out, sql.Row{uint64(1), "stage/innodb/redo of pages", r.PagesTotal - r.PagesPending, r.PagesTotal})
		}
		if w := e.Warm().Status(); w.Loading {
			out = append(out, sql.Row{uint64(2), "stage/innodb/buffer pool load", int64(w.Load.Done + w.Load.Skipped), int64(w.Load.Total)})
		}
		return out, nil
	})
}
