package dict

import (
	"sync/atomic"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/table"
	"emberdb/internal/base"
)

// The cache of tables (table_definition_cache). A table that is in the cache is there once, so that
// all who use it share its counters.
//
// A table may leave when nobody holds or waits for its metadata lock and its auto-increment counter
// stands in its space. Both are looked at under mu, and who takes the lock looks for the table
// under mu after that: so he finds it, or the others are gone with it. Undo and purge hold no
// metadata lock and want no counter. While all tables are in use the cache is larger than its
// limit. Which one goes is decided by a clock: the hand passes each table that was used since it
// came by.
type cache struct {
	byName map[name]*entry
	byID   map[base.TableID]*entry // the system tables, too
	ring   []*entry
	hand   int
	limit  int
	opened int64 // tables that came into the cache because somebody wanted them
}

type entry struct {
	t    *table.Table
	at   int // in ring
	used atomic.Bool
}

// use returns the table and keeps it in the cache for the hand's next round.
func (e *entry) use() *table.Table {
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.t
}

func tableKey(def *catalog.Table) name { return name{def.Schema, def.Name} }

// put enters a table in the place of any other one of its name or id.
func (c *cache) put(t *table.Table) {
	def := t.Def()
	c.drop(tableKey(def))
	if e := c.byID[def.ID]; e != nil {
		c.drop(tableKey(e.t.Def()))
	}
	e := &entry{t: t, at: len(c.ring)}
	e.used.Store(true)
	c.byName[tableKey(def)], c.byID[def.ID] = e, e
	c.ring = append(c.ring, e)
}

// drop takes the table of that name out, if it is there.
func (c *cache) drop(n name) {
	e := c.byName[n]
	if e == nil {
		return
	}
	delete(c.byName, n)
	delete(c.byID, e.t.Def().ID)
	last := len(c.ring) - 1
	moved := c.ring[last]
	c.ring[e.at], moved.at = moved, e.at
	c.ring[last] = nil
	c.ring = c.ring[:last]
}

// victim moves the hand to a table that may go but for its counter, nil if it finds none soon.
func (c *cache) victim(locks *lock.Manager) *entry {
	for range min(2*len(c.ring), maxSteps) {
		c.hand++
		if c.hand >= len(c.ring) {
			c.hand = 0
		}
		if e := c.ring[c.hand]; !e.used.Swap(false) && idle(locks, e) {
			return e
		}
	}
	return nil
}

func idle(locks *lock.Manager, e *entry) bool {
	def := e.t.Def()
	whole, _ := catalog.SplitPart(def.Name) // a part has no metadata lock of its own
	return locks.MetaIdle(lock.MetaName(def.Schema, whole))
}

const (
	maxVictims = 4   // that one statement makes room for
	maxSteps   = 512 // of the hand
)

// trim evicts tables until the cache is no larger than its limit, most at once.
// REQUIRES: no latch, and inUse is not held.
func (d *Dict) trim(most int) {
	d.mu.RLock()
	over := len(d.mu.ring) > d.mu.limit
	d.mu.RUnlock()
	for ; over && most > 0; most-- {
		over = d.evict()
	}
}

// evict makes the cache one table smaller. more is false if it is small enough, or nothing can go
// now.
func (d *Dict) evict() (more bool) {
	d.inUse.RLock() // no space goes under SaveCounters
	defer d.inUse.RUnlock()
	d.mu.Lock()
	if len(d.mu.ring) <= d.mu.limit {
		d.mu.Unlock()
		return false
	}
	e := d.mu.victim(d.svc.Locks)
	d.mu.Unlock()
	if e == nil {
		return false
	}
	if !e.t.Saved() && e.t.SaveCounters() != nil {
		return false // the table stays, and whoever uses it is told
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := tableKey(e.t.Def()); d.mu.byName[n] == e && !e.used.Load() && idle(d.svc.Locks, e) && e.t.Saved() {
		d.mu.drop(n)
	}
	return true
}

// SetCacheLimit sets about how many tables are kept in memory.
func (d *Dict) SetCacheLimit(n int) {
	d.mu.Lock()
	d.mu.limit = n
	over := len(d.mu.ring) - n
	d.mu.Unlock()
	d.trim(2 * over)
}

// CacheStats are numbers of the cache.
type CacheStats struct {
	Limit, Tables int
	Opened        int64 // tables read because they were wanted and not there
}

// CacheStats reads the numbers.
func (d *Dict) CacheStats() CacheStats {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return CacheStats{Limit: d.mu.limit, Tables: len(d.mu.ring), Opened: d.mu.opened}
}

// Cached returns the table of that name if it is in the cache; nil.
func (d *Dict) Cached(schema, tableName string) *table.Table {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if e := d.mu.byName[name{schema, tableName}]; e != nil {
		return e.use()
	}
	return nil
}

// AllCached returns the definitions in the cache: of every table in use, and of others. It names
// what locks and status know by id.
func (d *Dict) AllCached() []*catalog.Table {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := make([]*catalog.Table, 0, len(d.mu.byID))
	for _, e := range d.mu.byID {
		out = append(out, e.t.Def())
		for _, p := range e.t.Parts() {
			out = append(out, p.Def())
		}
	}
	return out
}
