package server

// What PREPARE looks at besides the text. MySQL plans statements with expressions when they are
// prepared, and refuses them there. Statements that define something, and SHOW CREATE, look at
// tables, databases and rights only when they run.

import (
	"cmp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/server/grants"
	"emberdb/sql/ast"
	"emberdb/sql/statement"
	"emberdb/sql/token"
	"emberdb/sqllayer"
	"emberdb/sqllayer/planner"
)

// looksLater reports whether a statement looks at nothing when it is prepared.
func looksLater(tree ast.Statement) bool {
	switch n := tree.(type) {
	case *ast.AlterTable, *ast.DropTable, *ast.RenameTable, *ast.TruncateTable, *ast.CreateIndex, *ast.DropIndex,
		*ast.DropView, *ast.CreateDatabase, *ast.AlterDatabase, *ast.DropDatabase, *ast.CreateEvent:
		return true
	case *ast.DropProgram:
		return n.Kind == ast.DropEvent
	case *ast.ShowCreate:
		return n.Kind != ast.ShowCreateUser
	}
	return false
}

// parsed is the SQL layer's tree of a statement.
func (h *handler) parsed(ctx *sql.Context, st *statement.Statement, text string) (sqlparser.Statement, error) {
	modes := sqlparser.ParserOptions{AnsiQuotes: st.Options.Mode&token.AnsiQuotes != 0, PipesAsConcat: st.Options.Mode&token.PipesAsConcat != 0}
	tree, _, err := h.e.Parser.ParseOneWithOptions(ctx, text, modes)
	return tree, err
}

// look plans a text and throws the plan away: it finds what cannot be run, and what may not.
func (h *handler) look(ctx *sql.Context, st *statement.Statement, text string) error {
	tree, err := h.parsed(ctx, st, text)
	if err != nil {
		return err
	}
	node, err := h.e.PrepareParsedQuery(ctx, text, text, tree)
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		s.TakePrepared()
	}
	if err != nil {
		return err
	}
	return planner.MayPrepare(ctx, node)
}

// lookView looks at a CREATE VIEW. Whether its database exists is seen when it runs.
func (x *execution) lookView(ctx *sql.Context, n *ast.CreateView, text string) error {
	db := cmp.Or(n.Name.Schema.Name, ctx.GetCurrentDatabase())
	if s, ok := ctx.Session.(*sqllayer.Session); ok && db != "" && !s.Layer().Provider.HasDatabase(ctx, db) {
		return x.h.s.mayUnrun(ctx, n)
	}
	return x.h.look(ctx, x.stmt, text)
}

// lookServed looks at a statement that this server runs, before it does.
func (x *execution) lookServed(ctx *sql.Context) error {
	switch n := x.stmt.Tree.(type) {
	case *ast.Show, *ast.ShowEngine:
		return x.h.s.mayShow(ctx, n)
	case *ast.SetPassword:
		return x.mayAlter(ctx)
	case *ast.Do:
		return x.lookAt(ctx, "SELECT "+x.itemsOf(n))
	case *ast.Describe:
		return x.lookAt(ctx, "SHOW COLUMNS FROM "+x.printed(&n.Table))
	case *ast.Explain:
		if n.Into != nil && n.Statement != nil {
			return x.lookAt(ctx, x.printed(n.Statement))
		}
	}
	return nil
}

// lookAt is look of a text that stands for the statement.
func (x *execution) lookAt(ctx *sql.Context, text string) error {
	defer x.h.borrowDatabase(ctx, x.stmt.Tree)()
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		before := s.Current()
		s.SetCurrent(x.stmt)
		defer s.SetCurrent(before)
	}
	return x.h.look(ctx.WithQuery(text), x.stmt, text)
}

// itemsOf is the expressions of a DO as the SQL layer reads them.
func (x *execution) itemsOf(n *ast.Do) string {
	items := make([]string, len(n.Items))
	for i := range n.Items {
		items[i] = x.printed(&n.Items[i])
	}
	return strings.Join(items, ", ")
}

// mayShow asks for the right on the whole server that a SHOW statement needs.
func (s *Server) mayShow(ctx *sql.Context, tree ast.Statement) error {
	rights := s.rights(ctx)
	switch n := tree.(type) {
	case *ast.ShowEngine:
		if !rights.Has(sql.PrivilegeType_Process) {
			return grants.Missing("PROCESS")
		}
	case *ast.Show:
		switch n.Kind {
		case ast.ShowReplicaStatus, ast.ShowBinaryLogs, ast.ShowBinaryLogStatus:
			if !rights.Has(sql.PrivilegeType_ReplicationClient) && !s.hasAdmin(ctx, "super") {
				return grants.Missing("SUPER, REPLICATION CLIENT")
			}
		case ast.ShowReplicas, ast.ShowBinlogEvents, ast.ShowRelaylogEvents:
			if !rights.Has(sql.PrivilegeType_ReplicationSlave) {
				return grants.Missing("REPLICATION SLAVE")
			}
		}
	}
	return nil
}
