package sqllayer

// A session's commands and statements.
//
//	command     what the client sends: CommandBegin ... CommandEnd, then FinishStatement with the error the client got
//	statement   one query; a CALL runs many inside one command. ValidateSession, which GMS calls before it plans, begins it
//	transaction begins when a statement first needs the engine (active), ends by commit, rollback,
//	deadlock, DDL, or with the session
//
// What may go wrong and who repairs it:
//
//	statement fails, GMS calls DiscardChanges              the editor goes back to its mark
//	statement fails, GMS calls nothing, or completes it    FinishStatement goes back to the statement's mark
//	autocommit and the transaction is open at CommandEnd   it failed: rolled back
//	deadlock                                               note rolls the transaction back at once; the rest of the statement sees the error, and
//	                                                       the client is told of it (Lost) even
//	                                                       where who met it has passed over it
//	connection ends                                        SessionEnd rolls back, drops temporary tables, releases LOCK TABLES
//
// mu serialises the engine calls of a session: GMS evaluates projections (which may hold
// subqueries) beside the row iterator.

import (
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	goerrors "gopkg.in/src-d/go-errors.v1"

	"emberdb/account"
	"emberdb/engine/lock"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/quota"
	"emberdb/sql/parse"
	sqlstatement "emberdb/sql/statement"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Session is one connection.
type Session struct {
	// What every statement looks at stands together: sessions are many, and take turns in the
	// processor's caches.
	*sql.BaseSession
	layer       *Layer
	Mu          sync.Mutex
	Trx         *txn.Trx                 // nil until needed
	variables   atomic.Uint64            // counts changes of session variables
	known       atomic.Pointer[settings] // what they were
	Program     *activation              // the stored program that runs
	locked      *trees.LockedNames       // LOCK TABLES; nil when not in use
	locking     *trees.LockedNames       // by the LOCK TABLES that is read or runs
	planning    *planning                // of a statement that is prepared; nil: none is on its way
	stage       atomic.Pointer[string]   // what the running statement waits for; nil: nothing
	former      once                     // what the transaction that ended last was asked to be
	tracked     *Tracked                 // nil: the client is not told of changes
	prepared    preparedStatements
	reading     textReading             // how texts are read, see current.go
	current     *sqlstatement.Statement // of the client; nil: none runs
	wording     []parse.Warning         // see SetWritten
	Temps       tempTables
	ddl         bool        // trx is a DDL transaction
	readOnly    bool        // the transaction is READ ONLY
	starting    bool        // START TRANSACTION begins it
	Explains    bool        // EXPLAIN: views are looked into
	Wholes      []Whole     // tables of the statement that is planned
	describes   bool        // SHOW: the definitions of tables are looked at, whatever LOCK TABLES says
	leaving     atomic.Bool // the connection is ending: its transaction will be rolled back as a whole
	once        once
	events      eventChanges
	log         sessionLog
	replica     replicaSession
	branch      branch // of a distributed transaction, see xa.go
	memory      *quota.Account
	caches      *sql.MemoryManager // of GMS's nodes, see retain.go; nil until needed
	reporter    memory.CacheReporter
	selecting   Selecting // nil: GMS runs every query
	querying    Querying  // likewise of the stored programs
	savepoints  []savepoint
	handlers    tableHandlers // tables that HANDLER has opened
	Asked       *openView     // whose definition was asked for last
	opening     *openView
	replaced    tabledef.TableName   // by the CREATE OR REPLACE VIEW that is planned
	writing     []tabledef.TableName // views that are looked through, see viewwrite.go
	Stmt        statement
	counts      txn.RowCounts
	random      numbers.Seeds         // of RAND()
	userNames   map[string]struct{}   // of the user variables that were set
	owner       lock.Owner            // of what outlives transactions: LOCK TABLES, temporary tables
	before      warned                // by the command before
	passed      []programs.CallTarget // for the CALL that is run next
	diagnostics programs.Diagnostics  // of programs
	kept        keptPrograms
	beforeFire  *sessionState // before the triggers of the direct statement; nil: none has run
	receiver    programs.ResultReceiver
	texts       programs.TextRunner
	said        []QueryAttribute // by the client, of its command

	Analysis *Analysis // EXPLAIN ANALYZE that runs

	flags *sql.QueryFlags // of a statement that is no DDL; see Query

	status func(put func(name string, v any))
	roles  atomic.Pointer[[]account.Name] // active, see roles.go; nil before somebody asks
	reach  *reach                         // of grants on patterns and of partial revokes; nil: there are none

	altering *altering                // the latest statement that alters a table
	applies  bool                     // a source's transactions: while the server is read-only, too
	internal bool                     // no client's: the server itself, which may do everything
	login    trees.Role               // the client: its name as it has logged in and its host
	frozen   error                    // of changes by a stored function that runs while the server is read-only; nil: they may be
	acting   int                      // programs that run as their definers
	acted    map[trees.Role]rights    // those whose rights were worked out
	views    []*openView              // whose bodies are planned
	firing   map[string]*FiredTrigger // by their texts: GMS does not tell the database
	programs bool                     // all triggers are planned as programs
}

// statement is the state of the running statement.
type statement struct {
	mark     txn.Mark
	marked   bool // mark is valid in trx
	own      bool // trx began in this statement, which is a direct one
	Failed   bool
	defining bool                 // a definition is being changed
	Choosing bool                 // access paths are being chosen
	Joining  bool                 // access paths are being chosen, and none is by words
	Dividing bool                 // CREATE TABLE is going to give its table partitions
	KeySteps int                  // of ALTER TABLE that ENABLE or DISABLE KEYS, or stand for them
	delayed  bool                 // INSERT has been looked at for DELAYED
	cascades bool                 // rows of children may change as foreign keys ask
	System   bool                 // the binary log has it: it changes rows of the mysql schema
	Repeats  bool                 // parts of the plan are copied for each row of the query around them
	keeps    bool                 // what was said for one transaction outlives the one that ends in this statement
	dropped  []tabledef.TableName // temporary tables, by the names that clients use
	dead     error                // the transaction was rolled back under the statement
	Depth    int                  // of triggers that run
	part     part                 // of the statement of a trigger or function that runs directly
	root     sql.Node             // the plan being run

	opened []tabledef.TableName // tables that it has opened directly, but not its triggers and functions

	cursors map[*Rows]struct{}
	last    *Rows                     // the cursor that gave the newest row
	writes  map[base.TableID]intent   // tables with an editor
	targets map[base.TableID]struct{} // tables whose rows UPDATE or DELETE looks for
	ids     rowIDs
	rebuild *rewriter // table rewrite that is under way

	searches map[searchKey]*found // full-text searches that have run
	callers  []caller             // of the triggers that run, the outermost first
	Tally    tally
	removed  int                                  // rows that are gone of the tables that DELETE deletes from
	Mended   map[sql.Node]sql.Node                // nodes and what they became, see mend.go
	kept     map[string]*expr.KeptRow             // by INSERT ... SELECT, see insertselect.go
	filters  map[base.TableID]*trees.TargetFilter // what UPDATE and DELETE want of the rows they look for, below REPEATABLE READ

	parented bool // it changes rows, see orphankeys.go
	keyed    bool // it makes a table with a generated key
}

type savepoint struct {
	name string
	Bound
	metas int // metadata locks of the transaction before it
}

func newSession(l *Layer, base *sql.BaseSession) *Session {
	s := &Session{BaseSession: base, layer: l, internal: true, memory: quota.NewAccount(l.Opts.Memory)}
	s.owner.SetThread(uint64(base.ID()))
	return s
}

// SessionOf returns the session of a context, nil if it is none of ours.
func SessionOf(ctx *sql.Context) *Session {
	s, _ := ctx.Session.(*Session)
	return s
}

// SetConnectionId implements sql.Session.
func (s *Session) SetConnectionId(id uint32) {
	s.BaseSession.SetConnectionId(id)
	s.owner.SetThread(uint64(id))
}

// Aside is where large calls of functions run.
func (s *Session) Aside() *operand.Aside { return s.layer.Aside }

// UserLocks are the locks of GET_LOCK.
func (s *Session) UserLocks() *expr.UserLocks { return s.layer.Locks }

// KeepMemory accounts for what the session keeps between its statements.
func (s *Session) KeepMemory(n int64) error { return memory.OverMemory(s.memory.Keep(n)) }

// CommandBegin implements sql.LifecycleAwareSession.
func (s *Session) CommandBegin() error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.before = s.warned()
	s.beginStatement()
	return nil
}

