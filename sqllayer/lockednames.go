package sqllayer

// What LOCK TABLES locks, and under which names its session may then use it: a table under the
// alias that was locked, as often in a statement as it was locked so; a view with all that it
// reads; with a table that is to be changed what its triggers use, and the tables at the other ends
// of its foreign keys.

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/internal/base"
)

// lockedName is a table under the name that a statement may use.
type lockedName struct {
	at    tableName
	alias string
	write bool
}

// lockedNames are the tables and views of LOCK TABLES.
type lockedNames struct {
	names   []lockedName
	views   []tableName
	aliased bool // some table has another name, or is there because of a view or trigger
}

// same tells whether two names are those of one table, which is found in any case of its letters.
func (t tableName) same(other tableName) bool {
	return strings.EqualFold(t.name, other.name) && strings.EqualFold(t.schema, other.schema)
}

// holds tells whether a table or view may be used under some name.
func (l *lockedNames) holds(at tableName) bool {
	return slices.ContainsFunc(l.views, at.same) || slices.ContainsFunc(l.names, func(n lockedName) bool { return n.at.same(at) })
}

// writes tells whether a table may be changed under some name, readOnly that it is there only to be
// read.
func (l *lockedNames) writes(at tableName) (writes, readOnly bool) {
	for _, n := range l.names {
		if n.at.same(at) && n.write {
			return true, false
		}
		readOnly = readOnly || n.at.same(at)
	}
	return false, readOnly
}

// rename follows a table to its new name.
func (l *lockedNames) rename(from, to tableName) {
	for i := range l.names {
		if n := &l.names[i]; n.at.same(from) {
			if n.at = to; strings.EqualFold(n.alias, from.name) {
				n.alias = to.name
			}
		}
	}
}

// locker collects what a LOCK TABLES statement locks.
type locker struct {
	ctx   *sql.Context
	s     *Session
	locks lockedNames
	list  ast.TableAndLockTypes // every table once, with the stronger lock
}

// namesToLock makes a LOCK TABLES statement one of tables without aliases, and notes the names.
func (s *Session) namesToLock(ctx *sql.Context, n *ast.LockTables) error {
	l := &locker{ctx: ctx, s: s}
	var stated []lockedName
	for _, t := range n.Tables {
		e, ok := t.Table.(*ast.AliasedTableExpr)
		if !ok {
			continue
		}
		at, alias := usedAs(ctx, e)
		same := func(o lockedName) bool { return strings.EqualFold(o.alias, alias) && o.at.schema == at.schema }
		if slices.ContainsFunc(stated, same) {
			return NewError(1066, "Not unique table/alias: '%s'", alias)
		}
		stated = append(stated, lockedName{at, alias, false})
		if at.schema == sql.InformationSchemaDatabaseName {
			who := s.account()
			return NewError(1044, "Access denied for user %s to database '%s'", who.quoted(), at.schema)
		}
		l.locks.aliased = l.locks.aliased || !strings.EqualFold(alias, at.name)
		e.As = ast.TableIdent{}
		if err := l.add(e, at, alias, t.Lock == ast.LockWrite || t.Lock == ast.LockLowPriorityWrite); err != nil {
			return err
		}
	}
	n.Tables = l.list
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locking = &l.locks
	return nil
}

// add locks a table or view, and what belongs to it.
func (l *locker) add(e *ast.AliasedTableExpr, at tableName, alias string, write bool) error {
	found, err := l.s.layer.Provider.Database(l.ctx, at.schema)
	d, own := ownDatabase(found)
	if err == nil && own {
		view, is, err := find[storedView](l.ctx, d, catalog.KindView, at.name)
		if err != nil {
			return err
		}
		if is {
			return l.view(e, d, at, view, write)
		}
	}
	l.locks.names = append(l.locks.names, lockedName{at, alias, write})
	lock := ast.LockRead
	if write {
		lock = ast.LockWrite
	}
	for _, t := range l.list {
		if other, _ := usedAs(l.ctx, t.Table.(*ast.AliasedTableExpr)); other.same(at) {
			if write {
				t.Lock = lock
			}
			return nil
		}
	}
	l.list = append(l.list, &ast.TableAndLockType{Table: e, Lock: lock})
	if _, temporary := l.s.temps.lookup(at.schema, at.name); temporary || !write || !own {
		return nil
	}
	if err := l.triggers(d, at); err != nil {
		return err
	}
	return l.relatives(d, at)
}

