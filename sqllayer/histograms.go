package sqllayer

// Histograms of columns. They are kept in the engine (namespace "histograms", one value for each
// table: documents by the names of columns), written in the transaction of the statement, and read
// once for many plans.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/histogram"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

const histogramSpace = "histograms"

// histograms are those of all tables.
type histograms struct {
	mu   sync.Mutex
	read map[tabledef.TableName]*tableHistograms

	writing sync.Mutex // of ANALYZE TABLE: reading and storing a table's are one step
}

// tableHistograms are those of a table with a definition.
type tableHistograms struct {
	def  *catalog.Table
	cols map[int]*histogram.Histogram // nil: the table has none
}

// columnHistograms are the documents of histograms by the names of their columns.
type columnHistograms map[string]json.RawMessage

func (l *Layer) histogramsOf(ctx context.Context, tx *txn.Trx, at tabledef.TableName) (columnHistograms, error) {
	data, err := l.Eng.GetKV(ctx, tx, histogramSpace, statisticsKey(at))
	if errors.Is(err, base.ErrNotFound) {
		return nil, nil
	}
	var docs columnHistograms
	if err == nil {
		err = json.Unmarshal(data, &docs)
	}
	return docs, err
}

func (l *Layer) storeHistograms(ctx context.Context, tx *txn.Trx, at tabledef.TableName, docs columnHistograms) error {
	l.forgetHistograms(at)
	if len(docs) == 0 {
		return l.Eng.DeleteKV(ctx, tx, histogramSpace, statisticsKey(at))
	}
	data, err := json.Marshal(docs)
	if err != nil {
		return err
	}
	return l.Eng.PutKV(ctx, tx, histogramSpace, statisticsKey(at), data)
}

// changeHistogramsOf changes the documents of a table in a transaction of its own. change tells
// whether it has changed any.
func (l *Layer) changeHistogramsOf(ctx context.Context, at tabledef.TableName, change func(columnHistograms) bool) error {
	l.histograms.writing.Lock()
	defer l.histograms.writing.Unlock()
	docs, err := l.histogramsOf(ctx, nil, at)
	if err != nil {
		return err
	}
	if docs == nil {
		docs = make(columnHistograms)
	}
	if !change(docs) {
		return nil
	}
	defer l.forgetHistograms(at)
	return doLogged(ctx, l.Eng, func(tx *txn.Trx) error { return l.storeHistograms(ctx, tx, at, docs) })
}

func (l *Layer) forgetHistograms(at tabledef.TableName) {
	l.histograms.mu.Lock()
	defer l.histograms.mu.Unlock()
	delete(l.histograms.read, at)
}

// Histogram is that of a column, nil if there is none.
func (l *Layer) Histogram(ctx context.Context, def *catalog.Table, column int) *histogram.Histogram {
	at := tabledef.TableName{Schema: def.Schema, Name: def.Name}
	l.histograms.mu.Lock()
	known := l.histograms.read[at]
	l.histograms.mu.Unlock()
	if known == nil || known.def != def {
		known = &tableHistograms{def: def}
		docs, err := l.histogramsOf(ctx, nil, at)
		if err != nil {
			return nil // a plan needs none
		}
		for i := range def.Columns {
			text, ok := docs[strings.ToLower(def.Columns[i].Name)]
			if !ok {
				continue
			}
			if h, err := histogram.Read(string(text), l.histogramColumn(def, i)); err == nil {
				if known.cols == nil {
					known.cols = make(map[int]*histogram.Histogram)
				}
				known.cols[i] = h
			}
		}
		l.histograms.mu.Lock()
		if l.histograms.read == nil {
			l.histograms.read = make(map[tabledef.TableName]*tableHistograms)
		}
		makeRoom(l.histograms.read)
		l.histograms.read[at] = known
		l.histograms.mu.Unlock()
	}
	return known.cols[column]
}

func (l *Layer) histogramColumn(def *catalog.Table, i int) histogram.Column {
	c := histogram.Column{Column: def.Columns[i].Column}
	if c.Type == row.TEnum || c.Type == row.TSet {
		if d, err := l.tableDef(def, def.Schema); err == nil {
			if t, ok := d.Codecs[i].Typ.(sql.TypeWithCollation); ok {
				c.Words = uint16(t.Collation())
			}
		}
	}
	return c
}

