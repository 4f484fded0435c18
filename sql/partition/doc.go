// Package partition gives partitioned tables their meaning: how a definition is read, checked and
// shown, which partition a row belongs to, and which partitions rows within bounds can stand in.
//
//	define.go    PARTITION BY of a statement becomes a catalog.Partitioning, with MySQL's errors
//	alter.go     the partitioning that a command of ALTER TABLE leaves
//	function.go  Function, the table.Placer of one version of a definition
//	expr.go      the partitioning expressions: whole numbers of columns
//	temporal.go  dates and times within them
//	hash.go      HASH and KEY
//	bounds.go    the partitions that bounds of columns leave
//	show.go      SHOW CREATE TABLE and information_schema
//
// The partition of a row depends on the row alone: never on the session, its time zone or its
// sql_mode. Values of RANGE COLUMNS and LIST COLUMNS are compared by the keys of package row, so
// that partitions and indexes have one order.
package partition

import "fmt"

// Error is an error with MySQL's code and text.
type Error struct {
	Code int
	Text string
}

func (e *Error) Error() string { return e.Text }

func errorf(code int, format string, args ...any) error {
	return &Error{code, fmt.Sprintf(format, args...)}
}
