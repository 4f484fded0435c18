package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// Warn implements sql.Session: GMS's warnings leave with MySQL's level, code and text.
func (s *Session) Warn(w *sql.Warning) {
	changed := *w
	for _, prefix := range []string{"duplicate unique key given: ", "duplicate primary key given: "} {
		if text, ok := strings.CutPrefix(w.Message, prefix); ok {
			changed.Level, changed.Code, changed.Message = "Warning", mysql.ERDupEntry, text
		}
	}
	if strings.HasPrefix(w.Message, "EXPLAIN Output is") {
		return
	}
	s.BaseSession.Warn(&changed)
}
