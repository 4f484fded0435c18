package sqllayer

// MATCH ... AGAINST. A search runs once in a statement, over what is committed, as InnoDB's does:
// it gives a rank to the digest of each document's texts, and a row has the rank of its texts. So a
// row that its transaction has changed, or added, is not found before the commit, and neither is
// one whose text is newer than the statement's view. Where a search is a condition, the rows are
// read by their clustered keys in the order of relevance.

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/fts"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// found is the result of a search.
type found struct {
	Hits  []fts.Hit
	ranks map[uint64]float32 // by the digest of the texts
}

// searchKey names a search of a statement.
type searchKey struct{ words, query string }

// matchExpr is a MATCH ... AGAINST of a plan that is run.
type matchExpr struct {
	table *Table
	index *tabledef.WordIndex
	cols  []sql.Expression // in the order of the index
	query sql.Expression
	text  string

	once   sync.Once
	result *found
	err    error
}

var _ sql.Expression = (*matchExpr)(nil)

// NewMatch puts the layer's search in the place of GMS's.
func NewMatch(e *expression.MatchAgainst) (*matchExpr, error) {
	t, ok := sql.GetUnderlyingTable(e.ParentTable).(*Table)
	idx, isOwn := e.GetIndex().(*tabledef.Index)
	at := -1
	if ok && isOwn {
		at = slices.IndexFunc(t.Def.Words, func(w *tabledef.WordIndex) bool { return w.Name == idx.Special.Words })
	}
	if at < 0 {
		return nil, sqlerr.NewError(1191, "Can't find FULLTEXT index matching the column list")
	}
	m := &matchExpr{table: t, index: t.Def.Words[at], query: e.Expr, text: e.String()}
	for _, c := range m.index.Columns {
		for _, col := range e.Columns {
			if f, ok := col.(*expression.GetField); ok && strings.EqualFold(f.Name(), t.Def.Columns[c].Name) {
				m.cols = append(m.cols, col)
			}
		}
	}
	return m, nil
}

// Search runs the search, at the first call.
func (m *matchExpr) Search(ctx *sql.Context) (*found, error) {
	m.once.Do(func() {
		text, err := m.queryText(ctx)
		if err != nil || text == "" {
			m.result, m.err = &found{}, err
			return
		}
		s := m.table.S
		key := searchKey{m.index.Name, text}
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if m.result = s.Stmt.searches[key]; m.result != nil {
			return
		}
		if m.result, m.err = m.table.search(ctx, m.index, text); m.err != nil {
			m.err = s.Note(m.err)
			return
		}
		if s.Stmt.searches == nil {
			s.Stmt.searches = make(map[searchKey]*found)
		}
		s.Stmt.searches[key] = m.result
	})
	return m.result, m.err
}

// queryText is what is searched for; nothing for NULL.
func (m *matchExpr) queryText(ctx *sql.Context) (string, error) {
	fixed := true
	sql.Inspect(ctx, m.query, func(_ *sql.Context, e sql.Expression) bool {
		_, isField := e.(*expression.GetField)
		fixed = fixed && !isField
		return fixed
	})
	if !fixed {
		return "", sqlerr.NewError(1210, "Incorrect arguments to AGAINST")
	}
	v, err := m.query.Eval(ctx, nil)
	if err != nil || v == nil {
		return "", err
	}
	if v, _, err = types.LongText.Convert(ctx, v); err != nil {
		return "", err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return "", err
	}
	text, _ := v.(string)
	return text, nil
}

// Eval implements sql.Expression.
func (m *matchExpr) Eval(ctx *sql.Context, r sql.Row) (any, error) {
	result, err := m.Search(ctx)
	if err != nil {
		return nil, err
	}
	if len(result.ranks) == 0 {
		return float64(0), nil
	}
	texts := make([]string, len(m.cols))
	for i, c := range m.cols {
		v, err := c.Eval(ctx, r)
		if err != nil {
			return nil, err
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		texts[i], _ = v.(string)
	}
	return float64(result.ranks[tabledef.Digest(texts)]), nil
}

// Children implements sql.Expression.
func (m *matchExpr) Children() []sql.Expression { return append(slices.Clone(m.cols), m.query) }

// WithChildren implements sql.Expression.
func (m *matchExpr) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(m.cols)+1 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), len(m.cols)+1)
	}
	last := len(m.cols)
	return &matchExpr{table: m.table, index: m.index, cols: children[:last:last], query: children[last], text: m.text}, nil
}

// Type implements sql.Expression.
func (m *matchExpr) Type(*sql.Context) sql.Type { return types.Float64 }

// IsNullable implements sql.Expression.
func (m *matchExpr) IsNullable(*sql.Context) bool { return false }

// Resolved implements sql.Expression.
func (m *matchExpr) Resolved() bool { return true }

func (m *matchExpr) String() string { return m.text }

