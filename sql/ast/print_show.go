package ast

var showWords = [...]string{ShowDatabases: "DATABASES", ShowTables: "TABLES", ShowOpenTables: "OPEN TABLES",
	ShowTableStatus: "TABLE STATUS", ShowTriggers: "TRIGGERS", ShowEvents: "EVENTS", ShowColumns: "COLUMNS",
	ShowIndex: "INDEX", ShowVariables: "VARIABLES", ShowStatus: "STATUS", ShowWarnings: "WARNINGS", ShowErrors: "ERRORS",
	ShowCountWarnings: "COUNT(*) WARNINGS", ShowCountErrors: "COUNT(*) ERRORS", ShowEngines: "ENGINES",
	ShowPlugins: "PLUGINS", ShowPrivileges: "PRIVILEGES", ShowProfiles: "PROFILES", ShowProcesslist: "PROCESSLIST",
	ShowCharset: "CHARACTER SET", ShowCollation: "COLLATION", ShowFunctionStatus: "FUNCTION STATUS",
	ShowProcedureStatus: "PROCEDURE STATUS", ShowLibraryStatus: "LIBRARY STATUS", ShowFunctionCode: "FUNCTION CODE",
	ShowProcedureCode: "PROCEDURE CODE", ShowBinaryLogs: "BINARY LOGS", ShowBinaryLogStatus: "BINARY LOG STATUS",
	ShowBinlogEvents: "BINLOG EVENTS", ShowRelaylogEvents: "RELAYLOG EVENTS", ShowReplicas: "REPLICAS",
	ShowReplicaStatus: "REPLICA STATUS"}

func (n *Show) print(p *printer) {
	p.put("SHOW ")
	p.when(n.Extended, "EXTENDED ")
	p.when(n.Full, "FULL ")
	p.put([...]string{NoScope: "", GlobalScope: "GLOBAL ", SessionScope: "SESSION ", LocalScope: "LOCAL "}[n.Scope])
	p.put(showWords[n.Kind])
	switch n.Kind {
	case ShowColumns, ShowIndex:
		p.put(" FROM ", &n.Table)
	case ShowFunctionCode, ShowProcedureCode:
		p.put(" ", &n.Table)
	}
	p.when(n.Schema.Given(), " FROM ", n.Schema)
	p.when(n.Like != nil, " LIKE ", n.Like)
	p.when(n.Where != nil, " WHERE ", n.Where)
	p.when(n.Log != nil, " IN ", n.Log)
	p.count(" FROM ", n.Position)
	p.when(n.Limit != nil, " ", n.Limit)
	p.when(n.Channel != nil, " FOR CHANNEL ", n.Channel)
}

func (n *ShowCreate) print(p *printer) {
	p.put("SHOW CREATE ", [...]string{ShowCreateTable: "TABLE ", ShowCreateView: "VIEW ", ShowCreateDatabase: "DATABASE ",
		ShowCreateProcedure: "PROCEDURE ", ShowCreateFunction: "FUNCTION ", ShowCreateTrigger: "TRIGGER ",
		ShowCreateEvent: "EVENT ", ShowCreateLibrary: "LIBRARY ", ShowCreateUser: "USER ",
		ShowCreateMaskingPolicy: "MASKING POLICY "}[n.Kind])
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	if n.Account != nil {
		p.put(n.Account)
		return
	}
	p.put(&n.Name)
}

func (n *ShowEngine) print(p *printer) {
	p.put("SHOW ENGINE ")
	if n.Name.Given() {
		p.put(n.Name)
	} else {
		p.put("ALL")
	}
	p.put([...]string{EngineStatus: " STATUS", EngineMutex: " MUTEX", EngineLogs: " LOGS"}[n.What])
}

var profileWords = [...]string{"ALL", "BLOCK IO", "CONTEXT SWITCHES", "CPU", "IPC", "MEMORY", "PAGE FAULTS", "SOURCE", "SWAPS"}

func (n *ShowProfile) print(p *printer) {
	p.put("SHOW PROFILE")
	sep := " "
	for i, w := range profileWords {
		if n.Types&(1<<i) != 0 {
			p.put(sep, w)
			sep = ", "
		}
	}
	p.count(" FOR QUERY ", n.Query)
	p.when(n.Limit != nil, " ", n.Limit)
}

func (n *ShowGrants) print(p *printer) {
	p.put("SHOW GRANTS")
	p.when(n.For != nil, " FOR ", n.For)
	if len(n.Using) > 0 {
		p.put(" USING ")
		printValues(p, n.Using)
	}
}

func (n *Describe) print(p *printer) {
	p.put("DESCRIBE ", &n.Table)
	p.when(n.Column.Given(), " ", n.Column)
	p.when(n.Pattern != nil, " ", n.Pattern)
}

func (n *Explain) print(p *printer) {
	p.put("EXPLAIN ")
	p.when(n.Analyze, "ANALYZE ")
	p.when(n.Format.Given(), "FORMAT=", n.Format, " ")
	p.when(n.Into != nil, "INTO ", n.Into, " ")
	p.when(n.Schema.Given(), "FOR SCHEMA ", n.Schema, " ")
	if n.Connection != nil {
		p.put("FOR CONNECTION ", n.Connection)
		return
	}
	p.put(n.Statement)
}

func (n *Help) print(p *printer) { p.put("HELP ", n.Topic) }

func (n *Use) print(p *printer) { p.put("USE ", n.Schema) }
