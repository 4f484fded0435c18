package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// INVISIBLE indexes, which go-mysql-server does not know. They are kept up as all others, and no
// plan uses them unless the session's optimizer_switch says so. Foreign keys are checked by them.
//
//	KEY (a) INVISIBLE       a mark in the key's comment, see tabledef.MarkKey
//	ALTER INDEX INVISIBLE   a RENAME INDEX to a name that no client can write, see package lower

// definesIndexes tells whether the running statement changes definitions.
func (s *Session) definesIndexes(ctx *sql.Context) bool {
	if s == nil || s.Stmt.defining {
		return true
	}
	switch n := s.RunningTree(ctx).(type) {
	case *ast.AlterTable, *ast.CreateIndex, *ast.DropIndex:
		return true
	case *ast.CreateTable:
		return n.Query == nil
	}
	return false
}

// showIndex makes an index visible or not.
func (t *Table) showIndex(ctx *sql.Context, name string, hidden bool) error {
	if t.Def.FindIndex(name) == nil {
		return errNoKey(name, t.Name())
	}
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		for _, x := range def.Indexes {
			if strings.EqualFold(x.Name, name) {
				x.Invisible = hidden
			}
		}
		list, err := tabledef.SpecialIndexes(def)
		if err != nil {
			return err
		}
		for i := range list {
			if strings.EqualFold(list[i].Name, name) {
				list[i].Invisible = hidden
			}
		}
		return tabledef.SetSpecialIndexes(def, list)
	})
}

func errNoKey(name, table string) error {
	return sqlerr.NewError(sqlerr.ErKeyDoesNotExist, "Key '%s' doesn't exist in table '%s'", name, table)
}

// checkShown refuses a definition whose rows MySQL would keep by an invisible key; more is a key
// that is going to be added. A statement that makes a primary key keeps them by that. REQUIRES: s is
// the session that runs the statement.
func (s *Session) checkShown(def *catalog.Table, more *catalog.Index) error {
	if s.altering != nil && s.altering.primary {
		return nil
	}
	if more != nil {
		with := *def
		with.Indexes = append(slices.Clone(def.Indexes), more)
		def = &with
	}
	x := tabledef.EffectivePrimary(def)
	return tabledef.CheckShownPrimary(x != nil && x.Invisible)
}

// knownKeys refuses ALTER INDEX of indexes that are not there before the statement or go with it.
func (w *altering) knownKeys(actions []ast.AlterAction) error {
	for _, a := range actions {
		change, ok := a.(*ast.AlterChange)
		if !ok || change.Object != ast.ObjectKey {
			continue
		}
		name := change.Name.Name
		goes := slices.ContainsFunc(actions, func(a ast.AlterAction) bool {
			switch a := a.(type) {
			case *ast.DropObject:
				return a.Object == ast.ObjectKey && strings.EqualFold(a.Name.Name, name)
			case *ast.RenameObject:
				return a.Object == ast.ObjectKey && strings.EqualFold(a.From.Name, name)
			}
			return false
		})
		if goes || !hasKey(w.def, name) {
			return errNoKey(name, w.at.Name)
		}
	}
	return nil
}

// hasKey tells whether a table has a key of that name.
func hasKey(def *catalog.Table, name string) bool {
	special, _ := tabledef.SpecialIndexes(def)
	return slices.ContainsFunc(def.Indexes, func(x *catalog.Index) bool { return strings.EqualFold(x.Name, name) }) ||
		slices.ContainsFunc(special, func(x tabledef.SpecialIndex) bool { return strings.EqualFold(x.Name, name) })
}
