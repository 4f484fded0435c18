package sqllayer

// What the OK packet of a statement says in words, as MySQL's clients show it and some parse it.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/sql/ast"
)

// tally counts what an INSERT, REPLACE or LOAD DATA does to the rows of its table, as MySQL counts
// it. Triggers' statements and cascades do not count.
//
//	inserted     rows that came in, REPLACE's in the place of others too
//	refused      rows whose key was there; IGNORE leaves them out
//	touched      rows that ON DUPLICATE KEY UPDATE found; updated: those of them that it changed
//	deleted      rows that made place. Not one that is the new row itself, in the way by the last unique key only: MySQL updates it, and finds nothing to update
type tally struct {
	table                                        base.TableID
	inserted, refused, touched, updated, deleted int
	conflicts                                    int    // of the row under way
	copied                                       int    // by ALTER TABLE
	Kept                                         int    // by DELETE IGNORE
	last, watched                                bool   // watched: DELETE triggers see rows that are deleted
	value                                        uint64 // AUTO_INCREMENT value of the last row that came in or was changed

	numbered bool
	numbers  table.AutoNumbers
	idBefore int64 // LAST_INSERT_ID() when the statement began
}

// counted is the tally if the table is that which the statement inserts into. REQUIRES: s.mu.
func (s *Session) counted(id base.TableID) *tally {
	if t := &s.Stmt.Tally; s.Stmt.Depth == 0 && t.table == id {
		return t
	}
	return nil
}

// TallyInsert counts an attempt to insert e.new. REQUIRES: s.mu.
func (e *Editor) TallyInsert(err error) {
	s, def := e.T.S, e.T.Def.Def
	if t := &s.Stmt.Tally; s.Stmt.Depth == 0 && t.table == 0 {
		t.table = def.ID
	}
	t := s.counted(def.ID)
	if t == nil {
		return
	}
	if t.inserted+t.refused == 0 {
		t.idBefore = s.GetLastQueryInfo().LastInsertId.Load()
	}
	var duplicate *table.DuplicateError
	switch {
	case err == nil:
		t.inserted++
		t.numbers.Came()
		t.value = e.autoValue()
		if t.conflicts == 1 && t.last && slices.EqualFunc(e.old, e.New, row.Value.Same) {
			t.deleted--
		}
		t.conflicts = 0
	case errors.As(err, &duplicate):
		t.refused++
		t.conflicts++
		t.last = duplicate.Index == LastUnique(def) && !t.watched && !e.T.watchesDeletes()
		if root := insertOf(s.Stmt.root); root != nil && root.Ignore {
			t.value = e.autoValue()
			t.numbers.Back()
			t.conflicts = 0
		}
	}
}

// autoValue is the AUTO_INCREMENT value of e.new.
func (e *Editor) autoValue() uint64 {
	if at := e.T.Def.Def.AutoInc; at >= 0 {
		return e.New[at].N
	}
	return 0
}

// LastUnique is the last of a table's unique keys.
func LastUnique(def *catalog.Table) (last *catalog.Index) {
	for _, ix := range def.Indexes {
		if ix.Unique || ix.Clustered && len(ix.Parts) > 0 {
			last = ix
		}
	}
	return last
}

// watchesDeletes tells whether somebody wants to know of rows that are deleted: then MySQL deletes
// them.
func (t *Table) watchesDeletes() bool {
	l := t.Db.Layer
	references, err := l.references(context.Background(), t.S.reader(), t.Def.Def)
	if err != nil || len(references) > 0 {
		return true
	}
	return false
}

// WatchDeletes tells of DELETE triggers of the statement's table.
func (s *Session) WatchDeletes() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.Depth == 0 {
		s.Stmt.Tally.watched = true
	}
}

// tallyUpdate counts a change of e.old to e.new by ON DUPLICATE KEY UPDATE. REQUIRES: s.mu.
func (e *Editor) tallyUpdate() {
	t := e.T.S.counted(e.T.Def.Def.ID)
	if t == nil {
		return
	}
	t.touched++
	t.conflicts = 0
	if !slices.EqualFunc(e.old, e.New, row.Value.Same) {
		t.updated++
		if t.numbers.Rows > 0 { // MySQL does not look at rows that INSERT ... SELECT has changed
			t.value = e.autoValue()
		}
	}
	t.numbers.Back()
}

