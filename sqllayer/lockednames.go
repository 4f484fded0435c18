package sqllayer

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/internal/base"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// What LOCK TABLES locks, and under which names its session may then use it: a table under the
// alias that was locked, as often in a statement as it was locked so; a view with all that it
// reads; with a table that is to be changed what its triggers use, and the tables at the other ends
// of its foreign keys.

// locker collects what a LOCK TABLES statement locks.
type locker struct {
	ctx   *sql.Context
	s     *Session
	locks trees.LockedNames
	list  ast.TableAndLockTypes // every table once, with the stronger lock
}

// namesToLock makes a LOCK TABLES statement one of tables without aliases, and notes the names.
func (s *Session) namesToLock(ctx *sql.Context, n *ast.LockTables) error {
	l := &locker{ctx: ctx, s: s}
	var stated []trees.LockedName
	for _, t := range n.Tables {
		e, ok := t.Table.(*ast.AliasedTableExpr)
		if !ok {
			continue
		}
		at, alias := trees.UsedAs(ctx, e)
		same := func(o trees.LockedName) bool { return strings.EqualFold(o.Alias, alias) && o.At.Schema == at.Schema }
		if slices.ContainsFunc(stated, same) {
			return sqlerr.NewError(1066, "Not unique table/alias: '%s'", alias)
		}
		stated = append(stated, trees.LockedName{At: at, Alias: alias, Write: false})
		if at.Schema == sql.InformationSchemaDatabaseName {
			who := s.EffectiveAccount()
			return sqlerr.NewError(1044, "Access denied for user %s to database '%s'", who.Quoted(), at.Schema)
		}
		l.locks.Aliased = l.locks.Aliased || !strings.EqualFold(alias, at.Name)
		e.As = ast.TableIdent{}
		if err := l.add(e, at, alias, t.Lock == ast.LockWrite || t.Lock == ast.LockLowPriorityWrite); err != nil {
			return err
		}
	}
	n.Tables = l.list
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.locking = &l.locks
	return nil
}

// add locks a table or view, and what belongs to it.
func (l *locker) add(e *ast.AliasedTableExpr, at tabledef.TableName, alias string, write bool) error {
	found, err := l.s.layer.Provider.Database(l.ctx, at.Schema)
	d, own := OwnDatabase(found)
	if err == nil && own {
		view, is, err := Find[StoredView](l.ctx, d, catalog.KindView, at.Name)
		if err != nil {
			return err
		}
		if is {
			return l.view(e, d, at, view, write)
		}
	}
	l.locks.Names = append(l.locks.Names, trees.LockedName{At: at, Alias: alias, Write: write})
	lock := ast.LockRead
	if write {
		lock = ast.LockWrite
	}
	for _, t := range l.list {
		if other, _ := trees.UsedAs(l.ctx, t.Table.(*ast.AliasedTableExpr)); other.Same(at) {
			if write {
				t.Lock = lock
			}
			return nil
		}
	}
	l.list = append(l.list, &ast.TableAndLockType{Table: e, Lock: lock})
	if _, temporary := l.s.Temps.Lookup(at.Schema, at.Name); temporary || !write || !own {
		return nil
	}
	if err := l.triggers(d, at); err != nil {
		return err
	}
	return l.relatives(d, at)
}

// view locks what a view reads; the statement opens the view as well, for the rights on it.
func (l *locker) view(e *ast.AliasedTableExpr, d *Database, at tabledef.TableName, stored StoredView, write bool) error {
	if slices.ContainsFunc(l.locks.Views, at.Same) {
		return nil
	}
	l.locks.Views, l.locks.Aliased = append(l.locks.Views, at), true
	l.list = append(l.list, &ast.TableAndLockType{Table: e, Lock: ast.LockRead})
	create, err := trees.ParseStored(l.ctx, stored.CreateViewStatement, stored.SqlMode)
	if err != nil || create == nil || create.ViewSpec == nil {
		return err
	}
	return l.uses(d.name, create.ViewSpec.ViewExpr, func(string) bool { return write })
}

// triggers locks what the triggers of a table use.
func (l *locker) triggers(d *Database, at tabledef.TableName) error {
	all, err := List[StoredTrigger](l.ctx, d, catalog.KindTrigger)
	for _, t := range all {
		text, ok := parseTrigger(t.CreateStatement)
		if !ok || !strings.EqualFold(text.Table, at.Name) {
			continue
		}
		create, err := trees.ParseStored(l.ctx, t.CreateStatement, t.SqlMode)
		if err != nil || create == nil || create.TriggerSpec == nil {
			return err
		}
		l.locks.Aliased = true
		changed := trees.TargetsOf(create.TriggerSpec.Body)
		if err := l.uses(d.name, create.TriggerSpec.Body, func(table string) bool { return changed[strings.ToLower(table)] }); err != nil {
			return err
		}
	}
	return err
}

// relatives locks the parents of a table, and its children: to be changed, if they are where a row
// of the table is.
func (l *locker) relatives(d *Database, at tabledef.TableName) error {
	def, err := l.definition(d, at.Name)
	if err != nil || def == nil {
		return err
	}
	for _, fk := range def.ForeignKeys {
		parent, err := l.definition(&Database{Layer: d.Layer, name: fk.ParentSchema}, fk.ParentTable)
		if err == nil && parent != nil { // a dump may make it later
			err = l.along(tabledef.TableName{Schema: fk.ParentSchema, Name: fk.ParentTable}, "", false)
		}
		if err != nil {
			return err
		}
	}
	children, err := d.Layer.references(l.ctx, nil, def)
	for _, r := range children {
		child, err := l.definition(&Database{Layer: d.Layer, name: r.Child.Schema}, r.Child.Name)
		if err != nil {
			return err
		}
		changes := child != nil && slices.ContainsFunc(child.ForeignKeys, func(fk catalog.ForeignKey) bool {
			return fk.Name == r.Name && (trees.Cascades(fk.OnDelete) || trees.Cascades(fk.OnUpdate))
		})
		if err := l.along(r.Child, "", changes); err != nil {
			return err
		}
	}
	return err
}

