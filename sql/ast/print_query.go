package ast

func (n *Query) print(p *printer) {
	p.when(n.With != nil, n.With, " ")
	p.body(n.Body, false)
	if len(n.OrderBy) > 0 {
		p.put(" ORDER BY ")
		printValues(p, n.OrderBy)
	}
	p.when(n.Limit != nil, " ", n.Limit)
	for i := range n.Locks {
		p.put(" ", &n.Locks[i])
	}
	p.when(n.Into != nil, " ", n.Into)
}

// body appends a body, in parentheses when it is a query of its own or an operand that needs them.
func (p *printer) body(b QueryBody, parens bool) {
	if _, ok := b.(*Query); ok || parens {
		p.put("(", b, ")")
		return
	}
	p.put(b)
}

func (n *With) print(p *printer) {
	p.put("WITH ")
	p.when(n.Recursive, "RECURSIVE ")
	for i := range n.Tables {
		p.when(i > 0, ", ")
		p.put(&n.Tables[i])
	}
}

func (n *CommonTable) print(p *printer) {
	p.put(n.Name)
	p.columns(n.Columns)
	p.put(" AS (", n.Query, ")")
}

// columns appends a list of column names, when there is one.
func (p *printer) columns(names []Ident) {
	if len(names) == 0 {
		return
	}
	p.put(" (")
	p.idents(names)
	p.put(")")
}

var selectWords = [...]struct {
	option SelectOption
	word   string
}{
	{SelectAll, "ALL "}, {SelectDistinct, "DISTINCT "}, {HighPriority, "HIGH_PRIORITY "}, {StraightJoin, "STRAIGHT_JOIN "},
	{SmallResult, "SQL_SMALL_RESULT "}, {BigResult, "SQL_BIG_RESULT "}, {BufferResult, "SQL_BUFFER_RESULT "},
	{NoCache, "SQL_NO_CACHE "}, {CalcFoundRows, "SQL_CALC_FOUND_ROWS "},
}

func (n *Select) print(p *printer) {
	if p.Canonical {
		p.canonicalSelect(n)
		return
	}
	p.put("SELECT ")
	p.when(n.Hints != nil, n.Hints, " ")
	for _, w := range selectWords {
		p.when(n.Options&w.option != 0, w.word)
	}
	printValues(p, n.Items)
	if len(n.From) > 0 {
		p.put(" FROM ")
		printList(p, n.From)
	}
	n.printRest(p)
}

// printRest appends what follows FROM.
func (n *Select) printRest(p *printer) {
	if n.Where != nil {
		p.put(" WHERE ")
		p.condition(n.Where)
	}
	p.when(n.GroupBy != nil, " ", n.GroupBy)
	if n.Having != nil {
		p.put(" HAVING ")
		p.condition(n.Having)
	}
	if len(n.Windows) > 0 {
		p.put(" WINDOW ")
		for i := range n.Windows {
			p.when(i > 0, ", ")
			p.put(&n.Windows[i])
		}
	}
	p.when(n.Qualify != nil, " QUALIFY ", n.Qualify)
}

func (n *Hints) print(p *printer) { p.raw("/*+" + n.Text + "*/") }

func (n *SelectItem) print(p *printer) {
	if p.put(n.X); n.Alias.Given() {
		p.raw(" AS ")
		p.put(n.Alias)
	}
}

func (n *GroupBy) print(p *printer) {
	p.put("GROUP BY ", [...]string{NoRollup: "", WithRollup: "", RollupCall: "ROLLUP (", CubeCall: "CUBE (",
		SetsCall: "GROUPING SETS ("}[n.Rollup])
	printValues(p, n.Items)
	p.put([...]string{NoRollup: "", WithRollup: " WITH ROLLUP", RollupCall: ")", CubeCall: ")", SetsCall: ")"}[n.Rollup])
}

func (n *OrderItem) print(p *printer) {
	p.put(n.X, [...]string{NoDirection: "", Ascending: " ASC", Descending: " DESC"}[n.Direction])
}

