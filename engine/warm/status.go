package warm

import (
	"fmt"
	"time"
)

// Progress tells how far a load is, or how far the last one came.
type Progress struct {
	Total   int   // pages to bring: listed ones that fit the pool
	Done    int   // of them in the pool now
	Loaded  int   // read by the load, or by queries for it
	Present int   // were in the pool already
	Missed  int   // read by queries before their turn, with what they read along
	Skipped int   // no longer exist, or found no place
	Earlier int   // of Done and Skipped, what a load that was aborted had dealt with
	Bytes   int64 // read, gaps included
	Started time.Time
	Ended   time.Time // zero while it runs
}

// Status is what the status variables and the dashboard show.
type Status struct {
	DumpStatus string // Innodb_buffer_pool_dump_status
	LoadStatus string // Innodb_buffer_pool_load_status

	Loading     bool
	Loaded      bool // the last load came to its end
	Load        Progress
	LoadPercent float64
	LoadRate    float64       // bytes a second, since the load began
	LoadETA     time.Duration // 0 when it is not known
	LoadDepth   int           // reads in flight now

	Dumps       int // since the start
	DumpedPages int
	DumpTook    time.Duration // the last one, walk and writing

	List   ListInfo // the newest list, as far as it was read or written since the start
	Damage string   // why a list file was refused last, "" if none was
}

// ListInfo describes the newest list.
type ListInfo struct {
	File       string
	Generation uint64
	Created    time.Time // zero: there is none, or it was not looked at
	Pages      int
}

// Status returns a snapshot.
func (m *Manager) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := Status{DumpStatus: m.dumpStatus, LoadStatus: m.loadStatus, Load: m.lastLoad, Dumps: m.dumps, DumpedPages: m.dumpedPages, DumpTook: m.dumpTook,
		List: ListInfo{m.known.path, m.known.generation, m.known.created, m.known.pages}}
	if m.damage != nil {
		s.Damage = m.damage.Error()
	}
	s.Loaded = m.loaded
	if m.load != nil {
		s.Loading, s.Loaded = true, false
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
	dealt := p.Done + p.Skipped
	if now := dealt - p.Earlier; p.Ended.IsZero() && now > 0 {
		eta = time.Duration(float64(took) * float64(max(0, p.Total-dealt)) / float64(now))
	}
	return rate, eta
}

// NewestList reads the newest list; nil: there is none.
func (m *Manager) NewestList() *List {
	l, _, _ := m.newest(m.path())
	return l
}
