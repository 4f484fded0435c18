package server

import (
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/perfschema"
	"emberdb/server/virtual"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
)

// performance_schema's tables of statements.

// statementNames are the names of statements in performance_schema, by the number of their Com_
// variable.
var statementNames = func() []string {
	other := map[string]string{"other": "sql/error", "stmt_execute": "com/Execute", "stmt_prepare": "com/Prepare", "stmt_close": "com/Close stmt", "stmt_fetch": "com/Fetch",
		"stmt_reset": "com/Reset stmt", "stmt_send_long_data": "com/Long Data", "admin_commands": "com/Ping"}
	names := make([]string, len(comNames))
	for i, n := range comNames {
		names[i] = "statement/sql/" + n
		if as, ok := other[n]; ok {
			names[i] = "statement/" + as
		}
	}
	return names
}()

// pico turns nanoseconds into picoseconds, the unit of all timers.
func pico[T int64 | uint64](ns T) uint64 {
	if uint64(ns) > math.MaxUint64/1000 {
		return math.MaxUint64
	}
	return uint64(ns) * 1000
}

// fromMicros is a moment of the clock; the zero time if there was none.
func fromMicros(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

func (s *Server) fillStatements(d *virtual.Database) {
	s.fillEvents(d)
	s.fillDigests(d)
	s.fillHistograms(d)
	s.fillSums(d)
	s.fillErrors(d)
}

// eventColumns are those of an event.
var eventColumns = "THREAD_ID, EVENT_ID, END_EVENT_ID, EVENT_NAME, TIMER_START, TIMER_END, TIMER_WAIT, LOCK_TIME, SQL_TEXT, DIGEST, DIGEST_TEXT, CURRENT_SCHEMA, " +
	"MYSQL_ERRNO, RETURNED_SQLSTATE, MESSAGE_TEXT, STATEMENT_ID, EXECUTION_ENGINE, NESTING_EVENT_LEVEL, " + strings.Join(perfschema.CountNames[:], ", ")

func (s *Server) eventRow(e *perfschema.Event, running bool) sql.Row {
	began := e.Start.Sub(s.started)
	var end, digest, digestText any
	if !running {
		end = e.ID
	}
	if e.Digest != nil && !e.Digest.Lost {
		digest, digestText = e.Digest.ID, e.Digest.Text
	}
	row := sql.Row{e.Thread, e.ID, end, statementNames[e.Name], pico(int64(began)), pico(int64(began) + e.Wait), pico(e.Wait), pico(e.Lock), orNull(e.Text), digest, digestText,
		orNull(e.Schema), int64(e.Code), orNull(e.State), orNull(e.Message), e.ID, "PRIMARY", int64(0)}
	for _, n := range e.Counts {
		row = append(row, n)
	}
	return row
}

// running is the statement that a connection runs now.
func (s *Server) running(t *perfschema.Thread) (e perfschema.Event, ok bool) {
	p := s.processes.get(uint32(t.ID))
	if p == nil {
		return e, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pid == 0 || p.query == "" {
		return e, false
	}
	e = perfschema.Event{ID: t.Ended() + 1, Thread: t.ID, Start: p.since, Wait: int64(time.Since(p.since)), Text: s.performance.Clip(maskSecrets(p.query)), Schema: p.db}
	if e.Name = comExecute; p.command != "Execute" {
		st, _, _ := statement.Read(p.query, parse.Options{Multi: true}) // what cannot be read is "other"
		e.Name = com(st.Command)
	}
	return e, true
}

func (s *Server) fillEvents(d *virtual.Database) {
	r := s.performance
	d.Fill("events_statements_current", eventColumns, func(*sql.Context) (out []sql.Row, _ error) {
		if !r.Consumes(perfschema.Current) {
			return nil, nil
		}
		for _, t := range r.Threads() {
			if e, ok := s.running(t); ok {
				out = append(out, s.eventRow(&e, true))
			} else if e, ok := t.Last(); ok {
				out = append(out, s.eventRow(&e, false))
			}
		}
		return out, nil
	})
	d.Fill("events_statements_history", eventColumns, func(*sql.Context) (out []sql.Row, _ error) {
		if !r.Consumes(perfschema.History) {
			return nil, nil
		}
		for _, t := range r.Threads() {
			for _, e := range t.History() {
				out = append(out, s.eventRow(&e, false))
			}
		}
		return out, nil
	})
	d.Fill("events_statements_history_long", eventColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, e := range r.HistoryLong() {
			out = append(out, s.eventRow(&e, false))
		}
		return out, nil
	})
}

// sumColumns are those of sums of statements.
var sumColumns = "COUNT_STAR, SUM_TIMER_WAIT, MIN_TIMER_WAIT, AVG_TIMER_WAIT, MAX_TIMER_WAIT, SUM_LOCK_TIME, SUM_" + strings.Join(perfschema.CountNames[:], ", SUM_")

func sumRow(row sql.Row, st *perfschema.Stats) sql.Row {
	row = append(row, st.Events, pico(st.Sum), pico(st.Min), pico(st.Average()), pico(st.Max), pico(st.Lock))
	for _, n := range st.Counts {
		row = append(row, n)
	}
	return row
}

func (s *Server) fillDigests(d *virtual.Database) {
	columns := "SCHEMA_NAME, DIGEST, DIGEST_TEXT, " + sumColumns + ", FIRST_SEEN, LAST_SEEN, QUANTILE_95, QUANTILE_99, QUANTILE_999, QUERY_SAMPLE_TEXT, QUERY_SAMPLE_SEEN, QUERY_SAMPLE_TIMER_WAIT"
	d.Fill("events_statements_summary_by_digest", columns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, x := range s.digests() {
			sum := x.Summary()
			row := sql.Row{orNull(x.Schema), orNull(x.ID), orNull(x.Text)}
			row = sumRow(row, &sum.Stats)
			q := x.Quantiles(0.95, 0.99, 0.999)
			out = append(out, append(row, fromMicros(sum.First), fromMicros(sum.Last), q[0], q[1], q[2], orNull(sum.Sample), fromMicros(sum.SampleSeen), pico(sum.SampleWait)))
		}
		return out, nil
	})
}

