package sqllayer

// Conditions of stored programs: what a statement ends with, who handles it, SIGNAL and RESIGNAL.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// The levels of conditions.
const (
	levelError   = "Error"
	levelWarning = "Warning"
	levelNote    = "Note"
)

// condition is what a statement ends with: an error, a warning or a note.
type condition struct {
	*mysql.SQLError
	level string
	under *condition        // what RESIGNAL has put it over
	items map[string]string // set by SIGNAL, by the names of GET DIAGNOSTICS
}

// diagnostics are the diagnostics areas of the programs that run.
type diagnostics struct {
	current []condition   // of the last statement that has left something
	stacked [][]condition // of the statements whose handlers run
	raised  *condition    // the last error, with what SIGNAL has said of it
	fresh   []condition   // warnings that no handler was asked for yet
}

// conditionValue is what a handler or the name of a condition is for.
type conditionValue struct {
	kind  ast.DeclareHandlerConditionValue
	code  int
	state string
}

// handler is a declared handler.
type handler struct {
	frame  *frame // of the block that declares it
	exit   bool
	values []conditionValue
	body   ast.Statement
}

// declaredCondition is what a DECLARE ... CONDITION stands for.
func declaredCondition(n *ast.DeclareCondition) conditionValue {
	if n.MysqlErrorCode != nil {
		return errorCode(n.MysqlErrorCode)
	}
	return conditionValue{kind: ast.DeclareHandlerCondition_SqlState, state: strings.ToUpper(n.SqlStateValue)}
}

func errorCode(v *ast.SQLVal) conditionValue {
	code, _ := strconv.Atoi(string(v.Val)) // 0, which is none, was refused
	return conditionValue{kind: ast.DeclareHandlerCondition_MysqlErrorCode, code: code}
}

// handled is what a handler is for.
func (a *activation) handled(v ast.DeclareHandlerCondition) conditionValue {
	switch v.ValueType {
	case ast.DeclareHandlerCondition_MysqlErrorCode:
		return errorCode(v.MysqlErrorCode)
	case ast.DeclareHandlerCondition_SqlState:
		return conditionValue{kind: v.ValueType, state: strings.ToUpper(v.String)}
	case ast.DeclareHandlerCondition_ConditionName:
		named, _ := a.conditionNamed(v.String)
		return named
	}
	return conditionValue{kind: v.ValueType}
}

func (a *activation) conditionNamed(name string) (conditionValue, bool) {
	for f := a.frame; f != nil; f = f.outer {
		if v, ok := f.names[strings.ToLower(name)]; ok {
			return v, true
		}
	}
	return conditionValue{}, false
}

// rank tells how closely a value describes a condition, 0: not at all.
func (v conditionValue) rank(c condition) int {
	matches, rank := false, 1
	switch class := c.State[:2]; v.kind {
	case ast.DeclareHandlerCondition_MysqlErrorCode:
		matches, rank = v.code == c.Num, 3
	case ast.DeclareHandlerCondition_SqlState:
		matches, rank = v.state == c.State, 2
	case ast.DeclareHandlerCondition_SqlWarning:
		matches = class == "01" || c.level == levelWarning
	case ast.DeclareHandlerCondition_NotFound:
		matches = class == "02"
	case ast.DeclareHandlerCondition_SqlException:
		matches = c.level == levelError && class != "00" && class != "01" && class != "02"
	}
	if !matches {
		return 0
	}
	return rank
}

// find looks for the handler of a condition: that of the nearest block which has one, there the
// closest, of equals the first.
func (f *frame) find(c condition) *handler {
	for f != nil {
		if f.handler {
			f = f.outer.outer
			continue
		}
		var found *handler
		best := 0
		for _, h := range f.handlers {
			for _, v := range h.values {
				if rank := v.rank(c); rank > best {
					found, best = h, rank
				}
			}
		}
		if found != nil {
			return found
		}
		f = f.outer
	}
	return nil
}

// caught offers what a statement has ended with to the handlers. An error that nobody takes ends
// the program.
func (a *activation) caught(err error) (*jump, error) {
	if err != nil {
		if a.parent.Err() != nil || a.s.lostTransaction() {
			return nil, err
		}
		c := a.s.raised(err)
		if h := a.frame.find(c); h != nil {
			return a.handle(h, c)
		}
		return nil, err
	}
	var h *handler
	var last condition
	for _, c := range a.s.takeRaised() {
		if found := a.frame.find(c); found != nil {
			h, last = found, c
		}
	}
	if h == nil {
		return nil, nil
	}
	return a.handle(h, last)
}

// handle runs a handler.
func (a *activation) handle(h *handler, c condition) (*jump, error) {
	a.s.pushConditions(c)
	a.s.settleLost()
	j, err := a.within(&frame{outer: h.frame, handler: true}, func() (*jump, error) { return a.statement(h.body) })
	a.s.popConditions(err)
	if err == nil && j == nil && h.exit {
		j = &jump{to: h.frame}
	}
	return j, err
}

// lostTransaction tells that the transaction was rolled back under a statement whose part the
// program is.
func (s *Session) lostTransaction() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stmt.depth > 0 && s.stmt.dead != nil
}

// settleLost forgets that the transaction was lost: a handler has been told.
func (s *Session) settleLost() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stmt.dead = nil
}

// raised notes that a statement has failed.
func (s *Session) raised(err error) condition {
	e := Translate(err, s.GetCurrentDatabase())
	s.GetLastQueryInfo().RowCount.Store(-1)
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &s.diagnostics
	if d.raised == nil || d.raised.SQLError != e {
		d.raised = &condition{SQLError: e, level: levelError}
	}
	d.current = append(warningsOf(s), *d.raised)
	d.fresh = nil
	return *d.raised
}

