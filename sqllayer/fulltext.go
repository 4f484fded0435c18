package sqllayer

// Full-text indexes are GMS's own: a handful of ordinary tables beside the indexed one, which GMS reads and writes. The layer keeps their names.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/fulltext"

	"emberdb/engine/catalog"
)

// withFullText lets GMS keep the tables of full-text indexes beside e.
func (t *Table) withFullText(ctx *sql.Context, e *editor) sql.TableEditor {
	sets, config, err := t.fullTextTables(ctx)
	if err != nil || len(sets) == 0 {
		e.err = err
		return e
	}
	words, err := fulltext.CreateEditor(ctx, t, config, sets...)
	if err != nil {
		e.err = err
		return e
	}
	both, err := fulltext.CreateMultiTableEditor(ctx, e, words)
	if err != nil {
		e.err = err
		return e
	}
	return both
}

// fullTextTables finds the tables of t's full-text indexes.
func (t *Table) fullTextTables(ctx *sql.Context) (sets []fulltext.TableSet, config fulltext.EditableTable, err error) {
	find := func(name string) (found fulltext.EditableTable) {
		tbl, ok, lookErr := t.db.GetTableInsensitive(ctx, name)
		if err == nil && lookErr != nil {
			err = lookErr
		}
		if err == nil && !ok {
			err = fmt.Errorf("full-text table %s of table %s: %w", name, t.Name(), sql.ErrTableNotFound.New(name))
		}
		found, _ = tbl.(fulltext.EditableTable)
		return found
	}
	for _, x := range t.def.indexes {
		if !x.IsFullText() {
			continue
		}
		n := x.special.Tables
		config = find(n.Config)
		sets = append(sets, fulltext.TableSet{
			Index: x, Position: find(n.Position), DocCount: find(n.DocCount), GlobalCount: find(n.GlobalCount), RowCount: find(n.RowCount),
		})
	}
	return sets, config, err
}

// CreateFulltextIndex implements fulltext.IndexAlterableTable: GMS has made the tables.
func (t *Table) CreateFulltextIndex(ctx *sql.Context, idx sql.IndexDef, keys fulltext.KeyColumns, names fulltext.IndexTableNames) error {
	return t.addSpecial(ctx, specialIndex{
		Name: idx.Name, Kind: "fulltext", Columns: idx.ColumnNames(), Comment: idx.Comment, Tables: &names, Keys: &keys,
	})
}

// addSpecial adds an index without a tree to the definition.
func (t *Table) addSpecial(ctx *sql.Context, x specialIndex) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		list, err := specialIndexes(def)
		if err != nil {
			return err
		}
		return setSpecialIndexes(def, append(list, x))
	})
}

// isFullTextTable tells whether a table is one of those.
func isFullTextTable(name string) bool { return strings.Contains(name, "_FTS_") }