// CommandEnd implements sql.LifecycleAwareSession.
func (s *Session) CommandEnd() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.describes, s.Explains, s.Wholes = false, false, nil
	s.replaced = tabledef.TableName{}
	s.closeCursors()
	s.endOpen()
}

// Leave tells that the connection is ending: a statement that is broken off need not be undone by
// itself.
func (s *Session) Leave() { s.leaving.Store(true) }

// SessionEnd implements sql.LifecycleAwareSession.
func (s *Session) SessionEnd() {
	s.Mu.Lock()
	s.closeCursors()
	s.dropBranch()
	_ = s.rollback() // nobody is left to be told; recovery finishes what a failed engine cannot
	s.releaseGTID()
	s.closeJournal()
	for _, h := range s.handlers.byName {
		s.closeHandler(h)
	}
	s.Mu.Unlock()
	s.UnlockTables()
	s.dropTemporaryTables()
	s.layer.Locks.ReleaseAll(s)
	s.memory.Close()
	s.layer.leave(s)
}

// ValidateSession implements sql.Session: GMS calls it at the start of every statement, those
// inside procedures included.
func (s *Session) ValidateSession(*sql.Context) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Stmt.Depth > 0 { // a procedure that a trigger calls is part of the trigger's statement
		s.step()
		return nil
	}
	s.beginStatement()
	return nil
}

