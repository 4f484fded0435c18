package sqllayer

// LOCK TABLES: explicit metadata locks of the session, which outlive transactions. A locked session
// may touch only the tables it has locked.

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine"
	"emberdb/engine/lock"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// LockTables runs LOCK TABLES: it commits, and gives up what was locked before; then it locks all
// the tables or none.
func (s *Session) LockTables(ctx *sql.Context, n *plan.LockTables) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	names := s.locking
	s.locking = nil
	if s.Trx != nil {
		if err := s.commit(ctx); err != nil {
			return err
		}
	}
	s.releaseTables()
	for _, l := range n.Locks {
		t := OwnTable(l.Table)
		if t == nil || t.Temporary {
			continue
		}
		if err := s.lockExplicitly(ctx, tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}, l.Write); err != nil {
			s.releaseTables()
			return s.Note(err)
		}
	}
	s.locked = names
	return nil
}

// breakOffLocking does what LOCK TABLES begins with, for one that fails before it runs: what was
// locked before is released.
// REQUIRES: s.mu.
func (s *Session) breakOffLocking() {
	if s.Trx != nil {
		_ = s.commit(context.Background()) // a failed engine reports at the next statement
	}
	s.releaseTables()
}

// lockExplicitly locks a table until UNLOCK TABLES. REQUIRES: s.mu.
func (s *Session) lockExplicitly(ctx context.Context, at tabledef.TableName, write bool) error {
	mode := lock.MetaReadOnly
	if write {
		mode = lock.MetaNoReadWrite
	}
	return s.layer.Eng.Locks().LockMeta(ctx, &s.owner, lock.MetaName(at.Schema, at.Name), mode, lock.Explicit, s.metaWait())
}

// willLock takes the metadata lock of a table whose rows are read FOR UPDATE: that of a statement
// that changes them.
func (s *Session) willLock(ctx *sql.Context, at tabledef.TableName) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if err := s.checkWritable(at); err != nil {
		return err
	}
	trx, err := s.Active(ctx)
	if err != nil {
		return err
	}
	return s.Note(s.layer.Eng.LockMeta(s.Patient(ctx), trx, at.Schema, at.Name, s.metaMode(lock.MetaSharedWrite)))
}

// UnlockTables releases the locked tables; the open transaction is committed, as in MySQL.
func (s *Session) UnlockTables() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.locked == nil {
		return
	}
	if s.Trx != nil {
		s.closeCursors()
		_ = s.commit(context.Background()) // a failed engine reports at the next statement
	}
	s.releaseTables()
}

func (s *Session) releaseTables() {
	s.layer.Eng.Locks().ReleaseMeta(&s.owner, lock.Explicit)
	s.locked = nil
}

// unlockDropped takes a table that is gone from those of LOCK TABLES, which ends with the last.
// REQUIRES: s.mu.
func (s *Session) unlockDropped(at tabledef.TableName) {
	if s.locked == nil || !s.locked.Holds(at) {
		return
	}
	s.locked.Names = slices.DeleteFunc(s.locked.Names, func(n trees.LockedName) bool { return n.At.Same(at) })
	s.layer.Eng.Locks().UnlockMeta(&s.owner, lock.MetaName(at.Schema, at.Name), lock.Explicit)
	if len(s.locked.Names) == 0 {
		s.releaseTables()
	}
}

// namesLocked refuses statements that name a table first which LOCK TABLES has not locked, where
// planning them would find another error.
func (s *Session) namesLocked(ctx *sql.Context, stmt ast.Statement) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.locked == nil {
		return nil
	}
	var names ast.TableNames
	switch n := stmt.(type) {
	case *ast.DDL:
		switch {
		case n.OptLike != nil && !n.Temporary:
			names = ast.TableNames{n.Table}
		case n.Action == ast.RenameStr && n.TableSpec == nil:
			names = n.FromTables
		}
	case *ast.AlterTable:
		names = ast.TableNames{n.Table}
	case *ast.Show:
		if strings.EqualFold(n.Type, "create view") {
			names = ast.TableNames{n.Table}
		}
	}
	for _, n := range names {
		at := tabledef.TableName{Schema: n.DbQualifier.String(), Name: n.Name.String()}
		if at.Schema == "" {
			at.Schema = ctx.GetCurrentDatabase()
		}
		if _, temporary := s.Temps.Lookup(at.Schema, at.Name); !temporary && !s.locked.Holds(at) {
			return errNotLocked(at.Name)
		}
	}
	return nil
}

// checkLocked refuses tables that a session under LOCK TABLES has not locked. REQUIRES: s.mu.
func (s *Session) checkLocked(at tabledef.TableName) error {
	if s.locked == nil || s.locking != nil || s.describes || s.locked.Holds(at) {
		return nil
	}
	return errNotLocked(at.Name)
}

func errNotLocked(name string) error {
	return sqlerr.NewError(1100, "Table '%s' was not locked with LOCK TABLES", name)
}

// checkWritable refuses writes to tables locked for reading. REQUIRES: s.mu.
func (s *Session) checkWritable(at tabledef.TableName) error {
	if s.locked == nil {
		return nil
	}
	if _, readOnly := s.locked.Writes(at); readOnly {
		return errLockedForReading(at.Name)
	}
	return nil
}

func errLockedForReading(name string) error {
	return sqlerr.NewError(1099, "Table '%s' was locked with a READ lock and can't be updated", name)
}

// UnderLocks tells whether the session is under LOCK TABLES.
func (s *Session) UnderLocks() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.locked != nil
}

// MayFlush is the error of a FLUSH of a table under LOCK TABLES; without a name, of all that are
// locked.
func (s *Session) MayFlush(schema, name string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	at := tabledef.TableName{Schema: schema, Name: name}
	if name == "" && s.locked != nil {
		for _, n := range s.locked.Names {
			if err := s.checkWritable(n.At); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.checkLocked(at); err != nil {
		return err
	}
	return s.checkWritable(at)
}

// lockWait is innodb_lock_wait_timeout.
func (s *Session) lockWait() time.Duration { return s.settings().lockWait }

// metaWait is lock_wait_timeout.
func (s *Session) metaWait() time.Duration { return s.settings().metaWait }

func (s *Session) seconds(variable string, otherwise int64) time.Duration {
	return time.Duration(s.whole(variable, otherwise)) * time.Second
}

// whole is the value of a session variable that is a whole number.
func (s *Session) whole(variable string, otherwise int64) int64 {
	if v, err := s.GetSessionVariable(nil, variable); err == nil {
		if n, ok := wholeNumber(v); ok {
			return n
		}
	}
	return otherwise
}

// wholeNumber is a value of whatever type of whole numbers; those beyond an int64 are the largest
// one.
func wholeNumber(v any) (int64, bool) {
	if u, ok := store.Unsigned(v); ok {
		return int64(min(u, math.MaxInt64)), true
	}
	return store.Signed(v)
}

// Patient returns a context under which waits for metadata locks end after lock_wait_timeout.
func (s *Session) Patient(ctx context.Context) context.Context {
	return engine.WithMetaWait(ctx, s.metaWait())
}
