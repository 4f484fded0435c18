package sqllayer

// SHOW CREATE TABLE of the engine's tables, written from the definition as MySQL writes them.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/parse"
	"emberdb/sql/partition"
	"emberdb/sqllayer/lower"
)

// ownTable is the engine's table of a node, nil if it is no base table.
func ownTable(n sql.Node) *Table {
	r, ok := n.(*plan.ResolvedTable)
	if !ok {
		return nil
	}
	t, _ := sql.GetUnderlyingTable(r.UnderlyingTable()).(*Table)
	return t
}

// virtualTable is the virtual table of a node, nil if it is none.
func virtualTable(n sql.Node) *VirtualTable {
	r, ok := n.(*plan.ResolvedTable)
	if !ok {
		return nil
	}
	return virtualOf(sql.GetUnderlyingTable(r.UnderlyingTable()))
}

func virtualOf(t sql.Table) *VirtualTable {
	switch t := t.(type) {
	case *VirtualTable:
		return t
	case *UpdatableVirtual:
		return t.VirtualTable
	case EditableVirtual:
		return t.VirtualTable
	}
	return nil
}

// showCreate runs SHOW CREATE TABLE.
func (b *builder) showCreate(ctx *sql.Context, n *plan.ShowCreateTable) (sql.RowIter, error) {
	if view, ok := n.Child.(*plan.SubqueryAlias); ok {
		return b.showView(ctx, view)
	}
	if v := virtualTable(n.Child); v != nil && v.CreateText != "" && !n.IsView {
		return sql.RowsToRowIter(sql.Row{v.Name(), v.CreateText}), nil
	}
	t := ownTable(n.Child)
	switch {
	case t == nil:
		return nil, nil
	case n.IsView:
		return nil, NewError(1347, "'%s.%s' is not VIEW", t.def.database, t.Name())
	}
	next := uint64(0)
	if t.def.def.AutoInc >= 0 {
		var err error
		if next, err = t.PeekNextAutoIncrementValue(ctx); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(sql.Row{t.Name(), createText(ctx, t.def, next)}), nil
}

// createText writes CREATE TABLE. next is the next AUTO_INCREMENT value.
func createText(ctx *sql.Context, d *tableDef, next uint64) string {
	def := d.def
	var lines []string
	for i := range def.Columns {
		if !def.Columns[i].Invisible {
			lines = append(lines, columnText(ctx, d, i))
		}
	}
	lines = append(lines, indexTexts(def)...)
	special, _ := specialIndexes(def)
	for _, x := range special {
		kind := map[string]string{"fulltext": "FULLTEXT ", "spatial": "SPATIAL ", "vector": "VECTOR "}[x.Kind]
		lines = append(lines, fmt.Sprintf("  %sKEY %s (%s)%s", kind, quoteName(x.Name), quoteNames(x.Columns), commentText(x.Comment, " ")))
	}
	foreign := slices.Clone(def.ForeignKeys)
	slices.SortFunc(foreign, func(a, b catalog.ForeignKey) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	for i := range foreign {
		lines = append(lines, foreignKeyText(def, &foreign[i]))
	}
	for _, c := range def.Checks {
		text := fmt.Sprintf("  CONSTRAINT %s CHECK (%s)", quoteName(c.Name), exprText(c.Expr))
		if !c.Enforced {
			text += " /*!80016 NOT ENFORCED */"
		}
		lines = append(lines, text)
	}
	temporary := ""
	if def.Temporary {
		temporary = "TEMPORARY "
	}
	return fmt.Sprintf("CREATE %sTABLE %s (\n%s\n) ENGINE=InnoDB%s", temporary, quoteName(d.name), strings.Join(lines, ",\n"), optionsText(def, next))
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
	text += commentText(def.Comment, "=")
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
	return " COMMENT" + between + "'" + quoteComment.Replace(comment) + "'"
}

var quoteComment = strings.NewReplacer("'", "''", `\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)

// quoteEscaped writes texts as MySQL does within expressions, and expressions in its lists.
var quoteEscaped = strings.NewReplacer("'", `\'`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`, "\x1a", `\Z`)

func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteName(n)
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
		return timeText(0) // go-mysql-server says time(6)
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

// collationOf is the collation of a column of text, ENUM or SET; ok is false for others.
func collationOf(t sql.Type) (sql.CollationID, bool) {
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

func columnText(ctx *sql.Context, d *tableDef, i int) string {
	c := &d.def.Columns[i]
	t := d.columns[i].Type
	text := "  " + quoteName(c.Name) + " " + d.shownType(i)
	table := sql.CollationID(d.def.Collation)
	if coll, ok := collationOf(t); ok {
		switch {
		case coll != table:
			text += collateText(coll)
		case coll != sql.Collation_utf8mb4_0900_ai_ci && showsCollation(coll):
			text += " COLLATE " + coll.Name()
		}
	}
	if c.Generated != "" {
		text += " GENERATED ALWAYS AS (" + exprText(c.Generated) + ")"
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
	text += defaultText(ctx, d, i)
	if c.OnUpdate != "" {
		text += " ON UPDATE " + currentTime(c.OnUpdate)
	}
	if i == d.def.AutoInc {
		text += " AUTO_INCREMENT"
	}
	if c.SRID != nil {
		text += fmt.Sprintf(" /*!80003 SRID %d */", *c.SRID)
	}
	return text + commentText(c.Comment, " ")
}

// defaultText is the DEFAULT clause.
func defaultText(ctx *sql.Context, d *tableDef, i int) string {
	c := &d.def.Columns[i]
	switch {
	case c.Generated != "" || i == d.def.AutoInc:
		return ""
	case !c.HasDefault && !c.Nullable:
		return ""
	}
	var value *string // NULL
	literal := true
	if c.HasDefault {
		value, literal = shownDefault(ctx, d, i)
	}
	switch {
	case value == nil && (c.Type == row.TText || c.Type == row.TBlob):
		return ""
	case value == nil:
		return " DEFAULT NULL"
	case !literal && isCurrentTime(*value):
		return " DEFAULT " + *value
	case !literal:
		return " DEFAULT (" + *value + ")"
	case strings.HasPrefix(*value, "b'"):
		return " DEFAULT " + *value
	}
	return " DEFAULT '" + quoteComment.Replace(*value) + "'"
}

func isCurrentTime(text string) bool { return strings.HasPrefix(text, "CURRENT_TIMESTAMP") }

// currentTime writes the call of NOW as MySQL does.
func currentTime(text string) string {
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

// shownDefault is a column's default as SHOW COLUMNS tells it: the value of a literal, or the text of an expression; nil is NULL.
func shownDefault(ctx *sql.Context, d *tableDef, i int) (*string, bool) {
	c := &d.def.Columns[i]
	if !c.HasDefault || c.Generated != "" {
		return nil, true
	}
	if now := currentTime(c.Default); isCurrentTime(now) {
		return &now, false
	}
	if !c.Literal {
		text := exprText(c.Default)
		return &text, false
	}
	v, ok := literalValue(ctx, c.Default, d.columns[i].Type, &c.Column)
	if !ok {
		return nil, true
	}
	return &v, true
}

// listedDefault is a column's default in lists of columns: like shownDefault, the text of an expression escaped.
func listedDefault(ctx *sql.Context, d *tableDef, i int) *string {
	v, literal := shownDefault(ctx, d, i)
	if v != nil && !literal {
		text := quoteEscaped.Replace(*v)
		return &text
	}
	return v
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
		return string(ZeroFill(AppendColumnFloat(nil, float64(f), c), 0, c)), true
	}
	if f, ok := converted.(float64); ok {
		return string(ZeroFill(AppendColumnFloat(nil, f, c), 0, c)), true
	}
	text = string(ZeroFill(out.ToBytes(), 0, c))
	if types.IsTimespan(t) {
		text = strings.TrimSuffix(fmt.Sprint(value), ".000000")
	}
	return text, true
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
	for _, x := range shownIndexes(def) {
		out = append(out, indexText(def, x))
	}
	return out
}

// shownIndexes are the keys in MySQL's order: primary, unique without NULLs, unique, others.
func shownIndexes(def *catalog.Table) (out []*catalog.Index) {
	rank := func(x *catalog.Index) int {
		switch {
		case x.Clustered && x.Name == "PRIMARY":
			return 0
		case !x.Unique:
			return 3
		}
		for _, p := range x.Parts {
			if def.Columns[p.Column].Nullable {
				return 2
			}
		}
		return 1
	}
	for want := range 4 {
		for _, x := range def.Indexes {
			if len(x.Parts) > 0 && x.Name != "" && !x.Building && rank(x) == want {
				out = append(out, x)
			}
		}
	}
	return out
}

func indexText(def *catalog.Table, x *catalog.Index) string {
	parts := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		if c := &def.Columns[p.Column]; c.Invisible {
			parts[i] = "(" + exprText(c.Generated) + ")"
		} else {
			parts[i] = quoteName(c.Name)
		}
		if p.Prefix > 0 {
			parts[i] += fmt.Sprintf("(%d)", p.Prefix)
		}
		if p.Desc {
			parts[i] += " DESC"
		}
	}
	head := "KEY " + quoteName(x.Name)
	switch {
	case x.Name == "PRIMARY":
		head = "PRIMARY KEY"
	case x.Unique:
		head = "UNIQUE " + head
	}
	text := fmt.Sprintf("  %s (%s)%s", head, strings.Join(parts, ","), commentText(x.Comment, " "))
	if x.Invisible {
		text += " /*!80000 INVISIBLE */"
	}
	return text
}

func foreignKeyText(def *catalog.Table, fk *catalog.ForeignKey) string {
	parent := quoteName(fk.ParentTable)
	if !strings.EqualFold(fk.ParentSchema, def.Schema) && fk.ParentSchema != "" {
		parent = quoteName(fk.ParentSchema) + "." + parent
	}
	text := fmt.Sprintf("  CONSTRAINT %s FOREIGN KEY (%s) REFERENCES %s (%s)", quoteName(fk.Name), spacedNames(fk.Columns), parent, spacedNames(fk.ParentColumns))
	if a := action(fk.OnDelete); a != "" {
		text += " ON DELETE " + a
	}
	if a := action(fk.OnUpdate); a != "" {
		text += " ON UPDATE " + a
	}
	return text
}

func spacedNames(names []string) string { return strings.ReplaceAll(quoteNames(names), "`,`", "`, `") }

// action is a referential action that is written: NO ACTION is what stands for nothing.
func action(a string) string {
	switch a = strings.ToUpper(a); a {
	case "CASCADE", "SET NULL", "RESTRICT", "SET DEFAULT":
		return a
	}
	return ""
}
