package catalog

import (
	"slices"
	"strings"
)

// Partitioning says how the rows of a table are spread over partitions.
//
// Each partition without subpartitions, and each subpartition, is a table of its own in the
// dictionary: a part. Its definition is that of the table except for name, ids, space and roots. So
// undo, purge, recovery, checks and backups know parts as they know tables. The table itself has no
// rows. Its space holds the AUTO_INCREMENT counter.
//
// Invariants:
//
//	(1) The parts of a table in the dictionary are exactly those that Leaves names.
//	(2) The definition of a part changes only in a transaction that also writes that of its table.
//	(3) The indexes of a part stand in the order of the table's.
type Partitioning struct {
	By    PartitionKey  `json:"by"`
	Sub   *PartitionKey `json:"sub,omitempty"`
	Parts []Partition   `json:"parts"`
}

// PartitionKey says what decides about the partition of a row, or about its subpartition. The
// texts are opaque to the engine.
type PartitionKey struct {
	Method     PartitionMethod `json:"method"`
	Linear     bool            `json:"linear,omitempty"`
	Algorithm  int             `json:"algorithm,omitempty"` // of KEY, when it was given
	Expr       string          `json:"expr,omitempty"`
	Columns    []string        `json:"columns,omitempty"`
	ColumnList bool            `json:"column_list,omitempty"` // Columns decides, not Expr
	Counted    bool            `json:"counted,omitempty"`     // names were made from a number
	Unnumbered bool            `json:"unnumbered,omitempty"`  // which was not given
}

// PartitionMethod is how rows are spread.
type PartitionMethod string

// The methods.
const (
	ByRange PartitionMethod = "RANGE"
	ByList  PartitionMethod = "LIST"
	ByHash  PartitionMethod = "HASH"
	ByKey   PartitionMethod = "KEY"
)

// Partition is one partition, or one subpartition.
type Partition struct {
	Name string `json:"name"`
	// Values are literals in SQL, one row for RANGE and any number for LIST. MAXVALUE and NULL
	// stand for themselves.
	Values  [][]string  `json:"values,omitempty"`
	Comment string      `json:"comment,omitempty"`
	Options []string    `json:"options,omitempty"` // others, as they are shown
	Subs    []Partition `json:"subs,omitempty"`
}

// Leaf is a part of a table: a partition without subpartitions, or a subpartition.
type Leaf struct {
	Name          string
	Part, SubPart int // positions; SubPart is 0 without subpartitions
}

// Leaves lists the parts, each partition's together.
func (p *Partitioning) Leaves() (out []Leaf) {
	if p == nil {
		return nil
	}
	for i, part := range p.Parts {
		if len(part.Subs) == 0 {
			out = append(out, Leaf{part.Name, i, 0})
		}
		for j, sub := range part.Subs {
			out = append(out, Leaf{sub.Name, i, j})
		}
	}
	return out
}

// Clone returns a copy that may be changed.
func (p *Partitioning) Clone() *Partitioning {
	if p == nil {
		return nil
	}
	c := *p
	c.Parts = slices.Clone(p.Parts)
	return &c
}

// partSeparator stands between the name of a table and that of its part. No name of a client's has
// it.
const partSeparator = "\x00"

// PartName is the name of a part in the dictionary.
func PartName(table, part string) string {
	return table + partSeparator + strings.ToLower(part)
}

// SplitPart returns the names of a table and of its part; part is "" for other tables.
func SplitPart(name string) (table, part string) {
	table, part, _ = strings.Cut(name, partSeparator)
	return table, part
}

// IsPart tells whether a name is that of a part.
func IsPart(name string) bool { return strings.Contains(name, partSeparator) }

// ShownName is a name as people read it: that of a part as MySQL names its file.
func ShownName(name string) string { return strings.ReplaceAll(name, partSeparator, "#p#") }

// PartOf returns the definition of a part of t that takes over the storage of another one, or that
// is still to get its own if storage is nil.
func (t *Table) PartOf(leaf string, storage *Table) *Table {
	part := *t
	part.Name, part.Partitioning, part.ForeignKeys = PartName(t.Name, leaf), nil, nil
	part.ID, part.Space, part.Version = 0, 0, 0
	part.Indexes = make([]*Index, len(t.Indexes))
	for i, idx := range t.Indexes {
		c := *idx
		c.ID, c.Root = 0, 0
		part.Indexes[i] = &c
	}
	if storage == nil {
		return &part
	}
	part.ID, part.Space, part.Version = storage.ID, storage.Space, storage.Version
	part.Rewritten, part.CreatedUnix = storage.Rewritten, storage.CreatedUnix
	for i := range part.Indexes[:min(len(part.Indexes), len(storage.Indexes))] {
		part.Indexes[i].ID, part.Indexes[i].Root = storage.Indexes[i].ID, storage.Indexes[i].Root
	}
	part.TakeMissing(storage)
	return &part
}

// TakeMissing gives the columns that rows of a storage may lack the values that they have there.
func (t *Table) TakeMissing(storage *Table) {
	t.Columns = slices.Clone(t.Columns)
	for i := range t.Columns[:min(len(t.Columns), len(storage.Columns))] {
		t.Columns[i].Missing = storage.Columns[i].Missing
	}
}

// fault says what does not fit in a partitioning; "" if everything does.
func (p *Partitioning) fault() string {
	if p == nil {
		return ""
	}
	if len(p.Parts) == 0 {
		return "no partitions"
	}
	seen := map[string]bool{}
	for _, leaf := range p.Leaves() {
		name := strings.ToLower(leaf.Name)
		if name == "" || seen[name] {
			return "names of partitions"
		}
		seen[name] = true
	}
	for _, part := range p.Parts {
		if len(part.Subs) != len(p.Parts[0].Subs) || (p.Sub == nil) != (len(part.Subs) == 0) {
			return "subpartitions"
		}
	}
	return ""
}
