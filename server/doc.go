// Package server speaks the MySQL protocol: listeners, TLS, accounts, sessions, variables, status,
// process list, administration.
//
//	server.go      New, Serve, Shutdown;  listener.go  TCP and unix sockets;  health.go  live, ready, warm
//	wire.go        the connection under vitess;  compression.go, proxyheader.go;  tracker.go  session_track_*
//	login.go, auth.go   greeting, TLS, password;  accounts.go  accounts for a login
//	account*.go, grantrows.go, roleinfo.go   statements about accounts;  mayset.go  who may set a variable
//	command.go     commands vitess lacks;  handler.go  those it knows;  reaper.go  timeouts
//	statement.go, permitted.go   the statement that runs, and the gate before it
//	execute.go, send.go, failures.go   one statement, its result, its error
//	compiled*.go, executor*.go, step.go   statements that go-mysql-server does not run;  explain.go
//	prepare.go, preparetext.go, bindparams.go, params.go   prepared statements; callouts.go  OUT parameters of a CALL
//	queryattributes.go  what a client says of a statement
//	admin*.go, xa.go, warm.go, tablehandlers.go   statements go-mysql-server's grammar or planner lacks
//	variables.go, persist.go, status.go, processlist.go   settings, counters, sessions that are shown
//	schema_tables.go, innodbtables.go, perf*.go, sysviews.go   tables whose rows the server makes
//	binlog*.go, gtid.go, semisync.go, hotset.go   the source's side of replication;  replica*.go  the replica's
//	backup.go, clone.go, locks.go   BACKUP, CLONE, locks on the whole server
//	move.go, moved.go, keeper.go   a server that gives everything to another process
//	events.go, initfile.go   statements without a client;  memory.go  limits of the heap
//
// Sub-packages know no connection: wire, wireparam, resultset, commands, options, version, sysvar,
// grants, certs, logs, virtual, perftables, clones, sources, backend.
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
