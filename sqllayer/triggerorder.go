package sqllayer

// The texts of triggers and the order that they run in. GMS gets them in that order, and without
// their FOLLOWS and PRECEDES: it loses its way where one is gone that another names.

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// triggerText is what the text of a CREATE TRIGGER says.
type triggerText struct {
	definer, Name, Timing, Event, Table string
	tableAt                             [2]int // the place of the table's name, without its database
	follows, precedes                   string
	clause                              [2]int // the place of FOLLOWS or PRECEDES and the name
	Body                                string
	lenient                             bool // IF NOT EXISTS
}

// parseTrigger reads the text of CREATE TRIGGER up to its body, which may be long: all triggers of
// a database are read for each statement that is planned.
func parseTrigger(text string) (t triggerText, ok bool) {
	text = strings.TrimRight(text, "; \t\r\n")
	next, stop := iter.Pull(tabledef.WordsOf(text, 0))
	defer stop()
	w, more := next()
	step := func() { w, more = next() }
	name := func() (at tabledef.Word) { // the last part of one
		at = w
		if step(); w.Text == "." {
			step()
			at = w
			step()
		}
		return at
	}
	if step(); w.Is("definer") {
		step() // =
		step()
		from, to := w.From, w.To
		for ; more && !w.Is("trigger"); step() {
			to = w.To
		}
		t.definer = text[from:to]
	}
	if !w.Is("trigger") {
		return t, false
	}
	if step(); w.Is("if") {
		t.lenient = true
		step() // NOT
		step() // EXISTS
		step()
	}
	t.Name = trees.BareName(name().Text)
	t.Timing = strings.ToUpper(w.Text)
	step()
	t.Event = strings.ToUpper(w.Text)
	if step(); !isTriggerEvent(t.Event) || !w.Is("on") {
		return t, false
	}
	step()
	table := name()
	t.Table, t.tableAt = trees.BareName(table.Text), [2]int{table.From, table.To}
	step() // EACH
	row := w
	if step(); w.Is("row") {
		row = w
		step()
	}
	before := row.To
	if follows := w.Is("follows"); follows || w.Is("precedes") {
		to, from := &t.precedes, w.From
		if follows {
			to = &t.follows
		}
		step()
		*to, t.clause, before = trees.BareName(w.Text), [2]int{from, w.To}, w.To
		step()
	}
	t.Body = strings.TrimLeft(text[before:], " \t\r\n") // comments are part of it
	return t, more
}

// beside is the trigger that it follows or precedes; "" if it is just the last.
func (t triggerText) beside() string { return t.follows + t.precedes }

// runsWith tells whether two triggers run one after the other.
func (t triggerText) runsWith(o triggerText) bool {
	return strings.EqualFold(t.Table, o.Table) && t.Event == o.Event && t.Timing == o.Timing
}

// listedTrigger is a trigger of a database.
type listedTrigger struct {
	triggerText
	StoredTrigger
	Order int64 // among those that it runs with
}

// triggers lists a database's triggers, those that run with each other in their order.
func (d *Database) triggers(ctx *sql.Context) (out []listedTrigger, err error) {
	all, err := List[StoredTrigger](ctx, d, catalog.KindTrigger)
	out = inOrder(all)
	for i := range out {
		out[i].origin = out[i].Completed(d, out[i].definer)
	}
	return out, err
}

