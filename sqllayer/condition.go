package sqllayer

// Conditions of stored programs: what a statement ends with, who handles it, SIGNAL and RESIGNAL.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// handler is a declared handler.
type handler struct {
	frame  *frame // of the block that declares it
	exit   bool
	values []programs.ConditionValue
	body   ast.Statement
}

// handled is what a handler is for.
func (a *activation) handled(v ast.DeclareHandlerCondition) programs.ConditionValue {
	switch v.ValueType {
	case ast.DeclareHandlerCondition_MysqlErrorCode:
		return programs.ErrorCode(v.MysqlErrorCode)
	case ast.DeclareHandlerCondition_SqlState:
		return programs.ConditionValue{Kind: v.ValueType, State: strings.ToUpper(v.String)}
	case ast.DeclareHandlerCondition_ConditionName:
		named, _ := a.conditionNamed(v.String)
		return named
	}
	return programs.ConditionValue{Kind: v.ValueType}
}

func (a *activation) conditionNamed(name string) (programs.ConditionValue, bool) {
	for f := a.frame; f != nil; f = f.outer {
		if v, ok := f.names[strings.ToLower(name)]; ok {
			return v, true
		}
	}
	return programs.ConditionValue{}, false
}

// find looks for the handler of a condition: that of the nearest block which has one, there the
// closest, of equals the first.
func (f *frame) find(c programs.Condition) *handler {
	for f != nil {
		if f.handler {
			f = f.outer.outer
			continue
		}
		var found *handler
		best := 0
		for _, h := range f.handlers {
			for _, v := range h.values {
				if rank := v.Rank(c); rank > best {
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
	var last programs.Condition
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
func (a *activation) handle(h *handler, c programs.Condition) (*jump, error) {
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
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Stmt.Depth > 0 && s.Stmt.dead != nil
}

// settleLost forgets that the transaction was lost: a handler has been told.
func (s *Session) settleLost() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Stmt.dead = nil
}

// raised notes that a statement has failed.
func (s *Session) raised(err error) programs.Condition {
	e := sqlerr.Translate(err, s.GetCurrentDatabase())
	s.GetLastQueryInfo().RowCount.Store(-1)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	d := &s.diagnostics
	if d.Raised == nil || d.Raised.SQLError != e {
		d.Raised = &programs.Condition{SQLError: e, Level: programs.LevelError}
	}
	d.Current = append(warningsOf(s), *d.Raised)
	d.Fresh = nil
	return *d.Raised
}

// warningsOf are the session's warnings as conditions.
func warningsOf(s *Session) (out []programs.Condition) {
	for _, w := range s.Warnings() {
		e := sqlerr.NewError(w.Code, "%s", w.Message)
		if e.State == mysql.SSUnknownSQLState && w.Level != programs.LevelError {
			e.State = "01000"
		}
		out = append(out, programs.Condition{SQLError: e, Level: w.Level})
	}
	return out
}

// takeRaised gives the warnings that the last statement has left, once.
func (s *Session) takeRaised() []programs.Condition {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	fresh := s.diagnostics.Fresh
	s.diagnostics.Fresh = nil
	return fresh
}

// pushConditions begins a handler: what it is there for comes first.
func (s *Session) pushConditions(c programs.Condition) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	d := &s.diagnostics
	others := slices.DeleteFunc(slices.Clone(d.Current), func(o programs.Condition) bool { return o.SQLError == c.SQLError })
	d.Current = append([]programs.Condition{c}, others...)
	d.Stacked = append(d.Stacked, d.Current)
}

// popConditions ends it: what it has handled is gone, unless it stands under what leaves.
func (s *Session) popConditions(err error) {
	s.Mu.Lock()
	d := &s.diagnostics
	d.Stacked = d.Stacked[:len(d.Stacked)-1]
	d.Current, d.Fresh = nil, nil
	left := d.Raised
	s.Mu.Unlock()
	s.ClearWarnings()
	if err != nil && left != nil && left.Under != nil {
		s.BaseSession.Warn(&sql.Warning{Level: left.Under.Level, Code: left.Under.Num, Message: left.Under.Message})
	}
}

// signal raises a condition.
func (a *activation) signal(n *ast.Signal) error {
	a.s.afresh()
	return a.throw(a.signalled(n.SqlStateValue, n.ConditionName), n.Info)
}

// Signal runs a SIGNAL or RESIGNAL that stands in no program: as the only statement of one.
func (s *Session) Signal(ctx *sql.Context, text string) error {
	stmt, _, _, err := new(Parser).Parse(ctx, text, false)
	if err != nil {
		return err
	}
	if err := (&programs.Checker{Frame: &programs.CheckedFrame{}, Routine: "procedure"}).Statement(stmt); err != nil {
		return err
	}
	a := s.newActivation(ctx, &Database{}, "", s.layer.Engine)
	defer a.end()
	a.body = &program{Statement: stmt}
	return a.simple(stmt)
}

// signalled is the condition of a SQLSTATE, or of that name.
func (a *activation) signalled(state, name string) *programs.Condition {
	v := programs.ConditionValue{Kind: ast.DeclareHandlerCondition_SqlState, State: strings.ToUpper(state)}
	if name != "" {
		v, _ = a.conditionNamed(name)
	}
	return v.NewCondition()
}

// resignal raises the condition again that the running handler is there for.
func (a *activation) resignal(n *ast.Resignal) error {
	a.s.Mu.Lock()
	stacked := a.s.diagnostics.Stacked
	a.s.Mu.Unlock()
	if len(stacked) == 0 {
		return sqlerr.NewError(1645, "RESIGNAL when handler not active")
	}
	was := stacked[len(stacked)-1][0]
	e := *was.SQLError
	c := &programs.Condition{SQLError: &e, Level: was.Level, Items: was.Items, Under: was.Under}
	if n.SqlStateValue != "" || n.ConditionName != "" {
		c = a.signalled(n.SqlStateValue, n.ConditionName)
		c.Under = &was
	}
	err := a.throw(c, n.Info)
	if err != nil && err != error(c.SQLError) { // of an item: the condition stays before it
		e := sqlerr.Translate(err, a.s.GetCurrentDatabase())
		a.s.Mu.Lock()
		a.s.diagnostics.Raised = &programs.Condition{SQLError: e, Level: programs.LevelError, Under: &was}
		a.s.Mu.Unlock()
		return e
	}
	return err
}

// throw gives a condition its items and raises it.
func (a *activation) throw(c *programs.Condition, info []ast.SignalInfo) error {
	for _, item := range info {
		name := strings.ToUpper(string(item.ConditionItemName))
		v, _, err := a.Value(item.Value)
		if err != nil {
			return err
		}
		text, isText := programs.PlainText(a.parent, v)
		if name == "MYSQL_ERRNO" {
			if c.Num, err = a.errorCode(item.Value); err != nil || !isText || c.Num < 1 || c.Num > 65535 {
				return cmp.Or(err, programs.BadItem(name, text, isText))
			}
			continue
		}
		if !isText {
			return programs.BadItem(name, text, isText)
		}
		longest := programs.LongestItem
		if name == "MESSAGE_TEXT" {
			longest = programs.LongestMessage
		}
		if chars := []rune(text); len(chars) > longest {
			store := store.NewStorer(a.parent, false)
			if err := store.Complain(a.parent, 1648, "Data too long for condition item '%s'", name); err != nil {
				return err
			}
			text = string(chars[:longest])
		}
		if name == "MESSAGE_TEXT" {
			c.Message = text
			continue
		}
		items := make(map[string]string, len(c.Items)+1)
		for k, v := range c.Items {
			items[k] = v
		}
		items[name] = text
		c.Items = items
	}
	a.s.Mu.Lock()
	a.s.diagnostics.Raised = c
	a.s.Mu.Unlock()
	if c.Level != programs.LevelError {
		a.s.warnedBy(*c)
		return nil
	}
	return c.SQLError
}

// errorCode computes the value of MYSQL_ERRNO as a whole number.
func (a *activation) errorCode(e ast.Expr) (int, error) {
	v, _, err := a.Value(&ast.ConvertExpr{Expr: e, Type: &ast.ConvertType{Type: "signed"}})
	code, _ := v.(int64)
	return int(code), err
}

// warnedBy makes a condition the only warning.
func (s *Session) warnedBy(c programs.Condition) {
	s.ClearWarnings()
	s.BaseSession.Warn(&sql.Warning{Level: c.Level, Code: c.Num, Message: c.Message})
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.diagnostics.Current, s.diagnostics.Fresh = []programs.Condition{c}, []programs.Condition{c}
}
