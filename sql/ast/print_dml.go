package ast

var priorityNames = [...]string{NoPriority: "", LowPriority: "LOW_PRIORITY ", HighestPriority: "HIGH_PRIORITY ",
	Delayed: "DELAYED ", Concurrent: "CONCURRENT "}

// partitions appends a PARTITION clause, when there is one.
func (p *printer) partitions(names []Ident) {
	if len(names) > 0 {
		p.put(" PARTITION (")
		p.idents(names)
		p.put(")")
	}
}

func (n *Insert) print(p *printer) {
	p.put([...]string{"INSERT ", "REPLACE "}[index(n.Replace)])
	p.when(n.Hints != nil, n.Hints, " ")
	p.put(priorityNames[n.Priority])
	p.when(n.Ignore, "IGNORE ")
	p.put("INTO ", &n.Table)
	p.partitions(n.Partitions)
	if n.HasColumns {
		p.put(" (")
		printList(p, n.Columns)
		p.put(")")
	}
	switch {
	case n.Query != nil:
		p.put(" ", n.Query)
	case n.Set != nil:
		p.put(" SET ")
		printValues(p, n.Set)
	default:
		p.put(" VALUES ")
		for i := range n.Rows {
			p.comma(i)
			p.put("(")
			printList(p, n.Rows[i].Items)
			p.put(")")
		}
	}
	p.when(n.Alias != nil, " ", n.Alias)
	if len(n.OnConflict) > 0 {
		p.put(" ON DUPLICATE KEY UPDATE ")
		printValues(p, n.OnConflict)
	}
}

func (n *RowAlias) print(p *printer) {
	p.put("AS ", n.Name)
	p.columns(n.Columns)
}

func (n *Assign) print(p *printer) { p.put(n.Column, " = ", n.Value) }

// tail appends the clauses that UPDATE and DELETE end with.
func (p *printer) tail(where Expr, order []OrderItem, limit *Limit) {
	p.when(where != nil, " WHERE ", where)
	if len(order) > 0 {
		p.put(" ORDER BY ")
		printValues(p, order)
	}
	p.when(limit != nil, " ", limit)
}

func (n *Update) print(p *printer) {
	p.when(n.With != nil, n.With, " ")
	p.put("UPDATE ")
	p.when(n.Hints != nil, n.Hints, " ")
	p.put(priorityNames[n.Priority])
	p.when(n.Ignore, "IGNORE ")
	printList(p, n.Tables)
	p.put(" SET ")
	printValues(p, n.Set)
	p.tail(n.Where, n.OrderBy, n.Limit)
}

func (n *Delete) print(p *printer) {
	p.when(n.With != nil, n.With, " ")
	p.put("DELETE ")
	p.when(n.Hints != nil, n.Hints, " ")
	p.put(priorityNames[n.Priority])
	p.when(n.Quick, "QUICK ")
	p.when(n.Ignore, "IGNORE ")
	p.when(n.Source == nil || n.Using, "FROM ")
	printValues(p, n.Targets)
	if n.Source != nil {
		p.put([...]string{" FROM ", " USING "}[index(n.Using)])
		printList(p, n.Source)
	}
	p.tail(n.Where, n.OrderBy, n.Limit)
}

func (n *DeleteTarget) print(p *printer) {
	p.put(&n.Name)
	p.when(n.Wild, ".*")
	p.when(n.Alias.Given(), " AS ", n.Alias)
	p.partitions(n.Partitions)
}

func (n *Load) print(p *printer) {
	p.put([...]string{"LOAD DATA ", "LOAD XML "}[index(n.XML)], priorityNames[n.Priority])
	p.when(n.Local, "LOCAL ")
	p.put([...]string{LoadInfile: "INFILE ", LoadURL: "URL ", LoadS3: "S3 "}[n.Source], n.File)
	p.when(n.Files != nil, " COUNT ", n.Files)
	p.when(n.KeyOrder, " IN PRIMARY KEY ORDER")
	p.put([...]string{LoadFails: "", LoadReplaces: " REPLACE", LoadIgnores: " IGNORE"}[n.Conflict], " INTO TABLE ", &n.Table)
	p.partitions(n.Partitions)
	p.when(n.Compression != nil, " COMPRESSION = ", n.Compression)
	if n.Charset.Given() {
		p.put(" CHARACTER SET ")
		p.charset(n.Charset)
	}
	p.when(n.RowTag != nil, " ROWS IDENTIFIED BY ", n.RowTag)
	p.when(n.Fields != nil, " ", n.Fields)
	p.when(n.Lines != nil, " ", n.Lines)
	p.when(n.Skip != nil, " IGNORE ", n.Skip, " LINES")
	if n.HasColumns {
		p.put(" (")
		printList(p, n.Columns)
		p.put(")")
	}
	if len(n.Set) > 0 {
		p.put(" SET ")
		printValues(p, n.Set)
	}
	p.when(n.Parallel != nil, " PARALLEL = ", n.Parallel)
	p.when(n.Memory != "", " MEMORY = ", n.Memory)
	p.when(n.Bulk, " ALGORITHM = BULK")
}

func (n *Call) print(p *printer) {
	p.put("CALL ", &n.Name, "(")
	printList(p, n.Args)
	p.put(")")
}

func (n *Do) print(p *printer) {
	p.put("DO ")
	printValues(p, n.Items)
}

func (n *Handler) print(p *printer) {
	p.put("HANDLER ", &n.Table)
	switch n.Action {
	case HandlerOpen:
		p.put(" OPEN")
		p.when(n.Alias.Given(), " AS ", n.Alias)
		return
	case HandlerClose:
		p.put(" CLOSE")
		return
	}
	p.put(" READ")
	p.when(n.Index.Given(), " ", n.Index)
	if n.Action == HandlerKey {
		p.put(" ", n.Op.String(), " (")
		printList(p, n.Values)
		p.put(")")
	} else {
		p.put([...]string{HandlerFirst: " FIRST", HandlerNext: " NEXT", HandlerPrev: " PREV", HandlerLast: " LAST"}[n.Action])
	}
	p.tail(n.Where, nil, n.Limit)
}
