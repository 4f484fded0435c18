package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sql/token"
	"emberdb/sqllayer"
)

// parsed reads the execution's statement, which must be of one kind. The error is the client's.
func parsed[S ast.Statement](x *execution) (S, error) {
	var none S
	statement, err := parseStatement(x.w, x.query, false)
	if err != nil {
		return none, parseError(err)
	}
	if s, ok := statement.(S); ok {
		return s, nil
	}
	return none, sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, 0))
}

// parseStatement reads a text as the session would; with multi, others may follow behind a semicolon.
func parseStatement(w *wireConn, text string, multi bool) (ast.Statement, error) {
	o := parse.Options{Multi: multi}
	if sqllayer.AnsiQuotes(w.session) {
		o.Mode = token.AnsiQuotes
	}
	r, err := parse.Parse(text, o)
	if err != nil {
		return nil, err
	}
	return r.Statement, nil
}

// mayUnrun refuses a statement that this server does not run to those who could not run it in MySQL.
func (x *execution) mayUnrun(ctx *sql.Context, text string) error {
	statement, err := parseStatement(x.w, text, false)
	if err != nil {
		return nil // told by who refuses the statement
	}
	x.h.s.rights(ctx) // the session's rights are there, to be looked at
	return sqllayer.UnrunRights(ctx, statement)
}

// parseError is the client's form of the parser's error.
func parseError(err error) error {
	if e, ok := err.(*parse.Error); ok {
		return sqllayer.NewError(int(e.Code), "%s", e.Text)
	}
	return err
}
