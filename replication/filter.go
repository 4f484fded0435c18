package replication

import "strings"

// Filters say which transactions' changes are applied: what CHANGE REPLICATION FILTER sets. Names
// of tables are database.table, patterns those of LIKE.
type Filters struct {
	DoDB, IgnoreDB           []string
	DoTable, IgnoreTable     []string
	WildDoTable, WildIgnores []string
	Rewrite                  [][2]string
}

// TableName is a table that a statement names.
type TableName struct{ Database, Table string }

// rewritten is the name here of a database of the source.
func (f *Filters) rewritten(db string) string {
	for _, r := range f.Rewrite {
		if r[0] == db {
			return r[1]
		}
	}
	return db
}

func holds(list []string, name string) bool {
	for _, s := range list {
		if strings.EqualFold(s, name) {
			return true
		}
	}
	return false
}

// database tells whether what is done in a database is applied. The rules about tables follow.
func (f *Filters) database(db string) bool {
	if len(f.DoDB) > 0 {
		return holds(f.DoDB, db)
	}
	return !holds(f.IgnoreDB, db)
}

// table tells whether what is done to a table is applied.
func (f *Filters) table(t TableName) bool {
	name := t.Database + "." + t.Table
	switch {
	case holds(f.DoTable, name):
		return true
	case holds(f.IgnoreTable, name):
		return false
	case matches(f.WildDoTable, name):
		return true
	case matches(f.WildIgnores, name):
		return false
	}
	return len(f.DoTable) == 0 && len(f.WildDoTable) == 0
}

// rows tells whether the rows of a table are applied.
func (f *Filters) rows(t TableName) bool { return f.database(t.Database) && f.table(t) }

// statement tells whether a statement is applied that was run in a database and names tables.
func (f *Filters) statement(db string, tables []TableName) bool {
	if !f.database(db) {
		return false
	}
	for _, t := range tables {
		if f.table(t) {
			return true
		}
	}
	return len(tables) == 0
}

// none tells that there are no rules about tables.
func (f *Filters) noTables() bool {
	return len(f.DoTable)+len(f.IgnoreTable)+len(f.WildDoTable)+len(f.WildIgnores) == 0
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if like(strings.ToLower(p), strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// like matches with % and _, and a backslash before a character that stands for itself.
func like(pattern, name string) bool {
	for len(pattern) > 0 {
		switch c := pattern[0]; {
		case c == '%':
			for i := 0; i <= len(name); i++ {
				if like(pattern[1:], name[i:]) {
					return true
				}
			}
			return false
		case name == "":
			return false
		case c == '\\' && len(pattern) > 1:
			pattern = pattern[1:]
			fallthrough
		default:
			if pattern[0] != name[0] && (c != '_') {
				return false
			}
		}
		pattern, name = pattern[1:], name[1:]
	}
	return name == ""
}
