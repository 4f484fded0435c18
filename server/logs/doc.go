// Package logs writes the error log, the general log and the slow log: their forms, their files and
// the records that performance_schema.error_log shows.
package logs
