package lock

import (
	"fmt"
	"strings"
	"time"

	"emberdb/internal/base"
)

// Info describes one lock.
type Info struct {
	Trx     base.TrxID // 0: it has not written
	Thread  uint64
	Class   string // RECORD, TABLE, METADATA
	Index   base.IndexID
	Table   base.TableID
	Name    string // of a metadata lock
	Key     []byte // of a record lock; empty: the supremum
	Last    []byte // not nil: the lock is on every record from Key to Last
	Mode    string // as performance_schema.data_locks shows it: X, X,GAP, X,REC_NOT_GAP, X,GAP,INSERT_INTENTION, IX, ...
	Granted bool
	Since   time.Time // of a waiting one
	// BlockedBy are the owners (transaction, thread) a waiting one waits for; only in Snapshot.
	BlockedBy []Blocker
}

// Blocker names an owner.
type Blocker struct {
	Trx    base.TrxID
	Thread uint64
}

// info describes r. REQUIRES: r's shard is locked, or graph is and r waits.
func (r *request) info() Info {
	in := Info{Trx: base.TrxID(r.owner.id.Load()), Thread: r.owner.thread.Load(), Granted: r.wait == nil}
	if r.wait != nil {
		in.Since = r.wait.since
	}
	switch r.class {
	case classRecord:
		in.Class, in.Index, in.Key = "RECORD", base.IndexID(r.tree), append([]byte(nil), r.key()...)
		in.Mode = Mode(r.mode).String() + r.suffix()
	case classTable:
		in.Class, in.Table, in.Mode = "TABLE", base.TableID(r.tree), Mode(r.mode).String()
	case classMeta:
		in.Class, in.Name, in.Mode = "METADATA", string(r.key()), MetaMode(r.mode).String()
	}
	return in
}

// suffix is how a record lock's kind is written behind its mode. A lock of the end of a tree is
// always on the gap alone and goes without.
func (r *request) suffix() string {
	switch r.kind {
	case Record:
		return ",REC_NOT_GAP"
	case InsertIntention:
		if r.keyLen == 0 {
			return ",INSERT_INTENTION"
		}
		return ",GAP,INSERT_INTENTION"
	case Gap:
		if r.keyLen != 0 {
			return ",GAP"
		}
	}
	return ""
}

// Snapshot lists all locks, part by part of the table: each entry is true, all together were not at
// one moment.
func (m *Manager) Snapshot() (all []Info) {
	m.graph.Lock()
	defer m.graph.Unlock()
	all = m.runs.all()
	for i := range m.shards {
		s := &m.shards[i]
		var waiting []*request
		var at []int
		s.Lock()
		for b := range s.buckets {
			for r := s.buckets[b].first; r != nil; r = r.next {
				if r.kind == InsertIntention && r.wait == nil || r.owner.void.Load() {
					continue // what forget has left
				}
				if r.wait != nil {
					waiting, at = append(waiting, r), append(at, len(all))
				}
				all = append(all, r.info())
			}
		}
		s.Unlock()
		for j, r := range waiting { // graph is held, so they stay
			in := &all[at[j]]
			m.eachBlocker(r, func(q *request) bool {
				in.BlockedBy = append(in.BlockedBy, Blocker{base.TrxID(q.owner.id.Load()), q.owner.thread.Load()})
				return true
			})
		}
	}
	return all
}

// LastDeadlock tells the newest deadlock in the manner of SHOW ENGINE INNODB STATUS; "" if there
// was none. name, if not nil, gives an index its name; it is called without any latch.
func (m *Manager) LastDeadlock(name func(base.IndexID) string) string {
	m.graph.Lock()
	d := m.graph.deadlock
	m.graph.Unlock()
	if d == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintln(&b, d.At.Format("2006-01-02 15:04:05"))
	for i, o := range d.Owners {
		fmt.Fprintf(&b, "*** (%d) TRANSACTION:\nTRANSACTION %d, weight %d, thread id %d, waiting %.3f s\n",
			i+1, o.Waits.Trx, o.Weight, o.Waits.Thread, d.At.Sub(o.Waits.Since).Seconds())
		fmt.Fprintf(&b, "*** (%d) HOLDS THE LOCK(S):\n%s\n", i+1, o.Holds.text(name))
		fmt.Fprintf(&b, "*** (%d) WAITING FOR THIS LOCK TO BE GRANTED:\n%s waiting\n", i+1, o.Waits.text(name))
	}
	fmt.Fprintf(&b, "*** WE ROLL BACK TRANSACTION (%d)\n", d.Victim+1)
	return b.String()
}

// text is one lock on one line.
func (in *Info) text(name func(base.IndexID) string) string {
	mode, rest, _ := strings.Cut(in.Mode, ",")
	switch in.Class {
	case "TABLE":
		return fmt.Sprintf("TABLE LOCK table id %d trx id %d lock mode %s", in.Table, in.Trx, mode)
	case "METADATA":
		return fmt.Sprintf("METADATA LOCK %q thread id %d lock mode %s", in.Name, in.Thread, mode)
	}
	index := fmt.Sprintf("id %d", in.Index)
	if name != nil {
		index = name(in.Index)
	}
	where := map[string]string{
		"": "", "REC_NOT_GAP": " locks rec but not gap", "GAP": " locks gap before rec",
		"INSERT_INTENTION": " insert intention", "GAP,INSERT_INTENTION": " locks gap before rec insert intention",
	}[rest]
	key := "supremum"
	if len(in.Key) > 0 {
		key = fmt.Sprintf("key %x", in.Key)
	}
	return fmt.Sprintf("RECORD LOCKS index %s %s trx id %d lock_mode %s%s", index, key, in.Trx, mode, where)
}
