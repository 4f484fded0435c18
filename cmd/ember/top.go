package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func init() {
	verbs = append(verbs, newTop)
}

// digestKey is what a server counts statements by.
type digestKey struct{ schema, digest string }

// digestCounts are the counts of one kind of statement. Times are in picoseconds.
type digestCounts struct {
	Schema       string  `json:"db"`
	Digest       string  `json:"digest"`
	Text         string  `json:"text"`
	Calls        float64 `json:"calls"`
	Time         float64 `json:"time_ps"`
	Lock         float64 `json:"lock_time_ps"`
	Errors       float64 `json:"errors"`
	RowsAffected float64 `json:"rows_affected"`
	RowsSent     float64 `json:"rows_sent"`
	RowsExamined float64 `json:"rows_examined"`
	NoIndex      float64 `json:"no_index_used"`
}

// topOrders are what --sort takes: the larger comes first.
var topOrders = map[string]func(*digestCounts) float64{
	"time":   func(d *digestCounts) float64 { return d.Time },
	"calls":  func(d *digestCounts) float64 { return d.Calls },
	"mean":   func(d *digestCounts) float64 { return d.Time / max(d.Calls, 1) },
	"rows":   func(d *digestCounts) float64 { return d.RowsExamined },
	"lock":   func(d *digestCounts) float64 { return d.Lock },
	"errors": func(d *digestCounts) float64 { return d.Errors },
}

func newTop() *cobra.Command {
	var c client
	var s screen
	t := toplist{}
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Show which statements the server spends its time on",
		Long: `Show which kinds of statements the server spends its time on, those with most time first, from performance_schema. Each picture shows
what came since the one before; with --total what the server has counted since its counts began. The account needs SELECT on
performance_schema.`,
		Example: "  ember top --socket /run/mysqld/mysqld.sock\n  ember top --total --count 1 --sort mean --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if topOrders[t.order] == nil {
				return fmt.Errorf("--sort %q: want time, calls, mean, rows, lock or errors", t.order)
			}
			if t.limit < 1 {
				return errors.New("--limit: at least 1")
			}
			return c.with(cmd.Context(), func(db *sql.DB) (err error) {
				t.db = db
				if !t.total { // the first picture needs one before it
					if t.last, t.at, err = t.read(cmd.Context()); err != nil {
						return err
					}
					if err := pause(cmd.Context(), s.every); err != nil {
						return nil
					}
				}
				return s.run(cmd.Context(), cmd.OutOrStdout(), t.take)
			})
		},
	}
	f := cmd.Flags()
	c.addFlags(f)
	s.addFlags(f)
	f.BoolVar(&t.total, "total", false, "show the whole counts instead of what came since the picture before")
	f.StringVar(&t.order, "sort", "time", "what comes first: time, calls, mean, rows (examined), lock or errors")
	f.IntVar(&t.limit, "limit", 20, "statements to show")
	return cmd
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// toplist takes pictures of what the server spends its time on.
type toplist struct {
	db    *sql.DB
	total bool
	order string
	limit int
	last  map[digestKey]digestCounts
	at    time.Time
}

// topPicture is one of them.
type topPicture struct {
	Taken      time.Time      `json:"taken"`
	Seconds    float64        `json:"seconds"` // that the counts are of; 0: since they began
	Calls      float64        `json:"calls"`
	Time       float64        `json:"time_ps"`
	Statements []digestCounts `json:"statements"`
}

