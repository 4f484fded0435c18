package ast

// FileFormat says how the files of an external table are written.
type FileFormat struct {
	Span
	Format      Ident
	Compression Ident
	Header      Header
	Charset     Ident
	Fields      *FieldsFormat
	Lines       *LinesFormat
	Skip        *Literal // IGNORE n LINES
}

// Header says whether a file starts with a line of names.
type Header uint8

const (
	NoHeader Header = iota
	HeaderOn
	HeaderOff
)

// ExternalFile names files of an external table.
type ExternalFile struct {
	Span
	Items []ExternalItem
}

// ExternalKind is what an ExternalItem says.
type ExternalKind uint8

const (
	FileURI ExternalKind = iota
	FileName
	FilePattern
	FilePrefix
	FileStrictLoad
	FileAllowMissing
)

// ExternalItem is one word of an ExternalFile with its value: a text, or 0, 1 or DEFAULT.
type ExternalItem struct {
	Span
	Kind      ExternalKind
	Text      *Literal
	Number    string
	IsDefault bool
}
