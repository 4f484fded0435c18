package ast

// noBinlog appends NO_WRITE_TO_BINLOG.
func (p *printer) noBinlog(given bool) { p.when(given, "NO_WRITE_TO_BINLOG ") }

// channel appends FOR CHANNEL.
func (p *printer) channel(name *Literal) { p.when(name != nil, " FOR CHANNEL ", name) }

func (n *Flush) print(p *printer) {
	p.put("FLUSH ")
	p.noBinlog(n.NoBinlog)
	printValues(p, n.Items)
}

func (n *FlushItem) print(p *printer) {
	p.put([...]string{FlushLogs: "LOGS", FlushBinaryLogs: "BINARY LOGS", FlushEngineLogs: "ENGINE LOGS",
		FlushErrorLogs: "ERROR LOGS", FlushGeneralLogs: "GENERAL LOGS", FlushSlowLogs: "SLOW LOGS",
		FlushRelayLogs: "RELAY LOGS", FlushPrivileges: "PRIVILEGES", FlushStatus: "STATUS",
		FlushUserResources: "USER_RESOURCES", FlushOptimizerCosts: "OPTIMIZER_COSTS"}[n.Kind])
	p.channel(n.Channel)
}

func (n *FlushTables) print(p *printer) {
	p.put("FLUSH ")
	p.noBinlog(n.NoBinlog)
	p.put("TABLES")
	if len(n.Tables) > 0 {
		p.put(" ")
		printValues(p, n.Tables)
	}
	p.when(n.ReadLock, " WITH READ LOCK")
	p.when(n.Export, " FOR EXPORT")
}

func (n *Kill) print(p *printer) { p.put("KILL ", [...]string{"", "QUERY "}[index(n.Query)], n.ID) }

func (n *Shutdown) print(p *printer) { p.put([...]string{"SHUTDOWN", "RESTART"}[index(n.Restart)]) }

func (n *Reset) print(p *printer) {
	p.put("RESET ")
	printValues(p, n.Items)
}

func (n *ResetItem) print(p *printer) {
	if !n.Replica {
		p.put("BINARY LOGS AND GTIDS")
		p.count(" TO ", n.To)
		return
	}
	p.put("REPLICA")
	p.when(n.All, " ALL")
	p.channel(n.Channel)
}

func (n *ResetPersist) print(p *printer) {
	p.put("RESET PERSIST")
	p.when(n.IfExists, " IF EXISTS")
	p.when(n.Name.Given(), " ")
	p.dotted(n.Component, n.Name)
}

func (n *MaintainTables) print(p *printer) {
	p.put([...]string{AnalyzeTable: "ANALYZE ", CheckTable: "CHECK ", ChecksumTable: "CHECKSUM ",
		OptimizeTable: "OPTIMIZE ", RepairTable: "REPAIR "}[n.What])
	p.noBinlog(n.NoBinlog)
	p.put("TABLE ")
	printValues(p, n.Tables)
	p.checks(n.Options)
	p.when(n.Histogram != nil, " ", n.Histogram)
}

func (n *Histogram) print(p *printer) {
	p.put([...]string{"UPDATE HISTOGRAM ON ", "DROP HISTOGRAM ON "}[index(n.Drop)])
	p.idents(n.Columns)
	if n.Buckets != "" {
		p.count(" WITH ", n.Buckets)
		p.put(" BUCKETS")
	}
	p.put([...]string{NoHistogramUpdate: "", AutoUpdate: " AUTO UPDATE", ManualUpdate: " MANUAL UPDATE"}[n.Update])
	p.when(n.Data != nil, " USING DATA ", n.Data)
}

func (n *CacheIndex) print(p *printer) {
	p.put([...]string{"CACHE INDEX ", "LOAD INDEX INTO CACHE "}[index(n.Load)])
	printValues(p, n.Tables)
	if n.Load {
		return
	}
	p.put(" IN ")
	if n.Cache.Given() {
		p.put(n.Cache)
	} else {
		p.put("DEFAULT")
	}
}

