package sqllayer

// Keys as the grammar gives them and go-mysql-server's planner drops or refuses them:
//
//	(a DESC)           the planner drops the word: the key's comment carries the numbers of the parts, until CreateIndex takes them off
//	KEY ((a + 1))      the planner knows expressions in CREATE INDEX only: those of a CREATE TABLE are cut out, carried as an option of the table
//	                   and made by a CREATE INDEX each when the table is there, in the same
//	                   transaction

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
)

const (
	descMark   = "\x00desc "
	keysOption = "\x00keys" // a table option; no client can write its name

	erFunctionalColumn     = 3762
	erFunctionalPrimary    = 3756
	erFunctionalJSON       = 3753
	erFunctionalText       = 3757
	erFunctionalDisallowed = 3758
)

// markDescending notes the parts of a key that are in descending order in its comment.
func markDescending(fields []*ast.IndexField, options []*ast.IndexOption) []*ast.IndexOption {
	var at []string
	for i, f := range fields {
		if strings.EqualFold(f.Order, ast.DescScr) {
			at = append(at, strconv.Itoa(i))
			f.Order = ""
		}
	}
	if at == nil {
		return options
	}
	mark := descMark + strings.Join(at, ",") + "\x00"
	for _, o := range options {
		if strings.EqualFold(o.Name, "comment") && o.Value != nil {
			o.Value = ast.NewStrVal(append([]byte(mark), o.Value.Val...))
			return options
		}
	}
	return append(options, &ast.IndexOption{Name: ast.KeywordString(ast.COMMENT_KEYWORD), Value: ast.NewStrVal([]byte(mark))})
}

// descMarkOf is the mark of a key that is there.
func descMarkOf(parts []row.KeyPart) string {
	var at []string
	for i, p := range parts {
		if p.Desc {
			at = append(at, strconv.Itoa(i))
		}
	}
	if at == nil {
		return ""
	}
	return descMark + strings.Join(at, ",") + "\x00"
}

// descending takes the mark off a comment and sets the order of the parts.
func descending(comment string, parts []row.KeyPart) string {
	rest, ok := strings.CutPrefix(comment, descMark)
	if !ok {
		return comment
	}
	at, comment, _ := strings.Cut(rest, "\x00")
	for _, n := range strings.Split(at, ",") {
		if i, err := strconv.Atoi(n); err == nil && i < len(parts) {
			parts[i].Desc = true
		}
	}
	return comment
}

// keys looks at the keys of CREATE TABLE, CREATE INDEX and ALTER TABLE.
func (r *rewriterAST) keys(n *ast.DDL) error {
	if x := n.IndexSpec; x != nil && strings.EqualFold(x.Action, ast.CreateStr) {
		if err := checkFunctional(x.Fields, x.ToName.String(), strings.EqualFold(x.Type, ast.PrimaryStr)); err != nil {
			return err
		}
		if x.ToName.IsEmpty() && len(x.Fields) > 0 && x.Fields[0].Expression != nil {
			x.ToName = ast.NewColIdent(functionalName)
		}
		if !strings.EqualFold(x.Type, ast.PrimaryStr) {
			x.Options = markDescending(x.Fields, x.Options)
		}
	}
	if n.Action != ast.CreateStr || n.TableSpec == nil {
		return nil
	}
	names := map[string]bool{}
	for _, x := range n.TableSpec.Indexes {
		names[x.Info.Name.Lowered()] = true
	}
	var own []string
	kept := n.TableSpec.Indexes[:0:0]
	for _, x := range n.TableSpec.Indexes {
		if err := checkFunctional(x.Fields, x.Info.Name.String(), x.Info.Primary); err != nil {
			return err
		}
		functional := false
		for _, f := range x.Fields {
			functional = functional || f.Expression != nil
		}
		switch {
		case functional && n.OptSelect == nil:
			own = append(own, createIndexText(x, names))
			continue
		case !x.Info.Primary:
			x.Options = markDescending(x.Fields, x.Options)
		}
		kept = append(kept, x)
	}
	if own != nil {
		n.TableSpec.Indexes = kept
		n.TableSpec.TableOpts = append(n.TableSpec.TableOpts, &ast.TableOption{Name: keysOption, Value: strings.Join(own, "\x00")})
	}
	return nil
}

// functionalName is the name of a key that has none and begins with an expression.
const functionalName = "functional_index"

// createIndexText is what stands behind CREATE and before ON, and what stands behind the table's
// name, of the statement that makes a key.
func createIndexText(x *ast.IndexDefinition, names map[string]bool) string {
	name := x.Info.Name.String()
	if name == "" {
		base := functionalName
		if f := x.Fields[0]; f.Expression == nil {
			base = f.Column.String()
		}
		for n := 1; name == "" || names[strings.ToLower(name)]; n++ {
			if name = base; n > 1 {
				name = fmt.Sprintf("%s_%d", base, n)
			}
		}
		names[strings.ToLower(name)] = true
	}
	head := "INDEX " + quoteName(name)
	if x.Info.Unique {
		head = "UNIQUE " + head
	}
	parts := make([]string, len(x.Fields))
	for i, f := range x.Fields {
		if f.Expression != nil {
			parts[i] = "(" + ast.String(f.Expression) + ")"
		} else {
			parts[i] = quoteName(f.Column.String())
		}
		if f.Length != nil {
			parts[i] += "(" + ast.String(f.Length) + ")"
		}
		parts[i] += " " + f.Order
	}
	tail := "(" + strings.Join(parts, ", ") + ")"
	for _, o := range x.Options {
		if strings.EqualFold(o.Name, "comment") && o.Value != nil {
			tail += " COMMENT " + ast.String(o.Value)
		}
	}
	return head + "\x01" + tail
}

