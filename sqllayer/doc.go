// Package sqllayer puts go-mysql-server (GMS) on top of the engine: databases, tables, indexes, row
// editors, transactions, locking reads, DDL and stored objects. GMS plans and runs, see package
// lower for what it is given; every row it sees comes from the engine, every change it makes goes
// into the engine.
//
//	layer.go       Layer, made by package planner; session.go, settings.go  a connection, its variables
//	txn.go, savepoint.go, xa.go, gtid.go, binlog*.go   transactions and what they log
//	provider.go, database.go, objects.go, temporary.go, cache.go   databases and what the dictionary holds
//	table.go, rows.go, keyless.go, match.go, fulltext.go, tablehandler.go   reading
//	editor.go, autoinc.go, foreignkey.go, bulkinsert.go, tally.go   writing
//	ddl.go, alter.go, checks.go, rewrite.go, partitioned.go, createselect.go, stats.go, histograms.go   definitions
//	parser.go, read.go, owners.go, formula.go, planrules.go   statements before they are planned
//	authorize*.go, privileges.go, roles.go, definers.go, security.go   whose rights count
//	viewtext.go, viewwrite.go   views, and changes through them
//	program*.go, call*.go, routine.go, external.go, functioncall.go, condition.go, variables.go   stored programs
//	trigger*.go, direct*.go, usedtables.go   triggers;  events.go, eventprogram.go   events
//	locktables.go, lockednames.go, lockclause.go   metadata locks
//	infoschema.go, showevents.go, systemrows.go   what package infoschema asks;  explain.go   EXPLAIN
//	detail.go, warnings.go   errors that depend on the statement;  move.go   sessions that move
//
// The packages below it know no session: sqlerr, sqlmode, memory, store, tabledef, library,
// sessionstate, trees, programs, lower, expr. Those above it use sessions and tables: infoschema,
// plandesc, run, planner.
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
package sqllayer
