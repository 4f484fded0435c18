package server

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/dict"
	"emberdb/server/sysvar"
	"emberdb/sql/ast"
	"emberdb/sql/histogram"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// usualBuckets are those of a histogram without WITH n BUCKETS.
const usualBuckets = 100

// changeHistograms is ANALYZE TABLE ... UPDATE HISTOGRAM and DROP HISTOGRAM.
func (x *execution) changeHistograms(ctx *sql.Context, n *ast.MaintainTables) error {
	h := n.Histogram
	names, err := x.namesOf(ctx, n.Tables)
	if err != nil {
		return err
	}
	for i, t := range names {
		if err := x.mayMaintain(ctx, "analyze", t); err != nil {
			return err
		}
		for _, u := range names[:i] {
			if t == u {
				return sqlerr.NewError(1066, "Not unique table/alias: '%s'", t.name)
			}
		}
	}
	q := &sqllayer.HistogramRequest{Drop: h.Drop, Buckets: usualBuckets, Auto: h.Update == ast.AutoUpdate, Room: histogramRoom(), Logged: !n.NoBinlog}
	if h.Buckets != "" {
		if q.Buckets, err = strconv.Atoi(h.Buckets); err != nil || q.Buckets < 1 || q.Buckets > histogram.MostBuckets {
			return sqlerr.NewError(1690, "Number of buckets value is out of range in 'ANALYZE TABLE'")
		}
	}
	for _, c := range h.Columns {
		for _, before := range q.Columns {
			if strings.EqualFold(before, c.Name) {
				return sqlerr.NewError(1060, "Duplicate column name '%s'", c.Name)
			}
		}
		q.Columns = append(q.Columns, c.Name)
	}
	if h.Data != nil {
		q.Given, q.Data = true, h.Data.Text
	}
	rows, err := x.histogramRows(ctx, names, q)
	if err != nil {
		return err
	}
	return x.table(ctx, maintenanceColumns(), rows)
}

func (x *execution) histogramRows(ctx *sql.Context, names []tableName, q *sqllayer.HistogramRequest) ([][]any, error) {
	row := func(t any, kind, text string) []any { return []any{t, "histogram", kind, text} }
	t := names[0]
	switch {
	case len(names) > 1:
		return [][]any{row("", "Error", "Only one table can be specified while modifying histogram statistics.")}, nil
	case strings.EqualFold(t.db, "mysql") || t.db == dict.SystemSchema:
		return [][]any{row(t, "Error", "Histograms are not supported on the MySQL system schema.")}, nil
	case x.h.s.readOnly(ctx) != nil:
		return [][]any{row("", "Error", "The server is in read-only mode.")}, nil
	case q.Given && len(q.Columns) > 1:
		return [][]any{row(t, "Error", "Only one column can be specified while modifying histogram statistics with JSON data.")}, nil
	}
	l := x.h.s.layer()
	if l == nil {
		return nil, x.unsupported()
	}
	own, why, err := l.HistogramTable(ctx, t.db, t.name)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return [][]any{row(t, "Error", why)}, nil
	}
	messages, err := own.ChangeHistograms(ctx, q)
	if ended := x.commitFirst(ctx); err == nil { // its reading
		err = ended
	}
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, m := range messages {
		rows = append(rows, row(t, m.Type, m.Text))
	}
	return rows, nil
}

// renewHistograms makes the histograms of a table anew that were made with AUTO UPDATE.
func (x *execution) renewHistograms(ctx *sql.Context, t tableName) error {
	l := x.h.s.layer()
	if l == nil {
		return nil
	}
	own, _, err := l.HistogramTable(ctx, t.db, t.name)
	if err != nil || own == nil {
		return err
	}
	if err := own.RenewHistograms(ctx, histogramRoom()); err != nil {
		return err
	}
	return x.commitFirst(ctx)
}

// histogramRoom is histogram_generation_max_mem_size.
func histogramRoom() int { return int(sysvar.GlobalInt("histogram_generation_max_mem_size")) }
