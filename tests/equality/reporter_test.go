package equality

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// reporter makes statements.
type reporter struct {
	r     *rand.Rand
	scope []reportRef
	depth int
	alias int
}

// reportRef is a table of FROM under its alias.
type reportRef struct {
	alias string
	reportTable
}

func (g *reporter) pick(list ...string) string { return list[g.r.IntN(len(list))] }
func (g *reporter) one(n int) bool             { return g.r.IntN(n) == 0 }

// column is a column of one kind; "" if there is none.
func (g *reporter) column(kind byte) string {
	for range 20 {
		t := g.scope[g.r.IntN(len(g.scope))]
		list := t.ints
		switch kind {
		case 'd':
			list = t.decs
		case 's':
			list = t.texts
		case 't':
			list = t.moments
		}
		if len(list) > 0 {
			return t.alias + "." + list[g.r.IntN(len(list))]
		}
	}
	return ""
}

func (g *reporter) kind() byte { return "iiddst"[g.r.IntN(6)] }

// expr is an expression of a kind.
func (g *reporter) expr(kind byte, depth int) string {
	col := g.column(kind)
	if col == "" {
		col = map[byte]string{'d': "1.5", 's': "'bee'", 't': "date '2020-06-01'"}[kind]
	}
	if depth <= 0 || g.one(2) {
		if g.one(5) {
			return g.constant(kind)
		}
		return col
	}
	a, b := g.expr(kind, depth-1), g.expr(kind, depth-1)
	switch kind {
	case 'i':
		return g.pick("("+a+" + "+b+")", "("+a+" * 2)", "(- "+col+")", "("+a+" % 7)", "CASE WHEN "+g.cond(0)+" THEN "+a+" ELSE "+b+" END", "IFNULL("+a+", 0)",
			"LENGTH("+g.expr('s', 0)+")", "EXTRACT(YEAR FROM "+g.moment()+")", "MONTH("+g.moment()+")", "("+a+" DIV 3)", "NULLIF("+a+", 1)", "DATEDIFF("+g.moment()+", date '2020-02-29')", "CHAR_LENGTH("+g.expr('s', 0)+")")
	case 'd':
		return g.pick("("+a+" + "+b+")", "("+a+" - "+g.expr('i', 0)+")", "("+col+" * "+g.expr('i', 0)+")", "("+a+" / 3)", "("+col+" / 0.7)", "ROUND("+a+", 1)", "IF("+g.cond(0)+", "+a+", "+b+")",
			"COALESCE("+a+", "+b+")", "ABS("+a+")", "(1 - "+col+")", "(-"+col+")", "("+a+" * 1.25)", "ROUND("+a+")")
	case 's':
		return g.pick("CONCAT("+a+", 'x')", "SUBSTRING("+a+", 2, 2)", "LEFT("+a+", 1)", "UPPER('ab')", "COALESCE("+a+", 'nil')", "CASE WHEN "+g.cond(0)+" THEN "+a+" END", "SUBSTRING("+a+", -2)", "TRIM("+a+")")
	}
	return g.pick("("+col+" + INTERVAL "+strconv.Itoa(g.r.IntN(50))+" DAY)", "("+col+" - INTERVAL "+strconv.Itoa(g.r.IntN(20))+" MONTH)", "DATE("+col+")", col)
}

func (g *reporter) moment() string {
	if c := g.column('t'); c != "" {
		return c
	}
	return "date '2021-01-31'"
}

func (g *reporter) constant(kind byte) string {
	switch kind {
	case 'i':
		return strconv.Itoa(g.r.IntN(25) - 5)
	case 'd':
		return g.pick("0.5", "12.25", "-3.125", "100", ".75")
	case 's':
		return g.pick("'BEE'", "'cat'", "'dog 1'", "''", "'q1'", "'b'", "'öl'")
	}
	return g.pick("'2020-06-15'", "date '2020-01-01'", "timestamp '2020-03-01 12:00:00'", "'2021-02-03 00:00:00'")
}

