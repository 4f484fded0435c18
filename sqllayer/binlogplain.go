package sqllayer

// Statements that the binary log gets though they change neither rows nor definitions: maintenance
// of tables, FLUSH, and definitions of what is there already or is missing.

import (
	"cmp"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/txn"
	sqlast "emberdb/sql/ast"
)

// HoldLog keeps what the running statement does inside out of the log, until it is released:
// LogStatement logs the statement itself. No transaction inside uses up gtid_next.
func (s *Session) HoldLog() (release func()) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.log.held = true
	return func() {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.log.held = false
	}
}

// LogStatement logs a text as a transaction that changes nothing.
// REQUIRES: no transaction is open.
func (s *Session) LogStatement(ctx *sql.Context, text string) error {
	if s.layer.Eng.Binlog() == nil {
		return nil
	}
	s.Mu.Lock()
	before, in := s.log.text, s.log.ctx
	s.log.text, s.log.ctx = s.withDefiner(text), ctx
	s.Mu.Unlock()
	defer func() {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.log.text, s.log.ctx = before, in
	}()
	return doLogged(WithLog(ctx), s.layer.Eng, func(*txn.Trx) error { return nil })
}

// LogAhead has the events of the next transaction begin with a statement: one that a replica has run
// already, and which belongs to the rows that follow.
func (s *Session) LogAhead(statement string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.log.ahead = statement
}

// logAhead logs that statement if no rows have followed. REQUIRES: s.mu, s.trx.
func (s *Session) logAhead() error {
	if s.log.ahead == "" || s.Trx.Journal == nil {
		return nil
	}
	return s.Trx.Journal.StatementAhead(s.log.ahead)
}

// LogUnchanged logs a definition that has changed nothing: what it makes is there, or what it drops
// is not. A replica may find it otherwise.
func (s *Session) LogUnchanged(ctx *sql.Context, tree sqlast.Statement, text string) error {
	s.Mu.Lock()
	changed := s.log.done || s.ddl && s.Trx != nil
	s.Mu.Unlock()
	if changed || !mayChangeNothing(tree) || s.altersTemporary(tree) {
		return nil
	}
	return s.LogStatement(ctx, text)
}

// altersTemporary tells an ALTER TABLE of a temporary table, which the log knows nothing of.
func (s *Session) altersTemporary(tree sqlast.Statement) bool {
	n, ok := tree.(*sqlast.AlterTable)
	if !ok {
		return false
	}
	names := []sqlast.TableName{n.Table}
	for _, a := range n.Actions {
		if to, ok := a.(*sqlast.RenameTo); ok { // its name by now
			names = append(names, to.Table)
		}
	}
	return slices.ContainsFunc(names, func(t sqlast.TableName) bool {
		return s.IsTemporary(cmp.Or(t.Schema.Name, s.GetCurrentDatabase()), t.Name.Name)
	})
}

// mayChangeNothing tells definitions that succeed without a change.
func mayChangeNothing(tree sqlast.Statement) bool {
	switch n := tree.(type) {
	case *sqlast.CreateTable:
		return n.IfNotExists && !n.Temporary && n.Query == nil
	case *sqlast.DropTable:
		return n.IfExists && !n.Temporary
	case *sqlast.DropView:
		return n.IfExists
	case *sqlast.AlterTable:
		return true
	case *sqlast.CreateView:
		return n.IfNotExists
	case *sqlast.CreateRoutine:
		return n.IfNotExists
	case *sqlast.CreateTrigger:
		return n.IfNotExists
	case *sqlast.CreateEvent:
		return n.IfNotExists
	case *sqlast.DropProgram:
		return n.IfExists && n.Kind == sqlast.DropFunction
	}
	return false
}

// nextDefinition notes that the definition of a procedure's next statement is not begun yet.
func (s *Session) nextDefinition() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.log.done, s.Stmt.KeySteps = false, 0
}
