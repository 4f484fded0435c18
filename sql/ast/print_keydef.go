package ast

var (
	keyWords = [...]string{PlainKey: "KEY", PrimaryKey: "PRIMARY KEY", UniqueKey: "UNIQUE KEY",
		FulltextKey: "FULLTEXT KEY", SpatialKey: "SPATIAL KEY"}
	indexWords = [...]string{PlainKey: "INDEX ", PrimaryKey: "", UniqueKey: "UNIQUE INDEX ",
		FulltextKey: "FULLTEXT INDEX ", SpatialKey: "SPATIAL INDEX "}
	algorithmWords = [...]string{NoKeyAlgorithm: "", BtreeAlgorithm: " USING BTREE", RtreeAlgorithm: " USING RTREE",
		HashAlgorithm: " USING HASH"}
)

func (n *KeyDef) print(p *printer) {
	p.constraint(n.Constraint, n.Symbol)
	p.put(keyWords[n.Kind])
	p.when(n.Name.Given(), " ", n.Name)
	p.put(algorithmWords[n.Using])
	n.printBody(p)
}

// printBody appends the parts and the options.
func (n *KeyDef) printBody(p *printer) {
	p.put(" (")
	printValues(p, n.Parts)
	p.put(")")
	for i := range n.Options {
		p.put(&n.Options[i])
	}
}

func (n *KeyPart) print(p *printer) {
	if n.X != nil {
		p.put("(", n.X, ")")
	} else {
		p.put(n.Column)
		p.when(n.Length != "", "(", n.Length, ")")
	}
	p.put(directionWords[n.Direction])
}

var directionWords = [...]string{NoDirection: "", Ascending: " ASC", Descending: " DESC"}

func (n *KeyOption) print(p *printer) {
	switch n.Kind {
	case KeyUsing:
		p.put(algorithmWords[n.Algorithm])
	case KeyBlockSize:
		p.put(" KEY_BLOCK_SIZE=")
		p.raw(n.Number)
	case KeyComment:
		p.put(" COMMENT ", n.Text)
	case KeyVisible:
		p.put(" VISIBLE")
	case KeyInvisible:
		p.put(" INVISIBLE")
	case KeyParser:
		p.put(" WITH PARSER ", n.Parser)
	case KeyEngineAttribute:
		p.put(" ENGINE_ATTRIBUTE ", n.Text)
	case KeySecondaryEngineAttribute:
		p.put(" SECONDARY_ENGINE_ATTRIBUTE ", n.Text)
	}
}

func (n *ForeignKey) print(p *printer) {
	p.constraint(n.Constraint, n.Symbol)
	p.put("FOREIGN KEY ")
	p.when(n.Name.Given(), n.Name, " ")
	p.put("(")
	printValues(p, n.Columns)
	p.put(") ", n.References)
}

func (n *CreateIndex) print(p *printer) {
	p.put("CREATE ", indexWords[n.Key.Kind], n.Key.Name, algorithmWords[n.Key.Using], " ON ", &n.Table)
	n.Key.printBody(p)
	p.hows(n.How)
}

func (n *DropIndex) print(p *printer) {
	p.put("DROP INDEX ", n.Name, " ON ", &n.Table)
	p.hows(n.How)
}

func (p *printer) hows(how []AlterHow) {
	for i := range how {
		p.put(" ", &how[i])
	}
}

func (n *AlterHow) print(p *printer) {
	p.put([...]string{"ALGORITHM=", "LOCK="}[index(n.Lock)])
	p.raw(n.Word.Name)
}
