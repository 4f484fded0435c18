package tabledef

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	"emberdb/sql/bind"
	executor "emberdb/sql/exec"
	sqltype "emberdb/sql/types"
)

func (d *TableDef) Bound() *bind.Table {
	out := &bind.Table{Def: d.Def}
	for i := range d.Def.Columns {
		col := &d.Def.Columns[i]
		typ := executor.TypeOf(&col.Column)
		if digits := fractionDigits(col.SQLType); (typ.Kind == sqltype.DateTime || typ.Kind == sqltype.Time) && digits > 0 {
			typ.Scale, typ.Length = digits, typ.Length+1+uint32(digits)
		}
		if typ.Kind == sqltype.Enum {
			describeWords(&typ, d.Codecs[i].Typ)
		}
		out.Types, out.Names = append(out.Types, typ), append(out.Names, col.Name)
	}
	return out
}

// Described is the table for package bind where only types are asked for: no column lacks one.
func (d *TableDef) Described() *bind.Table {
	out := d.Bound()
	for i := range out.Types {
		if out.Types[i].Kind == sqltype.Null {
			describeOther(&out.Types[i], d.Codecs[i].Typ, &d.Def.Columns[i].Column)
		}
	}
	return out
}

// describeOther is the type of a column that package bind does not compute with.
func describeOther(t *sqltype.Type, of sql.Type, c *row.Column) {
	switch of := of.(type) {
	case sql.EnumType, sql.SetType:
		t.Kind = sqltype.Enum
	case types.BitType:
		t.Kind, t.Wire, t.Length = sqltype.Uint, sqltype.WireBit, uint32(of.NumberOfBits())
	case sql.StringType:
		t.Kind = sqltype.String
	case sql.NumberType:
		switch {
		case types.IsFloat(of):
			t.Kind = sqltype.Float
			if t.Scale = sqltype.NotFixed; c.Precision > 0 {
				t.Length, t.Scale = uint32(c.Precision), c.Scale
			}
		case types.IsUnsigned(of):
			t.Kind = sqltype.Uint
		default:
			t.Kind = sqltype.Int
		}
	case sql.DecimalType:
		t.Kind, t.Wire, t.Precision, t.Scale = sqltype.Decimal, sqltype.WireNewDecimal, c.Precision, c.Scale
	case sql.SpatialColumnType:
		t.Kind, t.Wire, t.Collation = sqltype.String, sqltype.WireGeometry, sqltype.Binary
	}
}

// describeWords completes the type of a column of ENUM or SET. Words that are no UTF-8 for clients are
// not read.
func describeWords(t *sqltype.Type, of sql.Type) {
	switch of := of.(type) {
	case sql.EnumType:
		t.Words, t.Collation = &sqltype.Words{Names: of.Values()}, uint16(of.Collation())
		for _, name := range t.Words.Names {
			t.Length = max(t.Length, uint32(utf8.RuneCountInString(name)))
		}
	case sql.SetType:
		t.Words, t.Collation = &sqltype.Words{Names: of.Values(), Set: true}, uint16(of.Collation())
		for i, name := range t.Words.Names {
			t.Length += uint32(utf8.RuneCountInString(name) + min(i, 1))
		}
	}
	if t.Words == nil || sqltype.CollatorOf(t.Collation) == nil || !sqltype.UTF8(t.Collation) {
		t.Kind = sqltype.Null
	}
}

// fractionDigits are the digits of the fraction that the text of a type states: datetime(3).
func fractionDigits(text string) uint8 {
	_, rest, ok := strings.Cut(text, "(")
	if !ok || rest == "" || rest[0] < '0' || rest[0] > '6' {
		return 0
	}
	return rest[0] - '0'
}
