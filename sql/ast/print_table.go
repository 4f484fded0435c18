package ast

import "strings"

func (n *Dual) print(p *printer) { p.put("DUAL") }

func (n *TableSource) print(p *printer) {
	p.put(&n.Name)
	if len(n.Partitions) > 0 {
		p.put(" PARTITION (")
		p.idents(n.Partitions)
		p.put(")")
	}
	if n.Alias.Given() && !(p.Canonical && n.Alias.Name == n.Name.Name.Name) {
		p.alias(n.Alias)
	}
	for i := range n.Indexes {
		p.put(" ", &n.Indexes[i])
	}
	p.when(n.Sample != nil, " ", n.Sample)
}

// alias appends the alias of a table if it is given; canonical text has no AS before it.
func (p *printer) alias(x Ident) {
	if x.Given() {
		p.put([...]string{" AS ", " "}[index(p.Canonical)], x)
	}
}

func (n *Sample) print(p *printer) {
	p.put("TABLESAMPLE ", [...]string{"SYSTEM (", "BERNOULLI ("}[index(n.Bernoulli)], n.Percent, ")")
}

func (n *IndexHint) print(p *printer) {
	p.raw([...]string{UseIndex: "USE", ForceIndex: "FORCE", IgnoreIndex: "IGNORE"}[n.Kind] + " INDEX ")
	p.raw([...]string{ForAny: "", ForJoin: "FOR JOIN ", ForOrderBy: "FOR ORDER BY ", ForGroupBy: "FOR GROUP BY "}[n.For] + "(")
	for i, name := range n.Names {
		if p.comma(i); p.Canonical && strings.EqualFold(name.Name, "primary") {
			p.raw("PRIMARY")
		} else {
			p.ident(name)
		}
	}
	p.put(")")
}

func (n *Derived) print(p *printer) {
	p.when(n.Lateral, "LATERAL ")
	p.subquery(n.Query)
	p.alias(n.Alias)
	p.columns(n.Columns)
}

var joinNames = [...]string{InnerJoin: "JOIN ", CrossJoin: "CROSS JOIN ", StraightJoinTable: "STRAIGHT_JOIN ",
	LeftJoin: "LEFT JOIN ", RightJoin: "RIGHT JOIN "}

func (n *Join) print(p *printer) {
	p.open()
	p.put(n.L, " ")
	p.when(n.Natural, "NATURAL ")
	if p.Canonical && n.Kind == CrossJoin {
		p.put("join ")
	} else {
		p.put(joinNames[n.Kind])
	}
	if _, ok := n.R.(*Join); ok && !p.Canonical {
		p.put("(", n.R, ")")
	} else {
		p.put(n.R)
	}
	if n.On != nil {
		p.put([...]string{" ON ", " on("}[index(p.Canonical)])
		p.condition(n.On)
		p.close()
	}
	if len(n.Using) > 0 {
		p.put(" USING (")
		p.idents(n.Using)
		p.put(")")
	}
	p.close()
}

func (n *TableList) print(p *printer) {
	p.put("(")
	printList(p, n.Tables)
	p.put(")")
}

func (n *JSONTable) print(p *printer) {
	p.when(n.Lateral, "LATERAL ")
	p.put("JSON_TABLE(", n.X, ", ", n.Path, " ")
	p.jsonColumns(n.Columns)
	p.put(")")
	p.alias(n.Alias)
}

func (p *printer) jsonColumns(columns []JSONColumn) {
	p.put("COLUMNS (")
	for i := range columns {
		p.when(i > 0, ", ")
		p.put(&columns[i])
	}
	p.put(")")
}

func (n *JSONColumn) print(p *printer) {
	switch n.Kind {
	case JSONNested:
		p.put("NESTED PATH ", n.Path, " ")
		p.jsonColumns(n.Nested)
	case JSONOrdinality:
		p.put(n.Name, " FOR ORDINALITY")
	default:
		p.put(n.Name, " ", n.Type)
		p.when(n.Collate.Given(), " COLLATE ", n.Collate)
		p.when(n.Kind == JSONExists, " EXISTS")
		p.put(" PATH ", n.Path)
		p.jsonDefaults(n.OnEmpty, n.OnError)
	}
}
