package sqllayer

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/parse"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
)

const erDuplicateIndex = 1831

// Warnings implements sql.Session: as they came; GMS has the last one first.
func (s *Session) Warnings() []*sql.Warning {
	w := s.BaseSession.Warnings()
	slices.Reverse(w)
	return w
}

// warned is how many warnings there are, and how many of them are errors.
type warned struct{ warnings, errors int }

func (s *Session) warned() warned {
	kept := s.BaseSession.Warnings()
	w := warned{warnings: max(int(s.WarningCount()), len(kept))} // the list may be shorter, and SHOW WARNINGS tells a count of none
	for _, one := range kept {
		if one.Level == "Error" {
			w.errors++
		}
	}
	return w
}

// ForgetWarnings takes the last n warnings back.
func (s *Session) ForgetWarnings(n int) {
	kept := s.Warnings()
	s.BaseSession.ClearWarnings()
	for _, w := range kept[:len(kept)-n] {
		s.BaseSession.Warn(w)
	}
}

// SetWritten tells of the warnings that the statement gets for how it is written: they come before
// those of running it, and ClearWarnings keeps them.
func (s *Session) SetWritten(list []parse.Warning) { s.wording = list }

// ClearWarnings implements sql.Session.
func (s *Session) ClearWarnings() {
	s.BaseSession.ClearWarnings()
	s.warnOf(s.wording)
}

func (s *Session) warnOf(list []parse.Warning) {
	for _, w := range list {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: w.Code, Message: w.Text})
	}
}

// WarnFirst gives warnings before those there are.
func (s *Session) WarnFirst(list []parse.Warning) {
	before := make([]*sql.Warning, len(list))
	for i, w := range list {
		before[i] = &sql.Warning{Level: "Warning", Code: w.Code, Message: w.Text}
	}
	s.warnBehind(before)
}

// warnBehind puts what the session is warned of behind earlier warnings.
func (s *Session) warnBehind(before []*sql.Warning) {
	later := s.Warnings()
	s.BaseSession.ClearWarnings()
	for _, list := range [][]*sql.Warning{before, later} {
		for _, w := range list {
			s.BaseSession.Warn(w)
		}
	}
}

// leftBefore counts what the instruction of a program before has left.
func (s *Session) leftBefore() (w warned) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	w.warnings = len(s.diagnostics.Current)
	for _, c := range s.diagnostics.Current {
		if c.Level == programs.LevelError {
			w.errors++
		}
	}
	return w
}

