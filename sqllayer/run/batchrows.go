package run

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/sql/exec"
	"emberdb/sqllayer"
)

// batchRows are the rows of a query that come in batches, see sqllayer.Selecting. What a column
// stores as it stands is made of the batch; of a row with other values the library's form is made.
type batchRows struct {
	planRows
	rows   sqllayer.Batches
	digits []int // of the seconds, by column
	at     int
	made   bool // the row at hand has the library's form
}

func newBatchRows(d *sqllayer.DirectTable, schema sql.Schema, rows sqllayer.Batches) *batchRows {
	b := &batchRows{planRows: planRows{d: d, schema: schema}, rows: rows, digits: make([]int, len(d.TableDef.Codecs))}
	for i := range d.TableDef.Codecs {
		c := &d.TableDef.Codecs[i]
		if t, ok := c.Typ.(sql.DatetimeType); ok {
			b.digits[i] = t.Precision()
		} else if c.Col.Type == row.TTime {
			b.digits[i] = int(c.Col.Precision)
		}
	}
	return b
}

func (b *batchRows) next(ctx *sql.Context) error {
	b.made = false
	if now := b.rows.Batch(); now != nil && b.at+1 < now.N {
		b.at++
		return nil
	}
	b.at = 0
	more, err := b.rows.NextBatch()
	if err == nil && !more {
		err = io.EOF
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

func (b *batchRows) Given(ctx *sql.Context) (sql.Row, error) {
	if err := b.make(); err != nil {
		return nil, err
	}
	return b.planRows.Given(ctx)
}

func (b *batchRows) make() (err error) {
	if !b.made {
		b.row, err = b.rows.Row(b.at)
		b.made = err == nil
	}
	return err
}

func (b *batchRows) Value(ctx *sql.Context, field, col int, buf []byte) (row.Value, []byte, bool) {
	v, buf, ok := exec.StoredValue(&b.d.TableDef.Cols[col], b.digits[col], b.rows.Batch().Cols[field], b.at, buf)
	if ok {
		return v, buf, true
	}
	if b.make() != nil {
		return v, buf, false
	}
	return b.planRows.Value(ctx, field, col, buf)
}

func (b *batchRows) Close(ctx *sql.Context) error { return b.rows.Close(ctx) }
