package sqllayer_test

import (
	"testing"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer"
)

// The places are MySQL 9.7's; "-": it takes the text.
func TestNULInNames(t *testing.T) {
	for _, c := range []struct {
		text, near string
		ansi       bool
	}{
		{text: "select * from `t\x00view d`", near: "`t"},
		{text: "desc `t\x00`", near: "`t"},
		{text: "select\n `a\x00b` from t", near: "`a"},
		{text: "select 1 as 'a\x00b'", near: "-"},
		{text: "select 'a\x00b', \"\x00\", _utf8mb4'\x00'", near: "-"},
		{text: "select not 'a\x00b'", near: "-"},
		{text: "select not `a\x00b`", near: "`a"},
		{text: "select 1 \x00 + 2", near: ""},
		{text: "select a\x00b from t", near: ""},
		{text: "select 1 /* a\x00b */ + 2", near: "-"},
		{text: "select 1 -- a\x00b\n + 2", near: ""}, // MySQL ends the statement there
		{text: "select 1 # a\x00b\n + 2", near: ""},  // likewise
		{text: "select 'a'\x00", near: ""},
		{text: "set @`a\x00b` = 1", near: "`a"},
		{text: "select 1 /*! + `a\x00` */", near: "`a"},
		{text: "select 1 as \"a\x00b\"", near: "\"a", ansi: true},
		{text: "create procedure p() begin select 1; select * from `t\x00`; end", near: "`t"},
		{text: "create trigger x before insert on t for each row set @a = 1 -- \x00d\x00", near: ""},
		{text: "// ' \n select `t\x00v` '", near: "-"},
		{text: "select 5--1, `t\x00v`", near: "`t"},
		{text: "select 5--`t\x00v`\n", near: "`t"},
		{text: "select 1 /*!99999 + `a\x00` */", near: "-"},
		{text: "select 'it''s \\' \x00', `t`", near: "-"},
	} {
		e := sqllayer.RefuseNUL(c.text, ast.ParserOptions{AnsiQuotes: c.ansi})
		if c.near == "-" {
			require.Nil(t, e, "%q", c.text)
			continue
		}
		require.NotNil(t, e, "%q", c.text)
		require.Equal(t, 1064, e.Num)
		require.Contains(t, e.Message, "near '"+c.near+"' at line", "%q", c.text)
	}
}
