package tabledef

// What GMS says of a new table, column or key, as the catalog's definitions.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// NewDefinition makes the catalog's definition of a new table. primary gives the prefix lengths of
// the primary key's parts, if it has any.
func NewDefinition(ctx *sql.Context, at TableName, schema sql.PrimaryKeySchema, collation sql.CollationID, primary []sql.IndexColumn) (*catalog.Table, error) {
	def := &catalog.Table{Schema: at.Schema, Name: at.Name, AutoInc: -1, Collation: uint16(collation)}
	for i, c := range schema.Schema {
		col, err := NewColumn(ctx, c, collation)
		if err != nil {
			return nil, err
		}
		if c.PrimaryKey {
			col.Nullable = false
		}
		if c.AutoIncrement {
			def.AutoInc = i
		}
		def.Columns = append(def.Columns, col)
	}
	for i := range def.Columns {
		SpellNames(def, i)
	}
	clustered := &catalog.Index{Clustered: true, Unique: true}
	for _, ord := range schema.PkOrdinals {
		part := row.KeyPart{Column: ord}
		for _, p := range primary {
			if strings.EqualFold(p.Name, def.Columns[ord].Name) {
				part.Prefix = PrefixOf(&def.Columns[ord], p.Length)
			}
		}
		clustered.Name = "PRIMARY"
		clustered.Parts = append(clustered.Parts, part)
		def.Columns[ord].Nullable = false
	}
	def.Indexes = []*catalog.Index{clustered}
	if err := CheckVisible(def.Columns); err != nil {
		return nil, err
	}
	return def, CheckKey(def, clustered)
}

// CheckVisible refuses a table without a visible column.
func CheckVisible(columns []catalog.Column) error {
	visible := func(c catalog.Column) bool { return c.Listed() }
	if len(columns) > 0 && !slices.ContainsFunc(columns, visible) {
		return ErrNoneVisible()
	}
	return nil
}

// ErrNoneVisible is the error of a table without a visible column.
func ErrNoneVisible() error {
	return sqlerr.NewError(4028, "A table must have at least one visible column.")
}

// NewColumn makes the catalog's definition of a column. A character type without a collation takes
// the table's.
func NewColumn(ctx *sql.Context, c *sql.Column, collation sql.CollationID) (catalog.Column, error) {
	typ := c.Type
	if c.HiddenSystem && c.Generated != nil {
		var err error
		if typ, err = functionalType(ctx, c, collation); err != nil {
			return catalog.Column{}, err
		}
	}
	if t, ok := typ.(sql.TypeWithCollation); ok && t.Collation() == sql.Collation_Unspecified {
		var err error
		if typ, err = t.WithNewCollation(collation); err != nil {
			return catalog.Column{}, err
		}
	}
	if t, ok := typ.(sql.TypeWithCollation); ok && store.IsBinaryText(c) {
		var err error
		if typ, err = t.WithNewCollation(t.Collation().CharacterSet().BinaryCollation()); err != nil {
			return catalog.Column{}, err
		}
	}
	storage, err := store.StorageColumn(typ, c.Nullable)
	if err != nil {
		return catalog.Column{}, err
	}
	if c.HiddenSystem && c.Generated != nil {
		if a := arrayOf(c.Generated.Expr); a != nil {
			storage = a.Storage()
		}
	}
	attrs := store.ColumnAttributes(c)
	attrs.Apply(&storage)
	text := TypeText(typ)
	if attrs != (store.Attributes{}) {
		text = attrs.Text(text)
	}
	_, comment := store.SplitComment(c.Comment)
	out := catalog.Column{
		Column: storage, Name: c.Name, SQLType: text, SRID: SridOf(typ), Virtual: c.Virtual, Comment: comment,
		System: c.HiddenSystem, Invisible: store.IsInvisible(c), OwnCharset: store.OwnCharset(c),
		Required: c.Default == nil && c.Nullable && store.IsRequired(c),
	}
	if c.Default != nil {
		out.HasDefault, out.Literal, out.Default = true, c.Default.IsLiteral(), expressionText(ctx, c.Default)
		if storage.Type == row.TTime && out.Literal {
			if out.Default, err = store.TimeDefault(ctx, c.Default, storage.Precision); err != nil {
				return catalog.Column{}, err
			}
		}
	}
	if c.Generated != nil {
		out.Generated = expressionText(ctx, c.Generated)
	}
	if c.OnUpdate != nil {
		out.OnUpdate = expressionText(ctx, c.OnUpdate)
	}
	return out, nil
}