// afresh forgets what the instruction of a program before has left, as each but GET DIAGNOSTICS
// does when it begins.
func (s *Session) afresh() {
	s.before = warned{}
	if s.WarningCount() > 0 {
		s.ClearWarnings()
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.diagnostics.Current, s.diagnostics.Fresh = nil, nil
}

// OwnWarnings begins a program whose warnings are its own. The returned function ends it: what the
// session was warned of before is there again, and behind it, if they stay, what the last
// instruction has left.
func (s *Session) OwnWarnings() (end func(stay bool)) {
	s.Mu.Lock()
	current, fresh := s.diagnostics.Current, s.diagnostics.Fresh
	s.Mu.Unlock()
	before, wording := s.Warnings(), s.wording
	s.wording = nil
	s.afresh()
	return func(stay bool) {
		s.wording = wording
		if !stay {
			s.BaseSession.ClearWarnings()
		}
		s.warnBehind(before)
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.diagnostics.Current, s.diagnostics.Fresh = current, fresh
	}
}

// Warn implements sql.Session: GMS's warnings leave with MySQL's level, code and text.
func (s *Session) Warn(w *sql.Warning) {
	changed := *w
	for _, prefix := range []string{"duplicate unique key given: ", "duplicate primary key given: "} {
		if text, ok := strings.CutPrefix(w.Message, prefix); ok {
			changed.Level, changed.Code, changed.Message = "Warning", mysql.ERDupEntry, text
		}
	}
	if w.Level == "Note" {
		s.ignored(&changed)
		changed.Message = databaseNote.ReplaceAllString(changed.Message, "$1 '$2'; $3")
	}
	if !s.layer.Opts.Plain && strings.HasPrefix(w.Message, "Setting CHARACTER SET, COLLATION and ENCRYPTION") {
		return // of CREATE DATABASE, which does set them
	}
	if strings.HasPrefix(w.Message, "EXPLAIN Output is") || w.Code == erDuplicateIndex {
		return // GMS takes indexes for equal that have as many columns: Table.CreateIndex warns
	}
	if changed.Level == "Note" && !s.layer.Opts.Plain && !s.settings().notes {
		return
	}
	changed.Message = sqlerr.Clipped(changed.Message)
	s.BaseSession.Warn(&changed)
}

// AddNote gives the session a note in MySQL's words.
func (s *Session) AddNote(code int, text string) {
	if s.KeepsNotes() {
		s.BaseSession.Warn(&sql.Warning{Level: "Note", Code: code, Message: text})
	}
}

// ignored makes MySQL's warning of an error that IGNORE has made one.
func (s *Session) ignored(w *sql.Warning) {
	if known := brokenReference(sql.NewContext(context.Background(), sql.WithSession(s)), w.Message); known != nil {
		w.Level, w.Code, w.Message = "Warning", known.Num, known.Message
		return
	}
	if known := sqlerr.CheckOption(w.Message); known != nil {
		w.Level, w.Code, w.Message = "Warning", known.Num, known.Message
		return
	}
	for _, kind := range plan.IgnorableErrors {
		for i := range sqlerr.ErrorRules {
			if r := &sqlerr.ErrorRules[i]; r.Kind == kind && sqlerr.Pattern(kind).MatchString(w.Message) {
				w.Level, w.Code, w.Message = "Warning", r.Code, r.Rewrite(w.Message, s.GetCurrentDatabase())
				return
			}
		}
	}
}

// IF EXISTS and IF NOT EXISTS: the notes of MySQL, of which GMS gives some, in words of its own.

var databaseNote = regexp.MustCompile(`^(Can't (?:create|drop) database) (.*); (database (?:exists|doesn't exist)) $`)

// GET DIAGNOSTICS, which the grammar lacks: a SET whose values are calls of package expr's
// functions. What it tells of is what SHOW WARNINGS lists, and in a stored program what its last
// statement has ended with.

func init() { operand.Diagnostics = diagnosed }

// diagnosed gives an item of a diagnostics area; number is that of a condition, 0 for the
// statement's items.
func diagnosed(ctx *sql.Context, item string, number int64, stacked bool) (any, error) {
	s := SessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	conditions, err := s.conditions(stacked)
	if err != nil {
		return nil, err
	}
	switch item {
	case "NUMBER":
		return uint64(len(conditions)), nil
	case "ROW_COUNT":
		return s.GetLastQueryInfo().RowCount.Load(), nil
	}
	if number < 1 || number > int64(len(conditions)) {
		ctx.Session.Warn(&sql.Warning{Level: "Error", Code: 1758, Message: "Invalid condition number"})
		return nil, nil
	}
	c := conditions[number-1]
	if said, ok := c.Items[item]; ok {
		return said, nil
	}
	switch item {
	case "MYSQL_ERRNO":
		return uint64(c.Num), nil
	case "RETURNED_SQLSTATE":
		return c.State, nil
	case "MESSAGE_TEXT":
		return c.Message, nil
	case "CLASS_ORIGIN", "SUBCLASS_ORIGIN":
		return "ISO 9075", nil
	}
	return "", nil
}

// conditions are what the last statement ended with; stacked: that whose handler runs.
func (s *Session) conditions(stacked bool) ([]programs.Condition, error) {
	s.Mu.Lock()
	runs, d := s.Program != nil, s.diagnostics
	s.Mu.Unlock()
	switch {
	case stacked && len(d.Stacked) == 0:
		return nil, sqlerr.NewError(3004, "GET STACKED DIAGNOSTICS when handler not active")
	case stacked:
		return d.Stacked[len(d.Stacked)-1], nil
	case runs:
		return d.Current, nil
	}
	left := warningsOf(s)
	for i := range left {
		if was := d.Raised; was != nil && was.Num == left[i].Num && was.Message == left[i].Message {
			left[i] = *was
		}
	}
	return left, nil
}
