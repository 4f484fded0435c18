package parse

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

var mysqlDSN = flag.String("mysql", "", "ask this MySQL server for the verdicts and write the goldens")

// parseErrors are the errors that MySQL gives while it parses. Others come later and say that the
// text was accepted.
var parseErrors = map[uint16]bool{1064: true, 1277: true, 1323: true, 1407: true, 1149: true, 1221: true, 1531: true, 1248: true, 1473: true, 3667: true, 6006: true, 6009: true, 3953: true, 3954: true}

// TestVerdicts compares the parser's verdict on each line of testdata/*.sql with MySQL's.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		texts := readLines(t, file)
		golden := strings.TrimSuffix(file, ".sql") + ".golden"
		if *mysqlDSN != "" {
			record(t, golden, texts)
		}
		want := readLines(t, golden)
		require.Len(t, want, len(texts), golden)
		for i, text := range texts {
			require.Equal(t, want[i], verdict(text), "%s:%d: %s", file, i+1, text)
			requireRoundTrip(t, text, Options{Mode: token.Prepared})
		}
	}
}

func readLines(t *testing.T, file string) []string {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

func verdict(text string) string {
	_, err := Parse(Trim(text), Options{Mode: token.Prepared})
	return describe(err)
}

func describe(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return fmt.Sprint(e.Code, " ", strings.Replace(e.Text, syntaxText, "...", 1))
	}
	return "ok"
}

// record asks a server to prepare each text.
func record(t *testing.T, golden string, texts []string) {
	db, err := sql.Open("mysql", *mysqlDSN)
	require.NoError(t, err)
	defer db.Close()
	var out strings.Builder
	for _, text := range texts {
		stmt, err := db.PrepareContext(context.Background(), text)
		var e *mysql.MySQLError
		switch {
		case err == nil:
			require.NoError(t, stmt.Close())
		case errors.As(err, &e):
		default:
			require.NoError(t, err)
		}
		if e != nil && parseErrors[e.Number] {
			fmt.Fprintln(&out, describe(&Error{Code: e.Number, Text: e.Message}))
		} else {
			fmt.Fprintln(&out, "ok")
		}
	}
	require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
}

// requireRoundTrip checks a text that parses: its tree prints to text that parses to an equal tree,
// and spans nest.
func requireRoundTrip(t *testing.T, text string, o Options) {
	r, err := Parse(text, o)
	if err != nil || r.Statement == nil {
		return
	}
	print := ast.Options{Mode: o.Mode, Charset: o.Charset}
	once := ast.Print(r.Statement, print)
	again, err := Parse(once, o)
	require.NoError(t, err, "%s\n%s", text, once)
	require.Equal(t, once, ast.Print(again.Statement, print), text)
	print.Canonical = true
	require.Equal(t, ast.Print(r.Statement, print), ast.Print(again.Statement, print), text)
	requireSpans(t, text, r.Statement)
}

// requireSpans checks that the span of every node lies in the text and holds the spans below it.
func requireSpans(t *testing.T, text string, n ast.Node) {
	require.True(t, 0 <= n.Pos() && n.Pos() <= n.End() && n.End() <= len(text), "%T %d-%d: %s", n, n.Pos(), n.End(), text)
	first := true
	ast.Inspect(n, func(m ast.Node) bool {
		if first {
			first = false
			return true
		}
		if _, hoisted := m.(*ast.Into); !hoisted {
			require.True(t, n.Pos() <= m.Pos() && m.End() <= n.End(), "%T %d-%d in %T %d-%d: %s", m, m.Pos(), m.End(), n, n.Pos(),
				n.End(), text)
		}
		requireSpans(t, text, m)
		return false
	})
}

// fuzzSeeds returns the texts of a file of statements.
func fuzzSeeds(file string) []string {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return strings.Split(string(b), "\n")
}
