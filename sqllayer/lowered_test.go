package sqllayer_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/trees"
)

var rewriteLowered = flag.Bool("rewrite-lowered", false, "record how the statements are lowered")

// treeText prints a tree of GMS's grammar by its structure, without what two trees of one meaning
// may differ in.
func treeText(n any) string {
	var b strings.Builder
	treePrint(&b, reflect.ValueOf(n))
	return b.String()
}

var sameTypes = map[string]string{"integer": "int", "boolean": "bool", "character": "char", "numeric": "decimal", "dec": "decimal", "fixed": "decimal",
	"double precision": "double", "national char": "nchar", "national character": "nchar", "nchar varchar": "nvarchar", "nchar varying": "nvarchar",
	"national varchar": "nvarchar", "national char varying": "nvarchar", "national character varying": "nvarchar", "character varying": "varchar", "char varying": "varchar"}

func treePrint(b *strings.Builder, v reflect.Value) {
	if !v.IsValid() {
		b.WriteString("nil")
		return
	}
	if v.CanInterface() {
		switch n := v.Interface().(type) {
		case *vt.ParenExpr:
			if n != nil {
				treePrint(b, reflect.ValueOf(n.Expr))
				return
			}
		case *vt.AndExpr, *vt.OrExpr:
			fmt.Fprintf(b, "%T(", n)
			chainPrint(b, n.(vt.Expr), reflect.TypeOf(n))
			b.WriteString(")")
			return
		case vt.Comments:
			for _, c := range n {
				if strings.HasPrefix(string(c), "/*+") {
					fmt.Fprintf(b, "%q", c)
				}
			}
			return
		case *vt.ParenSelect:
			if bare, ok := n.Select.(*vt.Select); ok && bare.Limit == nil && bare.OrderBy == nil && bare.With == nil && bare.Into == nil && (bare.Lock == nil || bare.Lock.Type == "") {
				treePrint(b, reflect.ValueOf(bare))
				return
			}
		case *vt.ParenTableExpr:
			if len(n.Exprs) == 1 {
				treePrint(b, reflect.ValueOf(n.Exprs[0]))
				return
			}
		case *vt.Lock:
			if n == nil || n.Type == "" {
				b.WriteString("nil")
				return
			}
			kind := strings.ToLower(n.Type)
			share := strings.Contains(kind, "share mode")
			var of []string
			for _, t := range n.Tables {
				of = append(of, t.DbQualifier.String()+"."+t.Name.String())
			}
			fmt.Fprintf(b, "Lock{share %v skip %v nowait %v of %v}", share, strings.HasSuffix(kind, "skip locked"), strings.HasSuffix(kind, "nowait"), of)
			return
		case *vt.SQLVal:
			if n == nil {
				b.WriteString("nil")
				return
			}
			val, typ := string(n.Val), n.Type
			if typ == vt.HexVal {
				val, typ = "0x"+val, vt.HexNum
			}
			if typ == vt.HexNum {
				val = strings.ToLower(val)
			}
			fmt.Fprintf(b, "SQLVal(%d %q)", typ, val)
			return
		case vt.ColIdent:
			fmt.Fprintf(b, "%q", n.String())
			return
		case vt.TableIdent:
			fmt.Fprintf(b, "%q", n.String())
			return
		case *vt.FuncExpr:
			if n == nil {
				b.WriteString("nil")
				return
			}
			if _, x, ok := expr.DefinedText(n); ok { // whose text has no place in the other tree
				treePrint(b, reflect.ValueOf(x))
				return
			}
			name := strings.ToLower(n.Name.String())
			if rest, ok := strings.CutPrefix(name, operand.TypedLiteral); ok {
				name = operand.TypedLiteral + strings.ReplaceAll(rest, " ", "")
			}
			if name == "mid" || name == "substr" {
				name = "substring"
			}
			if name == "schema" {
				name = "database"
			}
			fmt.Fprintf(b, "%s.%s(distinct %v ", n.Qualifier.String(), name, n.Distinct)
			treePrint(b, reflect.ValueOf(n.Exprs))
			treePrint(b, reflect.ValueOf(n.Over))
			treePrint(b, reflect.ValueOf(n.Auth))
			b.WriteString(")")
			return
		case *vt.AliasedExpr:
			if n == nil {
				b.WriteString("nil")
				return
			}
			b.WriteString("(")
			treePrint(b, reflect.ValueOf(n.Expr))
			fmt.Fprintf(b, " AS %q)", n.As.String())
			return
		}
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		treePrint(b, v.Elem())
	case reflect.Struct:
		fmt.Fprintf(b, "%s{", v.Type().Name())
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Name == "sawnull" || f.Name == "sawai" || f.Name == "Type" && v.Type().Name() == "IndexInfo" || f.Name == "lowered" || f.Name == "_" {
				continue
			}
			b.WriteString(f.Name + ":")
			if s := v.Field(i); s.Kind() == reflect.String {
				text := s.String()
				switch f.Name {
				case "Unit", "Type", "Charset", "Collate", "Collation", "Name", "Operator":
					text = strings.ToLower(text)
				}
				if same := sameTypes[text]; same != "" && f.Name == "Type" {
					text = same
				}
				fmt.Fprintf(b, "%q ", text)
				continue
			}
			treePrint(b, v.Field(i))
			b.WriteString(" ")
		}
		b.WriteString("}")
	case reflect.Slice:
		if v.Len() == 0 && (v.Type() != reflect.TypeOf(vt.Columns{}) || v.IsNil()) {
			b.WriteString("[]")
			return
		}
		b.WriteString("[")
		for i := range v.Len() {
			treePrint(b, v.Index(i))
			b.WriteString(", ")
		}
		b.WriteString(",]")
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprintf(b, "%v", v)
	}
}

