package ast

// statements appends statements with a semicolon behind each.
func (p *printer) statements(list []Statement) {
	for _, s := range list {
		p.put(s, "; ")
	}
}

// labelled appends a label and its colon.
func (p *printer) labelled(label Ident) { p.when(label.Given(), label, ": ") }

func (n *Block) print(p *printer) {
	p.labelled(n.Label)
	p.put("BEGIN ")
	p.statements(n.Statements)
	p.put("END")
	p.when(n.EndLabel.Given(), " ", n.EndLabel)
}

func (n *If) print(p *printer) {
	for i := range n.Branches {
		p.put([...]string{"ELSEIF ", "IF "}[index(i == 0)], &n.Branches[i])
	}
	p.otherwise(n.Else)
	p.put("END IF")
}

// otherwise appends ELSE and its statements, when there are any.
func (p *printer) otherwise(list []Statement) {
	p.when(len(list) > 0, "ELSE ")
	p.statements(list)
}

func (n *Branch) print(p *printer) {
	p.put(n.Cond, " THEN ")
	p.statements(n.Statements)
}

func (n *CaseStatement) print(p *printer) {
	p.put("CASE ")
	p.when(n.X != nil, n.X, " ")
	for i := range n.Branches {
		p.put("WHEN ", &n.Branches[i])
	}
	p.otherwise(n.Else)
	p.put("END CASE")
}

func (n *Loop) print(p *printer) {
	p.labelled(n.Label)
	word := [...]string{PlainLoop: "LOOP", WhileLoop: "WHILE", RepeatLoop: "REPEAT"}[n.Kind]
	p.put(word, " ")
	p.when(n.Kind == WhileLoop, n.Cond, " DO ")
	p.statements(n.Statements)
	p.when(n.Kind == RepeatLoop, "UNTIL ", n.Cond, " ")
	p.put("END ", word)
	p.when(n.EndLabel.Given(), " ", n.EndLabel)
}

func (n *Leave) print(p *printer) {
	p.put([...]string{"LEAVE ", "ITERATE "}[index(n.Iterate)], n.Label)
}

func (n *Return) print(p *printer) { p.put("RETURN ", n.X) }

func (n *DeclareVariable) print(p *printer) {
	p.put("DECLARE ")
	p.idents(n.Names)
	p.put(" ", n.Type)
	p.when(n.Collate.Given(), " COLLATE ", n.Collate)
	p.when(n.Default != nil, " DEFAULT ", n.Default)
}

func (n *DeclareCondition) print(p *printer) {
	p.put("DECLARE ", n.Name, " CONDITION FOR ", n.Condition)
}

func (n *Condition) print(p *printer) {
	switch n.Kind {
	case ErrorCondition:
		p.raw(n.Number)
	case StateCondition:
		p.put("SQLSTATE ", n.State)
	case NamedCondition:
		p.put(n.Name)
	default:
		p.put([...]string{SQLWarning: "SQLWARNING", NotFound: "NOT FOUND", SQLException: "SQLEXCEPTION"}[n.Kind])
	}
}

func (n *DeclareHandler) print(p *printer) {
	p.put("DECLARE ", [...]string{"CONTINUE", "EXIT"}[index(n.Exit)], " HANDLER FOR ")
	printValues(p, n.Conditions)
	p.put(" ", n.Body)
}

func (n *DeclareCursor) print(p *printer) { p.put("DECLARE ", n.Name, " CURSOR FOR ", n.Query) }

func (n *Cursor) print(p *printer) {
	p.put([...]string{OpenCursor: "OPEN ", FetchCursor: "FETCH ", CloseCursor: "CLOSE "}[n.Verb], n.Name)
	if n.Verb == FetchCursor {
		p.put(" INTO ")
		p.idents(n.Into)
	}
}