// tallyDelete counts a row that makes place for one of REPLACE. REQUIRES: s.mu.
func (e *Editor) tallyDelete() {
	if t := e.T.S.counted(e.T.Def.Def.ID); t != nil {
		t.deleted++
	}
}

// Counts are what the OK packet says of the running statement: GMS counts REPLACE and ON DUPLICATE
// KEY UPDATE otherwise, and takes LAST_INSERT_ID() for the id of the statement.
func (s *Session) Counts(ctx *sql.Context, ok types.OkResult) types.OkResult {
	s.Mu.Lock()
	runs := s.Program != nil
	s.Mu.Unlock()
	if runs {
		return ok
	}
	return s.rightCounts(ctx, ok)
}

// rightCounts puts the counts right of a statement, which may be one of a program.
func (s *Session) rightCounts(ctx *sql.Context, ok types.OkResult) types.OkResult {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	t := &s.Stmt.Tally
	n := insertOf(s.Stmt.root)
	if n == nil {
		ok.RowsAffected += uint64(t.copied)
		if s.current != nil && t.copied == 0 {
			if told, _ := s.tellsRecords(s.current.Tree); told {
				ok.RowsAffected += uint64(s.copiedRows(ctx))
			}
		}
		if t.Kept > 0 {
			ok.RowsAffected -= uint64(t.Kept)
			s.GetLastQueryInfo().RowCount.Store(int64(ok.RowsAffected))
		}
		if d, _ := s.Stmt.root.(*plan.DeleteFrom); d != nil && d.HasExplicitTargets() && !s.Stmt.cascades {
			ok.RowsAffected = uint64(s.Stmt.removed) // GMS counts the rows of the join
			s.GetLastQueryInfo().RowCount.Store(int64(ok.RowsAffected))
		}
		if u := updateOf(s.Stmt.root); u != nil && setsInsertID(ctx, u) {
			ok.InsertID = uint64(s.GetLastQueryInfo().LastInsertId.Load())
		}
		return ok
	}
	if len(n.Returning) > 0 {
		return ok
	}
	changed := t.updated
	if ctx.Client().Capabilities&mysql.CapabilityClientFoundRows != 0 {
		changed = t.touched
	}
	ok.RowsAffected, ok.InsertID = uint64(t.inserted+t.updated+t.deleted+changed), 0
	info := s.GetLastQueryInfo()
	info.RowCount.Store(int64(ok.RowsAffected))
	switch s.settleInsertID(ctx); {
	case t.numbers.First > 0:
		ok.InsertID = t.numbers.First
	case setsInsertID(ctx, n):
		ok.InsertID = uint64(info.LastInsertId.Load())
	case t.inserted+t.updated > 0 && !(n.OnDupExprs.HasUpdates() && ValueRows(n.Source) == 0):
		ok.InsertID = t.value
	}
	return ok
}

// settleInsertID makes LAST_INSERT_ID() what the statement leaves: the value of the first row that
// came in with one that was made.
// REQUIRES: s.mu.
func (s *Session) settleInsertID(ctx *sql.Context) {
	t, n := &s.Stmt.Tally, insertOf(s.Stmt.root)
	if n == nil || t.inserted+t.refused == 0 {
		return
	}
	info := s.GetLastQueryInfo()
	switch {
	case t.numbers.First > 0:
		info.LastInsertId.Store(int64(t.numbers.First))
	case ctx == nil || !setsInsertID(ctx, n):
		info.LastInsertId.Store(t.idBefore)
	}
}

// updateOf finds the UPDATE that a plan is.
func updateOf(root sql.Node) *plan.Update {
	u, _ := root.(*plan.Update)
	return u
}

// setsInsertID tells whether a statement calls LAST_INSERT_ID(value).
func setsInsertID(ctx *sql.Context, n sql.Node) (found bool) {
	look := func(_ *sql.Context, e sql.Expression) bool {
		if f, ok := e.(*function.LastInsertId); ok && f.Child != nil {
			found = true
		}
		return !found
	}
	if i, ok := n.(*plan.InsertInto); ok && i.OnDupExprs.HasUpdates() {
		for _, e := range i.OnDupExprs.AllExpressions() {
			sql.Inspect(ctx, e, look)
		}
	}
	transform.InspectExpressions(ctx, n, look)
	return found
}

