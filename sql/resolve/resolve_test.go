package resolve

import (
	"database/sql"
	"flag"
	"os"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/sql/ast"
	"emberdb/sql/parse"
)

var mysql = flag.String("mysql", "", "record what a MySQL server shows of the views, in its database resolve_test")

const schema = "resolve_test"

// tables is a catalog made of CREATE TABLE statements.
type tables map[string][]Column

func (t tables) Columns(_, name string) ([]Column, bool) {
	c, ok := t[strings.ToLower(name)]
	return c, ok
}

func (t tables) add(n *ast.CreateTable) {
	for _, e := range n.Elements {
		if c, ok := e.(*ast.ColumnDef); ok {
			t[n.Name.Name.Name] = append(t[n.Name.Name.Name], Column{Name: c.Name.Name})
		}
	}
}

// TestViews compares the texts of views with those that MySQL 9.7 shows.
func TestViews(t *testing.T) {
	texts, err := os.ReadFile("testdata/views.sql")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(texts)), "\n")
	if *mysql != "" {
		record(t, lines)
	}
	golden, err := os.ReadFile("testdata/views.golden")
	require.NoError(t, err)
	want := strings.Split(strings.TrimSuffix(string(golden), "\n"), "\n")
	require.Len(t, want, len(lines))
	cat := make(tables)
	for i, text := range lines {
		parsed, err := parse.Parse(text, parse.Options{})
		require.NoError(t, err, text)
		switch n := parsed.Statement.(type) {
		case *ast.CreateTable:
			cat.add(n)
		case *ast.CreateView:
			if want[i] == "error" {
				continue
			}
			_, err := Query(n.Query, Options{Catalog: cat, Schema: schema, Text: text, Charset: "utf8mb4", View: true})
			require.NoError(t, err, text)
			if got := ast.Print(n.Query, ast.Options{Canonical: true}); got != want[i] {
				t.Errorf("%s\nwant %s\n got %s", text, want[i], got)
			}
		}
	}
}

// record asks MySQL for the texts.
func record(t *testing.T, lines []string) {
	db, err := sql.Open("mysql", *mysql)
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, text := range []string{"drop database if exists " + schema, "create database " + schema, "use " + schema} {
		_, err := db.Exec(text)
		require.NoError(t, err)
	}
	var out strings.Builder
	for _, text := range lines {
		body := "error"
		_, err := db.Exec(text)
		if strings.HasPrefix(text, "create table") {
			require.NoError(t, err, text)
			body = "table"
		} else if err == nil {
			require.NoError(t, db.QueryRow("select view_definition from information_schema.views where table_schema = ?", schema).Scan(&body), text)
			_, err = db.Exec("drop view v")
			require.NoError(t, err)
		} else {
			t.Log(text, err)
		}
		out.WriteString(strings.ReplaceAll(body, "\n", "\\n") + "\n")
	}
	require.NoError(t, os.WriteFile("testdata/views.golden", []byte(out.String()), 0o644))
}
