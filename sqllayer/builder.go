package sqllayer

// The priority builder sees every node before GMS's builder does. It builds nothing itself but:
//
//	UPDATE, DELETE     notes their target tables, whose rows are then read under X locks; and where the rows are wanted in an index's order and only some of
//	                   them (ORDER BY ... LIMIT), reads them along the index and stops early: GMS
//	                   would read, and so lock, all of them and sort
//	UPDATE             looks at the bytes of texts, see exact.go
//	ORDER BY ... LIMIT over an index access whose leading columns are fixed (WHERE state = 'new'
//	ORDER BY id LIMIT 1): no sort, early stop
//	MAX and MIN of a column that an index begins with   read one row
//	triggers           see what the statement has changed so far, see trigger.go
//	filter over a scan   under READ COMMITTED, gives up the lock of a row that does not match
//	ALTER TABLE of many parts   gets the columns in the order the parts before have given them, which GMS's planner takes wrong after FIRST and AFTER
//	CREATE TABLE with functional keys   makes them when the table is there, see keyspec.go
//	nodes that keep rows   account them, see retain.go
//	mysql.help_*       have no rows; GMS gives them one without columns
//	LOAD DATA          reads its file, see loaddata.go
//	CREATE, DROP DATABASE   takes the schema's metadata lock before GMS takes its catalog mutex

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Running notes the plan of a statement when its root is built.
func (s *Session) Running(n sql.Node) {
	s.Mu.Lock()
	switch n.(type) {
	case *plan.AddColumn, *plan.DropColumn, *plan.ModifyColumn, *plan.RenameColumn, *plan.AlterPK, *plan.AlterIndex, *dropObjects, *plan.Truncate,
		*plan.CreateTable, *plan.AlterDefaultSet, *plan.AlterDefaultDrop, *plan.CreateForeignKey, *plan.DropForeignKey, *plan.RenameForeignKey:
		s.Stmt.defining = true
	}
	if s.Stmt.root == nil {
		s.Stmt.root = n
		s.flags.Unset(sql.QFlagDDL)
		s.flags = nil
	}
	s.Mu.Unlock()
}

// Aim makes the tables that an UPDATE or DELETE changes targets of the statement.
func (s *Session) Aim(n sql.Node) {
	for _, target := range changedTables(n) {
		s.aimAt(target)
	}
}

func (s *Session) aimAt(n sql.Node) {
	transform.Inspect(n, func(n sql.Node) bool {
		if _, ok := n.(*plan.SubqueryAlias); ok {
			return false
		}
		var found sql.Table
		switch n := n.(type) {
		case *plan.ResolvedTable:
			found = sql.GetUnderlyingTable(n.UnderlyingTable())
		case *plan.IndexedTableAccess:
			found = sql.GetUnderlyingTable(n.UnderlyingTable())
		case *plan.ForeignKeyHandler:
			found = sql.GetUnderlyingTable(n.Table)
		case *plan.TableAlias:
			return true
		}
		if t, ok := found.(*Table); ok {
			s.Mu.Lock()
			if s.Stmt.targets == nil {
				s.Stmt.targets = make(map[base.TableID]struct{})
			}
			s.Stmt.targets[t.Def.Def.ID] = struct{}{}
			s.Mu.Unlock()
		}
		return true
	})
}

// ReleasesRows tells whether rows that do not match are unlocked: a locking statement under READ
// COMMITTED.
func (s *Session) ReleasesRows() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Trx != nil && s.Trx.Isolation() <= txn.ReadCommitted && !s.ddl
}