const recordsInfo = "Records: %d  Duplicates: %d  Warnings: %d"

// Info is the text of the OK packet with which the running statement ends, "" if it has none.
func (s *Session) Info(ctx *sql.Context, ok types.OkResult) string {
	s.Mu.Lock()
	root, t := s.Stmt.root, s.Stmt.Tally
	s.Mu.Unlock()
	warnings := s.WarningCount()
	if u, is := ok.Info.(plan.UpdateInfo); is {
		return fmt.Sprintf("Rows matched: %d  Changed: %d  Warnings: %d", u.Matched, u.Updated, warnings)
	}
	if ok.Info != nil {
		return ok.Info.String()
	}
	if n := insertOf(root); n != nil {
		return t.insertInfo(ctx, n, warnings)
	}
	info := ""
	if s.current != nil {
		if told, is := s.tellsRecords(s.current.Tree); is {
			if told {
				info = fmt.Sprintf(recordsInfo, ok.RowsAffected, 0, warnings)
			}
			return info
		}
	}
	if root == nil { // a procedure ended with a statement that the server runs
		return info
	}
	transform.Inspect(root, func(n sql.Node) bool {
		switch n.(type) {
		case *plan.TableCopier:
			info = fmt.Sprintf(recordsInfo, ok.RowsAffected, 0, warnings)
		case *plan.AddColumn, *plan.DropColumn, *plan.ModifyColumn, *plan.RenameColumn, *plan.AlterPK, *plan.AlterIndex, *plan.RenameTable,
			*plan.CreateForeignKey, *plan.DropForeignKey, *plan.CreateCheck, *plan.DropCheck, *plan.AlterDefaultSet, *plan.AlterDefaultDrop,
			*plan.AlterAutoIncrement, *plan.AlterTableComment, *plan.AlterTableCollation:
			info = fmt.Sprintf(recordsInfo, ok.RowsAffected, 0, warnings)
		}
		return info == ""
	})
	return info
}

// tellsRecords reports whether a change of a definition tells of records in words; is: the tree is
// such a change of a table.
func (s *Session) tellsRecords(tree ast.Statement) (told, is bool) {
	switch n := tree.(type) {
	case *ast.CreateIndex, *ast.DropIndex:
		return true, true
	case *ast.RenameTable:
		return false, true
	case *ast.AlterTable:
		if n.Tail != nil {
			return n.Tail.Kind != ast.TruncatePartition, true
		}
		if s.altering != nil && s.altering.rename {
			return s.altering.Copies, true
		}
		return n.Remove || n.Partition != nil || len(n.Actions) > 0 && !slices.ContainsFunc(n.Actions, func(a ast.AlterAction) bool {
			flag, _ := a.(*ast.AlterFlag)
			_, renames := a.(*ast.RenameTo)
			return len(n.Actions) == 1 && (renames || flag != nil && (flag.Kind == ast.EnableKeys || flag.Kind == ast.DisableKeys))
		}), true
	}
	return false, false
}

func (t tally) insertInfo(ctx *sql.Context, n *plan.InsertInto, warnings uint16) string {
	load, one := false, false
	transform.Inspect(n.Source, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.LoadData:
			load = true
		case *plan.Values:
			one = len(n.ExpressionTuples) == 1
		case *plan.SubqueryAlias, *plan.Filter:
			return false
		}
		return true
	})
	records, duplicates := t.inserted+t.refused, 0
	switch {
	case n.IsReplace:
		records, duplicates = t.inserted, t.deleted
	case n.Ignore:
		duplicates = t.refused - t.touched
	case n.OnDupExprs.HasUpdates():
		duplicates = t.updated
	}
	switch {
	case load:
		skipped := duplicates
		if n.IsReplace {
			skipped = 0
		}
		return fmt.Sprintf("Records: %d  Deleted: %d  Skipped: %d  Warnings: %d", records, t.deleted, skipped, warnings)
	case one:
		return ""
	}
	return fmt.Sprintf(recordsInfo, records, duplicates, warnings)
}
