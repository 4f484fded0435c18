package sqllayer

// How a text becomes a tree that GMS plans: package parse reads it and package lower makes the
// tree. What is not lowered is not run. The library's grammar reads what MySQL refuses in GMS's own
// suites, and the texts that it has printed itself.

import (
	"context"
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqlstatement "emberdb/sql/statement"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/lower"
)

// readStatement is a statement that was lowered.
type readStatement struct {
	stmt ast.Statement
	tree sqlast.Statement
	text string // of the statement
	rest string // the statements behind it
	next int    // where they begin in the text that was read
}

// readMode is how the session's texts are read. Backslashes are escapes in them, see
// EscapeBackslashes.
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

// read lowers the first statement of a text, which is the only one unless there may be several. The
// result is never nil.
func (p *parser) read(ctx context.Context, query string, several bool, o ast.ParserOptions) (*readStatement, error) {
	options := parse.Options{Mode: readMode(ctx, o), Multi: several, Version: VersionNumber}
	as := lower.Options{Plain: p.plain}
	if c, ok := ctx.(*sql.Context); ok && c.Session != nil && sessionOf(c) != nil {
		as.Bytes = sessionOf(c).BytesAreStrings()
	}
	current := currentOf(ctx)
	type result struct {
		r   *readStatement
		err error
	}
	got, err := beside(ctx, query, func() (out result) {
		if current != nil && current.Tree != nil && current.Text == query {
			out.r, out.err = lowerTree(&readStatement{text: query, next: len(query)}, query, current.Tree, as)
		} else {
			out.r, out.err = p.lowered(query, options, as)
		}
		return out
	})
	if err == nil {
		err = got.err
	}
	if err != nil || got.r == nil {
		return &readStatement{text: query}, err
	}
	return got.r, nil
}

// rewriteRead makes GMS's tree of a statement one that the layer runs.
func (p *parser) rewriteRead(ctx context.Context, query string, r *readStatement, err error) (ast.Statement, error) {
	if err != nil {
		return nil, err
	}
	return p.rewrite(ctx, query, r)
}

// lowered reads and lowers the first statement of a text. In GMS's own suites the library's grammar
// reads what MySQL refuses.
func (p *parser) lowered(query string, o parse.Options, as lower.Options) (*readStatement, error) {
	r, err := lowered(query, o, as)
	if err != nil && p.plain {
		r = &readStatement{text: query}
		r.stmt, r.text, r.rest, err = p.library.ParseWithOptions(context.Background(), query, ';', o.Multi, ast.ParserOptions{AnsiQuotes: o.Mode&sqltoken.AnsiQuotes != 0})
		r.next = len(query) - len(r.rest)
		if err == nil {
			r.stmt, err = limited(r.stmt, r.text, nil)
		}
	}
	return r, err
}

// lowered reads and lowers the first statement of a text.
func lowered(query string, o parse.Options, as lower.Options) (*readStatement, error) {
	text := strings.TrimLeft(query, " \t\n\v\f\r") // places in the tree count from its front
	found, err := parse.Parse(text, o)
	if err != nil {
		return nil, parseError(err)
	}
	if found.Statement == nil {
		return nil, ast.ErrEmpty
	}
	r := &readStatement{text: text, next: found.Next + len(query) - len(text)}
	if found.Next < len(text) {
		r.text, r.rest = text[:found.Next], text[found.Next:]
	}
	r.text = sql.RemoveSpaceAndDelimiter(r.text, ';')
	return lowerTree(r, text, found.Statement, as)
}

// parseError is what a client is told of an error of package parse.
func parseError(err error) error {
	var known *parse.Error
	if errors.As(err, &known) {
		return NewError(int(known.Code), "%s", known.Text)
	}
	return err
}

// lowerTree makes r the statement whose tree was read from query.
func lowerTree(r *readStatement, query string, tree sqlast.Statement, as lower.Options) (_ *readStatement, err error) {
	r.tree = tree
	if r.stmt, err = lower.Statement(query, tree, as); err != nil {
		var u *lower.Unsupported
		if errors.As(err, &u) {
			err = NewError(1235, "This version of Ember doesn't yet support '%s'", (&sqlstatement.Statement{Text: query[tree.Pos():]}).Words(3))
		}
		return nil, err
	}
	r.stmt, err = limited(r.stmt, r.text, nil)
	return r, err
}

// treeOf lowers a text of the layer's own, or one that it has stored.
func treeOf(text string, mode sqltoken.Mode) (ast.Statement, error) {
	r, err := lowered(text, parse.Options{Mode: mode | sqltoken.Prepared, Version: VersionNumber}, lower.Options{})
	if err != nil {
		return nil, err
	}
	return r.stmt, nil
}

// modeOf are the parts of a sql_mode that change how a text is read.
func modeOf(names string) (mode sqltoken.Mode) {
	for name := range strings.SplitSeq(strings.ToUpper(names), ",") {
		mode |= readingModes[name]
	}
	return mode
}

// longText is the length from which a text is read beside its statement: it may take longer than a
// statement may take to end.
const longText = 32 << 10

// statementOf is GMS's tree of the statement that runs, as it was written.
func statementOf(ctx *sql.Context) (ast.Statement, error) {
	options := parse.Options{Mode: readMode(ctx, expr.Mode(ctx).ParserOptions()), Multi: true, Version: VersionNumber}
	r, err := lowered(ctx.Query(), options, lower.Options{})
	if err != nil {
		return nil, err
	}
	return r.stmt, nil
}

// queryTree is our tree of ctx's text; nil if it is none of MySQL's statements. Its places count
// from the front of the text.
func queryTree(ctx *sql.Context) sqlast.Statement {
	if st := currentOf(ctx); st != nil && st.Text == ctx.Query() {
		return st.Tree
	}
	found, err := parse.Parse(ctx.Query(), parse.Options{Mode: readMode(ctx, expr.Mode(ctx).ParserOptions()), Multi: true, Version: VersionNumber})
	if err != nil {
		return nil
	}
	return found.Statement
}

// TreeOf is GMS's tree of a text, as the text says it: the layer has changed nothing in it.
func TreeOf(text string, o ast.ParserOptions) (ast.Statement, error) {
	r, err := lowered(text, parse.Options{Mode: readMode(context.Background(), o), Version: VersionNumber}, lower.Options{Plain: true})
	if err != nil {
		return nil, err
	}
	return r.stmt, nil
}

// beside runs f, for a long text in another goroutine. What f does depends on the text alone: a
// statement that ends meanwhile leaves it to finish, which takes no longer than the text is long,
// and beside returns why it ended.
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
