// Package perftables makes rows of performance_schema: statements by digest, use of files and
// tables, memory.
package perftables
