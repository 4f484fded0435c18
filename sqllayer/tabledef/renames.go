package tabledef

import (
	"strings"
)

// RenamePrefix begins a table name that carries its database.
const RenamePrefix = "\x00"

// DecodeRename takes a name apart that qualifyRename made.
func DecodeRename(name string) (TableName, bool) {
	if !strings.HasPrefix(name, RenamePrefix) {
		return TableName{}, false
	}
	db, table, ok := strings.Cut(name[len(RenamePrefix):], RenamePrefix)
	return TableName{db, table}, ok
}