// view locks what a view reads; the statement opens the view as well, for the rights on it.
func (l *locker) view(e *ast.AliasedTableExpr, d *Database, at tableName, stored storedView, write bool) error {
	if slices.ContainsFunc(l.locks.views, at.same) {
		return nil
	}
	l.locks.views, l.locks.aliased = append(l.locks.views, at), true
	l.list = append(l.list, &ast.TableAndLockType{Table: e, Lock: ast.LockRead})
	create, err := parseStored(l.ctx, stored.CreateViewStatement, stored.SqlMode)
	if err != nil || create == nil || create.ViewSpec == nil {
		return err
	}
	return l.uses(d.name, create.ViewSpec.ViewExpr, func(string) bool { return write })
}

// triggers locks what the triggers of a table use.
func (l *locker) triggers(d *Database, at tableName) error {
	all, err := list[storedTrigger](l.ctx, d, catalog.KindTrigger)
	for _, t := range all {
		text, ok := parseTrigger(t.CreateStatement)
		if !ok || !strings.EqualFold(text.table, at.name) {
			continue
		}
		create, err := parseStored(l.ctx, t.CreateStatement, t.SqlMode)
		if err != nil || create == nil || create.TriggerSpec == nil {
			return err
		}
		l.locks.aliased = true
		changed := targetsOf(create.TriggerSpec.Body)
		if err := l.uses(d.name, create.TriggerSpec.Body, func(table string) bool { return changed[strings.ToLower(table)] }); err != nil {
			return err
		}
	}
	return err
}

// relatives locks the parents of a table, and its children: to be changed, if they are where a row
// of the table is.
func (l *locker) relatives(d *Database, at tableName) error {
	def, err := l.definition(d, at.name)
	if err != nil || def == nil {
		return err
	}
	for _, fk := range def.ForeignKeys {
		parent, err := l.definition(&Database{layer: d.layer, name: fk.ParentSchema}, fk.ParentTable)
		if err == nil && parent != nil { // a dump may make it later
			err = l.along(tableName{fk.ParentSchema, fk.ParentTable}, "", false)
		}
		if err != nil {
			return err
		}
	}
	children, err := d.layer.references(l.ctx, nil, def)
	for _, r := range children {
		child, err := l.definition(&Database{layer: d.layer, name: r.child.schema}, r.child.name)
		if err != nil {
			return err
		}
		changes := child != nil && slices.ContainsFunc(child.ForeignKeys, func(fk catalog.ForeignKey) bool {
			return fk.Name == r.name && (cascades(fk.OnDelete) || cascades(fk.OnUpdate))
		})
		if err := l.along(r.child, "", changes); err != nil {
			return err
		}
	}
	return err
}

// definition looks at a table, without a lock that would outlive a statement that is refused; nil
// if there is none of that name.
func (l *locker) definition(d *Database, name string) (*catalog.Table, error) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	spelled, ok, err := d.layer.eng.Spelling(l.ctx, l.s.reader(), d.name, name)
	if err != nil || !ok {
		return nil, l.s.note(err)
	}
	t, err := d.look(l.ctx, l.s, tableName{d.name, spelled})
	if errors.Is(err, base.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, l.s.note(err)
	}
	return t.def.def, nil
}

// cascades tells whether an action of a foreign key changes rows of the child.
func cascades(action string) bool {
	return strings.EqualFold(action, "CASCADE") || strings.EqualFold(action, "SET NULL")
}

// uses locks the tables of a stored text.
func (l *locker) uses(schema string, text ast.SQLNode, write func(table string) bool) error {
	before := l.ctx.GetCurrentDatabase()
	l.ctx.SetCurrentDatabase(schema)
	defer l.ctx.SetCurrentDatabase(before)
	return eachUse(l.ctx, text, func(e *ast.AliasedTableExpr) error {
		at, alias := usedAs(l.ctx, e)
		return l.along(at, alias, write(at.name))
	})
}

// along locks a table that nobody has named; rights on it are those of a stored text's definer, or
// nobody's.
func (l *locker) along(at tableName, alias string, write bool) error {
	if alias == "" {
		alias = at.name
	}
	known := func(n lockedName) bool {
		return n.at.same(at) && strings.EqualFold(n.alias, alias) && (n.write || !write)
	}
	if slices.ContainsFunc(l.locks.names, known) {
		return nil
	}
	l.locks.aliased = true
	return l.add(&ast.AliasedTableExpr{
		Expr: ast.TableName{Name: ast.NewTableIdent(at.name), DbQualifier: ast.NewTableIdent(at.schema)},
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE, TargetType: ast.AuthTargetType_Ignore},
	}, at, alias, write)
}

