package sqllayer

// Statistics. ANALYZE TABLE samples rows, makes histograms as GMS wants them and keeps them in the
// engine (namespace "statistics", one value for each table); without it the optimizer gets the row
// count the engine estimates.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/stats"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/internal/base"
)

const (
	statisticsSpace = "statistics"
	sampleRows      = 4000
	histogramCells  = 20
)

// storedStatistics is what is kept of one table.
type storedStatistics struct {
	Table   base.TableID      `json:"table"` // the version that was analyzed
	At      time.Time         `json:"at"`
	Rows    uint64            `json:"rows"`
	AvgSize uint64            `json:"avg_size"`
	Indexes []indexStatistics `json:"indexes"`
}

// indexStatistics are of one index; Bounds are upper bounds of histogram cells, as key values.
type indexStatistics struct {
	Name     string        `json:"name"`
	Distinct uint64        `json:"distinct"`
	Nulls    uint64        `json:"nulls"`
	Bounds   [][]row.Value `json:"bounds,omitempty"`
	Counts   []uint64      `json:"counts,omitempty"`
	PerCell  []uint64      `json:"per_cell,omitempty"` // distinct values
}

// statistics implements sql.StatsProvider.
type statistics struct {
	layer *Layer

	mu     sync.Mutex
	stored map[tableName]*storedStatistics // nil value: none
	made   map[*tableDef][]sql.Statistic
}

var _ sql.StatsProvider = (*statistics)(nil)

func newStatistics(l *Layer) *statistics {
	return &statistics{layer: l, stored: make(map[tableName]*storedStatistics), made: make(map[*tableDef][]sql.Statistic)}
}

func statisticsKey(at tableName) string { return at.schema + "\x00" + at.name }

func ours(t sql.Table) *Table {
	found, _ := sql.GetUnderlyingTable(t).(*Table)
	return found
}

// load returns the stored statistics of a table, nil if it has none.
func (p *statistics) load(ctx context.Context, t *Table) (*storedStatistics, error) {
	at := tableName{t.def.def.Schema, t.def.def.Name}
	p.mu.Lock()
	st, known := p.stored[at]
	p.mu.Unlock()
	if !known {
		data, err := p.layer.eng.GetKV(ctx, nil, statisticsSpace, statisticsKey(at))
		switch {
		case errors.Is(err, base.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			st = new(storedStatistics)
			if err := json.Unmarshal(data, st); err != nil {
				return nil, err
			}
		}
		p.mu.Lock()
		makeRoom(p.stored)
		p.stored[at] = st
		p.mu.Unlock()
	}
	if st != nil && st.Table != t.def.def.ID {
		return nil, nil // of a table that is gone
	}
	return st, nil
}

// GetTableStats implements sql.StatsProvider. GMS falls back on uniform assumptions when there is
// nothing.
func (p *statistics) GetTableStats(ctx *sql.Context, _, _ string, tbl sql.Table) ([]sql.Statistic, error) {
	t := ours(tbl)
	if t == nil || t.temporary {
		return nil, nil
	}
	st, err := p.load(ctx, t)
	if err != nil || st == nil {
		return nil, err
	}
	p.mu.Lock()
	made, ok := p.made[t.def]
	p.mu.Unlock()
	if ok {
		return made, nil
	}
	for i := range st.Indexes {
		s, err := t.statistic(ctx, st, &st.Indexes[i])
		if err != nil {
			return nil, err
		}
		if s != nil {
			made = append(made, s)
		}
	}
	p.mu.Lock()
	makeRoom(p.made)
	p.made[t.def] = made
	p.mu.Unlock()
	return made, nil
}

// statistic makes GMS's form of the statistics of one index, nil if the index is gone.
func (t *Table) statistic(ctx *sql.Context, st *storedStatistics, is *indexStatistics) (sql.Statistic, error) {
	x := t.def.findIndex(is.Name)
	if x == nil || x.idx == nil {
		return nil, nil
	}
	var names []string
	var types []sql.Type
	for _, c := range x.columns {
		names = append(names, strings.ToLower(t.def.def.Columns[c].Name))
		types = append(types, t.def.codecs[c].typ)
	}
	cells := make([]sql.HistogramBucket, len(is.Bounds))
	for i, bound := range is.Bounds {
		if len(bound) != len(x.columns) {
			return nil, nil
		}
		upper := make(sql.Row, len(bound))
		for j, v := range bound {
			var err error
			if upper[j], err = t.def.codecs[x.columns[j]].decode(nil, v); err != nil {
				return nil, err
			}
		}
		cells[i] = stats.NewHistogramBucket(is.Counts[i], is.PerCell[i], 0, 1, upper, nil, nil)
	}
	qual := sql.NewStatQualifier(t.def.database, "", t.def.name, is.Name)
	s := stats.NewStatistic(st.Rows, is.Distinct, is.Nulls, st.AvgSize, st.At, qual, names, types, cells, sql.IndexClassDefault, nil)
	fds, cols, err := stats.IndexFds(ctx, t.Name(), t.fullSch, x)
	if err != nil {
		return nil, err
	}
	return s.WithFuncDeps(fds).WithColSet(cols), nil
}

// AnalyzeTable implements sql.StatsProvider.
func (p *statistics) AnalyzeTable(ctx *sql.Context, tbl sql.Table, _ string) error {
	t := ours(tbl)
	if t == nil || t.temporary {
		return nil
	}
	sample, rows, err := t.sample(ctx)
	if err != nil {
		return err
	}
	size, err := t.DataLength(ctx)
	if err != nil {
		return err
	}
	st := &storedStatistics{Table: t.def.def.ID, At: time.Now(), Rows: rows, AvgSize: size / max(rows, 1)}
	for _, x := range t.def.indexes {
		if x.idx != nil {
			st.Indexes = append(st.Indexes, t.def.histogram(x, sample, rows))
		}
	}
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	at := tableName{t.def.def.Schema, t.def.def.Name}
	if err := p.layer.eng.PutKV(ctx, nil, statisticsSpace, statisticsKey(at), data); err != nil {
		return Translate(err, t.def.database)
	}
	p.forget(at)
	return nil
}

func (p *statistics) forget(at tableName) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.stored, at)
	clear(p.made)
}

