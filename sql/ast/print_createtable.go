package ast

func (n *CreateTable) print(p *printer) {
	p.put("CREATE ")
	p.when(n.Temporary, "TEMPORARY ")
	p.when(n.External, "EXTERNAL ")
	p.put("TABLE ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(&n.Name)
	if n.Like != nil {
		p.put([...]string{" LIKE ", " (LIKE "}[index(n.LikeParens)], n.Like)
		p.when(n.LikeParens, ")")
		return
	}
	if len(n.Elements) > 0 {
		p.put(" (")
		printList(p, n.Elements)
		p.put(")")
	}
	p.spaced(n.Options)
	p.when(n.Partition != nil, " ", n.Partition)
	p.put([...]string{FailDuplicates: "", IgnoreDuplicates: " IGNORE", ReplaceDuplicates: " REPLACE"}[n.Duplicates])
	p.when(n.As, " AS")
	p.when(n.Query != nil, " ", n.Query)
}

// spaced appends options with blanks in front.
func (p *printer) spaced(options []TableOption) {
	for i := range options {
		p.put(" ", &options[i])
	}
}

// optionWords are the words of options; those with a value end in an equals sign or a blank.
var optionWords = [...]string{OptionEngine: "ENGINE=", OptionSecondaryEngine: "SECONDARY_ENGINE=",
	OptionMaxRows: "MAX_ROWS=", OptionMinRows: "MIN_ROWS=", OptionAvgRowLength: "AVG_ROW_LENGTH=",
	OptionPassword: "PASSWORD=", OptionComment: "COMMENT=", OptionCompression: "COMPRESSION=",
	OptionEncryption: "ENCRYPTION=", OptionAutoIncrement: "AUTO_INCREMENT=", OptionPackKeys: "PACK_KEYS=",
	OptionStatsAutoRecalc: "STATS_AUTO_RECALC=", OptionStatsPersistent: "STATS_PERSISTENT=",
	OptionStatsSamplePages: "STATS_SAMPLE_PAGES=", OptionChecksum: "CHECKSUM=", OptionTableChecksum: "TABLE_CHECKSUM=",
	OptionDelayKeyWrite: "DELAY_KEY_WRITE=", OptionRowFormat: "ROW_FORMAT=", OptionUnion: "UNION=",
	OptionCharset: "CHARACTER SET=", OptionCollate: "COLLATE=", OptionInsertMethod: "INSERT_METHOD=",
	OptionDataDirectory: "DATA DIRECTORY=", OptionIndexDirectory: "INDEX DIRECTORY=", OptionTablespace: "TABLESPACE=",
	OptionStorage: "STORAGE ", OptionConnection: "CONNECTION=", OptionKeyBlockSize: "KEY_BLOCK_SIZE=",
	OptionStartTransaction: "START TRANSACTION", OptionAutoextendSize: "AUTOEXTEND_SIZE=",
	OptionVerifyKeyConstraints: "VERIFY_KEY_CONSTRAINTS=", OptionAutoRefresh: "AUTO_REFRESH=",
	OptionAutoRefreshSource: "AUTO_REFRESH_SOURCE=", OptionStrictLoad: "STRICT_LOAD=",
	OptionAllowMissingFiles: "ALLOW_MISSING_FILES=", OptionFileFormat: "FILE_FORMAT=", OptionFiles: "FILES=",
	OptionEngineAttribute: "ENGINE_ATTRIBUTE=", OptionSecondaryEngineAttribute: "SECONDARY_ENGINE_ATTRIBUTE=",
	OptionNodegroup: "NODEGROUP="}

var optionValues = [...]string{NoOptionWord: "", RowDefault: "DEFAULT", RowFixed: "FIXED", RowDynamic: "DYNAMIC",
	RowCompressed: "COMPRESSED", RowRedundant: "REDUNDANT", RowCompact: "COMPACT", InsertNo: "NO", InsertFirst: "FIRST",
	InsertLast: "LAST", StorageDisk: "DISK", StorageMemory: "MEMORY"}

func (n *TableOption) print(p *printer) {
	p.when(n.IsDefault && n.Name.Given(), "DEFAULT ")
	p.put(optionWords[n.Kind])
	switch {
	case n.Name.Given():
		p.put(n.Name)
	case n.IsDefault:
		p.put("DEFAULT")
	case n.Null:
		p.put("NULL")
	case n.Text != nil:
		p.put(n.Text)
	case n.Kind == OptionAutoRefreshSource:
		p.put("NONE")
	case n.Format != nil:
		p.put(n.Format)
	case n.Kind == OptionFiles:
		p.put("(")
		printValues(p, n.Files)
		p.put(")")
	case n.Kind == OptionUnion:
		p.put("(")
		printValues(p, n.Tables)
		p.put(")")
	}
	p.raw(n.Number)
	p.put(optionValues[n.Word])
}

func (n *DropTable) print(p *printer) {
	p.put("DROP ")
	p.when(n.Temporary, "TEMPORARY ")
	p.put("TABLE ")
	p.when(n.IfExists, "IF EXISTS ")
	printValues(p, n.Tables)
	p.put(behaviorWords[n.Behavior])
}

var behaviorWords = [...]string{NoBehavior: "", DropRestrict: " RESTRICT", DropCascade: " CASCADE"}

func (n *RenameTable) print(p *printer) {
	p.put("RENAME TABLE ")
	printValues(p, n.Renames)
}

func (n *Rename) print(p *printer) { p.put(&n.From, " TO ", &n.To) }

func (n *TruncateTable) print(p *printer) { p.put("TRUNCATE TABLE ", &n.Table) }

func (n *ImportTable) print(p *printer) {
	p.put("IMPORT TABLE FROM ")
	printList(p, n.Files)
}
