package lower

import (
	"strings"

	gms "github.com/dolthub/go-mysql-server/sql/types"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/vectors"
)

// createTable lowers CREATE TABLE. No table has partitions: those that are asked for are left out.
// What else GMS's tree has no place for and what the layer does not do is refused.
func (l *lowerer) createTable(n *ast.CreateTable) *vt.DDL {
	l.refuseIf(n.External, "CREATE TABLE with external files")
	l.schema = n.Name.Schema
	d := &vt.DDL{
		Action: vt.CreateStr, Table: tableName(n.Name), IfNotExists: n.IfNotExists, Temporary: n.Temporary,
		Auth: onDatabases(vt.AuthType_CREATE, n.Name.Schema.Name),
	}
	if n.Temporary {
		d.Auth.AuthType = vt.AuthType_CREATE_TEMP
	}
	if n.Like != nil {
		d.OptLike = &vt.OptLike{LikeTables: []vt.TableName{tableName(*n.Like)}}
		return d
	}
	if n.Elements != nil || !l.Plain {
		d.TableSpec = l.tableSpec(n.Elements)
		for i := range n.Options {
			d.TableSpec.AddTableOption(l.tableOption(&n.Options[i]))
		}
		if rule := duplicates[n.Duplicates]; rule != "" {
			d.TableSpec.AddTableOption(&vt.TableOption{Name: DuplicatesOption, Value: rule})
		}
		if len(d.TableSpec.Constraints) > 0 {
			d.ConstraintAction = vt.AddStr
		}
	}
	if n.Query != nil {
		d.OptSelect = &vt.OptSelect{Select: l.subquery(n.Query)}
	}
	return d
}

// DuplicatesOption is the option of the table that says what CREATE TABLE ... SELECT does with rows
// whose key is there: Ignore or Replace.
const (
	DuplicatesOption = "duplicates"
	Ignore           = "ignore"
	Replace          = "replace"
)

var duplicates = map[ast.DuplicateRule]string{ast.IgnoreDuplicates: Ignore, ast.ReplaceDuplicates: Replace}

func (l *lowerer) tableSpec(elements []ast.TableElement) *vt.TableSpec {
	l.table = true
	defer func() { l.table = false }()
	spec := &vt.TableSpec{}
	for _, e := range elements {
		switch e := e.(type) {
		case *ast.ColumnDef:
			l.columnDef(spec, e)
		case *ast.KeyDef:
			spec.AddIndex(l.keyDef(e))
		case *ast.ForeignKey:
			l.keyOfCounter(spec, elements, e)
			spec.AddConstraint(l.foreignKey(e))
		case *ast.Check:
			spec.AddConstraint(l.check(e))
		}
	}
	return spec
}

// keyOfCounter adds the key that a foreign key needs where its first column is AUTO_INCREMENT and has
// no other: GMS asks for that key before the foreign key makes it.
func (l *lowerer) keyOfCounter(spec *vt.TableSpec, elements []ast.TableElement, n *ast.ForeignKey) {
	counts := false
	for _, e := range elements {
		switch e := e.(type) {
		case *ast.ColumnDef:
			if strings.EqualFold(e.Name.Name, n.Columns[0].Column.Name) {
				c := &vt.TableSpec{}
				l.columnDef(c, e)
				counts = bool(c.Columns[0].Type.Autoincrement) && c.Columns[0].Type.KeyOpt == keyNone
			}
		case *ast.KeyDef:
			if strings.EqualFold(e.Parts[0].Column.Name, n.Columns[0].Column.Name) {
				return
			}
		}
	}
	if !counts {
		return
	}
	name := n.Columns[0].Column
	for _, given := range []ast.Ident{n.Name, n.Symbol} {
		if given.Given() {
			name = given
		}
	}
	spec.AddIndex(&vt.IndexDefinition{Info: &vt.IndexInfo{Type: "key", Name: colIdent(name)}, Fields: l.keyParts(n.Columns)})
}