// sample reads the table and keeps a random part of its rows.
func (t *Table) sample(ctx *sql.Context) (sample [][]row.Value, rows uint64, err error) {
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	h, trx, err := t.open(ctx)
	if err != nil {
		return nil, 0, s.note(err)
	}
	scan := h.NewScan(trx, table.ScanOptions{})
	defer scan.Close()
	for {
		vals, err := scan.Next(ctx)
		if err == io.EOF {
			return sample, rows, nil
		}
		if err != nil {
			return nil, 0, s.note(err)
		}
		rows++
		switch at := rand.Uint64() % rows; {
		case len(sample) < sampleRows:
			sample = append(sample, ownValues(nil, vals))
		case at < sampleRows:
			sample[at] = ownValues(sample[at], vals)
		}
	}
}

// ownValues copies values with their bytes.
func ownValues(dst, vals []row.Value) []row.Value {
	dst = append(dst[:0], vals...)
	for i := range dst {
		if dst[i].B != nil {
			dst[i].B = append([]byte(nil), dst[i].B...)
		}
	}
	return dst
}

// histogram makes the statistics of an index from a sample of a table with so many rows.
func (d *tableDef) histogram(x *Index, sample [][]row.Value, rows uint64) indexStatistics {
	type entry struct {
		key  string
		vals []row.Value
	}
	is := indexStatistics{Name: x.name}
	entries := make([]entry, 0, len(sample))
	for _, vals := range sample {
		e := entry{key: string(row.AppendKey(nil, d.cols, x.idx.Parts, vals))}
		null := false
		for _, c := range x.columns {
			e.vals = append(e.vals, vals[c])
			null = null || vals[c].IsNull()
		}
		if null {
			is.Nulls++
			continue
		}
		entries = append(entries, e)
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].key < entries[j].key })
	scale := func(n uint64) uint64 {
		if len(sample) == 0 {
			return 0
		}
		return n * rows / uint64(len(sample))
	}
	is.Nulls = scale(is.Nulls)
	cells := min(histogramCells, len(entries))
	distinct := uint64(0)
	for i := range cells {
		from, to := i*len(entries)/cells, (i+1)*len(entries)/cells
		different := uint64(0)
		for j := from; j < to; j++ {
			if j == 0 || entries[j].key != entries[j-1].key {
				different++
			}
		}
		distinct += different
		is.Bounds = append(is.Bounds, entries[to-1].vals)
		is.Counts = append(is.Counts, scale(uint64(to-from)))
		is.PerCell = append(is.PerCell, max(different, 1))
	}
	// A sample in which hardly any value repeats comes from a table in which most are different.
	if is.Distinct = distinct; x.IsUnique() || distinct*10 > uint64(len(entries))*9 {
		is.Distinct = scale(distinct)
	}
	return is
}

