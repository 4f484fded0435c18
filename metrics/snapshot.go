package metrics

import (
	"strconv"
	"strings"
	"time"
)

// Snapshot is what a server knows about itself at one moment.
type Snapshot struct {
	Version, Comment string         // VERSION() and version_comment
	Status           map[string]any // SHOW GLOBAL STATUS
	Variables        map[string]any // SHOW GLOBAL VARIABLES
	InnoDB           []Counter      // information_schema.INNODB_METRICS
	Threads          []Thread       // SHOW PROCESSLIST
	Replica          []Field        // SHOW REPLICA STATUS; none: this is no replica
	Binlog           *Binlog        // nil: no binary log
	Starts           []Start        // oldest first; the last is that of this process
	Ready            bool           // statements are served
	WarmPercent      float64        // of the LRU list's pages that are loaded
}

// Counter is a row of INNODB_METRICS.
type Counter struct {
	Subsystem, Name string
	Value           float64
	Gauge           bool // a state; else it only grows
}

// Thread is a connection.
type Thread struct {
	User, Host, Command, State string
	Time                       time.Duration // in this state
}

// Field is a column of SHOW REPLICA STATUS.
type Field struct {
	Name  string
	Value any
}

// Binlog is what the binary log's files are.
type Binlog struct {
	Files  int
	Bytes  int64
	Number uint32 // of the file that is written
}

// Start is one start of the server.
type Start struct {
	Began  time.Time
	Phases []Phase
}

// Phase is what a start spent time on.
type Phase struct {
	Name        string
	Begin, Took time.Duration
	Done        bool
}

// number reads a value as mysqld_exporter does.
func number(v any) (n float64, ok bool) {
	switch v := v.(type) {
	case nil:
		return 0, false
	case uint64:
		return float64(v), true
	case uint32:
		return float64(v), true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	case int8:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		return textNumber(v)
	}
	return 0, false
}

func textNumber(s string) (float64, bool) {
	switch strings.ToLower(s) {
	case "yes", "on":
		return 1, true
	case "no", "off", "connecting", "disabled":
		return 0, true
	case "", "inf", "nan", "infinity", "+inf", "-inf":
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}
