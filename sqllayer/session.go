package sqllayer

import "github.com/dolthub/go-mysql-server/sql"

// Session is one connection.
type Session struct {
	*sql.BaseSession
	layer *Layer
}

func newSession(l *Layer, base *sql.BaseSession) *Session {
	return &Session{BaseSession: base, layer: l}
}

// TransactionInfo describes a session's transaction.
type TransactionInfo struct {
	Active       bool
	ID           uint64 // 0 until the first write
	Isolation    string
	ReadOnly     bool
	RowsModified uint64
}

// Transaction describes the running transaction.
func (s *Session) Transaction() TransactionInfo { return TransactionInfo{} }

// FinishStatement ends a command: err is what the client is told. The statement is undone when it is not nil.
func (s *Session) FinishStatement(err error) {}
