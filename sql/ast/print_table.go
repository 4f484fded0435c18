package ast

func (n *Dual) print(p *printer) { p.put("DUAL") }

func (n *TableSource) print(p *printer) {
	p.put(&n.Name)
	if len(n.Partitions) > 0 {
		p.put(" PARTITION (")
		p.idents(n.Partitions)
		p.put(")")
	}
	p.when(n.Alias.Given(), " AS ", n.Alias)
	for i := range n.Indexes {
		p.put(" ", &n.Indexes[i])
	}
	p.when(n.Sample != nil, " ", n.Sample)
}

func (n *Sample) print(p *printer) {
	p.put("TABLESAMPLE ", [...]string{"SYSTEM (", "BERNOULLI ("}[index(n.Bernoulli)], n.Percent, ")")
}

func (n *IndexHint) print(p *printer) {
	p.put([...]string{UseIndex: "USE", ForceIndex: "FORCE", IgnoreIndex: "IGNORE"}[n.Kind], " INDEX ")
	p.put([...]string{ForAny: "", ForJoin: "FOR JOIN ", ForOrderBy: "FOR ORDER BY ", ForGroupBy: "FOR GROUP BY "}[n.For], "(")
	p.idents(n.Names)
	p.put(")")
}

func (n *Derived) print(p *printer) {
	p.when(n.Lateral, "LATERAL ")
	p.subquery(n.Query)
	p.when(n.Alias.Given(), " AS ", n.Alias)
	p.columns(n.Columns)
}

var joinNames = [...]string{InnerJoin: "JOIN ", CrossJoin: "CROSS JOIN ", StraightJoinTable: "STRAIGHT_JOIN ",
	LeftJoin: "LEFT JOIN ", RightJoin: "RIGHT JOIN "}

func (n *Join) print(p *printer) {
	p.open()
	p.put(n.L, " ")
	p.when(n.Natural, "NATURAL ")
	p.put(joinNames[n.Kind])
	if _, ok := n.R.(*Join); ok && !p.Canonical {
		p.put("(", n.R, ")")
	} else {
		p.put(n.R)
	}
	if n.On != nil {
		p.put(" ON ")
		p.condition(n.On)
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
	p.when(n.Alias.Given(), " AS ", n.Alias)
}

func (p *printer) jsonColumns(columns []JSONColumn) {
	p.put("COLUMNS (")
	printValues(p, columns)
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
