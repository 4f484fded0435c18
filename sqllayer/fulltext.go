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
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/fts"
)

// wordTablePrefix begins the names of the tables of full-text indexes. They live in the schema of
// the indexed table.
const wordTablePrefix = "#sql_FTS_"

// isFullTextTable tells whether a table is one of those.
func isFullTextTable(name string) bool { return strings.HasPrefix(name, wordTablePrefix) }

// The longest form of a word, and the longest clustered key.
const (
	maxWordBytes = 1024
	maxDocBytes  = 3072
)

// wordIndex is a full-text index of one version of a table.
type wordIndex struct {
	name      string // of the table of words
	columns   []int
	collation *fts.Collation
}

// wordIndexes lists the full-text indexes of a definition.
func wordIndexes(d *tableDef) (out []*wordIndex) {
	for _, x := range d.indexes {
		if x.special != nil && x.special.Kind == fullTextKind && x.special.Words != "" && len(x.columns) > 0 {
			out = append(out, &wordIndex{x.special.Words, x.columns, wordCollation(d.cols[x.columns[0]].Collation)})
		}
	}
	return out
}

const fullTextKind = "fulltext"

var wordCollations sync.Map // collation id -> *fts.Collation

func wordCollation(id uint16) *fts.Collation {
	if c, ok := wordCollations.Load(id); ok {
		return c.(*fts.Collation)
	}
	c, _ := wordCollations.LoadOrStore(id, fts.NewCollation(row.LookupCollation(id).AppendWeights))
	return c.(*fts.Collation)
}

// texts are the indexed texts of a row.
func (x *wordIndex) texts(vals []row.Value) []string {
	out := make([]string, len(x.columns))
	for i, c := range x.columns {
		if !vals[c].IsNull() {
			out[i] = string(vals[c].B)
		}
	}
	return out
}

// digest tells texts apart.
func digest(texts []string) uint64 {
	h := fnv.New64a()
	for _, t := range texts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(t)))
		_, _ = h.Write(n[:]) // never fails
		_, _ = io.WriteString(h, t)
	}
	return h.Sum64()
}

// entry is a row of the table of words.
func wordEntry(word string, doc []byte, count uint32, text uint64) []row.Value {
	return []row.Value{row.BytesValue([]byte(word)), row.BytesValue(doc), row.UintValue(uint64(count)), row.UintValue(text)}
}

// docOf appends the clustered key of a row. vals of a table without a primary key carry the row's
// id behind the columns.
func (d *tableDef) docOf(dst []byte, vals []row.Value) []byte {
	if d.keyless {
		return binary.BigEndian.AppendUint64(dst, vals[len(d.codecs)].N)
	}
	return row.AppendKey(dst, d.cols, d.def.Indexes[0].Parts, vals)
}

