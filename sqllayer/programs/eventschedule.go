package programs

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
)

// ScheduleMark begins such a text.
const ScheduleMark = lower.ScheduleMark

// Schedule is when an event is to run.
type Schedule struct {
	At, Starts, Ends *plan.OnScheduleTimestamp
	Every            *expression.Interval
	Until            time.Time // AT or ENDS, if there is one
}

// MostIntervals is the largest interval that MySQL takes, in any unit.
const MostIntervals = 1_000_000_000

func BadSchedule(clause string, written any) error {
	if written == nil {
		written = "NULL"
	}
	return sqlerr.NewError(1525, "Incorrect %s value: '%v'", clause, written)
}

// PlusMonths keeps to the last day of a month that is shorter.
func PlusMonths(t time.Time, months int64) time.Time {
	year, month, day := t.Date()
	first := time.Date(year, month+time.Month(months), 1, t.Hour(), t.Minute(), t.Second(), 0, t.Location())
	return first.AddDate(0, 0, min(day, first.AddDate(0, 1, -1).Day())-1)
}
