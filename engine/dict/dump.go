package dict

import (
	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// What inspectors need to read the dictionary from the files.

// ObjectsDef is the definition of the table of stored objects. Where its trees stand is told by the
// header of the system space.
func ObjectsDef() *catalog.Table { return objectsDef() }

// KVDef is the definition of the table of key-value rows.
func KVDef() *catalog.Table { return kvDef() }

// ObjectOf makes an object of a row of ObjectsDef whose long values have been read. id is 0 for
// objects without one. Data aliases vals.
func ObjectOf(vals []row.Value) (o catalog.Object, id uint64) {
	return catalog.Object{Kind: catalog.Kind(vals[objKind].B), Schema: string(vals[objSchema].B), Name: string(vals[objName].B), Data: vals[objData].B}, vals[objID].N
}