// EachHistogram visits the documents of a table's histograms, by the names of their columns.
func (t *Table) EachHistogram(ctx *sql.Context, visit func(column, document string)) error {
	docs, err := t.Db.Layer.histogramsOf(ctx, nil, tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name})
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		i := t.Def.Find(name)
		if i < 0 {
			continue
		}
		if h, err := histogram.Read(string(docs[name]), t.Db.Layer.histogramColumn(t.Def.Def, i)); err == nil {
			visit(t.Def.Def.Columns[i].Name, h.Text())
		}
	}
	return err
}

// HistogramRequest is what ANALYZE TABLE asks for: columns get histograms, or lose them.
type HistogramRequest struct {
	Columns []string
	Drop    bool
	Buckets int
	Auto    bool
	Data    string // a document for the only column
	Given   bool   // there is Data
	Room    int    // bytes for values of all columns
	Logged  bool   // the statement is written to the binary log
}

// HistogramMessage is a row of the result.
type HistogramMessage struct{ Type, Text string }

func histogramError(out []HistogramMessage, text string) []HistogramMessage {
	return append(out, HistogramMessage{"Error", text})
}

// ChangeHistograms does what ANALYZE TABLE asks for, in the order of the columns' names.
func (t *Table) ChangeHistograms(ctx *sql.Context, q *HistogramRequest) (out []HistogramMessage, err error) {
	names := slices.Clone(q.Columns)
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	made := make(columnHistograms)
	if !q.Drop && !q.Given {
		if made, err = t.collectHistograms(ctx, names, q); err != nil {
			return nil, err
		}
	}
	var plain context.Context = ctx
	if q.Logged {
		plain = WithLog(ctx)
	}
	err = t.Db.Layer.changeHistogramsOf(plain, tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}, func(docs columnHistograms) (changed bool) {
		for _, name := range names {
			done, messages := t.changeHistogram(docs, made, name, q)
			changed, out = changed || done, append(out, messages...)
		}
		return changed
	})
	return out, err
}

// changeHistogram does what is asked for one column.
func (t *Table) changeHistogram(docs, made columnHistograms, name string, q *HistogramRequest) (changed bool, out []HistogramMessage) {
	i, key := t.Def.Find(name), strings.ToLower(name)
	switch {
	case i < 0:
		return false, histogramError(nil, "The column '"+name+"' does not exist.")
	case q.Drop && docs[key] == nil:
		return false, histogramError(nil, "No histogram statistics found for column '"+name+"'.")
	case q.Drop:
		delete(docs, key)
		return true, []HistogramMessage{{"status", "Histogram statistics removed for column '" + name + "'."}}
	}
	if why := t.unfit(i, name); why != "" {
		return false, histogramError(nil, why)
	}
	if q.Given {
		h, faults := t.readHistogram(i, q.Data)
		if h == nil {
			return false, faults
		}
		made[key] = json.RawMessage(h.Text())
	}
	docs[key] = made[key]
	return true, []HistogramMessage{{"status", "Histogram statistics created for column '" + t.Def.Def.Columns[i].Name + "'."}}
}

// unfit tells why a column can have no histogram.
func (t *Table) unfit(i int, name string) string {
	def := t.Def.Def
	if uniqueAlone(def, i) {
		return "The column '" + name + "' is covered by a single-part unique index."
	}
	c := t.Db.Layer.histogramColumn(def, i)
	if c.DataType() == "" || def.Columns[i].Virtual || def.Columns[i].System {
		return "The column '" + name + "' has an unsupported data type."
	}
	return ""
}

// uniqueAlone tells a column that is all of a unique key.
func uniqueAlone(def *catalog.Table, column int) bool {
	return slices.ContainsFunc(def.Indexes, func(x *catalog.Index) bool {
		return x.Unique && len(x.Parts) == 1 && x.Parts[0].Column == column && x.Parts[0].Prefix == 0
	})
}

