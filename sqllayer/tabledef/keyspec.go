package tabledef

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
)

const (
	keyMark    = "\x00key "
	KeysOption = "\x00keys" // a table option; no client can write its name

	erFunctionalColumn     = 3762
	erFunctionalPrimary    = 3756
	erFunctionalJSON       = 3753
	erFunctionalText       = 3757
	erFunctionalDisallowed = 3758
	erFunctionalShape      = 3760
)

// Words in the mark of a key.
const (
	hiddenMark = "-" // of an invisible one
	btreeMark  = "b" // of one whose definition says USING BTREE
	ngramMark  = "n" // of a full-text index WITH PARSER ngram
)

// KeyTraits are what GMS drops of a key, but for the order of its parts.
type KeyTraits struct{ Hidden, Btree, Ngram bool }

func traitsOf(x *catalog.Index) KeyTraits { return KeyTraits{Hidden: x.Invisible, Btree: x.Btree} }

func (s *SpecialIndex) traits() KeyTraits { return KeyTraits{Hidden: s.Invisible, Ngram: s.Ngram} }

func (t KeyTraits) words() (out []string) {
	if t.Hidden {
		out = append(out, hiddenMark)
	}
	if t.Btree {
		out = append(out, btreeMark)
	}
	if t.Ngram {
		out = append(out, ngramMark)
	}
	return out
}

// MarkKey notes in a key's comment what GMS drops: which parts are in descending order, and the traits.
func MarkKey(fields []*ast.IndexField, options []*ast.IndexOption, traits KeyTraits) []*ast.IndexOption {
	var at []string
	for i, f := range fields {
		if strings.EqualFold(f.Order, ast.DescScr) {
			at = append(at, strconv.Itoa(i))
			f.Order = ""
		}
	}
	at = append(at, traits.words()...)
	if at == nil {
		return options
	}
	mark := keyMark + strings.Join(at, ",") + "\x00"
	for _, o := range options {
		if strings.EqualFold(o.Name, "comment") && o.Value != nil {
			o.Value = ast.NewStrVal(append([]byte(mark), o.Value.Val...))
			return options
		}
	}
	return append(options, &ast.IndexOption{Name: ast.KeywordString(ast.COMMENT_KEYWORD), Value: ast.NewStrVal([]byte(mark))})
}

// DeclaredTraits are the traits of a key: using is the algorithm before its parts, which those behind
// them replace.
func DeclaredTraits(using string, options []*ast.IndexOption) KeyTraits {
	ngram := false
	for _, o := range options {
		switch o.Name {
		case "using":
			using = o.Using
		case "ngram":
			ngram = true
		}
	}
	return KeyTraits{Hidden: DeclaredHidden(options), Btree: strings.EqualFold(using, "btree"), Ngram: ngram}
}

// DeclaredHidden tells whether a key is declared INVISIBLE: the last word counts.
func DeclaredHidden(options []*ast.IndexOption) (hidden bool) {
	for _, o := range options {
		switch o.Name {
		case "visible", "invisible":
			hidden = o.Name == "invisible"
		}
	}
	return hidden
}

// keyMarkOf is the mark of a key that is there.
func keyMarkOf(parts []row.KeyPart, traits KeyTraits) string {
	var at []string
	for i, p := range parts {
		if p.Desc {
			at = append(at, strconv.Itoa(i))
		}
	}
	at = append(at, traits.words()...)
	if at == nil {
		return ""
	}
	return keyMark + strings.Join(at, ",") + "\x00"
}

// Unmark takes the mark off a comment, sets the order of the parts and tells the traits of the key.
func Unmark(comment string, parts []row.KeyPart) (text string, traits KeyTraits) {
	rest, ok := strings.CutPrefix(comment, keyMark)
	if !ok {
		return comment, traits
	}
	at, comment, _ := strings.Cut(rest, "\x00")
	for n := range strings.SplitSeq(at, ",") {
		traits.Hidden = traits.Hidden || n == hiddenMark
		traits.Btree = traits.Btree || n == btreeMark
		traits.Ngram = traits.Ngram || n == ngramMark
		if i, err := strconv.Atoi(n); err == nil && i < len(parts) {
			parts[i].Desc = true
		}
	}
	return comment, traits
}

// FunctionalName is the name of a functional key that has none.
const FunctionalName = "functional_index"

