package ast

func (n *FileFormat) print(p *printer) {
	p.put("(")
	sep := ""
	put := func(given bool, parts ...any) {
		if given {
			p.put(sep)
			p.put(parts...)
			sep = " "
		}
	}
	put(n.Format.Given(), "FORMAT ", n.Format)
	put(n.Compression.Given(), "COMPRESSION ", n.Compression)
	put(n.Header != NoHeader, "HEADER ", [...]string{NoHeader: "", HeaderOn: "ON", HeaderOff: "OFF"}[n.Header])
	put(n.Charset.Given(), "CHARACTER SET ", n.Charset)
	put(n.Fields != nil, n.Fields)
	put(n.Lines != nil, n.Lines)
	put(n.Skip != nil, "IGNORE ", n.Skip, " LINES")
	p.put(")")
}

func (n *ExternalFile) print(p *printer) {
	for i := range n.Items {
		p.when(i > 0, " ")
		p.put(&n.Items[i])
	}
}

func (n *ExternalItem) print(p *printer) {
	p.put([...]string{FileURI: "URI = ", FileName: "FILE_NAME = ", FilePattern: "FILE_PATTERN = ",
		FilePrefix: "FILE_PREFIX = ", FileStrictLoad: "STRICT_LOAD = ", FileAllowMissing: "ALLOW_MISSING_FILES = "}[n.Kind])
	p.when(n.Text != nil, n.Text)
	p.when(n.IsDefault, "DEFAULT")
	p.raw(n.Number)
}
