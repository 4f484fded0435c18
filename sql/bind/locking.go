package bind

import (
	"slices"
	"strings"

	"emberdb/engine/table"
	"emberdb/sql/ast"
	"emberdb/sql/fn"
)

// FOR UPDATE and FOR SHARE: a clause is about the base tables in FROM of its own block, or about
// those that OF names. Queries inside of the block have clauses of their own.

// locking tells how the rows of a table of the block are locked.
func (s *scope) locking(alias string) (out table.Locking) {
	at := slices.IndexFunc(s.locks, func(l ast.Lock) bool {
		return len(l.Of) == 0 || slices.ContainsFunc(l.Of, func(n ast.TableName) bool { return strings.EqualFold(n.Name.Name, alias) })
	})
	if at < 0 {
		return out
	}
	out.Lock = table.Shared
	if s.locks[at].Strength == ast.ForUpdate {
		out.Lock = table.Exclusive
	}
	switch s.locks[at].Wait {
	case ast.LockNowait:
		out.Wait = table.NoWait
	case ast.LockSkipLocked:
		out.Wait = table.SkipLocked
	}
	return out
}

// lockable refuses clauses that are an error: several about one table, and names that are none of a
// base table.
func (s *scope) lockable() error {
	var seen []string
	for _, l := range s.locks {
		if len(l.Of) == 0 && len(s.locks) > 1 {
			return fn.Refuse(fn.ByStatement, "a table in several locking clauses")
		}
		for _, n := range l.Of {
			name := strings.ToLower(n.Name.Name)
			named := func(t *visible) bool { return t.base && strings.EqualFold(t.alias, name) }
			if n.Schema.Given() || slices.Contains(seen, name) || !slices.ContainsFunc(s.tables, named) {
				return fn.Refuse(fn.ByStatement, "a name in a locking clause")
			}
			seen = append(seen, name)
		}
	}
	return nil
}
