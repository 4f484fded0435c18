package sqllayer

// Triggers of statements that run straight on the engine: they run as stored programs do, which the
// session keeps. Columns of OLD and NEW become variables when they are asked for.
//
// A statement that is left to GMS after triggers have run is undone; what they did to variables of
// the session, and to what it says of its last statement, is undone with it.

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// TriggerEvent is what happens to a row.
type TriggerEvent uint8

// The events.
const (
	OnInsert TriggerEvent = iota
	OnUpdate
	OnDelete
)

var triggerEvents = [...]string{OnInsert: "INSERT", OnUpdate: "UPDATE", OnDelete: "DELETE"}

// moment is when a trigger runs.
type moment struct {
	event TriggerEvent
	after bool
}

// directTriggers are the names of a table's triggers, those of a moment in their order.
type directTriggers map[moment][]string

func (t directTriggers) equal(u directTriggers) bool {
	if len(t) != len(u) {
		return false
	}
	for at, names := range t {
		if !slices.Equal(names, u[at]) {
			return false
		}
	}
	return true
}

// Fires tells whether the table has triggers for an event.
func (t *DirectTable) Fires(event TriggerEvent) bool {
	return len(t.triggers[moment{event, false}])+len(t.triggers[moment{event, true}]) > 0
}

// FiresAt tells whether the table has triggers before or after an event.
func (t *DirectTable) FiresAt(event TriggerEvent, after bool) bool {
	return len(t.triggers[moment{event, after}]) > 0
}

// TriggersOf lists a table's triggers; ok is false if one of them cannot be read.
func (l *Layer) triggersOf(ctx context.Context, t *catalog.Table) (out directTriggers, ok bool, err error) {
	stored, err := l.objects(ctx, nil, catalog.KindTrigger, t.Schema)
	if err != nil || len(stored) == 0 {
		return nil, true, err
	}
	all := make([]StoredTrigger, len(stored))
	for i, o := range stored {
		if err := json.Unmarshal(o.Data, &all[i]); err != nil {
			return nil, false, err
		}
	}
	for _, listed := range inOrder(all) {
		if listed.Table == "" {
			return nil, false, nil
		}
		if !strings.EqualFold(listed.Table, t.Name) {
			continue
		}
		if out == nil {
			out = make(directTriggers)
		}
		at := moment{TriggerEvent(slices.Index(triggerEvents[:], listed.Event)), listed.Timing == "AFTER"}
		out[at] = append(out[at], listed.Name)
	}
	return out, true, nil
}

// MayFireDirect tells whether triggers of the statement may run as programs here.
// REQUIRES: after OpenDirect.
func (s *Session) MayFireDirect() bool { return s.locked == nil && !s.replica.quiet }

// FireDirect runs a table's triggers for a row; old or vals is nil where there is no such row.
// Triggers before the event may change vals. mine is false if GMS has to run the statement.
// REQUIRES: after OpenDirect.
func (s *Session) FireDirect(ctx *sql.Context, t *DirectTable, event TriggerEvent, after bool, old, vals []row.Value) (mine bool, err error) {
	s.Stmt.own = false // what triggers run may remember the transaction
	if s.beforeFire == nil {
		s.beforeFire = s.sessionState()
	}
	part, fired, info := s.Stmt.part, s.beforeFire, s.GetLastQueryInfo()
	before, root := stateOf(info), s.Stmt.root
	s.beforeFire = nil
	s.Mu.Unlock()
	defer func() {
		before.restore(info)
		s.Mu.Lock()
		s.Stmt.part, s.beforeFire = part, fired
	}()
	found, err := s.layer.Provider.Database(ctx, t.Def.Schema)
	if err != nil {
		return true, err
	}
	d, ok := OwnDatabase(found)
	if !ok {
		return false, nil
	}
	for _, name := range t.triggers[moment{event, after}] {
		rows := &triggerRows{table: t, zone: s.Zone(), old: old, vals: vals, fixed: after || event == OnDelete, number: event == OnInsert && !after}
		mine, err = s.fireDirect(ctx, d, name, rows)
		s.Mu.Lock()
		s.Stmt.root = root // a part's plan is not the statement's
		s.Mu.Unlock()
		if err != nil || !mine {
			return mine, err
		}
	}
	return true, nil
}

// fireDirect runs one trigger.
func (s *Session) fireDirect(ctx *sql.Context, d *Database, name string, rows *triggerRows) (mine bool, err error) {
	p, err := s.readyProgram(ctx, d, catalog.KindTrigger, name, readTrigger)
	if err != nil || p == nil {
		return false, err
	}
	large := true
	defer func() { s.Done(p, large) }()
	if p.texts {
		return false, nil
	}
	restore, err := s.inMode(ctx, p.mode)
	if err != nil {
		return true, err
	}
	defer restore()
	leave, err := s.become(ctx, p.definer)
	if err != nil {
		return true, err
	}
	defer leave()
	table := rows.table.Def
	if s.layer.checksRights() && !MayOn(ctx, d.name, table.Name, sql.PrivilegeType_Trigger) {
		return true, sqlerr.NewError(1142, "TRIGGER command denied to user %s for table '%s'", p.definer.Quoted(), table.Name)
	}
	if err := mayUseRow(ctx, p.definer, d.name, table.Name, &p.row); err != nil {
		return true, err
	}
	s.EnterTrigger(tabledef.TableName{Schema: d.name, Name: table.Name})
	defer s.LeaveTrigger()
	end := s.OwnWarnings()
	defer func() { end(err != nil) }()
	a := s.newActivation(ctx, d, name, s.layer.Engine)
	defer a.end()
	a.frame.rows = rows
	if err = a.run(p.body); err == nil {
		err = rows.failed
	}
	large = a.large || rows.large
	if err != nil {
		return true, err
	}
	return rows.store(ctx), nil
}

