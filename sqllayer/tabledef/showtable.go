package tabledef

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/parse"
	"emberdb/sql/partition"
	"emberdb/sqllayer/expr/vectors"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/store"
)

// CreateText writes CREATE TABLE. next is the next AUTO_INCREMENT value.
func CreateText(ctx *sql.Context, d *TableDef, next uint64) string {
	def := d.Def
	var lines []string
	for i := range def.Columns {
		if !def.Columns[i].System {
			lines = append(lines, columnText(ctx, d, i))
		}
	}
	lines = append(lines, indexTexts(def)...)
	special, _ := SpecialIndexes(def)
	for _, x := range special {
		kind := map[string]string{"fulltext": "FULLTEXT ", "spatial": "SPATIAL ", "vector": "VECTOR "}[x.Kind]
		lines = append(lines, fmt.Sprintf("  %sKEY %s (%s)%s", kind, QuoteName(x.Name), QuoteNames(x.Columns), keyTail(x.Comment, x.traits())))
	}
	foreign := slices.Clone(def.ForeignKeys)
	slices.SortFunc(foreign, func(a, b catalog.ForeignKey) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	for i := range foreign {
		lines = append(lines, ForeignKeyText(def, &foreign[i]))
	}
	checks := slices.Clone(def.Checks)
	slices.SortFunc(checks, func(a, b catalog.Check) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	for _, c := range checks {
		text := fmt.Sprintf("  CONSTRAINT %s CHECK (%s)", QuoteName(c.Name), ExprText(c.Expr))
		if !c.Enforced {
			text += " /*!80016 NOT ENFORCED */"
		}
		lines = append(lines, text)
	}
	temporary := ""
	if def.Temporary {
		temporary = "TEMPORARY "
	}
	return fmt.Sprintf("CREATE %sTABLE %s (\n%s\n) ENGINE=InnoDB%s", temporary, QuoteName(d.Name), strings.Join(lines, ",\n"), optionsText(def, next))
}

func optionsText(def *catalog.Table, next uint64) string {
	text := ""
	if next > 1 {
		text += " AUTO_INCREMENT=" + strconv.FormatUint(next, 10)
	}
	coll := sql.CollationID(def.Collation)
	text += " DEFAULT CHARSET=" + coll.CharacterSet().Name()
	if showsCollation(coll) {
		text += " COLLATE=" + coll.Name()
	}
	text += storageText(def) + commentText(def.Comment, "=")
	if def.Partitioning != nil {
		text += partition.Text(def.Partitioning)
	}
	return text
}

// showsCollation tells whether a collation is written beside its character set: if it is not the
// set's first, or of utf8mb4.
func showsCollation(c sql.CollationID) bool {
	return c.CharacterSet() == sql.CharacterSet_utf8mb4 || c.CharacterSet().DefaultCollation() != c
}

func commentText(comment, between string) string {
	if comment == "" {
		return ""
	}
	return " COMMENT" + between + QuoteText(comment)
}

// QuoteText writes a text as MySQL does in the statements that SHOW CREATE prints.
func QuoteText(text string) string { return "'" + quoteComment.Replace(text) + "'" }

var quoteComment = strings.NewReplacer("'", "''", `\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)

// QuoteEscaped writes texts as MySQL does within expressions, and expressions in its lists.
var QuoteEscaped = strings.NewReplacer("'", `\'`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`, "\x1a", `\Z`)

func QuoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func QuoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = QuoteName(n)
	}
	return strings.Join(quoted, ",")
}

// ShownType is a column type as MySQL shows it, without collation.
func ShownType(t sql.Type) string {
	switch t := t.(type) {
	case types.EnumType:
		return "enum(" + quoteMembers(t.Values()) + ")"
	case types.SetType:
		return "set(" + quoteMembers(t.Values()) + ")"
	case sql.StringType:
		return t.(sql.TypeWithCollation).StringWithTableCollation(t.Collation())
	case types.TimeType:
		return store.TimeText(0) // go-mysql-server says time(6)
	case types.GeomCollType:
		return "geomcollection"
	}
	return t.String()
}

func quoteMembers(members []string) string {
	quoted := make([]string, len(members))
	for i, m := range members {
		quoted[i] = "'" + strings.ReplaceAll(m, "'", "''") + "'"
	}
	return strings.Join(quoted, ",")
}

// CollationOf is the collation of a column of text, ENUM or SET; ok is false for others.
func CollationOf(t sql.Type) (sql.CollationID, bool) {
	switch t := t.(type) {
	case types.EnumType:
		return t.Collation(), true
	case types.SetType:
		return t.Collation(), true
	case sql.StringType:
		return t.Collation(), t.CharacterSet() != sql.CharacterSet_binary
	}
	return 0, false
}

func columnText(ctx *sql.Context, d *TableDef, i int) string {
	return "  " + ColumnText(ctx, d, i, d.Def.Columns[i].Invisible)
}

// ColumnText is the definition of a column, invisible or not.
func ColumnText(ctx *sql.Context, d *TableDef, i int, invisible bool) string {
	c := &d.Def.Columns[i]
	t := d.Columns[i].Type
	text := QuoteName(c.Name) + " " + d.ShownType(i)
	table := sql.CollationID(d.Def.Collation)
	if coll, ok := CollationOf(t); ok {
		switch {
		case c.OwnCharset:
			text += collateText(coll)
		case coll != table:
			text += " CHARACTER SET " + coll.CharacterSet().Name()
			if showsCollation(coll) {
				text += " COLLATE " + coll.Name()
			}
		case coll != sql.Collation_utf8mb4_0900_ai_ci && showsCollation(coll):
			text += " COLLATE " + coll.Name()
		}
	}
	if c.Generated != "" {
		text += " GENERATED ALWAYS AS (" + ExprText(c.Generated) + ")"
		if c.Virtual {
			text += " VIRTUAL"
		} else {
			text += " STORED"
		}
	}
	switch {
	case !c.Nullable:
		text += " NOT NULL"
	case c.Type == row.TTimestamp:
		text += " NULL"
	}
	if c.SRID != nil {
		text += fmt.Sprintf(" /*!80003 SRID %d */", *c.SRID)
	}
	text += defaultText(ctx, d, i)
	if c.OnUpdate != "" {
		text += " ON UPDATE " + CurrentTime(c.OnUpdate)
	}
	if i == d.Def.AutoInc {
		text += " AUTO_INCREMENT"
	}
	if invisible {
		text += " /*!80023 INVISIBLE */"
	}
	return text + commentText(c.Comment, " ")
}

// defaultText is the DEFAULT clause.
func defaultText(ctx *sql.Context, d *TableDef, i int) string {
	c := &d.Def.Columns[i]
	switch {
	case c.Generated != "" || i == d.Def.AutoInc:
		return ""
	case !c.HasDefault && (!c.Nullable || c.Required):
		return ""
	}
	var value *string // NULL
	literal := true
	if c.HasDefault {
		value, literal = plainDefault(ctx, d, i)
	}
	switch {
	case value == nil && (c.Type == row.TText || c.Type == row.TBlob) && !vectors.Is(d.Columns[i].Type):
		return ""
	case value == nil:
		return " DEFAULT NULL"
	case !literal && IsCurrentTime(*value):
		return " DEFAULT " + *value
	case !literal:
		return " DEFAULT (" + *value + ")"
	case strings.HasPrefix(*value, "b'"):
		return " DEFAULT " + *value
	case !utf8.ValidString(*value): // bytes
		return fmt.Sprintf(" DEFAULT 0x%X", *value)
	}
	return " DEFAULT " + QuoteText(*value)
}

func IsCurrentTime(text string) bool { return strings.HasPrefix(text, "CURRENT_TIMESTAMP") }

// CurrentTime writes the call of NOW as MySQL does.
func CurrentTime(text string) string {
	name, args, _ := strings.Cut(strings.Trim(text, "() "), "(")
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "current_timestamp", "now", "localtime", "localtimestamp":
		if args = strings.Trim(args, ")( "); args != "" && args != "0" {
			return "CURRENT_TIMESTAMP(" + args + ")"
		}
		return "CURRENT_TIMESTAMP"
	}
	return text
}

