package server

import (
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/eventscheduler"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// Scheduled events run in sessions of their own, outside any connection. The scheduler looks for due events once a second.
const eventPeriodSeconds = 1

// innerIDs number sessions without a connection; they lie above the ids of connections.
var innerIDs atomic.Uint32

// startEvents starts the event scheduler, unless event_scheduler is DISABLED.
func (s *Server) startEvents() error {
	status := eventscheduler.SchedulerOff
	switch s.cfg.Settings.String("event_scheduler") {
	case "ON":
		status = eventscheduler.SchedulerOn
	case "DISABLED":
		status = eventscheduler.SchedulerDisabled
	}
	if s.forced > 0 {
		status = eventscheduler.SchedulerDisabled
	}
	return s.sql.InitializeEventScheduler(s.innerContext, status, eventPeriodSeconds)
}

// stopGrace is how long a shutdown waits for cancelled events to notice.
const stopGrace = 5 * time.Second

// stopEvents cancels running events and waits for them.
func (s *Server) stopEvents() {
	s.stopInner()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.sql.BackgroundThreads.Shutdown() // always nil
	}()
	select {
	case <-ended:
	case <-time.After(stopGrace):
		s.log.Error("an event does not end; the server shuts down without waiting for it")
	}
}

// innerContext makes a context with a new session of the administrator's. The caller ends the session.
func (s *Server) innerContext() (*sql.Context, error) {
	c := &mysql.Conn{UserData: sql.MysqlConnectionUser{User: "root", Host: "localhost"}, User: "root", ConnectionID: 1<<31 + innerIDs.Add(1)}
	sess, err := s.cfg.NewSession(s.inner, c, "localhost")
	if err != nil {
		return nil, err
	}
	return sql.NewContext(s.inner, sql.WithSession(sess), sql.WithProcessList(s.processes), sql.WithMemoryManager(s.sql.MemoryManager)), nil
}