// CreateIndexText is what stands behind CREATE and before ON, and what stands behind the table's
// name, of the statement that makes a key.
func CreateIndexText(x *ast.IndexDefinition, names map[string]bool) string {
	name := x.Info.Name.String()
	if name == "" {
		name = freeName(func(name string) bool { return names[strings.ToLower(name)] })
		names[strings.ToLower(name)] = true
	}
	head := "INDEX " + QuoteName(name)
	if x.Info.Unique {
		head = "UNIQUE " + head
	}
	parts := make([]string, len(x.Fields))
	for i, f := range x.Fields {
		if f.Expression != nil {
			parts[i] = "(" + SourceText(f.Expression) + ")"
		} else {
			parts[i] = QuoteName(f.Column.String())
		}
		if f.Length != nil {
			parts[i] += "(" + ast.String(f.Length) + ")"
		}
		if f.Order != ast.AscScr { // MySQL minds the word before elements of an array
			parts[i] += " " + f.Order
		}
	}
	tail := "(" + strings.Join(parts, ", ") + ")"
	for _, o := range x.Options {
		if strings.EqualFold(o.Name, "comment") && o.Value != nil {
			tail += " COMMENT " + ast.String(o.Value)
		}
	}
	if DeclaredHidden(x.Options) {
		tail += " INVISIBLE"
	}
	return head + "\x01" + tail
}

// FreeKeyName is the name of a functional key that is added to a table and has none.
func FreeKeyName(def *catalog.Table) string {
	return freeName(func(name string) bool { return HasKey(def, name) })
}

// HasKey tells whether a table has a key of that name.
func HasKey(def *catalog.Table, name string) bool {
	return slices.ContainsFunc(def.Indexes, func(x *catalog.Index) bool { return strings.EqualFold(x.Name, name) })
}

// freeName is the first name of a functional key that is not taken.
func freeName(taken func(name string) bool) string {
	name := FunctionalName
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s_%d", FunctionalName, n)
	}
	return name
}

// SourceText is the text of a tree as statements have it: neither a typed literal nor an expression
// of a definition is a call.
func SourceText(n ast.SQLNode) string {
	buf := ast.NewTrackedBuffer(func(buf *ast.TrackedBuffer, n ast.SQLNode) {
		switch f := n.(type) {
		case *ast.FuncExpr:
			if text, _, ok := expr.DefinedText(f); ok {
				buf.WriteString(text)
				return
			}
			if word, typed := strings.CutPrefix(f.Name.String(), operand.TypedLiteral); typed {
				buf.Myprintf("%s%v", word, f.Exprs)
				return
			}
		case *ast.ColumnType: // which prints its expressions on its own
			own := *f
			own.Default, own.GeneratedExpr = plainText(f.Default), plainText(f.GeneratedExpr)
			n = &own
		}
		n.Format(buf)
	})
	buf.Myprintf("%v", n)
	return buf.String()
}

// plainText is an expression of a definition as the text that it carries; others stay.
func plainText(e ast.Expr) ast.Expr {
	if p, ok := e.(*ast.ParenExpr); ok {
		if f, ok := p.Expr.(*ast.FuncExpr); ok {
			if text, _, ok := expr.DefinedText(f); ok {
				return &ast.ParenExpr{Expr: ast.NewIntVal([]byte(text))}
			}
		}
	}
	return e
}

// FunctionalKeys are the functional keys of a table, as CreateIndexText writes them, by their names
// in lower case.
func FunctionalKeys(def *catalog.Table) (texts []string, names map[string]bool) {
	names = make(map[string]bool)
	for _, x := range def.Indexes {
		if !slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return def.Columns[p.Column].System }) {
			continue
		}
		head := "INDEX " + QuoteName(x.Name)
		if x.Unique {
			head = "UNIQUE " + head
		}
		texts, names[strings.ToLower(x.Name)] = append(texts, head+"\x01"+keyParts(def, x)), true
	}
	return texts, names
}

// CheckFunctional refuses expressions that cannot be parts of keys.
func CheckFunctional(fields []*ast.IndexField, name string, primary bool, builtIn func(function string) bool) error {
	for _, f := range fields {
		if f.Expression == nil {
			continue
		}
		if primary {
			return sqlerr.NewError(erFunctionalPrimary, "The primary key cannot be a functional index")
		}
		if name == "" {
			name = FunctionalName
		}
		if err := Nowhere(f.Expression); err != nil {
			return err
		}
		if err := ofKey.Refuse(name, f.Expression, builtIn); err != nil {
			return err
		}
		if _, column := Unwrapped(f.Expression).(*ast.ColName); column {
			return sqlerr.NewError(erFunctionalColumn, "Functional index on a column is not supported. Consider using a regular index instead.")
		}
	}
	return nil
}