// checkFunctional refuses expressions that cannot be parts of keys.
func checkFunctional(fields []*ast.IndexField, name string, primary bool) error {
	for _, f := range fields {
		if f.Expression == nil {
			continue
		}
		if primary {
			return NewError(erFunctionalPrimary, "The primary key cannot be a functional index")
		}
		if name == "" {
			name = functionalName
		}
		if err := nowhere(f.Expression); err != nil {
			return err
		}
		if err := ofKey.refuse(name, f.Expression); err != nil {
			return err
		}
		if _, column := Unwrapped(f.Expression).(*ast.ColName); column {
			return NewError(erFunctionalColumn, "Functional index on a column is not supported. Consider using a regular index instead.")
		}
	}
	return nil
}

// createTable builds a CREATE TABLE that carries functional keys; nil for others.
func (b *builder) createTable(ctx *sql.Context, n *plan.CreateTable, r sql.Row) (sql.RowIter, error) {
	keys, ok := n.TableOpts[keysOption].(string)
	if !ok {
		return nil, nil
	}
	delete(n.TableOpts, keysOption)
	defer func() { n.TableOpts[keysOption] = keys }() // the plan may run again
	_, there, err := n.Db.GetTableInsensitive(ctx, n.Name())
	if err != nil {
		return nil, err
	}
	iter, err := b.base.Build(ctx, n, r)
	if err != nil || there {
		return iter, err
	}
	for _, key := range strings.Split(keys, "\x00") {
		head, tail, _ := strings.Cut(key, "\x01")
		text := fmt.Sprintf("CREATE %s ON %s.%s %s", head, quoteName(n.Db.Name()), quoteName(n.Name()), tail)
		if err := b.runWithin(ctx, text); err != nil {
			if sql.ErrColumnNotFound.Is(err) {
				err = inFunctional(err)
			}
			return nil, errors.Join(err, iter.Close(ctx))
		}
	}
	return iter, nil
}

// inFunctional says where the column that is not there is wanted.
func inFunctional(err error) error {
	known := Translate(err, "")
	return NewError(known.Num, "%s", strings.Replace(known.Message, "'field list'", "'functional index'", 1))
}

// runWithin runs a statement as a part of the one that is running.
func (b *builder) runWithin(ctx *sql.Context, text string) error {
	stmt, _, _, err := (&parser{plain: b.layer.opts.Plain}).ParseWithOptions(ctx, text, ';', false, ast.ParserOptions{})
	if err != nil {
		return err
	}
	node, flags, err := planbuilder.New(ctx, b.layer.Engine.Analyzer.Catalog, nil).BindOnly(stmt, text, nil)
	if err != nil {
		return err
	}
	if node, err = b.layer.Engine.Analyzer.Analyze(ctx, node, nil, flags); err != nil {
		return err
	}
	iter, err := b.base.Build(ctx, node, nil)
	if err != nil {
		return err
	}
	for {
		if _, err := iter.Next(ctx); err != nil {
			if err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
				err = nil
			}
			return errors.Join(err, iter.Close(ctx))
		}
	}
}

// functionalType is the type of the column behind a part of a functional key. go-mysql-server knows
// no lengths of texts.
func functionalType(ctx *sql.Context, c *sql.Column, collation sql.CollationID) (sql.Type, error) {
	switch {
	case types.IsJSON(c.Type), types.IsGeometry(c.Type):
		return nil, NewError(erFunctionalJSON, "Cannot create a functional index on a function that returns a JSON or GEOMETRY value.")
	case !types.IsTextOnly(c.Type):
		return c.Type, nil
	}
	length, ok := textLength(ctx, c.Generated.Expr)
	if !ok {
		return nil, NewError(erFunctionalText, "Cannot create a functional index on an expression that returns a BLOB or TEXT. Please consider using CAST.")
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
	before := ""
	for w := range wordsOf(text, 0) {
		word := w.text
		switch {
		case word == "(" && before != "" && isNameByte(before[0]) && !matched[strings.ToLower(before)]:
			return false
		case strings.EqualFold(word, "interval"), strings.EqualFold(word, "collate"), strings.EqualFold(word, "binary"), strings.ContainsAny(word, "<>=!~|&^"):
			return false
		}
		before = word
	}
	return true
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
		case "json_unquote", "json_extract", "json_value", "->>":
			return 0, false
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

// plainName refuses names of the columns that are made for functional indexes.
func plainName(name string) error {
	if sql.IsHiddenSystemColumn(name) {
		return NewError(erWrongColumnName, "Incorrect column name '%s'", name)
	}
	return nil
}

const erWrongColumnName = 1166
