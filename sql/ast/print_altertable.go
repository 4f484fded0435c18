package ast

func (n *AlterTable) print(p *printer) {
	p.put("ALTER TABLE ", &n.Table)
	for i, a := range n.Actions {
		if i == 0 {
			p.put(" ")
		}
		p.comma(i)
		p.put(a)
	}
	if n.Tail != nil {
		p.put([...]string{" ", ", "}[index(len(n.Actions) > 0)], n.Tail)
	}
	p.when(n.Partition != nil, " ", n.Partition)
	p.when(n.Remove, " REMOVE PARTITIONING")
}

func (n *AddColumns) print(p *printer) {
	p.put("ADD COLUMN ")
	p.when(n.Parens, "(")
	printList(p, n.Elements)
	p.when(n.Parens, ")")
	p.when(n.Place != nil, " ", n.Place)
}

func (n *ColumnPlace) print(p *printer) {
	if n.First {
		p.put("FIRST")
		return
	}
	p.put("AFTER ", n.After)
}

func (n *AddKey) print(p *printer) { p.put("ADD ", n.Element) }

func (n *ChangeColumn) print(p *printer) {
	if n.Old.Given() {
		p.put("CHANGE COLUMN ", n.Old, " ", n.Def)
	} else {
		p.put("MODIFY COLUMN ", n.Def)
	}
	p.when(n.Place != nil, " ", n.Place)
}

var objectWords = [...]string{ObjectColumn: "COLUMN ", ObjectKey: "INDEX ", ObjectPrimaryKey: "PRIMARY KEY",
	ObjectForeignKey: "FOREIGN KEY ", ObjectCheck: "CHECK ", ObjectConstraint: "CONSTRAINT "}

func (n *DropObject) print(p *printer) {
	p.put("DROP ", objectWords[n.Object])
	p.when(n.Name.Given(), n.Name)
	p.put(behaviorWords[n.Behavior])
}

func (n *RenameObject) print(p *printer) {
	p.put("RENAME ", objectWords[n.Object], n.From, " TO ", n.To)
}

func (n *RenameTo) print(p *printer) { p.put("RENAME TO ", &n.Table) }

func (n *AlterChange) print(p *printer) {
	p.put("ALTER ", objectWords[n.Object], n.Name)
	switch n.Change {
	case SetColumnDefault:
		p.put(" SET DEFAULT ")
		p.when(n.Parens, "(")
		p.put(n.Default)
		p.when(n.Parens, ")")
	case SetMaskingPolicy:
		p.put(" SET MASKING POLICY ", n.Policy)
	case SetVisible, SetInvisible:
		p.when(n.Object == ObjectColumn, " SET")
		p.put([...]string{" INVISIBLE", " VISIBLE"}[index(n.Change == SetVisible)])
	default:
		p.put([...]string{DropColumnDefault: " DROP DEFAULT",
			DropMaskingPolicyOf: " DROP MASKING POLICY", SetEnforced: " ENFORCED",
			SetNotEnforced: " NOT ENFORCED"}[n.Change])
	}
}

func (n *AlterOptions) print(p *printer) {
	for i := range n.Options {
		p.when(i > 0, " ")
		p.put(&n.Options[i])
	}
}

func (n *ConvertCharset) print(p *printer) {
	p.put("CONVERT TO CHARACTER SET ")
	if n.Charset.Given() {
		p.put(n.Charset)
	} else {
		p.put("DEFAULT")
	}
	p.when(n.Collate.Given(), " COLLATE ", n.Collate)
}

func (n *OrderTable) print(p *printer) {
	p.put("ORDER BY ")
	printValues(p, n.By)
}

func (n *AlterFlag) print(p *printer) {
	p.put([...]string{EnableKeys: "ENABLE KEYS", DisableKeys: "DISABLE KEYS", ForceRebuild: "FORCE",
		WithValidation: "WITH VALIDATION", WithoutValidation: "WITHOUT VALIDATION"}[n.Kind])
}

var partitionActionWords = [...]string{DiscardTablespace: "DISCARD TABLESPACE", ImportTablespace: "IMPORT TABLESPACE",
	DiscardPartition: "DISCARD", ImportPartition: "IMPORT", AddPartition: "ADD", DropPartition: "DROP",
	RebuildPartition: "REBUILD", OptimizePartition: "OPTIMIZE", AnalyzePartition: "ANALYZE", CheckPartition: "CHECK",
	RepairPartition: "REPAIR", CoalescePartition: "COALESCE", TruncatePartition: "TRUNCATE",
	ReorganizePartition: "REORGANIZE", ExchangePartition: "EXCHANGE", RemovePartitioning: "REMOVE PARTITIONING",
	SecondaryLoad: "SECONDARY_LOAD", SecondaryUnload: "SECONDARY_UNLOAD"}

func (n *PartitionAction) print(p *printer) {
	p.put(partitionActionWords[n.Kind])
	switch n.Kind {
	case DiscardTablespace, ImportTablespace:
		return
	case SecondaryLoad, SecondaryUnload:
		if len(n.Names) > 0 {
			p.put(" PARTITION (")
			p.idents(n.Names)
			p.put(")")
		}
		p.put([...]string{NoGuided: "", GuidedOn: " GUIDED ON", GuidedOff: " GUIDED OFF"}[n.Guided])
		return
	}
	p.put(" PARTITION")
	p.when(n.NoBinlog, " NO_WRITE_TO_BINLOG")
	p.when(n.All, " ALL")
	p.when(len(n.Names) > 0, " ")
	p.idents(n.Names)
	n.printRest(p)
}

// printRest appends what stands behind the names of partitions.
func (n *PartitionAction) printRest(p *printer) {
	switch n.Kind {
	case DiscardPartition, ImportPartition:
		p.put(" TABLESPACE")
	case AddPartition:
		p.count(" PARTITIONS ", n.Count)
	case CoalescePartition:
		p.count(" ", n.Count)
	case ReorganizePartition:
		p.when(len(n.Names) > 0, " INTO")
	case ExchangePartition:
		p.put(" WITH TABLE ", n.Table)
		p.when(n.Validation != nil, " ", n.Validation)
	}
	p.partitionDefs(n.Defs)
	p.checks(n.Checks)
}

var checkWords = [...]struct {
	option CheckOption
	word   string
}{{CheckQuick, " QUICK"}, {CheckFast, " FAST"}, {CheckMedium, " MEDIUM"}, {CheckExtended, " EXTENDED"},
	{CheckChanged, " CHANGED"}, {CheckForUpgrade, " FOR UPGRADE"}, {RepairUseFrm, " USE_FRM"}}

// checks appends the words of CHECK and REPAIR.
func (p *printer) checks(o CheckOption) {
	for _, w := range checkWords {
		p.when(o&w.option != 0, w.word)
	}
}
