package sqllayer

// A full-text index is a table of the engine's beside the indexed one, hidden and named in the
// definition's option "indexes":
//
//	word   VARBINARY   the word's weights, free of zero bytes, so equal words are equal and the beginning of a word is a range of keys
//	doc    VARBINARY   the row's clustered key
//	count  INT         how often the word is in the row
//	text   BIGINT      a digest of the row's indexed texts: tells whether a row is still the document the words were taken from
//	PRIMARY KEY (word, doc)
//
// Words are added and removed by the transaction that changes the row, so the index agrees with the
// rows whatever ends it. Two transactions never meet there unless they meet at a row:
// go-mysql-server's own way counts a word's documents in one row, for which all writers would
// queue. Searches are in match.go.

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// words returns the tables of words that belong to e's table. REQUIRES: the session's mu.
func (e *Editor) words(ctx context.Context, trx *txn.Trx) ([]*table.Table, error) {
	var out []*table.Table
	for _, x := range e.T.Def.Words {
		h, err := e.T.Db.Layer.Eng.Table(e.T.S.Patient(ctx), trx, e.T.Def.Def.Schema, x.Name)
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

// indexed adds the words of a new row. REQUIRES: the session's mu.
func (e *Editor) indexed(ctx context.Context, trx *txn.Trx, doc []byte, vals []row.Value) error {
	tables, err := e.words(ctx, trx)
	for i, h := range tables {
		if err == nil {
			err = e.T.Def.Words[i].Add(ctx, trx, h, doc, vals)
		}
	}
	return err
}

// unindexed removes the words of a row that was there. REQUIRES: the session's mu.
func (e *Editor) unindexed(ctx context.Context, trx *txn.Trx, doc []byte, vals []row.Value) error {
	tables, err := e.words(ctx, trx)
	for i, h := range tables {
		if err == nil {
			err = e.T.Def.Words[i].Remove(ctx, trx, h, doc, vals)
		}
	}
	return err
}

// reindexed gives a changed row its new words.
func (e *Editor) reindexed(ctx context.Context, trx *txn.Trx, old, new []row.Value) error {
	from := e.T.Def.DocOf(nil, old)
	to := from
	if !e.T.Def.Keyless {
		to = e.T.Def.DocOf(nil, new)
	}
	tables, err := e.words(ctx, trx)
	for i, h := range tables {
		x := e.T.Def.Words[i]
		if err != nil || string(from) == string(to) && slices.Equal(x.Texts(old), x.Texts(new)) {
			continue
		}
		if err = x.Remove(ctx, trx, h, from, old); err == nil {
			err = x.Add(ctx, trx, h, to, new)
		}
	}
	return err
}

// addFullText makes a full-text index.
func (t *Table) addFullText(ctx *sql.Context, idx sql.IndexDef) error {
	if t.Def.Def.Partitioning != nil {
		return tabledef.ErrPartitionedText()
	}
	if t.Temporary {
		return sqlerr.NewError(tabledef.ErFullTextTemporary, "Cannot create FULLTEXT index on temporary InnoDB table")
	}
	x := specialIndex(tabledef.FullTextKind, idx)
	collation := uint16(0)
	for i, name := range x.Columns {
		at := t.Def.Find(name)
		if at < 0 {
			return sql.ErrKeyColumnDoesNotExist.New(name)
		}
		x.Columns[i] = t.Def.Columns[at].Name
		if slices.Contains(x.Columns[:i], x.Columns[i]) {
			return sql.ErrDuplicateColumn.New(name)
		}
		if t.Def.Columns[at].Virtual {
			return sqlerr.NewError(3106, "'Fulltext index on virtual generated column' is not supported for generated columns.")
		}
		c := t.Def.Cols[at].Collation
		if !types.IsTextOnly(t.Def.Codecs[at].Typ) || i > 0 && c != collation {
			return sqlerr.NewError(tabledef.ErFullTextColumn, "Column '%s' cannot be part of FULLTEXT index", name)
		}
		collation = c
	}
	if s := SessionOf(ctx); s != nil && slices.ContainsFunc(t.Def.Indexes, func(o *tabledef.Index) bool {
		return o.Is(tabledef.FullTextKind) && slices.Equal(o.Special.Columns, x.Columns)
	}) {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erDuplicateIndex, Message: fmt.Sprintf(
			"Duplicate index '%s' defined on the table '%s.%s'. This is deprecated and will be disallowed in a future release.", x.Name, t.Def.Database, t.Def.Name)})
	}
	stop := t.S.stopWordList(ctx)
	return t.define(ctx, func(d *definer) error {
		old, err := d.current(ctx, t.Def.Def.Schema, t.Def.Def.Name)
		if err != nil {
			return err
		}
		def := copyOf(old)
		list, err := tabledef.SpecialIndexes(def)
		if err != nil {
			return err
		}
		if def.Options[tabledef.DocumentOption] == "" { // the first index: those after it have the same stop words
			if err := d.keepStopWords(ctx, def, stop); err != nil {
				return err
			}
		}
		if err := d.makeWords(ctx, def, &x); err != nil {
			return err
		}
		if err := tabledef.SetSpecialIndexes(def, append(list, x)); err != nil {
			return err
		}
		def.Options[tabledef.DocumentOption] = "yes"
		if err := d.eng.AlterTable(d.s.Patient(ctx), d.tx, old, def); err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
}

// WarnRebuild tells of the column InnoDB adds for the first full-text index of a table.
func (s *Session) WarnRebuild(n sql.Node) {
	if r, ok := n.(*plan.ResolvedTable); ok {
		if t, ok := sql.GetUnderlyingTable(r.Table).(*Table); ok && !t.Temporary && t.Def.Def.Partitioning == nil && t.Def.Def.Options[tabledef.DocumentOption] == "" {
			s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: tabledef.ErFullTextRebuild, Message: "InnoDB rebuilding table to add column FTS_DOC_ID"})
		}
	}
}

