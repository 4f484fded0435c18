package sqllayer

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// Columns to which ALTER TABLE gives another type. Their values are stored as an INSERT stores
// them: what does not fit is an error that names column and row, or a warning in lenient mode.

// changedColumn is such a column.
type changedColumn struct {
	at     int // in the new table
	from   store.Codec
	typ    bool  // its type is another, so that MySQL copies the table
	digits uint8 // of a TIME
	alike  bool  // both are texts of one kind and character set
	column *sql.Column
}

// errNullValue is the error of NULLs in a column that becomes NOT NULL and stays what it is.
func errNullValue() error {
	return sqlerr.NewError(mysql.ERInvalidUseOfNull, "Invalid use of NULL value")
}

// unchanged tells whether values of a column stand as they are in another of the same type.
func unchanged(old, new *catalog.Column) bool {
	a, b := old.Column, new.Column
	b.Nullable = b.Nullable && a.Nullable
	if a.Type == row.TGeometry { // a NULL has no other geometry to become
		a.Nullable = b.Nullable
	}
	return a == b && tabledef.SameSRID(old.SRID, new.SRID) && old.SQLType == new.SQLType
}

// change notes that a column of the new table is made of one of old's; false: GMS converts it.
func (w *rewriter) change(old *catalog.Table, from, to int) bool {
	a, b := &old.Columns[from], &w.picture.Def.Columns[to]
	if !storedByValue(a.Type, b.Type) || w.t.S.layer.Opts.Plain {
		return false
	}
	typ, err := tabledef.ParseType(a.SQLType, a.SRID)
	if err != nil {
		return false
	}
	c := changedColumn{at: to, from: store.Codec{Typ: typ, Col: a.Column}, digits: store.AttributesIn(a.SQLType).Digits, column: &w.picture.Columns[to]}
	set, wanted := sql.CollationID(a.Collation).CharacterSet(), sql.CollationID(b.Collation).CharacterSet()
	c.typ = a.SQLType != b.SQLType || set != wanted
	c.alike = a.Type == b.Type && isCharacters(a.Type) && set == wanted
	w.changes = append(w.changes, c)
	w.copies = w.copies || a.Nullable && !b.Nullable && !w.storer.Strict
	return true
}

// storedByValue tells types whose values a Storer makes of those of another. Of documents it makes
// and reads texts only.
func storedByValue(from, to row.Type) bool {
	if from == row.TGeometry || to == row.TGeometry {
		return false
	}
	return to != row.TJSON || from == row.TJSON || isCharacters(from) || from == row.TText
}

func isCharacters(t row.Type) bool { return t == row.TChar || t == row.TVarchar }

// changed makes the values of the changed columns of a row, which still has the old ones.
func (w *rewriter) changed(ctx *sql.Context, vals []row.Value) (err error) {
	for i := range w.changes {
		c := &w.changes[i]
		if vals[c.at], err = w.changedValue(ctx, c, vals[c.at]); err != nil {
			return err
		}
	}
	return nil
}

func (w *rewriter) changedValue(ctx *sql.Context, c *changedColumn, was row.Value) (row.Value, error) {
	if was.IsNull() {
		return w.changedNull(ctx, c)
	}
	if !c.typ || was.N == 0 && c.from.Col.Type == row.TEnum && w.picture.Cols[c.at].Type == row.TEnum { // no word stays none
		return was, nil
	}
	v, err := c.from.Decode(w.t.S.Zone(), was)
	if err != nil {
		return was, err
	}
	if v, err = c.meant(ctx, v); err != nil {
		return was, err
	}
	if v, err = w.storer.Given(ctx, c.column, c.from.Typ, v); err != nil {
		if e, ok := err.(*mysql.SQLError); ok && c.alike && e.Num == mysql.ERDataTooLong { //nolint:errorlint // made by the storer
			err = sqlerr.NewError(mysql.ERWarnDataTruncated, "Data truncated for column '%s' at row %d", c.column.Name, w.storer.Row)
		}
		return was, err
	}
	return w.picture.Codecs[c.at].Encode(ctx, v)
}

// meant is a value as MySQL hands it from column to column: words as text, unless they become
// numbers, and text for bytes in its own character set.
func (c *changedColumn) meant(ctx *sql.Context, v any) (any, error) {
	from, to := c.from.Typ, c.column.Type
	words := types.IsEnum(to) || types.IsSet(to)
	switch {
	case types.IsEnum(from) || types.IsSet(from):
		words = words || !types.IsNumber(to)
	case types.IsJSON(from):
		words = words || !types.IsJSON(to)
	case types.IsTimespan(from):
		if span, ok := v.(types.Timespan); ok && types.IsText(to) {
			return c.clockText(span), nil
		}
	case isCharacters(c.from.Col.Type) || c.from.Col.Type == row.TText:
		if text, ok := v.(string); ok && types.IsBinaryType(to) {
			encoded, ok := sql.CollationID(c.from.Col.Collation).CharacterSet().Encoder().Encode([]byte(text))
			if ok {
				return encoded, nil
			}
		}
	}
	if !words {
		return v, nil
	}
	text, err := from.SQL(ctx, nil, v)
	return text.ToString(), err
}

// clockText is a TIME with the digits of its column.
func (c *changedColumn) clockText(v types.Timespan) string {
	seconds, fraction, _ := strings.Cut(v.String(), ".")
	if c.digits == 0 {
		return seconds
	}
	return seconds + "." + (fraction + "000000")[:c.digits]
}

// changedNull is what a NULL becomes.
func (w *rewriter) changedNull(ctx *sql.Context, c *changedColumn) (row.Value, error) {
	switch {
	case w.picture.Def.Columns[c.at].Nullable:
		return row.NullValue, nil
	case !c.typ && !w.t.S.copying() && w.storer.Strict:
		return row.NullValue, errNullValue()
	}
	message := fmt.Sprintf("Data truncated for column '%s' at row %d", c.column.Name, w.storer.Row)
	if err := w.storer.Complain(ctx, mysql.ERWarnDataTruncated, "%s", message); err != nil {
		return row.NullValue, err
	}
	return w.picture.Codecs[c.at].Encode(ctx, c.column.Type.Zero())
}
