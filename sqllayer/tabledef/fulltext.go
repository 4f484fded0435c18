package tabledef

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/fts"
)

// WordTablePrefix begins the names of the tables of full-text indexes. They live in the schema of
// the indexed table.
const WordTablePrefix = "#sql_FTS_"

// IsFullTextTable tells whether a table is one of those.
func IsFullTextTable(name string) bool { return strings.HasPrefix(name, WordTablePrefix) }

// The longest form of a word, and the longest clustered key.
const (
	MaxWordBytes = 1024
	MaxDocBytes  = 3072
)

// WordIndex is a full-text index of one version of a table.
type WordIndex struct {
	Name      string // of the table of words
	Columns   []int
	Collation *fts.Collation
}

// wordIndexes lists the full-text indexes of a definition.
func wordIndexes(d *TableDef) (out []*WordIndex) {
	for _, x := range d.Indexes {
		if x.Special != nil && x.Special.Kind == FullTextKind && x.Special.Words != "" && len(x.Columns) > 0 {
			out = append(out, NewWordIndex(d, x))
		}
	}
	return out
}

// NewWordIndex is what d's full-text index x is to searches.
func NewWordIndex(d *TableDef, x *Index) *WordIndex {
	return &WordIndex{x.Special.Words, x.Columns, wordCollation(wordKey{d.Cols[x.Columns[0]].Collation, x.Special.Ngram, d.Def.Options[StopWordsOption]})}
}

const FullTextKind = "fulltext"

// wordKey is what makes the words of two indexes equal: the collation's id, whether they are grams,
// and the table's own stop words.
type wordKey struct {
	collation uint16
	grams     bool
	stop      string
}

// StopWordsOption are the stop words of a table that has not the server's: each behind a line end.
const StopWordsOption = "fts_stopwords"

// stopWords reads the value of StopWordsOption.
func stopWords(option string) []string {
	if option == "" {
		return fts.StopWords
	}
	return strings.Split(option, "\n")[1:]
}

// StopWordsText is the value of StopWordsOption for a list.
func StopWordsText(words []string) string { return "\n" + strings.Join(words, "\n") }

var wordCollations sync.Map // wordKey -> *fts.Collation

func wordCollation(key wordKey) *fts.Collation {
	if c, ok := wordCollations.Load(key); ok {
		return c.(*fts.Collation)
	}
	c, _ := wordCollations.LoadOrStore(key, fts.NewCollation(row.LookupCollation(key.collation).AppendWeights, key.grams, stopWords(key.stop)))
	return c.(*fts.Collation)
}

// Texts are the indexed texts of a row.
func (x *WordIndex) Texts(vals []row.Value) []string {
	out := make([]string, len(x.Columns))
	for i, c := range x.Columns {
		if !vals[c].IsNull() {
			out[i] = string(vals[c].B)
		}
	}
	return out
}

// Digest tells texts apart.
func Digest(texts []string) uint64 {
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

// DocOf appends the clustered key of a row. vals of a table without a primary key carry the row's
// id behind the columns.
func (d *TableDef) DocOf(dst []byte, vals []row.Value) []byte {
	if d.Keyless {
		return binary.BigEndian.AppendUint64(dst, vals[len(d.Codecs)].N)
	}
	return row.AppendKey(dst, d.Cols, d.Def.Indexes[0].Parts, vals)
}

func (x *WordIndex) Add(ctx context.Context, trx *txn.Trx, h *table.Table, doc []byte, vals []row.Value) error {
	texts := x.Texts(vals)
	text := Digest(texts)
	for word, count := range x.Collation.Count(texts) {
		if len(word) > MaxWordBytes {
			continue
		}
		if err := h.Insert(ctx, trx, wordEntry(word, doc, count, text)); err != nil {
			return err
		}
	}
	return nil
}

// Remove takes the words of a row away; those that were too short for the index when the row came
// are not there.
func (x *WordIndex) Remove(ctx context.Context, trx *txn.Trx, h *table.Table, doc []byte, vals []row.Value) error {
	for word := range x.Collation.Count(x.Texts(vals)) {
		err := h.Delete(ctx, trx, wordEntry(word, doc, 0, 0))
		if err != nil && !errors.Is(err, base.ErrNotFound) {
			return err
		}
	}
	return nil
}

// ConstraintFullText is how go-mysql-server is kept from making the tables of a full-text index
// itself: to it this is a key like others.
const ConstraintFullText = sql.IndexConstraint(64)

const (
	ErFullTextColumn    = 1283
	ErFullTextTemporary = 1796
	ErFullTextRebuild   = 124
)

// DocumentOption notes that InnoDB's table would have its column FTS_DOC_ID by now. It keeps it
// when the indexes go.
const DocumentOption = "fts_doc_id"

type BuildEntry struct {
	Word  string
	Doc   []byte
	Count uint32
	Text  uint64
}

func AddEntries(ctx context.Context, trx *txn.Trx, h *table.Table, entries []BuildEntry) error {
	slices.SortFunc(entries, func(a, b BuildEntry) int {
		if c := strings.Compare(a.Word, b.Word); c != 0 {
			return c
		}
		return strings.Compare(string(a.Doc), string(b.Doc))
	})
	var vals []row.Value
	for len(entries) > 0 {
		vals = vals[:0]
		n := min(len(entries), 1000)
		for _, e := range entries[:n] {
			vals = append(vals, wordEntry(e.Word, e.Doc, e.Count, e.Text)...)
		}
		if _, err := h.InsertRows(ctx, trx, vals); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}
