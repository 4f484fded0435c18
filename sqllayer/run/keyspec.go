package run

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// createTable builds a CREATE TABLE that carries functional keys; nil for others.
func (b *Builder) createTable(ctx *sql.Context, n *plan.CreateTable, r sql.Row) (sql.RowIter, error) {
	keys, ok := n.TableOpts[tabledef.KeysOption].(string)
	if !ok {
		return nil, nil
	}
	delete(n.TableOpts, tabledef.KeysOption)
	defer func() { n.TableOpts[tabledef.KeysOption] = keys }() // the plan may run again
	_, there, err := n.Db.GetTableInsensitive(ctx, n.Name())
	if err != nil {
		return nil, err
	}
	iter, err := b.Base.Build(ctx, n, r)
	if err != nil || there {
		return iter, err
	}
	for _, key := range strings.Split(keys, "\x00") {
		head, tail, _ := strings.Cut(key, "\x01")
		text := fmt.Sprintf("CREATE %s ON %s.%s %s", head, tabledef.QuoteName(n.Db.Name()), tabledef.QuoteName(n.Name()), tail)
		if err := b.runWithin(ctx, text); err != nil {
			if sql.ErrColumnNotFound.Is(err) {
				err = sqllayer.InFunctional(err)
			}
			return nil, errors.Join(err, iter.Close(ctx))
		}
	}
	return iter, nil
}

