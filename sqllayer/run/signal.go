package run

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// erUserWarning is the code of a warning for which SIGNAL names none.
const erUserWarning = 1642

// signalWarning runs a SIGNAL that stands in no program and leaves a warning; nil: it is an error.
func signalWarning(ctx *sql.Context, n *plan.Signal) (sql.RowIter, error) {
	if !strings.HasPrefix(n.SqlStateValue, "01") {
		return nil, nil
	}
	w := &sql.Warning{Level: "Warning", Code: erUserWarning, Message: "Unhandled user-defined warning condition"}
	if item, ok := n.Info[plan.SignalConditionItemName_MessageText]; ok {
		w.Message = item.StrValue
		if item.ExprVal != nil {
			v, err := item.ExprVal.Eval(ctx, nil)
			if err != nil {
				return nil, err
			}
			w.Message = fmt.Sprint(v)
		}
	}
	if item, ok := n.Info[plan.SignalConditionItemName_MysqlErrno]; ok {
		w.Code = int(item.IntValue)
	}
	ctx.Session.Warn(w)
	return sql.RowsToRowIter(), nil
}