func (t *toplist) read(ctx context.Context) (map[digestKey]digestCounts, time.Time, error) {
	list, err := collect(ctx, t.db, func(d *digestCounts) []any {
		return []any{&d.Schema, &d.Digest, &d.Text, &d.Calls, &d.Time, &d.Lock, &d.Errors, &d.RowsAffected, &d.RowsSent, &d.RowsExamined, &d.NoIndex}
	}, `SELECT COALESCE(schema_name, ''), COALESCE(digest, ''), COALESCE(digest_text, '(all others)'), count_star, sum_timer_wait, sum_lock_time, sum_errors,
		sum_rows_affected, sum_rows_sent, sum_rows_examined, sum_no_index_used FROM performance_schema.events_statements_summary_by_digest`)
	if err == nil && len(list) == 0 {
		err = errors.New("the server has counted no statement; is performance_schema ON?")
	}
	out := make(map[digestKey]digestCounts, len(list))
	for _, d := range list {
		out[digestKey{d.Schema, d.Digest}] = d
	}
	return out, time.Now(), err
}

// since returns what came to was. Counts that became smaller have begun anew.
func (d digestCounts) since(was digestCounts) digestCounts {
	if d.Calls < was.Calls {
		return d
	}
	d.Calls -= was.Calls
	d.Time -= was.Time
	d.Lock -= was.Lock
	d.Errors -= was.Errors
	d.RowsAffected -= was.RowsAffected
	d.RowsSent -= was.RowsSent
	d.RowsExamined -= was.RowsExamined
	d.NoIndex -= was.NoIndex
	return d
}

func (t *toplist) take(ctx context.Context) (picture, error) {
	now, at, err := t.read(ctx)
	if err != nil {
		return nil, err
	}
	p := &topPicture{Taken: at.UTC(), Statements: []digestCounts{}}
	if !t.total {
		p.Seconds = at.Sub(t.at).Seconds()
	}
	for k, d := range now {
		if !t.total {
			d = d.since(t.last[k])
		}
		if d.Calls > 0 {
			p.Statements = append(p.Statements, d)
		}
		p.Calls += d.Calls
		p.Time += d.Time
	}
	t.last, t.at = now, at
	by := topOrders[t.order]
	slices.SortFunc(p.Statements, func(a, b digestCounts) int {
		return cmp.Or(cmp.Compare(by(&b), by(&a)), cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Digest, b.Digest))
	})
	p.Statements = p.Statements[:min(len(p.Statements), t.limit)]
	return p, nil
}

func (p *topPicture) lines(width, height int) []string {
	calls, per := "CALLS", 1.0
	head := fmt.Sprintf("%s  %s statements, %s of server time, since the counts began", p.Taken.Local().Format("15:04:05"), count(p.Calls), picoseconds(p.Time))
	if p.Seconds > 0 {
		calls, per = "CALLS/s", p.Seconds
		head = fmt.Sprintf("%s  %s statements/s, %.2f sessions busy, of the last %.1f s", p.Taken.Local().Format("15:04:05"), count(p.Calls/per), p.Time/1e12/per, per)
	}
	out := []string{head, "", fmt.Sprintf("%6s %9s %9s %9s %9s %9s %6s  %-14s %s", "TIME", calls, "MEAN", "LOCK", "ROWS READ", "ROWS SENT", "ERRORS", "DATABASE", "STATEMENT")}
	for _, d := range p.Statements {
		each := max(d.Calls, 1)
		out = append(out, fmt.Sprintf("%5.1f%% %9s %9s %9s %9s %9s %6s  %-14s %s", 100*d.Time/max(p.Time, 1), count(d.Calls/per), picoseconds(d.Time/each), picoseconds(d.Lock/each),
			count(d.RowsExamined/each), count(d.RowsSent/each), count(d.Errors), cut(d.Schema, 14), strings.Join(strings.Fields(d.Text), " ")))
	}
	return append(out, "", "MEAN, LOCK and ROWS are of one call.")
}

// picoseconds renders a time of performance_schema.
func picoseconds(ps float64) string {
	switch {
	case ps >= 1e12:
		return fmt.Sprintf("%.2f s", ps/1e12)
	case ps >= 1e9:
		return fmt.Sprintf("%.2f ms", ps/1e9)
	}
	return fmt.Sprintf("%.0f µs", ps/1e6)
}
