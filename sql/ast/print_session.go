package ast

func (n *Set) print(p *printer) {
	p.put("SET ")
	printList(p, n.Items)
}

var scopeWords = [...]string{NoScope: "", GlobalScope: "GLOBAL ", SessionScope: "SESSION ", LocalScope: "LOCAL ",
	PersistScope: "PERSIST ", PersistOnlyScope: "PERSIST_ONLY "}

func (n *SetVariable) print(p *printer) {
	switch {
	case n.At:
		p.put("@@", scopeNames[n.Scope])
	default:
		p.put(scopeWords[n.Scope])
	}
	p.when(n.Default.Given(), "DEFAULT.")
	p.dotted(n.Component, n.Name)
	p.put(" = ", n.Value)
}

func (n *WordValue) print(p *printer)  { p.word(n.Word) }
func (n *SetUserVar) print(p *printer) { p.put(n.Var, " = ", n.Value) }

func (n *SetNames) print(p *printer) {
	p.put("NAMES ")
	if !n.Charset.Given() {
		p.put("DEFAULT")
		return
	}
	p.charset(n.Charset)
	if n.Collation.Given() {
		p.put(" COLLATE ")
		p.charset(n.Collation)
	}
}

func (n *SetCharset) print(p *printer) {
	p.put("CHARACTER SET ")
	if !n.Charset.Given() {
		p.put("DEFAULT")
		return
	}
	p.charset(n.Charset)
}

var accessNames = [...]string{NoAccessMode: "", ReadWrite: "READ WRITE", ReadOnly: "READ ONLY"}

func (n *SetTransaction) print(p *printer) {
	p.put("SET ", scopeWords[n.Scope], "TRANSACTION ")
	if n.Isolation != NoIsolation {
		p.put("ISOLATION LEVEL ", [...]string{ReadUncommitted: "READ UNCOMMITTED", ReadCommitted: "READ COMMITTED",
			RepeatableRead: "REPEATABLE READ", Serializable: "SERIALIZABLE"}[n.Isolation])
		p.when(n.Access != NoAccessMode, ", ")
	}
	p.put(accessNames[n.Access])
}

func (n *Begin) print(p *printer) {
	if !n.Start {
		p.put("BEGIN")
		return
	}
	p.put("START TRANSACTION")
	p.when(n.Snapshot, " WITH CONSISTENT SNAPSHOT")
	p.when(n.Snapshot && n.Access != NoAccessMode, ",")
	p.when(n.Access != NoAccessMode, " ", accessNames[n.Access])
}

func (n *EndTransaction) print(p *printer) {
	p.put([...]string{"COMMIT", "ROLLBACK"}[index(n.Rollback)])
	p.put([...]string{NoChoice: "", Chosen: " AND CHAIN", Refused: " AND NO CHAIN"}[n.Chain])
	p.put([...]string{NoChoice: "", Chosen: " RELEASE", Refused: " NO RELEASE"}[n.Release])
}

func (n *Savepoint) print(p *printer) {
	p.put([...]string{SetSavepoint: "SAVEPOINT ", RollbackToSavepoint: "ROLLBACK TO SAVEPOINT ",
		ReleaseSavepoint: "RELEASE SAVEPOINT "}[n.Action], n.Name)
}

func (n *Prepare) print(p *printer) { p.put("PREPARE ", n.Name, " FROM ", n.From) }

func (n *Execute) print(p *printer) {
	p.put("EXECUTE ", n.Name)
	if len(n.Vars) > 0 {
		p.put(" USING ")
		printList(p, n.Vars)
	}
}

func (n *Deallocate) print(p *printer) { p.put("DEALLOCATE PREPARE ", n.Name) }