// dropStatistics forgets a table that is dropped or renamed.
func (d *definer) dropStatistics(ctx context.Context, at tableName) error {
	if d.l.stats != nil {
		d.l.stats.forget(at)
	}
	return d.eng.DeleteKV(ctx, d.tx, statisticsSpace, statisticsKey(at))
}

// SetStats implements sql.StatsProvider: histograms written by hand are not kept.
func (p *statistics) SetStats(*sql.Context, sql.Statistic) error {
	return NewError(1235, "This version of MySQL doesn't yet support 'ANALYZE TABLE ... UPDATE HISTOGRAM USING DATA'")
}

// GetStats implements sql.StatsProvider.
func (p *statistics) GetStats(ctx *sql.Context, qual sql.StatQualifier, _ []string) (sql.Statistic, bool) {
	db, err := p.layer.Provider.Database(ctx, qual.Database)
	if err != nil {
		return nil, false
	}
	t, ok, err := db.GetTableInsensitive(ctx, qual.Tab)
	if err != nil || !ok {
		return nil, false
	}
	all, err := p.GetTableStats(ctx, "", qual.Database, t)
	if err != nil {
		return nil, false
	}
	for _, s := range all {
		if strings.EqualFold(s.Qualifier().Idx, qual.Idx) {
			return s, true
		}
	}
	return nil, false
}

// DropStats implements sql.StatsProvider.
func (p *statistics) DropStats(ctx *sql.Context, qual sql.StatQualifier, _ []string) error {
	db, err := p.layer.Provider.Database(ctx, qual.Database)
	if err != nil {
		return err
	}
	t, ok, err := db.GetTableInsensitive(ctx, qual.Tab)
	if err != nil || !ok {
		return err
	}
	return p.drop(ctx, ours(t).def.def)
}

func (p *statistics) drop(ctx context.Context, def *catalog.Table) error {
	at := tableName{def.Schema, def.Name}
	p.forget(at)
	return p.layer.eng.DeleteKV(ctx, nil, statisticsSpace, statisticsKey(at))
}

// DropDbStats implements sql.StatsProvider. A dropped table's statistics name its id, so leaving
// them does no harm but take room.
func (p *statistics) DropDbStats(ctx *sql.Context, _, db string, _ bool) error {
	var keys []string
	err := p.layer.eng.ListKV(ctx, nil, statisticsSpace, db+"\x00", func(k string, _ []byte) error {
		keys = append(keys, k)
		return nil
	})
	for _, k := range keys {
		if err == nil {
			err = p.layer.eng.DeleteKV(ctx, nil, statisticsSpace, k)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.stored)
	clear(p.made)
	return err
}

// RowCount implements sql.StatsProvider.
func (p *statistics) RowCount(ctx *sql.Context, _, _ string, tbl sql.Table) (uint64, error) {
	t := ours(tbl)
	if t == nil {
		return 0, nil
	}
	n, _, err := t.RowCount(ctx)
	return n, err
}

// DataLength implements sql.StatsProvider.
func (p *statistics) DataLength(ctx *sql.Context, _, _ string, tbl sql.Table) (uint64, error) {
	t := ours(tbl)
	if t == nil {
		return 0, nil
	}
	return t.DataLength(ctx)
}