// columnDef adds a column and the checks that are written at it.
func (l *lowerer) columnDef(spec *vt.TableSpec, n *ast.ColumnDef) {
	c := &vt.ColumnDefinition{Name: colIdent(n.Name), Type: l.columnType(n.Type)}
	if v, ok := c.Type.ResolvedType.(vectors.Type); ok && v.Dimensions > vectors.MostDimensions {
		l.raise(6137, "HY000", "Data size (%d Bytes, %d dimensions) exceeds VECTOR max (%d Bytes, %d dimensions) for column: '%s'",
			v.Bytes(), v.Dimensions, vectors.Of(vectors.MostDimensions).Bytes(), vectors.MostDimensions, n.Name.Name)
	}
	if n.Generated != nil {
		c.Type.GeneratedExpr = &vt.ParenExpr{Expr: l.definition(n.Generated.X)}
		c.Type.Stored = n.Generated.Storage == ast.StoredStorage
	}
	var checks []*vt.ConstraintDefinition
	invisible := false
	for i := range n.Attributes {
		switch a := &n.Attributes[i]; a.Kind {
		case ast.AttrCheck:
			checks = append(checks, l.check(a.Check))
		case ast.AttrVisible, ast.AttrInvisible:
			invisible = a.Kind == ast.AttrInvisible
		default:
			l.columnAttribute(&c.Type, a)
		}
	}
	if invisible {
		c.Type.Comment = invisibleComment(c.Type.Comment)
	}
	temporalDefault(&c.Type)
	if n.References != nil {
		f := n.References
		l.refuseIf(f.Columns == nil || f.Match != ast.NoMatch, "REFERENCES of a column")
		d := &vt.ForeignKeyDefinition{ReferencedTable: l.parent(f), ReferencedColumns: colIdents(f.Columns)}
		if f.OnDelete == ast.DefaultAction && f.OnUpdate == ast.DefaultAction {
			c.Type.ForeignKeyDef = d
		} else {
			d.Source, d.OnDelete, d.OnUpdate = vt.Columns{c.Name}, referenceActions[f.OnDelete], referenceActions[f.OnUpdate]
			spec.AddConstraint(&vt.ConstraintDefinition{Details: d})
		}
	}
	if len(checks) > 0 {
		c.Type.Constraint = checks[0] // AddColumn makes it the table's
	}
	spec.AddColumn(c)
	for _, check := range checks[min(1, len(checks)):] {
		spec.AddConstraint(check)
	}
}

// invisibleKind is the kind of value that the comment of an INVISIBLE column is: GMS's tree has no
// place for the word.
const invisibleKind = vt.HexVal

func invisibleComment(n *vt.SQLVal) *vt.SQLVal {
	out := &vt.SQLVal{Type: invisibleKind}
	if n != nil {
		out.Val = n.Val
	}
	return out
}

// GeneratedKey is the definition of an invisible primary key that nobody wrote.
func GeneratedKey(name string) *vt.ColumnDefinition {
	return &vt.ColumnDefinition{Name: vt.NewColIdent(name), Type: vt.ColumnType{
		Type: "bigint", Unsigned: true, NotNull: true, Autoincrement: true, KeyOpt: keyPrimary, Comment: invisibleComment(nil)}}
}

// IsPrimary tells whether a column is the primary key by itself.
func IsPrimary(n *vt.ColumnDefinition) bool { return n.Type.KeyOpt == keyPrimary }

// IsUnique tells whether a column is a unique key by itself.
func IsUnique(n *vt.ColumnDefinition) bool { return n.Type.KeyOpt == keyUnique }

// Invisible tells whether a column is declared INVISIBLE.
func Invisible(n *vt.ColumnDefinition) bool {
	return n.Type.Comment != nil && n.Type.Comment.Type == invisibleKind
}

// temporalDefault writes a text that is the default of a date, a time or a year the one way that GMS
// reads: without the spaces around it, and a TIME with hours, minutes and seconds.
func temporalDefault(t *vt.ColumnType) {
	text, ok := t.Default.(*vt.SQLVal)
	if !ok || text.Type != vt.StrVal {
		return
	}
	switch strings.ToLower(t.Type) {
	case "date", "datetime", "timestamp", "year":
		t.Default = str(strings.TrimSpace(string(text.Val)))
	case "time":
		if micros, c, ok := operand.ReadClock(string(text.Val)); ok && !c.Cut {
			t.Default = str(gms.Timespan(micros).String())
		}
	}
}

func (l *lowerer) columnAttribute(t *vt.ColumnType, n *ast.ColumnAttribute) {
	switch n.Kind {
	case ast.AttrNull, ast.AttrNotNull:
		t.Null, t.NotNull = n.Kind == ast.AttrNull, n.Kind == ast.AttrNotNull
	case ast.AttrDefault:
		l.refuseIf(t.Default != nil, "several DEFAULT")
		t.Default = l.defaultExpr(n.X, n.Parens)
	case ast.AttrOnUpdate:
		t.OnUpdate = l.expr(n.X)
	case ast.AttrAutoIncrement:
		t.Autoincrement = true
	case ast.AttrPrimaryKey:
		l.refuseIf(t.KeyOpt != keyNone && t.KeyOpt != keyUnique && t.KeyOpt != keyPrimary, "several keys of a column")
		t.KeyOpt = keyPrimary
	case ast.AttrUnique:
		if t.KeyOpt == keyNone {
			t.KeyOpt = keyUnique
		}
	case ast.AttrComment:
		t.Comment = literalString(n.Text)
	case ast.AttrCollate:
		t.Collate = n.Name.Name
	case ast.AttrSRID:
		t.SRID, _ = l.literal(n.Text).(*vt.SQLVal)
	default:
		l.refuse("attribute of a column")
	}
}

