// Package replication holds the binary log against those who read it: a library's parser, replicas,
// MySQL's own tools.
//
//	go test ./tests/replication
//	go test ./tests/replication -run TestSettings -lives 20
//	go test ./tests/replication -kills 20 -load 5m -replica ... -start ... -kill ... -follow ...
//	-mysqlbinlog ...
//	go test ./tests/replication -run TestReplay -kills 8 -load 100s -mysqlbinlog ... -client ...
//	-replay ...
//
// A source runs the scripts of testdata (every type, every kind of statement), or the TPC-C-like
// load with definitions that change meanwhile and kills in between. Each time it is looked at:
//
//   - the files, read by a library that is not ours: checksums, positions, transactions that are
//     whole, numbers without a gap;
//   - what a reader was sent over the network while the source was killed: the same bytes as the
//     files hold, nothing else, nothing twice;
//   - replicas, by GTIDs and by position, some killed as well, some while they have received half a
//     transaction: each table row by row equal to the source's.
//
// A script's events are held against those MySQL 9.7 wrote for it (testdata/same), byte for byte
// but for names, times and lengths; -record DSN makes MySQL write them again.
//
// TestFormats runs statements of every kind under each binlog_format and holds what SHOW BINLOG
// EVENTS tells of them against what MySQL 9.7 told (testdata/formats). Events that are known to
// differ stand in a file of their own.
//
// TestChain has three servers follow each other, each of which may be another than one of this
// build, and kills each of them (make chain). If the last is a MariaDB, which needs -follow
// last=position, the load leaves out what MariaDB reads of no server.
//
// With -source DSN the scripts are run on that server, an empty MySQL, and Ember's replicas follow
// it.
//
// Two replicas of this build are always there. Others are named by flags: -replica NAME=DSN says
// where one listens; it must have nothing yet. -start and -kill NAME=COMMAND let the test kill it,
// -follow NAME=position lets it follow by file and position. A MariaDB must be started to leave out
// the database only_mysql (replicate-ignore-db). -mysqlbinlog names the tool that must be able to
// read every file.
//
// With -replay, the DSN of an empty MySQL, all that the tool prints of the files of a source under
// kills is run there by MySQL's client: its tables must then be the source's, and its gtid_executed
// too. (make replay; the MySQL is best started with gtid_mode=ON, skip-log-bin and
// innodb_flush_log_at_trx_commit=0.)
package replication