// warningsOf are the session's warnings as conditions.
func warningsOf(s *Session) (out []condition) {
	for _, w := range s.Warnings() {
		e := NewError(w.Code, "%s", w.Message)
		if e.State == mysql.SSUnknownSQLState && w.Level != levelError {
			e.State = "01000"
		}
		out = append(out, condition{SQLError: e, level: w.Level})
	}
	return out
}

// takeRaised gives the warnings that the last statement has left, once.
func (s *Session) takeRaised() []condition {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := s.diagnostics.fresh
	s.diagnostics.fresh = nil
	return fresh
}

// pushConditions begins a handler: what it is there for comes first.
func (s *Session) pushConditions(c condition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &s.diagnostics
	others := slices.DeleteFunc(slices.Clone(d.current), func(o condition) bool { return o.SQLError == c.SQLError })
	d.current = append([]condition{c}, others...)
	d.stacked = append(d.stacked, d.current)
}

// popConditions ends it: what it has handled is gone, unless it stands under what leaves.
func (s *Session) popConditions(err error) {
	s.mu.Lock()
	d := &s.diagnostics
	d.stacked = d.stacked[:len(d.stacked)-1]
	d.current, d.fresh = nil, nil
	left := d.raised
	s.mu.Unlock()
	s.ClearWarnings()
	if err != nil && left != nil && left.under != nil {
		s.BaseSession.Warn(&sql.Warning{Level: left.under.level, Code: left.under.Num, Message: left.under.Message})
	}
}

// signal raises a condition.
func (a *activation) signal(n *ast.Signal) error {
	return a.throw(a.signalled(n.SqlStateValue, n.ConditionName), n.Info)
}

// signalled is the condition of a SQLSTATE, or of that name.
func (a *activation) signalled(state, name string) *condition {
	v := conditionValue{kind: ast.DeclareHandlerCondition_SqlState, state: strings.ToUpper(state)}
	if name != "" {
		v, _ = a.conditionNamed(name)
	}
	return v.newCondition()
}

// newCondition is a condition that SIGNAL makes.
func (v conditionValue) newCondition() *condition {
	c := &condition{SQLError: mysql.NewSQLError(1644, v.state, "Unhandled user-defined exception condition"), level: levelError}
	switch v.state[:2] {
	case "01":
		c.Num, c.Message, c.level = 1642, "Unhandled user-defined warning condition", levelWarning
	case "02":
		c.Num, c.Message = 1643, "Unhandled user-defined not found condition"
	}
	return c
}

// resignal raises the condition again that the running handler is there for.
func (a *activation) resignal(n *ast.Resignal) error {
	a.s.mu.Lock()
	stacked := a.s.diagnostics.stacked
	a.s.mu.Unlock()
	if len(stacked) == 0 {
		return NewError(1645, "RESIGNAL when handler not active")
	}
	was := stacked[len(stacked)-1][0]
	e := *was.SQLError
	c := &condition{SQLError: &e, level: was.level, items: was.items, under: was.under}
	if n.SqlStateValue != "" || n.ConditionName != "" {
		c = a.signalled(n.SqlStateValue, n.ConditionName)
		c.under = &was
	}
	return a.throw(c, n.Info)
}

// longest are the characters that an item may have.
const (
	longestItem    = 64
	longestMessage = 128
)

// throw gives a condition its items and raises it.
func (a *activation) throw(c *condition, info []ast.SignalInfo) error {
	for _, item := range info {
		name := strings.ToUpper(string(item.ConditionItemName))
		v, _, err := a.value(item.Value)
		if err != nil {
			return err
		}
		text, isText := plainText(a.parent, v)
		if name == "MYSQL_ERRNO" {
			code, err := strconv.Atoi(text)
			if !isText || err != nil || code < 1 || code > 65535 {
				return badItem(name, text, isText)
			}
			c.Num = code
			continue
		}
		if !isText {
			return badItem(name, text, isText)
		}
		longest := longestItem
		if name == "MESSAGE_TEXT" {
			longest = longestMessage
		}
		if chars := []rune(text); len(chars) > longest {
			store := newStorer(a.parent, false)
			if err := store.complain(a.parent, 1648, "Data too long for condition item '%s'", name); err != nil {
				return err
			}
			text = string(chars[:longest])
		}
		if name == "MESSAGE_TEXT" {
			c.Message = text
			continue
		}
		items := make(map[string]string, len(c.items)+1)
		for k, v := range c.items {
			items[k] = v
		}
		items[name] = text
		c.items = items
	}
	a.s.mu.Lock()
	a.s.diagnostics.raised = c
	a.s.mu.Unlock()
	if c.level != levelError {
		a.s.warnedBy(*c)
		return nil
	}
	return c.SQLError
}

func badItem(name, value string, isText bool) error {
	if !isText {
		value = "NULL"
	}
	return NewError(1231, "Variable '%s' can't be set to the value of '%s'", name, value)
}

// plainText is a value as text; false: NULL.
func plainText(ctx *sql.Context, v any) (string, bool) {
	if v == nil {
		return "", false
	}
	text, _, err := types.LongText.Convert(ctx, v)
	if err != nil {
		return "", false
	}
	s, ok := text.(string)
	return s, ok
}

// warnedBy makes a condition the only warning.
func (s *Session) warnedBy(c condition) {
	s.ClearWarnings()
	s.BaseSession.Warn(&sql.Warning{Level: c.level, Code: c.Num, Message: c.Message})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.diagnostics.current, s.diagnostics.fresh = []condition{c}, []condition{c}
}
