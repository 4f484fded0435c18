package sqllayer

// How a text becomes a tree of GMS's grammar: package parse reads it and package lower makes the tree. What is not lowered goes through the passes over
// the text and the library's grammar; notLowered counts them by their reasons.

import (
	"context"
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/lower"
)

// readStatement is a statement that was lowered.
type readStatement struct {
	stmt ast.Statement
	text string // of the statement
	rest string // the statements behind it
	next int    // where they begin in the text that was read
}

// readMode is how the session's texts are read. Backslashes are escapes in them, see EscapeBackslashes.
func readMode(ctx context.Context, o ast.ParserOptions) sqltoken.Mode {
	mode := sqltoken.Prepared
	if o.AnsiQuotes {
		mode |= sqltoken.AnsiQuotes
	}
	if o.PipesAsConcat {
		mode |= sqltoken.PipesAsConcat
	}
	if c, ok := ctx.(*sql.Context); ok && c.Session != nil {
		if s := sessionOf(c); s != nil {
			set := s.text(sql.SqlModeSessionVar)
			if strings.Contains(set, "IGNORE_SPACE") || strings.Contains(set, "ANSI,") {
				mode |= sqltoken.IgnoreSpace
			}
			if strings.Contains(set, "HIGH_NOT_PRECEDENCE") {
				mode |= sqltoken.HighNotPrecedence
			}
		}
	}
	return mode
}

// read lowers the first statement of a text, which is the only one unless there may be several. It returns nil for what is not lowered.
func (p *parser) read(ctx context.Context, query string, several bool, o ast.ParserOptions) (*readStatement, error) {
	options := parse.Options{Mode: readMode(ctx, o), Multi: several}
	current := currentOf(ctx)
	type result struct {
		r   *readStatement
		err error
	}
	got, err := beside(ctx, query, func() result {
		var made result
		if current != nil && current.Tree != nil && current.Text == query {
			made.r, made.err = lowerTree(&readStatement{text: query, next: len(query)}, query, current.Tree, lower.Options{Plain: p.plain})
		} else {
			made.r, made.err = lowered(query, options, lower.Options{Plain: p.plain})
		}
		return made
	})
	if err != nil {
		return nil, err
	}
	return got.r, got.err
}

// rewriteRead makes GMS's tree of a statement one that the layer runs.
func (p *parser) rewriteRead(ctx context.Context, query string, r *readStatement, err error) (ast.Statement, error) {
	if err != nil {
		return nil, err
	}
	return p.rewrite(ctx, query, r.text, r.stmt, true)
}

// lowered reads and lowers the first statement of a text.
func lowered(query string, o parse.Options, as lower.Options) (*readStatement, error) {
	text := strings.TrimLeft(query, " \t\n\v\f\r") // places in the tree count from its front
	found, err := parse.Parse(text, o)
	if err != nil || found.Statement == nil {
		return nil, nil
	}
	r := &readStatement{text: text, next: found.Next + len(query) - len(text)}
	if found.Next < len(text) {
		r.text, r.rest = text[:found.Next], text[found.Next:]
	}
	r.text = sql.RemoveSpaceAndDelimiter(r.text, ';')
	return lowerTree(r, text, found.Statement, as)
}

// lowerTree makes r the statement whose tree was read from query.
func lowerTree(r *readStatement, query string, tree sqlast.Statement, as lower.Options) (_ *readStatement, err error) {
	if r.stmt, err = lower.Statement(query, tree, as); err != nil {
		var u *lower.Unsupported
		if errors.As(err, &u) {
			return nil, nil
		}
		return nil, err
	}
	r.stmt, err = limited(r.stmt, r.text, nil)
	return r, err
}

// longText is the length from which a text is read beside its statement: it may take longer than a statement may take to end.
const longText = 32 << 10

// readTree is our tree of the statement that runs; nil if it is none of MySQL's. Its places count from the front of the text.
func readTree(ctx *sql.Context) sqlast.Statement {
	found, err := parse.Parse(ctx.Query(), parse.Options{Mode: readMode(ctx, sql.LoadSqlMode(ctx).ParserOptions()), Multi: true})
	if err != nil {
		return nil
	}
	return found.Statement
}

// statementOf is GMS's tree of the statement that runs, as it was written.
func statementOf(ctx *sql.Context) (ast.Statement, error) {
	options := parse.Options{Mode: readMode(ctx, sql.LoadSqlMode(ctx).ParserOptions()), Multi: true}
	if r, err := lowered(ctx.Query(), options, lower.Options{}); r != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return r.stmt, nil
	}
	return ast.Parse(ctx.Query())
}

// beside runs f, for a long text in another goroutine. What f does depends on the text alone: a statement that ends
// meanwhile leaves it to finish, which takes no longer than the text is long, and beside returns why it ended.
func beside[T any](ctx context.Context, query string, f func() T) (out T, err error) {
	if len(query) < longText {
		return f(), nil
	}
	if c, ok := ctx.(*sql.Context); ok {
		if s := sessionOf(c); s != nil {
			if err := OverMemory(s.memory.Take(treeSize(query))); err != nil {
				return out, err
			}
		}
	}
	type result struct {
		out      T
		panicked any
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			r.panicked = recover()
			done <- r
		}()
		r.out = f()
	}()
	select {
	case <-ctx.Done():
		return out, ctx.Err()
	case r := <-done:
		if r.panicked != nil {
			panic(r.panicked) // as if it had come here
		}
		return r.out, nil
	}
}
