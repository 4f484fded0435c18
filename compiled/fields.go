package compiled

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/sqllayer"
)

// fields converts the fields of files to the values of a table's columns.
type fields struct {
	info *sqllayer.DirectTable
	cols []column
}

// NewFields makes the converter for LOAD DATA into a table.
func NewFields(info *sqllayer.DirectTable) sqllayer.FieldConverter {
	f := &fields{info: info}
	for i := range info.Def.Columns {
		c := &info.Def.Columns[i]
		f.cols = append(f.cols, newColumn(c.Column, i, c.Name, info.Type(i)))
	}
	return f
}

// Convert implements sqllayer.FieldConverter.
func (f *fields) Convert(ctx *sql.Context, col int, text, buf []byte) (v row.Value, grown []byte, ok bool) {
	c := &f.cols[col]
	p := Param{Kind: KindString, B: text}
	switch t := c.Type; {
	case t.Integer(), t == row.TDecimal:
		ok = p.number()
	case t == row.TFloat32, t == row.TFloat64:
		if v, ok = c.float(&p); ok {
			return v, buf, true
		}
	default:
		ok = true
	}
	if ok {
		var how fit
		if v, how, buf = c.convert(&p, true, buf); how == fitValue {
			return v, buf, true
		}
	}
	v, ok = f.info.StoreAlone(ctx, col, string(text))
	return v, buf, ok && !v.IsNull()
}

// number makes the number of a text that is one, as a literal would be written.
func (p *Param) number() bool {
	r := literals{text: p.B}
	return len(p.B) > 0 && r.number(p) && r.at == len(r.text)
}

// float is the value of a floating column that a text of a plain number stands for.
func (c *column) float(p *Param) (v row.Value, ok bool) {
	n := *p
	if c.Precision > 0 || !n.number() {
		return v, false
	}
	f, err := strconv.ParseFloat(string(p.B), 64)
	if c.Type == row.TFloat32 {
		f = float64(float32(f))
	}
	v = row.FloatValue(f)
	return v, err == nil && c.Fits(v)
}