func (n *CachedTable) print(p *printer) {
	p.put(&n.Table)
	p.when(n.AllPartitions, " PARTITION (ALL)")
	if len(n.Partitions) > 0 {
		p.put(" PARTITION (")
		p.idents(n.Partitions)
		p.put(")")
	}
	if n.KeysGiven {
		p.put(" KEY (")
		p.idents(n.Keys)
		p.put(")")
	}
	p.when(n.IgnoreLeaves, " IGNORE LEAVES")
}

func (n *InstallPlugin) print(p *printer) {
	p.put([...]string{"INSTALL PLUGIN ", "UNINSTALL PLUGIN "}[index(n.Uninstall)], n.Name)
	p.when(n.Library != nil, " SONAME ", n.Library)
}

func (n *InstallComponent) print(p *printer) {
	p.put([...]string{"INSTALL COMPONENT ", "UNINSTALL COMPONENT "}[index(n.Uninstall)])
	printList(p, n.URNs)
	if len(n.Set) > 0 {
		p.put(" SET ")
		printValues(p, n.Set)
	}
}

func (n *ComponentSetting) print(p *printer) {
	p.put([...]string{NoScope: "", GlobalScope: "GLOBAL ", PersistScope: "PERSIST "}[n.Scope])
	p.dotted(n.Component, n.Name)
	p.put(" = ", n.Value)
}

func (n *CreateLoadable) print(p *printer) {
	p.put("CREATE ")
	p.when(n.Aggregate, "AGGREGATE ")
	p.put("FUNCTION ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(n.Name, " RETURNS ", [...]string{ReturnsString: "STRING", ReturnsReal: "REAL", ReturnsDecimal: "DECIMAL",
		ReturnsInt: "INTEGER"}[n.Returns], " SONAME ", n.Library)
}

func (n *Clone) print(p *printer) {
	if n.From == nil {
		p.put("CLONE LOCAL DATA DIRECTORY = ", n.Directory)
		return
	}
	p.put("CLONE INSTANCE FROM ", n.From)
	p.count(":", n.Port)
	p.put(" IDENTIFIED BY ", n.Password)
	p.when(n.Directory != nil, " DATA DIRECTORY = ", n.Directory)
	p.put([...]string{NoCloneSSL: "", RequireSSL: " REQUIRE SSL", RequireNoSSL: " REQUIRE NO SSL"}[n.SSL])
}

func (n *Binlog) print(p *printer) { p.put("BINLOG ", n.Events) }

func (n *Backup) print(p *printer) {
	p.put("BACKUP " + [...]string{"BEGIN", "PAGES", "LOG", "FINISH", "END"}[n.Verb])
	if n.Format != "" {
		p.put(" " + n.Format)
	}
	p.when(n.ID != nil, " ", n.ID)
	p.when(n.Runs != nil, " "+n.Since+" ", n.Runs)
	if n.Row != "" {
		p.put(" " + n.Row)
	}
}

func (n *Purge) print(p *printer) {
	if n.To != nil {
		p.put("PURGE BINARY LOGS TO ", n.To)
		return
	}
	p.put("PURGE BINARY LOGS BEFORE ", n.Before)
}

func (n *LockTables) print(p *printer) {
	p.put("LOCK TABLES ")
	printValues(p, n.Tables)
}

func (n *LockedTable) print(p *printer) {
	p.put(&n.Table)
	p.when(n.Alias.Given(), " AS ", n.Alias)
	p.put([...]string{LockRead: " READ", LockReadLocal: " READ LOCAL", LockWrite: " WRITE"}[n.Kind])
}

func (n *LockInstance) print(p *printer) { p.put("LOCK INSTANCE FOR BACKUP") }

func (n *Unlock) print(p *printer) {
	p.put([...]string{"UNLOCK TABLES", "UNLOCK INSTANCE"}[index(n.Instance)])
}
