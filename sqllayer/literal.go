package sqllayer

import (
	"encoding/hex"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// introduced makes the hexadecimal bytes behind a character set's name the text that they are: GMS decodes them, but keeps them bytes, which a column would
// decode once more.
func introduced(n *ast.UnaryExpr) {
	operator := strings.ToLower(strings.TrimSpace(n.Operator))
	v, ok := n.Expr.(*ast.SQLVal)
	if !ok || !strings.HasPrefix(operator, "_") || operator == "_binary" || v.Type != ast.HexNum && v.Type != ast.HexVal {
		return
	}
	digits := string(v.Val)
	if v.Type == ast.HexNum {
		digits = digits[len("0x"):]
	}
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	if b, err := hex.DecodeString(digits); err == nil {
		n.Expr = ast.NewStrVal(b)
	}
}