func (n *NamedWindow) print(p *printer) {
	p.put(n.Name)
	p.raw(" AS ")
	p.put(n.Window)
	p.when(p.Canonical, " ")
}

func (n *Limit) print(p *printer) {
	if p.Canonical && n.Offset != nil {
		p.put("limit ", n.Offset, ",", n.Count)
		return
	}
	p.put("LIMIT ", n.Count)
	p.when(n.Offset != nil, " OFFSET ", n.Offset)
}

func (n *Lock) print(p *printer) {
	p.put([...]string{ForUpdate: "FOR UPDATE", ForShare: "FOR SHARE", LockInShareMode: "LOCK IN SHARE MODE"}[n.Strength])
	if len(n.Of) > 0 {
		p.put(" OF ")
		printValues(p, n.Of)
	}
	p.put([...]string{LockWaits: "", LockNowait: " NOWAIT", LockSkipLocked: " SKIP LOCKED"}[n.Wait])
}

func (n *Into) print(p *printer) {
	switch n.Kind {
	case IntoVars:
		p.put("INTO ")
		printList(p, n.Vars)
	case IntoDumpfile:
		p.put("INTO DUMPFILE ", n.File)
	case IntoOutfile:
		p.put("INTO OUTFILE ", n.File)
		if n.Charset.Given() {
			p.put(" CHARACTER SET ")
			p.charset(n.Charset)
		}
		p.when(n.Fields != nil, " ", n.Fields)
		p.when(n.Lines != nil, " ", n.Lines)
	}
}

func (n *FieldsFormat) print(p *printer) {
	p.put("FIELDS")
	p.when(n.Terminated != nil, " TERMINATED BY ", n.Terminated)
	p.when(n.Enclosed != nil && n.Optionally, " OPTIONALLY")
	p.when(n.Enclosed != nil, " ENCLOSED BY ", n.Enclosed)
	p.when(n.NotEnclosed, " NOT ENCLOSED")
	p.when(n.Escaped != nil, " ESCAPED BY ", n.Escaped)
	p.when(n.NullAs != nil, " NULL AS ", n.NullAs)
	p.when(n.EmptyValue != nil, " EMPTY VALUE ", n.EmptyValue)
	p.when(n.DateFormat != nil, " DATE FORMAT ", n.DateFormat)
	p.when(n.TimeFormat != nil, " TIME FORMAT ", n.TimeFormat)
	p.when(n.DatetimeFormat != nil, " DATETIME FORMAT ", n.DatetimeFormat)
}

func (n *LinesFormat) print(p *printer) {
	p.put("LINES")
	p.when(n.Starting != nil, " STARTING BY ", n.Starting)
	p.when(n.Terminated != nil, " TERMINATED BY ", n.Terminated)
}

func (n *SetOp) print(p *printer) {
	p.body(n.L, n.leftParens())
	p.put([...]string{Union: " UNION ", Intersect: " INTERSECT ", Except: " EXCEPT "}[n.Op])
	p.when(n.Quant == SetAll, "ALL ")
	p.when(n.Quant == SetDistinct && !p.Canonical, "DISTINCT ")
	_, parens := n.R.(*SetOp)
	if r, ok := n.R.(*SetOp); ok && r.Op == Intersect && n.Op != Intersect {
		parens = false
	}
	p.body(n.R, parens)
}

// leftParens reports whether the left operand needs parentheses: INTERSECT binds tighter than the
// others.
func (n *SetOp) leftParens() bool {
	l, ok := n.L.(*SetOp)
	return ok && n.Op == Intersect && l.Op != Intersect
}

func (n *Values) print(p *printer) {
	p.put("VALUES ")
	printValues(p, n.Rows)
}

func (n *ValuesRow) print(p *printer) {
	p.put("ROW(")
	printList(p, n.Items)
	p.put(")")
}

func (n *Table) print(p *printer) { p.put("TABLE ", &n.Name) }
