package sqllayer

// How a text becomes a tree that GMS plans: package parse reads it and package lower makes the
// tree. What is not lowered is not run. The library's grammar reads what MySQL refuses in GMS's own
// suites, and the texts that it has printed itself.

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

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
		if s := SessionOf(c); s != nil {
			set := s.text(sql.SqlModeSessionVar)
			if strings.Contains(set, "IGNORE_SPACE") || strings.Contains(set, "ANSI,") {
				mode |= sqltoken.IgnoreSpace
			}
			if strings.Contains(set, "HIGH_NOT_PRECEDENCE") {
				mode |= sqltoken.HighNotPrecedence
			}
			if strings.Contains(set, "REAL_AS_FLOAT") {
				mode |= sqltoken.RealAsFloat
			}
		}
	}
	return mode
}

// read lowers the first statement of a text, which is the only one unless there may be several. The
// result is never nil.
func (p *Parser) read(ctx context.Context, query string, several bool, o ast.ParserOptions) (*trees.ReadStatement, error) {
	options := parse.Options{Mode: readMode(ctx, o), Multi: several, Version: tabledef.VersionNumber}
	as := lower.Options{Plain: p.Plain}
	if c, ok := ctx.(*sql.Context); ok && c.Session != nil && SessionOf(c) != nil {
		as.Bytes = SessionOf(c).BytesAreStrings()
	}
	current := currentOf(ctx)
	type result struct {
		r   *trees.ReadStatement
		err error
	}
	got, err := beside(ctx, query, func() (out result) {
		if current != nil && current.Tree != nil && current.Text == query {
			out.r, out.err = trees.LowerTree(&trees.ReadStatement{Text: query, Next: len(query)}, query, current.Tree, nil, as)
		} else {
			out.r, out.err = p.lowered(query, options, as)
		}
		return out
	})
	if err == nil {
		err = got.err
	}
	if err != nil || got.r == nil {
		return &trees.ReadStatement{Text: query}, err
	}
	return got.r, nil
}

// rewriteRead makes GMS's tree of a statement one that the layer runs.
func (p *Parser) rewriteRead(ctx context.Context, query string, r *trees.ReadStatement, err error) (ast.Statement, error) {
	if err != nil {
		return nil, err
	}
	return p.Rewrite(ctx, query, r)
}

// lowered reads and lowers the first statement of a text. In GMS's own suites the library's grammar
// reads what MySQL refuses.
func (p *Parser) lowered(query string, o parse.Options, as lower.Options) (*trees.ReadStatement, error) {
	r, err := trees.Lowered(query, o, as)
	if err != nil && p.Plain {
		r = &trees.ReadStatement{Text: query}
		r.Stmt, r.Text, r.Rest, err = p.Library.ParseWithOptions(context.Background(), query, ';', o.Multi, ast.ParserOptions{AnsiQuotes: o.Mode&sqltoken.AnsiQuotes != 0})
		r.Next = len(query) - len(r.Rest)
		if err == nil {
			r.Stmt, err = trees.Limited(r.Stmt, r.Text, nil, nil)
		}
	}
	return r, err
}

// longText is the length from which a text is read beside its statement: it may take longer than a
// statement may take to end.
const longText = 32 << 10

// StatementOf is GMS's tree of the statement that runs, as it was written.
func StatementOf(ctx *sql.Context) (ast.Statement, error) {
	options := parse.Options{Mode: readMode(ctx, operand.Mode(ctx).ParserOptions()), Multi: true, Version: tabledef.VersionNumber}
	r, err := trees.Lowered(ctx.Query(), options, lower.Options{})
	if err != nil {
		return nil, err
	}
	return r.Stmt, nil
}

// QueryTree is our tree of ctx's text; nil if it is none of MySQL's statements. Its places count
// from the front of the text.
func QueryTree(ctx *sql.Context) sqlast.Statement {
	if st := currentOf(ctx); st != nil && st.Text == ctx.Query() {
		return st.Tree
	}
	found, err := parse.Parse(ctx.Query(), parse.Options{Mode: readMode(ctx, operand.Mode(ctx).ParserOptions()), Multi: true, Version: tabledef.VersionNumber})
	if err != nil {
		return nil
	}
	return found.Statement
}

// TreeOf is GMS's tree of a text, as the text says it: the layer has changed nothing in it. Reading
// ends once ended, if there is one, is not 0.
func TreeOf(text string, o ast.ParserOptions, ended *atomic.Uint32) (ast.Statement, error) {
	r, err := trees.Lowered(text, parse.Options{Mode: readMode(context.Background(), o), Version: tabledef.VersionNumber, Ended: ended}, lower.Options{Plain: true})
	if err != nil {
		return nil, err
	}
	return r.Stmt, nil
}

// beside runs f, for a long text in another goroutine. What f does depends on the text alone: a
// statement that ends meanwhile leaves it to finish, which takes no longer than the text is long,
// and beside returns why it ended.
func beside[T any](ctx context.Context, query string, f func() T) (out T, err error) {
	if len(query) < longText {
		return f(), nil
	}
	if c, ok := ctx.(*sql.Context); ok {
		if s := SessionOf(c); s != nil {
			if err := memory.OverMemory(s.memory.Take(trees.TreeSize(query))); err != nil {
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
