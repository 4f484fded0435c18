package lint

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A statement's text is read once, by package parse. textReaders count, in the packages that run
// statements, what reads a text again: the limits may only fall. Who removes one lowers its limit.
var textReaders = []struct {
	what  string
	find  *regexp.Regexp
	limit map[string]int // by package; none: 0
}{
	{"regular expressions", regexp.MustCompile(`\bregexp\.(Must)?Compile\(`), map[string]int{
		"server/grants": 1, // patterns of hosts
		"sqllayer":      4, "sqllayer/sqlerr": 32, "sqllayer/tabledef": 1, "sqllayer/trees": 4}},
	{"uses of ctx.Query()", regexp.MustCompile(`\bctx\.Query\(\)`), map[string]int{"sqllayer": 12}},
	{"scanners of words", regexp.MustCompile(`(^|[^c] )\b(tokensOf|startsWith|containsFold|hasModifier)\(|\blexer\{`), nil},
	{"parses with another grammar", regexp.MustCompile(`\b(ast|sqlparser|tidb)\.Parse\w*\(|\bParseSimple\(|\.ParseOneWithOptions\(|\.ParseWithOptions\(|\.Parser\.Parse\(`),
		map[string]int{"server": 1, "sqllayer": 9, "sqllayer/run": 1, "sqllayer/tabledef": 1, "sqllayer/trees": 1, "compiled": 2}},
}

// runsStatements tells the packages that are looked at. Those of expressions and values read the
// texts of values.
func runsStatements(pkg string) bool {
	switch pkg {
	case "server", "sqllayer", "compiled":
		return true
	case "sqllayer/enginetest", "sqllayer/expr", "sqllayer/fts", "sqllayer/geometry", "sqllayer/jsonschema", "sqllayer/xpath":
		return false
	}
	if strings.HasPrefix(pkg, "sqllayer/expr/") {
		return false
	}
	return strings.HasPrefix(pkg, "server/") || strings.HasPrefix(pkg, "sqllayer/")
}

func TestTextsAreReadOnce(t *testing.T) {
	counts := make([]map[string]int, len(textReaders))
	for i := range counts {
		counts[i] = make(map[string]int)
	}
	for _, f := range goFiles(t) {
		if f.test || !runsStatements(f.pkg) {
			continue
		}
		for i, r := range textReaders {
			counts[i][f.pkg] += len(r.find.FindAll(f.src, -1))
		}
	}
	for i, r := range textReaders {
		for pkg, n := range counts[i] {
			require.LessOrEqual(t, n, r.limit[pkg], "%s in package %s", r.what, pkg)
			if n < r.limit[pkg] {
				t.Logf("%s in package %s: the limit can be lowered from %d to %d", r.what, pkg, r.limit[pkg], n)
			}
		}
	}
}
