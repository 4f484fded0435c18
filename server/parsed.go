package server

import (
	"emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sql/token"
	"emberdb/sqllayer"
)

// parsed reads the execution's statement, which must be of one kind. The error is the client's.
func parsed[S ast.Statement](x *execution) (S, error) {
	var none S
	o := parse.Options{}
	if sqllayer.AnsiQuotes(x.w.session) {
		o.Mode = token.AnsiQuotes
	}
	r, err := parse.Parse(x.query, o)
	if err != nil {
		return none, parseError(err)
	}
	if s, ok := r.Statement.(S); ok {
		return s, nil
	}
	return none, sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, 0))
}

// parseError is the client's form of the parser's error.
func parseError(err error) error {
	if e, ok := err.(*parse.Error); ok {
		return sqllayer.NewError(int(e.Code), "%s", e.Text)
	}
	return err
}