// makeWords makes the table of words of an index and fills it from the rows.
func (d *definer) makeWords(ctx *sql.Context, def *catalog.Table, x *tabledef.SpecialIndex) error {
	x.Words = fmt.Sprintf("%s%x_%x", tabledef.WordTablePrefix, uint64(def.ID), time.Now().UnixNano())
	schema := sql.Schema{
		{Name: "word", Type: types.MustCreateBinary(sqltypes.VarBinary, tabledef.MaxWordBytes), PrimaryKey: true},
		{Name: "doc", Type: types.MustCreateBinary(sqltypes.VarBinary, tabledef.MaxDocBytes), PrimaryKey: true},
		{Name: "count", Type: types.Uint32},
		{Name: "text", Type: types.Uint64},
	}
	words := &catalog.Table{Schema: def.Schema, Name: x.Words, AutoInc: -1, Collation: row.CollationBinary}
	for _, c := range schema {
		col, err := tabledef.NewColumn(ctx, c, sql.Collation_binary)
		if err != nil {
			return err
		}
		words.Columns = append(words.Columns, col)
	}
	words.Indexes = []*catalog.Index{{Name: "PRIMARY", Clustered: true, Unique: true, Parts: []row.KeyPart{{Column: 0}, {Column: 1}}}}
	if err := d.eng.CreateTable(d.s.Patient(ctx), d.tx, words); err != nil {
		return err
	}
	picture, err := tabledef.NewTableDef(def, def.Schema)
	if err != nil {
		return err
	}
	return d.fillWords(ctx, picture, tabledef.NewWordIndex(picture, tabledef.NewSpecialIndex(picture, x)))
}

// buildEntries is how many entries are sorted at a time when an index is filled.
const buildEntries = 1 << 19

// fillWords adds the words of all rows: sorted, as entries in the order of the keys are added
// fastest.
func (d *definer) fillWords(ctx context.Context, picture *tabledef.TableDef, x *tabledef.WordIndex) error {
	rows, err := d.eng.Table(d.s.Patient(ctx), d.tx, picture.Def.Schema, picture.Def.Name)
	if err != nil {
		return err
	}
	words, err := d.eng.Table(d.s.Patient(ctx), d.tx, picture.Def.Schema, x.Name)
	if err != nil {
		return err
	}
	d.tx.StartStatement()
	scan := rows.NewScan(d.tx, table.ScanOptions{})
	defer scan.Close()
	var entries []tabledef.BuildEntry
	for {
		vals, err := scan.Next(ctx)
		if err == io.EOF { //nolint:errorlint // scans end with io.EOF itself
			return tabledef.AddEntries(ctx, d.tx, words, entries)
		}
		if err != nil {
			return err
		}
		doc := picture.DocOf(nil, vals)
		texts := x.Texts(vals)
		text := tabledef.Digest(texts)
		for word, count := range x.Collation.Count(texts) {
			if len(word) <= tabledef.MaxWordBytes {
				entries = append(entries, tabledef.BuildEntry{Word: word, Doc: doc, Count: count, Text: text})
			}
		}
		if len(entries) >= buildEntries {
			if err := tabledef.AddEntries(ctx, d.tx, words, entries); err != nil {
				return err
			}
			entries = entries[:0]
		}
	}
}

// dropWords drops the tables of words that def names and kept does not; a nil kept names none.
func (d *definer) dropWords(ctx context.Context, def, kept *catalog.Table) error {
	list, err := tabledef.SpecialIndexes(def)
	if err != nil {
		return err
	}
	var stay []tabledef.SpecialIndex
	if kept != nil {
		if stay, err = tabledef.SpecialIndexes(kept); err != nil {
			return err
		}
	}
	for _, x := range list {
		if x.Words == "" || slices.ContainsFunc(stay, func(s tabledef.SpecialIndex) bool { return s.Words == x.Words }) {
			continue
		}
		if err := d.eng.DropTable(d.s.Patient(ctx), d.tx, def.Schema, x.Words); err != nil {
			return err
		}
	}
	return nil
}

// eachWords runs fn for the tables of words of a table.
func (d *definer) eachWords(def *catalog.Table, fn func(name string) error) error {
	list, err := tabledef.SpecialIndexes(def)
	for _, x := range list {
		if err == nil && x.Words != "" {
			err = fn(x.Words)
		}
	}
	return err
}

// rebuildWords fills the full-text indexes of a table that was rewritten anew; before is its
// definition before that.
func (d *definer) rebuildWords(ctx *sql.Context, before, now *catalog.Table) error {
	list, err := tabledef.SpecialIndexes(now)
	if err != nil || before.Options[tabledef.SpecialOption] == "" {
		return err
	}
	def := copyOf(now)
	for i := range list {
		if list[i].Kind == tabledef.FullTextKind {
			if err := d.makeWords(ctx, def, &list[i]); err != nil {
				return err
			}
		}
	}
	if err := d.dropWords(ctx, before, nil); err != nil {
		return err
	}
	if err := tabledef.SetSpecialIndexes(def, list); err != nil {
		return err
	}
	return d.eng.AlterTable(d.s.Patient(ctx), d.tx, now, def)
}
