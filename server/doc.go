// Package server speaks the MySQL protocol: listeners, TLS, accounts, sessions, variables, status,
// process list, administration.
//
//	server.go      New, Serve, Shutdown            options/      every setting, option files, command line
//	listener.go    TCP and unix sockets            variables.go  settings as system variables; persist.go  SET PERSIST
//	wire.go        the connection under vitess     compression.go  its compressed form
//	                                               status.go      SHOW STATUS; enginestatus.go  what the engine reports
//	wire/          packets, read buffer, socket     resultset/    columns and values of results
//	login.go       greeting, TLS, login            processlist.go, kill.go
//	auth.go        the client's password           admin*.go     statements go-mysql-server's grammar or planner lacks
//	accounts.go    accounts for a login            account*.go   statements about accounts; accountrights.go  who may run them
//	usage.go       limits, failed logins           granttables.go  mysql.user and its like; roleinfo.go  roles in information_schema
//	command.go     commands vitess lacks           schemas.go, virtual/  performance_schema, sys, added information_schema tables
//	bindparams.go  parameters of COM_STMT_EXECUTE  preparetext.go  PREPARE, EXECUTE, DEALLOCATE
//	reaper.go      timeouts                        logs.go       server log, general log, slow log
//	handler.go     commands vitess knows           statement.go  the statement that runs; permitted.go  the gate
//	prepare.go     prepared statements
//	mayset.go      who may set a variable          binlog_replay.go  BINLOG, what mysqlbinlog makes of rows
//	tablehandlers.go  HANDLER
//	panic.go       statements that the library cannot handle
//	execute.go     one statement; send.go its result
//	                                               events.go, initfile.go  statements without a client
//	flushlock.go   FLUSH TABLES WITH READ LOCK     enginebackend.go  the storage engine behind interface Backend
//
// A statement's way:
//
//	socket -> wireConn -> vitess mysql.Conn -> handler -> statement.Read -> permitted -> admin
//	statement
//	                                                                             -> sqllayer
//	                                                                             (go-mysql-server)
//	                                                                             -> engine
//
// Invariants:
//
//	(1) A client's mistake ends at most its own connection.
//	(2) Every error leaves with a MySQL code, SQLSTATE and text (sqllayer.Translate); passwords
//	    appear in no log and no error.
//	(3) Everything a SHOW or SELECT reports is read when it is asked for.
package server
