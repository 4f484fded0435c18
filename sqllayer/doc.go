// Package sqllayer puts go-mysql-server (GMS) on top of the engine: databases, tables, indexes, row
// editors, transactions, locking reads, DDL and stored objects. GMS plans and runs, see package
// lower for what it is given; every row it sees comes from the engine, every change it makes goes
// into the engine.
//
//	layer.go       New: analyzer, parser override, priority builder, statistics, accounts
//	session.go     Session: one connection; statements and their savepoints, clean-up
//	txn.go         the transaction glue GMS calls: start, commit, rollback, isolation;  savepoint.go
//	provider.go    the list of databases;  database.go  one of them;  objects.go  views, triggers, procedures;  events.go
//	tabledef.go    GMS's picture of a table definition, made once for each version of it
//	cache.go       what was read of the dictionary
//	table.go       reading;  editor.go  writing;  autoinc.go;  index.go, ranges.go, bounds.go  index access;  rows.go  cursors;  keyless.go  rows without a key
//	trigger.go     what a trigger sees;  fulltext.go, match.go  full-text indexes, searches;  temporary.go  temporary tables;  locktables.go  LOCK TABLES
//	privileges.go  what the session may do;  authorize.go, authorizedefs.go, authorizemarks.go  the rights that the names in a statement need;  demands.go  those that its bound plan needs, columns too;
//	files.go       FILE and secure_file_priv;  infoprivileges.go, showlists.go  what is listed;  security.go  whose rights count: definers of programs and views;  triggerrights.go, routinerights.go;  viewwrite.go, viewrewrite.go  changes through views
//	createselect.go, createselecttype.go   CREATE TABLE ... SELECT;  showwhere.go  conditions of SHOW INDEX
//	ddl.go         CREATE, DROP, RENAME;  definition.go  what GMS says of a new table;  alter.go, rewrite.go  ALTER TABLE;  foreignkey.go
//	listing.go     what looks at definitions takes no metadata lock
//	tablehandler.go  HANDLER: tables read row by row
//	stats.go       ANALYZE TABLE and estimates;  accounts.go  the persisted accounts;  roles.go  active roles
//	types.go       row.Column and row.Value from and to GMS types;  sqltype.go  type texts;  decimal.go
//	ddlcheck.go, definedexpr.go  what MySQL refuses in definitions;  checks.go  CHECKs of a table
//	attributes.go   what a column's type says beyond the type GMS knows;  timetype.go  TIME(n)
//	infoschema.go, infocolumns.go   information_schema;  virtual.go  tables whose rows are made when they are read
//	showtable.go   SHOW CREATE TABLE;  exprtext.go  expressions as they are shown
//	groupkeys.go   GROUP BY of aggregates and window functions
//	rules/         repairs of the analyzer that know no tables: join orders, GROUP BY checks, LIKE, LIMIT, KILL;  collation/  weights of texts
//	binarytexts.go  SET NAMES binary
//	manyors.go     conditions of very many ORs;  retain.go, group.go  rows that are kept are accounted
//	depth.go       how deep a statement may nest; long chains of OR, AND and UNION
//	sqlmode.go     SET sql_mode;  backslash.go  NO_BACKSLASH_ESCAPES
//	read.go        a text becomes a tree of package parse's, and by package lower one of GMS's
//	parser.go      the parser override;  renames.go  RENAME across databases;  lockclause.go  lock clauses become table references with a lock mode
//	definitiontext.go  what the texts of routines and views say;  words.go  the tokens of a text;  alterview.go  ALTER VIEW;  keyspec.go  functional and descending keys
//	literal.go     hexadecimal texts behind a character set;  defaultof.go  DEFAULT(c);  selfread.go  1093: a table changed and read by one statement
//	bulkinsert.go, bulksource.go   rows of LOAD DATA, INSERT ... SELECT and CREATE TABLE ... SELECT go in together;  loaddata.go, loadfields.go  files of LOAD DATA
//	store.go, storenumber.go   values on their way into columns;  wrapper.go  nodes around GMS's
//	builder.go     the priority builder: DML sources under locks, early stop of UPDATE/DELETE ... ORDER BY ... LIMIT
//	exact.go       UPDATE compares bytes;  modifiers.go  INSERT DELAYED, DELETE IGNORE;  indexhints.go  USE INDEX;  tally.go  what the OK packet says;  counts.go  status counters
//	rollup.go      GROUP BY ... WITH ROLLUP;  owners.go  aggregates of queries around;  unnest.go  EXISTS that are no joins
//	mend.go        comparisons and equal rows put right in a plan that is run
//	routine.go, functioncall.go, routinesinfo.go   stored functions;  library.go, boundtable.go  functions and tables for packages fn and bind;  call.go  CALL;  program.go  stored programs, with programcode.go, programnumber.go, programstep.go, programsql.go, programcursor.go, condition.go, programcheck.go,
//	triggerprogram.go, eventprogram.go, variables.go, programtext.go  statements run by their text;  triggerorder.go  FOLLOWS, PRECEDES;  usedtables.go  1442
//	eventschedule.go  when events run
//	found.go  SQL_CALC_FOUND_ROWS;  insertselect.go  what updates behind INSERT ... SELECT read;  upsert.go  subqueries of ON DUPLICATE KEY UPDATE;  notes.go  IF EXISTS, IF NOT EXISTS
//	deletejoin.go  DELETE from several tables;  targetnames.go  their names;  updateorder.go  UPDATE of several;  lateral.go  LEFT JOIN LATERAL;  virtualcheck.go;  regenerate.go
//	windowcheck.go, windowdef.go  places of aggregates, windows;  windowcolumns.go  subqueries beside windows;  diagnostics.go  GET DIAGNOSTICS;  recursion.go  WITH RECURSIVE;  alterroutine.go  ALTER PROCEDURE, FUNCTION;  storedlibrary.go  CREATE LIBRARY;  optimizerswitch.go;  systemtables.go  tables of the mysql schema
//	explain.go, explaintree.go, explainaccess.go, explainwords.go, explainanalyze.go   EXPLAIN of what go-mysql-server runs
//	errors.go      engine and GMS errors to MySQL codes, SQLSTATEs and texts;  worded.go  those that are known by their words;  detail.go  those that depend on the statement
//
// Invariants:
//
//	(1) A transaction of the engine begins at the first row access of a statement, never before.
//	    BEGIN, COM_STMT_PREPARE and an analysis error leave nothing behind.
//	(2) A command that fails leaves no change: the session remembers where the statement began and
//	    goes back there whatever GMS does or does not call. In autocommit mode a transaction still
//	    open when its command ends is rolled back.
//	(3) Rows handed to GMS own their memory; iterators touch the engine only in Next, and an
//	    iterator that is never closed is closed at the end of the command.
//	(4) A table, index or schema object of GMS belongs to one version of the definition; handles
//	    to the engine's table belong to one transaction and are fetched anew when it ended.
//	(5) Two keys are equal exactly if GMS calls the values equal, but for trailing spaces under
//	    PAD SPACE collations, which are equal as in MySQL.
//
// For package server:
//
//	func New(eng *engine.Engine, o Options) (*Layer, error)
//	Layer.Engine *sqle.Engine; Layer.Provider *Provider
//	func (*Layer) NewSession(ctx, conn *mysql.Conn, addr string) (sql.Session, error)      // a server.SessionBuilder
//	func (*Layer) NewInternalSession() *Session;  func (*Layer) NewSessionOn(*sql.BaseSession) *Session
//	Layer.HasAccounts bool                         // accounts were found in the data directory
//	func TreeOf(text string, o ast.ParserOptions) (ast.Statement, error)      // GMS's tree of a text
//	func (*Session) FinishStatement(err error)     // after a command: err as the client sees it; undoes the statement when it is not nil
//	func (*Session) Transaction() TransactionInfo  // of the running transaction
//	func (*Session) SetLogin(r Role)               // who has logged in, and from where
//	func MayGrantRoutine, HasFunction(ctx, schema, name string)      // for GRANT ... ON FUNCTION
//	func (*Session) GrantedRoles(to Role) (granted, defaults []Role); ActivateRoles(ctx, []Role);
//	WithAllRights(f func() error) error
//	func Translate(err error, db string) *mysql.SQLError; func NewError(code int, format string,
//	args ...any) *mysql.SQLError
package sqllayer
