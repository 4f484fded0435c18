package metrics

import (
	"sort"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// collector is a prometheus.Collector whose metrics are not known beforehand: each scrape takes one
// snapshot.
type collector struct{ source func() Snapshot }

// Describe implements prometheus.Collector: nothing is described, so nothing is checked.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c collector) Collect(ch chan<- prometheus.Metric) {
	s, o := c.source(), output{ch}
	o.gauge("mysql_up", "Whether the MySQL server is up.", 1)
	o.gauge("mysql_version_info", "MySQL version and distribution.", 1,
		"version", s.Version, "innodb_version", s.Version, "version_comment", s.Comment)
	o.status(s.Status)
	o.variables(s.Variables)
	o.innodb(s.InnoDB)
	o.threads(s.Threads)
	o.replica(s.Replica)
	o.binlog(s.Binlog)
	o.ember(&s)
}

// output sends metrics.
type output struct{ ch chan<- prometheus.Metric }

func (o output) gauge(name, help string, v float64, labels ...string) {
	o.send(prometheus.GaugeValue, name, help, v, labels...)
}

func (o output) counter(name, help string, v float64, labels ...string) {
	o.send(prometheus.CounterValue, name, help, v, labels...)
}

func (o output) untyped(name, help string, v float64, labels ...string) {
	o.send(prometheus.UntypedValue, name, help, v, labels...)
}

// send makes a metric of a value and of pairs of label and value.
func (o output) send(kind prometheus.ValueType, name, help string, v float64, labels ...string) {
	names, values := make([]string, 0, len(labels)/2), make([]string, 0, len(labels)/2)
	for i := 0; i+1 < len(labels); i += 2 {
		names, values = append(names, labels[i]), append(values, strings.ToValidUTF8(labels[i+1], "?"))
	}
	m, err := prometheus.NewConstMetric(prometheus.NewDesc(name, help, names, nil), kind, v, values...)
	if err != nil {
		m = prometheus.NewInvalidMetric(prometheus.NewDesc(name, help, names, nil), err)
	}
	o.ch <- m
}

// family is a group of status variables that is one metric with a label.
type family struct{ prefix, metric, label, help string }

var families = []family{
	{"com_", "commands_total", "command", "Total number of executed MySQL commands."},
	{"handler_", "handlers_total", "handler", "Total number of executed MySQL handlers."},
	{"connection_errors_", "connection_errors_total", "error", "Total number of MySQL connection errors."},
	{"innodb_rows_", "innodb_row_ops_total", "operation", "Total number of MySQL InnoDB row operations."},
	{"performance_schema_", "performance_schema_lost_total", "instrumentation",
		"Total number of MySQL instrumentations that could not be loaded or created due to memory constraints."},
}

const (
	statusPrefix = "mysql_global_status_"
	statusHelp   = "Generic metric from SHOW GLOBAL STATUS."
	poolPages    = "innodb_buffer_pool_pages_"
)

func (o output) status(values map[string]any) {
	for _, name := range sorted(values) {
		if v, ok := number(values[name]); ok {
			o.statusValue(strings.ToLower(name), v)
		}
	}
}

func (o output) statusValue(name string, v float64) {
	if what, ok := strings.CutPrefix(name, poolPages); ok {
		o.poolPages(what, v)
		return
	}
	for _, f := range families {
		if what, ok := strings.CutPrefix(name, f.prefix); ok {
			o.counter(statusPrefix+f.metric, f.help, v, f.label, what)
			return
		}
	}
	o.untyped(statusPrefix+valid(name), statusHelp, v)
}

// poolPages writes one of Innodb_buffer_pool_pages_*: states of pages, or what was done with them.
func (o output) poolPages(what string, v float64) {
	switch what {
	case "data", "free", "misc", "old":
		o.gauge(statusPrefix+"buffer_pool_pages", "Innodb buffer pool pages by state.", v, "state", what)
	case "dirty":
		o.gauge(statusPrefix+"buffer_pool_dirty_pages", "Innodb buffer pool dirty pages.", v)
	case "total": // the sum of data, free and misc
	default:
		o.counter(statusPrefix+"buffer_pool_page_changes_total", "Innodb buffer pool page state changes.", v, "operation", what)
	}
}

func (o output) variables(values map[string]any) {
	for _, name := range sorted(values) {
		if v, ok := number(values[name]); ok {
			o.gauge("mysql_global_variables_"+valid(strings.ToLower(name)), "Generic gauge metric from SHOW GLOBAL VARIABLES.", v)
		}
	}
	if level, ok := values["transaction_isolation"].(string); ok {
		o.gauge("mysql_transaction_isolation", "MySQL transaction isolation.", 1, "level", level)
	}
}

