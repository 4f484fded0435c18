package backend

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine"
	"emberdb/server/virtual"
)

// RecoveryRows are the phases of the recovery at this start.
func RecoveryRows(e *engine.Engine) (out []sql.Row, _ error) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	for _, p := range e.RecoveryPhases() {
		var percent, eta any
		if p.Total > 0 {
			percent = 100 * float64(p.Done) / float64(p.Total)
		}
		if p.ETA >= 0 {
			eta = p.ETA.Seconds()
		}
		out = append(out, sql.Row{p.Name, p.State, ms(p.Began), ms(p.Took), p.Unit, uint64(p.Done), uint64(p.Total), percent, eta, uint64(p.Bytes), virtual.OrNull(p.Note)})
	}
	return out, nil
}

func RecoveryCounterRows(e *engine.Engine) (out []sql.Row, _ error) {
	for _, c := range e.RecoveryCounters() {
		out = append(out, sql.Row{c.Phase, c.Name, c.Value, c.Unit})
	}
	return out, nil
}

// AdviceRows tell what each recovery target would cost under the load of the last minute; the last
// row is the one without a target.
func AdviceRows(e *engine.Engine) (out []sql.Row, _ error) {
	for _, a := range e.RecoveryAdvice() {
		current := "NO"
		if a.Current {
			current = "YES"
		}
		out = append(out, sql.Row{uint64(a.Target.Seconds()), current, a.Estimated.Seconds(), uint64(a.RedoBytes), uint64(a.DirtyPages), a.Writes, a.Extra,
			100 * a.DeviceBusy, 100 * a.Throughput})
	}
	return out, nil
}

// recoveryStatus puts what a recovery has done at this start, and what one would cost now.
func recoveryStatus(e *engine.Engine, put func(name string, v any)) {
	r := e.RecoveryEstimate()
	put("Ember_estimated_recovery_seconds", r.Total().Seconds())
	put("Ember_estimated_recovery_open_seconds", r.Open.Seconds())
	put("Ember_estimated_recovery_log_seconds", r.Log.Seconds())
	put("Ember_estimated_recovery_pages_seconds", r.Redo.Seconds())
	put("Ember_estimated_recovery_log_bytes", r.RedoBytes)
	put("Ember_estimated_recovery_pages", r.Pages)
	put("Ember_recovery_target_log_bytes", r.MaxRedo)
	put("Ember_recovery_rate_log_bytes", int64(r.LogBytesSecond))
	put("Ember_recovery_rate_pages", int64(r.PageSecond))
	put("Ember_recovery_samples", r.Samples)
	put("Ember_last_recovery_seconds", r.LastTook.Seconds())
	put("Ember_last_recovery_estimated_seconds", r.LastEstimate.Seconds())
	put("Ember_recovery_state", e.Progress().String())
}

// AbortedRows lists the transactions that were given up and whose rows are not all restored, in the
// order of their cleaning.
func AbortedRows(e *engine.Engine) (out []sql.Row, _ error) {
	for _, t := range e.Txns().Aborted() {
		state, recovered := "WAITING", "NO"
		var eta, lastError any
		if t.Working {
			state = "CLEANING"
		}
		if t.Err != nil {
			lastError = t.Err.Error()
			if !t.Working {
				state = "FAILED"
			}
		}
		if t.Recovered {
			recovered = "YES"
		}
		if t.ETA >= 0 {
			eta = t.ETA.Seconds()
		}
		out = append(out, sql.Row{uint64(t.ID), state, recovered, t.Since.UTC(), uint64(t.Left), uint64(t.Done), virtual.OrNull(t.Rate), eta, lastError})
	}
	return out, nil
}
