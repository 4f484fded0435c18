package server

// PREPARE of statements that this server runs itself, and of those that MySQL does not prepare. Others are the SQL layer's.

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer"
)

var (
	prepareSyntax = regexp.MustCompile("(?is)^PREPARE\\s+(`[^`]+`|[\\w$]+)\\s+FROM\\s+('.*'|\".*\"|@[\\w$.`]+)\\s*;?\\s*$")
	keptSyntax    = regexp.MustCompile(`(?is)^(?:(?:CREATE|ALTER|DROP)\s+(?:DEFINER\s*=\s*\S+\s+)?EVENT|CREATE\s[^(']*?\bVIEW)\s`)
	namedSyntax   = regexp.MustCompile("(?is)^(?:EXECUTE|DEALLOCATE\\s+PREPARE|DROP\\s+PREPARE)\\s+(`[^`]+`|[\\w$]+)\\s*;?\\s*$")
)

// textPrepared is what runs PREPARE, EXECUTE or DEALLOCATE of a statement that is the server's; nil: it is the SQL layer's.
func (x *execution) textPrepared(ctx *sql.Context, query string) (adminFunc, error) {
	done := func(*execution, *sql.Context) error { return nil }
	if m := prepareSyntax.FindStringSubmatch(skipBlank(query)); m != nil {
		name := strings.ToLower(strings.Trim(m[1], "`"))
		if _, known := x.preparedVerb(ctx, m[1]); known {
			x.w.tally(com("stmt_close"))
		}
		x.w.tally(com("stmt_prepare"))
		delete(x.w.texts, name)
		_, _ = x.rowsOf(ctx, "DEALLOCATE PREPARE "+m[1]) // whatever becomes of the new one
		x.w.countNamed()
		if err := x.h.s.mayPrepare(); err != nil {
			return nil, err
		}
		rows, err := x.rowsOf(ctx, "SELECT "+m[2])
		if err != nil || len(rows) != 1 {
			return nil, nil // the layer will tell
		}
		text := "NULL"
		if v := rows[0][0]; v != nil {
			text = fmt.Sprint(v)
		}
		if e := x.w.mayPrepareText(text); e != nil {
			return nil, e
		}
		if strings.Contains(text, "?") || textRunner(text) == nil {
			return nil, x.parses(ctx, text)
		}
		if x.w.texts == nil {
			x.w.texts = make(map[string]string)
		}
		x.w.texts[name] = text
		return done, nil
	}
	m := namedSyntax.FindStringSubmatch(skipBlank(query))
	if m == nil {
		return nil, nil
	}
	if v, known := x.preparedVerb(ctx, m[1]); known && x.verb.counter == com("execute_sql") {
		x.w.tally(comExecute)
		x.w.tally(v.counter)
	} else if known {
		x.w.tally(com("stmt_close"))
	}
	name := strings.ToLower(strings.Trim(m[1], "`"))
	text, known := x.w.texts[name]
	switch {
	case !known:
		return nil, nil
	case x.verb.counter != com("execute_sql"):
		delete(x.w.texts, name)
		return done, nil
	}
	x.query, x.verb = text, classify(text)
	return textRunner(text), x.permitted(ctx)
}

// preparedVerb tells what kind of statement a name stands for.
func (x *execution) preparedVerb(ctx *sql.Context, name string) (v verb, known bool) {
	if text, known := x.w.texts[strings.ToLower(strings.Trim(name, "`"))]; known {
		return classify(text), true
	}
	if stmt := preparedStatement(ctx, name); stmt != nil {
		return classify(sqlparser.String(stmt)), true
	}
	return verb{}, false
}

// textRunner is what runs a prepared statement that is kept as its text: the server's own, and those of events and views, which GMS does not prepare; nil: another one.
func textRunner(text string) adminFunc {
	if run := adminStatement(text); run != nil {
		return run
	}
	if keptSyntax.MatchString(skipBlank(text)) {
		return func(x *execution, ctx *sql.Context) error { return x.viaLayer(ctx, x.query, nil) }
	}
	return nil
}

// parses tells of an error of syntax in a text that is prepared. An error of PREPARE's own text could not quote it.
func (x *execution) parses(ctx *sql.Context, text string) error {
	if _, rest := splitFirst(text); skipBlank(rest) != "" {
		return sqllayer.NewError(1064, "%s", syntaxErrorText(text, len(text)-len(skipBlank(rest))))
	}
	escaped := text
	if sqllayer.NoBackslashEscapes(ctx.Session) {
		escaped = sqllayer.EscapeBackslashes(text, sqllayer.AnsiQuotes(ctx.Session))
	}
	escaped = sqllayer.PlainText(ctx.Session, escaped)
	_, _, _, err := x.h.e.Parser.ParseWithOptions(ctx, escaped, ';', false, sql.LoadSqlMode(ctx).ParserOptions())
	if err != nil {
		return x.refused(ctx, text, err)
	}
	return nil
}