func chainPrint(b *strings.Builder, e vt.Expr, kind reflect.Type) {
	for {
		p, ok := e.(*vt.ParenExpr)
		if !ok {
			break
		}
		e = p.Expr
	}
	if reflect.TypeOf(e) == kind {
		switch n := e.(type) {
		case *vt.AndExpr:
			chainPrint(b, n.Left, kind)
			chainPrint(b, n.Right, kind)
			return
		case *vt.OrExpr:
			chainPrint(b, n.Left, kind)
			chainPrint(b, n.Right, kind)
			return
		}
	}
	treePrint(b, reflect.ValueOf(e))
	b.WriteString("; ")
}

// TestLowered compares the trees that package lower makes of the statements of the parser's tests
// with those of GMS's grammar. The golden lists the statements whose trees differ, and why others
// are not lowered. The trees of those listed as different are MySQL's reading: comments and numbers
// that GMS's grammar reads otherwise, UNIQUE KEY that is UNIQUE, headings inside of common tables,
// the name of a key behind the name of its constraint, and partitions: ALTER TABLE has ENABLE KEYS
// for what the layer does to them, and DELETE has them in its table.
func TestLowered(t *testing.T) {
	files, err := filepath.Glob("../sql/parse/testdata/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out strings.Builder
	same := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, line := range strings.Split(string(text), "\n") {
			switch how := loweredAs(line); how {
			case "":
			case "same":
				same++
			default:
				fmt.Fprintf(&out, "%s: %s\n", how, line)
			}
		}
	}
	fmt.Fprintf(&out, "same: %d\n", same)
	golden := "testdata/lowered.golden"
	if *rewriteLowered {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

// loweredAs says how a statement is lowered that both grammars take; "" stands for others.
func loweredAs(text string) string {
	p := &sqllayer.Parser{}
	old, _, _, err := p.Library.ParseWithOptions(context.Background(), text, ';', true, vt.ParserOptions{})
	if err != nil {
		return ""
	}
	r, err := parse.Parse(text, parse.Options{Multi: true, Mode: sqltoken.Prepared})
	if err != nil || r.Statement == nil {
		return ""
	}
	n, err := lower.Statement(text, r.Statement, lower.Options{})
	var u *lower.Unsupported
	switch {
	case errors.As(err, &u):
		return string(u.Reason)
	case err != nil:
		return "error"
	case treeText(old) == treeText(n):
		return "same"
	case isProgramText(old) && programTree(old) == programTree(n):
		return "same"
	}
	return "differs"
}

func isProgramText(stmt vt.Statement) bool {
	d, ok := stmt.(*vt.DDL)
	return ok && (d.ProcedureSpec != nil || d.TriggerSpec != nil || d.EventSpec != nil)
}

// programTree is the tree of a program without the place of its body, which only one of the two
// ways knows.
func programTree(stmt vt.Statement) string {
	d := *stmt.(*vt.DDL)
	d.SubStatementPositionStart, d.SubStatementPositionEnd = 0, 0
	return treeText(&d)
}

// BenchmarkRead compares the two ways from a text to a tree.
func BenchmarkRead(b *testing.B) {
	texts := map[string]string{
		"point":  "SELECT c FROM sbtest1 WHERE id=5046",
		"range":  "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 5000 AND 5099 ORDER BY c",
		"update": "UPDATE sbtest1 SET k=k+1 WHERE id=5046",
		"insert": "INSERT INTO sbtest1 (id, k, c, pad) VALUES (5046, 4993, '68487932199-96439406143', '67847967377-48000963322')",
		"stock":  "SELECT COUNT(DISTINCT(s_i_id)) FROM order_line, stock WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id < 3001 AND ol_o_id >= 3001 - 20 AND s_w_id = 1 AND s_i_id = ol_i_id AND s_quantity < 15",
	}
	for name, text := range texts {
		b.Run(name+"/lowered", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, err := trees.Lowered(text, parse.Options{Mode: sqltoken.Prepared}, lower.Options{}); r == nil || err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/grammar", func(b *testing.B) {
			b.ReportAllocs()
			p := &sqllayer.Parser{}
			for b.Loop() {
				if _, _, _, err := p.Library.ParseWithOptions(context.Background(), text, ';', true, vt.ParserOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
