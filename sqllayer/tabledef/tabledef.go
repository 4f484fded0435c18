package tabledef

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/types"
	"emberdb/sqllayer/store"
)

// TableDef is GMS's picture of one version of a table. Immutable and shared; schemas are copied
// before GMS gets them, for it changes them in ALTER TABLE.
type TableDef struct {
	Def      *catalog.Table
	Database string // as GMS names it: temporary tables live in a schema of their own
	Name     string
	Columns  []sql.Column
	Primary  []int // positions of the primary key columns; empty without one
	Codecs   []store.Codec
	Cols     []row.Column
	byName   map[string]int // lower-case column name -> position
	Indexes  []*Index
	Words    []*WordIndex // of the full-text indexes
	Keyless  bool         // no primary key: rows are named by a hidden row id

	Attributed []*sql.Column // the columns whose values have to fit attributes; nil for the others

	Inexact bool // some index is of numbers that may have a fraction, has a prefix or is outdated
}

// SpecialIndex is an index without a tree of the engine: full-text ones have a table of words, see
// fulltext.go, spatial and vector ones are remembered only. Kept as JSON in the table's option
// "indexes".
type SpecialIndex struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // fulltext, spatial, vector
	Columns []string `json:"columns"`
	Comment string   `json:"comment,omitempty"`
	Words   string   `json:"words,omitempty"` // the table of words

	Invisible bool `json:"invisible,omitempty"` // declared INVISIBLE
	Ngram     bool `json:"ngram,omitempty"`     // declared WITH PARSER ngram
}

const SpecialOption = "indexes"

// ShowLibrary takes marks off the columns that GMS would show: its own DESCRIBE prints Extra.
func (d *TableDef) ShowLibrary() {
	for i := range d.Columns {
		if strings.HasPrefix(d.Columns[i].Extra, store.AttributeMark) && d.Attributed[i] == nil {
			d.Columns[i].Extra = ""
		}
	}
}

func NewTableDef(def *catalog.Table, database string) (*TableDef, error) {
	d := &TableDef{
		Def: def, Database: database, Name: shownName(def), Cols: table.Columns(def), byName: make(map[string]int, len(def.Columns)),
		Columns: make([]sql.Column, len(def.Columns)), Codecs: make([]store.Codec, len(def.Columns)), Attributed: make([]*sql.Column, len(def.Columns)),
	}
	for i := range def.Columns {
		c := &def.Columns[i]
		typ, err := ParseType(c.SQLType, c.SRID)
		if err != nil {
			return nil, err
		}
		d.byName[strings.ToLower(c.Name)] = i
		d.Codecs[i] = store.Codec{Typ: typ, Col: c.Column}
		d.Columns[i] = sql.Column{
			Type: typ, Name: c.Name, Source: d.Name, DatabaseSource: database, Comment: c.Comment, Nullable: c.Nullable, Virtual: c.Virtual,
			HiddenSystem: c.System, Hidden: c.Invisible, AutoIncrement: i == def.AutoInc,
		}
		if i == def.AutoInc {
			d.Columns[i].Extra = "auto_increment"
		}
		if mark := store.Extra(c); mark != "" {
			d.Columns[i].Extra = mark
		}
		if store.AttributesIn(c.SQLType) != (store.Attributes{}) {
			d.Attributed[i] = &d.Columns[i]
		}
	}
	for _, p := range def.Indexes[0].Parts {
		d.Primary = append(d.Primary, p.Column)
		d.Columns[p.Column].PrimaryKey = true
	}
	d.Keyless = len(d.Primary) == 0
	return d, d.makeIndexes()
}

// HasInvisible tells whether the table has INVISIBLE columns.
func (d *TableDef) HasInvisible() bool {
	return slices.ContainsFunc(d.Columns, func(c sql.Column) bool { return c.Hidden })
}

func (d *TableDef) makeIndexes() error {
	for _, idx := range d.Def.Indexes {
		if len(idx.Parts) > 0 && !idx.Building {
			d.Indexes = append(d.Indexes, newIndex(d, idx))
		}
		for _, p := range idx.Parts {
			switch d.Cols[p.Column].Type {
			case row.TDecimal, row.TFloat32, row.TFloat64:
				d.Inexact = true
			}
			d.Inexact = d.Inexact || p.Prefix > 0 || d.Def.Columns[p.Column].Outdated()
		}
	}
	special, err := SpecialIndexes(d.Def)
	for i := range special {
		d.Indexes = append(d.Indexes, NewSpecialIndex(d, &special[i]))
	}
	d.Words = wordIndexes(d)
	return err
}

