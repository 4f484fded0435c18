// Package metrics writes what a server counts in Prometheus' text format, under the names that
// Percona's and Prometheus' mysqld_exporter use, so that their dashboards and alerts work
// unmodified.
//
//	mysql_up, mysql_version_info          the server itself
//	mysql_global_status_*                 SHOW GLOBAL STATUS; families of names are one metric with
//	                                      a label (commands_total, handlers_total, ...)
//	mysql_global_variables_*              SHOW GLOBAL VARIABLES
//	mysql_slave_status_*                  SHOW REPLICA STATUS, under old and new column names
//	mysql_info_schema_processlist_*       threads and their seconds by command and state
//	mysql_info_schema_innodb_metrics_*    INNODB_METRICS
//	mysql_binlog_*                        number and bytes of binary logs
//	ember_*                               restarts, recovery, warmth: what only Ember has
//	go_*, process_*                       the process
//
// The package knows no server: a Source gives one Snapshot a scrape. Values that are no numbers are
// left out; ON and YES are 1, OFF and NO are 0.
//
// Source of the names: github.com/prometheus/mysqld_exporter, collector/*.go.
package metrics
