package dict

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Dict is the data dictionary of one engine.
type Dict struct {
	pool        *buffer.Pool
	txns        *txn.System
	svc         table.Services
	objects, kv *table.Table
	upgrade     func(def *catalog.Table) error

	idMu   invariants.Mutex[invariants.DictIDs]
	nextID uint64 // 0 until first used

	versions atomic.Uint64                          // definition changes so far
	inUse    invariants.RWMutex[invariants.DictUse] // held shared by UseByID and Look; between metadata locks and mu

	mu struct {
		invariants.RWMutex[invariants.DictCache]
		cache
		overlays map[*txn.Trx]*overlay
		paused   map[base.TableID]chan struct{} // closed by the end of the pause
	}
	ddl atomic.Int32 // number of overlays: spares others the lookup
}

type name struct{ schema, table string }

// overlay is what a DDL transaction has changed so far.
type overlay struct {
	tables    map[name]*table.Table // nil: dropped
	spellings map[name]string       // by name in lower case; "": dropped
	gone      []Remains             // to remove once committed
	made      []Remains             // to remove if not committed
}

// Open returns the dictionary over the system space, which keeps about so many tables in memory. It
// reads two pages. upgrade is called before the first definition is written that older servers
// misread.
func Open(pool *buffer.Pool, txns *txn.System, svc table.Services, tables int, upgrade func(def *catalog.Table) error) (*Dict, error) {
	d := &Dict{pool: pool, txns: txns, svc: svc, upgrade: upgrade}
	d.mu.cache = cache{byName: make(map[name]*entry), byID: make(map[base.TableID]*entry), limit: tables}
	d.mu.overlays = make(map[*txn.Trx]*overlay)
	d.mu.paused = make(map[base.TableID]chan struct{})
	for _, sys := range []struct {
		def *catalog.Table
		to  **table.Table
	}{{objectsDef(), &d.objects}, {kvDef(), &d.kv}} {
		def, err := withRoots(pool, sys.def)
		if err != nil {
			return nil, fmt.Errorf("system space: %w", err)
		}
		*sys.to = table.New(def, svc, nil)
		d.mu.byID[def.ID] = &entry{t: *sys.to}
	}
	return d, nil
}

// SystemTables returns the dictionary's own tables, for the checker.
func (d *Dict) SystemTables() []*table.Table { return []*table.Table{d.objects, d.kv} }

// Version grows with every change of a definition; caches above compare it.
func (d *Dict) Version() uint64 { return d.versions.Load() }

// read runs fn with tx if it is a DDL transaction (which must see its own changes), else with one
// that reads the newest committed state.
func (d *Dict) read(tx *txn.Trx, fn func(tx *txn.Trx) error) error {
	if tx != nil && d.overlayOf(tx) != nil {
		return fn(tx)
	}
	own := d.txns.Begin(txn.ReadCommitted, true)
	defer func() { _ = d.txns.Rollback(own) }() // it has changed nothing
	return fn(own)
}

