package catalog

import (
	"encoding/json"
	"fmt"

	"emberdb/engine/row"
	"emberdb/internal/base"
)

// Decode reads the definition of a table. Whatever the bytes are, they are a definition whose parts
// fit each other, or they are refused with base.ErrCorrupt: the rooms above take positions of
// columns, the clustered index and the sizes of types on trust.
func Decode(data []byte) (*Table, error) {
	t := new(Table)
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("table definition: %w: %v", base.ErrCorrupt, err)
	}
	if fault := t.fault(); fault != "" {
		return nil, fmt.Errorf("definition of %s.%s: %w: %s", t.Schema, t.Name, base.ErrCorrupt, fault)
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.HasDefault && c.Literal && c.Default == unreadEmpty {
			c.Default = "''"
		}
	}
	return t, nil
}

// unreadEmpty is how the default of no bytes was written before release 0.2.0. It is read as a name.
const unreadEmpty = "0x"

// fault says what does not fit in a definition; "" if everything does.
func (t *Table) fault() string {
	if t.Name == "" {
		return "no name"
	}
	for i := range t.Columns {
		if fault := t.Columns[i].fault(); fault != "" {
			return fmt.Sprintf("column %q: %s", t.Columns[i].Name, fault)
		}
	}
	if len(t.Indexes) == 0 || t.Indexes[0] == nil || !t.Indexes[0].Clustered {
		return "no clustered index"
	}
	for i, x := range t.Indexes {
		if x == nil || x.Clustered != (i == 0) {
			return "an index is missing, or clustered beside another"
		}
		for _, p := range x.Parts {
			if p.Column < 0 || p.Column >= len(t.Columns) {
				return fmt.Sprintf("index %q: no column %d", x.Name, p.Column)
			}
		}
	}
	if t.AutoInc < -1 || t.AutoInc >= len(t.Columns) {
		return fmt.Sprintf("AUTO_INCREMENT: no column %d", t.AutoInc)
	}
	for _, fk := range t.ForeignKeys {
		if len(fk.Columns) == 0 || len(fk.Columns) != len(fk.ParentColumns) {
			return fmt.Sprintf("foreign key %q: columns of child and parent", fk.Name)
		}
	}
	return t.Partitioning.fault()
}

// The most digits of a DECIMAL, and behind its point.
const (
	maxPrecision = 65
	maxScale     = 30
)

func (c *Column) fault() string {
	switch {
	case c.Type < row.TInt8 || c.Type > row.TGeometry:
		return fmt.Sprintf("type %d", c.Type)
	case c.Type == row.TDecimal && (c.Precision == 0 || c.Precision > maxPrecision || c.Scale > maxScale || c.Scale > c.Precision):
		return fmt.Sprintf("DECIMAL(%d,%d)", c.Precision, c.Scale)
	}
	return ""
}
