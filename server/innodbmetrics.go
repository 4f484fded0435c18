package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/metrics"
	"emberdb/server/virtual"
)

// innodbMetric is a row of information_schema.INNODB_METRICS as InnoDB names it.
type innodbMetric struct {
	name, subsystem, kind string
	status                string // the status variable it is read from; @name: a system variable; -: nothing is counted
}

// readInnodbMetrics reads schemas/innodb_metrics.txt.
func readInnodbMetrics() []innodbMetric {
	var out []innodbMetric
	for line := range strings.Lines(virtual.SchemaFile("innodb_metrics")) {
		if f := strings.Fields(line); len(f) == 4 && f[0] != "#" {
			out = append(out, innodbMetric{f[0], f[1], f[2], f[3]})
		}
	}
	return out
}

// eachInnodbMetric gives each metric and its value; counted is false where the engine counts
// nothing.
func (s *Server) eachInnodbMetric(fn func(m innodbMetric, n uint64, counted bool)) {
	values := s.status.values()
	for _, m := range readInnodbMetrics() {
		v := values[m.status]
		if name, ok := strings.CutPrefix(m.status, "@"); ok {
			_, v, _ = sql.SystemVariables.GetGlobal(name)
		}
		switch n := v.(type) {
		case uint64:
			fn(m, n, true)
		case int64:
			fn(m, uint64(n), true)
		default:
			fn(m, 0, false)
		}
	}
}

// innodbMetricRows are the rows of INNODB_METRICS: those that are counted are enabled.
func (s *Server) innodbMetricRows(ctx *sql.Context) (out []map[string]any) {
	if !s.mayProcess(ctx) {
		return nil
	}
	s.eachInnodbMetric(func(m innodbMetric, n uint64, counted bool) {
		row := map[string]any{"name": m.name, "subsystem": m.subsystem, "type": m.kind, "count": int64(n), "count_reset": int64(n), "status": "disabled", "comment": "Not counted"}
		if counted {
			row["status"], row["comment"], row["time_enabled"] = "enabled", "Read from "+strings.TrimPrefix(m.status, "@"), s.started
		}
		out = append(out, row)
	})
	return out
}

// innodbCounters are the metrics that are counted, for a scrape.
func (s *Server) innodbCounters() (out []metrics.Counter) {
	s.eachInnodbMetric(func(m innodbMetric, n uint64, counted bool) {
		if counted {
			out = append(out, metrics.Counter{Subsystem: strings.ToLower(m.subsystem), Name: m.name, Value: float64(n), Gauge: m.kind == "value"})
		}
	})
	return out
}