func (d *Dict) overlayOf(tx *txn.Trx) *overlay {
	if d.ddl.Load() == 0 {
		return nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.mu.overlays[tx]
}

// Changes tells whether tx is a DDL transaction.
func (d *Dict) Changes(tx *txn.Trx) bool { return d.overlayOf(tx) != nil }

// Pending tells whether tx has changed the definition of a table.
func (d *Dict) Pending(tx *txn.Trx, schema, tableName string) bool {
	o := d.overlayOf(tx)
	if o == nil {
		return false
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	_, ok := o.tables[name{schema, tableName}]
	return ok
}

// Enter makes tx a DDL transaction, which from now on sees and gathers definition changes.
// REQUIRES: tx has isolation READ COMMITTED.
func (d *Dict) Enter(tx *txn.Trx) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mu.overlays[tx] == nil {
		d.mu.overlays[tx] = &overlay{tables: make(map[name]*table.Table), spellings: make(map[name]string)}
		d.ddl.Add(1)
	}
}

// Leave ends what Enter began. Committed changes enter the cache. It returns what must be removed
// now.
func (d *Dict) Leave(tx *txn.Trx, committed bool) []Remains {
	if d.ddl.Load() == 0 {
		return nil
	}
	defer d.trim(maxVictims)
	if !committed {
		d.saveCounters(tx)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.mu.overlays[tx]
	if o == nil {
		return nil
	}
	delete(d.mu.overlays, tx)
	d.ddl.Add(-1)
	d.versions.Add(1)
	for n := range o.tables {
		d.mu.drop(n) // after a rollback, what was published, if anything, is read again
	}
	if !committed {
		return o.made
	}
	for _, t := range o.tables {
		if t != nil {
			d.mu.put(t)
		}
	}
	return o.gone
}

// saveCounters stores the counters of the tables that tx has changed the definition of, for they
// leave the cache.
func (d *Dict) saveCounters(tx *txn.Trx) {
	var tables []*table.Table
	d.mu.RLock()
	if o := d.mu.overlays[tx]; o != nil {
		for n := range o.tables {
			if e := d.mu.byName[n]; e != nil && !e.t.Saved() {
				tables = append(tables, e.t)
			}
		}
	}
	d.mu.RUnlock()
	for _, t := range tables {
		_ = t.SaveCounters() // an engine that has failed gives no values out any more
	}
}

// Table returns the table of that name as tx may see it; base.ErrNotFound.
// REQUIRES: tx holds its metadata lock.
func (d *Dict) Table(ctx context.Context, tx *txn.Trx, schema, tableName string) (*table.Table, error) {
	d.trim(maxVictims)
	return d.find(ctx, tx, name{schema, tableName}, nil)
}

// Look calls fn with the table of that name, without a metadata lock: it waits for no change of the
// table, and keeps none waiting. Until fn returns, Barrier waits, so no tree of the table is
// removed under it. fn reads definitions and estimates, no rows.
// REQUIRES: inUse is not held.
func (d *Dict) Look(ctx context.Context, tx *txn.Trx, schema, tableName string, fn func(t *table.Table) error) error {
	d.trim(maxVictims)
	d.inUse.RLock()
	defer d.inUse.RUnlock()
	for {
		seen := d.versions.Load()
		t, err := d.find(ctx, tx, name{schema, tableName}, &seen)
		if errors.Is(err, base.ErrNotFound) && d.versions.Load() != seen {
			continue // perhaps one of its partitions went while they were read
		}
		if err != nil {
			return err
		}
		return fn(t)
	}
}

// find looks a table up; seen is enter's.
func (d *Dict) find(ctx context.Context, tx *txn.Trx, n name, seen *uint64) (*table.Table, error) {
	if o := d.overlayOf(tx); o != nil {
		if t, ok := o.tables[n]; ok {
			if t == nil {
				return nil, fmt.Errorf("table %s.%s: %w", n.schema, n.table, base.ErrNotFound)
			}
			return t, nil
		}
	}
	if t := d.Cached(n.schema, n.table); t != nil {
		return t, nil
	}
	data, err := d.GetObject(ctx, nil, catalog.KindTable, n.schema, n.table) // what tx has not changed is as committed last, whatever its view
	if err != nil {
		return nil, err
	}
	return d.enter(ctx, data, seen)
}

// enter decodes a committed definition and caches it, unless somebody was faster. Whoever holds no
// metadata lock passes the version from before the read: if a definition has changed since, this
// one may be an old one and is not cached. All others share the cached table and its counters.
func (d *Dict) enter(ctx context.Context, data []byte, seen *uint64) (*table.Table, error) {
	def, err := catalog.Decode(data)
	if err != nil {
		return nil, err
	}
	parts, err := d.parts(ctx, nil, def)
	if err != nil {
		return nil, err
	}
	n := name{def.Schema, def.Name}
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.mu.byName[n]; e != nil && e.t.Def().ID == def.ID {
		return e.t, nil
	}
	t := table.New(def, d.svc, nil)
	t.Divide(parts, nil)
	if seen != nil && d.versions.Load() != *seen {
		return t, nil
	}
	d.mu.opened++
	d.mu.put(t)
	return t, nil
}

// UseByID serves undo and purge, which hold no metadata lock: it calls fn with the committed table
// of that id, or not at all if there is none (any more). Until fn returns, Barrier waits, so no
// tree of the table is removed under it.
func (d *Dict) UseByID(id base.TableID, fn func(t *table.Table) error) error {
	d.enterUse(id)
	defer d.inUse.RUnlock()
	t, err := d.tableByID(id)
	if err != nil || t == nil {
		return err
	}
	return fn(t)
}

// enterUse takes inUse shared once the table is not paused.
func (d *Dict) enterUse(id base.TableID) {
	for {
		d.inUse.RLock()
		d.mu.RLock()
		resumed := d.mu.paused[id]
		d.mu.RUnlock()
		if resumed == nil {
			return
		}
		d.inUse.RUnlock()
		<-resumed
	}
}

// Pause keeps undo and purge away from a table until resume is called: a checker wants its pages to
// stand still. Live transactions are kept away by a table lock, which the caller holds.
func (d *Dict) Pause(id base.TableID) (resume func()) {
	resumed := make(chan struct{})
	d.mu.Lock()
	d.mu.paused[id] = resumed
	d.mu.Unlock()
	d.Barrier()
	return func() {
		d.mu.Lock()
		delete(d.mu.paused, id)
		d.mu.Unlock()
		close(resumed)
	}
}

// Barrier returns when nobody uses a definition any more that was replaced before the call.
// Physical removal stands behind it.
func (d *Dict) Barrier() {
	d.inUse.Lock()
	defer d.inUse.Unlock()
}

func (d *Dict) tableByID(id base.TableID) (*table.Table, error) {
	d.mu.RLock()
	e := d.mu.byID[id]
	d.mu.RUnlock()
	if e != nil {
		return e.use(), nil
	}
	seen := d.versions.Load()
	var data []byte
	err := d.read(nil, func(tx *txn.Trx) error {
		idx := d.objects.Def().Indexes[1]
		vals := make([]row.Value, len(d.objects.Def().Columns))
		vals[objID] = row.Value{Kind: row.Uint, N: uint64(id)}
		k := row.AppendKey(nil, table.Columns(d.objects.Def()), idx.Parts, vals)
		found, ok, err := d.objects.Get(context.Background(), tx, idx, k, table.None, table.Wait)
		if ok {
			data = append([]byte(nil), found[objData].B...)
		}
		return err
	})
	if err != nil || data == nil {
		return nil, err
	}
	return d.enter(context.Background(), data, &seen)
}

// PutTable writes a definition in the DDL transaction tx and returns the table bound to it. old
// names the row it replaces, if any.
func (d *Dict) PutTable(ctx context.Context, tx *txn.Trx, old, def *catalog.Table) (*table.Table, error) {
	if err := d.upgrade(def); err != nil {
		return nil, err
	}
	def.Version++
	data, err := json.Marshal(def)
	if err != nil {
		return nil, err
	}
	if old != nil && (old.Schema != def.Schema || old.Name != def.Name) {
		if err := d.deleteTable(ctx, tx, old); err != nil {
			return nil, err
		}
	}
	vals := objectRow(catalog.Object{Kind: catalog.KindTable, Schema: def.Schema, Name: def.Name, Data: data}, uint64(def.ID))
	if err := put(ctx, tx, d.objects, vals, string(catalog.KindTable), def.Schema, def.Name); err != nil {
		return nil, err
	}
	if err := d.putSpelling(ctx, tx, def); err != nil {
		return nil, err
	}
	d.versions.Add(1)
	d.mu.RLock()
	before := d.mu.overlays[tx].tables[name{def.Schema, def.Name}]
	d.mu.RUnlock()
	t, err := d.bind(ctx, tx, def, before)
	if err != nil {
		return nil, err
	}
	d.overlay(tx, def, t)
	return t, nil
}

// DeleteTable removes a definition in the DDL transaction tx. The space goes when the transaction
// has committed.
func (d *Dict) DeleteTable(ctx context.Context, tx *txn.Trx, def *catalog.Table) error {
	if err := d.deleteTable(ctx, tx, def); err != nil {
		return err
	}
	return d.Retire(ctx, tx, Remains{Space: def.Space})
}

func (d *Dict) deleteTable(ctx context.Context, tx *txn.Trx, def *catalog.Table) error {
	if err := d.DeleteObject(ctx, tx, catalog.KindTable, def.Schema, def.Name); err != nil && !errors.Is(err, base.ErrNotFound) {
		return err
	}
	if err := d.deleteSpelling(ctx, tx, def); err != nil {
		return err
	}
	d.overlay(tx, def, nil)
	return nil
}

// Swap writes the definitions of two tables that have exchanged their ids. Each has the name of one
// of those from before.
func (d *Dict) Swap(ctx context.Context, tx *txn.Trx, from, to [2]*catalog.Table) error {
	for _, def := range from { // ids are unique, so both go before either comes
		if err := d.deleteTable(ctx, tx, def); err != nil {
			return err
		}
	}
	for _, def := range to {
		if _, err := d.PutTable(ctx, tx, nil, def); err != nil {
			return err
		}
	}
	return nil
}

func (d *Dict) overlay(tx *txn.Trx, def *catalog.Table, t *table.Table) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o, spelling := d.mu.overlays[tx], ""
	if t != nil {
		spelling = def.Name
	}
	o.tables[name{def.Schema, def.Name}] = t
	o.spellings[name{def.Schema, strings.ToLower(def.Name)}] = spelling
}

// Bind returns a table for a definition that only its DDL transaction knows; parts are the
// definitions of its parts.
func (d *Dict) Bind(def *catalog.Table, parts ...*catalog.Table) *table.Table {
	return d.bound(def, parts, nil)
}

// Parts reads the definitions of a table's parts as tx sees them.
func (d *Dict) Parts(ctx context.Context, tx *txn.Trx, def *catalog.Table) ([]*catalog.Table, error) {
	return d.parts(ctx, tx, def)
}

func (d *Dict) parts(ctx context.Context, tx *txn.Trx, def *catalog.Table) (out []*catalog.Table, err error) {
	for _, leaf := range def.Partitioning.Leaves() {
		data, err := d.GetObject(ctx, tx, catalog.KindTable, def.Schema, catalog.PartName(def.Name, leaf.Name))
		if err != nil {
			return nil, fmt.Errorf("partition %s of table %s.%s: %w", leaf.Name, def.Schema, def.Name, err)
		}
		part, err := catalog.Decode(data)
		if err != nil {
			return nil, err
		}
		if len(part.Indexes) != len(def.Indexes) || len(part.Columns) != len(def.Columns) {
			return nil, fmt.Errorf("partition %s of table %s.%s: %w: another definition", leaf.Name, def.Schema, def.Name, base.ErrCorrupt)
		}
		out = append(out, part)
	}
	return out, nil
}

// bind returns a table for def with the counters of the Table of the same storage that others may
// have: before or the cached one.
func (d *Dict) bind(ctx context.Context, tx *txn.Trx, def *catalog.Table, before *table.Table) (*table.Table, error) {
	parts, err := d.parts(ctx, tx, def)
	if err != nil {
		return nil, err
	}
	return d.bound(def, parts, before), nil
}

func (d *Dict) bound(def *catalog.Table, parts []*catalog.Table, before *table.Table) *table.Table {
	if before == nil {
		d.mu.RLock()
		if e := d.mu.byID[def.ID]; e != nil {
			before = e.t
		}
		d.mu.RUnlock()
	}
	var c *table.Counters
	if before != nil && before.Def().Space == def.Space {
		c = before.Counters
	}
	t := table.New(def, d.svc, c)
	t.Divide(parts, before)
	return t
}

// Publish shows everybody a definition that is not committed: an index that is being built must be
// maintained by all writers. restore takes it back. REQUIRES, for both: the caller holds the
// table's exclusive metadata lock, and the table has no partitions.
func (d *Dict) Publish(def *catalog.Table) (t *table.Table, restore func()) {
	t = d.bound(def, nil, nil)
	was := d.Cached(def.Schema, def.Name)
	show := func(t *table.Table) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.mu.drop(name{def.Schema, def.Name}); t != nil {
			d.mu.put(t)
		}
		d.versions.Add(1)
	}
	show(t)
	return t, func() { show(was) }
}
