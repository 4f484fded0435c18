package expr

import (
	"encoding/hex"
	"math/big"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// b'1000001' and x'41' are both texts of bytes and numbers in MySQL, as the place they stand in wants; go-mysql-server takes the one for a number and the other
// for bytes wherever they stand. The functions here write the one as the other.

// isBits tells whether an expression is a literal of bits or bytes.
func isBits(e ast.Expr) bool {
	v, ok := e.(*ast.SQLVal)
	return ok && (v.Type == ast.BitVal || v.Type == ast.HexVal || v.Type == ast.HexNum)
}

// bytesLiteral is e where a text is wanted.
func bytesLiteral(e ast.Expr) ast.Expr {
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.BitVal {
		return e
	}
	n, ok := new(big.Int).SetString("0"+string(v.Val), 2)
	if !ok {
		return e
	}
	bytes := n.FillBytes(make([]byte, (len(v.Val)+7)/8))
	return &ast.SQLVal{Type: ast.HexVal, Val: []byte(hex.EncodeToString(bytes))}
}

// numberLiteral is e where a number is wanted. Of more bytes than a number has the last ones count.
func numberLiteral(e ast.Expr) ast.Expr {
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.HexVal && v.Type != ast.HexNum {
		return e
	}
	digits := string(v.Val)
	if v.Type == ast.HexNum {
		digits = strings.ToLower(digits)[len("0x"):]
	}
	n, ok := new(big.Int).SetString("0"+digits[max(0, len(digits)-16):], 16)
	if !ok {
		return e
	}
	return &ast.SQLVal{Type: ast.BitVal, Val: []byte(n.Text(2))}
}

// argumentLiterals writes the literals among a function's arguments as it wants them, in place.
func argumentLiterals(f *ast.FuncExpr) {
	name := f.Name.Lowered()
	if name == "bin" || name == "oct" {
		name = "conv" // which they are
	}
	letters, known := textArguments[name]
	for i, arg := range f.Exprs {
		a, ok := arg.(*ast.AliasedExpr)
		if !ok || !known {
			continue
		}
		switch letterOf(letters, i) {
		case 't', 'w':
			a.Expr = bytesLiteral(a.Expr)
		case 'd':
			a.Expr = numberLiteral(a.Expr)
		}
	}
}
