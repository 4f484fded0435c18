// Package options knows every setting of the server: its name, type, default, bounds and meaning,
// and where its value came from.
//
// One table (table_*.go) feeds everything that speaks of settings: the command line, option files,
// SHOW VARIABLES, SET, SET PERSIST, --help --verbose and the manual page. A setting that is not in
// the table does not exist.
//
// # Where values come from
//
// Later wins:
//
//  1. the table's default
//  2. option files: /etc/ember/ember.cnf if it exists, then --defaults-extra-file; or only
//     --defaults-file; or none with --no-defaults. /etc/my.cnf, /etc/mysql/my.cnf and ~/.my.cnf
//     belong to another server on most machines and are never read unasked.
//  3. persisted variables (SET PERSIST), kept in <datadir>/ember-auto.cnf
//  4. the command line
//
// # Option files
//
// The syntax is my.cnf's. Groups read: [server], [mysqld], [mysqld-8.4], [emberd], and each with
// the --defaults-group-suffix appended.
//
//	# comment                     ; comment
//	!include /path/file.cnf
//	!includedir /path/dir         every *.cnf of it, by name
//	[mysqld]
//	innodb-buffer-pool-size = 2G  # dashes are underscores; K M G T P E multiply by 1024
//	skip-name-resolve             a boolean without a value is ON
//	skip_slow_query_log           skip_ and disable_ turn a boolean OFF, enable_ turns it ON
//	loose_foo = 1                 loose_ turns "unknown option" into a warning
//	init_connect = "SET NAMES utf8mb4"
//
// # Mistakes
//
// An unknown option or a bad value is refused: one line naming the option, the file and the line,
// and the nearest known name. An option MySQL 8.4 or 9.x knows and that has no meaning here is
// accepted with a warning.
package options
