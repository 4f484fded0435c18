package sqllayer

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
)

// tableDef is GMS's picture of one version of a table. Immutable and shared; schemas are copied
// before GMS gets them, for it changes them in ALTER TABLE.
type tableDef struct {
	def      *catalog.Table
	database string // as GMS names it: temporary tables live in a schema of their own
	name     string
	columns  []sql.Column
	primary  []int // positions of the primary key columns; empty without one
	codecs   []codec
	cols     []row.Column
	byName   map[string]int // lower-case column name -> position
	indexes  []*Index
	words    []*wordIndex // of the full-text indexes
	keyless  bool         // no primary key: rows are named by a hidden row id

	attributed []*sql.Column // the columns whose values have to fit attributes; nil for the others

	fractions bool // some index is of numbers that may have a fraction
}

// specialIndex is an index without a tree of the engine: full-text ones have a table of words, see
// fulltext.go, spatial and vector ones are remembered only. Kept as JSON in the table's option
// "indexes".
type specialIndex struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // fulltext, spatial, vector
	Columns []string `json:"columns"`
	Comment string   `json:"comment,omitempty"`
	Words   string   `json:"words,omitempty"` // the table of words
}

const specialOption = "indexes"

// tableDef returns the picture of def, made at first sight of it.
func (l *Layer) tableDef(def *catalog.Table, database string) (*tableDef, error) {
	at := tableName{def.Schema, def.Name}
	c := &l.cache
	c.mu.Lock()
	known := c.definitions[at]
	c.mu.Unlock()
	if known != nil && known.def == def {
		return known, nil
	}
	made, err := newTableDef(def, database)
	if err != nil {
		return nil, fmt.Errorf("table %s.%s: %w", def.Schema, def.Name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.definitions == nil {
		c.definitions = make(map[tableName]*tableDef)
	}
	makeRoom(c.definitions)
	c.definitions[at] = made
	return made, nil
}

func newTableDef(def *catalog.Table, database string) (*tableDef, error) {
	d := &tableDef{
		def: def, database: database, name: shownName(def), cols: table.Columns(def), byName: make(map[string]int, len(def.Columns)),
		columns: make([]sql.Column, len(def.Columns)), codecs: make([]codec, len(def.Columns)), attributed: make([]*sql.Column, len(def.Columns)),
	}
	for i := range def.Columns {
		c := &def.Columns[i]
		typ, err := parseType(c.SQLType, c.SRID)
		if err != nil {
			return nil, err
		}
		d.byName[strings.ToLower(c.Name)] = i
		d.codecs[i] = codec{typ: typ, col: c.Column}
		d.columns[i] = sql.Column{
			Type: typ, Name: c.Name, Source: d.name, DatabaseSource: database, Comment: c.Comment, Nullable: c.Nullable, Virtual: c.Virtual,
			HiddenSystem: c.Invisible, AutoIncrement: i == def.AutoInc,
		}
		if i == def.AutoInc {
			d.columns[i].Extra = "auto_increment"
		}
		if attributesIn(c.SQLType) != (attributes{}) {
			d.columns[i].Extra = attributeMark + c.SQLType
			d.attributed[i] = &d.columns[i]
		}
	}
	for _, p := range def.Indexes[0].Parts {
		d.primary = append(d.primary, p.Column)
		d.columns[p.Column].PrimaryKey = true
	}
	d.keyless = len(d.primary) == 0
	return d, d.makeIndexes()
}

func (d *tableDef) makeIndexes() error {
	for _, idx := range d.def.Indexes {
		if len(idx.Parts) > 0 && !idx.Building {
			d.indexes = append(d.indexes, newIndex(d, idx))
		}
		for _, p := range idx.Parts {
			switch d.cols[p.Column].Type {
			case row.TDecimal, row.TFloat32, row.TFloat64:
				d.fractions = true
			}
		}
	}
	special, err := specialIndexes(d.def)
	for i := range special {
		d.indexes = append(d.indexes, newSpecialIndex(d, &special[i]))
	}
	d.words = wordIndexes(d)
	return err
}

// specialIndexes reads the option "indexes".
func specialIndexes(def *catalog.Table) (list []specialIndex, err error) {
	text := def.Options[specialOption]
	if text == "" {
		return nil, nil
	}
	return list, json.Unmarshal([]byte(text), &list)
}

// setSpecialIndexes writes the option "indexes" of a definition whose options are its own.
func setSpecialIndexes(def *catalog.Table, list []specialIndex) error {
	if len(list) == 0 {
		delete(def.Options, specialOption)
		return nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if def.Options == nil {
		def.Options = make(map[string]string)
	}
	def.Options[specialOption] = string(text)
	return nil
}

// schema makes a schema of GMS's own: one allocation of columns, one of pointers.
func (d *tableDef) schema() sql.Schema {
	cols := slices.Clone(d.columns)
	schema := make(sql.Schema, len(cols))
	for i := range cols {
		schema[i] = &cols[i]
		c := &d.def.Columns[i]
		if c.HasDefault {
			cols[i].Default = sql.NewUnresolvedColumnDefaultValue(c.Default)
		}
		if c.Generated != "" {
			cols[i].Generated = sql.NewUnresolvedColumnDefaultValue(c.Generated)
		}
		if c.OnUpdate != "" {
			cols[i].OnUpdate = sql.NewUnresolvedColumnDefaultValue(c.OnUpdate)
		}
	}
	return schema
}

// find returns the position of a column, -1 if there is none.
func (d *tableDef) find(name string) int {
	if i, ok := d.byName[strings.ToLower(name)]; ok {
		return i
	}
	return -1
}

// encodeRow converts a row of GMS.
func (d *tableDef) encodeRow(ctx *sql.Context, r sql.Row, dst []row.Value) ([]row.Value, error) {
	if len(r) != len(d.codecs) {
		return nil, sql.ErrUnexpectedRowLength.New(len(d.codecs), len(r))
	}
	dst = dst[:0]
	for i, v := range r {
		val, err := d.codecs[i].encode(ctx, v)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", d.def.Columns[i].Name, err)
		}
		if c := &d.codecs[i].col; c.Type == row.TTime && !val.IsNull() {
			val = row.IntValue(roundTime(val.Int(), c.Precision))
		}
		dst = append(dst, val)
	}
	return dst, nil
}

// decodeRow converts a row of the engine; cols are the wanted columns, nil for all.
func (d *tableDef) decodeRow(zone *time.Location, vals []row.Value, cols []int) (sql.Row, error) {
	if cols == nil {
		out := make(sql.Row, len(d.codecs))
		for i := range d.codecs {
			v, err := d.codecs[i].decode(zone, vals[i])
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	}
	out := make(sql.Row, len(cols))
	for i, c := range cols {
		v, err := d.codecs[c].decode(zone, vals[c])
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}
