package server

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/backup"
	"emberdb/internal/vfs"
	"emberdb/server/virtual"
	"emberdb/sqllayer/sqlerr"
)

// clones is the clone that is made, or was made last: what clone_status and clone_progress of
// performance_schema show. That of the server's own data is kept in a file, since the server is
// started again behind it.
type clones struct {
	mu   sync.Mutex
	last *cloneStatus // nil: none yet
}

// cloneFile keeps what the tables show of a clone that replaced the server's data.
const cloneFile = "ember_clone.json"

type cloneStatus struct {
	PID                 uint32
	State               string
	Begin, End          time.Time
	Source, Destination string
	Code                int
	Text                string
	File                string
	Position            int64
	Executed            string
	Stages              [len(cloneStages)]cloneStage
}

type cloneStage struct {
	State       string
	Begin, End  time.Time
	Total, Done int64
}

// The stages that MySQL has. There is nothing to drop first, and no page is copied twice.
var cloneStages = [...]string{"DROP DATA", "FILE COPY", "PAGE COPY", "REDO COPY", "FILE SYNC", "RESTART", "RECOVERY"}

const (
	cloneStageFiles   = 1
	cloneStageRedo    = 3
	cloneStageSync    = 4
	cloneStageRestart = 5

	cloneWaits, cloneRuns, cloneDone, cloneFailed = "Not Started", "In Progress", "Completed", "Failed"
)

// begin notes a clone; one is made at a time.
func (c *clones) begin(connection uint32, source, destination string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && c.last.State == cloneRuns {
		return sqlerr.NewError(3634, "Too many concurrent clone operations. Maximum allowed - 1.")
	}
	c.last = &cloneStatus{PID: connection, State: cloneRuns, Begin: time.Now(), Source: source, Destination: destination}
	for i := range c.last.Stages {
		c.last.Stages[i].State = cloneWaits
	}
	c.enter(cloneStageFiles)
	return nil
}

// enter ends the stages before one and begins that. REQUIRES mu.
func (c *clones) enter(stage int) {
	now := time.Now()
	for i := range c.last.Stages[:stage] {
		s := &c.last.Stages[i]
		if s.State == cloneDone {
			continue
		}
		if s.Begin.IsZero() {
			s.Begin = now
		}
		s.State, s.End = cloneDone, now
	}
	if s := &c.last.Stages[stage]; s.State == cloneWaits {
		s.State, s.Begin = cloneRuns, now
	}
}

// progress hears of a clone how far it is.
func (c *clones) progress(done, total int64, at string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	files := &c.last.Stages[cloneStageFiles]
	files.Done, files.Total = done, total
	switch at {
	case backup.AtLog:
		c.enter(cloneStageRedo)
	case backup.AtSync:
		c.enter(cloneStageSync)
	}
}

// end notes what became of it.
func (c *clones) end(made *backup.Cloned, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.last
	l.End = time.Now()
	if err != nil {
		told := sqlerr.Translate(err, "")
		l.State, l.Code, l.Text = cloneFailed, told.Num, told.Message
		for i := range l.Stages {
			if s := &l.Stages[i]; s.State == cloneRuns {
				s.State, s.End = cloneFailed, l.End
			}
		}
		return
	}
	l.State = cloneDone
	c.enter(cloneStageRestart)
	l.Stages[cloneStageRestart] = cloneStage{State: cloneWaits}
	if b := made.Point.Binlog; b != nil {
		l.File, l.Position, l.Executed = b.Name(b.File), b.Offset, b.Executed
	}
}

// keep writes it into a file of the data directory, for after the restart.
func (c *clones) keep(dir string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, err := json.Marshal(c.last)
	if err != nil {
		return err
	}
	return vfs.WriteFile(vfs.NewOS(nil), filepath.Join(dir, cloneFile), text)
}

// restore reads what keep wrote: the server was started again on the clone.
func (c *clones) restore(dir string) error {
	text, err := vfs.ReadFile(vfs.NewOS(nil), filepath.Join(dir, cloneFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var l cloneStatus
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		return err
	}
	now := time.Now()
	for i := range l.Stages[cloneStageRestart:] {
		if s := &l.Stages[cloneStageRestart+i]; s.State == cloneWaits {
			*s = cloneStage{State: cloneDone, Begin: l.End, End: now}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = &l
	return nil
}

// at is a time for a row; nil: there is none.
func at(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}

// fillClones: the tables of performance_schema.
func (s *Server) fillClones(d *virtual.Database) {
	d.Fill("clone_status", "ID, PID, STATE, BEGIN_TIME, END_TIME, SOURCE, DESTINATION, ERROR_NO, ERROR_MESSAGE, BINLOG_FILE, BINLOG_POSITION, GTID_EXECUTED",
		func(*sql.Context) ([]sql.Row, error) {
			s.clones.mu.Lock()
			defer s.clones.mu.Unlock()
			l := s.clones.last
			if l == nil {
				return nil, nil
			}
			return []sql.Row{{int32(1), int32(l.PID), l.State, at(l.Begin), at(l.End), l.Source, l.Destination, int32(l.Code), l.Text, l.File, l.Position, l.Executed}}, nil
		})
	d.Fill("clone_progress", "ID, STAGE, STATE, BEGIN_TIME, END_TIME, THREADS, ESTIMATE, DATA, NETWORK, DATA_SPEED, NETWORK_SPEED",
		func(*sql.Context) (out []sql.Row, _ error) {
			s.clones.mu.Lock()
			defer s.clones.mu.Unlock()
			l := s.clones.last
			if l == nil {
				return nil, nil
			}
			for i, g := range l.Stages {
				threads, network := int32(0), int64(0)
				if g.State != cloneWaits {
					threads = 1
				}
				if l.Source != localInstance {
					network = g.Done
				}
				out = append(out, sql.Row{int32(1), cloneStages[i], g.State, at(g.Begin), at(g.End), threads, g.Total, g.Done, network, int32(0), int32(0)})
			}
			return out, nil
		})
}
