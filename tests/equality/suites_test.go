package equality

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/enginetest/queries"
	"github.com/dolthub/go-mysql-server/enginetest/scriptgen/setup"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// volatile are texts whose answers are not the same twice.
var volatile = regexp.MustCompile(`(?i)rand|uuid|now\(|sysdate|curdate|current_|utc_|sleep|connection_id|last_insert|found_rows|row_count|information_schema|performance_schema|@@|processlist|lock\(`)

// TestSuitesOfGMS runs the SELECTs of go-mysql-server's own suites both ways, and tells how many of
// them are compiled and why the others are not.
func TestSuitesOfGMS(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "mydb", true), connect(t, srv, "mydb", false)
	for _, suite := range []struct {
		name   string
		tables [][]setup.SetupScript
		tests  []queries.QueryTest
		least  int // percent that are compiled
	}{
		{"queries", setup.SimpleSetup, queries.QueryTests, 10}, // most try functions, set operations, subqueries and common table expressions
		{"joins", setup.PlanSetup, queries.JoinQueryTests, 7},
		{"ranges", setup.ComplexIndexSetup, queries.ComplexIndexQueries, 40},
	} {
		t.Run(suite.name, func(t *testing.T) {
			for _, scripts := range suite.tables {
				for _, s := range slices.Concat(scripts...) {
					_, _ = slow.Execute(s) // tables that are there stay, with their rows
				}
			}
			for _, s := range []*side{fast, slow} {
				_, err := s.Execute("USE mydb")
				require.NoError(t, err)
			}
			bothWays(t, fast, slow, suite.tests, suite.least)
		})
	}
}

func bothWays(t *testing.T, fast, slow *side, tests []queries.QueryTest, least int) {
	var texts []string
	for _, q := range tests {
		text := strings.TrimSpace(q.Query)
		if strings.EqualFold(text[:min(6, len(text))], "select") && len(q.Bindings) == 0 && !volatile.MatchString(text) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		fast.run(statement{text: text}, false) // learned from
	}
	before := counters(t, slow)
	for _, text := range texts {
		if a, b := fast.run(statement{text: text}, false), slow.run(statement{text: text}, false); differ(a, b) {
			t.Errorf("%s\ncompiled: %s\nGMS:      %s", text, a, b)
		}
	}
	after := counters(t, slow)
	tellShare(t, before, after, len(texts))
	require.GreaterOrEqual(t, after["Ember_compiled_executions"]-before["Ember_compiled_executions"], len(texts)*least/100)
}

// tellShare lists the reasons why statements were not compiled.
func tellShare(t *testing.T, before, after map[string]int, all int) {
	done := after["Ember_compiled_executions"] - before["Ember_compiled_executions"]
	t.Logf("%d statements, %d of them (%d %%) compiled", all, done, 100*done/max(all, 1))
	var reasons []string
	for name, n := range after {
		if reason, ok := strings.CutPrefix(name, "Ember_compiled_fallbacks_"); ok && n > before[name] && reason != "settings" { // those are the other side's
			reasons = append(reasons, fmt.Sprintf("%5d %s", n-before[name], reason))
		}
	}
	slices.Sort(reasons)
	slices.Reverse(reasons)
	t.Logf("the others, by reason:\n%s", strings.Join(reasons, "\n"))
}