// ShownDefault is a column's default as SHOW COLUMNS tells it: the value of a literal, bytes as
// hexadecimal digits, or the text of an expression; nil is NULL.
func ShownDefault(ctx *sql.Context, d *TableDef, i int) (*string, bool) {
	v, literal := plainDefault(ctx, d, i)
	if v != nil && literal {
		*v = shownLiteral(*v, d.Columns[i].Type)
	}
	return v, literal
}

// shownLiteral is a literal default as lists of columns tell it.
func shownLiteral(v string, t sql.Type) string {
	if v != "" && types.IsBinaryType(t) {
		return fmt.Sprintf("0x%X", v)
	}
	return v
}

// plainDefault is a column's default: the value of a literal, or the text of an expression; nil is
// NULL.
func plainDefault(ctx *sql.Context, d *TableDef, i int) (*string, bool) {
	c := &d.Def.Columns[i]
	if !c.HasDefault || c.Generated != "" {
		return nil, true
	}
	if now := CurrentTime(c.Default); IsCurrentTime(now) {
		return &now, false
	}
	if !c.Literal {
		text := ExprText(c.Default)
		return &text, false
	}
	v, ok := literalValue(ctx, c.Default, d.Columns[i].Type, &c.Column)
	if !ok {
		return nil, true
	}
	return &v, true
}

