package clones

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"emberdb/backup"
	"emberdb/internal/vfs"
	"emberdb/sqllayer/sqlerr"
)

// Clones is the clone that is made, or was made last: what clone_status and clone_progress of
// performance_schema show. That of the server's own data is kept in a file, since the server is
// started again behind it.
type Clones struct {
	Mu   sync.Mutex
	Last *cloneStatus // nil: none yet
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
	Stages              [len(CloneStages)]cloneStage
}

type cloneStage struct {
	State       string
	Begin, End  time.Time
	Total, Done int64
}

// The stages that MySQL has. There is nothing to drop first, and no page is copied twice.
var CloneStages = [...]string{"DROP DATA", "FILE COPY", "PAGE COPY", "REDO COPY", "FILE SYNC", "RESTART", "RECOVERY"}

const (
	cloneStageFiles   = 1
	cloneStageRedo    = 3
	cloneStageSync    = 4
	cloneStageRestart = 5

	CloneWaits, cloneRuns, cloneDone, cloneFailed = "Not Started", "In Progress", "Completed", "Failed"
)

// Begin notes a clone; one is made at a time.
func (c *Clones) Begin(connection uint32, source, destination string) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Last != nil && c.Last.State == cloneRuns {
		return sqlerr.NewError(3634, "Too many concurrent clone operations. Maximum allowed - 1.")
	}
	c.Last = &cloneStatus{PID: connection, State: cloneRuns, Begin: time.Now(), Source: source, Destination: destination}
	for i := range c.Last.Stages {
		c.Last.Stages[i].State = CloneWaits
	}
	c.enter(cloneStageFiles)
	return nil
}

// enter ends the stages before one and begins that. REQUIRES mu.
func (c *Clones) enter(stage int) {
	now := time.Now()
	for i := range c.Last.Stages[:stage] {
		s := &c.Last.Stages[i]
		if s.State == cloneDone {
			continue
		}
		if s.Begin.IsZero() {
			s.Begin = now
		}
		s.State, s.End = cloneDone, now
	}
	if s := &c.Last.Stages[stage]; s.State == CloneWaits {
		s.State, s.Begin = cloneRuns, now
	}
}

// Progress hears of a clone how far it is.
func (c *Clones) Progress(done, total int64, at string) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	files := &c.Last.Stages[cloneStageFiles]
	files.Done, files.Total = done, total
	switch at {
	case backup.AtLog:
		c.enter(cloneStageRedo)
	case backup.AtSync:
		c.enter(cloneStageSync)
	}
}

// End notes what became of it.
func (c *Clones) End(made *backup.Cloned, err error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	l := c.Last
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
	l.Stages[cloneStageRestart] = cloneStage{State: CloneWaits}
	if b := made.Point.Binlog; b != nil {
		l.File, l.Position, l.Executed = b.Name(b.File), b.Offset, b.Executed
	}
}

// Keep writes it into a file of the data directory, for after the restart.
func (c *Clones) Keep(dir string) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	text, err := json.Marshal(c.Last)
	if err != nil {
		return err
	}
	return vfs.WriteFile(vfs.NewOS(nil), filepath.Join(dir, cloneFile), text)
}

// Restore reads what keep wrote: the server was started again on the clone.
func (c *Clones) Restore(dir string) error {
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
		if s := &l.Stages[cloneStageRestart+i]; s.State == CloneWaits {
			*s = cloneStage{State: cloneDone, Begin: l.End, End: now}
		}
	}
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Last = &l
	return nil
}

// At is a time for a row; nil: there is none.
func At(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}
