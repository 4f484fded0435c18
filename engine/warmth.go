package engine

import (
	"context"
	"slices"
	"sync"

	"emberdb/engine/btree"
	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/engine/recovery"
	"emberdb/engine/warm"
	"emberdb/internal/base"
)

// The engine's part in staying warm: the load begins as soon as redo is read, and whoever wants to
// know is told what is warm.

// startWarm begins the load of the LRU list. Pages that wait for redo are left to recovery, which
// brings them in the order of the same list.
func (e *Engine) startWarm() {
	w := e.o.Warm
	w.Dir, w.UUID = e.o.DataDir, uuidBytes(e.id.UUID)
	w.Kept = int(e.pool.Stats().PagesKept)
	w.Hold = e.o.Hold
	w.Names, w.Phase, w.Mark = e.names.of, e.timeline.Begin, e.timeline.Mark
	e.names.e, e.names.open = e, make(chan struct{})
	e.warm = warm.New(e.pool, e.files, e.o.FS, w, e.o.Logger)
	e.warm.Start()
}

// abandonWarm ends the load and the dumps of an Open that failed.
func (e *Engine) abandonWarm() {
	select {
	case <-e.names.open:
	default:
		close(e.names.open)
	}
	_ = e.warm.Close(false)
}

// tableNames knows the tables by their tablespaces, for the LRU list.
type tableNames struct {
	e    *Engine
	open chan struct{} // closed when the dictionary can be read, or never will be

	mu      sync.Mutex
	version uint64 // of the dictionary when all were read; 0: never
	all     map[base.SpaceID]warm.TableName
}

// of is warm.Options.Names.
func (n *tableNames) of(need map[base.SpaceID]bool) (map[base.SpaceID]warm.TableName, error) {
	<-n.open
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.e.dict == nil { // it never will be
		return nil, base.ErrInterrupted
	}
	if v := n.e.DictVersion() + 1; v != n.version { // before the look: what changes meanwhile is read the next time
		if err := n.readLocked(); err != nil {
			return nil, err
		}
		n.version = v
	}
	out := map[base.SpaceID]warm.TableName{}
	for s, name := range n.all {
		if need == nil || need[s] {
			out[s] = name
		}
	}
	return out, nil
}

func (n *tableNames) readLocked() error {
	defs, err := n.e.tables()
	if err != nil {
		return err
	}
	n.all = make(map[base.SpaceID]warm.TableName, len(defs))
	for _, t := range defs {
		n.all[t.Space] = warm.TableName{Schema: t.Schema, Name: t.Name}
	}
	return nil
}

