package ast

func (n *ColumnDef) print(p *printer) {
	p.put(n.Name, " ", n.Type)
	p.when(n.Generated != nil, " ", n.Generated)
	for i := range n.Attributes {
		p.put(" ", &n.Attributes[i])
	}
	p.when(n.References != nil, " ", n.References)
}

func (n *Generated) print(p *printer) {
	p.put("GENERATED ALWAYS AS (", n.X, ")")
	p.put([...]string{DefaultStorage: "", VirtualStorage: " VIRTUAL", StoredStorage: " STORED"}[n.Storage])
}

// attributeWords are attributes that are words, and the words in front of those with a value.
var attributeWords = [...]string{AttrNull: "NULL", AttrNotNull: "NOT NULL", AttrDefault: "DEFAULT ",
	AttrOnUpdate: "ON UPDATE ", AttrAutoIncrement: "AUTO_INCREMENT", AttrSerialDefault: "SERIAL DEFAULT VALUE",
	AttrPrimaryKey: "PRIMARY KEY", AttrUnique: "UNIQUE KEY", AttrComment: "COMMENT ", AttrCollate: "COLLATE ",
	AttrColumnFormat: "COLUMN_FORMAT ", AttrStorage: "STORAGE ", AttrEngineAttribute: "ENGINE_ATTRIBUTE ",
	AttrSecondaryEngineAttribute: "SECONDARY_ENGINE_ATTRIBUTE ", AttrSRID: "SRID ", AttrVisible: "VISIBLE",
	AttrInvisible: "INVISIBLE", AttrNotSecondary: "NOT SECONDARY", AttrCheck: "", AttrExternalFormat: "EXTERNAL_FORMAT ",
	AttrMaskingPolicy: "MASKING POLICY "}

func (n *ColumnAttribute) print(p *printer) {
	p.put(attributeWords[n.Kind])
	switch n.Kind {
	case AttrDefault, AttrOnUpdate:
		p.when(n.Parens, "(")
		p.put(n.X)
		p.when(n.Parens, ")")
	case AttrColumnFormat, AttrStorage:
		p.put([...]string{WordDefault: "DEFAULT", WordFixed: "FIXED", WordDynamic: "DYNAMIC", WordDisk: "DISK",
			WordMemory: "MEMORY"}[n.Word])
	case AttrCollate, AttrMaskingPolicy:
		p.put(n.Name)
	case AttrCheck:
		p.put(n.Check)
	default:
		p.when(n.Text != nil, n.Text)
	}
}

func (n *Check) print(p *printer) {
	p.constraint(n.Constraint, n.Name)
	p.put("CHECK (", n.X, ")")
	p.put([...]string{DefaultEnforcement: "", Enforced: " ENFORCED", NotEnforced: " NOT ENFORCED"}[n.Enforced])
}

// constraint appends CONSTRAINT and its name.
func (p *printer) constraint(given bool, name Ident) {
	p.when(given, "CONSTRAINT ")
	p.when(name.Given(), name, " ")
}

var actionWords = [...]string{DefaultAction: "", Restrict: "RESTRICT", Cascade: "CASCADE", SetNull: "SET NULL",
	NoAction: "NO ACTION", SetDefault: "SET DEFAULT"}

func (n *References) print(p *printer) {
	p.put("REFERENCES ", &n.Table)
	p.columns(n.Columns)
	p.put([...]string{NoMatch: "", MatchFull: " MATCH FULL", MatchPartial: " MATCH PARTIAL",
		MatchSimple: " MATCH SIMPLE"}[n.Match])
	p.when(n.OnDelete != DefaultAction, " ON DELETE ", actionWords[n.OnDelete])
	p.when(n.OnUpdate != DefaultAction, " ON UPDATE ", actionWords[n.OnUpdate])
}
