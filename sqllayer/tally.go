package sqllayer

// What the OK packet of a statement says in words, as MySQL's clients show it and some parse it.

import (
	"errors"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/table"
	"emberdb/internal/base"
)

// tally counts what an INSERT, REPLACE or LOAD DATA does to the rows of its table. Triggers' statements and cascades do not count.
type tally struct {
	table                                  base.TableID
	inserted, duplicates, updated, deleted int
}

// tallyInsert counts an attempt to insert. REQUIRES: s.mu.
func (s *Session) tallyInsert(id base.TableID, err error) {
	t := &s.stmt.tally
	if s.stmt.depth > 0 {
		return
	}
	if t.table == 0 {
		t.table = id
	}
	var duplicate *table.DuplicateError
	switch {
	case t.table != id:
	case err == nil:
		t.inserted++
	case errors.As(err, &duplicate):
		t.duplicates++
	}
}

// tallyChange counts a change of a row of the table that is inserted into. REQUIRES: s.mu.
func (s *Session) tallyChange(id base.TableID, counter *int) {
	if s.stmt.depth == 0 && s.stmt.tally.table == id {
		*counter++
	}
}

const recordsInfo = "Records: %d  Duplicates: %d  Warnings: %d"

// Info is the text of the OK packet with which the running statement ends, "" if it has none.
func (s *Session) Info(ctx *sql.Context, ok types.OkResult) string {
	s.mu.Lock()
	root, t := s.stmt.root, s.stmt.tally
	s.mu.Unlock()
	warnings := s.WarningCount()
	if u, is := ok.Info.(plan.UpdateInfo); is {
		return fmt.Sprintf("Rows matched: %d  Changed: %d  Warnings: %d", u.Matched, u.Updated, warnings)
	}
	if ok.Info != nil {
		return ok.Info.String()
	}
	info := ""
	transform.Inspect(root, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.InsertInto:
			info = t.insertInfo(ctx, n, warnings)
			return false
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

func (t tally) insertInfo(ctx *sql.Context, n *plan.InsertInto, warnings uint16) string {
	load, values := false, false
	transform.Inspect(n.Source, func(n sql.Node) bool {
		switch n.(type) {
		case *plan.LoadData:
			load = true
		case *plan.Values:
			values = true
		case *plan.SubqueryAlias, *plan.Filter:
			return false
		}
		return true
	})
	records, duplicates := t.inserted+t.duplicates, 0
	switch {
	case n.IsReplace:
		records, duplicates = t.inserted, t.deleted
	case n.Ignore:
		duplicates = t.duplicates
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
	case values && records <= 1:
		return ""
	}
	return fmt.Sprintf(recordsInfo, records, duplicates, warnings)
}
