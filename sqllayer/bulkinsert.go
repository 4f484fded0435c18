package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/lower"
)

// Rows of LOAD DATA, INSERT ... SELECT and CREATE TABLE ... SELECT. A row whose values are its
// columns' own as they stand is gathered with others, and they go to the engine together. Every
// other row takes GMS's way, alone and at its place among them, and so does a row that the engine
// refuses: what is to be said of it, or done about it, is decided there.
//
//	source -> settle (projection, storer) -> insert (GMS: REPLACE, IGNORE, errors)
//	      \-> values of the columns ------> engine, many rows at a time
//
// Not taken: tables with triggers, CHECKs, generated columns, foreign keys of their own or
// full-text indexes, temporary tables, ON DUPLICATE KEY UPDATE, which may read the row of the
// source that is at hand, and statements of stored programs.

// FieldConverter makes values of a table's columns of texts.
type FieldConverter interface {
	// Convert converts a text that is no NULL. ok is false where that is an error or would leave a
	// warning. buf lends memory for values that are made; it is returned grown.
	Convert(ctx *sql.Context, col int, text, buf []byte) (v row.Value, grown []byte, ok bool)
}

// SameDefault is the default of a column if it is the same for all rows of a statement.
func (t *DirectTable) SameDefault(ctx *sql.Context, col int, d *sql.ColumnDefaultValue) (row.Value, bool) {
	c := &t.Def.Columns[col]
	if d == nil {
		return row.NullValue, c.Nullable
	}
	if text := strings.ToLower(c.Default); !d.IsLiteral() && !strings.HasPrefix(text, "current_timestamp") && !strings.HasPrefix(text, "now(") {
		return row.NullValue, false
	}
	v, err := d.Eval(ctx, nil)
	if err != nil {
		return row.NullValue, false
	}
	out, ok := t.StoreAlone(ctx, col, v)
	return out, ok && (c.Nullable || !out.IsNull())
}

// INSERT DELAYED and DELETE IGNORE, which GMS's trees cannot say.

// Ignores reports whether the DELETE that runs has IGNORE.
func (s *Session) Ignores(ctx *sql.Context) bool {
	if a := s.Program; a != nil && a.stmt != nil {
		n, ok := a.stmt.(*ast.Delete)
		return ok && lower.Ignores(n)
	}
	n, ok := s.RunningTree(ctx).(*sqlast.Delete)
	return ok && n.Ignore
}

const erLegacySyntax = 3005

// Delayed warns of INSERT DELAYED.
func (s *Session) Delayed(ctx *sql.Context, n *plan.InsertInto) {
	s.Mu.Lock()
	said := s.Stmt.delayed
	s.Stmt.delayed = true
	s.Mu.Unlock()
	tree, is := s.RunningTree(ctx).(*sqlast.Insert)
	if said || !is || tree.Priority != sqlast.Delayed {
		return
	}
	verb := "INSERT"
	if n.IsReplace {
		verb = "REPLACE"
	}
	s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erLegacySyntax,
		Message: verb + " DELAYED is no longer supported. The statement was converted to " + verb + "."})
}
