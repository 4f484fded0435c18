package planner

import (
	"fmt"
	"strings"

	"emberdb/sqllayer/sqlerr"
)

// Unplanned is the error of a statement that made the planner panic before anything was done; nil
// of other panics.
func Unplanned(panicked any) error {
	switch text := fmt.Sprint(panicked); {
	case text == "shouldn't be able to resolve expression without table being available":
		return sqlerr.NewError(1235, "This version of Ember doesn't yet support 'MATCH of a view or derived table'")
	case strings.HasPrefix(text, "cannot insert ") && strings.HasSuffix(text, " into bitSet"): // of tables
		return sqlerr.NewError(1116, "Too many tables; MySQL can only use 61 tables in a join")
	}
	if err, ok := panicked.(error); ok { // a literal in the character set of the connection, a column that would be made in one
		if name, ok := unknownCharset(err.Error()); ok {
			return sqlerr.NewError(1235, "This version of Ember doesn't yet support '%s'", name)
		}
	}
	return nil
}

// unknownCharset reads go-mysql-server's error of a character set or collation that it has a name
// for and nothing else.
func unknownCharset(text string) (name string, ok bool) {
	text, ok = strings.CutPrefix(text, "The ")
	name, _, found := strings.Cut(text, "` has not yet been implemented")
	return strings.Replace(name, "`", "", 1), ok && found
}
