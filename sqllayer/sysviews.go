package sqllayer

// The views of the sys schema. They have the rights of who reads them: the account needs SELECT on
// the tables of performance_schema that they read, EXECUTE on the functions of sys that they call,
// and PROCESS where they read the tables of the engine.

import (
	_ "embed"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// sysViewList has a line for views that read the same: their names, and behind a colon the tables
// and functions.
//
//go:embed sysviews.txt
var sysViewList string

// sysViews is what each view reads.
var sysViews = func() map[string][]string {
	views := map[string][]string{}
	for line := range strings.Lines(sysViewList) {
		names, reads, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(names) {
			views[name] = strings.Fields(reads)
		}
	}
	return views
}()

// sysView refuses who may not read what a view of sys reads.
func (w *demands) sysView(schema, name string) error {
	for _, read := range sysViews[strings.ToLower(name)] {
		function, calls := strings.CutSuffix(read, "()")
		switch {
		case read == "PROCESS":
			if !w.p.global(sql.PrivilegeType_Process) {
				return operationDenied("PROCESS")
			}
		case calls && !w.p.onRoutine(schema, function, false, sql.PrivilegeType_Execute), !calls && !w.p.inTable(performanceSchema, read, sql.PrivilegeType_Select):
			return invalidView(schema, name)
		}
	}
	return nil
}
