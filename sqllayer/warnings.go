package sqllayer

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"
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
	w := warned{warnings: int(s.WarningCount())}
	if w.warnings > 0 {
		for _, one := range s.BaseSession.Warnings() {
			if one.Level == "Error" {
				w.errors++
			}
		}
	}
	return w
}

// forgetWarnings takes the last n warnings back.
func (s *Session) forgetWarnings(n int) {
	kept := s.Warnings()
	s.ClearWarnings()
	for _, w := range kept[:len(kept)-n] {
		s.BaseSession.Warn(w)
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
		if !s.layer.opts.Plain && s.later(w) {
			return
		}
		changed.Message = databaseNote.ReplaceAllString(changed.Message, "$1 '$2'; $3")
	}
	if strings.HasPrefix(w.Message, "EXPLAIN Output is") || w.Code == erDuplicateIndex {
		return // GMS takes indexes for equal that have as many columns: Table.CreateIndex warns
	}
	changed.Message = clipped(changed.Message)
	s.BaseSession.Warn(&changed)
}

// Bounds of messages: MySQL's own buffer, and what it shows of a value.
const (
	mostMessage = 511
	mostShown   = 128
)

// clipped is a message of at most mostMessage bytes. What is cut of a longer one is the value that
// it shows, if it shows one.
func clipped(message string) string {
	if len(message) <= mostMessage {
		return message
	}
	if before, value, ok := strings.Cut(message, ": '"); ok && len(before) < mostMessage-mostShown {
		end := strings.LastIndexByte(value, '\'')
		if end > mostShown && len(value)-end < mostMessage-mostShown-len(before)-len(": '") {
			return before + ": '" + strings.ToValidUTF8(value[:mostShown], "") + value[end:]
		}
	}
	return strings.ToValidUTF8(message[:mostMessage], "")
}

// ignored makes MySQL's warning of an error that IGNORE has made one.
func (s *Session) ignored(w *sql.Warning) {
	if known := brokenReference(sql.NewContext(context.Background(), sql.WithSession(s)), w.Message); known != nil {
		w.Level, w.Code, w.Message = "Warning", known.Num, known.Message
		return
	}
	if known := checkOption(w.Message); known != nil {
		w.Level, w.Code, w.Message = "Warning", known.Num, known.Message
		return
	}
	for _, kind := range plan.IgnorableErrors {
		for i := range errorRules {
			if r := &errorRules[i]; r.kind == kind && pattern(kind).MatchString(w.Message) {
				w.Level, w.Code, w.Message = "Warning", r.code, r.rewrite(w.Message, s.GetCurrentDatabase())
				return
			}
		}
	}
}
