package replication

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
)

// query applies a Query event: the begin or end of a transaction, or a definition.
func (a *applier) query(h *replication.EventHeader, e *replication.QueryEvent) error {
	s, err := parseSession(e.StatusVars)
	if err != nil {
		return err
	}
	if a.maria {
		s.fromMariaDB()
	}
	text, err := s.text(e.Query, a.collations)
	if err != nil {
		return err
	}
	switch {
	case text == "BEGIN":
		return a.begin()
	case text == "COMMIT":
		return a.commit()
	case text == "ROLLBACK":
		_, err := a.target.Execute("ROLLBACK")
		a.open = false
		if err == nil {
			err = a.commit() // its GTID has been used
		}
		return err
	case strings.HasPrefix(text, "XA "):
		return a.xa(text)
	}
	if db := a.settings.Filters.rewritten(string(e.Schema)); db != string(e.Schema) {
		e.Schema = []byte(db)
	}
	create, creates := strings.CutSuffix(text, " START TRANSACTION")
	creates = creates || a.maria && a.open && createsTable(text)
	if a.open && !creates {
		return a.inside(h, e, &s, text)
	}
	clear(a.tables)
	if err := a.prepare(h, e, &s); err != nil {
		return err
	}
	if creates {
		return a.createFirst(create)
	}
	return a.definition(e, text)
}

// definition applies a statement that is a transaction of its own.
func (a *applier) definition(e *replication.QueryEvent, text string) error {
	if err := a.next(); err != nil {
		return err
	}
	a.target.Place(a.end)
	if !a.filtered(text, string(e.Schema)) {
		if _, err := a.target.Execute(text); err != nil {
			if err = a.passes(statementFault(err, e, text)); err != nil {
				return err
			}
		}
	}
	if err := a.claim(); err != nil {
		return err
	}
	return a.ended()
}

// inside applies a statement within a transaction: a savepoint, of which rows know nothing, or a
// change that was logged as a statement.
func (a *applier) inside(h *replication.EventHeader, e *replication.QueryEvent, s *session, text string) error {
	if isSavepoint(text) {
		_, err := a.target.Execute(text)
		return err
	}
	if a.rowFormat {
		return mysql.NewError(13161, "Cannot execute the current event group in the replica: it was logged as a statement, and REQUIRE_ROW_FORMAT is set")
	}
	if err := a.prepare(h, e, s); err != nil {
		return err
	}
	if a.filtered(text, string(e.Schema)) {
		return nil
	}
	_, err := a.target.Execute(text)
	if err != nil {
		err = a.passes(statementFault(err, e, text))
	}
	return err
}

func isSavepoint(text string) bool {
	text = strings.ToUpper(text[:min(len(text), 12)])
	return strings.HasPrefix(text, "SAVEPOINT") || strings.HasPrefix(text, "ROLLBACK TO") || strings.HasPrefix(text, "RELEASE SAV")
}

// filtered tells whether the rules of CHANGE REPLICATION FILTER pass a statement over.
func (a *applier) filtered(text, database string) bool {
	f := &a.settings.Filters
	if a.local == nil || len(f.DoDB)+len(f.IgnoreDB) == 0 && f.noTables() {
		return false
	}
	tables, db := a.local.Tables(text, database)
	return !f.statement(db, tables)
}

// statementFault is the error of a statement of the log.
func statementFault(err error, e *replication.QueryEvent, text string) error {
	var m *mysql.MyError
	if !errors.As(err, &m) {
		return err
	}
	return &eventFault{err, fmt.Sprintf("Error '%s' on query. Default database: '%s'. Query: '%.1024s'", m.Message, e.Schema, text)}
}