// expressionText is the text of a column's expression, as the statement has it. A constant is as
// go-mysql-server prints it, unless that is none of the same type.
func expressionText(ctx *sql.Context, e *sql.ColumnDefaultValue) string {
	if d := expr.DefinitionIn(e.Expr); d != nil {
		return d.String()
	}
	own := *e
	own.Expr = Readable(ctx, e.Expr)
	if l, ok := e.Expr.(*expression.Literal); ok {
		if text := literalText(l); text != "" {
			own.Expr = Written(text)
		}
	}
	return own.String()
}

// Readable is an expression of a definition whose text names no tables, whose names may change. Our
// own statements carry that text.
func Readable(ctx *sql.Context, e sql.Expression) sql.Expression {
	if expr.DefinitionIn(e) != nil {
		return e
	}
	out, _, err := transform.Expr(ctx, e, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok {
			return e, transform.SameTree, nil
		}
		bare := expression.NewGetField(f.Index(), f.Type(ctx), f.Name(), f.IsNullable(ctx))
		return bare.WithQuotedNames(sql.DefaultMySQLSchemaFormatter, true), transform.NewTree, nil
	})
	if err != nil {
		return e
	}
	return out
}

// SpellNames writes the columns in the expressions of a column as the table has them.
func SpellNames(def *catalog.Table, column int) {
	c := &def.Columns[column]
	for _, text := range []*string{&c.Generated, &c.Default} {
		if !strings.HasPrefix(*text, "(") {
			continue // a constant, or a clock
		}
		x, err := parse.ParseExpr(*text, parse.Options{})
		if err != nil {
			continue
		}
		ast.Inspect(x, func(n ast.Node) bool {
			if name, ok := n.(*ast.Column); ok {
				if at := slices.IndexFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name.Name.Name) }); at >= 0 {
					name.Name.Name = def.Columns[at].Name
				}
			}
			return true
		})
		*text = "(" + ast.Print(x, ast.Options{}) + ")"
	}
}

// PrefixOf is the prefix length of a key part: characters, or bytes of binary types; 0 if the whole
// column is the key.
func PrefixOf(c *catalog.Column, length int64) uint32 {
	if length <= 0 || c.Length > 0 && length >= int64(c.Length) && c.Type != row.TText && c.Type != row.TBlob {
		return 0
	}
	return uint32(length)
}

// maxKeyBytes is InnoDB's limit of one key, as clients know it.
const maxKeyBytes = 3072

// CheckKey checks an index against MySQL's limits.
func CheckKey(def *catalog.Table, idx *catalog.Index) error {
	if len(idx.Parts) > 16 {
		return sql.ErrTooManyKeyParts.New(16)
	}
	total := int64(0)
	for _, p := range idx.Parts {
		c := &def.Columns[p.Column]
		if c.Elements != 0 {
			total += KeyBytes(c, p)
			continue
		}
		switch c.Type {
		case row.TJSON:
			return sql.ErrJSONIndex.New(c.Name)
		case row.TBlob:
			if strings.HasPrefix(c.SQLType, "vector(") {
				return sqlerr.NewError(6134, "Non-scalar (e.g., vector) column '%s' cannot be used as key.", c.Name)
			}
			if p.Prefix == 0 {
				return sql.ErrInvalidBlobTextKey.New(c.Name)
			}
		case row.TText, row.TGeometry:
			if p.Prefix == 0 {
				return sql.ErrInvalidBlobTextKey.New(c.Name)
			}
		}
		total += KeyBytes(c, p)
	}
	if total > maxKeyBytes {
		return sql.ErrKeyTooLong.New()
	}
	return nil
}

func KeyBytes(c *catalog.Column, p row.KeyPart) int64 {
	if c.Elements != 0 {
		e := c.Element()
		return KeyBytes(&catalog.Column{Column: e}, row.KeyPart{})
	}
	n := int64(c.Length)
	if p.Prefix > 0 {
		n = int64(p.Prefix)
	}
	switch c.Type {
	case row.TChar, row.TVarchar, row.TText:
		return n * sql.CollationID(c.Collation).CharacterSet().MaxLength()
	case row.TBinary, row.TVarbinary, row.TBlob:
		return n
	}
	return 8
}
