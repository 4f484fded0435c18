// Package trial measures several servers in one run: side by side under load (compare,
// binlog-sync), and across a stop and a start (restart, recovery, rollback, binlog-start).
//
// A server is a name, a data source name, and commands of the shell that start, stop and kill it.
// The commands come from the user: nothing here knows where a server lives. A start command may
// stay in the foreground (the server is its process) or leave the server behind. Servers that have
// no start command run already; they can be loaded, not restarted.
//
// Servers take turns (A B C A B C), so that a machine that gets slower or faster during the run
// does so for all; what is compared are medians over the rounds. A server that has a start command
// runs during its turn only: the others take neither memory nor processor from it.
//
// Every bench appends JSON lines to a file: one of kind "server" for each server's version and
// settings, one of kind "run" for each thing measured, of kind "median" for what the runs come to.
// Charts are drawn as PNG and SVG.
package trial
