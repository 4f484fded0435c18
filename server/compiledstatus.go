package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/compiled"
)

// refusedRows lists the statements that are known to have no program, and why:
// information_schema.EMBER_COMPILED_REFUSED.
func (s *Server) refusedRows(*sql.Context) (out []sql.Row, _ error) {
	s.programs.Refused(func(key string, why compiled.Reason, executions int64) {
		parts := strings.SplitN(key, "\x00", keyParts+1)
		if len(parts) <= keyParts {
			return
		}
		text, prepared := parts[keyParts], "NO"
		switch {
		case strings.HasPrefix(text, preparedMark):
			text, prepared = text[len(preparedMark):], "YES"
		case strings.HasPrefix(text, plainMark):
			text = text[len(plainMark):]
		default:
			text, _, _ = strings.Cut(text, "\x00") // the kinds of its literals
		}
		out = append(out, sql.Row{parts[0], text, prepared, why.String(), uint64(executions)})
	})
	return out, nil
}
