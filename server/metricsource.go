package server

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/metrics"
)

// metricsSnapshot is what one scrape of /metrics tells.
func (s *Server) metricsSnapshot() metrics.Snapshot {
	progress := s.progress()
	out := metrics.Snapshot{
		Version: ServerVersion(), Comment: versionComment, Status: s.status.values(), Variables: sql.SystemVariables.GetAllGlobalVariables(),
		InnoDB: s.innodbCounters(), Ready: !s.gate.closed() && !s.closing.Load(), WarmPercent: progress.Percent(),
	}
	if progress.Phase == "" {
		out.WarmPercent = 100
	}
	for _, p := range s.processes.snapshot() {
		r := p.row(s.connection(p.id))
		out.Threads = append(out.Threads, metrics.Thread{User: r.user, Host: peerOf(r.user, r.host).host, Command: r.command, State: r.state, Time: time.Duration(r.seconds) * time.Second})
	}
	for _, c := range s.replicas.all() {
		for _, f := range s.replicaFields(c) {
			out.Replica = append(out.Replica, metrics.Field{Name: f.name, Value: f.value})
		}
	}
	out.Binlog = s.binlogMetrics()
	for _, start := range s.backend.Starts() {
		one := metrics.Start{Began: start.Began}
		for _, p := range start.Phases {
			one.Phases = append(one.Phases, metrics.Phase{Name: p.Name, Begin: p.Start, Took: p.Took, Done: p.Done})
		}
		out.Starts = append(out.Starts, one)
	}
	return out
}

func (s *Server) binlogMetrics() *metrics.Binlog {
	l := s.binlog()
	if l == nil {
		return nil
	}
	files, err := l.Files()
	if err != nil {
		return nil // the log tells it to those who read or write it
	}
	b := &metrics.Binlog{Files: len(files), Number: l.Written().File}
	for _, f := range files {
		b.Bytes += f.Size
	}
	return b
}