// FinishStatement ends a command: err is what the client is told. The statement is undone when it
// is not nil.
func (s *Session) FinishStatement(err error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.closeCursors()
	s.memory.End()
	if err != nil {
		s.settleInsertID(nil)
	}
	s.Stmt.Failed = s.Stmt.Failed || err != nil
	s.endOpen()
	s.endPlanning()
	if err != nil && s.locking != nil {
		s.breakOffLocking()
	}
	if err != nil && s.log.next.state == gtidOwned && s.autocommit() {
		s.endGTID()
	}
	s.Stmt, s.locking, s.receiver, s.texts, s.log.text, s.log.ctx = statement{opened: s.Stmt.opened[:0]}, nil, nil, nil, "", nil
	s.prepared.text, s.prepared.stmt = "", nil // the next statement's text is not this one's
}

// endOpen ends what a finished command left open.
func (s *Session) endOpen() {
	if s.Stmt.rebuild != nil {
		s.Stmt.Failed = true
		s.Stmt.rebuild.abort()
	}
	s.Stmt.keeps = s.Stmt.keeps || s.Stmt.root == nil && !s.Stmt.own // only prepared, or refused before it ran
	switch {
	case s.Trx == nil:
	case s.ddl || s.autocommit():
		_ = s.rollback()
	case s.Stmt.Failed:
		if s.undoStatement() != nil {
			_ = s.rollback() // half a statement is not to be committed
		}
	}
}

// beginStatement resets the statement's state.
func (s *Session) beginStatement() {
	s.closeCursors()
	s.Asked, s.opening = nil, nil
	if s.Stmt.Failed {
		s.endOpen()
	}
	s.Stmt = statement{opened: s.Stmt.opened[:0]}
	if len(s.handlers.byName) > 0 {
		s.yieldHandlers()
	}
}

// autocommit tells whether every statement is a transaction of its own at the moment.
func (s *Session) autocommit() bool {
	if s.GetIgnoreAutoCommit() {
		return false
	}
	return s.settings().autocommit
}

// on is flag for a variable that the server defines: without a server it is ON.
func (s *Session) on(name string) bool {
	_, err := s.GetSessionVariable(nil, name)
	return err != nil || s.flag(name)
}

// flag reads a boolean session variable.
func (s *Session) flag(name string) bool {
	v, err := s.GetSessionVariable(nil, name)
	if err != nil {
		return false
	}
	switch v := v.(type) {
	case int8:
		return v != 0
	case bool:
		return v
	case string:
		return v == "1" || strings.EqualFold(v, "on")
	}
	return false
}

// text reads a session variable as text.
func (s *Session) text(name string) string {
	v, err := s.GetSessionVariable(nil, name)
	if err != nil {
		return ""
	}
	t, _ := v.(string)
	return t
}

// Note looks at an error of the engine on its way to GMS. REQUIRES: s.mu.
func (s *Session) Note(err error) error {
	var duplicate *table.DuplicateError
	if err == nil || err == io.EOF || errors.As(err, &duplicate) {
		return err
	}
	s.Stmt.Failed = true
	switch err.(type) {
	case *goerrors.Error, *mysql.SQLError:
		return err // GMS asks for its own kinds
	}
	var changed *table.ChangedError
	whole := errors.Is(err, base.ErrDeadlock) || errors.As(err, &changed) || errors.Is(err, base.ErrLockTimeout) && s.flag("innodb_rollback_on_timeout")
	known := sqlerr.Translate(err, s.GetCurrentDatabase())
	if whole && s.Trx != nil {
		s.closeCursors()
		s.breakBranch(err)
		_ = s.rollback()
		s.Stmt.dead = known
	}
	return known
}

// Lost is the error with which the transaction was rolled back under the running command, nil if it
// was not or if a handler has taken the error. Whoever answers the client tells that, whatever has
// become of the statement: one who thinks that the transaction goes on would go on without one.
func (s *Session) Lost() error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Stmt.dead
}

func (s *Session) closeCursors() {
	for r := range s.Stmt.cursors {
		r.Release()
	}
	s.Stmt.cursors, s.Stmt.last = nil, nil
}
