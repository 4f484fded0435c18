package sqllayer

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// declaredStorage returns what gives a new table of that name what the running CREATE TABLE says of
// its storage. The session tells its statement outside of changes of definitions only.
func declaredStorage(ctx *sql.Context, name string) func(def *catalog.Table) error {
	tree, ok := runningTree(ctx).(*ast.CreateTable)
	if !ok {
		return func(*catalog.Table) error { return nil }
	}
	s := SessionOf(ctx)
	var like *Table
	if tree.Like != nil {
		like = s.TableOf(ctx, tree.Like.Schema.Name, tree.Like.Name.Name)
	}
	return func(def *catalog.Table) error {
		if like != nil {
			def.Options = tabledef.StorageOf(like.Def.Def)
		}
		err := s.setStorage(def, tree.Options)
		if s.hintsAt(err) != nil {
			return sqlerr.NewError(1031, "Table storage engine for '%s' doesn't have this option", name)
		}
		return err
	}
}

// SayStorage remembers what an ALTER TABLE says of the storage of the table.
func (t *Table) SayStorage(ctx *sql.Context, tree *ast.AlterTable) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		def.Options = maps.Clone(def.Options)
		for _, a := range tree.Actions {
			if a, ok := a.(*ast.AlterOptions); ok {
				err := t.S.setStorage(def, a.Options)
				if hint := t.S.hintsAt(err); hint != nil {
					return sqlerr.NewError(1478, "Table storage engine 'InnoDB' does not support the create option '%s'", hint.Option)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// setStorage is tabledef.SetStorage in the session's innodb_strict_mode. Of a table of another engine,
// for which InnoDB stands, what InnoDB does not have is passed over without a warning.
func (s *Session) setStorage(def *catalog.Table, list []ast.TableOption) error {
	other := slices.ContainsFunc(list, func(o ast.TableOption) bool {
		return o.Kind == ast.OptionEngine && !strings.EqualFold(o.Name.Name, "InnoDB")
	})
	ignored, err := tabledef.SetStorage(def, list, s.on("innodb_strict_mode") && !other)
	if other {
		return err
	}
	for _, w := range ignored {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: w.Code, Message: w.Hint})
	}
	return err
}

// hintsAt warns of what InnoDB does not have; nil: err is none of its errors.
func (s *Session) hintsAt(err error) *tabledef.StorageError {
	var hint *tabledef.StorageError
	if errors.As(err, &hint) {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: hint.Code, Message: hint.Hint})
	}
	return hint
}
