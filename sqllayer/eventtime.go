package sqllayer

// When events are due. An event that recurs is due at its STARTS plus a multiple of its interval;
// what was missed while nothing ran it is not made good. One that runs once is due even when its
// time has passed.

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
)

// Next is when an event is due that was last executed at a time, the zero time being never; ends:
// it will not be due again.
func (e *Event) Next(now, last time.Time) (at time.Time, ends bool) {
	if e.HasExecuteAt {
		return e.ExecuteAt, !last.IsZero()
	}
	now = now.Truncate(time.Second) // the grain of schedules
	if e.HasEnds && e.Ends.Before(now) {
		return at, true
	}
	at = e.Starts
	if at.Before(now) || !last.Before(at) {
		if at = e.after(now); at.IsZero() {
			return at, true
		}
	}
	return at, e.HasEnds && at.After(e.Ends)
}

// after is the first time of the schedule behind now; zero: there is none.
func (e *Event) after(now time.Time) time.Time {
	every, err := sql.EventOnScheduleEveryIntervalFromString(e.ExecuteEvery)
	if err != nil {
		return time.Time{}
	}
	seconds := ((every.Days*24+every.Hours)*60+every.Minutes)*60 + every.Seconds
	months := every.Years*12 + every.Months
	if seconds <= 0 && months <= 0 {
		return time.Time{}
	}
	starts := e.Starts.In(time.Local) // where months have their days
	if months == 0 {
		passed := max(0, now.Unix()-starts.Unix()) / seconds
		return starts.Add(time.Duration(passed+1) * time.Duration(seconds) * time.Second)
	}
	n := int64(0)
	if seconds == 0 {
		n = max(0, int64(now.Sub(starts).Hours()/24/31)/months-1) // not yet behind now
	}
	for ; ; n++ {
		at := plusMonths(starts, n*months).Add(time.Duration(n*seconds) * time.Second)
		if at.After(now) {
			return at
		}
	}
}

// plusMonths keeps to the last day of a month that is shorter.
func plusMonths(t time.Time, months int64) time.Time {
	year, month, day := t.Date()
	first := time.Date(year, month+time.Month(months), 1, t.Hour(), t.Minute(), t.Second(), 0, t.Location())
	return first.AddDate(0, 0, min(day, first.AddDate(0, 1, -1).Day())-1)
}
