package perftables

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/perfschema"
	"emberdb/server/commands"
	"emberdb/server/virtual"
)

// StatementNames are the names of statements in performance_schema, by the number of their Com_
// variable.
var StatementNames = func() []string {
	other := map[string]string{"other": "sql/error", "stmt_execute": "com/Execute", "stmt_prepare": "com/Prepare", "stmt_close": "com/Close stmt", "stmt_fetch": "com/Fetch",
		"stmt_reset": "com/Reset stmt", "stmt_send_long_data": "com/Long Data", "admin_commands": "com/Ping"}
	names := make([]string, len(commands.ComNames))
	for i, n := range commands.ComNames {
		names[i] = "statement/sql/" + n
		if as, ok := other[n]; ok {
			names[i] = "statement/" + as
		}
	}
	return names
}()

// Pico turns nanoseconds into picoseconds, the unit of all timers.
func Pico[T int64 | uint64](ns T) uint64 {
	if uint64(ns) > math.MaxUint64/1000 {
		return math.MaxUint64
	}
	return uint64(ns) * 1000
}

// FromMicros is a moment of the clock; the zero time if there was none.
func FromMicros(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// EventColumns are those of an event.
var EventColumns = "THREAD_ID, EVENT_ID, END_EVENT_ID, EVENT_NAME, TIMER_START, TIMER_END, TIMER_WAIT, LOCK_TIME, SQL_TEXT, DIGEST, DIGEST_TEXT, CURRENT_SCHEMA, " +
	"MYSQL_ERRNO, RETURNED_SQLSTATE, MESSAGE_TEXT, STATEMENT_ID, EXECUTION_ENGINE, NESTING_EVENT_LEVEL, " + strings.Join(perfschema.CountNames[:], ", ")

// SumColumns are those of sums of statements.
var SumColumns = "COUNT_STAR, SUM_TIMER_WAIT, MIN_TIMER_WAIT, AVG_TIMER_WAIT, MAX_TIMER_WAIT, SUM_LOCK_TIME, SUM_" + strings.Join(perfschema.CountNames[:], ", SUM_")

func SumRow(row sql.Row, st *perfschema.Stats) sql.Row {
	row = append(row, st.Events, Pico(st.Sum), Pico(st.Min), Pico(st.Average()), Pico(st.Max), Pico(st.Lock))
	for _, n := range st.Counts {
		row = append(row, n)
	}
	return row
}

func HistogramRows(out []sql.Row, before sql.Row, h *perfschema.Histogram) []sql.Row {
	var sums [perfschema.Buckets]uint64
	total := uint64(0)
	for i := range sums {
		total += h.Get(i)
		sums[i] = total
	}
	low := uint64(0)
	for i := range sums {
		n, below := sums[i], uint64(0)
		if i > 0 {
			below = sums[i-1]
		}
		high := perfschema.BucketEnd(i)
		out = append(out, append(slices.Clone(before), uint64(i), low, high, n-below, n, float64(n)/float64(max(total, 1))))
		low = high
	}
	return out
}

// Holder is one whose statements are added up, and the columns that name it.
type Holder struct {
	Key  sql.Row
	Sums *perfschema.Sums
}

// SortRows orders rows of errors by their number, which stands behind the holder's columns.
func SortRows(rows []sql.Row, held bool) {
	number := func(r sql.Row) int64 {
		for _, v := range r {
			if n, ok := v.(int64); ok {
				return n
			}
		}
		return 0
	}
	if !held {
		sort.SliceStable(rows, func(i, j int) bool { return number(rows[i]) < number(rows[j]) })
	}
}

// ErrorName finds the name and the SQLSTATE of an error.
func ErrorName(code int) (name, state string) {
	prefix := strconv.Itoa(code) + " "
	for line := range strings.Lines(virtual.SchemaFile("errors")) {
		if rest, found := strings.CutPrefix(line, prefix); found {
			name, state, _ = strings.Cut(strings.TrimSpace(rest), " ")
			return name, state
		}
	}
	return "", ""
}