// defaultExpr lowers a default: a constant or, in parentheses, an expression.
func (l *lowerer) defaultExpr(x ast.Expr, parens bool) vt.Expr {
	if parens {
		return &vt.ParenExpr{Expr: l.definition(x)}
	}
	return l.expr(x)
}

// definition lowers an expression of the definition, which is kept as package ast prints it.
func (l *lowerer) definition(x ast.Expr) vt.Expr {
	if l.Plain {
		return l.expr(x)
	}
	return call(expr.Defined, str(ast.Print(x, ast.Options{Bare: true})), l.expr(x))
}

func (l *lowerer) check(n *ast.Check) *vt.ConstraintDefinition {
	return &vt.ConstraintDefinition{Name: n.Name.Name, Details: &vt.CheckConstraintDefinition{
		Expr: l.definition(n.X), Enforced: n.Enforced != ast.NotEnforced,
	}}
}

var referenceActions = [...]vt.ReferenceAction{ast.DefaultAction: vt.DefaultAction, ast.Restrict: vt.Restrict, ast.Cascade: vt.Cascade,
	ast.SetNull: vt.SetNull, ast.NoAction: vt.NoAction, ast.SetDefault: vt.SetDefault}

func (l *lowerer) foreignKey(n *ast.ForeignKey) *vt.ConstraintDefinition {
	f := n.References
	l.refuseIf(f.Columns == nil || f.Match != ast.NoMatch, "MATCH or no columns of a foreign key")
	source := make(vt.Columns, len(n.Columns))
	for i := range n.Columns {
		l.refuseIf(n.Columns[i].X != nil || n.Columns[i].Length != "", "part of a foreign key that is no column")
		source[i] = colIdent(n.Columns[i].Column)
	}
	return &vt.ConstraintDefinition{Name: n.Symbol.Name, Details: &vt.ForeignKeyDefinition{
		Source: source, ReferencedTable: l.parent(f), ReferencedColumns: colIdents(f.Columns), Index: n.Name.Name,
		OnDelete: referenceActions[f.OnDelete], OnUpdate: referenceActions[f.OnUpdate],
	}}
}

// parent is the table that a foreign key leads to: in the schema of its own table unless named.
func (l *lowerer) parent(n *ast.References) vt.TableName {
	t := n.Table
	if t.Schema.Name == "" {
		t.Schema = l.schema
	}
	return tableName(t)
}

var optionNames = map[ast.TableOptionKind]string{
	ast.OptionEngine: "engine", ast.OptionMaxRows: "max_rows", ast.OptionMinRows: "min_rows", ast.OptionAvgRowLength: "avg_row_length",
	ast.OptionComment: "comment", ast.OptionCompression: "compression", ast.OptionEncryption: "encryption",
	ast.OptionAutoIncrement: "auto_increment", ast.OptionCharset: "character set", ast.OptionCollate: "collate",
	ast.OptionKeyBlockSize: "key_block_size", ast.OptionRowFormat: "row_format", ast.OptionStatsSamplePages: "stats_sample_pages",
	ast.OptionStatsPersistent: "stats_persistent", ast.OptionStatsAutoRecalc: "stats_auto_recalc", ast.OptionChecksum: "checksum",
	ast.OptionDelayKeyWrite: "delay_key_write", ast.OptionPackKeys: "pack_keys",
	ast.OptionInsertMethod: "insert_method", ast.OptionUnion: "union", // tables of MERGE have them
}

var rowFormats = map[ast.OptionWord]string{ast.RowDefault: "default", ast.RowFixed: "fixed", ast.RowDynamic: "dynamic",
	ast.RowCompressed: "compressed", ast.RowRedundant: "redundant", ast.RowCompact: "compact"}

func (l *lowerer) tableOption(n *ast.TableOption) *vt.TableOption {
	name, ok := optionNames[n.Kind]
	l.refuseIf(!ok, "option of a table")
	o := &vt.TableOption{Name: name}
	switch {
	case n.Text != nil:
		o.Value = n.Text.Bytes()
	case n.Name.Given():
		o.Value = n.Name.Name
	case n.Word != ast.NoOptionWord:
		o.Value = rowFormats[n.Word]
	case n.IsDefault:
		o.Value = "default"
	default:
		o.Value = n.Number
	}
	return o
}
