package server

import (
	"runtime/metrics"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/internal/base"
	"emberdb/server/perftables"
	"emberdb/server/virtual"
)

// performance_schema's tables of memory, and of stages that run. Both are read when they are asked
// for: nothing is counted for them.

// memoryParts divides the memory of the process. Statements and the log's buffer are parts of the
// heap.
func (s *Server) memoryParts() []perftables.MemoryPart {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	heap := int64(sample[0].Value.Uint64())
	total := int64(sample[1].Value.Uint64() - sample[2].Value.Uint64())
	var parts []perftables.MemoryPart
	part := func(name string, now, most int64) {
		parts = append(parts, perftables.MemoryPart{Name: name, Now: max(now, 0), Most: max(now, most, 0)})
	}
	log := int64(0)
	if e := s.backend.Engine(); e != nil {
		st := e.Status()
		log = st.Log.BufferBytes
		part(perftables.MemoryPool, int64(st.Pool.PagesTotal)*base.PageSize, 0)
		part(perftables.MemoryLog, log, 0)
	}
	part(perftables.MemoryStatements, s.cfg.Memory.Used(), s.cfg.Memory.Peak())
	part(perftables.MemoryHeap, heap-log-s.cfg.Memory.Used(), 0)
	part(perftables.MemoryRuntime, total-heap, 0)
	return parts
}

func (s *Server) fillMemory(d *virtual.Database) {
	d.Fill("memory_summary_global_by_event_name", perftables.MemoryColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, p := range s.memoryParts() {
			out = append(out, p.Row(nil))
		}
		return out, nil
	})
	d.Fill("memory_summary_by_thread_by_event_name", "THREAD_ID, "+perftables.MemoryColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, p := range s.processes.snapshot() {
			if n, ok := p.memory(); ok {
				out = append(out, perftables.MemoryPart{Name: perftables.MemoryStatements, Now: n, Most: n}.Row(sql.Row{uint64(p.id)}))
			}
		}
		return out, nil
	})
	by := func(table, columns string, part func(peer) peer, key func(peer) sql.Row) {
		d.Fill(table, columns+perftables.MemoryColumns, func(*sql.Context) (out []sql.Row, _ error) {
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
				out = append(out, perftables.MemoryPart{Name: perftables.MemoryStatements, Now: n, Most: n}.Row(slices.Clone(key(who))))
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