// parseStored parses the text of a view or trigger; nil if it is something else.
func parseStored(ctx *sql.Context, text, mode string) (*ast.DDL, error) {
	stmt, err := treeOf(text, modeOf(mode))
	create, _ := stmt.(*ast.DDL)
	return create, err
}

// eachUse calls f with the tables that a text uses, those that it changes included, those of the
// system's schemas not.
func eachUse(ctx *sql.Context, text ast.SQLNode, f func(*ast.AliasedTableExpr) error) error {
	r := &rewriterAST{ctx: ctx, ctes: make(map[string]bool)}
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		if n, ok := node.(*ast.CommonTableExpr); ok {
			r.ctes[strings.ToLower(n.As.String())] = true
		}
		return true, nil
	}, text)
	return ast.Walk(func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.AliasedTableExpr:
			if name, ok := n.Expr.(ast.TableName); ok && r.lockable(name) {
				return true, f(n)
			}
		case *ast.Insert:
			return true, f(&ast.AliasedTableExpr{Expr: n.Table})
		case *ast.Load:
			return true, f(&ast.AliasedTableExpr{Expr: n.Table})
		}
		return true, nil
	}, text)
}

// targetsOf gives the names, in small letters, under which a text changes tables; of an UPDATE of
// several those whose columns it names with them.
func targetsOf(text ast.SQLNode) map[string]bool {
	targets := make(map[string]bool)
	add := func(name string) {
		if name != "" {
			targets[strings.ToLower(name)] = true
		}
	}
	only := func(from ast.TableExprs) {
		if len(from) == 1 {
			if e, ok := from[0].(*ast.AliasedTableExpr); ok {
				_, alias := usedAs(nil, e)
				add(alias)
			}
		}
	}
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.Insert:
			add(n.Table.Name.String())
		case *ast.Load:
			add(n.Table.Name.String())
		case *ast.Update:
			only(n.TableExprs)
			for _, e := range n.Exprs {
				add(e.Name.Qualifier.Name.String())
			}
		case *ast.Delete:
			if len(n.Targets) == 0 {
				only(n.TableExprs)
			}
			for _, t := range n.Targets {
				add(t.Name.String())
			}
		}
		return true, nil
	}, text)
	return targets
}

// MayUse is the error of a prepared statement that uses tables otherwise than LOCK TABLES has
// locked them.
func (s *Session) MayUse(ctx *sql.Context, stmt ast.Statement) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, s.describes = stmt.(*ast.Show)
	if s.locked == nil {
		return nil
	}
	return s.checkNames(ctx, stmt)
}

// checkNames refuses the tables that a statement uses under a name, or more often, than LOCK TABLES
// has locked them.
func (s *Session) checkNames(ctx *sql.Context, stmt ast.Statement) error {
	if e, ok := stmt.(*ast.Explain); ok {
		stmt = e.Statement
	}
	switch stmt.(type) {
	case *ast.Select, *ast.SetOp, *ast.ParenSelect, *ast.Insert, *ast.Update, *ast.Delete, *ast.Load:
	default:
		return nil
	}
	targets, all := targetsOf(stmt), false
	if sel, ok := stmt.(*ast.Select); ok && sel.Lock != nil {
		all = strings.Contains(sel.Lock.Type, "for update") && len(sel.Lock.Tables) == 0
	}
	used := make([]bool, len(s.locked.names))
	return eachUse(ctx, stmt, func(e *ast.AliasedTableExpr) error {
		at, alias := usedAs(ctx, e)
		if _, temporary := s.temps.lookup(at.schema, at.name); temporary || slices.ContainsFunc(s.locked.views, at.same) {
			return nil
		}
		change := all || targets[strings.ToLower(alias)]
		place := -1
		for i, n := range s.locked.names {
			if !used[i] && n.at.same(at) && strings.EqualFold(n.alias, alias) && (place < 0 || n.write == change) {
				place = i
			}
		}
		if place < 0 {
			return errNotLocked(alias)
		}
		if used[place] = true; change && !s.locked.names[place].write {
			return errLockedForReading(alias)
		}
		return nil
	})
}

// usedAs is the table of a table expression and its name in the statement.
func usedAs(ctx *sql.Context, e *ast.AliasedTableExpr) (at tableName, alias string) {
	name, ok := e.Expr.(ast.TableName)
	if !ok {
		return at, ""
	}
	if alias = e.As.String(); alias == "" {
		alias = name.Name.String()
	}
	if at = (tableName{name.DbQualifier.String(), name.Name.String()}); at.schema == "" && ctx != nil {
		at.schema = ctx.GetCurrentDatabase()
	}
	return at, alias
}
