package tools

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// failures collects the statements that failed on a server.
type failures struct {
	s    *server
	stop chan struct{}
	all  chan map[string]bool
}

// watch begins to collect. The server remembers the last statements only, so it is asked often.
func (s *server) watch() *failures {
	f := &failures{s, make(chan struct{}), make(chan map[string]bool, 1)}
	go func() {
		seen, last := map[string]bool{}, false
		for {
			f.read(seen)
			if last {
				f.all <- seen
				return
			}
			select {
			case <-f.stop:
				last = true
			case <-time.After(time.Second):
			}
		}
	}()
	return f
}

func (f *failures) read(seen map[string]bool) {
	rows, err := f.s.db.Query(`SELECT COALESCE(sql_text, ''), mysql_errno, COALESCE(message_text, '')
		FROM performance_schema.events_statements_history_long WHERE mysql_errno <> 0`)
	if err != nil {
		seen["the history cannot be read: "+err.Error()] = true
		return
	}
	defer rows.Close()
	for rows.Next() {
		var text, message string
		var code int
		if err := rows.Scan(&text, &code, &message); err != nil {
			seen[err.Error()] = true
		}
		if text != "" && !strings.Contains(text, mark) { // without a text: a connection that was broken off
			seen[fmt.Sprintf("%d %s (%s)", code, strings.Join(strings.Fields(text), " "), message)] = true
		}
	}
}

// only expects that nothing failed but what the patterns name; of those each has failed on MySQL
// 9.7, too.
func (f *failures) only(t *testing.T, patterns ...string) {
	t.Helper()
	close(f.stop)
	var unknown []string
	for text := range <-f.all {
		known := false
		for _, p := range patterns {
			known = known || regexp.MustCompile(p).MatchString(text)
		}
		if known {
			t.Logf("fails on MySQL, too: %.150s", text)
		} else {
			unknown = append(unknown, text)
		}
	}
	assert.Empty(t, unknown, "statements failed on port %d", f.s.port)
}