// functionalType is the type of the column behind a part of a functional key. go-mysql-server knows
// no lengths of texts.
func functionalType(ctx *sql.Context, c *sql.Column, collation sql.CollationID) (sql.Type, error) {
	if IsList(c.Generated.Expr) {
		return types.LongBlob, nil
	}
	switch {
	case types.IsGeometry(c.Type):
		return nil, sqlerr.NewError(erFunctionalShape, "Spatial functional index is not supported.")
	case types.IsJSON(c.Type):
		return nil, sqlerr.NewError(erFunctionalJSON, "Cannot create a functional index on a function that returns a JSON or GEOMETRY value.")
	case !types.IsTextOnly(c.Type):
		return c.Type, nil
	}
	length, ok := textLength(ctx, c.Generated.Expr)
	if !ok {
		return nil, sqlerr.NewError(erFunctionalText, "Cannot create a functional index on an expression that returns a BLOB or TEXT. Please consider using CAST.")
	}
	if found, _ := sql.GetCoercibility(ctx, c.Generated.Expr); found != sql.Collation_Unspecified && found != sql.Collation_binary {
		collation = found
	}
	return types.CreateString(sqltypes.VarChar, max(length, 1), collation)
}

// matched are the functions whose calls are equal if their arguments are. That is how the planner
// compares a condition with the expression of an index; what else belongs to a call (the type of a
// CAST, the unit of an interval, a collation) it does not see.
var matched = map[string]bool{"lower": true, "upper": true, "lcase": true, "ucase": true, "concat": true, "concat_ws": true, "abs": true, "json_extract": true, "json_unquote": true,
	"substring": true, "substr": true, "left": true, "right": true, "md5": true, "sha": true, "sha1": true, "sha2": true, "length": true, "char_length": true, "ifnull": true,
	"coalesce": true, "if": true, "nullif": true, "year": true, "month": true, "day": true, "date": true, "hour": true, "minute": true, "second": true, "floor": true,
	"ceil": true, "ceiling": true, "round": true, "reverse": true, "hex": true, "replace": true, "greatest": true, "least": true}

// matchable tells whether the planner may use an index over an expression for conditions over it.
func matchable(text string) bool {
	x, err := parse.ParseExpr(text, parse.Options{})
	ok := err == nil
	sqlast.Inspect(x, func(n sqlast.Node) bool {
		switch n := n.(type) {
		case *sqlast.Func:
			ok = ok && !n.Schema.Given() && matched[strings.ToLower(n.Name.Name)]
		case *sqlast.BinaryExpr:
			ok = ok && n.Op >= sqlast.Add && n.Op <= sqlast.Mod
		case *sqlast.Unary:
			ok = ok && n.Op == sqlast.Minus
		case nil, *sqlast.Ident, *sqlast.Column, *sqlast.Literal, *sqlast.JSONPath:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// textLength is the greatest number of characters an expression gives; ok is false if it has none
// that a VARCHAR can have.
func textLength(ctx *sql.Context, e sql.Expression) (n int64, ok bool) {
	if c, is := e.(*expression.Convert); is {
		if m := castLength.FindStringSubmatch(c.String()); m != nil {
			n, err := strconv.ParseInt(m[1], 10, 64)
			return n, err == nil && n <= maxVarchar
		}
		if n, ok := textLength(ctx, c.Child); ok {
			return n, true
		}
		return anyCast, true
	}
	t, isText := e.Type(ctx).(sql.StringType)
	if !isText {
		return 30, !types.IsJSON(e.Type(ctx))
	}
	switch e := e.(type) {
	case *expression.GetField:
		return t.MaxCharacterLength(), types.IsText(t) && t.Type() != sqltypes.Text && t.MaxCharacterLength() <= maxVarchar
	case *expression.Literal:
		return int64(len(fmt.Sprint(e.Value()))), true
	}
	if f, is := e.(sql.FunctionExpression); is {
		switch strings.ToLower(f.FunctionName()) {
		case "json_unquote", "json_extract", "->>":
			return 0, false
		case "json_value":
			return t.MaxCharacterLength(), t.Type() == sqltypes.VarChar
		case "md5":
			return 32, true
		case "sha", "sha1":
			return 40, true
		case "sha2":
			return 128, true
		}
	}
	for _, child := range e.Children() {
		length, fits := textLength(ctx, child)
		if !fits {
			return 0, false
		}
		n += length
	}
	return n, n <= maxVarchar
}

// castLength finds the length of a CAST, which the library's expression keeps to itself.
var castLength = regexp.MustCompile(`, \w+\((\d+)\)\)$`)

// anyCast is the length of a CAST whose own is not known.
const anyCast = 512

const maxVarchar = 16383