// definition looks at a table, without a lock that would outlive a statement that is refused; nil
// if there is none of that name.
func (l *locker) definition(d *Database, name string) (*catalog.Table, error) {
	l.s.Mu.Lock()
	defer l.s.Mu.Unlock()
	spelled, ok, err := d.Layer.Eng.Spelling(l.ctx, l.s.reader(), d.name, name)
	if err != nil || !ok {
		return nil, l.s.Note(err)
	}
	t, err := d.look(l.ctx, l.s, tabledef.TableName{Schema: d.name, Name: spelled})
	if errors.Is(err, base.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, l.s.Note(err)
	}
	return t.Def.Def, nil
}

// uses locks the tables of a stored text.
func (l *locker) uses(schema string, text ast.SQLNode, write func(table string) bool) error {
	before := l.ctx.GetCurrentDatabase()
	l.ctx.SetCurrentDatabase(schema)
	defer l.ctx.SetCurrentDatabase(before)
	return eachUse(l.ctx, text, func(e *ast.AliasedTableExpr) error {
		at, alias := trees.UsedAs(l.ctx, e)
		return l.along(at, alias, write(at.Name))
	})
}

// along locks a table that nobody has named; rights on it are those of a stored text's definer, or
// nobody's.
func (l *locker) along(at tabledef.TableName, alias string, write bool) error {
	if alias == "" {
		alias = at.Name
	}
	known := func(n trees.LockedName) bool {
		return n.At.Same(at) && strings.EqualFold(n.Alias, alias) && (n.Write || !write)
	}
	if slices.ContainsFunc(l.locks.Names, known) {
		return nil
	}
	l.locks.Aliased = true
	return l.add(&ast.AliasedTableExpr{
		Expr: ast.TableName{Name: ast.NewTableIdent(at.Name), DbQualifier: ast.NewTableIdent(at.Schema)},
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE, TargetType: ast.AuthTargetType_Ignore},
	}, at, alias, write)
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

// MayUse is the error of a prepared statement that uses tables otherwise than LOCK TABLES has
// locked them.
func (s *Session) MayUse(ctx *sql.Context, stmt ast.Statement) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
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
	targets, all := trees.TargetsOf(stmt), false
	if sel, ok := stmt.(*ast.Select); ok && sel.Lock != nil {
		all = strings.Contains(sel.Lock.Type, "for update") && len(sel.Lock.Tables) == 0
	}
	used := make([]bool, len(s.locked.Names))
	return eachUse(ctx, stmt, func(e *ast.AliasedTableExpr) error {
		at, alias := trees.UsedAs(ctx, e)
		if _, temporary := s.Temps.Lookup(at.Schema, at.Name); temporary || slices.ContainsFunc(s.locked.Views, at.Same) {
			return nil
		}
		change := all || targets[strings.ToLower(alias)]
		place := -1
		for i, n := range s.locked.Names {
			if !used[i] && n.At.Same(at) && strings.EqualFold(n.Alias, alias) && (place < 0 || n.Write == change) {
				place = i
			}
		}
		if place < 0 {
			return errNotLocked(alias)
		}
		if used[place] = true; change && !s.locked.Names[place].Write {
			return errLockedForReading(alias)
		}
		return nil
	})
}

// knownIndexes refuses USE, FORCE and IGNORE INDEX of names that no index of the table begins with.
func (r *rewriterAST) knownIndexes() (err error) {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || r.tree == nil || SessionOf(ctx) == nil {
		return nil
	}
	sqlast.Inspect(r.tree, func(n sqlast.Node) bool {
		if t, ok := n.(*sqlast.TableSource); ok && err == nil && len(t.Indexes) > 0 {
			err = r.hintsOf(ctx, t)
		}
		return err == nil
	})
	return err
}

func (r *rewriterAST) hintsOf(ctx *sql.Context, t *sqlast.TableSource) error {
	schema, shown := t.Name.Schema.Name, t.Name.Name.Name
	if t.Alias.Given() {
		shown = t.Alias.Name
	}
	if schema == "" {
		if r.ctes[strings.ToLower(t.Name.Name.Name)] {
			return nil
		}
		schema = ctx.GetCurrentDatabase()
	}
	d, err := SessionOf(ctx).layer.Provider.Database(ctx, schema)
	if err != nil {
		return nil // told where the table is looked for
	}
	found, ok, err := d.GetTableInsensitive(ctx, t.Name.Name.Name)
	if err != nil || !ok {
		return nil
	}
	var names []string
	if own, ok := found.(*Table); ok {
		for _, x := range own.Def.Indexes {
			if !x.Hidden() || SessionOf(ctx).SeesInvisible() {
				names = append(names, x.Name)
			}
		}
	}
	for _, h := range t.Indexes {
		for _, name := range h.Names {
			begins := func(index string) bool {
				return len(index) >= len(name.Name) && strings.EqualFold(index[:len(name.Name)], name.Name)
			}
			if !slices.ContainsFunc(names, begins) {
				return sqlerr.NewError(trees.ErNoSuchKey, "Key '%s' doesn't exist in table '%s'", name.Name, shown)
			}
		}
	}
	return nil
}
