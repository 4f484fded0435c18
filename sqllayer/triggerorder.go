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
)

// triggerText is what the text of a CREATE TRIGGER says.
type triggerText struct {
	definer, name, timing, event, table string
	tableAt                             [2]int // the place of the table's name, without its database
	follows, precedes                   string
	clause                              [2]int // the place of FOLLOWS or PRECEDES and the name
	body                                string
	lenient                             bool // IF NOT EXISTS
}

// parseTrigger reads the text of CREATE TRIGGER up to its body, which may be long: all triggers of
// a database are read for each statement that is planned.
func parseTrigger(text string) (t triggerText, ok bool) {
	text = strings.TrimRight(text, "; \t\r\n")
	next, stop := iter.Pull(wordsOf(text, 0))
	defer stop()
	w, more := next()
	step := func() { w, more = next() }
	name := func() (at word) { // the last part of one
		at = w
		if step(); w.text == "." {
			step()
			at = w
			step()
		}
		return at
	}
	if step(); w.is("definer") {
		step() // =
		step()
		from, to := w.from, w.to
		for ; more && !w.is("trigger"); step() {
			to = w.to
		}
		t.definer = text[from:to]
	}
	if !w.is("trigger") {
		return t, false
	}
	if step(); w.is("if") {
		t.lenient = true
		step() // NOT
		step() // EXISTS
		step()
	}
	t.name = bareName(name().text)
	t.timing = strings.ToUpper(w.text)
	step()
	t.event = strings.ToUpper(w.text)
	if step(); !isTriggerEvent(t.event) || !w.is("on") {
		return t, false
	}
	step()
	table := name()
	t.table, t.tableAt = bareName(table.text), [2]int{table.from, table.to}
	step() // EACH
	row := w
	if step(); w.is("row") {
		row = w
		step()
	}
	before := row.to
	if follows := w.is("follows"); follows || w.is("precedes") {
		to, from := &t.precedes, w.from
		if follows {
			to = &t.follows
		}
		step()
		*to, t.clause, before = bareName(w.text), [2]int{from, w.to}, w.to
		step()
	}
	t.body = strings.TrimLeft(text[before:], " \t\r\n") // comments are part of it
	return t, more
}

// beside is the trigger that it follows or precedes; "" if it is just the last.
func (t triggerText) beside() string { return t.follows + t.precedes }

// runsWith tells whether two triggers run one after the other.
func (t triggerText) runsWith(o triggerText) bool {
	return strings.EqualFold(t.table, o.table) && t.event == o.event && t.timing == o.timing
}

// listedTrigger is a trigger of a database.
type listedTrigger struct {
	triggerText
	storedTrigger
	order int64 // among those that it runs with
}

// triggers lists a database's triggers, those that run with each other in their order.
func (d *Database) triggers(ctx *sql.Context) (out []listedTrigger, err error) {
	all, err := list[storedTrigger](ctx, d, catalog.KindTrigger)
	out = inOrder(all)
	for i := range out {
		out[i].origin = out[i].completed(d, out[i].definer)
	}
	return out, err
}

// inOrder are triggers of a database, those that run with each other in their order.
func inOrder(all []storedTrigger) (out []listedTrigger) {
	slices.SortStableFunc(all, func(a, b storedTrigger) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for _, stored := range all {
		t, _ := parseTrigger(stored.CreateStatement)
		at := slices.IndexFunc(out, func(o listedTrigger) bool { return strings.EqualFold(o.name, t.beside()) })
		switch {
		case at < 0:
			at = len(out)
		case t.follows != "":
			at++
		}
		out = slices.Insert(out, at, listedTrigger{triggerText: t, storedTrigger: stored})
	}
	for i := range out {
		for _, before := range out[:i+1] {
			if before.runsWith(out[i].triggerText) {
				out[i].order++
			}
		}
	}
	return out
}

// triggersOf lists those that the session may see, as they were written.
func triggersOf(ctx *sql.Context, d *Database) ([]listedTrigger, error) {
	all, err := d.triggers(ctx)
	all = slices.DeleteFunc(all, func(t listedTrigger) bool { return !mayOn(ctx, d.name, t.table, sql.PrivilegeType_Trigger) })
	return all, err
}

// GetTriggers implements sql.TriggerDatabase.
func (d *Database) GetTriggers(ctx *sql.Context) ([]sql.TriggerDefinition, error) {
	s := sessionOf(ctx)
	if s != nil && !s.firesTriggers() {
		return nil, nil
	}
	listed, err := d.triggers(ctx)
	all := make([]sql.TriggerDefinition, len(listed))
	for i, t := range listed {
		create := t.CreateStatement
		all[i] = t.TriggerDefinition
		all[i].CreateStatement = s.firedText(create[:t.clause[0]]+create[t.clause[1]:], d.name)
		s.mayFire(all[i].CreateStatement, d, t.storedTrigger)
	}
	return all, err
}

// CreateTrigger implements sql.TriggerDatabase.
func (d *Database) CreateTrigger(ctx *sql.Context, def sql.TriggerDefinition) error {
	t, _ := parseTrigger(def.CreateStatement)
	s := sessionOf(ctx)
	s.mu.Lock()
	refused := s.checkWritable(tableName{d.name, t.table})
	s.mu.Unlock()
	if refused != nil {
		return refused
	}
	all, err := d.triggers(ctx)
	if err != nil {
		return err
	}
	found := t.beside() == ""
	for _, other := range all {
		if strings.EqualFold(other.Name, def.Name) {
			if t.lenient {
				ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 4099, Message: fmt.Sprintf("Trigger '%s' already exists on the table '%s'.'%s'.", def.Name, d.name, other.table)})
				return nil
			}
			return NewError(erTriggerExists, "Trigger already exists")
		}
		found = found || strings.EqualFold(other.name, t.beside()) && other.runsWith(t)
	}
	if !found {
		return NewError(3011, "Referenced trigger '%s' for the given action time and event type does not exist.", t.beside())
	}
	def.SqlMode = usualMode(def.SqlMode)
	o, err := newOrigin(ctx, t.definer)
	if err != nil {
		return err
	}
	return d.put(ctx, catalog.KindTrigger, def.Name, storedTrigger{def, o})
}

// DropTrigger implements sql.TriggerDatabase. The others keep their order.
func (d *Database) DropTrigger(ctx *sql.Context, name string) error {
	all, err := d.triggers(ctx)
	if err != nil {
		return err
	}
	if err := d.remove(ctx, catalog.KindTrigger, name, sql.ErrTriggerDoesNotExist.New(name)); err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(t listedTrigger) bool { return strings.EqualFold(t.Name, name) })
	for i, t := range all {
		if !strings.EqualFold(t.beside(), name) {
			continue
		}
		create := t.CreateStatement
		t.CreateStatement = create[:t.clause[0]] + placeClause(all, i) + create[t.clause[1]:]
		if err := d.put(ctx, catalog.KindTrigger, t.Name, t.storedTrigger); err != nil {
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
			return "FOLLOWS " + quoteName(before.name)
		}
	}
	if next := slices.IndexFunc(all[at:], older); next >= 0 {
		return "PRECEDES " + quoteName(all[at+next].name)
	}
	return ""
}
