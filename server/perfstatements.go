package server

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/perfschema"
	"emberdb/server/commands"
	"emberdb/server/logs"
	"emberdb/server/perftables"
	"emberdb/server/virtual"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
)

// performance_schema's tables of statements.

func (s *Server) fillStatements(d *virtual.Database) {
	s.fillEvents(d)
	s.fillDigests(d)
	s.fillHistograms(d)
	s.fillSums(d)
	s.fillErrors(d)
}

func (s *Server) eventRow(e *perfschema.Event, running bool) sql.Row {
	began := e.Start.Sub(s.started)
	var end, digest, digestText any
	if !running {
		end = e.ID
	}
	if e.Digest != nil && !e.Digest.Lost {
		digest, digestText = e.Digest.ID, e.Digest.Text
	}
	row := sql.Row{e.Thread, e.ID, end, perftables.StatementNames[e.Name], perftables.Pico(int64(began)), perftables.Pico(int64(began) + e.Wait), perftables.Pico(e.Wait), perftables.Pico(e.Lock), virtual.OrNull(e.Text), digest, digestText,
		virtual.OrNull(e.Schema), int64(e.Code), virtual.OrNull(e.State), virtual.OrNull(e.Message), e.ID, "PRIMARY", int64(0)}
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
	e = perfschema.Event{ID: t.Ended() + 1, Thread: t.ID, Start: p.since, Wait: int64(time.Since(p.since)), Text: s.performance.Clip(logs.MaskSecrets(p.query)), Schema: p.db}
	if e.Name = comExecute; p.command != "Execute" {
		st, _, _ := statement.Read(p.query, parse.Options{Multi: true}) // what cannot be read is "other"
		e.Name = commands.Com(st.Command)
	}
	return e, true
}

func (s *Server) fillEvents(d *virtual.Database) {
	r := s.performance
	d.Fill("events_statements_current", perftables.EventColumns, func(*sql.Context) (out []sql.Row, _ error) {
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
	d.Fill("events_statements_history", perftables.EventColumns, func(*sql.Context) (out []sql.Row, _ error) {
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
	d.Fill("events_statements_history_long", perftables.EventColumns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, e := range r.HistoryLong() {
			out = append(out, s.eventRow(&e, false))
		}
		return out, nil
	})
}

func (s *Server) fillDigests(d *virtual.Database) {
	columns := "SCHEMA_NAME, DIGEST, DIGEST_TEXT, " + perftables.SumColumns + ", FIRST_SEEN, LAST_SEEN, QUANTILE_95, QUANTILE_99, QUANTILE_999, QUERY_SAMPLE_TEXT, QUERY_SAMPLE_SEEN, QUERY_SAMPLE_TIMER_WAIT"
	d.Fill("events_statements_summary_by_digest", columns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, x := range s.digests() {
			sum := x.Summary()
			row := sql.Row{virtual.OrNull(x.Schema), virtual.OrNull(x.ID), virtual.OrNull(x.Text)}
			row = perftables.SumRow(row, &sum.Stats)
			q := x.Quantiles(0.95, 0.99, 0.999)
			out = append(out, append(row, perftables.FromMicros(sum.First), perftables.FromMicros(sum.Last), q[0], q[1], q[2], virtual.OrNull(sum.Sample), perftables.FromMicros(sum.SampleSeen), perftables.Pico(sum.SampleWait)))
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
		return perftables.HistogramRows(nil, nil, s.performance.Histogram()), nil
	})
	d.Fill("events_statements_histogram_by_digest", "SCHEMA_NAME, DIGEST, "+columns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, x := range s.digests() {
			out = perftables.HistogramRows(out, sql.Row{virtual.OrNull(x.Schema), virtual.OrNull(x.ID)}, &x.Histogram)
		}
		return out, nil
	})
}

// holders are the tables' ways to add up: their names, the columns that name the holder, the
// holders.
func (s *Server) holders() []struct {
	by, columns string
	all         func() []perftables.Holder
} {
	accounts := func(by func(perfschema.Account) perfschema.Account, key func(perfschema.Account) sql.Row) func() []perftables.Holder {
		return func() (out []perftables.Holder) {
			for a, sums := range s.performance.Accounts(by) {
				out = append(out, perftables.Holder{Key: key(a), Sums: sums})
			}
			return out
		}
	}
	type account = perfschema.Account
	return []struct {
		by, columns string
		all         func() []perftables.Holder
	}{
		{"global", "", func() []perftables.Holder { return []perftables.Holder{{Key: nil, Sums: s.performance.Total()}} }},
		{"by_account", "USER, HOST, ", accounts(func(a account) account { return a }, func(a account) sql.Row { return sql.Row{a.User, a.Host} })},
		{"by_user", "USER, ", accounts(func(a account) account { return account{User: a.User} }, func(a account) sql.Row { return sql.Row{a.User} })},
		{"by_host", "HOST, ", accounts(func(a account) account { return account{Host: a.Host} }, func(a account) sql.Row { return sql.Row{a.Host} })},
		{"by_thread", "THREAD_ID, ", func() (out []perftables.Holder) {
			for _, t := range s.performance.Threads() {
				out = append(out, perftables.Holder{Key: sql.Row{t.ID}, Sums: t.Sums()})
			}
			return out
		}},
	}
}

func (s *Server) fillSums(d *virtual.Database) {
	for _, h := range s.holders() {
		d.Fill("events_statements_summary_"+h.by+"_by_event_name", h.columns+"EVENT_NAME, "+perftables.SumColumns, func(*sql.Context) (out []sql.Row, _ error) {
			for _, x := range h.all() {
				for i, name := range perftables.StatementNames {
					st := x.Sums.Statement(i)
					out = append(out, perftables.SumRow(append(slices.Clone(x.Key), name), &st))
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
				x.Sums.Errors(func(code int, e *perfschema.ErrorStats) {
					name, state := perftables.ErrorName(code)
					out = append(out, append(slices.Clone(x.Key), int64(code), virtual.OrNull(name), virtual.OrNull(state), e.Raised, e.Handled, perftables.FromMicros(e.First), perftables.FromMicros(e.Last)))
				})
			}
			perftables.SortRows(out, len(h.columns) > 0)
			return out, nil
		})
	}
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