// tables reads the definitions of all tables.
func (e *Engine) tables() ([]*catalog.Table, error) {
	objects, err := e.dict.ListObjects(context.Background(), nil, catalog.KindTable, "")
	if err != nil {
		return nil, err
	}
	out := make([]*catalog.Table, len(objects))
	for i, o := range objects {
		if out[i], err = catalog.Decode(o.Data); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// TableWarmth tells how warm a table is.
type TableWarmth struct {
	Schema, Table  string
	Space          base.SpaceID
	Listed         int     // pages in the newest LRU list
	ListedResident int     // of them in the pool
	Resident       int     // pages in the pool
	Young          int     // of them in the young part
	Heat           float64 // 0..100: the mean place of its listed pages; 100 is the head of the list
	Indexes        []IndexWarmth
}

// IndexWarmth is an index's part of a table's resident pages. The tablespace's own pages and long
// values have a name in parentheses.
type IndexWarmth struct {
	Name     string
	Resident int
}

// Warmth compares the newest LRU list and the pool, table by table, most resident pages first. A
// pool of n pages takes about n microseconds.
func (e *Engine) Warmth() ([]TableWarmth, error) {
	list := e.warm.NewestList()
	defs, err := e.tables()
	if err != nil {
		return nil, err
	}
	bySpace := map[base.SpaceID]*TableWarmth{
		base.SystemSpace: {Schema: "mysql", Table: "(dictionary)", Space: base.SystemSpace},
		base.UndoSpace:   {Schema: "mysql", Table: "(undo)", Space: base.UndoSpace}}
	names := map[base.IndexID]string{}
	for _, t := range defs {
		bySpace[t.Space] = &TableWarmth{Schema: t.Schema, Table: catalog.ShownName(t.Name), Space: t.Space}
		for _, i := range t.Indexes {
			if names[i.ID] = i.Name; i.Name == "" {
				names[i.ID] = "GEN_CLUST_INDEX"
			}
		}
	}
	if list != nil {
		e.countListed(list, bySpace)
	}
	e.countResident(bySpace, names)
	var out []TableWarmth
	for _, t := range bySpace {
		if t.Listed+t.Resident > 0 {
			slices.SortFunc(t.Indexes, func(a, b IndexWarmth) int { return b.Resident - a.Resident })
			out = append(out, *t)
		}
	}
	slices.SortFunc(out, func(a, b TableWarmth) int {
		if d := b.Resident - a.Resident; d != 0 {
			return d
		}
		return int(a.Space) - int(b.Space)
	})
	return out, nil
}

func (e *Engine) countListed(list *warm.List, bySpace map[base.SpaceID]*TableWarmth) {
	for rank, id := range list.IDs {
		page := base.PageIDFrom(id)
		t := bySpace[page.Space]
		if t == nil {
			continue // dropped since
		}
		t.Listed++
		if e.pool.Reader().Resident(page) {
			t.ListedResident++
		}
		t.Heat += 100 * (1 - float64(rank)/float64(len(list.IDs)))
	}
	for _, t := range bySpace {
		t.Heat /= float64(max(t.Listed, 1))
	}
}

func (e *Engine) countResident(bySpace map[base.SpaceID]*TableWarmth, names map[base.IndexID]string) {
	e.pool.LRU().Walk(func(ids []base.PageID, old, _ bool) bool {
		for _, id := range ids {
			t := bySpace[id.Space]
			if t == nil {
				continue
			}
			t.Resident++
			if !old {
				t.Young++
			}
			name := "(in use)"
			e.pool.Reader().Peek(id, func(page []byte) { name = ownerOf(page, names) })
			i := slices.IndexFunc(t.Indexes, func(x IndexWarmth) bool { return x.Name == name })
			if i < 0 {
				i = len(t.Indexes)
				t.Indexes = append(t.Indexes, IndexWarmth{Name: name})
			}
			t.Indexes[i].Resident++
		}
		return true
	})
}

// LRUPage is a page of the buffer pool.
type LRUPage struct {
	ID    base.PageID
	Old   bool   // it stands in the old part of the LRU list
	Table string // schema.name; empty: it is the system's own
}

// LRU is the pool's LRU list, hot to cold.
func (e *Engine) LRU() ([]LRUPage, error) {
	names, err := e.names.of(nil)
	if err != nil {
		return nil, err
	}
	texts := map[base.SpaceID]string{}
	for s, n := range names {
		texts[s] = n.String()
	}
	var out, late []LRUPage
	e.pool.LRU().Walk(func(ids []base.PageID, old, isLate bool) bool {
		for _, id := range ids {
			if p := (LRUPage{id, old, texts[id.Space]}); isLate {
				late = append(late, p)
			} else {
				out = append(out, p)
			}
		}
		return true
	})
	return append(late, out...), nil
}

// ownerOf names the index a page belongs to, or what else it is.
func ownerOf(page []byte, names map[base.IndexID]string) string {
	if pagefile.Type(page) == pagefile.TypeTree {
		if v, err := btree.ViewPage(page); err == nil && names[v.Tree()] != "" {
			return names[v.Tree()]
		}
	}
	return "(" + pagefile.Type(page).String() + ")"
}

// Starts are the recorded starts of this data directory, oldest first; the last one is this life's.
func (e *Engine) Starts() []recovery.Start { return e.timeline.Starts() }
