package equality

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// analyst makes statements of what reports do beyond joins and groups: windows, totals, set
// operations, recursion, joins by names, lateral tables and lists of values. What a function gives
// depends on no order that the statement leaves open.
type analyst struct{ reporter }

// TestAnalysesAreMySQLs compares what the executor answers to them with what MySQL does.
func TestAnalysesAreMySQLs(t *testing.T) {
	compareReports(t, "analyses", filepath.Join("testdata", "analyses.golden"), 600, func(seed uint64, n int) (texts []string, ordered []bool) {
		g := &analyst{reporter{r: rand.New(rand.NewPCG(seed, 2))}}
		for range n {
			text, o := g.analysis()
			texts, ordered = append(texts, text), append(ordered, o)
		}
		return texts, ordered
	})
}

// analysis makes a statement. ordered tells that the order of its rows is known.
func (g *analyst) analysis() (text string, ordered bool) {
	g.alias, g.depth = 0, 2 // no derived tables and subqueries but where they are asked for
	var width int
	switch g.r.IntN(9) {
	case 0, 1, 2:
		text, width = g.windows()
	case 3:
		text, width = g.totals()
	case 4:
		text, width = g.sets()
	case 5:
		text, width = g.recursion()
	case 6:
		text, width = g.byNames()
	case 7:
		text, width = g.lateral()
	default:
		text, width = g.lists()
	}
	if width == 0 || g.one(3) {
		return text, false
	}
	order := make([]string, width)
	for i := range order {
		order[i] = strconv.Itoa(i+1) + g.pick("", " DESC")
	}
	if text += " ORDER BY " + strings.Join(order, ", "); g.one(3) {
		text += " LIMIT " + strconv.Itoa(g.r.IntN(12))
	}
	return text, true
}

// keys are the primary keys of the tables in scope, which tell rows apart.
func (g *analyst) keys() (list []string) {
	for _, t := range g.scope {
		if t.name == "rc" {
			list = append(list, t.alias+".x", t.alias+".y")
		} else {
			list = append(list, t.alias+".id")
		}
	}
	return list
}

// where is a condition, or none.
func (g *analyst) where() string {
	if g.one(2) {
		return ""
	}
	return " WHERE " + g.cond(1)
}

func (g *analyst) windows() (string, int) {
	from := g.from(1 + g.r.IntN(2))
	items := g.keys()
	for range 1 + g.r.IntN(3) {
		items = append(items, g.window())
	}
	if g.one(4) {
		items = append(items, g.expr('i', 1)+" + "+g.window())
	}
	return "SELECT " + name(items) + " FROM " + from + g.where(), len(items)
}

// window is a window function and its window.
func (g *analyst) window() string {
	partition := ""
	if !g.one(3) {
		partition = "PARTITION BY " + g.expr("iist"[g.r.IntN(4)], 0) + " "
	}
	dir := g.pick("", " DESC")
	unique := g.expr(g.kind(), 0) + dir + ", " + strings.Join(g.keys(), ", ")
	v := g.kind()
	value := g.expr(v, 1)
	sum := g.pick("SUM", "AVG", "COUNT", "MIN", "MAX") + "(" + g.expr("id"[g.r.IntN(2)], 1) + ")"
	switch g.r.IntN(8) {
	case 0:
		return g.pick("ROW_NUMBER()", "NTILE("+strconv.Itoa(1+g.r.IntN(5))+")") + " OVER (" + partition + "ORDER BY " + unique + ")"
	case 1:
		return g.pick("RANK()", "DENSE_RANK()", "PERCENT_RANK()", "CUME_DIST()") + " OVER (" + partition + "ORDER BY " + g.expr(g.kind(), 1) + dir + ")"
	case 2:
		more := g.pick("", ", "+strconv.Itoa(g.r.IntN(4)), ", 1, "+g.constant(v))
		if v == 't' { // a text beside a date
			more = ""
		}
		return g.pick("LAG(", "LEAD(") + value + more + ") OVER (" + partition + "ORDER BY " + unique + ")"
	case 3:
		return g.pick("FIRST_VALUE("+value+")", "LAST_VALUE("+value+")", "NTH_VALUE("+value+", "+strconv.Itoa(1+g.r.IntN(4))+")") + " OVER (" + partition + "ORDER BY " + unique + " " + g.rows() + ")"
	case 4:
		return g.pick(sum, "MIN("+value+")", "MAX("+value+")", "COUNT(*)") + " OVER (" + partition + "ORDER BY " + unique + " " + g.rows() + ")"
	case 5:
		return sum + " OVER (" + partition + "ORDER BY " + g.expr("id"[g.r.IntN(2)], 0) + dir + " RANGE BETWEEN " + g.pick("UNBOUNDED PRECEDING", "5 PRECEDING", "1.5 PRECEDING", "CURRENT ROW") + " AND " +
			g.pick("CURRENT ROW", "UNBOUNDED FOLLOWING", "3 FOLLOWING") + ")"
	case 6:
		return sum + " OVER (" + partition + "ORDER BY " + g.moment() + dir + " RANGE BETWEEN " + g.pick("INTERVAL 1 MONTH PRECEDING", "INTERVAL 40 DAY PRECEDING", "UNBOUNDED PRECEDING") + " AND " +
			g.pick("CURRENT ROW", "INTERVAL 36 HOUR FOLLOWING", "INTERVAL 1 YEAR FOLLOWING", "INTERVAL 2 WEEK FOLLOWING") + ")"
	}
	if partition == "" || g.one(2) {
		return sum + " OVER (" + partition + ")"
	}
	return sum + " OVER (" + partition + "ORDER BY " + value + dir + ")"
}

