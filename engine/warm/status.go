package warm

import (
	"fmt"
	"time"
)

// Progress tells how far a load is, or how far the last one came.
type Progress struct {
	Total   int   // listed pages that fit the pool
	Done    int   // of them in the pool now: Loaded + Present
	Loaded  int   // read by the load
	Present int   // were in the pool already
	Skipped int   // no longer exist, or found no place
	Bytes   int64 // read, gaps included
	Started time.Time
	Ended   time.Time // zero while it runs
}

// Status is what the status variables and the dashboard show.
type Status struct {
	DumpStatus string // Innodb_buffer_pool_dump_status
	LoadStatus string // Innodb_buffer_pool_load_status

	Loading     bool
	Load        Progress
	LoadPercent float64
	LoadRate    float64       // bytes a second, since the load began
	LoadETA     time.Duration // 0 when it is not known
	LoadDepth   int           // reads in flight now

	Dumps       int // since the start
	LastDump    time.Time
	DumpedPages int
	Damage      string // why a list file was refused last, "" if none was
}

// Status returns a snapshot.
func (m *Manager) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := Status{DumpStatus: m.dumpStatus, LoadStatus: m.loadStatus, Load: m.lastLoad, Dumps: m.dumps, LastDump: m.lastDump, DumpedPages: m.dumpedPages}
	if m.damage != nil {
		s.Damage = m.damage.Error()
	}
	if m.load != nil {
		s.Loading = true
		s.Load = m.load.progress()
		s.LoadDepth = int(m.load.pacer.depth.Load())
		if s.Load.Total > 0 {
			s.LoadStatus = fmt.Sprintf("Loaded %d/%d pages", s.Load.Done, s.Load.Total)
		}
	}
	s.LoadPercent = s.Load.percent()
	s.LoadRate, s.LoadETA = s.Load.speed()
	return s
}

func (l *load) progress() Progress {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.p
}

func (l *load) percent() float64 { return l.progress().percent() }

// percent is the share of the list that was dealt with.
func (p Progress) percent() float64 {
	if p.Total == 0 {
		return 0
	}
	return 100 * float64(p.Done+p.Skipped) / float64(p.Total)
}

// speed is the throughput since the load began, and what that leaves to wait.
func (p Progress) speed() (rate float64, eta time.Duration) {
	end := p.Ended
	if end.IsZero() {
		end = time.Now()
	}
	took := end.Sub(p.Started)
	if p.Started.IsZero() || took <= 0 {
		return 0, 0
	}
	rate = float64(p.Bytes) / took.Seconds()
	if dealt := p.Done + p.Skipped; p.Ended.IsZero() && dealt > 0 {
		eta = time.Duration(float64(took) * float64(p.Total-dealt) / float64(dealt))
	}
	return rate, eta
}
