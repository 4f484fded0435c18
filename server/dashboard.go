package server

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/dashboard"
	"emberdb/internal/vfs"
	"emberdb/metrics"
	"emberdb/perfschema"
	"emberdb/server/backend"
	"emberdb/server/version"
)

// What the dashboard (package dashboard) shows of a server.

// shownDigests is how many kinds of statements the dashboard shows.
const shownDigests = 20

// dashboardCounts are the status variables that the page reads, and its names for them.
var dashboardCounts = map[string]string{
	"queries": "Questions", "commits": "Handler_commit", "reads": "Innodb_buffer_pool_reads", "read_requests": "Innodb_buffer_pool_read_requests",
	"pages_total": "Innodb_buffer_pool_pages_total", "pages_data": "Innodb_buffer_pool_pages_data", "running": "Threads_running", "connected": "Threads_connected",
}

// dashboardSnapshot is what the page shows now; while the server starts, the state alone.
func (h *Health) dashboardSnapshot() dashboard.Snapshot {
	a := h.state()
	out := dashboard.Snapshot{State: dashboard.State{Status: a.Status, Ready: a.Ready, Percent: a.Percent, ETA: a.ETA, Text: a.Text}, Version: version.ServerVersion()}
	out.Plans = h.secret != nil
	out.Host, _ = os.Hostname() // the page goes without
	if s := h.server.Load(); s != nil {
		s.fillDashboard(&out)
	}
	return out
}

func (s *Server) fillDashboard(out *dashboard.Snapshot) {
	status := s.status.values()
	number := func(name string) float64 {
		switch v := status[name].(type) {
		case uint64:
			return float64(v)
		case string:
			var f float64
			_, _ = fmt.Sscan(v, &f) // a state in words is no number
			return f
		}
		return 0
	}
	out.Counts = map[string]float64{}
	for short, name := range dashboardCounts {
		out.Counts[short] = number(name)
	}
	out.Uptime = time.Since(s.started).Seconds()
	out.ReadOnly = s.globals.readOnly.Load() || s.globals.superReadOnly.Load() || s.forced > 0
	out.Recovery = dashboard.Recovery{Estimate: number("Ember_estimated_recovery_seconds"), Last: number("Ember_last_recovery_seconds")}
	h := s.performance.Histogram()
	for i := range perfschema.Buckets {
		if n := h.Get(i); n > 0 {
			out.Histogram = append(out.Histogram, dashboard.Bucket{End: float64(perfschema.BucketEnd(i)) / 1e12, Count: n})
		}
	}
	if tables, err := s.backend.Warmth(); err == nil { // else the list is damaged, which the log tells
		for _, t := range tables {
			warm := 100 * float64(t.ListedResident) / float64(max(t.Listed, 1))
			out.Tables = append(out.Tables, dashboard.Table{Name: t.Schema + "." + t.Table, Listed: t.Listed, Resident: t.Resident, Warm: warm})
		}
	}
	out.Starts = s.dashboardStarts()
	out.Digests = s.dashboardDigests()
	s.dashboardThreads(out)
	for _, c := range s.replicas.all() {
		for _, f := range s.replicaFields(c) {
			if text := fmt.Sprint(f.Value); f.Value != nil && text != "" {
				out.Replica = append(out.Replica, dashboard.Field{Name: strings.ReplaceAll(f.Name, "_", " "), Value: text})
			}
		}
	}
	s.backups.mu.Lock()
	for id := range s.backups.all {
		out.Backups = append(out.Backups, id)
	}
	s.backups.mu.Unlock()
	out.Disk.Redo = int64(number("Innodb_redo_log_physical_size"))
	out.Disk.Free, _ = vfs.NewOS(s.log).FreeBytes(s.dir) // 0: it cannot be told
	if b := s.binlogMetrics(); b != nil {
		out.Disk.Binlog = b.Bytes
	}
	if e := s.backend.Engine(); e != nil {
		if err := e.Failed(); err != nil {
			out.Failed = err.Error()
		}
	}
}

func (s *Server) dashboardStarts() (out []dashboard.Start) {
	starts := s.backend.Starts()
	for i, start := range starts {
		one := dashboard.Start{Began: start.Began.UTC().Format(time.RFC3339)}
		for _, p := range start.Phases {
			took := p.Took
			if !p.Done && i == len(starts)-1 {
				took = max(0, time.Since(start.Began)-p.Start)
			}
			one.Phases = append(one.Phases, dashboard.Phase{Name: p.Name, At: p.Start.Seconds(), Took: took.Seconds(), Done: p.Done})
		}
		out = append(out, one)
	}
	return out
}

// dashboardDigests are those that took most time.
func (s *Server) dashboardDigests() (out []dashboard.Digest) {
	type summed struct {
		d *perfschema.Digest
		s perfschema.Summary
	}
	var all []summed
	for _, d := range s.performance.Digests() {
		all = append(all, summed{d, d.Summary()})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].s.Sum > all[j].s.Sum })
	for _, x := range all[:min(len(all), shownDigests)] {
		out = append(out, dashboard.Digest{
			Schema: x.d.Schema, ID: x.d.ID, Text: x.d.Text, Sample: x.s.Sample, Count: x.s.Events, Total: float64(x.s.Sum) / 1e9, Mean: float64(x.s.Average()) / 1e9,
			P95: float64(x.d.Quantiles(0.95)[0]) / 1e12, Max: float64(x.s.Max) / 1e9, Errors: x.s.Counts[perfschema.Errors],
			Sent: x.s.Counts[perfschema.RowsSent], Examined: x.s.Counts[perfschema.RowsExamined],
		})
	}
	return out
}

// dashboardThreads fills in the connections and who waits for whom.
func (s *Server) dashboardThreads(out *dashboard.Snapshot) {
	text := func(v any) string {
		t, _ := v.(string)
		return s.performance.Clip(t)
	}
	queries := map[uint32]string{}
	for _, p := range s.processes.snapshot() {
		r := p.row(s.connection(p.id))
		queries[p.id] = text(r.info)
		out.Threads = append(out.Threads, dashboard.Thread{ID: r.id, User: r.user, Host: r.host, DB: text(r.db), Command: r.command, Seconds: r.seconds, State: r.state, Query: queries[p.id]})
	}
	waits := s.backend.LockWaits()
	if len(waits) == 0 {
		return
	}
	locks := map[string]backend.LockInfo{}
	for _, l := range s.backend.Locks() {
		locks[l.LockID] = l
	}
	for _, w := range waits {
		l := locks[w.RequestingLockID]
		one := dashboard.Wait{Waiting: w.RequestingThreadID, Blocking: w.BlockingThreadID, Table: l.Schema + "." + l.Table, Index: l.Index, Mode: l.Mode, Query: queries[w.RequestingThreadID]}
		if !l.Since.IsZero() {
			one.Seconds = time.Since(l.Since).Seconds()
		}
		out.Waits = append(out.Waits, one)
	}
}

// metricsSnapshot is what one scrape of /metrics tells.
func (s *Server) metricsSnapshot() metrics.Snapshot {
	progress := s.progress()
	out := metrics.Snapshot{
		Version: version.ServerVersion(), Comment: version.VersionComment, Status: s.status.values(), Variables: sql.SystemVariables.GetAllGlobalVariables(),
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
			out.Replica = append(out.Replica, metrics.Field{Name: f.Name, Value: f.Value})
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
