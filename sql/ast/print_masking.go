package ast

func (n *CreateMaskingPolicy) print(p *printer) {
	p.put("CREATE MASKING POLICY ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(n.Name, "(", n.Column, ") ", n.X)
}

func (n *DropMaskingPolicy) print(p *printer) {
	p.put("DROP MASKING POLICY ")
	p.when(n.IfExists, "IF EXISTS ")
	p.put(n.Name)
}