func (t *Table) readHistogram(i int, data string) (h *histogram.Histogram, out []HistogramMessage) {
	def := t.Def.Def
	h, err := histogram.Read(data, t.Db.Layer.histogramColumn(def, i))
	if err == nil {
		h.Updated = histogramTime(time.Now())
		return h, nil
	}
	failed := "Unable to build histogram statistics for column '" + def.Columns[i].Name + "' in table '" + def.Schema + "'.'" + def.Name + "'"
	if bad := (*histogram.Invalid)(nil); errors.As(err, &bad) {
		return nil, histogramError(histogramError(nil, failed), bad.Text)
	}
	text := "Invalid value."
	if strings.TrimSpace(data) == "" {
		text = "The document is empty."
	}
	out = histogramError(nil, `Invalid JSON text in argument 1 to function UPDATE HISTOGRAM: "`+text+`" at position 0.`)
	return nil, histogramError(histogramError(out, failed), "JSON format error.")
}

func histogramTime(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05.000000") }

// collectHistograms makes the histograms of columns from the rows that the statement sees.
func (t *Table) collectHistograms(ctx *sql.Context, names []string, q *HistogramRequest) (columnHistograms, error) {
	var columns []int
	var all []*histogram.Collector
	for _, name := range names {
		if i := t.Def.Find(name); i >= 0 && t.unfit(i, name) == "" {
			columns = append(columns, i)
		}
	}
	for _, i := range columns {
		all = append(all, histogram.NewCollector(t.Db.Layer.histogramColumn(t.Def.Def, i), q.Room/len(columns)))
	}
	if len(columns) > 0 {
		if err := t.eachRow(ctx, columns, func(vals []row.Value) {
			for k, i := range columns {
				all[k].Add(vals[i])
			}
		}); err != nil {
			return nil, err
		}
	}
	made, now := make(columnHistograms), time.Now()
	for k, i := range columns {
		made[strings.ToLower(t.Def.Def.Columns[i].Name)] = json.RawMessage(all[k].Histogram(q.Buckets, q.Auto, now).Text())
	}
	return made, nil
}

// eachRow visits the rows of the table.
func (t *Table) eachRow(ctx *sql.Context, columns []int, visit func([]row.Value)) error {
	s := t.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h, trx, err := t.open(ctx)
	if err != nil {
		return s.Note(err)
	}
	scan := h.NewScan(trx, table.ScanOptions{Columns: columns})
	defer scan.Close()
	for {
		vals, err := scan.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.Note(err)
		}
		visit(vals)
	}
}

// RenewHistograms makes those anew that ANALYZE TABLE is to renew.
func (t *Table) RenewHistograms(ctx *sql.Context, room int) error {
	by := make(map[int][]string)
	for i := range t.Def.Def.Columns {
		if h := t.Db.Layer.Histogram(ctx, t.Def.Def, i); h != nil && h.Auto {
			by[h.Specified] = append(by[h.Specified], t.Def.Def.Columns[i].Name)
		}
	}
	for buckets, names := range by {
		if _, err := t.ChangeHistograms(ctx, &HistogramRequest{Columns: names, Buckets: buckets, Auto: true, Room: room}); err != nil {
			return err
		}
	}
	return nil
}

// moveHistograms makes the histograms of a table those of another name, or drops them.
func (d *definer) moveHistograms(ctx context.Context, from tabledef.TableName, to *tabledef.TableName) error {
	docs, err := d.l.histogramsOf(ctx, d.tx, from)
	if err != nil || docs == nil {
		return err
	}
	if to != nil {
		if err := d.l.storeHistograms(ctx, d.tx, *to, docs); err != nil {
			return err
		}
	}
	return d.l.storeHistograms(ctx, d.tx, from, nil)
}

// pruneAltered is pruneHistograms, if ALTER TABLE is being committed. REQUIRES: s.mu, s.trx.
func (s *Session) pruneAltered(ctx context.Context) error {
	var running sqlast.Statement
	switch {
	case s.current != nil && (s.log.text == "" || s.current.Text == s.log.text):
		running = s.current.Tree
	case s.log.text != "":
		running = trees.StoredTree(s.log.text)
	}
	if tree, alters := running.(*sqlast.AlterTable); alters {
		return s.pruneHistograms(ctx, tree)
	}
	return nil
}

