package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
)

// datesOfStrict are the modes that MySQL wants beside strict mode, all or none.
var datesOfStrict = []string{"NO_ZERO_IN_DATE", "NO_ZERO_DATE", "ERROR_FOR_DIVISION_BY_ZERO"}

// warnOfMode warns of a SET of an sql_mode that has some, and not all, of strict mode and of the
// modes that belong to it.
func (s *Session) warnOfMode(ctx *sql.Context, mode string) {
	if ctx == nil {
		return
	}
	if _, set := s.RunningTree(ctx).(*ast.Set); !set {
		return
	}
	modes := strings.Split(mode, ",")
	strict, parts := slices.Contains(modes, "STRICT_TRANS_TABLES") || slices.Contains(modes, "STRICT_ALL_TABLES"), 0
	for _, name := range datesOfStrict {
		if slices.Contains(modes, name) {
			parts++
		}
	}
	if strict && parts < len(datesOfStrict) || !strict && parts > 0 {
		ctx.Warn(3135, "%s", "'NO_ZERO_DATE', 'NO_ZERO_IN_DATE' and 'ERROR_FOR_DIVISION_BY_ZERO' sql modes should be used with strict mode. They will be merged with strict mode in a future release.")
	}
}
