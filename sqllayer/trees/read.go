package trees

import (
	"errors"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqlstatement "emberdb/sql/statement"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// ReadStatement is a statement that was lowered.
type ReadStatement struct {
	Stmt ast.Statement
	Tree sqlast.Statement
	Text string // of the statement
	Rest string // the statements behind it
	Next int    // where they begin in the text that was read
	// Inner are statements of a stored program that is defined here, as they were read: queries,
	// changes of rows and CREATE TABLE; their places count in Source.
	Inner  map[ast.Statement]sqlast.Statement
	Source string
}

// Lowered reads and lowers the first statement of a text.
func Lowered(query string, o parse.Options, as lower.Options) (*ReadStatement, error) {
	text := strings.TrimLeft(query, " \t\n\v\f\r") // places in the tree count from its front
	found, err := parse.Parse(text, o)
	if err != nil {
		return nil, parseError(err)
	}
	if found.Statement == nil {
		return nil, ast.ErrEmpty
	}
	r := &ReadStatement{Text: text, Next: found.Next + len(query) - len(text)}
	if found.Next < len(text) {
		r.Text, r.Rest = text[:found.Next], text[found.Next:]
	}
	r.Text = sql.RemoveSpaceAndDelimiter(r.Text, ';')
	return LowerTree(r, text, found.Statement, o.Ended, as)
}

// parseError is what a client is told of an error of package parse.
func parseError(err error) error {
	var known *parse.Error
	if errors.As(err, &known) {
		return sqlerr.NewError(int(known.Code), "%s", known.Text)
	}
	return err
}

// LowerTree makes r the statement whose tree was read from query.
func LowerTree(r *ReadStatement, query string, tree sqlast.Statement, ended *atomic.Uint32, as lower.Options) (_ *ReadStatement, err error) {
	r.Tree, r.Source = tree, query
	switch tree.(type) {
	case *sqlast.CreateRoutine, *sqlast.CreateEvent, *sqlast.CreateTrigger:
		r.Inner = make(map[ast.Statement]sqlast.Statement)
		as.Inner = func(became ast.Statement, n sqlast.Statement) {
			switch n.(type) {
			case *sqlast.Query, *sqlast.Insert, *sqlast.Update, *sqlast.Delete, *sqlast.CreateTable:
				r.Inner[became] = n
			}
		}
	}
	if r.Stmt, err = lower.Statement(query, tree, as); err != nil {
		var u *lower.Unsupported
		if errors.As(err, &u) {
			err = sqlerr.NewError(1235, "This version of Ember doesn't yet support '%s'", (&sqlstatement.Statement{Text: query[tree.Pos():]}).Words(3))
		}
		return nil, err
	}
	r.Stmt, err = Limited(r.Stmt, r.Text, ended, nil)
	return r, err
}

// TreeOf lowers a text of the layer's own, or one that it has stored.
func TreeOf(text string, mode sqltoken.Mode) (ast.Statement, error) {
	r, err := Lowered(text, parse.Options{Mode: mode | sqltoken.Prepared, Version: tabledef.VersionNumber}, lower.Options{})
	if err != nil {
		return nil, err
	}
	return r.Stmt, nil
}

// ModeOf are the parts of a sql_mode that change how a text is read.
func ModeOf(names string) (mode sqltoken.Mode) {
	for name := range strings.SplitSeq(strings.ToUpper(names), ",") {
		mode |= ReadingModes[name]
	}
	return mode
}

// ReadingModes are the parts of sql_mode that change how a text is read. ANSI contains three of
// them.
var ReadingModes = map[string]sqltoken.Mode{
	"ANSI":                 sqltoken.AnsiQuotes | sqltoken.PipesAsConcat | sqltoken.IgnoreSpace | sqltoken.RealAsFloat,
	"ANSI_QUOTES":          sqltoken.AnsiQuotes,
	"PIPES_AS_CONCAT":      sqltoken.PipesAsConcat,
	"IGNORE_SPACE":         sqltoken.IgnoreSpace,
	"NO_BACKSLASH_ESCAPES": sqltoken.NoBackslashEscapes,
	"HIGH_NOT_PRECEDENCE":  sqltoken.HighNotPrecedence,
	"REAL_AS_FLOAT":        sqltoken.RealAsFloat,
}
