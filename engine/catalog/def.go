// Package catalog holds the definitions of schemas, tables, indexes and other stored objects, and
// how they are kept.
//
// Everything lives in two ordinary tables of the system space, so DDL is atomic because a
// transaction is:
//
//	objects  PRIMARY KEY (kind, schema, name), UNIQUE (id): one row per schema, table, view, trigger, routine, event, library; value: JSON
//	kv       PRIMARY KEY (namespace, key): accounts, persisted variables, statistics, the DDL log, ...; value: bytes
//
// Definitions are read when first asked for and cached, so many at a time: no start reads them all.
package catalog

import (
	"slices"
	"sync/atomic"

	"emberdb/engine/row"
	"emberdb/internal/base"
)

// SystemSchema is the schema of the dictionary's own tables. No user schema may have this name.
const SystemSchema = "#ember"

// Table is the immutable definition of a table version. A change makes a new one.
type Table struct {
	ID      base.TableID `json:"id"`
	Schema  string       `json:"schema"`
	Name    string       `json:"name"`
	Space   base.SpaceID `json:"space"`
	Columns []Column     `json:"columns"`
	Indexes []*Index     `json:"indexes"` // Indexes[0] is the clustered index
	// AutoInc is the position of the AUTO_INCREMENT column, -1 if none.
	AutoInc     int               `json:"auto_inc"`
	Collation   uint16            `json:"collation"`
	Comment     string            `json:"comment,omitempty"`
	ForeignKeys []ForeignKey      `json:"foreign_keys,omitempty"`
	Checks      []Check           `json:"checks,omitempty"`
	Options     map[string]string `json:"options,omitempty"` // CREATE TABLE options as given
	// Partitioning is nil for a table whose rows are in its own trees.
	Partitioning *Partitioning `json:"partitioning,omitempty"`
	CreatedUnix  int64         `json:"created"`
	Temporary    bool          `json:"temporary,omitempty"`
	// Rewritten is the transaction that gave the table new storage in the place of older one; 0 if
	// none did. Views that do not see it do not see the table.
	Rewritten base.TrxID `json:"rewritten,omitempty"`
	// Version counts the changes of the definition since the table got its storage.
	Version uint64 `json:"version,omitempty"`

	// Logged is the form the binary log has prepared of this very definition: not part of it, and
	// not that of a copy.
	Logged atomic.Value `json:"-"`
}

// Outdated tells whether an index has a column that is row.Column.Outdated. A rebuild makes the keys
// anew.
func (t *Table) Outdated() bool {
	return slices.ContainsFunc(t.Indexes, func(x *Index) bool {
		return slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return t.Columns[p.Column].Outdated() })
	})
}

// Column is a column with what SQL needs to know of it. The SQL strings are opaque to the engine.
type Column struct {
	row.Column
	Name       string  `json:"name"`
	SQLType    string  `json:"sql_type"`          // as SHOW CREATE TABLE prints it
	Default    string  `json:"default,omitempty"` // expression text
	HasDefault bool    `json:"has_default,omitempty"`
	Literal    bool    `json:"literal,omitempty"`  // the default is a literal
	Required   bool    `json:"required,omitempty"` // may be NULL, but its default was dropped: an INSERT has to give a value
	OnUpdate   string  `json:"on_update,omitempty"`
	Generated  string  `json:"generated,omitempty"` // expression text
	Virtual    bool    `json:"virtual,omitempty"`   // generated and not stored
	Comment    string  `json:"comment,omitempty"`
	System     bool    `json:"invisible,omitempty"` // made for a functional index: no statement names it
	Invisible  bool    `json:"unlisted,omitempty"`  // declared INVISIBLE
	OwnCharset bool    `json:"charset,omitempty"`   // its character set or collation was written with it
	SRID       *uint32 `json:"srid,omitempty"`
	// Missing is the value of the column in rows that were stored before it was added behind the
	// others; nil: NULL. It belongs to the table's storage.
	Missing *row.Value `json:"missing,omitempty"`
}

// Listed tells whether * and an INSERT without a column list mean the column.
func (c *Column) Listed() bool { return !c.System && !c.Invisible }

// Index is one tree of a table.
type Index struct {
	ID        base.IndexID  `json:"id"`
	Name      string        `json:"name"` // "PRIMARY" for a primary key, "" for the hidden row-id clustered index
	Parts     []row.KeyPart `json:"parts"`
	Unique    bool          `json:"unique"`
	Clustered bool          `json:"clustered"`
	Root      base.PageNo   `json:"root"`
	Comment   string        `json:"comment,omitempty"`
	Kind      string        `json:"kind,omitempty"` // "", MultiValued
	Invisible bool          `json:"invisible,omitempty"`
	Btree     bool          `json:"btree,omitempty"` // its definition says USING BTREE
	Building  bool          `json:"-"`               // some rows have no entry yet: writers keep it up, nobody reads it
}

// MultiValued is the kind of an index one of whose columns lists values: a row has an entry for each.
const MultiValued = "multi-valued"

// ForeignKey is a declared constraint; checks run in the SQL layer through locking reads.
type ForeignKey struct {
	Name          string   `json:"name"`
	Columns       []string `json:"columns"`
	ParentSchema  string   `json:"parent_schema"`
	ParentTable   string   `json:"parent_table"`
	ParentColumns []string `json:"parent_columns"`
	OnUpdate      string   `json:"on_update"`
	OnDelete      string   `json:"on_delete"`
}

// Check is a CHECK constraint.
type Check struct {
	Name     string `json:"name"`
	Expr     string `json:"expr"`
	Enforced bool   `json:"enforced"`
}

// Kind of a stored object.
type Kind string

const (
	KindSchema    Kind = "schema"
	KindTable     Kind = "table"
	KindView      Kind = "view"
	KindTrigger   Kind = "trigger"
	KindProcedure Kind = "procedure"
	KindFunction  Kind = "function"
	KindEvent     Kind = "event"
	KindLibrary   Kind = "library"

	KindReferenceSystem Kind = "reference system" // in no schema
)

// Object is any stored object but a table; Data is JSON owned by the layer that wrote it.
type Object struct {
	Kind   Kind
	Schema string
	Name   string
	Data   []byte
}
