package ast

// CreateDatabase is CREATE DATABASE.
type CreateDatabase struct {
	Span
	IfNotExists bool
	Name        Ident
	Options     []DatabaseOption
}

// AlterDatabase is ALTER DATABASE; without a name it alters the current one.
type AlterDatabase struct {
	Span
	Name    Ident
	Options []DatabaseOption
}

// DatabaseOptionKind is the kind of a DatabaseOption.
type DatabaseOptionKind uint8

const (
	DatabaseCharset DatabaseOptionKind = iota
	DatabaseCollate
	DatabaseEncryption
	DatabaseReadOnly // ALTER only
)

// DatabaseOption is one option of a database.
type DatabaseOption struct {
	Span
	Kind      DatabaseOptionKind
	Default   bool     // the word DEFAULT stands in front
	Name      Ident    // a character set or a collation
	Text      *Literal // ENCRYPTION
	Number    string   // READ ONLY: "0" or "1"
	IsDefault bool     // READ ONLY = DEFAULT
}

// DropDatabase is DROP DATABASE.
type DropDatabase struct {
	Span
	IfExists bool
	Name     Ident
}

func (*CreateDatabase) statement() {}
func (*AlterDatabase) statement()  {}
func (*DropDatabase) statement()   {}
