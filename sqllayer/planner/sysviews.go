package planner

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
)

// sysView refuses who may not read what a view of sys reads.
func (w *demands) sysView(schema, name string) error {
	for _, read := range infoschema.SysViews[strings.ToLower(name)] {
		function, calls := strings.CutSuffix(read, "()")
		switch {
		case read == "PROCESS":
			if !w.p.Global(sql.PrivilegeType_Process) {
				return sqllayer.OperationDenied("PROCESS")
			}
		case calls && !w.p.OnRoutine(schema, function, false, sql.PrivilegeType_Execute), !calls && !w.p.InTable(sqllayer.PerformanceSchema, read, sql.PrivilegeType_Select):
			return sqllayer.InvalidView(schema, name)
		}
	}
	return nil
}