// addFunctional adds a functional key of ALTER TABLE to the table that the statement's other parts
// have left.
func (b *Builder) addFunctional(ctx *sql.Context, n *plan.AlterIndex, key *sqlast.KeyDef, text string) (sql.RowIter, error) {
	t := sqllayer.OwnTable(n.Table)
	if t == nil {
		return nil, plan.ErrNotIndexable.New()
	}
	if err := t.CatchUp(ctx); err != nil {
		return nil, err
	}
	named := *key
	if !named.Name.Given() {
		named.Name = named.Symbol
	}
	if !named.Name.Given() {
		named.Name = sqlast.Ident{Span: key.Span, Name: tabledef.FreeKeyName(t.Def.Def)}
	}
	tree := &sqlast.CreateIndex{Span: key.Span, Key: &named, Table: nameIn(key.Span, n, t)}
	if err := b.runPart(ctx, tree, text); err != nil {
		if sql.ErrColumnNotFound.Is(err) {
			err = sqllayer.InFunctional(err)
		}
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// addLater runs a part of ALTER TABLE over the table that the parts before it have left.
func (b *Builder) addLater(ctx *sql.Context, n *plan.AlterIndex, part sqlast.AlterAction, text string) (sql.RowIter, error) {
	t := sqllayer.OwnTable(n.Table)
	if t == nil {
		return nil, plan.ErrNotIndexable.New()
	}
	if err := t.CatchUp(ctx); err != nil {
		return nil, err
	}
	span := sqlast.Span{From: uint32(part.Pos()), To: uint32(part.End())}
	tree := &sqlast.AlterTable{Span: span, Table: nameIn(span, n, t), Actions: []sqlast.AlterAction{part}}
	if err := b.runPart(ctx, tree, text); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// replacePrimary gives a table another primary key.
func (b *Builder) replacePrimary(ctx *sql.Context, n *plan.AlterIndex, key *sqlast.KeyDef) (sql.RowIter, error) {
	t := sqllayer.OwnTable(n.Table)
	if t == nil {
		return nil, plan.ErrNotIndexable.New()
	}
	if err := t.CatchUp(ctx); err != nil {
		return nil, err
	}
	var columns []sql.IndexColumn
	for i := range key.Parts {
		p := &key.Parts[i]
		length, _ := strconv.ParseInt(p.Length, 10, 64) // 0: the whole column
		columns = append(columns, sql.IndexColumn{Name: p.Column.Name, Length: length})
	}
	if err := t.ReplacePrimaryKey(ctx, columns); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// nameIn is the name of a table at a place of the statement that alters it.
func nameIn(span sqlast.Span, n *plan.AlterIndex, t *sqllayer.Table) (name sqlast.TableName) {
	name.Schema, name.Name = sqlast.Ident{Span: span, Name: n.Db.Name()}, sqlast.Ident{Span: span, Name: t.Name()}
	return name
}

// runPart runs a tree that was made of a part of the running statement, whose text is text.
func (b *Builder) runPart(ctx *sql.Context, tree sqlast.Statement, text string) error {
	read, err := trees.LowerTree(&trees.ReadStatement{Text: text, Next: len(text)}, text, tree, nil, lower.Options{Plain: b.Layer.Opts.Plain})
	if err != nil {
		return err
	}
	stmt, err := (&sqllayer.Parser{Plain: b.Layer.Opts.Plain}).Rewrite(ctx, text, read)
	if err != nil {
		return err
	}
	return b.runTree(ctx, stmt, text)
}

// runWithin runs a statement as a part of the one that is running.
func (b *Builder) runWithin(ctx *sql.Context, text string) error {
	stmt, _, _, err := (&sqllayer.Parser{Plain: b.Layer.Opts.Plain}).ParseWithOptions(ctx, text, ';', false, ast.ParserOptions{})
	if err != nil {
		return err
	}
	return b.runTree(ctx, stmt, text)
}

// runTree is runWithin for a statement that was read from text.
func (b *Builder) runTree(ctx *sql.Context, stmt ast.Statement, text string) error {
	node, flags, err := planbuilder.New(ctx, b.Layer.Engine.Analyzer.Catalog, nil).BindOnly(stmt, text, nil)
	if err != nil {
		return err
	}
	if node, err = b.Layer.Engine.Analyzer.Analyze(ctx, node, nil, flags); err != nil {
		return err
	}
	iter, err := b.Base.Build(ctx, node, nil)
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

// functionalKey builds the statement that makes or drops a functional key, for which go-mysql-server
// adds or drops a column: the expressions of the other columns are planned here, since it would look
// for functions among its own. nil for others.
func (b *Builder) functionalKey(ctx *sql.Context, n *plan.AlterIndex) (sql.RowIter, error) {
	at, ok := n.Table.(*plan.ResolvedTable)
	functional := func(c sql.IndexColumn) bool { return c.Expression != nil }
	hidden := func(c *sql.Column) bool {
		return c.HiddenSystem && sql.IsHiddenSystemColumnForIndex(c.Name, n.IndexName)
	}
	if !ok || !slices.ContainsFunc(n.Columns, functional) && !slices.ContainsFunc(n.Table.Schema(ctx), hidden) {
		return nil, nil
	}
	t, ok := sql.GetUnderlyingTable(at.UnderlyingTable()).(*sqllayer.Table)
	if ok && n.Action == plan.IndexAction_Create && tabledef.HasKey(t.Def.Def, n.IndexName) { // its columns would be made twice
		return nil, sql.ErrDuplicateKey.New(n.IndexName)
	}
	if !ok || !slices.ContainsFunc(t.Schema(ctx), unplanned) {
		return nil, nil
	}
	planned := planbuilder.New(ctx, b.Layer.Engine.Analyzer.Catalog, nil).ResolveSchemaDefaults(n.Db.Name(), t.Name(), t.Schema(ctx))
	own, err := at.WithTable(ctx, t.Planned(planned))
	if err != nil {
		return nil, err
	}
	changed := *n
	changed.Table = own.(*plan.ResolvedTable)
	return b.Base.Build(ctx, &changed, nil)
}

// unplanned tells whether a column has an expression that is a text yet.
func unplanned(c *sql.Column) bool {
	return slices.ContainsFunc([]*sql.ColumnDefaultValue{c.Default, c.Generated, c.OnUpdate}, func(e *sql.ColumnDefaultValue) bool { return !e.Resolved() })
}