// cond is a condition.
func (g *reporter) cond(depth int) string {
	if depth > 0 {
		switch g.r.IntN(9) {
		case 0:
			return "(" + g.cond(depth-1) + " OR " + g.cond(depth-1) + ")"
		case 1:
			return "(" + g.cond(depth-1) + " AND " + g.cond(depth-1) + ")"
		case 2:
			return "NOT (" + g.cond(depth-1) + ")"
		case 3, 4:
			if g.depth < 2 {
				return g.queryCond()
			}
		}
	}
	k := g.kind()
	a := g.expr(k, g.r.IntN(2))
	switch g.r.IntN(8) {
	case 0:
		return a + " " + g.pick("IN", "NOT IN") + " (" + g.constant(k) + ", " + g.constant(k) + ", " + g.constant(k) + ", " + g.constant(k) + ", " + g.constant(k) + ")"
	case 1:
		return a + " " + g.pick("BETWEEN ", "NOT BETWEEN ") + g.constant(k) + " AND " + g.constant(k)
	case 2:
		if k != 't' {
			return a + g.pick(" IS NULL", " IS NOT NULL")
		}
	case 3:
		return g.expr('s', 0) + g.pick(" LIKE ", " NOT LIKE ") + g.pick("'%e%'", "'b%'", "'%t'", "'_at'", "'e%\\\\%'", "'%o%_%'", "'CAT'", "'%'")
	}
	b := g.constant(k)
	if g.one(2) {
		b = g.expr(k, 0)
	}
	return a + " " + g.pick("=", "<>", "<", "<=", ">", ">=", "<=>") + " " + b
}

// queryCond is a condition with a subquery.
func (g *reporter) queryCond() string {
	outer := g.scope
	k := "iid"[g.r.IntN(3)]
	left := g.expr(k, 0)
	g.depth++
	defer func() { g.scope, g.depth = outer, g.depth-1 }()
	in := g.from(1 + g.r.IntN(2))
	own := g.scope
	where := ""
	if !g.one(4) {
		where = " WHERE " + g.cond(1)
	}
	if g.one(2) { // depends on a row outside
		g.scope = outer
		a := g.expr('i', 0)
		g.scope = own
		where += map[bool]string{true: " WHERE ", false: " AND "}[where == ""] + g.expr('i', 0) + g.pick(" = ", " = ", " = ", " <> ", " < ") + a
	}
	switch g.r.IntN(4) {
	case 0:
		return g.pick("EXISTS", "NOT EXISTS") + " (SELECT 1 FROM " + in + where + ")"
	case 1, 2:
		return left + g.pick(" IN", " NOT IN") + " (SELECT " + g.expr(k, 0) + " FROM " + in + where + ")"
	}
	return left + " " + g.pick("<", ">", "=", ">=") + " (SELECT " + g.pick("MIN", "MAX", "AVG", "SUM", "COUNT") + "(" + g.expr(k, 0) + ") FROM " + in + where + ")"
}

// from makes FROM of so many tables; they become the scope.
func (g *reporter) from(n int) string {
	var b strings.Builder
	g.scope = nil
	for i := range n {
		t := reportTables[g.r.IntN(len(reportTables))]
		g.alias++
		ref := reportRef{fmt.Sprintf("t%d", g.alias), t}
		text := t.name + " " + ref.alias
		if g.depth < 2 && g.one(8) {
			text, ref = g.derived(ref)
		}
		before := g.scope
		if i == 0 {
			b.WriteString(text)
			g.scope = []reportRef{ref}
			continue
		}
		k := "iiis"[g.r.IntN(4)]
		g.scope = before
		left := g.column(k)
		g.scope = []reportRef{ref}
		right := g.column(k)
		g.scope = append(append([]reportRef(nil), before...), ref)
		on := left + " = " + right
		if left == "" || right == "" {
			on = g.cond(0)
		}
		if g.one(3) {
			on += " AND " + g.cond(0)
		}
		b.WriteString(g.pick(" JOIN ", " LEFT JOIN ", " JOIN ", " RIGHT JOIN ") + text + " ON " + on)
	}
	return b.String()
}

