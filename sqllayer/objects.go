package sqllayer

// Views, triggers and procedures: texts that GMS parses and runs, kept as catalog objects; events
// are in events.go. The object's name is the lower-case name, so that names are unique in any case;
// the name as written is in the data.

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/internal/base"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// List reads all objects of a kind, decoded.
func List[T any](ctx *sql.Context, d *Database, kind catalog.Kind) ([]T, error) {
	objs, err := d.stored(ctx, kind)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(objs))
	for i, o := range objs {
		if err := json.Unmarshal(o.Data, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Find reads one object; ok is false if there is none of that name.
func Find[T any](ctx *sql.Context, d *Database, kind catalog.Kind, name string) (v T, ok bool, err error) {
	o, ok, err := d.object(ctx, kind, name)
	if err != nil || !ok {
		return v, false, err
	}
	return v, true, json.Unmarshal(o.Data, &v)
}

// object is find for one that is not decoded.
func (d *Database) object(ctx *sql.Context, kind catalog.Kind, name string) (o catalog.Object, ok bool, err error) {
	objs, err := d.stored(ctx, kind)
	if err != nil {
		return o, false, err
	}
	name = strings.ToLower(name)
	i := sort.Search(len(objs), func(i int) bool { return objs[i].Name >= name })
	if i == len(objs) || objs[i].Name != name {
		return o, false, nil
	}
	return objs[i], true, nil
}

func (d *Database) stored(ctx *sql.Context, kind catalog.Kind) ([]catalog.Object, error) {
	s := SessionOf(ctx)
	if s == nil {
		return d.Layer.objects(ctx, nil, kind, d.name)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	objs, err := d.Layer.objects(ctx, s.reader(), kind, d.name)
	return objs, s.Note(err)
}

// Put stores an object.
func (d *Database) Put(ctx *sql.Context, kind catalog.Kind, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return d.Layer.define(ctx, func(def *definer) error {
		return def.eng.PutObject(ctx, def.tx, catalog.Object{Kind: kind, Schema: d.name, Name: strings.ToLower(name), Data: data})
	})
}

// remove deletes an object; missing is the error if there is none, which does not fail the
// statement (CREATE OR REPLACE).
func (d *Database) remove(ctx *sql.Context, kind catalog.Kind, name string, missing error) error {
	found := true
	err := d.Layer.define(ctx, func(def *definer) error {
		err := def.eng.DeleteObject(ctx, def.tx, kind, d.name, strings.ToLower(name))
		if errors.Is(err, base.ErrNotFound) {
			found = false
			return nil
		}
		return err
	})
	if err == nil && !found {
		err = missing
	}
	return err
}

// CreateView implements sql.ViewDatabase. A rename into another database, which has its name
// encoded, is none for views.
func (d *Database) CreateView(ctx *sql.Context, name, selectStatement, createStatement string) error {
	if to, ok := tabledef.DecodeRename(name); ok {
		return sqlerr.NewError(1450, "Changing schema from '%s' to '%s' is not allowed.", d.name, to.Schema)
	}
	if _, ok, err := d.GetTableInsensitive(ctx, name); err != nil || ok {
		if err == nil {
			err = sql.ErrTableAlreadyExists.New(name)
		}
		return err
	}
	if _, ok, err := d.GetViewDefinition(ctx, name); err != nil || ok {
		if err == nil {
			err = sql.ErrExistingView.New(d.name, name)
		}
		return err
	}
	v, _ := ParseView(createStatement)
	o, err := newOrigin(ctx, v.Definer)
	if err != nil {
		return err
	}
	mode, schema := trees.UsualMode(operand.Mode(ctx).String()), ctx.GetCurrentDatabase()
	if schema == "" {
		schema = d.name
	}
	return d.Put(ctx, catalog.KindView, name, StoredView{
		ViewDefinition: sql.ViewDefinition{Name: name, TextDefinition: selectStatement, CreateViewStatement: createStatement, SqlMode: mode},
		origin:         o, Resolved: d.Layer.resolvedView(ctx, schema, createStatement, mode),
	})
}

// DropView implements sql.ViewDatabase.
func (d *Database) DropView(ctx *sql.Context, name string) error {
	return d.remove(ctx, catalog.KindView, name, sql.ErrViewDoesNotExist.New(d.name, name))
}

// AllViews implements sql.ViewDatabase.
func (d *Database) AllViews(ctx *sql.Context) ([]sql.ViewDefinition, error) {
	return List[sql.ViewDefinition](ctx, d, catalog.KindView)
}

// renameTriggers writes the new name of a table into the texts of its triggers.
// REQUIRES: Session.mu.
func (d *definer) renameTriggers(ctx *sql.Context, from, to tabledef.TableName) error {
	return d.eachTrigger(ctx, from, func(o catalog.Object, def StoredTrigger, at, end int) (err error) {
		if from.Schema != to.Schema {
			return sqlerr.NewError(1435, "Trigger in wrong schema")
		}
		def.CreateStatement = def.CreateStatement[:at] + tabledef.QuoteName(to.Name) + def.CreateStatement[end:]
		if o.Data, err = json.Marshal(def); err != nil {
			return err
		}
		return d.eng.PutObject(ctx, d.tx, o)
	})
}

// dropTriggers drops the triggers of a table. REQUIRES: Session.mu.
func (d *definer) dropTriggers(ctx *sql.Context, of tabledef.TableName) error {
	return d.eachTrigger(ctx, of, func(o catalog.Object, _ StoredTrigger, _, _ int) error {
		return d.eng.DeleteObject(ctx, d.tx, catalog.KindTrigger, o.Schema, o.Name)
	})
}

// eachTrigger visits the triggers of a table, whose name is at that place of their texts.
func (d *definer) eachTrigger(ctx *sql.Context, of tabledef.TableName, visit func(o catalog.Object, def StoredTrigger, at, end int) error) error {
	stored, err := d.l.objects(ctx, d.tx, catalog.KindTrigger, of.Schema)
	if err != nil {
		return err
	}
	for _, o := range stored {
		var def StoredTrigger
		if err := json.Unmarshal(o.Data, &def); err != nil {
			return err
		}
		at, end := TriggerTable(def.CreateStatement)
		if !strings.EqualFold(trees.BareName(def.CreateStatement[at:end]), of.Name) {
			continue
		}
		if err := visit(o, def, at, end); err != nil {
			return err
		}
	}
	return nil
}

// TriggerTable is the place of the table's name, without its database, in the text of CREATE
// TRIGGER: behind the event and ON.
func TriggerTable(text string) (at, end int) {
	t, ok := parseTrigger(text)
	if !ok {
		return len(text), len(text)
	}
	return t.tableAt[0], t.tableAt[1]
}

func isTriggerEvent(word string) bool {
	return strings.EqualFold(word, "insert") || strings.EqualFold(word, "update") || strings.EqualFold(word, "delete")
}

// GetStoredProcedure implements sql.StoredProcedureDatabase.
func (d *Database) GetStoredProcedure(ctx *sql.Context, name string) (sql.StoredProcedureDetails, bool, error) {
	return Find[sql.StoredProcedureDetails](ctx, d, catalog.KindProcedure, name)
}

// GetStoredProcedures implements sql.StoredProcedureDatabase.
func (d *Database) GetStoredProcedures(ctx *sql.Context) ([]sql.StoredProcedureDetails, error) {
	return List[sql.StoredProcedureDetails](ctx, d, catalog.KindProcedure)
}

// SaveStoredProcedure implements sql.StoredProcedureDatabase.
func (d *Database) SaveStoredProcedure(ctx *sql.Context, p sql.StoredProcedureDetails) error {
	if name, lenient, ok := programs.FunctionOf(p.Name); ok {
		return d.saveFunction(ctx, p, name, lenient)
	}
	if text := strings.TrimRight(SessionOf(ctx).written(ctx), "; \t\r\n"); sameRoutine(text, p.Name) {
		p.CreateStatement = text // GMS has another
	}
	definer, lenient := "", false
	if r := ParseRoutine(p.CreateStatement); r != nil {
		definer, lenient, p.Name = r.Definer, r.lenient, r.name // GMS has the name in lower case
		if err := SessionOf(ctx).mayCreateExternal(ctx, d, r); err != nil {
			return err
		}
	}
	if _, ok, err := d.GetStoredProcedure(ctx, p.Name); err != nil || ok {
		switch {
		case err != nil:
			return err
		case lenient:
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: sqlerr.ErProcedureExists, Message: fmt.Sprintf("PROCEDURE %s already exists", p.Name)})
			return nil
		}
		return sql.ErrStoredProcedureAlreadyExists.New(p.Name)
	}
	p.SqlMode = trees.UsualMode(p.SqlMode)
	o, err := newOrigin(ctx, definer)
	if err != nil {
		return err
	}
	if err := d.Put(ctx, catalog.KindProcedure, p.Name, StoredProcedure{p, o}); err != nil {
		return err
	}
	return d.grantCreator(ctx, p.Name, true)
}

// DropStoredProcedure implements sql.StoredProcedureDatabase.
func (d *Database) DropStoredProcedure(ctx *sql.Context, name string) error {
	if function, lenient, ok := programs.FunctionOf(name); ok {
		return d.dropFunction(ctx, function, lenient)
	}
	if err := d.remove(ctx, catalog.KindProcedure, name, sql.ErrStoredProcedureDoesNotExist.New(name)); err != nil {
		return err
	}
	return d.revokeRoutine(ctx, name, true)
}
