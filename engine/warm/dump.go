package warm

import (
	"fmt"
	"slices"
	"time"

	"emberdb/internal/base"
)

// DumpNow writes the LRU list. It returns when the list is durable.
func (m *Manager) DumpNow() error {
	m.dumping.Lock()
	defer m.dumping.Unlock()
	m.setDump("Dumping buffer pool(s) to " + m.path())
	n, err := m.dump()
	switch {
	case err != nil:
		m.setDump(fmt.Sprintf("Buffer pool(s) dump failed: %v", err))
		m.logger.Error("dump of the buffer pool's LRU list failed", "file", m.path(), "err", err)
		return err
	case n == 0:
		m.setDump("Buffer pool(s) dump skipped: the buffer pool is empty")
	default:
		m.setDump("Buffer pool(s) dump completed at " + stamp(time.Now()))
	}
	m.mu.Lock()
	m.dumps++
	m.lastDump, m.dumpedPages = time.Now(), n
	m.mu.Unlock()
	return nil
}

func (m *Manager) dump() (pages int, err error) {
	l := m.collect()
	if len(l.IDs) == 0 {
		return 0, nil
	}
	path := m.path()
	last := readNewest(m.fs, path, m.noteDamage)
	if last != nil {
		l.Generation = last.Generation + 1
		if !m.knowsAll(len(l.IDs)) {
			l.complete(last, m.pool.Frames())
		}
	}
	if pct := int(m.dumpPct.Load()); pct < 100 {
		l.IDs = l.IDs[:max(1, len(l.IDs)*pct/100)]
		l.Young = min(l.Young, len(l.IDs))
	}
	return len(l.IDs), l.Write(m.fs, path)
}

// collect walks the LRU list.
func (m *Manager) collect() *List {
	l := &List{UUID: m.o.UUID, Generation: 1, Created: time.Now(), IDs: make([]uint64, 0, m.pool.Stats().PagesData+1024)}
	var late []uint64
	m.pool.WalkLRU(func(ids []base.PageID, old, isLate bool) bool {
		for _, id := range ids {
			switch {
			case isLate:
				late = append(late, id.Uint64())
			default:
				l.IDs = append(l.IDs, id.Uint64())
			}
		}
		if !old && !isLate {
			l.Young += len(ids)
		}
		return true
	})
	if len(late) > 0 { // they moved to the head while the walk was under way
		l.IDs = append(late, l.IDs...)
		l.Young += len(late)
	}
	return l
}

// knowsAll tells whether the pool itself is the best list there is: a load has completed, or the pool has been full.
func (m *Manager) knowsAll(resident int) bool {
	if m.poolFull.Load() {
		return true
	}
	const full = 9 // tenths of the frames
	if resident >= m.pool.Frames()*full/10 {
		m.poolFull.Store(true)
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.completed
}

// complete adds the ids of an older list that l does not have, up to most ids.
func (l *List) complete(older *List, most int) {
	have := slices.Clone(l.IDs)
	slices.Sort(have)
	for _, id := range older.IDs {
		if len(l.IDs) >= most {
			return
		}
		if _, ok := slices.BinarySearch(have, id); !ok {
			l.IDs = append(l.IDs, id)
		}
	}
}

// stamp is the time as MySQL prints it in these statuses.
func stamp(t time.Time) string { return t.Format("060102 15:04:05") }