// words returns the tables of words that belong to e's table. REQUIRES: the session's mu.
func (e *editor) words(ctx context.Context, trx *txn.Trx) ([]*table.Table, error) {
	var out []*table.Table
	for _, x := range e.t.def.words {
		h, err := e.t.db.layer.eng.Table(e.t.s.Patient(ctx), trx, e.t.def.def.Schema, x.name)
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

// indexed adds the words of a new row. REQUIRES: the session's mu.
func (e *editor) indexed(ctx context.Context, trx *txn.Trx, doc []byte, vals []row.Value) error {
	tables, err := e.words(ctx, trx)
	for i, h := range tables {
		if err == nil {
			err = e.t.def.words[i].add(ctx, trx, h, doc, vals)
		}
	}
	return err
}

// unindexed removes the words of a row that was there. REQUIRES: the session's mu.
func (e *editor) unindexed(ctx context.Context, trx *txn.Trx, doc []byte, vals []row.Value) error {
	tables, err := e.words(ctx, trx)
	for i, h := range tables {
		if err == nil {
			err = e.t.def.words[i].remove(ctx, trx, h, doc, vals)
		}
	}
	return err
}

// reindexed gives a changed row its new words.
func (e *editor) reindexed(ctx context.Context, trx *txn.Trx, old, new []row.Value) error {
	from := e.t.def.docOf(nil, old)
	to := from
	if !e.t.def.keyless {
		to = e.t.def.docOf(nil, new)
	}
	tables, err := e.words(ctx, trx)
	for i, h := range tables {
		x := e.t.def.words[i]
		if err != nil || string(from) == string(to) && slices.Equal(x.texts(old), x.texts(new)) {
			continue
		}
		if err = x.remove(ctx, trx, h, from, old); err == nil {
			err = x.add(ctx, trx, h, to, new)
		}
	}
	return err
}

func (x *wordIndex) add(ctx context.Context, trx *txn.Trx, h *table.Table, doc []byte, vals []row.Value) error {
	texts := x.texts(vals)
	text := digest(texts)
	for word, count := range x.collation.Count(texts) {
		if len(word) > maxWordBytes {
			continue
		}
		if err := h.Insert(ctx, trx, wordEntry(word, doc, count, text)); err != nil {
			return err
		}
	}
	return nil
}

// remove takes the words of a row away; those that were too short for the index when the row came
// are not there.
func (x *wordIndex) remove(ctx context.Context, trx *txn.Trx, h *table.Table, doc []byte, vals []row.Value) error {
	for word := range x.collation.Count(x.texts(vals)) {
		err := h.Delete(ctx, trx, wordEntry(word, doc, 0, 0))
		if err != nil && !errors.Is(err, base.ErrNotFound) {
			return err
		}
	}
	return nil
}

// constraintFullText is how go-mysql-server is kept from making the tables of a full-text index
// itself: to it this is a key like others.
const constraintFullText = sql.IndexConstraint(64)

// likeRule is the id of likeFullText: no rule of GMS has it.
const likeRule = lateralRule + 1

// likeFullText tells the full-text indexes of a CREATE TABLE ... LIKE by the mark in their
// comments: GMS copies them as ordinary keys.
func likeFullText(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if c, ok := n.(*plan.CreateTable); ok {
		for _, idx := range c.Indexes() {
			if comment, marked := strings.CutPrefix(idx.Comment, fullTextMark); marked {
				idx.Comment, idx.Constraint = comment, sql.IndexConstraint_Fulltext
			}
		}
	}
	return n, transform.SameTree, nil
}

// joining hides full-text indexes from the choice of access paths of a plan without MATCH: GMS
// would look for the values of their columns in them.
func joining(ctx *sql.Context, n sql.Node) func() {
	s := sessionOf(ctx)
	if s == nil {
		return func() {}
	}
	words := false
	transform.InspectExpressions(ctx, n, func(_ *sql.Context, e sql.Expression) bool {
		_, match := e.(*expression.MatchAgainst)
		words = words || match
		return !words
	})
	before := s.stmt.joining
	s.stmt.joining = !words
	return func() { s.stmt.joining = before }
}

const (
	erFullTextColumn    = 1283
	erFullTextTemporary = 1796
	erFullTextRebuild   = 124
)

// addFullText makes a full-text index.
func (t *Table) addFullText(ctx *sql.Context, idx sql.IndexDef) error {
	if t.def.def.Partitioning != nil {
		return errPartitionedText()
	}
	if t.temporary {
		return NewError(erFullTextTemporary, "Cannot create FULLTEXT index on temporary InnoDB table")
	}
	x := specialIndex{Name: idx.Name, Kind: fullTextKind, Columns: idx.ColumnNames(), Comment: idx.Comment}
	collation := uint16(0)
	for i, name := range x.Columns {
		at := t.def.find(name)
		if at < 0 {
			return sql.ErrKeyColumnDoesNotExist.New(name)
		}
		x.Columns[i] = t.def.columns[at].Name
		if slices.Contains(x.Columns[:i], x.Columns[i]) {
			return sql.ErrDuplicateColumn.New(name)
		}
		if t.def.columns[at].Virtual {
			return NewError(3106, "'Fulltext index on virtual generated column' is not supported for generated columns.")
		}
		c := t.def.cols[at].Collation
		if !types.IsTextOnly(t.def.codecs[at].typ) || i > 0 && c != collation {
			return NewError(erFullTextColumn, "Column '%s' cannot be part of FULLTEXT index", name)
		}
		collation = c
	}
	if s := sessionOf(ctx); s != nil && slices.ContainsFunc(t.def.indexes, func(o *Index) bool { return o.is(fullTextKind) && slices.Equal(o.special.Columns, x.Columns) }) {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erDuplicateIndex, Message: fmt.Sprintf(
			"Duplicate index '%s' defined on the table '%s.%s'. This is deprecated and will be disallowed in a future release.", x.Name, t.def.database, t.def.name)})
	}
	return t.define(ctx, func(d *definer) error {
		old, err := d.current(ctx, t.def.def.Schema, t.def.def.Name)
		if err != nil {
			return err
		}
		def := copyOf(old)
		list, err := specialIndexes(def)
		if err != nil {
			return err
		}
		if err := d.makeWords(ctx, def, &x); err != nil {
			return err
		}
		if err := setSpecialIndexes(def, append(list, x)); err != nil {
			return err
		}
		def.Options[documentOption] = "yes"
		if err := d.eng.AlterTable(d.s.Patient(ctx), d.tx, old, def); err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
}

// documentOption notes that InnoDB's table would have its column FTS_DOC_ID by now. It keeps it
// when the indexes go.
const documentOption = "fts_doc_id"

// warnRebuild tells of the column InnoDB adds for the first full-text index of a table.
func (s *Session) warnRebuild(n sql.Node) {
	if r, ok := n.(*plan.ResolvedTable); ok {
		if t, ok := sql.GetUnderlyingTable(r.Table).(*Table); ok && !t.temporary && t.def.def.Partitioning == nil && t.def.def.Options[documentOption] == "" {
			s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erFullTextRebuild, Message: "InnoDB rebuilding table to add column FTS_DOC_ID"})
		}
	}
}