// inOrder are triggers of a database, those that run with each other in their order.
func inOrder(all []StoredTrigger) (out []listedTrigger) {
	slices.SortStableFunc(all, func(a, b StoredTrigger) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for _, stored := range all {
		t, _ := parseTrigger(stored.CreateStatement)
		at := slices.IndexFunc(out, func(o listedTrigger) bool { return strings.EqualFold(o.Name, t.beside()) })
		switch {
		case at < 0:
			at = len(out)
		case t.follows != "":
			at++
		}
		out = slices.Insert(out, at, listedTrigger{triggerText: t, StoredTrigger: stored})
	}
	for i := range out {
		for _, before := range out[:i+1] {
			if before.runsWith(out[i].triggerText) {
				out[i].Order++
			}
		}
	}
	return out
}

// TriggersOf lists those that the session may see, as they were written.
func TriggersOf(ctx *sql.Context, d *Database) ([]listedTrigger, error) {
	all, err := d.triggers(ctx)
	all = slices.DeleteFunc(all, func(t listedTrigger) bool { return !MayOn(ctx, d.name, t.Table, sql.PrivilegeType_Trigger) })
	return all, err
}

// GetTriggers implements sql.TriggerDatabase.
func (d *Database) GetTriggers(ctx *sql.Context) ([]sql.TriggerDefinition, error) {
	s := SessionOf(ctx)
	if s != nil && !s.firesTriggers() {
		return nil, nil
	}
	listed, err := d.triggers(ctx)
	all := make([]sql.TriggerDefinition, len(listed))
	for i, t := range listed {
		create := t.CreateStatement
		all[i] = t.TriggerDefinition
		all[i].CreateStatement = s.firedText(create[:t.clause[0]]+create[t.clause[1]:], d.name)
		s.mayFire(all[i].CreateStatement, d, t.StoredTrigger)
	}
	return all, err
}

// CreateTrigger implements sql.TriggerDatabase.
func (d *Database) CreateTrigger(ctx *sql.Context, def sql.TriggerDefinition) error {
	t, _ := parseTrigger(def.CreateStatement)
	written, ok := trees.StoredTree(def.CreateStatement).(*ast.CreateTrigger)
	if current := ctx.GetCurrentDatabase(); ok && !written.Name.Schema.Given() && current != "" && !strings.EqualFold(current, d.name) {
		return sqlerr.NewError(1435, "Trigger in wrong schema")
	}
	if err := d.mayChangeFiring(ctx, t.Table); err != nil {
		return err
	}
	all, err := d.triggers(ctx)
	if err != nil {
		return err
	}
	found := t.beside() == ""
	for _, other := range all {
		if strings.EqualFold(other.Name, def.Name) {
			if t.lenient {
				ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 4099, Message: fmt.Sprintf("Trigger '%s' already exists on the table '%s'.'%s'.", def.Name, d.name, other.Table)})
				return nil
			}
			return sqlerr.NewError(sqlerr.ErTriggerExists, "Trigger already exists")
		}
		found = found || strings.EqualFold(other.Name, t.beside()) && other.runsWith(t)
	}
	if !found {
		return sqlerr.NewError(3011, "Referenced trigger '%s' for the given action time and event type does not exist.", t.beside())
	}
	def.SqlMode = trees.UsualMode(def.SqlMode)
	o, err := newOrigin(ctx, t.definer)
	if err != nil {
		return err
	}
	if err := d.lockFiring(ctx, t.Table); err != nil {
		return err
	}
	return d.Put(ctx, catalog.KindTrigger, def.Name, StoredTrigger{def, o})
}

// mayChangeFiring refuses a change of the triggers of a table that LOCK TABLES has not locked for
// changes.
func (d *Database) mayChangeFiring(ctx *sql.Context, table string) error {
	s, at := SessionOf(ctx), tabledef.TableName{Schema: d.name, Name: table}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return orElse(s.checkLocked(at), s.checkWritable(at))
}

// lockFiring waits for the transactions that use a table, as MySQL does: none of them goes on with
// other triggers than it began with. Those that come wait until the statement has ended.
func (d *Database) lockFiring(ctx *sql.Context, table string) error {
	return d.Layer.define(ctx, func(def *definer) error {
		name, there, err := def.eng.Spelling(ctx, def.tx, d.name, table)
		if err != nil || !there {
			return err
		}
		return def.eng.LockMeta(def.s.Patient(ctx), def.tx, d.name, name, lock.MetaExclusive)
	})
}

// DropTrigger implements sql.TriggerDatabase. The others keep their order.
func (d *Database) DropTrigger(ctx *sql.Context, name string) error {
	all, err := d.triggers(ctx)
	if err != nil {
		return err
	}
	if at := slices.IndexFunc(all, func(t listedTrigger) bool { return strings.EqualFold(t.StoredTrigger.Name, name) }); at >= 0 {
		if err := d.mayChangeFiring(ctx, all[at].Table); err != nil {
			return err
		}
		if err := d.lockFiring(ctx, all[at].Table); err != nil {
			return err
		}
	}
	if err := d.remove(ctx, catalog.KindTrigger, name, sql.ErrTriggerDoesNotExist.New(name)); err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(t listedTrigger) bool { return strings.EqualFold(t.StoredTrigger.Name, name) })
	for i, t := range all {
		if !strings.EqualFold(t.beside(), name) {
			continue
		}
		create := t.CreateStatement
		t.CreateStatement = create[:t.clause[0]] + placeClause(all, i) + create[t.clause[1]:]
		if err := d.Put(ctx, catalog.KindTrigger, t.StoredTrigger.Name, t.StoredTrigger); err != nil {
			return err
		}
	}
	return nil
}

// placeClause says the place of a trigger among those that were there when it was created.
func placeClause(all []listedTrigger, at int) string {
	older := func(t listedTrigger) bool {
		return t.runsWith(all[at].triggerText) && t.CreatedAt.Before(all[at].CreatedAt)
	}
	for _, before := range slices.Backward(all[:at]) {
		if older(before) {
			return "FOLLOWS " + tabledef.QuoteName(before.Name)
		}
	}
	if next := slices.IndexFunc(all[at:], older); next >= 0 {
		return "PRECEDES " + tabledef.QuoteName(all[at+next].Name)
	}
	return ""
}