// SpecialIndexes reads the option "indexes".
func SpecialIndexes(def *catalog.Table) (list []SpecialIndex, err error) {
	text := def.Options[SpecialOption]
	if text == "" {
		return nil, nil
	}
	return list, json.Unmarshal([]byte(text), &list)
}

// SetSpecialIndexes writes the option "indexes" of a definition whose options are its own.
func SetSpecialIndexes(def *catalog.Table, list []SpecialIndex) error {
	if len(list) == 0 {
		delete(def.Options, SpecialOption)
		return nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if def.Options == nil {
		def.Options = make(map[string]string)
	}
	def.Options[SpecialOption] = string(text)
	return nil
}

// Schema makes a schema of GMS's own: one allocation of columns, one of pointers.
func (d *TableDef) Schema() sql.Schema {
	cols := slices.Clone(d.Columns)
	schema := make(sql.Schema, len(cols))
	for i := range cols {
		schema[i] = &cols[i]
		c := &d.Def.Columns[i]
		if c.HasDefault {
			cols[i].Default = sql.NewUnresolvedColumnDefaultValue(c.Default)
		}
		if c.Generated != "" {
			cols[i].Generated = sql.NewUnresolvedColumnDefaultValue(d.generated(i))
		}
		if c.OnUpdate != "" {
			cols[i].OnUpdate = sql.NewUnresolvedColumnDefaultValue(c.OnUpdate)
		}
	}
	return schema
}

// Find returns the position of a column, -1 if there is none.
func (d *TableDef) Find(name string) int {
	if i, ok := d.byName[strings.ToLower(name)]; ok {
		return i
	}
	return -1
}

// EncodeRow converts a row of GMS.
func (d *TableDef) EncodeRow(ctx *sql.Context, r sql.Row, dst []row.Value) ([]row.Value, error) {
	if len(r) != len(d.Codecs) {
		return nil, sql.ErrUnexpectedRowLength.New(len(d.Codecs), len(r))
	}
	dst = dst[:0]
	for i, v := range r {
		val, err := d.Codecs[i].Encode(ctx, v)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", d.Def.Columns[i].Name, err)
		}
		if c := &d.Codecs[i].Col; c.Type == row.TTime && !val.IsNull() {
			val = row.IntValue(types.RoundTime(val.Int(), c.Precision))
		}
		dst = append(dst, val)
	}
	return dst, nil
}

// DecodeRow converts a row of the engine; cols are the wanted columns, nil for all.
func (d *TableDef) DecodeRow(zone *time.Location, vals []row.Value, cols []int) (sql.Row, error) {
	if cols == nil {
		out := make(sql.Row, len(d.Codecs))
		for i := range d.Codecs {
			v, err := d.Codecs[i].Decode(zone, vals[i])
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	}
	out := make(sql.Row, len(cols))
	for i, c := range cols {
		v, err := d.Codecs[c].Decode(zone, vals[c])
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// Same tells whether two names are those of one table, which is found in any case of its letters.
func (t TableName) Same(other TableName) bool {
	return strings.EqualFold(t.Name, other.Name) && strings.EqualFold(t.Schema, other.Schema)
}

// TableName addresses a table in the engine.
type TableName struct{ Schema, Name string }

// VersionNumber is the server's version: major, minor and patch in two digits each.
const VersionNumber = 80400

// FindIndex returns the index of a name.
func (d *TableDef) FindIndex(name string) *Index {
	if i := slices.IndexFunc(d.Indexes, func(x *Index) bool { return strings.EqualFold(x.Name, name) }); i >= 0 {
		return d.Indexes[i]
	}
	return nil
}

// shownName is the name of a table as its clients know it.
func shownName(def *catalog.Table) string {
	if i := strings.IndexByte(def.Name, 0); def.Temporary && i >= 0 {
		return def.Name[:i]
	}
	return def.Name
}
