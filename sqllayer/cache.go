package sqllayer

// What a statement wants to know of the dictionary before it touches a row, kept as long as the
// dictionary does not change: the schemas, the views, triggers, procedures and events of a schema,
// and who references a table. The engine's DictVersion grows with every committed definition
// change; an entry is good for the version that was read before the entry was made. A session
// inside a DDL transaction goes past the cache: it sees changes nobody else does.

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/txn"
)

// cachedTables bounds what is kept by table.
const cachedTables = 2000

// makeRoom takes a few entries, any, out of a map that is full.
func makeRoom[K comparable, V any](m map[K]V) {
	if len(m) < cachedTables {
		return
	}
	n := cachedTables / 16
	for k := range m {
		delete(m, k)
		if n--; n == 0 {
			return
		}
	}
}

// schemaInfo is what is stored of a schema.
type schemaInfo struct {
	Name      string          `json:"-"`
	Collation sql.CollationID `json:"collation"`
}

type objectsKey struct {
	kind   catalog.Kind
	schema string
}

// dictCache is the cache of a layer.
type dictCache struct {
	mu sync.Mutex
	dictContents
	definitions map[tableName]*tableDef // checked against the engine's definition at each use, so good for ever
}

// dictContents are dictionary contents of one version.
type dictContents struct {
	version    uint64
	schemas    map[string]schemaInfo // by lower-case name
	objects    map[objectsKey][]catalog.Object
	references map[tableName][]reference // of the parents asked for, in lower case
}

// cached returns what get finds in the cache, or what load reads, put into the cache by put.
func cached[T any](l *Layer, tx *txn.Trx, get func(c *dictCache) (T, bool), load func() (T, error), put func(c *dictCache, v T)) (T, error) {
	if tx != nil {
		return load()
	}
	c, version := &l.cache, l.eng.DictVersion()
	c.mu.Lock()
	if c.version != version || c.objects == nil {
		c.dictContents = dictContents{
			version: version, objects: make(map[objectsKey][]catalog.Object), references: make(map[tableName][]reference),
		}
	}
	v, ok := get(c)
	c.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := load()
	if err != nil {
		return v, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version == version {
		put(c, v)
	}
	return v, nil
}

// schemas returns all schemas by lower-case name. tx is nil or the session's DDL transaction.
func (l *Layer) schemas(ctx context.Context, tx *txn.Trx) (map[string]schemaInfo, error) {
	return cached(l, tx,
		func(c *dictCache) (map[string]schemaInfo, bool) { return c.schemas, c.schemas != nil },
		func() (map[string]schemaInfo, error) {
			objs, err := l.eng.ListObjects(ctx, tx, catalog.KindSchema, "")
			if err != nil {
				return nil, err
			}
			all := make(map[string]schemaInfo, len(objs))
			for _, o := range objs {
				info := schemaInfo{}
				if len(o.Data) > 0 {
					if err := json.Unmarshal(o.Data, &info); err != nil {
						return nil, err
					}
				}
				info.Name = o.Schema
				all[strings.ToLower(o.Schema)] = info
			}
			return all, nil
		},
		func(c *dictCache, v map[string]schemaInfo) { c.schemas = v })
}

// objects returns the stored objects of a kind in a schema, by name.
func (l *Layer) objects(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema string) ([]catalog.Object, error) {
	key := objectsKey{kind, schema}
	return cached(l, tx,
		func(c *dictCache) ([]catalog.Object, bool) { v, ok := c.objects[key]; return v, ok },
		func() ([]catalog.Object, error) { return l.eng.ListObjects(ctx, tx, kind, schema) },
		func(c *dictCache, v []catalog.Object) { c.objects[key] = v })
}
