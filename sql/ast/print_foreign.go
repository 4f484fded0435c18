package ast

func (n *CreateServer) print(p *printer) {
	p.put([...]string{"CREATE SERVER ", "ALTER SERVER "}[index(n.Alter)], n.Name)
	p.when(!n.Alter, " FOREIGN DATA WRAPPER ", n.Wrapper)
	p.put(" OPTIONS (")
	printValues(p, n.Options)
	p.put(")")
}

func (n *ServerOption) print(p *printer) {
	p.put([...]string{ServerUser: "USER ", ServerHost: "HOST ", ServerDatabase: "DATABASE ", ServerOwner: "OWNER ",
		ServerPassword: "PASSWORD ", ServerSocket: "SOCKET ", ServerPort: "PORT "}[n.Kind])
	p.when(n.Text != nil, n.Text)
	p.raw(n.Number)
}

func (n *DropServer) print(p *printer) {
	p.put("DROP SERVER ")
	p.when(n.IfExists, "IF EXISTS ")
	p.put(n.Name)
}

func (n *CreateReferenceSystem) print(p *printer) {
	p.put("CREATE ")
	p.when(n.OrReplace, "OR REPLACE ")
	p.put("SPATIAL REFERENCE SYSTEM ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.raw(n.SRID)
	for i := range n.Attributes {
		p.put(" ", &n.Attributes[i])
	}
}

func (n *ReferenceAttribute) print(p *printer) {
	p.put([...]string{ReferenceName: "NAME ", ReferenceDefinition: "DEFINITION ", ReferenceOrganization: "ORGANIZATION ",
		ReferenceDescription: "DESCRIPTION "}[n.Kind], n.Text)
	p.count(" IDENTIFIED BY ", n.ID)
}

func (n *DropReferenceSystem) print(p *printer) {
	p.put("DROP SPATIAL REFERENCE SYSTEM ")
	p.when(n.IfExists, "IF EXISTS ")
	p.raw(n.SRID)
}

func (n *ResourceGroup) print(p *printer) {
	p.put([...]string{CreateObject: "CREATE", AlterObjectVerb: "ALTER", DropObjectVerb: "DROP"}[n.Verb])
	p.put(" RESOURCE GROUP ", n.Name)
	if n.Verb == CreateObject {
		p.put([...]string{" TYPE=USER", " TYPE=SYSTEM"}[index(n.System)])
	}
	if len(n.CPUs) > 0 {
		p.put(" VCPU=")
		printValues(p, n.CPUs)
	}
	if n.Priority != nil {
		p.count(" THREAD_PRIORITY=", n.Priority.Text)
	}
	p.put([...]string{NoGroupState: "", GroupEnabled: " ENABLE", GroupDisabled: " DISABLE"}[n.State])
	p.when(n.Force, " FORCE")
}

func (n *CPURange) print(p *printer) {
	p.raw(n.First)
	p.count("-", n.Last)
}

func (n *SetResourceGroup) print(p *printer) {
	p.put("SET RESOURCE GROUP ", n.Name)
	for i, id := range n.Threads {
		p.put([...]string{", ", " FOR "}[index(i == 0)])
		p.raw(id)
	}
}

func (n *AlterInstance) print(p *printer) {
	p.put("ALTER INSTANCE ", [...]string{RotateInnodbKey: "ROTATE INNODB MASTER KEY",
		RotateBinlogKey: "ROTATE BINLOG MASTER KEY", ReloadTLS: "RELOAD TLS", EnableRedoLog: "ENABLE INNODB REDO_LOG",
		DisableRedoLog: "DISABLE INNODB REDO_LOG", ReloadKeyring: "RELOAD KEYRING"}[n.Kind])
	p.when(n.Channel.Given(), " FOR CHANNEL ", n.Channel)
	p.when(n.NoRollback, " NO ROLLBACK ON ERROR")
}
