package sqllayer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/srs"
	"emberdb/sqllayer/tabledef"
)

// What a statement wants to know of the dictionary before it touches a row, kept as long as the
// dictionary does not change: the schemas, the views, triggers, procedures and events of a schema,
// and who references a table. The engine's DictVersion grows with every committed definition
// change; an entry is good for the version that was read before the entry was made. A session
// inside a DDL transaction goes past the cache: it sees changes nobody else does.

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
	definitions map[tabledef.TableName]*tabledef.TableDef // checked against the engine's definition at each use, so good for ever
}

// dictContents are dictionary contents of one version.
type dictContents struct {
	version    uint64
	schemas    map[string]schemaInfo // by lower-case name
	objects    map[objectsKey][]catalog.Object
	references map[tabledef.TableName][]tabledef.Reference // of the parents asked for, in lower case
	systems    *srs.Set
}

// cached returns what get finds in the cache, or what load reads, put into the cache by put.
func cached[T any](l *Layer, tx *txn.Trx, get func(c *dictCache) (T, bool), load func() (T, error), put func(c *dictCache, v T)) (T, error) {
	if tx != nil {
		return load()
	}
	c, version := &l.cache, l.Eng.DictVersion()
	c.mu.Lock()
	if c.version != version || c.objects == nil {
		c.dictContents = dictContents{
			version: version, objects: make(map[objectsKey][]catalog.Object), references: make(map[tabledef.TableName][]tabledef.Reference),
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
			objs, err := l.Eng.ListObjects(ctx, tx, catalog.KindSchema, "")
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
		func() ([]catalog.Object, error) { return l.Eng.ListObjects(ctx, tx, kind, schema) },
		func(c *dictCache, v []catalog.Object) { c.objects[key] = v })
}

// Statements that tell of definitions, information_schema and SHOW CREATE TABLE among them, look at
// tables as they were committed last. They wait for no metadata lock and leave none behind: a
// transaction that has listed tables keeps nobody from changing them.

type listingKey struct{}

// Listing is the context of what lists tables: no temporary ones, and whatever LOCK TABLES says.
func Listing(ctx *sql.Context) *sql.Context {
	return ctx.WithContext(context.WithValue(ctx.Context, listingKey{}, true))
}

func isListing(ctx *sql.Context) bool { return ctx.Value(listingKey{}) != nil }

// look returns a table object for its definition. Rows that are read of it after all are read under
// a metadata lock, see Table.open.
// REQUIRES: s.mu.
func (d *Database) look(ctx *sql.Context, s *Session, at tabledef.TableName) (t *Table, err error) {
	err = d.Layer.Eng.Look(ctx, s.reader(), at.Schema, at.Name, func(h *table.Table) error {
		def, err := d.Layer.tableDef(h.Def(), d.name)
		if err == nil {
			t = newTable(d, s, def, nil, nil)
			t.looked = true
		}
		return err
	})
	return t, err
}

// Estimate calls fn with the engine's table; one that was only looked at may be gone by now, and
// has no estimates.
func (t *Table) Estimate(ctx *sql.Context, fn func(h *table.Table) error) error {
	t.S.Mu.Lock()
	defer t.S.Mu.Unlock()
	if !t.looked {
		h, _, err := t.open(ctx)
		if err == nil {
			err = fn(h)
		}
		return t.S.Note(err)
	}
	err := t.Db.Layer.Eng.Look(ctx, t.S.reader(), t.Def.Def.Schema, t.Def.Def.Name, fn)
	if errors.Is(err, base.ErrNotFound) {
		return nil
	}
	return t.S.Note(err)
}