// readTrigger makes a trigger ready.
func readTrigger(ctx *sql.Context, d *Database, data []byte) (*callable, string, error) {
	var stored StoredTrigger
	if err := json.Unmarshal(data, &stored); err != nil {
		return nil, "", err
	}
	text := stored.CreateStatement
	t, _ := parseTrigger(text)
	ddl, err := d.readText(ctx, text, stored.SqlMode)
	if err != nil {
		return nil, "", err
	}
	if ddl.TriggerSpec != nil {
		if injected, ok := ddl.TriggerSpec.Body.(ast.InjectedStatement); ok {
			if b, ok := injected.Statement.(*triggerBody); ok {
				definer := RoleOf(stored.Completed(d, t.definer).Definer)
				return &callable{db: d, name: stored.Name, body: b.body, mode: stored.SqlMode, definer: definer, texts: hasTexts(b.body), row: rowColumnsOf(text)}, text, nil
			}
		}
	}
	return nil, "", fmt.Errorf("trigger %s.%s cannot be read", d.name, stored.Name)
}

// hasTexts tells whether a program has statements that run by their text.
func hasTexts(body *program) (has bool) {
	look := func(v reflect.Value) (within bool) {
		if stmt, ok := v.Interface().(ast.Statement); ok {
			text, _, is := programs.CalledText(stmt)
			has = has || is && !strings.EqualFold(string(text.Val), "do")
		}
		return !has
	}
	(&programs.Visitor{Seen: make(map[uintptr]bool), Look: look}).Value(reflect.ValueOf(body.Statement))
	return has
}

// triggerRows are the rows of a trigger that runs.
type triggerRows struct {
	table     *DirectTable
	zone      *time.Location
	old, vals []row.Value
	fixed     bool // NEW may not be changed
	number    bool // AUTO_INCREMENT values are made later
	made      []rowVariable
	large     bool
	failed    error
}

// rowVariable is a column of OLD or NEW that was asked for.
type rowVariable struct {
	programs.Variable
	name   string
	column int
	given  any
}

// variable finds the variable of a column by its name, which begins with the row's; nil: it is none.
func (r *triggerRows) variable(name string) *programs.Variable {
	for i := range r.made {
		if r.made[i].name == name {
			return &r.made[i].Variable
		}
	}
	which, column, ok := strings.Cut(name, ".")
	vals := r.vals
	if which == "old" {
		vals = r.old
	}
	if !ok || vals == nil || which != "old" && which != "new" {
		return nil
	}
	at := r.table.TableDef.Find(column)
	if at < 0 {
		return nil
	}
	if r.made == nil {
		r.made = make([]rowVariable, 0, 2*len(r.table.TableDef.Columns)) // their places stay
	}
	c := r.table.TableDef.Columns[at]
	v := rowVariable{name: name, column: at}
	v.Variable = programs.Variable{Column: &sql.Column{Name: c.Name, Type: c.Type, Nullable: true}, Fixed: which == "old" || r.fixed}
	stored := vals[at]
	if r.number && at == r.table.Def.AutoInc && stored.IsNull() {
		stored.Kind = row.Uint
		if r.table.TableDef.Cols[at].Type <= row.TInt64 {
			stored = row.IntValue(0)
		}
	}
	var err error
	if v.Value, err = r.table.Decode(r.zone, at, stored); err != nil {
		r.failed = err
	}
	v.given = v.Value
	r.large = r.large || isLarge(v.Value)
	r.made = append(r.made, v)
	return &r.made[len(r.made)-1].Variable
}

// store gives the row what the trigger has made of it; false if a value is not one of its column.
func (r *triggerRows) store(ctx *sql.Context) bool {
	for i := range r.made {
		v := &r.made[i]
		if v.Fixed || !v.Changed {
			continue
		}
		out, ok := r.table.StoreAlone(ctx, v.column, v.Value)
		if !ok || out.IsNull() && !r.table.TableDef.Cols[v.column].Nullable {
			return false
		}
		r.vals[v.column] = out
	}
	return true
}

// lastState is what a session says of its last statement.
type lastState struct{ inserted, changed, found int64 }

func stateOf(info *sql.LastQueryInfo) lastState {
	return lastState{info.LastInsertId.Load(), info.RowCount.Load(), info.FoundRows.Load()}
}

func (s lastState) restore(info *sql.LastQueryInfo) {
	info.LastInsertId.Store(s.inserted)
	info.RowCount.Store(s.changed)
	info.FoundRows.Store(s.found)
}

// sessionState is what triggers may change in a session.
type sessionState struct {
	last  lastState
	users map[string]userValue
}

type userValue struct {
	value any
	typ   sql.Type
}

// sessionState notes the state before the first trigger of a statement runs.
func (s *Session) sessionState() *sessionState {
	out := &sessionState{last: stateOf(s.GetLastQueryInfo())}
	for name := range s.userNames {
		if t, v, err := s.GetUserVariable(nil, name); err == nil {
			if out.users == nil {
				out.users = make(map[string]userValue, len(s.userNames))
			}
			out.users[name] = userValue{v, t}
		}
	}
	return out
}

// restoreState brings the state back that triggers have changed.
func (s *Session) restoreState(before *sessionState) {
	if before == nil {
		return
	}
	before.last.restore(s.GetLastQueryInfo())
	for name := range s.userNames {
		v := before.users[name]
		_ = s.BaseSession.SetUserVariable(nil, name, v.value, v.typ)
	}
}
