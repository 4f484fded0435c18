// Package compiled runs statements that were compiled once straight on the engine, for the text and
// the prepared protocol, and writes their results as packets. Whatever it does not know is "not
// mine": package server then hands the very same statement to go-mysql-server (GMS), over the same
// engine calls.
//
//	normalize.go  text -> key and typed parameters          param.go    a parameter as a value of a column
//	cache.go      programs by key                           compile.go  statement -> Program;  where.go, zerodate.go  conditions;  path.go  access paths
//	run.go        a Program in a session                    read.go     SELECT;  write.go  INSERT, UPDATE, DELETE
//	source.go     the tables of a statement, joins          select.go   SELECT -> Program
//	formula.go, readings.go  expressions that GMS evaluates  group.go    functions over rows, GROUP BY
//	encode.go     values and rows on the wire               compilewrite.go   INSERT, UPDATE, DELETE -> Program
//	scalar.go     values that are computed                  plain.go   statements without tables;  bulk.go  INSERT of many rows
//	constraint.go foreign keys, CHECK, generated columns    reason.go  why a statement is not mine
//	having.go     HAVING                                    subquery.go  subqueries that are conditions
//	grouping.go   groups that GMS's expressions evaluate    sortkey.go   order of what is computed
//	fields.go     fields of LOAD DATA as values of columns       changer.go   changes of rows that the executor finds
//
// What is taken, on one table with or without indexes:
//
//	SELECT   columns of all types, *, formulas; COUNT, SUM, AVG, MIN, MAX, BIT_AND, BIT_OR, BIT_XOR of columns and formulas, and formulas of these, but SUM and AVG
//	         of floating numbers, and MIN and MAX of computed texts; GROUP BY columns and
//	         formulas; DISTINCT; HAVING; ORDER BY columns and formulas;
//	         LIMIT; FOR UPDATE, FOR SHARE, NOWAIT, SKIP LOCKED;
//	         on several tables as well, joined inner, left or right, where each but the first is
//	         found by an index
//	WHERE    ands of: column =, <=>, <>, <, <=, >, >=, IN, BETWEEN, IS [NOT] NULL, LIKE with literals or columns, which choose the path; and of
//	         formulas: whatever depends on nothing but the row, and calls none but the functions
//	         of formula.go; and, in SELECT, of
//	         IN and EXISTS, and their contraries, of a subquery of one table that is found by an
//	         index
//	INSERT   ... VALUES, any number of rows; IGNORE; ON DUPLICATE KEY UPDATE; REPLACE; DEFAULT, NOW(), arithmetic; rows of literals are no part of the key, and
//	         such a statement may be of any length
//	UPDATE   column = a formula;  DELETE; both with the same WHERE, and ORDER BY and LIMIT along an index
//	BEGIN, START TRANSACTION and its kinds, COMMIT, ROLLBACK, SAVEPOINT and its kin; SET of the
//	session's variables; SELECT without FROM
//
// Rows that are stored have their generated columns computed, their CHECKs asked and the parents of
// their foreign keys looked up and locked here; a row that is refused makes the statement GMS's.
//
// Triggers run around each row, as stored programs do (trigger.go).
//
// Not taken: virtual columns that are read; changes of tables that have full-text indexes, of
// columns that foreign keys refer to, and DELETE and REPLACE where there are such; REPLACE, IGNORE
// and ON DUPLICATE KEY UPDATE where there are triggers; views, temporary tables; values whose
// conversion to the column's type is an error or leaves a warning. An INSERT that is found to be
// GMS's after it took an AUTO_INCREMENT number leaves a gap. Under LOCK TABLES, transaction control
// is GMS's, and so are statements that fire triggers.
//
// Key of the cache: database, sql_mode, character sets and collation of the connection, the text
// with its literals replaced by marks, and the kinds of the literals; comments are spaces. Blanks
// around the text, comments in front of it and a semicolon behind it are no part of it. Nothing
// else of the text is changed. Text the scanner has any doubt about (hints, introducers, numbers
// with an exponent, ...) has no key. Statements without tables have the whole text for a key, or
// none: transaction control is told by its words.
//
// Invariants:
//
//	(1) A program is compiled from the key, never from one of the texts that have it. The text's
//	    own tree must be the key's, literals aside.
//	(2) The columns of a result are described with the bytes that GMS's execution of the statement
//	    described them with: a statement is compiled after GMS has run it, but for some of those
//	    that have no such columns: INSERT of many rows or with triggers, UPDATE, DELETE.
//	(3) "Not mine" leaves nothing behind: before the first packet is sent, a statement may be
//	    undone and left to GMS. Afterwards it may only fail.
//	(4) A program belongs to one version of each table's definition: it runs if, under the tables'
//	    metadata locks, the engine's definitions are those it was compiled for and the dictionary
//	    has not changed; a dictionary that changed elsewhere is looked at once. So is a statement
//	    that was not mine.
//	(5) Answers, errors, counts and state afterwards equal GMS's. Privileges are checked at every
//	    execution. What SQL leaves open (the order of rows, which of equal values is shown, how
//	    often a conversion warns) may differ; where it shows before anything was sent, GMS
//	    decides.
//	(6) Rows go to the connection as they come; what is sorted or grouped is at most maxSort
//	    bytes, more is GMS's.
package compiled