// countedRows is the size up to which documents are counted; the number of more of them is
// estimated.
const countedRows = 5000

// search looks in the index. The transaction of its own sees what is committed. REQUIRES: t.s.mu.
func (t *Table) search(ctx *sql.Context, x *tabledef.WordIndex, text string) (*found, error) {
	h, trx, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	eng := t.Db.Layer.Eng
	words, err := eng.Table(t.S.Patient(ctx), trx, t.Def.Def.Schema, x.Name)
	if err != nil {
		return nil, err
	}
	view := eng.Begin(txn.ReadCommitted, true)
	defer func() { _ = eng.Rollback(view) }() // it has changed nothing
	view.StartStatement()
	total, err := countRows(ctx, trx, h)
	if err != nil {
		return nil, err
	}
	r := &wordReader{ctx: ctx, view: view, words: words, rows: h, index: x, texts: make(map[string]uint64)}
	mode := fts.Natural
	if rest, ok := strings.CutPrefix(text, expr.BooleanMark); ok {
		text, mode = rest, fts.Boolean
	} else if rest, ok := strings.CutPrefix(text, expr.ExpandedMark); ok {
		text, mode = rest, fts.Expanded
	}
	search := fts.Search{Collation: x.Collation, Reader: r, Documents: total}
	hits, err := search.Run(text, mode)
	var syntax *fts.SyntaxError
	if errors.As(err, &syntax) {
		return nil, sqlerr.NewError(1064, "%s", syntax.Error())
	}
	if errors.Is(err, fts.ErrNested) {
		return nil, sqlerr.NewError(209, "Too many nested sub-expressions in a full-text search") // the number is that of a storage engine's error
	}
	if err != nil {
		return nil, err
	}
	out := &found{Hits: hits, ranks: make(map[uint64]float32, len(hits))}
	for _, hit := range hits {
		out.ranks[r.texts[hit.Doc]] = hit.Rank
	}
	return out, nil
}

// countRows is the number of rows, those of the own transaction among them.
func countRows(ctx context.Context, trx *txn.Trx, h *table.Table) (uint64, error) {
	st, err := h.Stats()
	if err != nil || st.Rows > countedRows {
		return uint64(st.Rows), err
	}
	scan := h.NewScan(trx, table.ScanOptions{Columns: []int{}, Fresh: true})
	defer scan.Close()
	for n := uint64(0); ; n++ {
		if _, err := scan.Next(ctx); err == io.EOF { //nolint:errorlint // scans end with io.EOF itself
			return n, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// wordReader implements fts.Reader.
type wordReader struct {
	ctx   context.Context
	view  *txn.Trx
	words *table.Table
	rows  *table.Table
	index *tabledef.WordIndex
	texts map[string]uint64 // the digests of the documents seen
}

// Postings implements fts.Reader.
func (r *wordReader) Postings(word string, prefix bool, each func(doc string, count uint32)) error {
	def := r.words.Def()
	cols, parts := table.Columns(def), def.Indexes[0].Parts[:1]
	key := func(word string) []byte {
		return row.AppendKey(nil, cols, parts, []row.Value{row.BytesValue([]byte(word))})
	}
	lower := key(word)
	if prefix {
		// What keys of all longer words have in common.
		a, b := key(word+"\x01"), key(word+"\xff")
		n := 0
		for n < len(a) && a[n] == b[n] {
			n++
		}
		lower = a[:n]
	}
	scan := r.words.NewScan(r.view, table.ScanOptions{Lower: lower, Upper: lower, UpperIncl: true})
	defer scan.Close()
	for {
		vals, err := scan.Next(r.ctx)
		if err == io.EOF { //nolint:errorlint // scans end with io.EOF itself
			return nil
		}
		if err != nil {
			return err
		}
		doc := string(vals[1].B)
		r.texts[doc] = vals[3].N
		each(doc, uint32(vals[2].N))
	}
}

// Texts implements fts.Reader.
func (r *wordReader) Texts(doc string) ([]string, error) {
	vals, ok, err := r.rows.Get(r.ctx, r.view, nil, []byte(doc), table.None, table.Wait)
	if err != nil || !ok {
		return nil, err
	}
	return r.index.Texts(vals), nil
}

// refuseMatchOn refuses a MATCH that decides which rows an outer join joins: GMS's planner does not
// survive it.
func refuseMatchOn(n *ast.JoinTableExpr) error {
	if n.Condition.On == nil || n.Join != ast.LeftJoinStr && n.Join != ast.RightJoinStr {
		return nil
	}
	return ast.Walk(func(e ast.SQLNode) (bool, error) {
		switch e.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.MatchExpr:
			return false, sqlerr.NewError(1235, "This version of Ember doesn't yet support 'MATCH in the ON of an outer join'")
		}
		return true, nil
	}, n.Condition.On)
}
