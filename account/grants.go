package account

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"
)

// Grants are the privileges of an account at every level. Names are compared without case and kept
// as first written.
type Grants struct {
	Global    Privileges
	Dynamic   map[string]bool // name in upper case; whether it may be passed on
	Databases map[string]Privileges
	Tables    map[Table]Privileges
	Columns   map[Column]Privileges
	Routines  map[Routine]Privileges
	Literal   bool // names of databases hold no wildcards, as under partial_revokes
}

// Table names a table.
type Table struct{ Database, Name string }

// Column names a column of a table.
type Column struct {
	Table
	Column string
}

// Routine names a stored routine or a library.
type Routine struct {
	Database, Name string
	Kind           RoutineKind
}

// RoutineKind is what a Routine is.
type RoutineKind uint8

// The kinds of routines.
const (
	Function RoutineKind = iota
	Procedure
	Library
)

// String returns the word that grants and the grant tables have for the kind.
func (k RoutineKind) String() string { return [...]string{"FUNCTION", "PROCEDURE", "LIBRARY"}[k] }

// libraryMark stands before the name of a library where a privilege set keeps it among functions.
// No client can write such a name.
const libraryMark = "\x00library\x00"

// LibraryKey returns the name of the function by which a privilege set knows a library.
func LibraryKey(name string) string { return libraryMark + strings.ToLower(name) }

// routineAs returns the routine that a privilege set keeps by that name.
func routineAs(db, name string, procedure bool) Routine {
	if procedure {
		return Routine{db, name, Procedure}
	}
	if library, is := strings.CutPrefix(name, libraryMark); is {
		return Routine{db, library, Library}
	}
	return Routine{db, name, Function}
}

// key is the name by which a privilege set keeps the routine.
func (r Routine) key() string {
	if r.Kind == Library {
		return LibraryKey(r.Name)
	}
	return strings.ToLower(r.Name)
}

// NewGrants returns an empty set.
func NewGrants() *Grants {
	return &Grants{Dynamic: map[string]bool{}, Databases: map[string]Privileges{}, Tables: map[Table]Privileges{},
		Columns: map[Column]Privileges{}, Routines: map[Routine]Privileges{}}
}

// GrantsOf reads a privilege set.
func GrantsOf(set mysql_db.PrivilegeSet) *Grants {
	g := NewGrants()
	g.Global = Of(set.ToSlice())
	for _, may := range []bool{false, true} {
		for _, name := range set.ToSliceDynamic(may) {
			g.Dynamic[name] = may
		}
	}
	for _, db := range set.GetDatabases() {
		g.AddDatabase(db.Name(), Of(db.ToSlice()))
		for _, t := range db.GetTables() {
			table := Table{db.Name(), t.Name()}
			g.AddTable(table, Of(t.ToSlice()))
			for _, c := range t.GetColumns() {
				g.AddColumn(Column{table, c.Name()}, Of(c.ToSlice()))
			}
		}
		for _, r := range db.GetRoutines() {
			g.AddRoutine(routineAs(db.Name(), r.RoutineName(), strings.EqualFold(r.RoutineType(), "PROCEDURE")), Of(r.ToSlice()))
		}
	}
	return g
}

// Set makes a privilege set of the grants. It shares nothing with any other.
func (g *Grants) Set() mysql_db.PrivilegeSet {
	set := mysql_db.NewPrivilegeSet()
	set.AddGlobalStatic(g.Global.Types()...)
	for name, may := range g.Dynamic {
		set.AddGlobalDynamic(may, name)
	}
	for db, p := range g.Databases {
		set.AddDatabase(db, p.Types()...)
	}
	for t, p := range g.Tables {
		set.AddTable(t.Database, t.Name, p.Types()...)
	}
	for c, p := range g.Columns {
		set.AddColumn(c.Database, c.Name, c.Column, p.Types()...)
	}
	for r, p := range g.Routines {
		set.AddRoutine(r.Database, r.key(), r.Kind == Procedure, p.Types()...)
	}
	return set
}

// stored finds the spelling of a key that is there already.
func stored[K comparable](m map[K]Privileges, k K, same func(K) bool) K {
	if _, ok := m[k]; ok {
		return k
	}
	for have := range m {
		if same(have) {
			return have
		}
	}
	return k
}

// change adds and removes privileges of one object; an object without privileges leaves the map.
func change[K comparable](m map[K]Privileges, k K, add, remove Privileges) {
	if p := m[k]&^remove | add; p != 0 {
		m[k] = p
	} else {
		delete(m, k)
	}
}

func (g *Grants) database(db string) string {
	return stored(g.Databases, db, func(d string) bool { return strings.EqualFold(d, db) })
}

func (t Table) same(o Table) bool {
	return strings.EqualFold(t.Database, o.Database) && strings.EqualFold(t.Name, o.Name)
}

func (g *Grants) table(t Table) Table { return stored(g.Tables, t, t.same) }

func (g *Grants) column(c Column) Column {
	return stored(g.Columns, c, func(o Column) bool { return c.same(o.Table) && strings.EqualFold(c.Column, o.Column) })
}

func (g *Grants) routine(r Routine) Routine {
	return stored(g.Routines, r, func(o Routine) bool {
		return r.Kind == o.Kind && strings.EqualFold(r.Database, o.Database) && strings.EqualFold(r.Name, o.Name)
	})
}

