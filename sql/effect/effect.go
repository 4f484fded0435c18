package effect

import "emberdb/sql/ast"

// Set is a set of things that a statement does.
type Set uint16

const (
	Rows      Set = 1 << iota // gives the rows of a query; max_execution_time bounds it
	Changes                   // changes rows, definitions or accounts: refused while the server is read-only
	Locks                     // locks rows or tables for a change: refused while the server is read-only
	Yields                    // FLUSH TABLES WITH READ LOCK makes it wait
	Commits                   // commits the open transaction before it runs; a branch of XA refuses it
	Ends                      // is COMMIT or ROLLBACK
	Defines                   // defines objects
	Accounts                  // is about accounts
	Calls                     // runs a stored procedure: its statements have effects of their own
	Temporary                 // is about temporary tables by its words
	Explains                  // shows a plan or a definition instead of running
	Assigns                   // sets variables
)

// Effect is what running a statement does.
type Effect struct {
	Command string // the name of its counter, Com_x
	Set
}

// Has reports whether the statement does all of these.
func (e Set) Has(s Set) bool { return e&s == s }

// Any reports whether the statement does one of these.
func (e Set) Any(s Set) bool { return e&s != 0 }

const (
	change     = Changes | Yields
	definition = change | Commits | Defines
	account    = change | Commits | Accounts
)

// Of returns the effect of a statement; a nil tree is an empty statement.
func Of(tree ast.Statement) Effect {
	return Effect{Command: Command(tree), Set: setOf(tree)}
}

func setOf(tree ast.Statement) Set {
	switch n := tree.(type) {
	case *ast.Query:
		return query(n)
	case *ast.Insert, *ast.Update, *ast.Delete, *ast.Load, *ast.Binlog:
		return change
	case *ast.Call:
		return Calls | Yields
	case *ast.Explain:
		if n.Statement == nil {
			return Explains | Rows
		}
		return setOf(n.Statement)&^(Commits|Ends|Calls) | Explains | Rows
	case *ast.Describe:
		return Explains
	}
	if s := definitionSet(tree); s != 0 {
		return s
	}
	if s := accountSet(tree); s != 0 {
		return s
	}
	if s := sessionSet(tree); s != 0 {
		return s
	}
	return serverSet(tree)
}

// query is Rows, with Locks where a part of it locks rows to change them.
func query(n *ast.Query) Set {
	s := Rows
	ast.Inspect(n, func(n ast.Node) bool {
		if q, ok := n.(*ast.Query); ok {
			for _, l := range q.Locks {
				if l.Strength == ast.ForUpdate {
					s |= Locks | Yields
				}
			}
		}
		return true
	})
	return s
}

// definitionSet is the effect of statements that define objects.
func definitionSet(tree ast.Statement) Set {
	switch n := tree.(type) {
	case *ast.CreateTable:
		if n.Temporary {
			return Temporary | Defines
		}
		return definition
	case *ast.DropTable:
		if n.Temporary {
			return Temporary | Defines
		}
		return definition
	case *ast.AlterTable, *ast.RenameTable, *ast.TruncateTable, *ast.CreateIndex, *ast.DropIndex, *ast.ImportTable,
		*ast.CreateView, *ast.DropView, *ast.CreateDatabase, *ast.AlterDatabase, *ast.DropDatabase,
		*ast.CreateRoutine, *ast.AlterRoutine, *ast.DropProgram, *ast.Library, *ast.CreateTrigger, *ast.CreateEvent,
		*ast.CreateLoadable, *ast.CreateServer, *ast.DropServer, *ast.Tablespace, *ast.CreateReferenceSystem,
		*ast.DropReferenceSystem, *ast.ResourceGroup, *ast.CreateMaskingPolicy, *ast.DropMaskingPolicy,
		*ast.InstallPlugin, *ast.InstallComponent:
		return definition
	}
	return 0
}

// accountSet is the effect of statements about accounts.
func accountSet(tree ast.Statement) Set {
	switch n := tree.(type) {
	case *ast.CreateUser, *ast.DropUser, *ast.CreateRole, *ast.RenameUser, *ast.SetPassword, *ast.Grant:
		return account
	case *ast.SetRole:
		if n.To != nil {
			return account
		}
		return Assigns
	}
	return 0
}

// sessionSet is the effect of statements about the session, its variables and its transaction.
func sessionSet(tree ast.Statement) Set {
	switch n := tree.(type) {
	case *ast.Set, *ast.SetTransaction, *ast.SetResourceGroup:
		return Assigns
	case *ast.Begin:
		return Commits
	case *ast.EndTransaction:
		return Ends
	case *ast.XA:
		if n.Verb == ast.XACommit || n.Verb == ast.XARollback {
			return Ends
		}
	case *ast.LockTables:
		s := Commits
		for i := range n.Tables {
			if n.Tables[i].Kind == ast.LockWrite {
				s |= Locks | Yields
			}
		}
		return s
	}
	return 0
}

// serverSet is the effect of statements about the server.
func serverSet(tree ast.Statement) Set {
	switch n := tree.(type) {
	case *ast.MaintainTables:
		switch {
		case n.What == ast.ChecksumTable:
			return 0
		case n.Histogram == nil && (n.What == ast.AnalyzeTable || n.What == ast.OptimizeTable):
			return Changes | Commits
		}
		return Commits
	case *ast.AlterInstance:
		if n.Kind == ast.ReloadTLS || n.Kind == ast.ReloadKeyring {
			return Commits
		}
		return change | Commits
	case *ast.CacheIndex, *ast.Flush, *ast.FlushTables, *ast.Clone, *ast.ChangeSource, *ast.ChangeFilter,
		*ast.StartReplica, *ast.Reset:
		return Commits
	}
	return 0
}

// Preparable reports whether MySQL prepares a statement.
func Preparable(tree ast.Statement) bool {
	switch n := tree.(type) {
	case *ast.Load, *ast.Handler, *ast.ImportTable, *ast.AlterDatabase, *ast.CreateRoutine, *ast.AlterRoutine,
		*ast.CreateLoadable, *ast.CreateTrigger, *ast.CreateRole, *ast.CreateServer, *ast.DropServer, *ast.Tablespace,
		*ast.CreateReferenceSystem, *ast.DropReferenceSystem, *ast.ResourceGroup, *ast.Purge, *ast.Help, *ast.Use, *ast.Begin,
		*ast.Savepoint, *ast.LockTables, *ast.LockInstance, *ast.Unlock, *ast.Prepare, *ast.Execute, *ast.Deallocate, *ast.XA,
		*ast.GetDiagnostics, *ast.Signal, *ast.InstallComponent, *ast.Clone, *ast.GroupReplication, *ast.Shutdown:
		return false
	case *ast.CreateView:
		return !n.Alter
	case *ast.DropProgram:
		return n.Kind == ast.DropEvent || n.Kind == ast.DropLibrary
	case *ast.DropUser:
		return !n.Role
	case *ast.MaintainTables:
		return n.What != ast.CheckTable
	case *ast.Show:
		switch n.Kind {
		case ast.ShowWarnings, ast.ShowErrors, ast.ShowCountWarnings, ast.ShowCountErrors:
			return false
		}
	case *ast.Explain:
		return n.Connection == nil
	}
	return true
}
