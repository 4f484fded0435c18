package sqllayer

// Modifiers between the verb of a statement and what it is about, which the grammar lacks: LOW_PRIORITY, HIGH_PRIORITY, DELAYED, QUICK say nothing to a
// transactional engine and are cut out, as is the IGNORE of DELETE, which is looked for in the text when the statement runs.

import (
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

var (
	modified  = regexp.MustCompile(`(?is)^\s*(?:(?:insert|replace|update|select)((?:\s+(?:low_priority|high_priority|delayed)\b)+)|delete((?:\s+(?:low_priority|quick|ignore)\b)+)\s+(?:from\b|[` + "`" + `\w]))`)
	notColumn = regexp.MustCompile(`(?i)\b(low_priority|high_priority|delayed|quick|ignore)\b`)
)

// cutModifiers puts spaces in the place of modifiers: positions in the text stay.
func cutModifiers(query string) string {
	m := modified.FindStringSubmatchIndex(query)
	if m == nil {
		return query
	}
	from, to := m[2], m[3]
	if from < 0 {
		from, to = m[4], m[5]
	}
	return query[:from] + strings.Repeat(" ", to-from) + query[to:]
}

// hasModifier tells whether a statement has one.
func hasModifier(query, which string) bool {
	m := modified.FindStringSubmatch(query)
	if m == nil {
		return false
	}
	for _, word := range notColumn.FindAllString(m[1]+m[2], -1) {
		if strings.EqualFold(word, which) {
			return true
		}
	}
	return false
}

const erLegacySyntax = 3005

// delayed warns of INSERT DELAYED.
func (s *Session) delayed(ctx *sql.Context, n *plan.InsertInto) {
	s.mu.Lock()
	said := s.stmt.delayed
	s.stmt.delayed = true
	s.mu.Unlock()
	if said || !hasModifier(ctx.Query(), "delayed") {
		return
	}
	verb := "INSERT"
	if n.IsReplace {
		verb = "REPLACE"
	}
	s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: erLegacySyntax,
		Message: verb + " DELAYED is no longer supported. The statement was converted to " + verb + "."})
}

// ignoring builds DELETE IGNORE; nil for other statements.
func (b *builder) ignoring(ctx *sql.Context, n *plan.DeleteFrom, r sql.Row) (sql.RowIter, error) {
	if !hasModifier(ctx.Query(), "ignore") {
		return nil, nil
	}
	targets := make([]sql.Node, len(n.GetDeleteTargets()))
	for i, t := range n.GetDeleteTargets() {
		if _, done := t.(*ignoringTarget); done {
			return nil, nil
		}
		deletable, err := plan.GetDeletable(t)
		if err != nil {
			return nil, nil
		}
		targets[i] = &ignoringTarget{around(t), deletable}
	}
	return b.base.Build(ctx, n.WithTargets(targets), r)
}

// ignoringTarget is a table that DELETE IGNORE deletes from.
type ignoringTarget struct {
	wrapper
	sql.DeletableTable
}

// String implements sql.Node and sql.Table.
func (n *ignoringTarget) String() string { return n.wrapper.String() }

// Schema implements sql.Node and sql.Table.
func (n *ignoringTarget) Schema(ctx *sql.Context) sql.Schema { return n.Child.Schema(ctx) }

// WithChildren implements sql.Node.
func (n *ignoringTarget) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// Deleter implements sql.DeletableTable.
func (n *ignoringTarget) Deleter(ctx *sql.Context) sql.RowDeleter {
	return &ignoringDeleter{RowDeleter: n.DeletableTable.Deleter(ctx), s: sessionOf(ctx)}
}

// ignoringDeleter leaves rows that a foreign key holds.
type ignoringDeleter struct {
	sql.RowDeleter
	s     *Session
	bound bound
}

// Delete implements sql.RowDeleter.
func (d *ignoringDeleter) Delete(ctx *sql.Context, r sql.Row) error {
	d.s.mu.Lock()
	trx := d.s.trx
	if trx != nil {
		d.bound.move(trx)
	}
	d.s.mu.Unlock()
	err := d.RowDeleter.Delete(ctx, r)
	if !sql.ErrForeignKeyParentViolation.Is(err) {
		return err
	}
	known := Translate(Detail(ctx, err), ctx.GetCurrentDatabase())
	d.s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: known.Num, Message: known.Message})
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	d.s.stmt.tally.kept++
	if trx == nil || trx != d.s.trx {
		return nil
	}
	return d.s.undo(d.bound.mark)
}
