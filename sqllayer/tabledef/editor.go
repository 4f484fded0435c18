package tabledef

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sqllayer/multivalued"
	"emberdb/sqllayer/store"
)

// Missing tells whether r is no row but the NULLs of an outer join.
func (d *TableDef) Missing(r sql.Row) bool {
	for i, c := range d.Def.Columns {
		if !c.Nullable && i < len(r) && r[i] == nil {
			return true
		}
	}
	return false
}

// Violated makes GMS's error of a *table.DuplicateError, nil of any other error. vals is the row
// that was refused; nil: the other row stands for it.
func (d *TableDef) Violated(ctx *sql.Context, err error, vals []row.Value) error {
	var dup *table.DuplicateError
	if !errors.As(err, &dup) {
		return nil
	}
	if vals == nil {
		vals = dup.Row
	}
	existing, decodeErr := d.DecodeRow(store.ZoneOf(ctx), dup.Row, nil)
	if decodeErr != nil {
		return decodeErr
	}
	return sql.NewUniqueKeyErr(d.duplicate(ctx, dup.Index.Name, dup.Index.Parts, vals), dup.Index.Clustered, existing)
}

// duplicate is MySQL's text of a unique key violation.
func (d *TableDef) duplicate(ctx *sql.Context, index string, parts []row.KeyPart, vals []row.Value) string {
	key := ""
	for _, p := range parts {
		if key != "" { // nothing parts what follows empty texts
			key += "-"
		}
		key += d.keyText(ctx, p, vals[p.Column])
	}
	return "Duplicate entry '" + key + "' for key '" + d.Name + "." + index + "'"
}

func (d *TableDef) keyText(ctx *sql.Context, p row.KeyPart, v row.Value) string {
	if v.IsNull() {
		return "NULL"
	}
	if c := &d.Cols[p.Column]; c.Elements != 0 {
		return multivalued.Text(ctx, c, v)
	}
	c := &d.Codecs[p.Column]
	value, err := c.Decode(store.ZoneOf(ctx), v)
	if err != nil {
		return "?"
	}
	out, err := c.Typ.SQL(ctx, nil, value)
	if err != nil {
		return "?"
	}
	text := out.ToString()
	if c := &d.Cols[p.Column]; c.Type == row.TTime {
		whole, fraction, _ := strings.Cut(text, ".")
		if text = whole; c.Precision > 0 {
			text += "." + fraction[:c.Precision]
		}
	}
	if p.Prefix > 0 {
		text = cutRunes(text, int(p.Prefix))
	}
	return cutRunes(text, 64)
}

func cutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		if n--; !utf8.RuneStart(s[i]) {
			return s
		}
	}
	return s
}