// AddDatabase adds privileges on a database or a pattern of names.
func (g *Grants) AddDatabase(db string, p Privileges) { change(g.Databases, g.database(db), p, 0) }

// AddTable adds privileges on a table.
func (g *Grants) AddTable(t Table, p Privileges) { change(g.Tables, g.table(t), p, 0) }

// AddColumn adds privileges on a column.
func (g *Grants) AddColumn(c Column, p Privileges) { change(g.Columns, g.column(c), p, 0) }

// AddRoutine adds privileges on a routine.
func (g *Grants) AddRoutine(r Routine, p Privileges) { change(g.Routines, g.routine(r), p, 0) }

// OnDatabase returns the privileges granted on a database under this very name.
func (g *Grants) OnDatabase(db string) (Privileges, bool) {
	p, ok := g.Databases[g.database(db)]
	return p, ok
}

// OnTable returns the privileges granted on a table itself.
func (g *Grants) OnTable(t Table) Privileges { return g.Tables[g.table(t)] }

// OnColumn returns the privileges granted on a column itself.
func (g *Grants) OnColumn(c Column) Privileges { return g.Columns[g.column(c)] }

// OnRoutine returns the privileges granted on a routine itself.
func (g *Grants) OnRoutine(r Routine) (Privileges, bool) {
	p, ok := g.Routines[g.routine(r)]
	return p, ok
}

// HasTable tells whether there is a grant on a table or on one of its columns.
func (g *Grants) HasTable(t Table) bool {
	if g.OnTable(t) != 0 {
		return true
	}
	for c := range g.Columns {
		if c.same(t) {
			return true
		}
	}
	return false
}

// ColumnsOf returns the union of the privileges on the columns of a table.
func (g *Grants) ColumnsOf(t Table) (p Privileges) {
	for c, on := range g.Columns {
		if c.same(t) {
			p |= on
		}
	}
	return p
}

// Remove takes privileges at one level.
func (g *Grants) RemoveDatabase(db string, p Privileges) { change(g.Databases, g.database(db), 0, p) }

// RemoveTable takes privileges on a table, and on its columns.
func (g *Grants) RemoveTable(t Table, p Privileges) {
	change(g.Tables, g.table(t), 0, p)
	for c := range g.Columns {
		if c.same(t) {
			change(g.Columns, c, 0, p)
		}
	}
}

// RemoveColumn takes privileges on a column.
func (g *Grants) RemoveColumn(c Column, p Privileges) { change(g.Columns, g.column(c), 0, p) }

// RemoveRoutine takes privileges on a routine.
func (g *Grants) RemoveRoutine(r Routine, p Privileges) { change(g.Routines, g.routine(r), 0, p) }

// Union adds the grants of another account or role.
func (g *Grants) Union(o *Grants) {
	g.Global |= o.Global
	for name, may := range o.Dynamic {
		g.Dynamic[name] = g.Dynamic[name] || may
	}
	for db, p := range o.Databases {
		g.AddDatabase(db, p)
	}
	for t, p := range o.Tables {
		g.AddTable(t, p)
	}
	for c, p := range o.Columns {
		g.AddColumn(c, p)
	}
	for r, p := range o.Routines {
		g.AddRoutine(r, p)
	}
}

// Has tells whether a dynamic privilege is granted.
func (g *Grants) Has(dynamic string) bool { _, ok := g.Dynamic[dynamic]; return ok }

// Named returns the privileges that a named database has by its own entry, else by the most
// specific pattern.
func (g *Grants) Named(db string) Privileges {
	if p, ok := g.OnDatabase(db); ok {
		return p
	}
	best := ""
	for pattern := range g.Databases {
		if !g.Literal && IsPattern(pattern) && MatchPattern(pattern, db) && (best == "" || moreSpecific(pattern, best)) {
			best = pattern
		}
	}
	return g.Databases[best]
}

// IsPattern tells whether a database name of a grant holds wildcards or escapes.
func IsPattern(name string) bool { return strings.ContainsAny(name, `%_\`) }

// moreSpecific orders patterns by what stands before the first wildcard, then by their length.
func moreSpecific(a, b string) bool {
	x, y := firstWildcard(a), firstWildcard(b)
	return x > y || x == y && (len(a) > len(b) || len(a) == len(b) && a < b)
}

func firstWildcard(p string) int {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '%', '_':
			return i
		}
	}
	return len(p) + 1
}

// MatchPattern compares a name with a pattern of % and _, without case; a backslash takes their
// meaning.
func MatchPattern(pattern, name string) bool {
	return match([]rune(strings.ToLower(pattern)), []rune(strings.ToLower(name)))
}

func match(p, s []rune) bool {
	star, mark := -1, 0
	for i, j := 0, 0; ; {
		switch {
		case i < len(p) && p[i] == '%':
			star, mark = i, j
			i++
			continue
		case j == len(s):
			return i == len(p)
		case i+1 < len(p) && p[i] == '\\' && p[i+1] == s[j]:
			i, j = i+2, j+1
			continue
		case i < len(p) && (p[i] == '_' || p[i] == s[j]):
			i, j = i+1, j+1
			continue
		case star < 0:
			return false
		}
		mark++
		i, j = star+1, mark
	}
}