// rows is a frame by rows.
func (g *analyst) rows() string {
	n := func() string { return strconv.Itoa(g.r.IntN(4)) }
	return g.pick("", "ROWS UNBOUNDED PRECEDING", "ROWS BETWEEN "+n()+" PRECEDING AND "+n()+" FOLLOWING", "ROWS BETWEEN "+n()+" PRECEDING AND CURRENT ROW", "ROWS BETWEEN "+n()+" FOLLOWING AND "+n()+" FOLLOWING",
		"ROWS BETWEEN "+n()+" PRECEDING AND "+n()+" PRECEDING", "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING")
}

// totals are groups with ROLLUP. What GROUPING gives in a total of no rows goes by MySQL's plan, so
// it stands where there are rows.
func (g *analyst) totals() (string, int) {
	from := g.from(1 + g.r.IntN(2))
	full := g.one(2)
	if full {
		from = g.from(1)
	}
	var keys []string
	for range 1 + g.r.IntN(3) {
		keys = append(keys, g.column("iist"[g.r.IntN(4)]))
	}
	items := append([]string{}, keys...)
	for _, k := range keys {
		if k == "" {
			return g.lists()
		}
	}
	for range 1 + g.r.IntN(3) {
		item := g.pick(g.aggregate(), "IFNULL("+keys[0]+", "+keys[0]+")", "BIT_XOR("+g.column('i')+")")
		if full && g.one(2) {
			item = g.pick("GROUPING("+keys[0]+")", "GROUPING("+strings.Join(keys, ", ")+")")
		}
		items = append(items, item)
	}
	text := "SELECT " + name(items) + " FROM " + from
	if !full {
		text += g.where()
	}
	text += " GROUP BY " + strings.Join(keys, ", ") + " WITH ROLLUP"
	if g.one(3) {
		text += " HAVING " + g.pick("COUNT(*) > 1", keys[0]+" IS NULL", "SUM("+g.expr('i', 0)+") > 3")
	}
	return text, len(items)
}

// sets are set operations.
func (g *analyst) sets() (string, int) {
	width := 1 + g.r.IntN(2)
	kinds := make([]byte, width)
	for i := range kinds {
		kinds[i] = "iids"[g.r.IntN(4)]
	}
	return g.set(kinds, 2), width
}

func (g *analyst) set(kinds []byte, depth int) string {
	if depth == 0 || g.one(4) {
		from := g.from(1)
		var items []string
		for _, k := range kinds {
			if k == 's' {
				items = append(items, g.expr('s', 0))
			} else {
				items = append(items, g.pick(g.expr(k, 1), g.expr('i', 0)+" % 5"))
			}
		}
		return "SELECT " + name(items) + " FROM " + from + g.where()
	}
	branch := func() string {
		text := g.set(kinds, depth-1)
		if strings.Contains(text, "UNION") || strings.Contains(text, "INTERSECT") || strings.Contains(text, "EXCEPT") || g.one(5) {
			return "(" + text + ")"
		}
		return text
	}
	left, right := branch(), branch()
	if op := g.pick(" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT ", " INTERSECT ALL ", " EXCEPT ALL "); op[1] == 'U' || depth == 1 {
		return left + op + right
	}
	return left + " UNION " + right // MySQL 9.7 answers wrongly where INTERSECT or EXCEPT stands around another set operation
}