// literalValue is a literal default as the column writes it.
func literalValue(ctx *sql.Context, text string, t sql.Type, c *row.Column) (string, bool) {
	e, err := parseExpr(text)
	if err != nil {
		return strings.Trim(text, "'"), true
	}
	e = Unwrapped(e)
	sign := ""
	if u, ok := e.(*ast.UnaryExpr); ok {
		sign, e = u.Operator, u.Expr
	}
	var value any
	switch v := e.(type) {
	case *ast.NullVal:
		return "", false
	case ast.BoolVal:
		value = bool(v)
	case *ast.SQLVal:
		value = sign + string(v.Val)
		if b, ok := bytesOf(v); ok && types.IsBinaryType(t) {
			return string(b), true
		}
		if v.Type == ast.BitVal || types.IsBit(t) {
			return bitDefault(v), true
		}
	default:
		return strings.Trim(text, "'"), true
	}
	if _, isText := t.(sql.StringType); isText {
		return fmt.Sprint(value), true
	}
	converted, _, err := t.Convert(ctx, value)
	if err != nil || converted == nil {
		return fmt.Sprint(value), true
	}
	out, err := t.SQL(ctx, nil, converted)
	if err != nil {
		return fmt.Sprint(value), true
	}
	if f, ok := converted.(float32); ok {
		return string(store.ZeroFill(store.AppendColumnFloat(nil, float64(f), c), 0, c)), true
	}
	if f, ok := converted.(float64); ok {
		return string(store.ZeroFill(store.AppendColumnFloat(nil, f, c), 0, c)), true
	}
	text = string(store.ZeroFill(out.ToBytes(), 0, c))
	if types.IsTimespan(t) {
		text = strings.TrimSuffix(fmt.Sprint(value), ".000000")
	}
	return text, true
}

// bytesOf is what a literal of hexadecimal digits stands for.
func bytesOf(v *ast.SQLVal) ([]byte, bool) {
	digits := string(v.Val)
	switch v.Type {
	case ast.HexNum:
		digits = digits[len("0x"):]
	case ast.HexVal:
	default:
		return nil, false
	}
	if len(digits)%2 != 0 {
		digits = "0" + digits
	}
	b, err := hex.DecodeString(digits)
	return b, err == nil
}

// parseExpr parses an expression.
func parseExpr(text string) (ast.Expr, error) {
	x, err := parse.ParseExpr(text, parse.Options{})
	if err != nil {
		return nil, err
	}
	return lower.Expr(text, x)
}

