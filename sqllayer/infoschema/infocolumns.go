package infoschema

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/vectors"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

func columnsRows(ctx *sql.Context, cat sql.Catalog, add func(map[string]any)) error {
	table := func(db string, t sql.Table, own *sqllayer.Table) error {
		rights := sqllayer.PrivilegesOf(ctx)
		for i, c := range t.Schema(ctx) {
			if !rights.SeesColumn(db, t.Name(), c.Name) {
				continue
			}
			privileges := rights.Listed(db, t.Name(), c.Name)
			if own == nil {
				add(columnRow(db, t.Name(), i, c, tabledef.ShownType(c.Type), privileges))
				continue
			}
			if c.HiddenSystem || i == 0 && sqllayer.HidesKey(ctx, own) {
				continue
			}
			d, col := own.Def, &own.Def.Def.Columns[i]
			m := columnRow(db, t.Name(), i, c, d.ShownType(i), privileges)
			if v := ListedDefault(ctx, d, i); v != nil {
				m["column_default"] = *v
			}
			m["column_key"], m["extra"], m["column_comment"] = ColumnKey(d.Def, i), ColumnExtra(d, i), col.Comment
			if col.Generated != "" {
				m["generation_expression"] = tabledef.QuoteEscaped.Replace(tabledef.ExprText(col.Generated))
			}
			add(m)
		}
		return nil
	}
	return sqllayer.EachTable(ctx, cat, table, func(db sql.Database, v sql.ViewDefinition) error {
		d, own := sqllayer.OwnDatabase(db)
		if !own {
			return nil
		}
		columns, err := d.ViewColumns(ctx, cat, v.Name)
		if err != nil {
			sqllayer.WarnOfView(ctx, d.Name(), v.Name)
			return nil
		}
		rights := sqllayer.PrivilegesOf(ctx)
		for i, c := range columns {
			if !rights.SeesColumn(db.Name(), v.Name, c.Name) {
				continue
			}
			m := columnRow(db.Name(), v.Name, i, c.Column, c.Text, rights.Listed(db.Name(), v.Name, c.Name))
			if c.Value != nil {
				m["column_default"] = c.Value
			}
			m["extra"] = c.Extra()
			add(m)
		}
		return nil
	})
}

// columnRow describes a column whose type is shown as text.
func columnRow(db, table string, at int, c *sql.Column, text, privileges string) map[string]any {
	m := map[string]any{
		"table_catalog": "def", "table_schema": db, "table_name": table, "column_name": c.Name, "ordinal_position": at + 1, "is_nullable": "NO", "column_type": text,
		"column_key": "", "extra": "", "privileges": privileges, "column_comment": c.Comment, "generation_expression": "",
	}
	if c.Nullable {
		m["is_nullable"] = "YES"
	}
	name := text
	if end := strings.IndexAny(text, "( "); end >= 0 {
		name = text[:end]
	}
	m["data_type"] = name
	if srid := tabledef.SridOf(c.Type); srid != nil {
		m["srs_id"] = *srid
	}
	if coll, ok := tabledef.CollationOf(c.Type); ok {
		m["character_set_name"], m["collation_name"] = coll.CharacterSet().Name(), coll.Name()
	}
	describeLengths(m, c.Type, name, store.AttributesIn(text))
	return m
}

// integerDigits are the digits of integers, signed and unsigned.
var integerDigits = map[string][2]int{"tinyint": {3, 3}, "smallint": {5, 5}, "mediumint": {7, 7}, "int": {10, 10}, "bigint": {19, 20}}

// textBytes are the lengths of the types that have one by name.
var textBytes = map[string]int64{"tiny": 1<<8 - 1, "": 1<<16 - 1, "medium": 1<<24 - 1, "long": 1<<32 - 1}

func describeLengths(m map[string]any, t sql.Type, name string, a store.Attributes) {
	characters := func(n int64, c sql.CollationID) {
		m["character_maximum_length"], m["character_octet_length"] = n, n*c.CharacterSet().MaxLength()
	}
	numeric := func(precision int, scale any) { m["numeric_precision"], m["numeric_scale"] = precision, scale }
	switch t := t.(type) {
	case types.EnumType:
		longest := 0
		for _, v := range t.Values() {
			longest = max(longest, len([]rune(v)))
		}
		characters(int64(longest), t.Collation())
	case types.SetType:
		characters(int64(len([]rune(strings.Join(t.Values(), ",")))), t.Collation())
	case sql.StringType:
		if kind, ok := strings.CutSuffix(strings.Replace(name, "blob", "text", 1), "text"); ok {
			m["character_maximum_length"], m["character_octet_length"] = textBytes[kind], textBytes[kind]
			return
		}
		characters(t.MaxCharacterLength(), t.Collation())
	case vectors.Type:
		m["character_maximum_length"], m["character_octet_length"] = t.Bytes(), t.Bytes()
	case types.BitType:
		numeric(int(t.NumberOfBits()), nil)
	case sql.DecimalType:
		numeric(int(t.Precision()), int(t.Scale()))
	case sql.DatetimeType:
		if name != "date" {
			m["datetime_precision"] = t.Precision()
		}
	case types.TimespanType_:
		m["datetime_precision"] = int(a.Digits)
	case sql.NumberType:
		digits, integer := integerDigits[name]
		switch {
		case integer && types.IsUnsigned(t):
			numeric(digits[1], 0)
		case integer:
			numeric(digits[0], 0)
		case a.Digits > 0:
			numeric(int(a.Digits), int(a.Scale))
		case name == "float":
			numeric(12, nil)
		case name == "double":
			numeric(22, nil)
		}
	}
}
