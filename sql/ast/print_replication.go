package ast

func (n *StartReplica) print(p *printer) {
	p.put([...]string{"START REPLICA", "STOP REPLICA"}[index(n.Stop)])
	p.put([...]string{"", " IO_THREAD", " SQL_THREAD", " IO_THREAD, SQL_THREAD"}[n.Threads])
	p.when(n.Until != nil, " UNTIL ", n.Until)
	p.when(n.User != nil, " USER = ", n.User)
	p.when(n.Pass != nil, " PASSWORD = ", n.Pass)
	p.when(n.Auth != nil, " DEFAULT_AUTH = ", n.Auth)
	p.when(n.Plugins != nil, " PLUGIN_DIR = ", n.Plugins)
	p.channel(n.Channel)
}

func (n *ReplicaUntil) print(p *printer) {
	switch n.Kind {
	case UntilBeforeGTIDs:
		p.put("SQL_BEFORE_GTIDS = ", n.Text)
	case UntilAfterGTIDs:
		p.put("SQL_AFTER_GTIDS = ", n.Text)
	case UntilLog:
		printValues(p, n.Items)
	default:
		p.put("SQL_AFTER_MTS_GAPS")
	}
}

func (n *UntilItem) print(p *printer) {
	p.put([...]string{"SOURCE_LOG_", "RELAY_LOG_"}[index(n.Relay)])
	if n.File != nil {
		p.put("FILE = ", n.File)
		return
	}
	p.put("POS = ", n.Position)
}

func (n *GroupReplication) print(p *printer) {
	p.put([...]string{"START GROUP_REPLICATION", "STOP GROUP_REPLICATION"}[index(n.Stop)])
	sep := " "
	for _, o := range [...]struct {
		word string
		text *Literal
	}{{"USER = ", n.User}, {"PASSWORD = ", n.Pass}, {"DEFAULT_AUTH = ", n.Authentication}} {
		if o.text != nil {
			p.put(sep, o.word, o.text)
			sep = ", "
		}
	}
}

func (n *ChangeSource) print(p *printer) {
	p.put("CHANGE REPLICATION SOURCE TO ")
	printValues(p, n.Options)
	p.channel(n.Channel)
}

func (n *SourceOption) print(p *printer) {
	p.put(n.Name, " = ")
	switch {
	case n.Text != nil:
		p.put(n.Text)
	case n.Number != nil:
		p.put(n.Number)
	case n.Account != nil:
		p.put(n.Account)
	case n.Word != "":
		p.put(n.Word)
	default:
		p.put("(")
		printList(p, n.IDs)
		p.put(")")
	}
}

func (n *ChangeFilter) print(p *printer) {
	p.put("CHANGE REPLICATION FILTER ")
	printValues(p, n.Filters)
	p.channel(n.Channel)
}

func (n *ReplicationFilter) print(p *printer) {
	p.put([...]string{FilterDoDB: "REPLICATE_DO_DB", FilterIgnoreDB: "REPLICATE_IGNORE_DB",
		FilterDoTable: "REPLICATE_DO_TABLE", FilterIgnoreTable: "REPLICATE_IGNORE_TABLE",
		FilterWildDoTable: "REPLICATE_WILD_DO_TABLE", FilterWildIgnoreTable: "REPLICATE_WILD_IGNORE_TABLE",
		FilterRewriteDB: "REPLICATE_REWRITE_DB"}[n.Kind], " = (")
	p.idents(n.Schemas)
	printValues(p, n.Tables)
	printList(p, n.Patterns)
	printValues(p, n.Rewrites)
	p.put(")")
}

func (n *SchemaRewrite) print(p *printer) { p.put("(", n.From, ", ", n.To, ")") }

func (n *XA) print(p *printer) {
	p.put([...]string{XAStart: "XA START", XAEnd: "XA END", XAPrepare: "XA PREPARE", XACommit: "XA COMMIT",
		XARollback: "XA ROLLBACK", XARecover: "XA RECOVER"}[n.Verb])
	p.when(n.ID != nil, " ", n.ID)
	p.when(n.Join, " JOIN")
	p.when(n.Resume, " RESUME")
	p.when(n.Suspend, " SUSPEND")
	p.when(n.Migrate, " FOR MIGRATE")
	p.when(n.OnePhase, " ONE PHASE")
	p.when(n.ConvertXID, " CONVERT XID")
}

func (n *XID) print(p *printer) {
	p.put(n.Global)
	p.when(n.Branch != nil, ", ", n.Branch)
	p.when(n.Format != nil, ", ", n.Format)
}

func (n *GetDiagnostics) print(p *printer) {
	p.put("GET ", [...]string{DefaultArea: "", CurrentArea: "CURRENT ", StackedArea: "STACKED "}[n.Area], "DIAGNOSTICS ")
	p.when(n.Condition != nil, "CONDITION ", n.Condition, " ")
	printValues(p, n.Items)
}

func (n *DiagnosticsItem) print(p *printer) { p.put(n.Target, " = ", n.Name) }

func (n *Signal) print(p *printer) {
	p.put([...]string{"SIGNAL", "RESIGNAL"}[index(n.Resignal)])
	p.when(n.State != nil, " SQLSTATE ", n.State)
	p.when(n.Name.Given(), " ", n.Name)
	if len(n.Items) > 0 {
		p.put(" SET ")
		printValues(p, n.Items)
	}
}

func (n *SignalItem) print(p *printer) { p.put(n.Name, " = ", n.Value) }