// makeWords makes the table of words of an index and fills it from the rows.
func (d *definer) makeWords(ctx *sql.Context, def *catalog.Table, x *specialIndex) error {
	x.Words = fmt.Sprintf("%s%x_%x", wordTablePrefix, uint64(def.ID), time.Now().UnixNano())
	schema := sql.Schema{
		{Name: "word", Type: types.MustCreateBinary(sqltypes.VarBinary, maxWordBytes), PrimaryKey: true},
		{Name: "doc", Type: types.MustCreateBinary(sqltypes.VarBinary, maxDocBytes), PrimaryKey: true},
		{Name: "count", Type: types.Uint32},
		{Name: "text", Type: types.Uint64},
	}
	words := &catalog.Table{Schema: def.Schema, Name: x.Words, AutoInc: -1, Collation: row.CollationBinary}
	for _, c := range schema {
		col, err := newColumn(ctx, c, sql.Collation_binary)
		if err != nil {
			return err
		}
		words.Columns = append(words.Columns, col)
	}
	words.Indexes = []*catalog.Index{{Name: "PRIMARY", Clustered: true, Unique: true, Parts: []row.KeyPart{{Column: 0}, {Column: 1}}}}
	if err := d.eng.CreateTable(d.s.Patient(ctx), d.tx, words); err != nil {
		return err
	}
	picture, err := newTableDef(def, def.Schema)
	if err != nil {
		return err
	}
	at := newSpecialIndex(picture, x)
	return d.fillWords(ctx, picture, &wordIndex{x.Words, at.columns, wordCollation(picture.cols[at.columns[0]].Collation)})
}

// buildEntries is how many entries are sorted at a time when an index is filled.
const buildEntries = 1 << 19

// fillWords adds the words of all rows: sorted, as entries in the order of the keys are added
// fastest.
func (d *definer) fillWords(ctx context.Context, picture *tableDef, x *wordIndex) error {
	rows, err := d.eng.Table(d.s.Patient(ctx), d.tx, picture.def.Schema, picture.def.Name)
	if err != nil {
		return err
	}
	words, err := d.eng.Table(d.s.Patient(ctx), d.tx, picture.def.Schema, x.name)
	if err != nil {
		return err
	}
	d.tx.StartStatement()
	scan := rows.NewScan(d.tx, table.ScanOptions{})
	defer scan.Close()
	var entries []buildEntry
	for {
		vals, err := scan.Next(ctx)
		if err == io.EOF { //nolint:errorlint // scans end with io.EOF itself
			return addEntries(ctx, d.tx, words, entries)
		}
		if err != nil {
			return err
		}
		doc := picture.docOf(nil, vals)
		texts := x.texts(vals)
		text := digest(texts)
		for word, count := range x.collation.Count(texts) {
			if len(word) <= maxWordBytes {
				entries = append(entries, buildEntry{word, doc, count, text})
			}
		}
		if len(entries) >= buildEntries {
			if err := addEntries(ctx, d.tx, words, entries); err != nil {
				return err
			}
			entries = entries[:0]
		}
	}
}

type buildEntry struct {
	word  string
	doc   []byte
	count uint32
	text  uint64
}

func addEntries(ctx context.Context, trx *txn.Trx, h *table.Table, entries []buildEntry) error {
	slices.SortFunc(entries, func(a, b buildEntry) int {
		if c := strings.Compare(a.word, b.word); c != 0 {
			return c
		}
		return strings.Compare(string(a.doc), string(b.doc))
	})
	var vals []row.Value
	for len(entries) > 0 {
		vals = vals[:0]
		n := min(len(entries), 1000)
		for _, e := range entries[:n] {
			vals = append(vals, wordEntry(e.word, e.doc, e.count, e.text)...)
		}
		if _, err := h.InsertRows(ctx, trx, vals); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// dropWords drops the tables of words that def names and kept does not; a nil kept names none.
func (d *definer) dropWords(ctx context.Context, def, kept *catalog.Table) error {
	list, err := specialIndexes(def)
	if err != nil {
		return err
	}
	var stay []specialIndex
	if kept != nil {
		if stay, err = specialIndexes(kept); err != nil {
			return err
		}
	}
	for _, x := range list {
		if x.Words == "" || slices.ContainsFunc(stay, func(s specialIndex) bool { return s.Words == x.Words }) {
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
	list, err := specialIndexes(def)
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
	list, err := specialIndexes(now)
	if err != nil || before.Options[specialOption] == "" {
		return err
	}
	def := copyOf(now)
	for i := range list {
		if list[i].Kind == fullTextKind {
			if err := d.makeWords(ctx, def, &list[i]); err != nil {
				return err
			}
		}
	}
	if err := d.dropWords(ctx, before, nil); err != nil {
		return err
	}
	if err := setSpecialIndexes(def, list); err != nil {
		return err
	}
	return d.eng.AlterTable(d.s.Patient(ctx), d.tx, now, def)
}
