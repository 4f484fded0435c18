package sqllayer

// Rows of a table without a primary key are named by a hidden id that GMS does not carry along. A
// cursor that feeds an UPDATE or DELETE leaves the ids of its rows with the session, by their
// contents; the editor takes them from there. Rows of equal contents are as good as each other, as
// all of them were locked by the cursor.
//
// An UPDATE of joined rows has to know which rows of the tables it has met before, so equal rows
// are not as good as each other to it, and GMS refuses tables whose rows have no names. To it the
// id is a column, hidden and the key of the table.

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/internal/base"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// updateJoin asks for the ids of the rows that an UPDATE reads in joins, which GMS makes of
// subqueries, too. Joins that are written have no order, which GMS would give them.
func (r *rewriterAST) updateJoin(n *ast.Update) error {
	_, single := n.TableExprs[0].(*ast.AliasedTableExpr)
	joins := !single || len(n.TableExprs) > 1
	switch {
	case joins && len(n.OrderBy) > 0:
		return sqlerr.NewError(1221, "Incorrect usage of UPDATE and ORDER BY")
	case joins && n.Limit != nil:
		return sqlerr.NewError(1221, "Incorrect usage of UPDATE and LIMIT")
	}
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		_, is := n.(*ast.Subquery)
		joins = joins || is
		return !joins, nil
	}, n.Where)
	if joins {
		for _, t := range n.TableExprs {
			r.lockTable(t, nil, tabledef.LockClause{})
		}
	}
	return nil
}

// nameRows makes the ids of the rows a column, with a name that no other table of the statement
// has: a NATURAL JOIN goes by names.
func (t *Table) nameRows() {
	t.Ids = true
	t.fullSch = append(t.fullSch, &sql.Column{
		Name: fmt.Sprintf("%s%p", sql.HiddenSystemColumnPrefix, t), Source: t.Def.Name, DatabaseSource: t.Def.Database,
		Type: types.Uint64, PrimaryKey: true, HiddenSystem: true,
	})
	t.sch = t.fullSch
}

// rowIDs are the hidden ids of the rows a statement has read, by table and contents.
type rowIDs map[base.TableID]map[string][]uint64

// remember keeps the id of a row. vals are as a scan of the engine returns them: the id stands
// behind the last column.
// REQUIRES: s.mu.
func (s *Session) remember(d *tabledef.TableDef, vals []row.Value) {
	n := len(d.Codecs)
	if len(vals) <= n {
		return
	}
	if s.Stmt.ids == nil {
		s.Stmt.ids = make(rowIDs)
	}
	rows := s.Stmt.ids[d.Def.ID]
	if rows == nil {
		rows = make(map[string][]uint64)
		s.Stmt.ids[d.Def.ID] = rows
	}
	key := string(contents(nil, d, vals))
	rows[key] = append(rows[key], vals[n].N)
}

// recall completes a row with its hidden id; ok is false if no cursor has seen such a row.
// REQUIRES: s.mu.
func (s *Session) recall(d *tabledef.TableDef, vals []row.Value) (out []row.Value, ok bool) {
	rows := s.Stmt.ids[d.Def.ID]
	key := string(contents(nil, d, vals))
	ids := rows[key]
	if len(ids) == 0 {
		return vals, false
	}
	if len(ids) == 1 {
		delete(rows, key)
	} else {
		rows[key] = ids[:len(ids)-1]
	}
	return append(vals, row.UintValue(ids[len(ids)-1])), true
}

// Copies is how many rows with the values of r the cursors have seen in a table without a key; 1 in
// others. Each of them is recalled once afterwards.
func (t *Table) Copies(ctx *sql.Context, r sql.Row) (int, error) {
	if !t.Def.Keyless || t.Ids {
		return 1, nil
	}
	t.S.Mu.Lock()
	defer t.S.Mu.Unlock()
	vals, err := t.Def.EncodeRow(ctx, r[:min(len(r), len(t.Def.Codecs))], nil)
	if err != nil {
		return 0, err
	}
	rows, key := t.S.Stmt.ids[t.Def.Def.ID], string(contents(nil, t.Def, vals))
	ids := rows[key]
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) > 0 {
		rows[key] = ids
	}
	return len(ids), nil
}

// contents appends the stored values so that equal rows, and no others, give equal bytes.
func contents(dst []byte, d *tabledef.TableDef, vals []row.Value) []byte {
	for i, v := range vals[:len(d.Codecs)] {
		if d.Columns[i].Virtual {
			continue
		}
		dst = append(dst, byte(v.Kind))
		dst = binary.LittleEndian.AppendUint64(dst, v.N)
		dst = binary.AppendUvarint(dst, uint64(len(v.B)))
		dst = append(dst, v.B...)
	}
	return dst
}
