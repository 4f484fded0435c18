package ast

func (n *CreateView) print(p *printer) {
	p.put([...]string{"CREATE ", "ALTER "}[index(n.Alter)])
	p.when(n.OrReplace, "OR REPLACE ")
	p.put([...]string{NoViewAlgorithm: "", AlgorithmUndefined: "ALGORITHM=UNDEFINED ",
		AlgorithmMerge: "ALGORITHM=MERGE ", AlgorithmTemptable: "ALGORITHM=TEMPTABLE "}[n.Algorithm])
	p.when(n.Definer != nil, "DEFINER=", n.Definer, " ")
	p.put(securityWords[n.Security])
	switch n.Kind {
	case MaterializedView:
		p.put("MATERIALIZED ")
	case DualityView:
		p.put("JSON ")
		p.when(n.Relational, "RELATIONAL ")
		p.put("DUALITY ")
	}
	p.put("VIEW ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(&n.Name)
	p.columns(n.Columns)
	p.put(" AS ", n.Query)
	p.put([...]string{NoCheckOption: "", CheckOptionPlain: " WITH CHECK OPTION",
		CheckOptionLocal: " WITH LOCAL CHECK OPTION", CheckOptionCascaded: " WITH CASCADED CHECK OPTION"}[n.Check])
}

var securityWords = [...]string{NoSecurity: "", SecurityDefiner: "SQL SECURITY DEFINER ",
	SecurityInvoker: "SQL SECURITY INVOKER "}

func (n *DropView) print(p *printer) {
	p.put("DROP VIEW ")
	p.when(n.IfExists, "IF EXISTS ")
	printValues(p, n.Views)
	p.put(behaviorWords[n.Behavior])
}

func (n *CreateDatabase) print(p *printer) {
	p.put("CREATE DATABASE ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(n.Name)
	p.databaseOptions(n.Options)
}

func (n *AlterDatabase) print(p *printer) {
	p.put("ALTER DATABASE")
	p.when(n.Name.Given(), " ", n.Name)
	p.databaseOptions(n.Options)
}

func (p *printer) databaseOptions(options []DatabaseOption) {
	for i := range options {
		p.put(" ", &options[i])
	}
}

func (n *DatabaseOption) print(p *printer) {
	p.when(n.Default, "DEFAULT ")
	p.put([...]string{DatabaseCharset: "CHARACTER SET ", DatabaseCollate: "COLLATE ", DatabaseEncryption: "ENCRYPTION ",
		DatabaseReadOnly: "READ ONLY "}[n.Kind])
	p.when(n.Name.Given(), n.Name)
	p.when(n.Text != nil, n.Text)
	p.when(n.IsDefault, "DEFAULT")
	p.raw(n.Number)
}

func (n *DropDatabase) print(p *printer) {
	p.put("DROP DATABASE ")
	p.when(n.IfExists, "IF EXISTS ")
	p.put(n.Name)
}
