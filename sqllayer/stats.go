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
	"strings"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/stats"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// storedStatistics is what is kept of one table.
type storedStatistics struct {
	Table   base.TableID               `json:"table"` // the version that was analyzed
	At      time.Time                  `json:"at"`
	Rows    uint64                     `json:"rows"`
	AvgSize uint64                     `json:"avg_size"`
	Indexes []tabledef.IndexStatistics `json:"indexes"`
}

// statistics implements sql.StatsProvider.
type statistics struct {
	layer *Layer

	mu     sync.Mutex
	stored map[tabledef.TableName]*storedStatistics // nil value: none
	made   map[*tabledef.TableDef][]sql.Statistic
}

var _ sql.StatsProvider = (*statistics)(nil)

func NewStatistics(l *Layer) *statistics {
	return &statistics{layer: l, stored: make(map[tabledef.TableName]*storedStatistics), made: make(map[*tabledef.TableDef][]sql.Statistic)}
}

func statisticsKey(at tabledef.TableName) string { return at.Schema + "\x00" + at.Name }

func ours(t sql.Table) *Table {
	found, _ := sql.GetUnderlyingTable(t).(*Table)
	return found
}

// load returns the stored statistics of a table, nil if it has none.
func (p *statistics) load(ctx context.Context, t *Table) (*storedStatistics, error) {
	at := tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}
	p.mu.Lock()
	st, known := p.stored[at]
	p.mu.Unlock()
	if !known {
		data, err := p.layer.Eng.GetKV(ctx, nil, tabledef.StatisticsSpace, statisticsKey(at))
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
	if st != nil && st.Table != t.Def.Def.ID {
		return nil, nil // of a table that is gone
	}
	return st, nil
}

// GetTableStats implements sql.StatsProvider. GMS falls back on uniform assumptions when there is
// nothing.
func (p *statistics) GetTableStats(ctx *sql.Context, _, _ string, tbl sql.Table) ([]sql.Statistic, error) {
	t := ours(tbl)
	if t == nil || t.Temporary {
		return nil, nil
	}
	st, err := p.load(ctx, t)
	if err != nil || st == nil {
		return nil, err
	}
	p.mu.Lock()
	made, ok := p.made[t.Def]
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
	p.made[t.Def] = made
	p.mu.Unlock()
	return made, nil
}

// statistic makes GMS's form of the statistics of one index, nil if the index is gone.
func (t *Table) statistic(ctx *sql.Context, st *storedStatistics, is *tabledef.IndexStatistics) (sql.Statistic, error) {
	x := t.Def.FindIndex(is.Name)
	if x == nil || x.Idx == nil {
		return nil, nil
	}
	var names []string
	var types []sql.Type
	for _, c := range x.Columns {
		names = append(names, strings.ToLower(t.Def.Def.Columns[c].Name))
		types = append(types, t.Def.Codecs[c].Typ)
	}
	cells := make([]sql.HistogramBucket, len(is.Bounds))
	for i, bound := range is.Bounds {
		if len(bound) != len(x.Columns) {
			return nil, nil
		}
		upper := make(sql.Row, len(bound))
		for j, v := range bound {
			var err error
			if upper[j], err = t.Def.Codecs[x.Columns[j]].Decode(nil, v); err != nil {
				return nil, err
			}
		}
		cells[i] = stats.NewHistogramBucket(is.Counts[i], is.PerCell[i], 0, 1, upper, nil, nil)
	}
	qual := sql.NewStatQualifier(t.Def.Database, "", t.Def.Name, is.Name)
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
	if t == nil || t.Temporary {
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
	st := &storedStatistics{Table: t.Def.Def.ID, At: time.Now(), Rows: rows, AvgSize: size / max(rows, 1)}
	for _, x := range t.Def.Indexes {
		if x.Idx != nil {
			st.Indexes = append(st.Indexes, t.Def.Histogram(x, sample, rows))
		}
	}
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	at := tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}
	if err := p.layer.Eng.PutKV(ctx, nil, tabledef.StatisticsSpace, statisticsKey(at), data); err != nil {
		return sqlerr.Translate(err, t.Def.Database)
	}
	p.forget(at)
	return nil
}

func (p *statistics) forget(at tabledef.TableName) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.stored, at)
	clear(p.made)
}

// sample reads the table and keeps a random part of its rows.
func (t *Table) sample(ctx *sql.Context) (sample [][]row.Value, rows uint64, err error) {
	s := t.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h, trx, err := t.open(ctx)
	if err != nil {
		return nil, 0, s.Note(err)
	}
	h.Forget()
	scan := h.NewScan(trx, table.ScanOptions{})
	defer scan.Close()
	for {
		vals, err := scan.Next(ctx)
		if err == io.EOF {
			return sample, rows, nil
		}
		if err != nil {
			return nil, 0, s.Note(err)
		}
		rows++
		switch at := rand.Uint64() % rows; {
		case len(sample) < tabledef.SampleRows:
			sample = append(sample, ownValues(nil, vals))
		case at < tabledef.SampleRows:
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

// dropStatistics forgets a table that is dropped or renamed.
func (d *definer) dropStatistics(ctx context.Context, at tabledef.TableName) error {
	if d.l.Stats != nil {
		d.l.Stats.forget(at)
	}
	return d.eng.DeleteKV(ctx, d.tx, tabledef.StatisticsSpace, statisticsKey(at))
}

// SetStats implements sql.StatsProvider: histograms written by hand are not kept.
func (p *statistics) SetStats(*sql.Context, sql.Statistic) error {
	return sqlerr.NewError(1235, "This version of MySQL doesn't yet support 'ANALYZE TABLE ... UPDATE HISTOGRAM USING DATA'")
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
	return p.drop(ctx, ours(t).Def.Def)
}

func (p *statistics) drop(ctx context.Context, def *catalog.Table) error {
	at := tabledef.TableName{Schema: def.Schema, Name: def.Name}
	p.forget(at)
	return p.layer.Eng.DeleteKV(ctx, nil, tabledef.StatisticsSpace, statisticsKey(at))
}

// DropDbStats implements sql.StatsProvider. A dropped table's statistics name its id, so leaving
// them does no harm but take room.
func (p *statistics) DropDbStats(ctx *sql.Context, _, db string, _ bool) error {
	var keys []string
	err := p.layer.Eng.ListKV(ctx, nil, tabledef.StatisticsSpace, db+"\x00", func(k string, _ []byte) error {
		keys = append(keys, k)
		return nil
	})
	for _, k := range keys {
		if err == nil {
			err = p.layer.Eng.DeleteKV(ctx, nil, tabledef.StatisticsSpace, k)
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
