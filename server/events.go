package server

import (
	"context"
	"sync/atomic"

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
	return s.sql.InitializeEventScheduler(s.innerContext, status, eventPeriodSeconds)
}

// innerContext makes a context with a new session of the administrator's. The caller ends the session.
func (s *Server) innerContext() (*sql.Context, error) {
	c := &mysql.Conn{UserData: sql.MysqlConnectionUser{User: "root", Host: "localhost"}, User: "root", ConnectionID: 1<<31 + innerIDs.Add(1)}
	sess, err := s.cfg.NewSession(context.Background(), c, "localhost")
	if err != nil {
		return nil, err
	}
	return sql.NewContext(context.Background(), sql.WithSession(sess), sql.WithProcessList(s.processes), sql.WithMemoryManager(s.sql.MemoryManager)), nil
}
