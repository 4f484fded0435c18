package table

import (
	"sync"

	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// OnlineLog gathers the clustered keys of rows that others change while a table is rewritten. A key
// is noted under the latch of its row, before the change can commit. So the rows that two views see
// otherwise have keys here, if nobody had unfinished changes of the table when the log began.
type OnlineLog struct {
	mu    sync.Mutex
	keys  map[string]base.TrxID // of the last transaction that changed the row
	bytes int                   // about what keys takes
	limit int
	full  bool
}

const onlineKey = 64 // about what an entry takes beside its key

// StartOnlineLog begins the log of all Tables of this storage. It holds about limit bytes.
// REQUIRES: nobody else uses the table, but for rollback of transactions that are aborted.
func (t *Table) StartOnlineLog(limit int) *OnlineLog {
	l := &OnlineLog{keys: map[string]base.TrxID{}, limit: limit}
	t.online.Store(l)
	return l
}

// EndOnlineLog ends the log.
func (t *Table) EndOnlineLog() { t.online.Store(nil) }

// changing notes that tx changes a row.
func (t *Table) changing(tx *txn.Trx, key []byte) {
	if l := t.online.Load(); l != nil {
		l.add(tx.ID(), key)
	}
}

func (l *OnlineLog) add(trx base.TrxID, key []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full {
		return
	}
	if _, ok := l.keys[string(key)]; !ok {
		if l.bytes += onlineKey + len(key); l.bytes > l.limit {
			l.full, l.keys = true, nil
			return
		}
	}
	l.keys[string(key)] = trx
}

// Take returns the keys of all rows that to, a view opened before, sees otherwise than the views
// before it did. Those of changes that it does not see yet stay for the next one.
// base.ErrOnlineLogFull.
func (l *OnlineLog) Take(to *txn.ReadView) (map[string]base.TrxID, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full {
		return nil, base.ErrOnlineLogFull
	}
	taken := l.keys
	l.keys, l.bytes = map[string]base.TrxID{}, 0
	for key, trx := range taken {
		if !to.Sees(trx) {
			l.keys[key] = trx
			l.bytes += onlineKey + len(key)
		}
	}
	return taken, nil
}
