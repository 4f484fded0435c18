package dict

import (
	"fmt"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// Ids of the system tables and their trees. On disk; fixed.
const (
	objectsTable base.TableID = 1
	kvTable      base.TableID = 2

	objectsPrimary base.IndexID = 1
	objectsByID    base.IndexID = 2
	kvPrimary      base.IndexID = 3

	firstID = 1024 // ids below belong to the system
)

// Column positions of the system tables.
const (
	objKind, objSchema, objName, objID, objData = 0, 1, 2, 3, 4
	kvNamespace, kvKey, kvValue                 = 0, 1, 2
)

const binaryCollation = 63

func column(name string, t row.Type, length uint32, nullable bool) catalog.Column {
	return catalog.Column{Name: name, Column: row.Column{Type: t, Length: length, Nullable: nullable, Collation: binaryCollation}}
}

func objectsDef() *catalog.Table {
	return &catalog.Table{
		ID: objectsTable, Schema: SystemSchema, Name: "objects", Space: base.SystemSpace, AutoInc: -1,
		Columns: []catalog.Column{
			column("kind", row.TVarbinary, 16, false),
			column("schema", row.TVarbinary, 256, false),
			column("name", row.TVarbinary, 256, false),
			column("id", row.TUint64, 0, true),
			column("data", row.TBlob, 0, false),
		},
		Indexes: []*catalog.Index{
			{ID: objectsPrimary, Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: objKind}, {Column: objSchema}, {Column: objName}}},
			{ID: objectsByID, Name: "by_id", Unique: true, Parts: []row.KeyPart{{Column: objID}}},
		},
	}
}

func kvDef() *catalog.Table {
	return &catalog.Table{
		ID: kvTable, Schema: SystemSchema, Name: "kv", Space: base.SystemSpace, AutoInc: -1,
		Columns: []catalog.Column{
			column("namespace", row.TVarbinary, 64, false),
			column("k", row.TVarbinary, 512, false),
			column("v", row.TBlob, 0, false),
		},
		Indexes: []*catalog.Index{
			{ID: kvPrimary, Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: kvNamespace}, {Column: kvKey}}},
		},
	}
}

// SystemSchema is the schema the system tables belong to.
const SystemSchema = catalog.SystemSchema

// Create formats the system space with its empty trees. The file exists already.
func Create(pool *buffer.Pool) error {
	if err := space.Create(pool, base.SystemSpace, 0); err != nil {
		return err
	}
	var trees []base.IndexID
	for _, def := range []*catalog.Table{objectsDef(), kvDef()} {
		for _, idx := range def.Indexes {
			trees = append(trees, idx.ID)
		}
	}
	if _, err := btree.Create(pool, base.SystemSpace, trees...); err != nil {
		return err
	}
	m := pool.Begin()
	defer m.Commit()
	return space.SetAutoInc(m, base.SystemSpace, firstID)
}

// withRoots fills in where the trees of a system table stand.
func withRoots(pool *buffer.Pool, def *catalog.Table) (*catalog.Table, error) {
	m := pool.BeginRead()
	defer m.Commit()
	for _, idx := range def.Indexes {
		root, err := space.Root(m, base.SystemSpace, idx.ID)
		if err != nil {
			return nil, err
		}
		idx.Root = root
	}
	return def, nil
}

// maxID is the last id NewID returns. A space's id has 32 bits: its file's name is made of it.
const maxID = 1<<32 - 1<<20

// NewID returns an id that was never used for a table, an index or a space. The counter is logged
// before the id is handed out.
func (d *Dict) NewID() (uint64, error) {
	d.idMu.Lock()
	defer d.idMu.Unlock()
	if d.nextID == 0 {
		m := d.pool.BeginRead()
		next, err := space.AutoInc(m, base.SystemSpace)
		m.Commit()
		if err != nil {
			return 0, err
		}
		d.nextID = next
	}
	if d.nextID > maxID {
		return 0, fmt.Errorf("the identifiers of tables and indexes are used up at %d; dump the data and load it into a new data directory", maxID)
	}
	m := d.pool.Begin()
	defer m.Commit()
	if err := space.SetAutoInc(m, base.SystemSpace, d.nextID+1); err != nil {
		return 0, err
	}
	d.nextID++
	return d.nextID - 1, nil
}