func (o output) innodb(counters []Counter) {
	for _, c := range counters {
		name := "mysql_info_schema_innodb_metrics_" + valid(c.Subsystem+"_"+c.Name)
		if c.Gauge {
			o.gauge(name, "The state "+c.Name+" of INNODB_METRICS.", c.Value)
		} else {
			o.counter(name+"_total", "The counter "+c.Name+" of INNODB_METRICS.", c.Value)
		}
	}
}

func (o output) threads(threads []Thread) {
	type place struct{ command, state string }
	count, seconds := map[place]float64{}, map[place]float64{}
	users, hosts := map[string]float64{}, map[string]float64{}
	for _, t := range threads {
		p := place{strings.ToLower(valid(t.Command)), strings.ToLower(t.State)}
		count[p]++
		seconds[p] += t.Time.Seconds()
		users[t.User]++
		hosts[t.Host]++
	}
	const prefix = "mysql_info_schema_processlist_"
	for p, n := range count {
		o.gauge(prefix+"threads", "The number of threads split by current state.", n, "command", p.command, "state", p.state)
		o.gauge(prefix+"seconds", "The number of seconds threads have used split by current state.", seconds[p], "command", p.command, "state", p.state)
	}
	for user, n := range users {
		o.gauge(prefix+"processes_by_user", "The number of processes by user.", n, "mysql_user", user)
	}
	for host, n := range hosts {
		o.gauge(prefix+"processes_by_host", "The number of processes by host.", n, "client_host", host)
	}
}

var oldReplicaNames = strings.NewReplacer("replica", "slave", "source", "master")

func (o output) replica(fields []Field) {
	text := func(name string) string {
		for _, f := range fields {
			if s, ok := f.Value.(string); ok && strings.EqualFold(f.Name, name) {
				return s
			}
		}
		return ""
	}
	labels := []string{"master_host", text("Source_Host"), "master_uuid", text("Source_UUID"), "channel_name", text("Channel_Name"), "connection_name", ""}
	for _, f := range fields {
		v, ok := number(f.Value)
		if !ok {
			continue
		}
		name := valid(strings.ToLower(f.Name))
		o.untyped("mysql_slave_status_"+name, "Generic metric from SHOW REPLICA STATUS.", v, labels...)
		if old := oldReplicaNames.Replace(name); old != name {
			o.untyped("mysql_slave_status_"+old, "Generic metric from SHOW REPLICA STATUS.", v, labels...)
		}
	}
}

func (o output) binlog(b *Binlog) {
	if b == nil {
		return
	}
	o.gauge("mysql_binlog_size_bytes", "Combined size of all registered binlog files.", float64(b.Bytes))
	o.gauge("mysql_binlog_files", "Number of registered binlog files.", float64(b.Files))
	o.gauge("mysql_binlog_file_number", "The last binlog file number.", float64(b.Number))
}

// ember writes what a MySQL has no name for.
func (o output) ember(s *Snapshot) {
	ready, _ := number(s.Ready)
	o.gauge("ember_ready", "Whether statements are served.", ready)
	o.gauge("ember_warm_ratio", "Share of the LRU list's pages that are loaded, 0 to 1.", s.WarmPercent/100)
	for name, v := range s.Status {
		if own, ok := strings.CutPrefix(name, "Ember_"); ok {
			if n, ok := number(v); ok {
				o.untyped("ember_"+valid(strings.ToLower(own)), "Status variable "+name+".", n)
			}
		}
	}
	for back, start := range lastFirst(s.Starts) {
		which := [...]string{"this", "previous"}[back]
		o.gauge("ember_start_time_seconds", "When a start began, seconds of Unix time.", float64(start.Began.UnixMilli())/1000, "start", which)
		longest := map[string]float64{} // a phase may come more than once
		for _, p := range start.Phases {
			longest[p.Name] += p.Took.Seconds()
		}
		for name, seconds := range longest {
			o.gauge("ember_start_phase_seconds", "What a start spent its time on; phases overlap.", seconds, "start", which, "phase", name)
		}
	}
}

// lastFirst is the last start and the one before.
func lastFirst(starts []Start) (out []Start) {
	for i := len(starts) - 1; i >= 0 && len(out) < 2; i-- {
		out = append(out, starts[i])
	}
	return out
}

// valid puts _ in the place of what a metric's name must not have.
func valid(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

func sorted(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
