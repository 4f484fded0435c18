package sqllayer

// LOCK TABLES: explicit metadata locks of the session, which outlive transactions. A locked session may touch only the tables it has locked.

import (
	"context"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine"
	"emberdb/engine/lock"
)

// Lock implements sql.Lockable. The first Lock of a LOCK TABLES statement commits, and gives up what was locked before.
func (t *Table) Lock(ctx *sql.Context, write bool) error {
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stmt.locking {
		s.stmt.locking = false
		if s.trx != nil {
			if err := s.commit(ctx); err != nil {
				return err
			}
		}
		s.releaseTables()
	}
	if t.temporary {
		return nil
	}
	mode := lock.MetaReadOnly
	if write {
		mode = lock.MetaExclusive
	}
	at := tableName{t.def.def.Schema, t.def.def.Name}
	err := s.layer.eng.Locks().LockMeta(ctx, &s.owner, lock.MetaName(at.schema, at.name), mode, lock.Explicit, s.metaWait())
	if err != nil {
		return s.note(err)
	}
	if s.locked == nil {
		s.locked = make(map[tableName]bool)
	}
	s.locked[at] = s.locked[at] || write
	return nil
}

// Unlock implements sql.Lockable. UNLOCK TABLES ends all locks of the session, whatever table it is asked of.
func (t *Table) Unlock(*sql.Context, uint32) error {
	t.s.unlockTables()
	return nil
}

// unlockTables releases the locked tables; the open transaction is committed, as in MySQL.
func (s *Session) unlockTables() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.locked == nil {
		return
	}
	if s.trx != nil {
		s.closeCursors()
		_ = s.commit(context.Background()) // a failed engine reports at the next statement
	}
	s.releaseTables()
}

func (s *Session) releaseTables() {
	s.layer.eng.Locks().ReleaseMeta(&s.owner, lock.Explicit)
	s.locked = nil
}

// checkLocked refuses tables that a session under LOCK TABLES has not locked. REQUIRES: s.mu.
func (s *Session) checkLocked(at tableName) error {
	if s.locked == nil || s.stmt.locking {
		return nil
	}
	if _, ok := s.locked[at]; !ok {
		return NewError(1100, "Table '%s' was not locked with LOCK TABLES", at.name)
	}
	return nil
}

// checkWritable refuses writes to tables locked for reading. REQUIRES: s.mu.
func (s *Session) checkWritable(at tableName) error {
	if write, ok := s.locked[at]; ok && !write {
		return NewError(1099, "Table '%s' was locked with a READ lock and can't be updated", at.name)
	}
	return nil
}

// lockWait is innodb_lock_wait_timeout.
func (s *Session) lockWait() time.Duration { return s.settings().lockWait }

// metaWait is lock_wait_timeout.
func (s *Session) metaWait() time.Duration { return s.seconds("lock_wait_timeout", 31536000) }

func (s *Session) seconds(variable string, otherwise int64) time.Duration {
	n := otherwise
	if v, err := s.GetSessionVariable(nil, variable); err == nil {
		if i, ok := signed(v); ok {
			n = i
		} else if u, ok := unsigned(v); ok {
			n = int64(u)
		}
	}
	return time.Duration(n) * time.Second
}

// patient returns a context under which waits for metadata locks end after lock_wait_timeout.
func (s *Session) patient(ctx context.Context) context.Context {
	return engine.WithMetaWait(ctx, s.metaWait())
}