// recursion is a recursive common table expression.
func (g *analyst) recursion() (string, int) {
	g.scope = []reportRef{{"b", reportTables[1]}}
	start, step := g.cond(0), ""
	if g.one(2) {
		step = " AND " + g.cond(0)
	}
	with := "WITH RECURSIVE r AS (SELECT b.id, b.a, 1 AS lv FROM rb b WHERE " + start + " UNION" + g.pick(" ", " ALL ", " DISTINCT ") + "SELECT b.id, b.a, r.lv + 1 FROM r JOIN rb b ON b.a = r.id" + step +
		" WHERE r.lv < " + strconv.Itoa(1+g.r.IntN(4)) + ") "
	switch g.r.IntN(3) {
	case 0:
		return with + "SELECT lv AS c0, COUNT(*) AS c1, SUM(id) AS c2 FROM r GROUP BY lv", 3
	case 1:
		return with + "SELECT r.id AS c0, r.lv AS c1, q.n AS c2 FROM r LEFT JOIN ra q ON q.id = r.a", 3
	}
	return with + "SELECT x.id AS c0, y.id AS c1 FROM r x JOIN r y ON x.a = y.id AND x.lv > y.lv", 2
}

// byNames are joins by names.
func (g *analyst) byNames() (string, int) {
	joins := []string{"ra JOIN rb USING (k)", "ra LEFT JOIN rb USING (id)", "ra RIGHT JOIN rb USING (id, k)", "rc RIGHT JOIN ra USING (n)", "ra JOIN rc USING (n)", "rb LEFT JOIN rc USING (c)", "(SELECT id, k FROM ra) q NATURAL JOIN rb",
		"(SELECT id, k FROM ra) q NATURAL LEFT JOIN (SELECT id, a FROM rb) p", "(SELECT id, k FROM ra) q NATURAL RIGHT JOIN (SELECT k, a FROM rb) p", "ra LEFT JOIN rb USING (id) LEFT JOIN (SELECT x AS id, y, m FROM rc) v USING (id)"}
	from := joins[g.r.IntN(len(joins))]
	if g.one(2) {
		return "SELECT * FROM " + from, 0
	}
	by := "k"
	for _, c := range []string{"id", "n", "c"} {
		if strings.Contains(from, "("+c) && !strings.Contains(from, "SELECT") {
			by = c
		}
	}
	return "SELECT " + by + " AS c0, COUNT(*) AS c1 FROM " + from + " GROUP BY " + by, 2
}

// lateral are tables that depend on the tables before them.
func (g *analyst) lateral() (string, int) {
	from := g.from(1 + g.r.IntN(2))
	outer := g.scope
	inner := reportRef{"l", reportTables[g.r.IntN(len(reportTables))]}
	left := g.expr('i', 0)
	g.scope = []reportRef{inner}
	cond := g.expr('i', 0) + g.pick(" = ", " = ", " < ") + left
	body := "SELECT " + g.pick("MAX", "SUM", "COUNT", "MIN") + "(" + g.expr("id"[g.r.IntN(2)], 1) + ") AS v FROM " + inner.name + " l WHERE " + cond
	if g.one(2) {
		body = "SELECT " + g.expr('i', 1) + " AS v FROM " + inner.name + " l WHERE " + cond + " ORDER BY v"
		if g.one(2) {
			body += " LIMIT 2"
		}
	}
	g.scope = outer
	items := append(g.keys(), "z.v")
	if g.one(3) {
		return "SELECT " + name(items) + " FROM " + from + ", LATERAL (" + body + ") z" + g.where(), len(items)
	}
	return "SELECT " + name(items) + " FROM " + from + g.pick(" JOIN ", " LEFT JOIN ") + "LATERAL (" + body + ") z ON " + g.pick("TRUE", "z.v > 2", "z.v IS NOT NULL") + g.where(), len(items)
}

// lists are groups with lists of values and other aggregate functions.
func (g *analyst) lists() (string, int) {
	from := g.from(1)
	key := g.column('i')
	items := []string{key}
	for range 1 + g.r.IntN(2) {
		e, k := g.expr("iidst"[g.r.IntN(5)], 1), strings.Join(g.keys(), ", ")
		items = append(items, g.pick("GROUP_CONCAT("+e+" ORDER BY "+g.expr('i', 0)+g.pick("", " DESC")+", "+k+")", "DISTINCT",
			"GROUP_CONCAT("+g.column('i')+", ':', "+e+" ORDER BY "+k+" SEPARATOR '')", "BIT_AND("+g.column('i')+")", "BIT_OR("+g.column('i')+")", "BIT_XOR("+g.column('i')+")", "STDDEV_SAMP("+key+") IS NULL"))
	}
	for i := range items {
		if strings.Contains(items[i], "DISTINCT") {
			items[i] = fmt.Sprintf("GROUP_CONCAT(DISTINCT %s ORDER BY %[1]s SEPARATOR '|')", g.column('i'))
		}
	}
	return "SELECT " + name(items) + " FROM " + from + g.where() + " GROUP BY " + key, len(items)
}