// digests are all digests in the order in which they were first seen.
func (s *Server) digests() []*perfschema.Digest {
	all := s.performance.Digests()
	first := make(map[*perfschema.Digest]int64, len(all))
	for _, x := range all {
		first[x] = x.Summary().First
	}
	sort.Slice(all, func(i, j int) bool { return first[all[i]] < first[all[j]] })
	return all
}

func (s *Server) fillHistograms(d *virtual.Database) {
	columns := "BUCKET_NUMBER, BUCKET_TIMER_LOW, BUCKET_TIMER_HIGH, COUNT_BUCKET, COUNT_BUCKET_AND_LOWER, BUCKET_QUANTILE"
	d.Fill("events_statements_histogram_global", columns, func(*sql.Context) ([]sql.Row, error) {
		return histogramRows(nil, nil, s.performance.Histogram()), nil
	})
	d.Fill("events_statements_histogram_by_digest", "SCHEMA_NAME, DIGEST, "+columns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, x := range s.digests() {
			out = histogramRows(out, sql.Row{orNull(x.Schema), orNull(x.ID)}, &x.Histogram)
		}
		return out, nil
	})
}

func histogramRows(out []sql.Row, before sql.Row, h *perfschema.Histogram) []sql.Row {
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

// holder is one whose statements are added up, and the columns that name it.
type holder struct {
	key  sql.Row
	sums *perfschema.Sums
}

// holders are the tables' ways to add up: their names, the columns that name the holder, the
// holders.
func (s *Server) holders() []struct {
	by, columns string
	all         func() []holder
} {
	accounts := func(by func(perfschema.Account) perfschema.Account, key func(perfschema.Account) sql.Row) func() []holder {
		return func() (out []holder) {
			for a, sums := range s.performance.Accounts(by) {
				out = append(out, holder{key(a), sums})
			}
			return out
		}
	}
	type account = perfschema.Account
	return []struct {
		by, columns string
		all         func() []holder
	}{
		{"global", "", func() []holder { return []holder{{nil, s.performance.Total()}} }},
		{"by_account", "USER, HOST, ", accounts(func(a account) account { return a }, func(a account) sql.Row { return sql.Row{a.User, a.Host} })},
		{"by_user", "USER, ", accounts(func(a account) account { return account{User: a.User} }, func(a account) sql.Row { return sql.Row{a.User} })},
		{"by_host", "HOST, ", accounts(func(a account) account { return account{Host: a.Host} }, func(a account) sql.Row { return sql.Row{a.Host} })},
		{"by_thread", "THREAD_ID, ", func() (out []holder) {
			for _, t := range s.performance.Threads() {
				out = append(out, holder{sql.Row{t.ID}, t.Sums()})
			}
			return out
		}},
	}
}

func (s *Server) fillSums(d *virtual.Database) {
	for _, h := range s.holders() {
		d.Fill("events_statements_summary_"+h.by+"_by_event_name", h.columns+"EVENT_NAME, "+sumColumns, func(*sql.Context) (out []sql.Row, _ error) {
			for _, x := range h.all() {
				for i, name := range statementNames {
					st := x.sums.Statement(i)
					out = append(out, sumRow(append(slices.Clone(x.key), name), &st))
				}
			}
			return out, nil
		})
	}
}

func (s *Server) fillErrors(d *virtual.Database) {
	for _, h := range s.holders() {
		columns := h.columns + "ERROR_NUMBER, ERROR_NAME, SQL_STATE, SUM_ERROR_RAISED, SUM_ERROR_HANDLED, FIRST_SEEN, LAST_SEEN"
		d.Fill("events_errors_summary_"+h.by+"_by_error", columns, func(*sql.Context) (out []sql.Row, _ error) {
			for _, x := range h.all() {
				x.sums.Errors(func(code int, e *perfschema.ErrorStats) {
					name, state := errorName(code)
					out = append(out, append(slices.Clone(x.key), int64(code), orNull(name), orNull(state), e.Raised, e.Handled, fromMicros(e.First), fromMicros(e.Last)))
				})
			}
			sortRows(out, len(h.columns) > 0)
			return out, nil
		})
	}
}

// sortRows orders rows of errors by their number, which stands behind the holder's columns.
func sortRows(rows []sql.Row, held bool) {
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

// errorName finds the name and the SQLSTATE of an error.
func errorName(code int) (name, state string) {
	prefix := itoa(code) + " "
	for line := range strings.Lines(virtual.SchemaFile("errors")) {
		if rest, found := strings.CutPrefix(line, prefix); found {
			name, state, _ = strings.Cut(strings.TrimSpace(rest), " ")
			return name, state
		}
	}
	return "", ""
}

// truncatePerformance is TRUNCATE TABLE of a table of performance_schema; false: it cannot be
// emptied.
func (s *Server) truncatePerformance(table string) bool {
	r := s.performance
	part := perfschema.PartStatements
	if strings.HasPrefix(table, "events_errors_") {
		part = perfschema.PartErrors
	}
	switch {
	case s.truncateUse(table):
	case table == "events_statements_summary_by_digest" || table == "events_statements_histogram_by_digest":
		r.ResetDigests()
	case table == "events_statements_histogram_global":
		r.ResetHistogram()
	case table == "events_statements_history_long":
		r.ResetHistoryLong()
	case table == "events_statements_current" || table == "events_statements_history":
		r.ResetHistory()
	case !strings.HasPrefix(table, "events_statements_summary_") && part != perfschema.PartErrors:
		return false
	case strings.Contains(table, "_global_"):
		r.ResetAll(part)
	case strings.Contains(table, "_by_thread_"):
		r.ResetThreads(part)
	default:
		r.ResetAccounts(part)
	}
	return true
}
