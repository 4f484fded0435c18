package lower

import (
	"strconv"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	sets "emberdb/sql/charset"
	"emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

func str(s string) *vt.SQLVal { return vt.NewStrVal([]byte(s)) }

func (l *lowerer) literal(n *ast.Literal) vt.Expr {
	if n.Charset != "" {
		return l.introduced(n)
	}
	switch n.Kind {
	case ast.NullLiteral:
		return &vt.NullVal{}
	case ast.TrueLiteral, ast.FalseLiteral:
		return vt.BoolVal(n.Kind == ast.TrueLiteral)
	case ast.IntLiteral:
		return vt.NewIntVal([]byte(n.Text))
	case ast.DecimalLiteral:
		if strings.IndexByte(n.Text, '.') < 0 {
			return l.wholeNumber(n.Text)
		}
		return vt.NewFloatVal([]byte(n.Text))
	case ast.FloatLiteral:
		return vt.NewFloatVal([]byte(n.Text))
	case ast.HexLiteral:
		if n.Text == "" && l.table { // the text that GMS would keep is 0x, which is a name
			return str("")
		}
		return vt.NewHexNum([]byte("0x" + n.Text))
	case ast.BitLiteral:
		return vt.NewBitVal([]byte(n.Text))
	case ast.DateLiteral:
		return l.typed("DATE ", n)
	case ast.TimeLiteral:
		return l.typed("TIME ", n)
	case ast.TimestampLiteral:
		return l.typed("TIMESTAMP ", n)
	}
	return str(n.Text)
}

// Digits of a literal: more than mostWhole are a number that is out of range, in whose place stands
// the largest DECIMAL.
const (
	mostWhole   = 81
	mostDecimal = 65
)

// wholeNumber lowers digits. Beyond the range of BIGINT UNSIGNED they are a DECIMAL without a
// fraction, which GMS makes of digits and a point alone. The expressions of a table's definition
// keep the digits.
func (l *lowerer) wholeNumber(digits string) *vt.SQLVal {
	significant := strings.TrimLeft(digits, "0")
	if _, err := strconv.ParseUint(significant, 10, 64); err == nil || significant == "" || l.table || l.Plain {
		return vt.NewIntVal([]byte(digits))
	}
	if len(significant) > mostWhole {
		significant = strings.Repeat("9", mostDecimal)
	}
	return vt.NewFloatVal([]byte(significant + "."))
}

// introduced lowers a string or bytes behind the name of a character set. Bytes in digits become
// the text that they are, since GMS would keep them bytes, which a column would decode once more.
func (l *lowerer) introduced(n *ast.Literal) vt.Expr {
	charset := strings.ToLower(n.Charset)
	if charset == "utf8" {
		charset = "utf8mb3"
	}
	plain := *n
	plain.Charset = ""
	operator := "_" + charset + " "
	if charset != "binary" && (n.Kind == ast.HexLiteral || n.Kind == ast.BitLiteral) {
		bytes := padded(charset, plain.Bytes())
		l.checkCharacters(charset, bytes)
		return &vt.UnaryExpr{Operator: operator, Expr: str(bytes)}
	}
	if n.Kind == ast.StringLiteral {
		plain.Text = padded(charset, plain.Text)
	}
	return &vt.UnaryExpr{Operator: operator, Expr: l.literal(&plain)}
}

// checkCharacters refuses bytes that are no text of a character set.
func (l *lowerer) checkCharacters(charset, bytes string) {
	s := sets.Find(charset)
	if s == nil || s.MaxLen() == 1 || l.Plain {
		return
	}
	if _, read := s.Decode(nil, []byte(bytes)); read < len(bytes) {
		l.raise(1300, "HY000", "Invalid %s character string: '%X'", charset, bytes[read:min(len(bytes), read+3)])
	}
}

// padded puts zeros before the bytes of a character that is cut short, for sets whose characters
// have a least width.
func padded(charset, bytes string) string {
	s := sets.Find(charset)
	if s == nil || len(bytes)%s.MinLen() == 0 {
		return bytes
	}
	return strings.Repeat("\x00", s.MinLen()-len(bytes)%s.MinLen()) + bytes
}

// typed lowers DATE 'text' and its like to the function that checks the text.
func (l *lowerer) typed(word string, n *ast.Literal) vt.Expr {
	if l.Plain {
		return str(n.Text)
	}
	return call(operand.TypedLiteral+word, str(n.Text))
}

// odbc lowers {d 'text'} and its like; other names say nothing.
func (l *lowerer) odbc(n *ast.OdbcEscape) vt.Expr {
	s, isText := n.X.(*ast.Literal)
	if word := odbcWords[strings.ToLower(n.Name.Name)]; word != "" && isText && s.Kind == ast.StringLiteral && s.Charset == "" && isMoment(word, s.Text) {
		return l.typed(word, s)
	}
	return l.expr(n.X)
}

var odbcWords = map[string]string{"d": "DATE ", "t": "TIME ", "ts": "TIMESTAMP "}

// isMoment tells whether a text is what a word says; in braces it is no error if it is not.
func isMoment(word, text string) bool {
	if word == "TIME " {
		c, ok := types.ReadClock(text)
		return ok && !c.Cut && !c.Dated
	}
	m, ok := types.ReadMoment(text)
	return ok && !m.Cut && m.Clock == (word != "DATE ")
}

// plain is what braces hold that say nothing, or an expression itself.
func plain(x ast.Expr) ast.Expr {
	o, ok := x.(*ast.OdbcEscape)
	if !ok {
		return x
	}
	if s, isText := o.X.(*ast.Literal); isText && isMoment(odbcWords[strings.ToLower(o.Name.Name)], s.Text) {
		return x
	}
	return o.X
}

func param(n *ast.Param) *vt.SQLVal {
	return vt.NewValArg(strconv.AppendInt([]byte(":v"), int64(n.Index)+1, 10))
}

// number lowers digits that stand for a length.
func number(digits string) *vt.SQLVal {
	if digits == "" {
		return nil
	}
	return vt.NewIntVal([]byte(digits))
}

// literalString returns the text of a string constant that may be absent.
func literalString(n *ast.Literal) *vt.SQLVal {
	if n == nil {
		return nil
	}
	return str(n.Bytes())
}
