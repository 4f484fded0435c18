package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/trees"
)

// DefinedBy tells what kinds of stored objects have an account as their definer, in the order and
// words of MySQL's warnings.
func (l *Layer) DefinedBy(ctx *sql.Context, who trees.Role) (kinds []string, err error) {
	var event, view, routine, trigger bool
	for _, found := range l.Provider.databases(ctx) {
		d, ok := OwnDatabase(found)
		if !ok {
			continue
		}
		of := func(o origin, written string) bool { return RoleOf(o.Completed(d, written).Definer) == who }
		events, err := d.Events(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			event = event || e.Definer() == who
		}
		views, err := List[StoredView](ctx, d, catalog.KindView)
		if err != nil {
			return nil, err
		}
		for _, v := range views {
			t, _ := ParseView(v.CreateViewStatement)
			view = view || of(v.origin, t.Definer)
		}
		functions, err := List[StoredFunction](ctx, d, catalog.KindFunction)
		if err != nil {
			return nil, err
		}
		for _, f := range functions {
			routine = routine || RoleOf(f.Definer) == who
		}
		procedures, err := List[StoredProcedure](ctx, d, catalog.KindProcedure)
		if err != nil {
			return nil, err
		}
		for _, p := range procedures {
			routine = routine || of(p.origin, "")
		}
		triggers, err := List[StoredTrigger](ctx, d, catalog.KindTrigger)
		if err != nil {
			return nil, err
		}
		for _, t := range triggers {
			text, _ := parseTrigger(t.CreateStatement)
			trigger = trigger || of(t.origin, text.definer)
		}
	}
	for _, k := range []struct {
		is   bool
		kind string
	}{{event, "an event"}, {view, "a view"}, {routine, "a stored routine"}, {trigger, "a trigger"}} {
		if k.is {
			kinds = append(kinds, k.kind)
		}
	}
	return kinds, nil
}
