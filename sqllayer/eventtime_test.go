package sqllayer_test

import (
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer"
)

// TestNextExecution has the times at which MySQL 9.7 executes events.
func TestNextExecution(t *testing.T) {
	at := func(s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		v, err := time.ParseInLocation(sql.EventDateSpaceTimeFormat, s, time.Local)
		require.NoError(t, err)
		return v
	}
	for _, c := range []struct{ every, starts, ends, now, last, want string }{
		{"1 HOUR", "2026-03-01 10:00:00", "", "2026-03-01 09:00:00", "", "2026-03-01 10:00:00"},
		{"1 HOUR", "2026-03-01 10:00:00", "", "2026-03-01 10:00:00", "", "2026-03-01 10:00:00"},
		{"1 HOUR", "2026-03-01 10:00:00", "", "2026-03-01 10:00:00", "2026-03-01 10:00:00", "2026-03-01 11:00:00"},
		{"1 HOUR", "2026-03-01 10:00:00", "", "2026-03-01 10:30:00", "", "2026-03-01 11:00:00"},
		{"1 HOUR", "2026-03-01 10:00:00", "", "2026-03-02 09:30:00", "2026-03-01 10:00:00", "2026-03-02 10:00:00"},
		{"'1:30' MINUTE_SECOND", "2026-03-01 10:00:00", "", "2026-03-01 10:03:00", "2026-03-01 10:03:00", "2026-03-01 10:04:30"},
		{"1 MONTH", "2026-01-31 10:00:00", "", "2026-02-01 00:00:00", "", "2026-02-28 10:00:00"},
		{"1 MONTH", "2026-01-31 10:00:00", "", "2026-02-28 10:00:00", "2026-02-28 10:00:00", "2026-03-31 10:00:00"},
		{"1 YEAR", "2020-02-29 10:00:00", "", "2026-02-01 00:00:00", "", "2026-02-28 10:00:00"},
		{"'1:2' MONTH_DAY", "2026-01-01 10:00:00", "", "2026-02-02 00:00:00", "", "2026-02-03 10:00:00"},
		{"1 HOUR", "2026-03-01 10:00:00", "2026-03-01 11:00:00", "2026-03-01 10:00:00", "2026-03-01 10:00:00", "2026-03-01 11:00:00"},
		{"1 HOUR", "2026-03-01 10:00:00", "2026-03-01 11:00:00", "2026-03-01 11:00:00", "2026-03-01 11:00:00", ""},
		{"1 HOUR", "2026-03-01 10:00:00", "2026-03-01 11:00:00", "2026-03-01 12:00:00", "", ""},
	} {
		e := &sqllayer.Event{StoredEvent: sqllayer.StoredEvent{EventDefinition: sql.EventDefinition{ExecuteEvery: c.every, Starts: at(c.starts), Ends: at(c.ends), HasEnds: c.ends != ""}}}
		next, ends := e.Next(at(c.now), at(c.last))
		require.Equal(t, c.want == "", ends, c)
		if !ends {
			require.Equal(t, c.want, sqllayer.TimeIn(time.Local, next), c)
		}
	}
	once := &sqllayer.Event{StoredEvent: sqllayer.StoredEvent{EventDefinition: sql.EventDefinition{HasExecuteAt: true, ExecuteAt: at("2026-03-01 10:00:00")}}}
	next, ends := once.Next(at("2026-03-01 12:00:00"), time.Time{})
	require.False(t, ends, "what was missed is made good")
	require.Equal(t, once.ExecuteAt, next)
	_, ends = once.Next(at("2026-03-01 12:00:00"), at("2026-03-01 10:00:00"))
	require.True(t, ends)
}