// derived makes a derived table with the columns of a table.
func (g *reporter) derived(ref reportRef) (string, reportRef) {
	outer := g.scope
	g.depth++
	defer func() { g.scope, g.depth = outer, g.depth-1 }()
	g.scope = []reportRef{{"q", ref.reportTable}}
	if g.one(2) {
		k := g.expr('i', 0)
		text := fmt.Sprintf("(SELECT %s AS gi, SUM(%s) AS gd, COUNT(*) AS gn FROM %s q WHERE %s GROUP BY %s) %s", k, g.expr('d', 0), ref.name, g.cond(1), k, ref.alias)
		return text, reportRef{ref.alias, reportTable{ints: []string{"gi", "gn"}, decs: []string{"gd"}}}
	}
	return fmt.Sprintf("(SELECT * FROM %s q WHERE %s) %s", ref.name, g.cond(1), ref.alias), ref
}

// report makes a statement. ordered tells that the order of its rows is known.
func (g *reporter) report() (text string, ordered bool) {
	g.alias, g.depth = 0, 0
	text, width := g.block()
	if g.one(10) {
		return "SELECT 1, 2.5 FROM ra WHERE id < 3 UNION " + g.pick("", "ALL ") + "SELECT " + "k, e FROM rb ORDER BY 1, 2", true
	}
	if g.one(2) {
		order := make([]string, width)
		for i := range order {
			order[i] = strconv.Itoa(i+1) + g.pick("", " DESC")
		}
		text, ordered = text+" ORDER BY "+strings.Join(order, ", "), true
		if g.one(2) {
			text += " LIMIT " + strconv.Itoa(g.r.IntN(12)) + g.pick("", " OFFSET 3")
		}
	}
	return text, ordered
}

// block makes a query block; width is how many columns it has.
func (g *reporter) block() (text string, width int) {
	from := g.from(1 + g.r.IntN(3))
	where := ""
	if !g.one(3) {
		where = " WHERE " + g.cond(2)
		if g.one(2) {
			where += " AND " + g.cond(1)
		}
	}
	var items []string
	if g.one(2) {
		for range 1 + g.r.IntN(3) {
			items = append(items, g.expr(g.kind(), 2))
		}
		return "SELECT " + g.pick("", "", "DISTINCT ") + name(items) + " FROM " + from + where, len(items)
	}
	var groups []string
	for range g.r.IntN(3) {
		if e := g.expr("iist"[g.r.IntN(4)], 1); !strings.Contains(e, "/") && strings.Contains(e, "t") && strings.Contains(e, ".") {
			groups = append(groups, e)
		}
	}
	items = append(items, groups...)
	for range 1 + g.r.IntN(3) {
		items = append(items, g.aggregate())
	}
	text = "SELECT " + name(items) + " FROM " + from + where
	if len(groups) > 0 {
		text += " GROUP BY " + strings.Join(groups, ", ")
		if g.one(3) {
			text += " HAVING " + g.aggregate() + g.pick(" > ", " <= ", " <> ") + g.pick("1", "10", "2.5")
		}
	}
	return text, len(items)
}

func (g *reporter) aggregate() string {
	k := "iidd"[g.r.IntN(4)]
	return g.pick("COUNT(*)", "SUM("+g.expr(k, 1)+")", "AVG("+g.expr(k, 1)+")", "MIN("+g.expr(k, 1)+")", "MAX("+g.expr(k, 1)+")", "COUNT("+g.expr(g.kind(), 0)+")",
		"COUNT(DISTINCT "+g.expr(g.kind(), 0)+")", "SUM(DISTINCT "+g.expr(k, 0)+")", "MIN("+g.moment()+")", "100.0 * SUM("+g.expr('d', 0)+") / COUNT(*)")
}

func name(items []string) string {
	out := make([]string, len(items))
	for i, e := range items {
		out[i] = fmt.Sprintf("%s AS c%d", e, i)
	}
	return strings.Join(out, ", ")
}
