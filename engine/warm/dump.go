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
	began := time.Now()
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
	m.dumpedPages, m.dumpTook = n, time.Since(began)
	m.mu.Unlock()
	return nil
}

func (m *Manager) dump() (pages int, err error) {
	l := m.collect()
	if len(l.IDs) == 0 {
		return 0, nil
	}
	path := m.path()
	generation, good := m.current(path)
	if merge := !m.knowsAll(len(l.IDs)); merge || !good {
		last, file, _ := m.newest(path)
		if last != nil {
			generation = last.Generation
			if merge {
				l.complete(last, m.pool.Frames())
			}
		}
		good = file == path
	}
	l.Generation = generation + 1
	if most := max(1, m.pool.Frames()*int(m.dumpPct.Load())/100); len(l.IDs) > most {
		l.IDs = l.IDs[:most]
		l.Young = min(l.Young, most)
	}
	if l.Names, err = m.namesOf(l); err != nil {
		m.logger.Warn("LRU list written without names of tables", "err", err)
	}
	if err := l.replace(m.fs, path, good); err != nil {
		return 0, err
	}
	m.remember(path, l)
	return len(l.IDs), nil
}

// collect walks the LRU list.
func (m *Manager) collect() *List {
	l := &List{UUID: m.o.UUID, Generation: 1, Created: time.Now(), IDs: make([]uint64, 0, m.pool.Stats().PagesData+1024)}
	var late []uint64
	m.pool.LRU().Walk(func(ids []base.PageID, old, isLate bool) bool {
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

// knowsAll tells whether the pool itself is the best list there is: no load is running, and one
// has completed or the pool has been full.
func (m *Manager) knowsAll(resident int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.load != nil {
		return false
	}
	const full = 9 // tenths of the frames
	m.poolFull = m.poolFull || resident >= m.pool.Frames()*full/10
	return m.poolFull || m.completed
}

// complete adds the ids of an older list that l does not have, up to most ids. The young part keeps
// its share.
func (l *List) complete(older *List, most int) {
	own := len(l.IDs)
	defer func() { l.Young = int(int64(l.Young) * int64(len(l.IDs)) / int64(own)) }()
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
func stamp(t time.Time) string {
	return t.Format("060102 ") + fmt.Sprintf("%2d", t.Hour()) + t.Format(":04:05")
}
