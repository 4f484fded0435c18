package equality

// Oracles: answers that must agree with each other, whatever they are, so that no other server is
// needed. Both look for conditions that are decided in different ways.
//
//	TLP    The rows for which a condition is true, false and NULL are together all rows.
//	NoREC  The rows that a WHERE keeps are as many as those for which its condition is true in the
//	       select list, where no index, no join and no order of evaluation depends on it.

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// oracle makes statements whose answers must agree: each of the two lists is of statements whose
// rows are taken together.
type oracle struct{ analyst }

func (g *oracle) agreeing() (left, right []string) {
	g.alias, g.depth = 0, 0
	from, with := g.from(1+g.r.IntN(3)), ""
	if g.one(4) { // the tables through a common table
		from, with = g.common(from)
	}
	cond := g.cond(2)
	if g.one(2) {
		cond = "(" + cond + ") " + g.pick("AND", "OR") + " (" + g.cond(2) + ")"
	}
	if g.one(2) {
		counts := with + "SELECT COUNT(*) FROM " + from
		return []string{counts + " WHERE " + cond}, []string{with + "SELECT IFNULL(SUM(CASE WHEN " + cond + " THEN 1 ELSE 0 END), 0) FROM " + from}
	}
	var items []string
	switch g.r.IntN(3) {
	case 0:
		items = append(items, g.expr(g.kind(), 1), g.expr(g.kind(), 1))
	default:
		items = append(items, g.expr(g.kind(), 2))
	}
	block := with + "SELECT " + name(items) + " FROM " + from
	for _, part := range []string{"(%s)", "NOT (%s)", "((%s) IS NULL)"} {
		right = append(right, block+" WHERE "+fmt.Sprintf(strings.ReplaceAll(part, "%s", "%[1]s"), cond))
	}
	if g.one(2) && with == "" {
		right = []string{"(" + strings.Join(right, ") UNION ALL (") + ")"}
	}
	return []string{block}, right
}

// common puts what FROM has into a common table; its columns become the scope.
func (g *oracle) common(from string) (table, with string) {
	var columns []string
	out := reportRef{alias: "w"}
	for i, list := range [][]string{nil, nil, nil, nil} {
		kind := "idst"[i]
		for _, t := range g.scope {
			for _, c := range map[byte][]string{'i': t.ints, 'd': t.decs, 's': t.texts, 't': t.moments}[kind] {
				name := fmt.Sprintf("%c%d", kind, len(columns))
				columns, list = append(columns, t.alias+"."+c+" AS "+name), append(list, name)
			}
		}
		switch kind {
		case 'i':
			out.ints = list
		case 'd':
			out.decs = list
		case 's':
			out.texts = list
		default:
			out.moments = list
		}
	}
	g.scope = []reportRef{out}
	return "w", "WITH w AS (SELECT " + strings.Join(columns, ", ") + " FROM " + from + ") "
}

// TestAnswersAgree asks the executor and, of the same statements, whoever runs them under
// ember_executor = ON.
func TestAnswersAgree(t *testing.T) {
	seed := testkit.Seed(t)
	rounds := int(number(t, "EQUALITY_ROUNDS", 400))
	srv := emberd.Start(t)
	all, on := executorSide(t, srv, "oracle"), connect(t, srv, "oracle", true)
	prepareReports(t, all)
	g := &oracle{analyst{reporter{r: rand.New(rand.NewPCG(seed, 11))}}}
	before, agreed, bad := executed(t, all), 0, 0
	for range rounds {
		left, right := g.agreeing()
		for _, s := range []*side{all, on} {
			a, failed := rowsTogether(s, left)
			b, failedToo := rowsTogether(s, right)
			if failed != nil || failedToo != nil {
				continue // a value that a statement fails for; which rows it meets is open
			}
			if agreed++; a != b {
				if bad++; bad <= 20 {
					t.Errorf("seed %d, executor %v\n%s\ngives %.500s\n%s\ngives %.500s", seed, s == all, strings.Join(left, "\n"), a, strings.Join(right, "\n"), b)
				}
			}
		}
	}
	t.Logf("seed %d: %d pairs of answers agree, %d do not; the executor ran %d statements", seed, agreed-bad, bad, executed(t, all)-before)
	require.Greater(t, agreed, rounds, "most statements do not fail")
}

// rowsTogether are the rows of several statements, in an order of their own.
func rowsTogether(s *side, texts []string) (string, error) {
	var rows []string
	for _, q := range texts {
		res, err := s.Execute(q)
		if err != nil {
			return "", err
		}
		for _, r := range res.Values {
			text := ""
			for _, v := range r {
				if v.Value() == nil {
					text += "NULL|"
					continue
				}
				text += string(v.AsString()) + fmt.Sprint(plainNumber(v.Value())) + "|"
			}
			rows = append(rows, text)
		}
	}
	sort.Strings(rows)
	return strings.Join(rows, ";"), nil
}
