package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/sqllayer/sqlerr"
)

// Prepared statements of a session. GMS keeps them in one map, by the names of PREPARE and by the
// texts of the protocol's command, and never forgets a text. Here
//
//	names   of PREPARE are marked when the parser has read them (markName), and kept until DEALLOCATE PREPARE, in no case of their letters. They are those of
//	        sessions without a server, which has its own
//	texts   are known while their statement is prepared or runs; the server keeps their trees by the ids it gave out, and forgets them with them
//
// So no text is ever taken for a name, and what is closed is gone.
type preparedStatements struct {
	names map[string]ast.Statement
	text  string // the statement of the protocol that is prepared or runs
	stmt  ast.Statement
}

func markName(name *string) {
	if !strings.HasPrefix(*name, sqlerr.NameMark) {
		*name = sqlerr.NameMark + *name
	}
}

// PrepareQuery implements sql.Session.
func (s *Session) PrepareQuery(key string, stmt ast.Statement) {
	name, ok := strings.CutPrefix(key, sqlerr.NameMark)
	if !ok {
		s.prepared.text, s.prepared.stmt = key, stmt
		return
	}
	if s.prepared.names == nil {
		s.prepared.names = make(map[string]ast.Statement)
	}
	s.prepared.names[strings.ToLower(name)] = stmt
	s.EndPlanning()
}

// UnprepareQuery implements sql.Session.
func (s *Session) UnprepareQuery(key string) {
	if name, ok := strings.CutPrefix(key, sqlerr.NameMark); ok {
		delete(s.prepared.names, strings.ToLower(name))
	}
}

// GetPreparedQuery implements sql.Session.
func (s *Session) GetPreparedQuery(key string) (ast.Statement, bool) {
	if name, ok := strings.CutPrefix(key, sqlerr.NameMark); ok {
		stmt, ok := s.prepared.names[strings.ToLower(name)]
		return stmt, ok
	}
	return s.prepared.stmt, s.prepared.stmt != nil && key == s.prepared.text
}

// TakePrepared is the tree of the statement that was prepared, which is the caller's to keep; nil:
// there is none.
func (s *Session) TakePrepared() ast.Statement {
	stmt := s.prepared.stmt
	s.prepared.text, s.prepared.stmt = "", nil
	return stmt
}

// RunPrepared makes the tree known that TakePrepared gave for a text, until the statement has
// ended.
func (s *Session) RunPrepared(text string, stmt ast.Statement) {
	s.prepared.text, s.prepared.stmt = sql.RemoveSpaceAndDelimiter(text, ';'), stmt
}

// planning is a statement that looks at definitions alone, as PREPARE does: its plan is made and
// thrown away, and so are the metadata locks that it takes.
type planning struct {
	trx   *txn.Trx // the transaction before it
	metas int      // its metadata locks then
}

// BeginPlanning notes the metadata locks there are before a statement is prepared.
func (s *Session) BeginPlanning() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.planning = &planning{trx: s.Trx}
	if s.Trx != nil {
		s.planning.metas = s.Trx.Metas()
	}
}

// metaMode is the mode of a table's metadata lock: mode, or that of a look at the definition alone
// while a statement only plans. REQUIRES: s.mu.
func (s *Session) metaMode(mode lock.MetaMode) lock.MetaMode {
	if s.planning != nil {
		return lock.MetaDefinition
	}
	return mode
}

// EndPlanning releases the metadata locks that were taken since BeginPlanning.
func (s *Session) EndPlanning() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.endPlanning()
}

// endPlanning is EndPlanning. REQUIRES: s.mu.
func (s *Session) endPlanning() {
	p := s.planning
	s.planning = nil
	if p == nil || s.Trx == nil {
		return
	}
	if s.Trx != p.trx {
		p.metas = 0
	}
	s.layer.Eng.Locks().ReleaseMetaSince(&s.Trx.Owner, p.metas)
}
