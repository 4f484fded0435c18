package ast

func (n *PartitionBy) print(p *printer) {
	p.put("PARTITION BY ")
	p.when(n.Linear, "LINEAR ")
	p.put([...]string{ByHash: "HASH ", ByKey: "KEY ", ByRange: "RANGE ", ByList: "LIST "}[n.Method])
	p.partitionAlgorithm(n.Algorithm)
	p.when(n.ColumnList && n.Method != ByKey, "COLUMNS ")
	p.partitionKey(n.X, n.Columns)
	p.count(" PARTITIONS ", n.Partitions)
	p.when(n.Sub != nil, " ", n.Sub)
	p.partitionDefs(n.Defs)
}

func (p *printer) partitionAlgorithm(n string) {
	p.count("ALGORITHM=", n)
	p.when(n != "", " ")
}

// partitionKey appends an expression, or names, in parentheses.
func (p *printer) partitionKey(x Expr, columns []Ident) {
	p.put("(")
	if x != nil {
		p.put(x)
	}
	p.idents(columns)
	p.put(")")
}

// count appends words and a number, when the number is given.
func (p *printer) count(words, n string) {
	if n != "" {
		p.put(words)
		p.raw(n)
	}
}

func (p *printer) partitionDefs(defs []PartitionDef) {
	if len(defs) == 0 {
		return
	}
	p.put(" (")
	for i := range defs {
		p.comma(i)
		p.put("PARTITION ", &defs[i])
	}
	p.put(")")
}

func (n *SubpartitionBy) print(p *printer) {
	p.put("SUBPARTITION BY ")
	p.when(n.Linear, "LINEAR ")
	p.put([...]string{"KEY ", "HASH "}[index(n.X != nil)])
	p.partitionAlgorithm(n.Algorithm)
	p.partitionKey(n.X, n.Columns)
	p.count(" SUBPARTITIONS ", n.Subpartitions)
}

// print appends a definition from the name on: the word in front depends on where it stands.
func (n *PartitionDef) print(p *printer) {
	p.put(n.Name)
	switch n.Kind {
	case LessThan:
		p.put(" VALUES LESS THAN ", &n.Values[0])
	case LessThanMaxValue:
		p.put(" VALUES LESS THAN MAXVALUE")
	case InValues:
		p.put(" VALUES IN ")
		p.when(n.Values[0].Parens, "(")
		printValues(p, n.Values)
		p.when(n.Values[0].Parens, ")")
	}
	p.spaced(n.Options)
	if len(n.Subs) == 0 {
		return
	}
	p.put(" (")
	for i := range n.Subs {
		p.comma(i)
		p.put("SUBPARTITION ", &n.Subs[i])
	}
	p.put(")")
}

func (n *PartitionRow) print(p *printer) {
	p.put("(")
	printList(p, n.Items)
	p.put(")")
}

func (n *MaxValue) print(p *printer) { p.put("MAXVALUE") }
