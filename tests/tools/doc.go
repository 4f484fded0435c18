// Package tools runs the tools of MySQL's world, unmodified, on a source and its replica.
//
//	tests/tools/install.sh .cache/tools           what Debian has: percona-toolkit, mydumper; and canal
//	tests/tools/install.sh .cache/tools SOURCES   and those of which SOURCES has the source
//	tests/tools/vitess/install.sh .cache/tools    Vitess and etcd, of the releases in its go.mod
//	go test ./tests/tools
//	go test ./tests/tools -source 3306 -replica 3307
//
// A test changes tables with a tool while a client writes to them, and looks afterwards whether any
// write was lost. It also collects the statements that failed on the servers. Only those may fail
// that fail on MySQL 9.7; each test lists them. The ports of the last form are those of a MySQL
// 9.7 and its replica, with root and no password: the same tests must pass there.
//
// A tool that is not installed skips its test, unless EMBER_TOOLS names it or says all.
package tools
