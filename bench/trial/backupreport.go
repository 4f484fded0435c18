package trial

import (
	"fmt"
	"math"
	"strings"
)

func (r *BackupRun) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d  %-10s %.0f MB: idle %s; under load %s, %.0f of %.0f tps meanwhile, %.0f transactions lost", r.Round, r.Server, float64(r.Data)/1e6,
		r.Idle.words(), r.Loaded.words(), r.Loaded.TPS, r.SteadyTPS, r.Loaded.LostTx)
	if c := r.Incremental; c != nil {
		fmt.Fprintf(&b, "; incremental %.1f s, %.0f MB stored", c.Took, float64(c.Stored)/1e6)
	}
	if a := r.Restored; a != nil {
		fmt.Fprintf(&b, "; restored: first query %.2f s, complete %s s, 90 %% %s s", a.First, orNever(a.Complete), orNever(a.Reached))
	}
	if a := r.Clone; a != nil {
		fmt.Fprintf(&b, "; clone: first query %.2f s, in sync %s s", a.First, orNever(a.Complete))
	}
	return b.String()
}

func (c *Copied) words() string {
	text := fmt.Sprintf("%.1f s, %.0f MB/s", c.Took, c.Rate/1e6)
	if c.Share > 0 {
		text += fmt.Sprintf(" (%.0f %% of the device)", 100*c.Share)
	}
	return text
}

func orNever(v *float64) string {
	if v == nil {
		return "never"
	}
	return fmt.Sprintf("%.1f", *v)
}

// finish tells medians and draws the restores.
func (o *BackupOptions) finish(servers []*Server, runs []BackupRun) error {
	o.Report.say("\n%-12s %8s %10s %10s %10s %8s %10s %12s %10s %8s %10s %10s\n", "server", "MB", "idle MB/s", "load MB/s", "loss", "lost tx", "increment", "first query", "complete", "90 %", "clone", "in sync")
	var series []Series
	for i, s := range servers {
		m := medianBackup(only(runs, func(r *BackupRun) bool { return r.Server == s.Name }))
		m.line, m.Round = o.Report.head("median", s), 0
		if err := o.Report.write(m); err != nil {
			return err
		}
		o.Report.say("%-12s %8.0f %10.0f %10.0f %8.0f %% %8.0f %s %s %s\n", s.Name, float64(m.Data)/1e6, m.Idle.Rate/1e6, m.Loaded.Rate/1e6, 100*m.Loaded.LostPart, m.Loaded.LostTx,
			m.incrementColumn(), m.Restored.columns(true), m.Clone.columns(false))
		if m.Restored != nil {
			series = append(series, Series{Name: s.Name, Colour: i, Values: m.Restored.TPS})
		}
	}
	if o.Report.Chart == "" || len(series) == 0 {
		return nil
	}
	return drawLines(o.Report.Chart, fmt.Sprintf("The machine is lost: throughput of its restore, %s, %d threads", o.Workload, o.Threads),
		"seconds since the command to restore it", "transactions/s", 0, 1, series)
}

func (r *BackupRun) incrementColumn() string {
	if r.Incremental == nil {
		return fmt.Sprintf("%10s", "-")
	}
	return fmt.Sprintf("%8.1f s", r.Incremental.Took)
}

// columns are those of the table; level: with that of the throughput.
func (a *Appeared) columns(level bool) string {
	switch {
	case a == nil && level:
		return fmt.Sprintf("%12s %10s %8s", "-", "-", "-")
	case a == nil:
		return fmt.Sprintf("%10s %10s", "-", "-")
	case level:
		return fmt.Sprintf("%10.2f s %8s s %6s s", a.First, orNever(a.Complete), orNever(a.Reached))
	}
	return fmt.Sprintf("%8.2f s %8s s", a.First, orNever(a.Complete))
}

func medianBackup(runs []BackupRun) BackupRun {
	m := runs[0]
	copied := func(of func(*BackupRun) *Copied) Copied {
		median := func(f func(*Copied) float64) float64 {
			return medianOf(runs, func(r *BackupRun) float64 { return f(of(r)) })
		}
		return Copied{Took: median(func(c *Copied) float64 { return c.Took }), Rate: median(func(c *Copied) float64 { return c.Rate }),
			Share: median(func(c *Copied) float64 { return c.Share }), Stored: int64(median(func(c *Copied) float64 { return float64(c.Stored) })),
			TPS: median(func(c *Copied) float64 { return c.TPS }), LostTx: median(func(c *Copied) float64 { return c.LostTx }),
			LostPart: median(func(c *Copied) float64 { return c.LostPart })}
	}
	m.SteadyTPS = medianOf(runs, func(r *BackupRun) float64 { return r.SteadyTPS })
	m.Loaded, m.Idle = copied(func(r *BackupRun) *Copied { return &r.Loaded }), copied(func(r *BackupRun) *Copied { return &r.Idle })
	if m.Incremental != nil {
		c := copied(func(r *BackupRun) *Copied { return r.Incremental })
		m.Incremental = &c
	}
	m.Restored = medianAppeared(runs, func(r *BackupRun) *Appeared { return r.Restored })
	m.Clone = medianAppeared(runs, func(r *BackupRun) *Appeared { return r.Clone })
	return m
}

func medianAppeared(runs []BackupRun, of func(*BackupRun) *Appeared) *Appeared {
	if of(&runs[0]) == nil {
		return nil
	}
	reached := func(f func(*Appeared) *float64) *float64 {
		v := medianOf(runs, func(r *BackupRun) float64 {
			if at := f(of(r)); at != nil {
				return *at
			}
			return math.Inf(1)
		})
		if math.IsInf(v, 1) {
			return nil
		}
		return &v
	}
	return &Appeared{First: medianOf(runs, func(r *BackupRun) float64 { return of(r).First }),
		Complete: reached(func(a *Appeared) *float64 { return a.Complete }), Reached: reached(func(a *Appeared) *float64 { return a.Reached }),
		TPS: medianBins(runs, func(r *BackupRun) []float64 { return of(r).TPS }), Source: medianOf(runs, func(r *BackupRun) float64 { return of(r).Source })}
}