// pruneHistograms drops those of columns that an ALTER TABLE names, that are gone, or that can have
// none any more. REQUIRES: s.mu, s.trx.
func (s *Session) pruneHistograms(ctx context.Context, tree *sqlast.AlterTable) error {
	at := tabledef.TableName{Schema: tree.Table.Schema.Name, Name: tree.Table.Name.Name}
	named := make(map[string]bool)
	note := func(n sqlast.Ident) { named[strings.ToLower(n.Name)] = true }
	for _, a := range tree.Actions {
		switch a := a.(type) {
		case *sqlast.ChangeColumn:
			if note(a.Def.Name); a.Old.Given() {
				note(a.Old)
			}
		case *sqlast.DropObject:
			if a.Object == sqlast.ObjectColumn {
				note(a.Name)
			}
		case *sqlast.RenameObject:
			if a.Object == sqlast.ObjectColumn {
				note(a.From)
			}
		case *sqlast.RenameTo:
			if at.Name = a.Table.Name.Name; a.Table.Schema.Given() {
				at.Schema = a.Table.Schema.Name
			}
		}
	}
	if at.Schema == "" {
		at.Schema = s.GetCurrentDatabase()
	}
	d := &definer{s.layer, s, s.layer.Eng, s.Trx}
	docs, err := d.l.histogramsOf(ctx, d.tx, at)
	if err != nil || docs == nil {
		return err
	}
	def, err := d.current(ctx, at.Schema, at.Name)
	if err != nil {
		return err
	}
	before := len(docs)
	for name := range docs {
		i := slices.IndexFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) })
		if named[name] || i < 0 || uniqueAlone(def, i) || !s.layer.histogramHolds(def, i, docs[name]) {
			delete(docs, name)
		}
	}
	if len(docs) == before {
		return nil
	}
	return d.l.storeHistograms(ctx, d.tx, at, docs)
}

// histogramHolds tells whether a document is one of a column as it is now.
func (l *Layer) histogramHolds(def *catalog.Table, i int, document json.RawMessage) bool {
	c := l.histogramColumn(def, i)
	h, err := histogram.Read(string(document), c)
	return err == nil && h.Collation == c.CollationID()
}

// dropSchemaHistograms drops those of all tables of a database.
func (d *definer) dropSchemaHistograms(ctx context.Context, schema string) error {
	var keys []string
	err := d.eng.ListKV(ctx, d.tx, histogramSpace, schema+"\x00", func(k string, _ []byte) error {
		keys = append(keys, k)
		return nil
	})
	for _, k := range keys {
		if err == nil {
			_, name, _ := strings.Cut(k, "\x00")
			err = d.l.storeHistograms(ctx, d.tx, tabledef.TableName{Schema: schema, Name: name}, nil)
		}
	}
	return err
}

// HistogramTable finds the table that ANALYZE TABLE names. The message tells why there is none.
func (l *Layer) HistogramTable(ctx *sql.Context, schema, name string) (*Table, string, error) {
	db, err := l.Provider.Database(ctx, schema)
	if err != nil {
		return nil, sqlerr.Translate(err, schema).Message, nil
	}
	t, ok, err := db.GetTableInsensitive(ctx, name)
	if err != nil {
		return nil, sqlerr.Translate(err, schema).Message, nil
	}
	own := (*Table)(nil)
	if ok {
		own = ours(t)
	}
	switch {
	case own != nil && own.Temporary:
		return nil, "Cannot create histogram statistics for a temporary table.", nil
	case own != nil:
		return own, "", nil
	}
	if s := SessionOf(ctx); s != nil {
		if v, _, err := s.ViewDirect(ctx, schema, name); err == nil && v != nil {
			return nil, "Cannot create histogram statistics for a view.", nil
		}
	}
	return nil, "Table '" + schema + "." + name + "' doesn't exist", nil
}