func bitDefault(v *ast.SQLVal) string {
	if v.Type == ast.IntVal {
		if n, err := strconv.ParseUint(string(v.Val), 10, 64); err == nil {
			return "b'" + strconv.FormatUint(n, 2) + "'"
		}
	}
	if v.Type == ast.BitVal {
		return "b'" + string(v.Val) + "'"
	}
	n := uint64(0)
	for _, b := range v.Val {
		n = n<<8 | uint64(b)
	}
	return "b'" + strconv.FormatUint(n, 2) + "'"
}

func indexTexts(def *catalog.Table) (out []string) {
	for _, x := range ShownIndexes(def) {
		out = append(out, indexText(def, x))
	}
	return out
}

// ShownIndexes are the keys in MySQL's order: primary, unique without NULLs, unique, others. Of each
// kind, those over virtual columns come last.
func ShownIndexes(def *catalog.Table) (out []*catalog.Index) {
	for _, x := range def.Indexes {
		if len(x.Parts) > 0 && x.Name != "" && !x.Building {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b *catalog.Index) int { return shownRank(def, a) - shownRank(def, b) })
	return out
}

// shownRank orders the keys of a table.
func shownRank(def *catalog.Table, x *catalog.Index) int {
	if x.Clustered && x.Name == "PRIMARY" {
		return 0
	}
	over := func(is func(c *catalog.Column) bool) bool {
		return slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return is(&def.Columns[p.Column]) })
	}
	rank := 2
	switch {
	case !x.Unique:
		rank = 6
	case over(func(c *catalog.Column) bool { return c.Nullable }):
		rank = 4
	}
	if over(func(c *catalog.Column) bool { return c.Virtual || c.System }) {
		rank++
	}
	return rank
}

func indexText(def *catalog.Table, x *catalog.Index) string {
	head := "KEY " + QuoteName(x.Name)
	switch {
	case x.Name == "PRIMARY":
		head = "PRIMARY KEY"
	case x.Unique:
		head = "UNIQUE " + head
	}
	return fmt.Sprintf("  %s %s", head, keyParts(def, x))
}

// keyParts is what stands behind the name of a key.
func keyParts(def *catalog.Table, x *catalog.Index) string {
	parts := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		if c := &def.Columns[p.Column]; c.System {
			parts[i] = "(" + ExprText(c.Generated) + ")"
		} else {
			parts[i] = QuoteName(c.Name)
		}
		if p.Prefix > 0 {
			parts[i] += fmt.Sprintf("(%d)", p.Prefix)
		}
		if p.Desc {
			parts[i] += " DESC"
		}
	}
	return fmt.Sprintf("(%s)%s", strings.Join(parts, ","), keyTail(x.Comment, traitsOf(x)))
}

// keyTail is what stands behind the parts of a key.
func keyTail(comment string, traits KeyTraits) string {
	text := commentText(comment, " ")
	if traits.Btree {
		text = " USING BTREE" + text
	}
	if traits.Hidden {
		text += " /*!80000 INVISIBLE */"
	}
	if traits.Ngram {
		text += " /*!50100 WITH PARSER `ngram` */ "
	}
	return text
}

func ForeignKeyText(def *catalog.Table, fk *catalog.ForeignKey) string {
	parent := QuoteName(fk.ParentTable)
	if !strings.EqualFold(fk.ParentSchema, def.Schema) && fk.ParentSchema != "" {
		parent = QuoteName(fk.ParentSchema) + "." + parent
	}
	text := fmt.Sprintf("  CONSTRAINT %s FOREIGN KEY (%s) REFERENCES %s (%s)", QuoteName(fk.Name), spacedNames(fk.Columns), parent, spacedNames(fk.ParentColumns))
	if a := Action(fk.OnDelete); a != "" {
		text += " ON DELETE " + a
	}
	if a := Action(fk.OnUpdate); a != "" {
		text += " ON UPDATE " + a
	}
	return text
}

func spacedNames(names []string) string { return strings.ReplaceAll(QuoteNames(names), "`,`", "`, `") }

// Action is a referential action that is written: NO ACTION is what stands for nothing.
func Action(a string) string {
	switch a = strings.ToUpper(a); a {
	case "CASCADE", "SET NULL", "RESTRICT", "SET DEFAULT":
		return a
	}
	return ""
}
