package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine"
)

// What clients see of recovery and of what is rolled back in the background.

// addRecoveryTables defines the tables.
func (s *Server) addRecoveryTables(d *virtualDB) {
	d.add("EMBER_ABORTED_TRX", "TRX_ID u, STATE s, RECOVERED s, ABORTED t, ROWS_LEFT u, ROWS_DONE u, ROWS_PER_SECOND f?, ETA_SECONDS f?, LAST_ERROR s?",
		s.forProcess(s.ofEngine(abortedRows)))
}

// ofEngine makes rows of what the engine knows; none without one.
func (s *Server) ofEngine(rows func(*engine.Engine) ([]sql.Row, error)) func(*sql.Context) ([]sql.Row, error) {
	return func(*sql.Context) ([]sql.Row, error) {
		e := s.backend.Engine()
		if e == nil {
			return nil, nil
		}
		return rows(e)
	}
}

// abortedRows lists the transactions that were given up and whose rows are not all restored, in the order of their cleaning.
func abortedRows(e *engine.Engine) (out []sql.Row, _ error) {
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
		out = append(out, sql.Row{uint64(t.ID), state, recovered, t.Since.UTC(), uint64(t.Left), uint64(t.Done), orNull(t.Rate), eta, lastError})
	}
	return out, nil
}
