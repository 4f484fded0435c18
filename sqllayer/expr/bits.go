package expr

import (
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// b'1000001' and x'41' are both texts of bytes and numbers in MySQL, as the place they stand in wants; go-mysql-server takes the one for a number and the other
// for bytes wherever they stand. The functions here write the one as the other.

// isBits tells whether a literal is one of bits or bytes. LOAD DATA has literals that are nil.
func isBits(v *ast.SQLVal) bool {
	return v != nil && (v.Type == ast.BitVal || v.Type == ast.HexVal || v.Type == ast.HexNum)
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

// besideColumn is the name of the function that gives a literal of bytes, or the number that it is if the column it is compared with has numbers.
const besideColumn = "beside column "

func init() {
	register(sql.Function2{Name: besideColumn, Fn: func(ctx *sql.Context, literal, column sql.Expression) sql.Expression {
		l, ok := literal.(*expression.Literal)
		if !ok || kindOf(column.Type(ctx))&(numbers|bitfields) == 0 {
			return literal
		}
		bytes, _ := l.Value().([]byte)
		return expression.NewLiteral(new(big.Int).SetBytes(bytes[max(0, len(bytes)-8):]).Uint64(), types.Uint64)
	}})
}

// beside is an operand of a comparison with other.
func beside(e, other ast.Expr) ast.Expr {
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.HexVal && v.Type != ast.HexNum {
		return e
	}
	switch other := other.(type) {
	case *ast.ColName:
		return callOf(besideColumn, e, other)
	case *ast.SQLVal:
		if other.Type == ast.IntVal || other.Type == ast.FloatVal {
			return numberLiteral(e)
		}
	}
	return e
}

// comparedLiterals writes the literals of bytes among the operands of a comparison as numbers where the others are, in place.
func comparedLiterals(e ast.Expr) {
	switch e := e.(type) {
	case *ast.RangeCond:
		e.Left, e.From, e.To = beside(e.Left, e.From), beside(e.From, e.Left), beside(e.To, e.Left)
	case *ast.ComparisonExpr:
		switch e.Operator {
		case ast.InStr, ast.NotInStr:
			if list, ok := e.Right.(ast.ValTuple); ok {
				left := e.Left
				e.Left = beside(left, list[0])
				for i := range list {
					list[i] = beside(list[i], left)
				}
			}
		case ast.EqualStr, ast.NotEqualStr, ast.LessThanStr, ast.LessEqualStr, ast.GreaterThanStr, ast.GreaterEqualStr, ast.NullSafeEqualStr:
			e.Left, e.Right = beside(e.Left, e.Right), beside(e.Right, e.Left)
		}
	}
}
